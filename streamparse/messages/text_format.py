"""Text formats: the reply goes back as the model wrote it, the results as its template expects them.

    {"role": "assistant", "content": "<tool_call>{\"name\": \"search\", …}</tool_call>"}
    {"role": "user", "content": "<tool_response>\n…\n</tool_response>"}

All results are one message: templates refuse two of the same role in a row. What a tool wrote cannot end its message,
nor begin another: `Format.render_message` sees to that. Calls that came in fields of a provider's chunks are written as
the format writes calls.
"""

from __future__ import annotations

from streamparse.events import SegmentType
from streamparse.formats import Format
from streamparse.handler import NATIVE
from streamparse.messages.results import Answer, Messages, Told


def build(format: Format, reply: Told, answers: list[Answer]) -> Messages:
    """The assistant's message, and one for all results."""
    said = [{"role": "assistant", "content": _written(format, reply)}]
    rendered = [format.render_message(answer.call.name, answer.content, answer.call.call_id) for answer in answers]
    return said, [{"role": format.result_role, "content": "\n".join(rendered)}] if answers else []


def _written(format: Format, reply: Told) -> str:
    """What the model wrote, or would have written in this format."""
    if not any(segment.call and segment.format == NATIVE for segment in reply.segments):
        return reply.raw
    pieces = [
        format.render_call(segment.call.name, segment.call.arguments, segment.call.call_id)
        if segment.call
        else segment.content
        for segment in reply.segments
        if segment.call or segment.type == SegmentType.TEXT
    ]
    return "".join(pieces)
