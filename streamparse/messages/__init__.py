"""The messages of the next request: what the model said, and what came of its calls, as each interface wants it.

    build("openai", reply, ["12 degrees"])

    [{"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {…}}]},
     {"role": "tool", "tool_call_id": "c1", "content": "12 degrees"}]

`results.py` finds the result of each call; each dialect has a module that opens with the messages it writes. What goes
back is what came: signatures and ids are taken from the states of the segments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from streamparse import formats
from streamparse.errors import RegistryError
from streamparse.formats import Format
from streamparse.messages import anthropic, bedrock, google, openai_chat, openai_responses, text_format
from streamparse.messages.results import Answer, Messages, Results, Told, ToolResult, find_answers

__all__ = ["DIALECTS", "Answer", "Messages", "Results", "Told", "ToolResult", "build", "find_answers"]

#: What writes the messages of each provider's interface.
DIALECTS: Final[dict[str, Callable[[Told, list[Answer]], Messages]]] = {
    "openai": openai_chat.build,
    "openai-responses": openai_responses.build,
    "anthropic": anthropic.build,
    "google": google.build,
    "bedrock": bedrock.build,
}


def build(
    dialect: str | Format, reply: Told, results: Results = (), *, only_results: bool = False
) -> list[dict[str, Any]]:
    """The messages for `reply` and the `results` of its calls, in a provider's dialect or in a text format.

    `only_results`: without those that are the reply itself, for whoever has it already.
    """
    answers = find_answers(reply.calls, results)
    places = {segment.id: place for place, segment in enumerate(reply.segments)}
    answers.sort(key=lambda answer: places[answer.call.id])  # as the calls stand in the reply
    said, told = _write(dialect, reply, answers)
    return told if only_results else [*said, *told]


def _write(dialect: str | Format, reply: Told, answers: list[Answer]) -> Messages:
    if isinstance(dialect, str) and dialect in DIALECTS:
        return DIALECTS[dialect](reply, answers)
    try:
        format = formats.get(dialect) if isinstance(dialect, str) else dialect
    except RegistryError as error:
        known = ", ".join(DIALECTS)
        raise RegistryError(f"{dialect!r} is no dialect ({known}), and no text format: {error}") from None
    return text_format.build(format, reply, answers)
