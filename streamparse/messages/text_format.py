"""Text formats: the reply goes back as the model wrote it, the results as its template expects them.

    {"role": "assistant", "content": "<tool_call>{\"name\": \"search\", …}</tool_call>"}
    {"role": "user", "content": "<tool_response>\n…\n</tool_response>"}

All results are one message: templates refuse two of the same role in a row. What a tool wrote cannot end its message,
nor begin another: `Format.render_message` sees to that. Calls that came in fields of a provider's chunks are written as
the format writes calls; of those that are not complete, the error is told alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.config import Tools
from streamparse.errors import RenderError
from streamparse.events import NATIVE, SegmentType
from streamparse.formats import Format
from streamparse.invocations import ToolInvocation
from streamparse.messages.results import Answer, Messages, ReplyParts
from streamparse.messages.said import Said


def build(format: Format, reply: ReplyParts, answers: list[Answer]) -> Messages:
    """The assistant's message, and one for all results."""
    said = [{"role": "assistant", "content": _written(format, reply)}]
    rendered = [format.render_message(answer.call.name, answer.content, answer.call.call_id) for answer in answers]
    return said, [{"role": format.result_role, "content": "\n".join(rendered)}] if answers else []


def say(said: Said) -> dict[str, Any]:
    """What a person says, or the system prompt: templates take text alone."""
    return {"role": said.role, "content": said.text}


def _written(format: Format, reply: ReplyParts) -> str:
    """What the model wrote, or would have written in this format."""
    if not any(segment.call and segment.format == NATIVE for segment in reply.segments):
        return reply.raw
    pieces = [
        _call(format, segment.call) if segment.call else segment.content
        for segment in reply.segments
        if (segment.call and segment.call.is_complete) or segment.type == SegmentType.TEXT
    ]
    return "".join(pieces)


def _call(format: Format, call: ToolInvocation) -> str:
    return write_call(format, call.name, call.arguments, call.call_id)


def write_call(
    format: Format, name: str, arguments: Mapping[str, Any], call_id: str | None, tools: Tools | tuple[()] = ()
) -> str:
    """The call, with its id if the format can write it. Raises RenderError if the format cannot carry the call.

    No special token is whole in it: a model may call with what a page has told it, and that must not begin a turn.
    """
    name, arguments, call_id = map(format.defused, (name, arguments, call_id))
    try:
        return format.render_call(name, arguments, call_id, tools=tools)
    except RenderError:
        return format.render_call(name, arguments, tools=tools)
