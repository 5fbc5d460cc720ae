"""The messages of the next request: what the model said, and what came of its calls, as each interface wants it.

    build("openai", reply, ["12 degrees"])

    [{"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": {…}}]},
     {"role": "tool", "tool_call_id": "c1", "content": "12 degrees"}]

`results.py` finds the result of each call; each dialect has a module that opens with the messages it writes. What goes
back is what came: signatures and ids are taken from the states of the segments, as far as they are of the interface
that is spoken to (`own_state.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from attrs import frozen

from streamparse import formats
from streamparse.config import ToolSpec
from streamparse.errors import RegistryError
from streamparse.formats import Format
from streamparse.messages import anthropic, bedrock, declarations, google, openai_chat, openai_responses, text_format
from streamparse.messages.own_state import OwnReply
from streamparse.messages.results import Answer, Messages, ReplyParts, Results, ToolResult, find_answers
from streamparse.messages.said import Said

__all__ = ["DIALECTS", "Answer", "Dialect", "Messages", "ReplyParts", "Results", "ToolResult", "build", "find_answers"]


@frozen
class Dialect:
    """How the messages of a provider's interface are written, and of which interfaces it takes the states.

    `build` writes a reply and the results of its calls, `say` what others say, `declare` the tools of the request.

    Each takes its own. What comes in the chunks of Chat Completions may be another's: Gemini's signatures are Google's,
    and a custom tool is one in Responses, too.
    """

    build: Callable[[ReplyParts, list[Answer]], Messages]
    say: Callable[[Said], dict[str, Any] | None]
    declare: Callable[[Sequence[ToolSpec]], list[dict[str, Any]]]
    interfaces: tuple[str, ...]
    #: Whether messages go through a chat template, which wants the roles to alternate.
    alternates: bool = False


DIALECTS: Final = {
    "openai": Dialect(openai_chat.build, openai_chat.say, declarations.openai_chat, ("openai-chat",)),
    "openai-responses": Dialect(
        openai_responses.build, openai_responses.say, declarations.openai_responses, ("openai-responses", "openai-chat")
    ),
    "anthropic": Dialect(anthropic.build, anthropic.say, declarations.anthropic, ("anthropic",)),
    "google": Dialect(google.build, google.say, declarations.google, ("google", "openai-chat")),
    "bedrock": Dialect(bedrock.build, bedrock.say, declarations.bedrock, ("bedrock",)),
}


def build(
    dialect: str | Format, reply: ReplyParts, results: Results = (), *, only_results: bool = False
) -> list[dict[str, Any]]:
    """The messages for `reply` and the `results` of its calls, in a provider's dialect or in a text format.

    `only_results`: without those that are the reply itself, for whoever has it already.
    """
    found = find_dialect(dialect)
    own = OwnReply.of(reply, found.interfaces)
    answers = find_answers(own.calls, results)
    places = {segment.id: place for place, segment in enumerate(own.segments)}
    answers.sort(key=lambda answer: places[answer.call.id])  # as the calls stand in the reply
    said, answered = found.build(own, answers)
    return answered if only_results else [*said, *answered]


def find_dialect(dialect: str | Format) -> Dialect:
    """The dialect of this name, or that of a text format."""
    if isinstance(dialect, str) and dialect in DIALECTS:
        return DIALECTS[dialect]
    try:
        format = formats.get(dialect) if isinstance(dialect, str) else dialect
    except RegistryError as error:
        known = ", ".join(DIALECTS)
        raise RegistryError(f"{dialect!r} is no dialect ({known}), and no text format: {error}") from None
    return Dialect(partial(text_format.build, format), text_format.say, declarations.text_format, (), alternates=True)
