"""As few deltas as can be."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.proxy.joined import joined
from tests.proxy.replies import CALL, chunks


def start(index: int) -> dict[str, Any]:
    function = {"name": "f", "arguments": ""}
    return {"tool_calls": [{"index": index, "id": f"c{index}", "type": "function", "function": function}]}


def more(index: int, arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "function": {"arguments": arguments}}]}


@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        ([], []),
        ([{"content": "a"}], [{"content": "a"}]),
        ([{"content": "a"}, {"content": "b"}, {"content": "c"}], [{"content": "abc"}]),
        (
            [{"content": "a"}, {"reasoning_content": "b"}, {"reasoning_content": "c"}, {"content": "d"}],
            [{"content": "a"}, {"reasoning_content": "bc"}, {"content": "d"}],
        ),
        (
            [{"reasoning_content": "b", "reasoning": "b"}, {"reasoning_content": "c", "reasoning": "c"}],
            [{"reasoning_content": "bc", "reasoning": "bc"}],
        ),
        (
            [start(0), more(0, "{"), more(0, "}"), start(1), more(1, "{}")],
            [start(0), more(0, "{}"), start(1), more(1, "{}")],
        ),
        ([start(0), start(1)], [start(0), start(1)]),
        ([more(0, "{"), more(1, "["), more(0, "}")], [more(0, "{"), more(1, "["), more(0, "}")]),
    ],
)
def test_what_adds_to_the_same_is_one(deltas: list[Any], expected: list[Any]) -> None:
    assert joined(deltas) == expected


def test_a_page_of_tags_in_one_chunk_is_one_chunk() -> None:
    page = "<p>a</p> [b] (c) {d}\n" * 100
    deltas = [
        one["choices"][0]["delta"] for one in chunks([{"role": "assistant", "content": ""}, {"content": page + CALL}])
    ]
    assert deltas[1] == {"content": page.rstrip()}
    assert len(deltas) == 5  # the role, the page, the call, its arguments, the end
