"""invocations/invocation.py: what a program acts on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import asdict
from attrs.exceptions import FrozenInstanceError

from streamparse import ToolInvocation


def test_an_invocation_is_plain_data() -> None:
    invocation = ToolInvocation("seg_1", "q", {"n": 1}, "malformed", True, "why", "<n>1</n>")
    data = {
        "type": "TOOL_INVOCATION",
        "id": "seg_1",
        "name": "q",
        "arguments": {"n": 1},
        "status": "malformed",
        "repaired": True,
        "error": "why",
        "raw": "<n>1</n>",
    }
    assert invocation.to_dict() == data
    assert json.loads(json.dumps(invocation.to_dict())) == data
    assert list(invocation.to_dict()) == list(data)


ALL = ToolInvocation(
    *("seg_1", "q", {"n": [1, None]}, "truncated", False, "why", "raw", "c1", "plan_1", "a", ("b", "c"), "body"),
    state={"signature": "x"},
    is_declared=False,
    is_fenced=True,
)


def test_what_only_some_calls_have_is_told_where_there_is_any() -> None:
    assert ALL.to_dict() == {
        "type": "TOOL_INVOCATION",
        "id": "seg_1",
        "name": "q",
        "arguments": {"n": [1, None]},
        "status": "truncated",
        "repaired": False,
        "error": "why",
        "raw": "raw",
        "call_id": "c1",
        "plan_id": "plan_1",
        "step_id": "a",
        "depends_on": ["b", "c"],
        "content": "body",
        "state": {"signature": "x"},
        "is_declared": False,
        "is_fenced": True,
    }


@pytest.mark.parametrize("made", [ALL, ToolInvocation("seg_1", "q"), ToolInvocation("a", "q", depends_on=())])
def test_an_invocation_is_read_back_from_json(made: ToolInvocation) -> None:
    back = ToolInvocation.from_dict(json.loads(json.dumps(made.to_dict())))
    assert back == made
    assert asdict(back) == asdict(made)


PLAIN = ToolInvocation("seg_1", "q").to_dict()


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], "TOOL_INVOCATION", {}, {**PLAIN, "type": "STREAM_END"}, {**PLAIN, "color": "red"}),
        *({name: value for name, value in PLAIN.items() if name != left} for left in PLAIN),
        *({**PLAIN, "id": 5}, {**PLAIN, "arguments": []}, {**PLAIN, "arguments": {1: 2}}, {**PLAIN, "status": "done"}),
        *({**PLAIN, "status": ["complete"]}, {**PLAIN, "repaired": 0}, {**PLAIN, "error": 5}, {**PLAIN, "raw": None}),
        *({**PLAIN, "call_id": None}, {**PLAIN, "depends_on": "ab"}, {**PLAIN, "depends_on": ["a", 5]}),
        *({**PLAIN, "content": {}}, {**PLAIN, "state": "x"}),
    ],
    ids=repr,
)
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(ValueError) as caught:
        ToolInvocation.from_dict(data)
    assert str(caught.value) == f"not the wire form of ToolInvocation: {data!r}"


def test_the_content_makes_no_other_invocation_but_the_state_does() -> None:
    assert ToolInvocation("a", "write_file", {"content": "x"}, raw="x", content="x") == ToolInvocation(
        "a", "write_file", {"content": "x"}, raw="x"
    )
    assert ToolInvocation("a", "q", state={"k": 1}) != ToolInvocation("a", "q")
    assert hash(ToolInvocation("a", "q", state={"k": 1})) == hash(ToolInvocation("a", "q"))


def test_an_invocation_is_complete_unless_it_says_otherwise() -> None:
    assert ToolInvocation("a", "q").is_complete
    assert not ToolInvocation("a", "q", status="truncated").is_complete
    assert not ToolInvocation("a", "q", status="malformed").is_complete


def test_an_invocation_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        ToolInvocation("a", "q").status = "complete"  # type: ignore[misc]
