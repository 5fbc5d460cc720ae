"""Text formats: the reply goes back as the model wrote it, the results as its template expects them.

    {"role": "assistant", "content": "<tool_call>{\"name\": \"search\", …}</tool_call>"}
    {"role": "user", "content": "<tool_response>\n…\n</tool_response>"}

All results are one message: templates refuse two of the same role in a row. What a tool wrote cannot end its message,
nor begin another: `Format.render_message` sees to that.
"""

from __future__ import annotations

from typing import Any

from streamparse.formats import Format
from streamparse.messages.results import Answer, Told


def build(format: Format, reply: Told, answers: list[Answer]) -> list[dict[str, Any]]:
    """The assistant's message, and one for all results."""
    messages = [{"role": "assistant", "content": reply.raw}]
    if answers:
        rendered = [format.render_message(answer.call.name, answer.content, answer.call.call_id) for answer in answers]
        messages.append({"role": format.result_role, "content": "\n".join(rendered)})
    return messages
