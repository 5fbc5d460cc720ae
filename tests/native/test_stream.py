"""native/stream.py and native/calls.py: what the cases cannot say."""

from __future__ import annotations

import pytest

from streamparse import Chunk, LimitError, Limits, ParserConfig, SegmentContent, SegmentEnd, StreamingResponseHandler
from streamparse.core.emitter import EventEmitter
from streamparse.native.calls import NativeCall


def test_events_of_a_type_that_no_one_knows_are_ignored_once_others_are_known() -> None:
    handler = StreamingResponseHandler("native")
    with pytest.raises(TypeError):
        handler.feed({"type": "news"})
    handler.feed({"type": "ping"})
    assert handler.feed({"type": "news"}) == []
    with pytest.raises(TypeError):
        handler.feed(["news"])


def test_what_was_certain_before_a_limit_is_not_lost() -> None:
    handler = StreamingResponseHandler("native", config=ParserConfig(limits=Limits(max_total=6)))
    handler.feed(Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{}"}]))
    with pytest.raises(LimitError) as caught:
        handler.feed("abcdef")
    assert caught.value.events[:1] == [SegmentEnd("seg_1")]
    assert caught.value.events[-1] == SegmentContent("seg_2", "abcd")


def test_text_without_a_character_ends_nothing() -> None:
    handler = StreamingResponseHandler("native")
    handler.feed(Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{}"}]))
    assert handler.feed("") == []
    assert handler.feed(b"") == []
    assert handler.finalize() == [SegmentEnd("seg_1")]


def test_a_signature_that_google_wants_back_is_metadata_and_no_argument() -> None:
    handler = StreamingResponseHandler("native")
    part = {"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "c2ln"}
    (start, *_) = handler.feed({"candidates": [{"content": {"parts": [part]}}]})
    assert start.metadata == {"tool_name": "f", "thought_signature": "c2ln"}
    assert [invocation.arguments for invocation in handler.invocations] == [{"a": 1}]


def test_a_signature_that_comes_behind_start_is_too_late() -> None:
    handler = StreamingResponseHandler("native")
    handler.feed(Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{"}]))
    late = {"index": 0, "extra_content": {"google": {"thought_signature": "c2ln"}}}
    assert handler.feed({"choices": [{"delta": {"tool_calls": [late]}}]}) == []


def test_the_stop_of_a_call_that_has_ended_is_no_news() -> None:
    handler = StreamingResponseHandler("native")
    for block in ({"type": "tool_use", "id": "t", "name": "f"}, {"type": "text", "text": "Hi"}):
        handler.feed({"type": "content_block_start", "index": 0, "content_block": block})
        delta = {"type": "input_json_delta", "partial_json": "{}"}
        if block["type"] == "tool_use":
            handler.feed({"type": "content_block_delta", "index": 0, "delta": delta})
            assert handler.feed("x")[0] == SegmentEnd("seg_1")
            assert handler.feed({"type": "content_block_stop", "index": 0}) == []


def test_a_kind_of_call_says_itself_how_it_is_fed_and_ended() -> None:
    call = NativeCall(EventEmitter(ParserConfig()), "tool_call", {})
    with pytest.raises(NotImplementedError):
        call.feed("{}")
    with pytest.raises(NotImplementedError):
        call.end(is_cut=False)
