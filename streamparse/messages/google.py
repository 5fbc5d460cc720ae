"""Google genai, with the names of the wire, which the SDK takes as well.

    {"role": "model", "parts": [
        {"text": "Hm", "thought": true},
        {"text": "Let me see.", "thoughtSignature": "eHg="},
        {"functionCall": {"name": "search", "args": {"query": "cats"}, "id": "c1"}, "thoughtSignature": "eHg="}]}
    {"role": "user", "parts": [
        {"functionResponse": {"name": "search", "response": {"output": "…"}, "id": "c1"}}]}

A signature goes back with the part that it came with. Calls without an id have none here either: their results are told
apart by their order. A result that is plain data goes in as it is, and what went wrong as `error`.
"""

from __future__ import annotations

from typing import Any

from streamparse.events import SegmentType
from streamparse.messages.results import Answer, Messages, ReplyParts
from streamparse.messages.said import Media, Said, SaidPart
from streamparse.messages.turns import Block, build_turns, loaded_input
from streamparse.messages.written import loaded
from streamparse.segment import Segment
from streamparse.wire import present


def build(reply: ReplyParts, answers: list[Answer]) -> Messages:
    """The model's turn, and one of the user with all results."""
    return build_turns(reply, answers, block=_part, call=_call, result=_result, role="model", field="parts")


def say(said: Said) -> Block | None:
    """The turn of a person; a system prompt is none, but a field of the request."""
    if said.role == "system":
        return None
    return {"role": "user", "parts": [_said(part) for part in said.content]}


def _said(part: SaidPart) -> Block:
    if not isinstance(part, Media):
        return {"text": part}
    if part.data is None:
        return {"fileData": {"mimeType": part.media_type, "fileUri": part.address}}
    return {"inlineData": {"mimeType": part.media_type, "data": part.data}}


def _part(segment: Segment) -> Block | None:
    signed = _signed(segment.state)
    match segment.type:
        case SegmentType.TEXT | SegmentType.REFUSAL if segment.content or signed:
            return {"text": segment.content, **signed}
        case SegmentType.REASONING if segment.content or signed:
            return {"text": segment.content, "thought": True, **signed}
        case SegmentType.SERVER_TOOL:
            return _with(signed, _server_tool(segment))
        case SegmentType.SERVER_RESULT:
            return _with(signed, _server_result(segment))
        case SegmentType.FILE:
            return _with(signed, _file(segment))
    return None


def _signed(state: Any) -> Block:
    """What a part says of itself, besides what it holds."""
    names = {"thought": "thought", "thought_signature": "thoughtSignature"}
    return {names[name]: state[name] for name in names if name in state}


def _with(signed: Block, part: Block | None) -> Block | None:
    return {**part, **signed} if part else None


def _call(answer: Answer) -> Block:
    call = answer.call
    function_call = {"name": call.name, "args": call.arguments, **present(id=call.call_id)}
    return {"functionCall": function_call, **_signed(call.state or {})}


def _server_tool(segment: Segment) -> Block | None:
    state, metadata = segment.state, segment.metadata
    named = present(id=metadata.get("call_id"))
    match state.get("type"):
        case "executable_code" if segment.status != "truncated":
            return {"executableCode": {"code": segment.content, **present(language=state.get("language")), **named}}
        case "tool_call" if (given := loaded_input(segment)) is not None:
            return {"toolCall": {**present(toolType=metadata.get("tool_name")), "args": given, **named}}
    return None


def _server_result(segment: Segment) -> Block | None:
    state, metadata = segment.state, segment.metadata
    named = present(id=metadata.get("call_id"))
    match state.get("type"):
        case "code_execution_result" if "outcome" in state:
            result = {"outcome": state["outcome"], **present(output=segment.content), **named}
            return {"codeExecutionResult": result}
        case "tool_response":
            held = present(toolType=metadata.get("tool_name"), response=loaded(segment.content), **named)
            return {"toolResponse": held}
    return None


def _file(segment: Segment) -> Block | None:
    """A file with its data, or one that is elsewhere: without its type, neither is taken."""
    metadata = segment.metadata
    if not metadata.get("media_type"):
        return None
    named = {"mimeType": metadata["media_type"], **present(displayName=metadata.get("name"))}
    if segment.content:
        return {"inlineData": {**named, "data": segment.content}}
    return {"fileData": {**named, "fileUri": metadata["url"]}} if metadata.get("url") else None


def _result(answer: Answer) -> Block:
    call = answer.call
    data = answer.content if answer.data is None else answer.data
    response = {"error" if answer.is_error else "output": data}
    return {"functionResponse": {"name": call.name, "response": response, **present(id=call.call_id)}}
