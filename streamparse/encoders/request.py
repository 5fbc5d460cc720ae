"""ClientRequest: what a client sends, for the next request to the model, and for the questions that are open.

request = AgUiRequest.of(body)                       # `ag_ui_request.py`, `ai_sdk_request.py`
request.answer(approvals)                            # the person has decided: a presenter goes on
reply = Reply(client.create(messages=request.messages("openai"), …), tools=request.tools)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from streamparse.config import ToolSpec
from streamparse.encoders.ending import NOT_COMPLETE
from streamparse.formats import Format
from streamparse.invocations import ToolInvocation
from streamparse.messages.conversation import Turn, write
from streamparse.messages.said import Said
from streamparse.presenter import ApprovalError, ApprovalRequest, Approvals, Decision
from streamparse.segment import Segment


@frozen(kw_only=True)
class ClientRequest:
    """The conversation, the tools that the client runs itself, and its decisions, by the ids of the questions."""

    turns: Sequence[Turn] = ()
    tools: Sequence[ToolSpec] = ()
    decisions: Mapping[str, Decision] = field(factory=dict)

    def messages(self, dialect: str | Format = "openai") -> list[dict[str, Any]]:
        """The conversation as the messages of a request in this dialect. What `system` says may have no place there."""
        return write(dialect, self.turns)

    @property
    def system(self) -> str:
        """The system prompt that the client has sent, for interfaces where it is no message."""
        return "\n\n".join(turn.text for turn in self.turns if isinstance(turn, Said) and turn.role == "system")

    def answer(self, approvals: Approvals) -> list[ApprovalRequest]:
        """Give the decisions; returns the questions. Raises ApprovalError, and gives none, if one is not open."""
        unknown = [name for name in self.decisions if name not in approvals.pending]
        if unknown:
            raise ApprovalError(f"no question with the id {unknown[0]!r} is open")
        return [approvals.answer(name, decision) for name, decision in self.decisions.items()]


def read_call(segment: Segment, tool: str, call_id: str, arguments: object, error: object) -> ToolInvocation:
    """The call of a segment that is one. If its arguments are no object it is not complete, and `error` may say why."""
    if isinstance(arguments, dict):
        state = dict(segment.state) or None
        return ToolInvocation(segment.id, tool, arguments, raw=segment.content, call_id=call_id, state=state)
    why = error if isinstance(error, str) else NOT_COMPLETE
    return ToolInvocation(segment.id, tool, status="truncated", error=why, raw=segment.content, call_id=call_id)


def by_question(given: Iterable[tuple[str, Decision]]) -> dict[str, Decision]:
    """Decisions by the ids of their questions. Raises ValueError if two are about one: none of them is the person's."""
    decisions: dict[str, Decision] = {}
    for name, decision in given:
        if name in decisions:
            raise ValueError(f"the question {name!r} is answered twice")
        decisions[name] = decision
    return decisions
