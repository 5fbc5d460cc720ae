"""Text formats: the reply goes back as the model wrote it, the results as its template expects them.

    {"role": "assistant", "content": "<tool_call>{\"name\": \"search\", …}</tool_call>"}
    {"role": "user", "content": "<tool_response>\n…\n</tool_response>"}

All results are one message: templates refuse two of the same role in a row. What a tool wrote cannot end its message,
nor begin another: `Format.render_message` sees to that.
"""

from __future__ import annotations

from streamparse.formats import Format
from streamparse.messages.results import Answer, Messages, Told


def build(format: Format, reply: Told, answers: list[Answer]) -> Messages:
    """The assistant's message, and one for all results."""
    said = [{"role": "assistant", "content": reply.raw}]
    rendered = [format.render_message(answer.call.name, answer.content, answer.call.call_id) for answer in answers]
    return said, [{"role": format.result_role, "content": "\n".join(rendered)}] if answers else []
