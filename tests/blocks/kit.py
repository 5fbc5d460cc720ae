"""What the tests of blocks share: a view that is plain data, and a reading that stands for every way to cut a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from streamparse.blocks import AssistantMessageParser, Block, parse_assistant_message
from tests.cuts import some

View = list[dict[str, Any]]


def view(blocks: Iterable[Block]) -> View:
    return [block.to_dict() for block in blocks]


def read(format: str | list[str], text: str, **options: Any) -> View:
    """The final blocks of `text`: by characters, looked at after each, and cut in two anywhere.

    After every prefix they are what a fresh parse of that prefix gives, and so they are when the reply ends there.
    """
    whole = view(parse_assistant_message(text, format, partial=False, **options))
    watched = AssistantMessageParser(format, **options)
    looked_at = some(range(1, len(text) + 1))
    for end in range(1, len(text) + 1):
        prefix = text[:end]
        seen = view(watched.process_chunk(text[end - 1]))
        if end not in looked_at:
            continue
        fresh = view(parse_assistant_message(prefix, format, **options))
        assert seen == fresh, prefix
        two = AssistantMessageParser(format, **options)
        two.process_chunk(prefix)
        assert view(two.blocks) == fresh, prefix
        two.process_chunk(text[end:])
        assert view(two.finalize()) == whole, prefix
        unwatched = AssistantMessageParser(format, **options)
        for character in prefix:
            unwatched.process_chunk(character)
        assert view(unwatched.finalize()) == view(parse_assistant_message(prefix, format, False, **options)), prefix
    assert view(watched.finalize()) == whole
    return whole


def live(chunks: Sequence[object], format: str | list[str], **options: Any) -> list[View]:
    """What is to be seen after each chunk, where that is something new."""
    parser = AssistantMessageParser(format, **options)
    seen: list[View] = []
    for chunk in chunks:
        now = view(parser.process_chunk(chunk))
        if not seen or seen[-1] != now:
            seen.append(now)
    return seen


def text(content: str, *, partial: bool = False, **more: Any) -> dict[str, Any]:
    return {"type": "text", "content": content, "partial": partial, **more}


def reasoning(content: str, *, partial: bool = False, **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "content": content, "partial": partial, **more}


def tool(number: int, name: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A complete call, unless something else is said."""
    usual = {"partial": False, "status": "complete", "repaired": False}
    return {"type": "tool_use", "id": f"seg_{number}", "name": name, "params": params, **usual, **more}


def growing(number: int, name: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
    return tool(number, name, params, partial=True, status=None, **more)


CUT = {"partial": True, "status": "truncated", "error": "the call was cut off before its end"}
