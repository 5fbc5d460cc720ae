"""AiSdkRequest: what `useChat` sends, each time all messages of the chat.

    {"id": "chat1", "trigger": "submit-message", "messageId": "m2", "messages": [
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "Tidy up."}]},
        {"id": "m2", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "dynamic-tool",
         "toolName": "run_bash", "toolCallId": "call_1", "state": "approval-responded", "input": {"command": "ls"},
         "approval": {"id": "call_1", "approved": true, "descriptor": {"approvalId": "q8…"}}}]}]}

`messages` become the conversation, as `AiSdkEncoder` has told it, with what a provider wants back. A step is a reply.
A call of the last message that is `approval-responded` is a decision, by the id of the question, which its `descriptor`
has; the `reason` is told to the model. In the messages before, whatever was decided is over. Nothing is run that stands
here: a decision is for a question that waits, and whoever asked it has the call.

| the state of a call | its result |
|---|---|
| `output-available` | the output; none if it is `preliminary` |
| `output-error` | the error |
| `output-denied`, or `approval-responded` with a denial | a sentence that says so |
| any other | none: the model is told that it was not run |

Sources, files of the model, data and parts of other kinds are for the client alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from attrs import evolve, field, frozen

from streamparse.encoders.ai_sdk_parts import OWN
from streamparse.encoders.request import ClientRequest, by_question, read_call
from streamparse.encoders.sent import Json, a_list, a_text, a_text_or_none, an_object, own_state, text_in
from streamparse.events import NATIVE, SegmentType
from streamparse.messages.conversation import Replied, Turn
from streamparse.messages.results import ToolResult, as_text
from streamparse.messages.said import Media, Said, SaidPart
from streamparse.messages.written import loaded
from streamparse.presenter import ApprovalRequest, Approvals, Decision
from streamparse.segment import Segment

_DYNAMIC, _STATIC = "dynamic-tool", "tool-"


@frozen(kw_only=True)
class AiSdkRequest(ClientRequest):
    """What a client has sent. `body` is all of it, with what the page has added.

    `message_id` is that of the message that is to be made anew, or goes on; None if there is none.
    """

    chat_id: str
    trigger: str
    message_id: str | None = None
    body: Json = field(factory=dict, repr=False)

    @classmethod
    def of(cls, data: object) -> AiSdkRequest:
        """The request that was sent as this JSON. Raises ValueError if it is none."""
        body = an_object(data, "the request")
        messages = [an_object(message, "a message") for message in a_list(body, "messages")]
        return cls(
            turns=[turn for message in messages for turn in _read_message(message)],
            decisions=by_question(decision for message in messages[-1:] for decision in _read_decisions(message)),
            chat_id=a_text(body, "id"),
            trigger=a_text(body, "trigger"),
            message_id=a_text_or_none(body, "messageId"),
            body=body,
        )

    def answer(self, approvals: Approvals) -> list[ApprovalRequest]:
        """Give the decisions; returns the questions. Raises ApprovalError, and gives none, if none of them is open.

        A call that was decided about stays as it is while it runs: a client that is asked about another one meanwhile
        sends both.
        """
        is_open = {name: decision for name, decision in self.decisions.items() if name in approvals.pending}
        return ClientRequest.answer(evolve(self, decisions=is_open) if is_open else self, approvals)


def _parts(message: Json) -> list[Json]:
    return [an_object(part, "a part of a message") for part in a_list(message, "parts")]


def _read_message(message: Json) -> Iterator[Turn]:
    match message.get("role"):
        case "user":
            yield Said("user", [said for part in _parts(message) for said in _read_said(part)])
        case "system":
            yield Said("system", [a_text(part, "text") for part in _parts(message) if part.get("type") == "text"])
        case "assistant":
            yield from _read_replies(message)
        case role:
            raise ValueError(f"no message has the role {role!r}")


def _read_said(part: Json) -> list[SaidPart]:
    match part.get("type"):
        case "text":
            return [a_text(part, "text")]
        case "file":
            kind, url, name = a_text(part, "mediaType"), a_text(part, "url"), a_text_or_none(part, "filename")
            head, _, data = url.partition(",")
            if url.startswith("data:") and head.endswith(";base64"):
                return [Media(kind, data, name=name)]
            return [Media(kind, url=url, name=name)]
    return []  # data is for the program


# -- replies -----------------------------------------------------------------------------------------------------------


def _read_replies(message: Json) -> Iterator[Replied]:
    """The steps of a message that have anything in them."""
    reply = Replied()
    for part in _parts(message):
        if part.get("type") == "step-start" and reply.segments:
            yield reply
            reply = Replied()
        _add(part, reply)
    if reply.segments:
        yield reply


def _add(part: Json, reply: Replied) -> None:
    kind = a_text(part, "type")
    if kind in ("text", "reasoning"):
        _add_segment(reply, SegmentType(kind), a_text(part, "text"), {}, part.get("providerMetadata"))
    elif _is_call(kind) and part.get("providerExecuted") is True:
        _add_server_tool(part, reply)
    elif _is_call(kind):
        _add_call(part, reply)


def _is_call(kind: str) -> bool:
    return kind == _DYNAMIC or kind.startswith(_STATIC)


def _name(part: Json) -> str:
    return a_text(part, "toolName") if part["type"] == _DYNAMIC else part["type"].removeprefix(_STATIC)


def _add_segment(reply: Replied, kind: SegmentType, content: str, about: Json, metadata: object) -> Segment:
    state = own_state(metadata.get(OWN) if isinstance(metadata, dict) else None)
    segment = Segment(f"seg_{len(reply.segments) + 1}", kind.value, about, NATIVE, "complete", state=state)
    segment.add(content)
    reply.segments.append(segment)
    return segment


def _add_call(part: Json, reply: Replied) -> None:
    name, given, call_id = _name(part), part.get("input"), a_text(part, "toolCallId")
    written = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
    metadata = part.get("callProviderMetadata")
    segment = _add_segment(reply, SegmentType.TOOL_CALL, written, {"tool_name": name}, metadata)
    arguments = loaded(given) if isinstance(given, str) else given  # a text if the client could not have read them
    is_open = part.get("state") == "input-streaming"
    segment.call = read_call(segment, name, call_id, None if is_open else arguments, part.get("errorText"))
    result = _read_result(part)
    if result is not None:
        reply.results[segment.id] = result


def _read_result(part: Json) -> ToolResult | None:
    approval = part.get("approval")
    approval = approval if isinstance(approval, dict) else {}
    match part.get("state"):
        case "output-available" if part.get("preliminary") is not True:
            return ToolResult(part.get("output"))
        case "output-error":
            return ToolResult(part.get("errorText") or "", is_error=True)
        case "output-denied":
            return _denied(approval)
        case "approval-responded" if approval.get("approved") is False:
            return _denied(approval)
    return None


def _denied(approval: Json) -> ToolResult:
    return ToolResult(Decision("reject_once", feedback=text_in(approval, "reason") or "").denial, is_error=True)


def _add_server_tool(part: Json, reply: Replied) -> None:
    """A tool that the provider ran, and its result."""
    about = {"tool_name": _name(part), "call_id": a_text(part, "toolCallId")}
    given = part.get("input")
    written = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
    metadata, result_metadata = part.get("callProviderMetadata"), part.get("resultProviderMetadata")
    segment = _add_segment(reply, SegmentType.SERVER_TOOL, written, about, metadata)
    if part.get("state") == "output-available":
        output: Any = part.get("output")
        _add_segment(reply, SegmentType.SERVER_RESULT, as_text(output), about, result_metadata)
    elif part.get("state") != "input-available":
        segment.status = "truncated"


# -- decisions ---------------------------------------------------------------------------------------------------------


def _read_decisions(message: Json) -> Iterator[tuple[str, Decision]]:
    for part in _parts(message) if message.get("role") == "assistant" else ():
        if part.get("state") != "approval-responded":
            continue
        approval = an_object(part.get("approval"), "an approval")
        approved, descriptor = approval.get("approved"), approval.get("descriptor")
        reason = a_text_or_none(approval, "reason")
        if not isinstance(approved, bool):
            raise ValueError(f"`approved` is true or false, not {approved!r}")
        is_own = isinstance(descriptor, dict) and "approvalId" in descriptor
        name = a_text(an_object(descriptor, "a descriptor"), "approvalId") if is_own else a_text(approval, "id")
        yield name, Decision("allow_once" if approved else "reject_once", feedback=reason or "")
