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

Json: TypeAlias = dict[str, Any]
#: The content of a message: a text, or parts of it.
Content: TypeAlias = str | list[Json]

_REASONING = ("reasoning_content", "reasoning")


def alternating(messages: Iterable[tuple[Json, bool]]) -> list[Json]:
    """The messages, of each of which is said whether it is a result, with one for neighbours of the same role."""
    merged: list[Json] = []
    has_begun = was_result = False
    for given, is_result in messages:
        is_system = given["role"] == "system" and not is_result  # in some templates that is the role of results
        message = {**given, "role": "user"} if is_system and has_begun else given
        has_begun = has_begun or not is_system
        if merged and merged[-1]["role"] == message["role"]:
            last = merged[-1]
            content = joined(last["content"], message["content"], "\n" if was_result and is_result else "\n\n")
            thoughts = {
                name: joined(last[name], message[name]) for name in _REASONING if last.get(name) and message.get(name)
            }
            merged[-1] = {**message, **last, "content": content, **thoughts}
        else:
            merged.append(message)
        was_result = is_result
    return merged


def joined(first: Content, second: Content, between: str = "\n\n") -> Content:
    """Both, with `between` where a text meets something: templates put parts together as they are."""
    if not first or not second:
        return first or second
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}{between}{second}"
    head = [text_part(first + between)] if isinstance(first, str) else first
    tail = [text_part(between + second)] if isinstance(second, str) else second
    return [*head, *tail]


def text_part(text: str) -> Json:
    """A text as a part of a content."""
    return {"type": "text", "text": text}
