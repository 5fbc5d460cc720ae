"""OpenAI Chat Completions, and all that speak like it.

    {"role": "assistant", "content": "Let me see.", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"query\": \"cats\"}"}},
        {"id": "c2", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}]}
    {"role": "tool", "tool_call_id": "c1", "content": "…"}

Arguments go back as the model wrote them, if that is the JSON of the arguments; else they are written anew, as far as
they could be read: servers refuse what is no JSON. `reasoning_details` (OpenRouter) and Gemini's `extra_content` go
back as they came, and so does the reasoning before calls, in the field in which the server sent it: DeepSeek and Kimi
refuse the next request without it, and refuse it where there are no calls.
"""

from __future__ import annotations

from typing import Any

from streamparse.events import NATIVE, SegmentType
from streamparse.messages.results import Answer, Messages, ReplyParts
from streamparse.messages.said import Media, Said, SaidPart, refused
from streamparse.messages.written import written_arguments, written_input


def build(reply: ReplyParts, answers: list[Answer]) -> Messages:
    """The assistant's message, and one for each result."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or (None if answers else "")}
    refusal = "".join(segment.content for segment in reply.segments if segment.type == SegmentType.REFUSAL)
    if refusal:
        message["refusal"] = refusal
    message |= _reasoning(reply)
    if answers:
        message["tool_calls"] = [_call(answer) for answer in answers]
    results = [{"role": "tool", "tool_call_id": answer.call_id, "content": answer.content} for answer in answers]
    return [message], results


def say(said: Said) -> dict[str, Any]:
    """The message of a person, or a system prompt."""
    return {"role": said.role, "content": said.text if said.is_text else [_said(part) for part in said.content]}


def _said(part: SaidPart) -> dict[str, Any]:
    if not isinstance(part, Media):
        return {"type": "text", "text": part}
    if part.is_image:
        return {"type": "image_url", "image_url": {"url": part.address}}
    if part.data is None:
        raise refused(part)
    return {"type": "file", "file": {"filename": part.name or "file", "file_data": part.address}}


def _reasoning(reply: ReplyParts) -> dict[str, Any]:
    """The reasoning, as far as the server wants it back: its details, or what came in the field that a call names."""
    details = [piece for segment in reply.segments for piece in segment.state.get("reasoning_details", ())]
    if details:
        return {"reasoning_details": details}
    names = [call.state["reasoning_field"] for call in reply.calls if call.state and "reasoning_field" in call.state]
    thoughts = [segment for segment in reply.segments if segment.type == SegmentType.REASONING]
    return {name: "".join(thought.content for thought in thoughts if thought.format == NATIVE) for name in names[:1]}


def _call(answer: Answer) -> dict[str, Any]:
    call = answer.call
    state = call.state or {}
    if state.get("type") == "custom":
        written: dict[str, Any] = {"type": "custom", "custom": {"name": call.name, "input": written_input(call)}}
    else:
        written = {"type": "function", "function": {"name": call.name, "arguments": written_arguments(call)}}
    signature = state.get("thought_signature")
    if signature:
        written["extra_content"] = {"google": {"thought_signature": signature}}
    return {"id": answer.call_id, **written}
