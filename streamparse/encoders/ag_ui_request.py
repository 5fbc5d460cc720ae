"""AgUiRequest: a `RunAgentInput`, which a client of AG-UI sends to have an agent run.

    {"threadId": "t1", "runId": "r2", "messages": [{"id": "m1", "role": "user", "content": "Hi"}], "tools": [],
     "resume": [{"interruptId": "q8…", "status": "resolved", "payload": {"approved": true}}], …}

`messages` become the conversation, as `AgUiEncoder` has told it, with what it said in `metadata` and what a provider
wants back. `tools` are those that the client runs. `resume` becomes decisions:

| the entry | the decision |
|---|---|
| `resolved` with `{"approved": true}` | the call runs; with `editedArgs`, with these arguments |
| `resolved` with `{"approved": false}` | it does not |
| `cancelled` | it does not |

The `reason` of a payload is told to the model. A payload of another form is an error, never a consent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from streamparse.config import ToolSpec
from streamparse.encoders.request import ClientRequest, by_question, read_call
from streamparse.encoders.sent import Json, a_list, a_text, a_text_or_none, an_object, own_state
from streamparse.events import NATIVE, SegmentType
from streamparse.messages.conversation import Replied, Turn
from streamparse.messages.results import ToolResult
from streamparse.messages.said import Media, Said, SaidPart
from streamparse.messages.written import loaded
from streamparse.presenter import Decision
from streamparse.segment import Segment

_LEFT = "The person left the question unanswered."


@frozen(kw_only=True)
class AgUiRequest(ClientRequest):
    """What a client has sent. `input` is all of it, with the `state`, the `context` and the `forwardedProps`.

    `call_ids` are the ids of all calls of the thread: what `AgUiEncoder` takes as `taken`.
    """

    thread_id: str
    run_id: str
    call_ids: Sequence[str] = ()
    input: Json = field(factory=dict, repr=False)

    @classmethod
    def of(cls, data: object) -> AgUiRequest:
        """The request that was sent as this JSON. Raises ValueError if it is none."""
        given, reader = an_object(data, "the input"), _Turns()
        for message in a_list(given, "messages"):
            reader.read(an_object(message, "a message"))
        return cls(
            turns=reader.turns,
            call_ids=list(reader.calls),
            tools=[_read_tool(an_object(tool, "a tool")) for tool in a_list(given, "tools")],
            decisions=by_question(_read_answer(an_object(entry, "an answer")) for entry in a_list(given, "resume")),
            thread_id=a_text(given, "threadId"),
            run_id=a_text(given, "runId"),
            input=given,
        )


def _read_tool(tool: Json) -> ToolSpec:
    parameters = tool.get("parameters") or {}
    try:
        return ToolSpec(a_text(tool, "name"), parameters, description=tool.get("description") or "")
    except TypeError as error:
        raise ValueError(str(error)) from error


def _read_answer(entry: Json) -> tuple[str, Decision]:
    name, status = a_text(entry, "interruptId"), entry.get("status")
    if status == "cancelled":
        return name, Decision("reject_once", feedback=_LEFT)
    if status != "resolved":
        raise ValueError(f"the status of an answer is resolved or cancelled, not {status!r}")
    payload = an_object(entry.get("payload"), "the payload of an answer")
    approved, edited, reason = (payload.get(key) for key in ("approved", "editedArgs", "reason"))
    if not isinstance(approved, bool):
        raise ValueError(f"`approved` is true or false, not {approved!r}")
    if edited is not None:
        an_object(edited, "editedArgs")
    if not isinstance(reason, str | None):
        raise ValueError(f"the reason of an answer is a text, not {reason!r}")
    if not approved:
        return name, Decision("reject_once", feedback=reason or "")
    return name, Decision("allow_once", feedback=reason or "", arguments=edited)


# -- messages ----------------------------------------------------------------------------------------------------------


@define
class _Turns:
    """Reads messages. What the model said is one reply up to the results of its calls; behind them begins the next."""

    turns: list[Turn] = field(factory=list)
    #: Where the result of a call belongs: its reply, and its segment.
    calls: dict[str, tuple[Replied, Segment]] = field(factory=dict)
    _reply: Replied | None = None
    _count: int = 0

    def read(self, message: Json) -> None:
        """The next message."""
        match message.get("role"):
            case "user":
                self._say(Said("user", _said(message.get("content"))))
            case "system" | "developer":
                self._say(Said("system", [a_text(message, "content")]))
            case "reasoning":
                self._add(SegmentType.REASONING, message)
            case "assistant":
                self._add_answer(message)
            case "tool":
                self._add_result(message)
            case "activity":
                pass  # what only the client shows
            case role:
                raise ValueError(f"no message has the role {role!r}")

    def _say(self, said: Said) -> None:
        self._reply = None
        self.turns.append(said)

    def _new(self, kind: str, content: str, metadata: Json, state: Json) -> Segment:
        if self._reply is None or self._reply.results:
            self._reply = Replied()
            self.turns.append(self._reply)
        self._count += 1
        segment = Segment(f"seg_{self._count}", str(kind), metadata, NATIVE, "complete", state=state)
        segment.add(content)
        self._reply.segments.append(segment)
        return segment

    def _add(self, kind: str, message: Json) -> None:
        content, state = message.get("content") or "", _state(message)
        if not isinstance(content, str):
            raise ValueError(f"the content of a message of the model is a text, not {content!r}")
        if content or state:
            self._new(kind, content, {}, state)

    def _add_answer(self, message: Json) -> None:
        about = _about(message)
        kind = SegmentType.REASONING if about.get("reasoning") else SegmentType.TEXT
        self._add(SegmentType.REFUSAL if about.get("refusal") else kind, message)
        for call in a_list(message, "toolCalls"):
            self._add_call(an_object(call, "a call"))

    def _add_call(self, call: Json) -> None:
        name, function = a_text(call, "id"), an_object(call.get("function"), "the function of a call")
        tool, written = a_text(function, "name"), a_text(function, "arguments")
        about, state = _about(call), _state(call)
        if about.get("providerExecuted"):
            segment = self._new(SegmentType.SERVER_TOOL, written, {"tool_name": tool, "call_id": name}, state)
            segment.status = "complete" if about.get("status") is None else "truncated"
        else:
            segment = self._new(SegmentType.TOOL_CALL, written, {"tool_name": tool}, state)
            is_whole = about.get("status") in (None, "complete")
            arguments = (loaded(written) if written else {}) if is_whole else None
            segment.call = read_call(segment, tool, name, arguments, about.get("error"))
        assert self._reply is not None  # it has this segment
        self.calls[name] = self._reply, segment

    def _add_result(self, message: Json) -> None:
        """The result of a call. One that belongs to no call is nothing that a model could be told."""
        call_id = a_text(message, "toolCallId")
        if call_id not in self.calls:
            return
        reply, segment = self.calls[call_id]
        content, error = _as_text(message.get("content")), a_text_or_none(message, "error")
        if segment.call is None:
            self._new(SegmentType.SERVER_RESULT, content, segment.metadata, _state(message))
        else:
            is_error = bool(error or _about(message).get("error"))
            reply.results[segment.id] = ToolResult(content or error or "", is_error)


def _said(content: object) -> list[SaidPart]:
    if isinstance(content, str):
        return [content]
    if not isinstance(content, Sequence):
        raise ValueError(f"the content of a message is a text or a list, not {content!r}")
    return [_read_part(an_object(part, "a part of a message")) for part in content]


def _read_part(part: Json) -> SaidPart:
    kind = part.get("type")
    if kind == "text":
        return a_text(part, "text")
    if kind == "binary":
        return Media(a_text(part, "mimeType"), *(a_text_or_none(part, name) for name in ("data", "url", "filename")))
    if kind not in ("image", "audio", "video", "document"):
        raise ValueError(f"no part of a message has the type {kind!r}")
    source = an_object(part.get("source"), "the source of a part")
    value, media_type = a_text(source, "value"), a_text_or_none(source, "mimeType") or f"{kind}/*"
    match source.get("type"):
        case "data":
            return Media(media_type, value)
        case "url":
            return Media(media_type, url=value)
        case where:
            raise ValueError(f"nothing can be read from a source of the type {where!r}")


def _as_text(content: object) -> str:
    return "".join(part for part in _said(content) if isinstance(part, str))


def _about(data: Json) -> Json:
    about = data.get("metadata")
    return about if isinstance(about, Mapping) else {}


def _state(data: Json) -> Json:
    written = data.get("encryptedValue")
    return own_state(loaded(written) if isinstance(written, str) else None)
