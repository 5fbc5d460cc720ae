"""invocations/invocation.py: what a program acts on."""

from __future__ import annotations

import json

import pytest
from attrs.exceptions import FrozenInstanceError

from streamparse import ToolInvocation


def test_an_invocation_is_plain_data() -> None:
    invocation = ToolInvocation("seg_1", "q", {"n": 1}, "malformed", True, "why", "<n>1</n>")
    data = {
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
    assert ToolInvocation("seg_1", "q", call_id="c").to_dict()["call_id"] == "c"
    marked = ToolInvocation("seg_1", "q", is_declared=False, is_fenced=True).to_dict()
    assert (marked["is_declared"], marked["is_fenced"]) == (False, True)


def test_an_invocation_is_complete_unless_it_says_otherwise() -> None:
    assert ToolInvocation("a", "q").is_complete
    assert not ToolInvocation("a", "q", status="truncated").is_complete
    assert not ToolInvocation("a", "q", status="malformed").is_complete


def test_an_invocation_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        ToolInvocation("a", "q").status = "complete"  # type: ignore[misc]
