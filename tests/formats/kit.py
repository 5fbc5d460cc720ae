"""What the tests of formats share: one reading of a text that stands for every way to cut it."""

from __future__ import annotations

from typing import Any

from streamparse import StreamingResponseHandler, ToolInvocation
from streamparse.testing import Segment, assert_chunk_invariant, segments


def read(format: str | list[str], text: str, **options: Any) -> list[Segment]:
    """The segments of `text`: whole, by characters, cut in two anywhere, ended at every prefix."""
    return segments(assert_chunk_invariant(text, format, **options))


def called(format: str, text: str, **options: Any) -> list[ToolInvocation]:
    """The invocations of `text`, fed whole."""
    handler = StreamingResponseHandler(format, **options)
    handler.feed(text)
    handler.finalize()
    return handler.invocations


def text(content: str) -> Segment:
    return ("text", {}, content, {})


def reasoning(content: str, **end: Any) -> Segment:
    return ("reasoning", {}, content, end)


def call(name: str, content: str, call_id: str | None = None, **end: Any) -> Segment:
    metadata = {"tool_name": name} if call_id is None else {"tool_name": name, "call_id": call_id}
    return ("tool_call", metadata, content, end)


def late_id(name: str, content: str, call_id: str, **end: Any) -> Segment:
    """A call whose id came behind its START."""
    return ("tool_call", {"tool_name": name}, content, {**end, "call_id": call_id})


def nameless(content: str, **end: Any) -> Segment:
    """A call that is broken before its name was read."""
    return ("tool_call", {}, content, end)
