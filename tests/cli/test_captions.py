from __future__ import annotations

import pytest

from streamparse import SegmentEnd, SegmentStart, ToolInvocation
from streamparse.cli.captions import call, status, title


@pytest.mark.parametrize(
    ("segment_type", "metadata", "shown"),
    [
        ("reasoning", {}, "reasoning"),
        ("write_file", {"path": "src/a.py"}, "write_file src/a.py"),
        ("write_file", {"path": "a\nb\t\x1b[31m\u202e", "tool_name": "write_file"}, r"write_file a\nb\t\x1b[31m\u202e"),
        ("tool_call", {"tool_name": "search"}, "tool_call search"),
        ("run_bash", {"tool_name": "run_bash", "call_id": "c"}, "run_bash"),
        ("run_bash", {"tool_name": "shell"}, "run_bash shell"),
        ("tool_call", {"tool_name": ""}, "tool_call"),
        ("chart\x07", {"kind": "bar"}, r"chart\x07"),
    ],
)
def test_a_title_names_what_is_written(segment_type: str, metadata: dict[str, str], shown: str) -> None:
    assert title(SegmentStart("seg_1", segment_type, metadata)) == shown


@pytest.mark.parametrize(
    ("end", "invocation", "shown"),
    [
        ({}, None, "complete"),
        ({"status": "truncated"}, None, "truncated"),
        ({"status": "malformed", "error": "why\x1b"}, None, r"malformed: why\x1b"),
        ({"repaired": True}, None, "complete, repaired"),
        ({}, {}, "complete"),
        ({}, {"repaired": True}, "complete, repaired"),
        ({}, {"status": "malformed", "error": "q is given twice"}, "malformed: q is given twice"),
        ({"status": "truncated"}, {"status": "truncated", "error": "cut off"}, "truncated"),
    ],
)
def test_a_status_is_that_of_the_invocation_if_there_is_one(
    end: dict[str, object], invocation: dict[str, object] | None, shown: str
) -> None:
    built = None if invocation is None else ToolInvocation("seg_1", "x", {}, **invocation)  # type: ignore[arg-type]
    assert status(SegmentEnd("seg_1", **end), built) == shown  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("segment_type", "name", "arguments", "shown"),
    [
        ("tool_call", "search", {"q": "a b", "n": 5, "in": [True, None]}, 'search(q="a b", n=5, in=[true, null])'),
        ("tool_call", "now", {}, "now()"),
        ("tool_call", "f", {"x": "y" * 100}, f'f(x="{"y" * 44}...)'),
        ("tool_call", "f", {"x": "\x1b\n\u202eé"}, r'f(x="\u001b\n\u202eé")'),
        ("tool_call", "f\n", {"a\x1b": "\ud800"}, r'f\n(a\x1b="\ud800")'),
        ("write_file", "write_file", {"path": "a", "content": "\n1\n2\n"}, 'write_file(path="a", content=[2 lines])'),
        ("patch_file", "patch_file", {"path": "a", "patch": "+1"}, 'patch_file(path="a", patch=[1 line])'),
        ("run_bash", "run_bash", {"command": "ls"}, "run_bash(command=[1 line])"),
        ("chart", "chart", {"content": "1"}, 'chart(content="1")'),
    ],
)  # fmt: skip
def test_a_call_is_one_short_line(segment_type: str, name: str, arguments: dict[str, object], shown: str) -> None:
    assert call(segment_type, ToolInvocation("seg_1", name, arguments)) == shown
