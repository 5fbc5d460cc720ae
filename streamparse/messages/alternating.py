"""Messages of roles that alternate: many chat templates raise an error for two of one role in a row.

    {"role": "system", "content": "Be brief."}              {"role": "system", "content": "Be brief."}
    {"role": "user", "content": "Oslo?"}                    {"role": "user", "content": "Oslo?\\n\\nUse Celsius."}
    {"role": "system", "content": "Use Celsius."}
    {"role": "assistant", "content": "<tool_call>…"}        {"role": "assistant", "content": "<tool_call>…"}
    {"role": "user", "content": "<tool_response>…"}         {"role": "user", "content": "<tool_response>…\\n\\nThanks."}
    {"role": "user", "content": "Thanks."}

Neighbours of one role become one message; results are lines of it, all else are paragraphs. A system prompt stands
first: what comes as one later goes to the user, in its place. Images and other parts of contents are kept, in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from attrs import define, field

Json: TypeAlias = dict[str, Any]
#: The content of a message: a text, or parts of it.
Content: TypeAlias = str | list[Json]

_REASONING = ("reasoning_content", "reasoning")


@define
class _Turn:
    """Neighbours of one role: the first, with what only others have, and what is put together of all."""

    message: Json
    contents: list[tuple[str, Content]]  # each with what stands between it and the one before
    thoughts: dict[str, list[str]] = field(factory=dict)

    def whole(self) -> Json:
        """The message that they are."""
        thoughts = {name: "\n\n".join(texts) for name, texts in self.thoughts.items()}
        return {**self.message, "content": _put_together(self.contents), **thoughts}


def alternating(messages: Iterable[tuple[Json, bool]]) -> list[Json]:
    """The messages, of each of which is said whether it is a result, with one for neighbours of the same role."""
    turns: list[_Turn] = []
    has_begun = was_result = False
    for given, is_result in messages:
        is_system = given["role"] == "system" and not is_result  # in some templates that is the role of results
        message = {**given, "role": "user"} if is_system and has_begun else given
        has_begun = has_begun or not is_system
        if turns and turns[-1].message["role"] == message["role"]:
            turn = turns[-1]
            turn.message = {**message, **turn.message}
            turn.contents.append(("\n" if was_result and is_result else "\n\n", message["content"]))
        else:
            turns.append(turn := _Turn(message, [("", message["content"])]))
        for name in _REASONING:
            if isinstance(thought := message.get(name), str) and thought:
                turn.thoughts.setdefault(name, []).append(thought)
        was_result = is_result
    return [turn.whole() for turn in turns]


def joined(first: Content, second: Content, between: str = "\n\n") -> Content:
    """Both, with `between` where a text meets something: templates put parts together as they are."""
    return _put_together([("", first), (between, second)])


def _put_together(contents: list[tuple[str, Content]]) -> Content:
    """Contents, each with what stands before it, in linear time: there may be thousands."""
    said = [(between, content) for between, content in contents if content]
    if len(said) < 2:
        return (said or contents[-1:])[0][1]
    texts: list[str] = []
    parts: list[Json] = []
    for between, content in said:
        if isinstance(content, str) and not parts:
            texts += [between if texts else "", content]
        elif isinstance(content, str):
            parts.append(text_part(between + content))
        else:
            parts += [text_part("".join(texts) + between)] if texts and not parts else []
            parts += content
    return parts or "".join(texts)


def text_part(text: str) -> Json:
    """A text as a part of a content."""
    return {"type": "text", "text": text}
