"""What tests of formats ask: the segments of a text, whatever its chunks, and its invocations."""

from __future__ import annotations

from typing import Any

from streamparse import StreamingResponseHandler
from streamparse.testing import Segment, assert_chunk_invariant, segments


def rows(format: str | list[str], text: str, **options: Any) -> list[Segment]:
    """The segments of `text`: the same whole, by single characters, cut at every place; every prefix can be the end."""
    return segments(assert_chunk_invariant(text, format, **options))


def calls(format: str | list[str], text: str, **options: Any) -> list[tuple[str, dict[str, Any], str]]:
    """Name, arguments and status of each invocation."""
    handler = StreamingResponseHandler(format, **options)
    handler.feed(text)
    handler.finalize()
    return [(made.name, made.arguments, made.status) for made in handler.invocations]


def errors(format: str | list[str], text: str, **options: Any) -> list[str | None]:
    """The error of each invocation."""
    handler = StreamingResponseHandler(format, **options)
    handler.feed(text)
    handler.finalize()
    return [made.error for made in handler.invocations]


def call(name: str, content: str, call_id: str | None = None, **end: Any) -> Segment:
    """The segment of a call; what END says if it is not plain."""
    metadata = {"tool_name": name} if call_id is None else {"tool_name": name, "call_id": call_id}
    return ("tool_call", metadata, content, end)


def text(content: str) -> Segment:
    """A segment of text."""
    return ("text", {}, content, {})


def reasoning(content: str, **end: Any) -> Segment:
    """A segment of reasoning."""
    return ("reasoning", {}, content, end)
