"""ToolLifecycle: what becomes of a call, from the question whether it may run to its result.

    {"type": "TOOL_LIFECYCLE", "state": "approval_requested", "invocation_id": "seg_2", "name": "run_bash",
     "approval_id": "q8…", "message": "[run_bash for 'ls']", "arguments": {"command": "ls"}}
    {"type": "TOOL_LIFECYCLE", "state": "approved", "invocation_id": "seg_2", "name": "run_bash",
     "approval_id": "q8…", "outcome": "allow_once"}
    {"type": "TOOL_LIFECYCLE", "state": "running", "invocation_id": "seg_2", "name": "run_bash"}
    {"type": "TOOL_LIFECYCLE", "state": "progress", "invocation_id": "seg_2", "name": "run_bash", "message": "a.py\\n"}
    {"type": "TOOL_LIFECYCLE", "state": "result", "invocation_id": "seg_2", "name": "run_bash", "content": "a.py\\n"}

That is its wire form, `to_dict()`; `from_dict` is the inverse. `denied`, `skipped` and `result` are the last word on a
call: each call gets exactly one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from attrs import asdict, field, frozen

from streamparse.wire import read_record

LifecycleState: TypeAlias = Literal[
    "approval_requested", "approved", "denied", "running", "progress", "result", "skipped"
]
#: After one of these nothing more is said about a call.
LAST_STATES: frozenset[LifecycleState] = frozenset({"denied", "skipped", "result"})


@frozen
class ToolLifecycle:
    """One thing that has happened to the call whose segment has the id `invocation_id`.

    - `approval_requested`: somebody is asked. `message` is the call in one line, `arguments` what it would run with,
      `reason` why there is a question, `approval_id` what the answer must carry.
    - `approved`: it will run. `outcome` is the answer; `arguments` are there if they were edited.
    - `denied`: it will not. `outcome` and `message`, what the model is told.
    - `running`: it has begun.
    - `progress`: `message` is what a tool reports, or the next piece of a command's output.
    - `result`: `content` is what the model is told, a text or plain data; `is_error` says that it failed.
    - `skipped`: it was not run, and nobody was asked; `message` is what the model is told.
    """

    type: ClassVar[Literal["TOOL_LIFECYCLE"]] = "TOOL_LIFECYCLE"

    state: LifecycleState
    invocation_id: str
    name: str
    call_id: str | None = None
    approval_id: str | None = None
    message: str | None = None
    reason: str | None = None
    arguments: dict[str, Any] | None = field(default=None, hash=False)
    outcome: str | None = None
    content: Any = field(default=None, hash=False)
    is_error: bool = False

    @property
    def is_last(self) -> bool:
        """Whether nothing more is said about the call."""
        return self.state in LAST_STATES

    def to_dict(self) -> dict[str, Any]:
        """The wire form, ready for `json.dumps`; what does not apply is left out."""
        data = {name: value for name, value in asdict(self, recurse=False).items() if value is not None}
        if not self.is_error:
            del data["is_error"]
        return {"type": self.type, **data}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ToolLifecycle:
        """The inverse of `to_dict`. Raises ValueError for anything else."""
        return read_record(cls, data)
