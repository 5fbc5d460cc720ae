"""Bedrock Converse, as boto3 takes it: what is a blob on the wire is bytes.

    {"role": "assistant", "content": [
        {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "…"}}},
        {"reasoningContent": {"redactedContent": b"…"}},
        {"text": "Let me see."},
        {"toolUse": {"toolUseId": "t1", "name": "search", "input": {"query": "cats"}}}]}
    {"role": "user", "content": [
        {"toolResult": {"toolUseId": "t1", "content": [{"text": "…"}], "status": "success"}}]}

What the interface refuses is left out: text of blanks, and reasoning without a signature. A result that is a dict is
`json`, which must be an object; any other is `text`.
"""

from __future__ import annotations

import base64

from streamparse.events import SegmentType
from streamparse.messages.results import Answer, Messages, ReplyParts, with_plain_ids
from streamparse.messages.said import Media, Said, SaidPart, refused
from streamparse.messages.turns import Block, build_turns, loaded_input
from streamparse.messages.written import loaded
from streamparse.segment import Segment

_IMAGE = "image/"


def build(reply: ReplyParts, answers: list[Answer]) -> Messages:
    """The assistant's turn, and one of the user with all results."""
    return build_turns(reply, with_plain_ids(answers), block=_block, call=_call, result=_result)


def say(said: Said) -> Block | None:
    """The turn of a person; a system prompt is none, but a field of the request."""
    if said.role == "system":
        return None
    return {"role": "user", "content": [_said(part) for part in said.content]}


def _said(part: SaidPart) -> Block:
    if not isinstance(part, Media):
        return {"text": part}
    if part.data is None or not part.is_image:
        raise refused(part)
    return _image_block(part.media_type, _decoded(part.data))


def _block(segment: Segment) -> Block | None:
    match segment.type:
        case SegmentType.TEXT | SegmentType.REFUSAL if segment.content.strip():
            return {"text": segment.content}
        case SegmentType.REASONING:
            return _reasoning(segment)
        case SegmentType.SERVER_TOOL if "toolUse" in segment.state:
            return _server_tool(segment)
        case SegmentType.SERVER_RESULT if "toolResult" in segment.state:
            return _server_result(segment)
        case SegmentType.FILE:
            return _image(segment)
    return None


def _reasoning(segment: Segment) -> Block | None:
    redacted = _decoded(segment.state.get("redacted_content", ""))
    if redacted:
        return {"reasoningContent": {"redactedContent": redacted}}
    signature = segment.state.get("signature")
    if not signature:
        return None
    return {"reasoningContent": {"reasoningText": {"text": segment.content, "signature": signature}}}


def _call(answer: Answer) -> Block:
    return {"toolUse": {"toolUseId": answer.call_id, "name": answer.call.name, "input": answer.call.arguments}}


def _server_tool(segment: Segment) -> Block | None:
    given = loaded_input(segment)
    if given is None:
        return None
    named = {"toolUseId": segment.metadata.get("call_id", ""), "name": segment.metadata.get("tool_name", "")}
    return {"toolUse": {**named, "input": given, **segment.state["toolUse"]}}


def _server_result(segment: Segment) -> Block | None:
    content = loaded(segment.content)
    if content is None:
        return None
    named = {"toolUseId": segment.metadata.get("call_id", ""), "content": content}
    return {"toolResult": {**named, **segment.state["toolResult"]}}


def _image(segment: Segment) -> Block | None:
    media_type, image = segment.metadata.get("media_type", ""), _decoded(segment.content)
    if not media_type.startswith(_IMAGE) or not image:
        return None
    return _image_block(media_type, image)


def _image_block(media_type: str, image: bytes) -> Block:
    return {"image": {"format": media_type.removeprefix(_IMAGE), "source": {"bytes": image}}}


def _decoded(written: str) -> bytes:
    """The bytes of a base64 text; none if it is no such thing."""
    try:
        return base64.b64decode(written)
    except ValueError:
        return b""


def _result(answer: Answer) -> Block:
    content: list[Block] = [{"text": answer.content}] if answer.content.strip() else []
    if isinstance(answer.data, dict):
        content = [{"json": answer.data}]
    status = "error" if answer.is_error else "success"
    return {"toolResult": {"toolUseId": answer.call_id, "content": content, "status": status}}
