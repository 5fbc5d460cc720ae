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
    the call, with which its result is answered. `plan_id` is the plan it stands in, and `step_id` and `depends_on` are
    what it says of its place there.
    """

    id: str
    name: str
    arguments: dict[str, Any] = field(factory=dict, hash=False)
    status: Status = "complete"
    repaired: bool = False
    error: str | None = None
    raw: str = ""
    call_id: str | None = None
    plan_id: str | None = field(default=None, repr=False)
    step_id: str | None = field(default=None, repr=False)
    depends_on: tuple[str, ...] | None = field(default=None, repr=False)

    @property
    def is_complete(self) -> bool:
        """Whether its end was seen and all of it was decoded."""
        return self.status == "complete"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for `json.dumps`; `call_id` and what is said of a plan only where there is any."""
        data = asdict(self, recurse=False)
        for name in _OPTIONAL:
            if data[name] is None:
                del data[name]
        return data


_OPTIONAL = ("call_id", "plan_id", "step_id", "depends_on")
