"""ToolInvocation: a call, ready for whoever decides about it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from attrs import asdict, field, frozen

Status: TypeAlias = Literal["complete", "truncated", "malformed"]


@frozen
class ToolInvocation:
    """What the model wants to be done. Only one that `is_complete` may be run without a second thought.

    `id` is the segment's. Of a truncated call, `arguments` holds those that were complete, and a body (`content`,
    `patch`, `command`) as far as it came; of a malformed one, what is certain. `error` is a sentence that can be shown
    to a person or given back to the model, `raw` the content as it was streamed. `repaired` says that something was
    missing whose place was certain, such as the last closing tag. `call_id` is the provider's or the model's own id of
    the call, with which its result is answered.
    """

    id: str
    name: str
    arguments: dict[str, Any] = field(factory=dict, hash=False)
    status: Status = "complete"
    repaired: bool = False
    error: str | None = None
    raw: str = ""
    call_id: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether its end was seen and all of it was decoded."""
        return self.status == "complete"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for `json.dumps`; `call_id` only where there is one."""
        data = asdict(self, recurse=False)
        if self.call_id is None:
            del data["call_id"]
        return data
