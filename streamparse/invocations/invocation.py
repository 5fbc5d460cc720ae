"""ToolInvocation: a call, ready for whoever decides about it.

    {"type": "TOOL_INVOCATION", "id": "seg_1", "name": "search", "arguments": {"query": "cats"}, "status": "complete",
     "repaired": false, "error": null, "raw": "<query>cats</query>"}

That is its wire form, `to_dict()`; `from_dict` is the inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from attrs import asdict, evolve, field, frozen

from streamparse.events import SegmentEnd
from streamparse.wire import read_record

Status: TypeAlias = Literal["complete", "truncated", "malformed"]


@frozen
class ToolInvocation:
    """What the model wants to be done. Only one that `is_complete` may be run without a second thought.

    `id` is the segment's. Of a truncated call, `arguments` holds those that were complete, and a body (`content`,
    `patch`, `command`) as far as it came; of a malformed one, what is certain. `error` is a sentence that can be shown
    to a person or given back to the model. `repaired` says that something was missing whose place was certain, such as
    the last closing tag. `raw` is the arguments as the model wrote them, in the syntax of the format; events from a
    wire do not carry that for a call with a body, so if it was built of such, it is the body. `call_id` is the
    provider's or the model's own id of the call, with which its result is answered. `plan_id` is the plan it stands in,
    and `step_id` and `depends_on` are what it says of its place there. `content` is the body of a call that writes a
    file, patches one or runs a command, decoded, as far as it came, and None of any other call; since `raw` or
    `arguments` has it as well, equality does not look at it. `state` is what the provider wants back with the call, as
    it is, with the `interface` that it is of.

    `is_declared` says whether the tool is one of those that were declared, None if none were. `is_fenced` says that the
    call stood in Markdown code, or in a quote: models put real calls into fences, and examples, too.
    """

    type: ClassVar[Literal["TOOL_INVOCATION"]] = "TOOL_INVOCATION"

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
    content: str | None = field(default=None, eq=False, repr=False)
    state: dict[str, Any] | None = field(default=None, repr=False, hash=False)
    is_declared: bool | None = field(default=None, repr=False, eq=False)
    is_fenced: bool = field(default=False, repr=False)

    @property
    def is_complete(self) -> bool:
        """Whether its end was seen and all of it was decoded."""
        return self.status == "complete"

    def judge(self, end: SegmentEnd) -> SegmentEnd:
        """The END of the call's segment, with what is known now that it is decoded."""
        status = None if self.is_complete else self.status
        if (end.status, end.error, end.repaired) == (status, self.error, self.repaired):
            return end
        return evolve(end, status=status, error=self.error, repaired=self.repaired)

    def to_dict(self) -> dict[str, Any]:
        """The wire form, ready for `json.dumps`; what only some calls have is in it only where there is any."""
        data = {"type": self.type, **asdict(self, recurse=False)}
        for name, nothing in OPTIONAL.items():
            if data[name] is nothing:
                del data[name]
        if self.depends_on is not None:
            data["depends_on"] = list(self.depends_on)
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ToolInvocation:
        """The inverse of `to_dict`. Raises ValueError for anything else."""
        return read_record(cls, data)


#: What is left out of the wire form, and when.
OPTIONAL: dict[str, Any] = {
    **dict.fromkeys(("call_id", "plan_id", "step_id", "depends_on", "content", "state", "is_declared")),
    "is_fenced": False,
}
