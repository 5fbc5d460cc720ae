"""native/stream.py and native/calls.py: what the cases cannot say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from streamparse import (
    Chunk,
    LimitError,
    Limits,
    ParserConfig,
    SegmentContent,
    SegmentEnd,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocation,
    ToolSpec,
    parse,
)
from streamparse.native.calls import NativeCall
from streamparse.testing.events import Segment


def test_events_of_a_type_that_no_one_knows_are_ignored_once_others_are_known() -> None:
    handler = StreamingResponseHandler("native")
    with pytest.raises(TypeError):
        handler.feed({"type": "news"})
    handler.feed({"type": "ping"})
    assert handler.feed({"type": "news"}) == []
    assert handler.feed({"news": {}}) == []
    assert handler.feed(SimpleNamespace(type="news")) == []
    with pytest.raises(TypeError):
        handler.feed(SimpleNamespace(news=1))
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


def fed(chunks: list[Any], formats: str = "native", **options: Any) -> tuple[list[Segment], list[ToolInvocation]]:
    """The segments, whose events are in order, and the invocations."""
    handler = StreamingResponseHandler(formats, config=ParserConfig(**options))
    events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
    rows: dict[str, Any] = {}
    for event in events:
        if event.type == "SEGMENT_START":
            assert event.segment_id not in rows
            rows[event.segment_id] = [event.segment_type, dict(event.metadata), "", None]
        assert rows[event.segment_id][3] is None, "nothing comes behind END"
        rows[event.segment_id][2] += event.delta
        if event.type == "SEGMENT_END":
            rows[event.segment_id][3] = event.payload
    assert all(row[3] is not None for row in rows.values()), "everything ends"
    return [tuple(row) for row in rows.values()], handler.invocations


def call(arguments: str | None = None, name: str | None = None, call_id: str | None = None) -> Chunk:
    given = {"index": 0, "id": call_id, "name": name, "arguments": arguments}
    return Chunk(tool_calls=[{key: value for key, value in given.items() if value is not None}])


def finish(reason: str) -> dict[str, Any]:
    return {"choices": [{"delta": {}, "finish_reason": reason}]}


def text(content: str, kind: str = "text", **end: str) -> Segment:
    return (kind, {}, content, end)


def test_a_start_that_had_to_wait_ends_the_text_before_it() -> None:
    tool = {"tool_name": "f", "call_id": "a"}
    assert fed([call(name="f", call_id="a"), "Hello", call("{}"), "World"])[0] == [
        text("Hello"),
        ("tool_call", tool, "{}", {}),
        text("World"),
    ]
    pieces = [call('{"content":"x",', "write_file"), "Hello <run_", call('"path":"p"}'), "World"]
    assert fed(pieces, "xml")[0] == [
        text("Hello <run_"),
        ("write_file", {"tool_name": "write_file", "path": "p"}, "x", {}),
        text("World"),
    ]


@pytest.mark.parametrize("chunks", [["</think>", "The answer"], ["</think>The answer"], ["</thi", "nk>The", " answer"]])
def test_text_behind_a_stray_closer_is_no_reasoning(chunks: list[str]) -> None:
    assert fed([Chunk(reasoning="hm"), *chunks])[0] == [text("hm", "reasoning"), text("The answer")]


def test_no_tag_is_put_together_across_reasoning() -> None:
    chunks = [Chunk(reasoning="a"), "<run_", Chunk(reasoning="b"), "bash>rm</run_bash>"]
    segments, invocations = fed(chunks, "xml")
    assert (segments, invocations) == (
        [text("a", "reasoning"), text("<run_"), text("b", "reasoning"), text("bash>rm</run_bash>")],
        [],
    )
    held = ["<think>abc</thi", Chunk(reasoning="X")]
    assert fed(held)[0] == [text("abc</thi", "reasoning"), text("X", "reasoning", status="truncated")]


@pytest.mark.parametrize("reason", ["length", "content_filter", "model_length", "a word of next year"])
def test_a_text_and_no_arguments_at_all_are_complete_only_in_a_reply_that_is(reason: str) -> None:
    raw = {"index": 0, "id": "c", "type": "custom", "custom": {"name": "run_bash", "input": "rm -rf /tm"}}
    for chunk in ({"choices": [{"delta": {"tool_calls": [raw]}}]}, call(name="f")):
        assert [invocation.status for invocation in fed([chunk, finish(reason)])[1]] == ["truncated"]
        assert [invocation.status for invocation in fed([chunk, finish("stop")])[1]] == ["complete"]


@pytest.mark.parametrize("reason", ["refusal", "max_tokens", "model_context_window_exceeded"])
@pytest.mark.parametrize("piece", ["", " ", "\n"])
def test_a_block_without_arguments_is_complete_only_in_a_reply_that_is(reason: str, piece: str) -> None:
    block = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    chunks = [
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}},
        {"type": "content_block_stop", "index": 0},
    ]
    ends = {reason: "truncated", "tool_use": "complete"}
    for word, status in ends.items():
        end = {"type": "message_delta", "delta": {"stop_reason": word}}
        assert [invocation.status for invocation in fed([*chunks, end])[1]] == [status]


def test_arguments_that_cannot_be_written_make_the_call_malformed() -> None:
    nested: Any = 1
    for _ in range(100_000):
        nested = {"a": nested}
    circle: dict[str, Any] = {}
    circle["a"] = circle
    for arguments in (nested, circle):
        function = {"name": "f", "arguments": arguments}
        (invocation,) = fed([{"message": {"tool_calls": [{"function": function}]}, "done": False}])[1]
        assert (invocation.status, invocation.arguments) == ("malformed", {})


def test_what_stands_behind_a_complete_call_counts_however_it_is_cut() -> None:
    whole = '{"path":"p","content":"c"}'
    cut = fed([call(whole, "write_file"), call("x"), "Text", finish("length")])
    assert cut == fed([call(whole + "x", "write_file"), "Text", finish("length")])
    assert [invocation.status for invocation in cut[1]] == ["truncated"]


@pytest.mark.parametrize(
    ("chunk", "kind", "end"),
    [(call("{}", "f"), "reasoning", {"status": "truncated"}), (Chunk(reasoning="hm"), "text", {})],
)
def test_text_behind_an_interruption_does_not_raise(chunk: Chunk, kind: str, end: dict[str, str]) -> None:
    options: Any = {"reasoning": "open", "code": "text", "tools_in_reasoning": True}
    for piece in ("  x", "\n\nabc", "\r}"):
        (*_, last) = fed(["a", chunk, piece], "xml", **options)[0]
        assert last == text(piece, kind, **end)


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        (["Hello"], [text("Hello", "reasoning", status="truncated")]),
        ([Chunk(reasoning="hm"), "Hello"], [text("hm", "reasoning"), text("Hello")]),
        ([Chunk(reasoning="hm"), "a</think>b"], [text("hm", "reasoning"), text("a</think>b")]),
        ([Chunk(reasoning="hm"), "\n</think>", "b"], [text("hm", "reasoning"), text("\nb")]),
        (["\n", Chunk(reasoning="hm"), "Hello"], [text("\n", "reasoning"), text("hm", "reasoning"), text("Hello")]),
        (["<thi", Chunk(reasoning="hm"), "a"], [text("<thi", "reasoning"), text("hm", "reasoning"), text("a")]),
        (
            ["<thi", call("{}", "f"), "nk>"],
            [
                text("<thi", "reasoning"),
                ("tool_call", {"tool_name": "f"}, "{}", {}),
                text("nk>", "reasoning", status="truncated"),
            ],
        ),
        (
            [Chunk(reasoning="hm"), "a", Chunk(reasoning="so"), "<think>b</think>c"],
            [
                *(text("hm", "reasoning"), text("a"), text("so", "reasoning")),
                *(text("b", "reasoning"), text("c")),
            ],
        ),
        (
            ["a", {"choices": [{"delta": {"refusal": "no"}}]}, "b"],
            [text("a", "reasoning"), text("no", "refusal"), text("b", "reasoning", status="truncated")],
        ),
    ],
)
def test_text_is_no_reasoning_where_that_has_a_field_of_its_own(chunks: list[Any], expected: list[Any]) -> None:
    """Whatever the prompt is said to have opened. What came before as text cannot be taken back."""
    assert fed(chunks, "qwen3_coder", reasoning="open")[0] == expected


def test_text_before_reasoning_in_a_field_of_its_own_is_the_answer() -> None:
    chunks = ["a", Chunk(reasoning="hm"), "b</think>c"]
    assert fed(chunks, "hermes")[0] == [text("a"), text("hm", "reasoning"), text("b</think>c")]
    thought = ["<think>a", Chunk(reasoning="hm"), "b</think>c</think>d"]
    assert fed(thought, "hermes")[0] == [
        *(text("a", "reasoning"), text("hm", "reasoning"), text("b", "reasoning"), text("c</think>d")),
    ]


@pytest.mark.parametrize("chunk", [call("{}", "f"), Chunk(reasoning="hm")])
def test_reasoning_that_came_in_fields_is_not_in_the_text_though_the_prompt_has_opened_it(chunk: Chunk) -> None:
    for format in ("xml", "minimax_m2", "json"):
        (*_, last) = fed([chunk, "Four."], format, reasoning="open")[0]
        assert last == text("Four.")


def test_all_arguments_of_a_kind_count_towards_their_limit() -> None:
    limits = Limits(max_arguments=20)
    (invocation,) = fed([call('{"path":"pppppp","content":"cccccccccc"}', "write_file")], limits=limits)[1]
    assert (invocation.status, invocation.error) == ("malformed", "the arguments are longer than 20 characters")


def test_values_that_only_python_takes_for_the_same_are_not() -> None:
    (invocation,) = fed([call('{"a":[1],"path":"p","content":"","a":[true]}', "write_file")])[1]
    assert (invocation.status, invocation.error) == ("malformed", "a is given twice")


def test_a_chunk_is_made_of_texts() -> None:
    with pytest.raises(TypeError):
        Chunk(b"abc")  # type: ignore[arg-type]
    assert [event.delta for event in parse(Chunk("hi"))] == ["", "hi", ""]


def test_a_kind_of_call_says_itself_how_it_is_fed_and_ended() -> None:
    call = NativeCall(StreamingParser(), "tool_call", {})
    with pytest.raises(NotImplementedError):
        call.feed("{}")
    with pytest.raises(NotImplementedError):
        call.end(None, None, None)


def test_more_of_a_name_behind_the_start_of_its_call_is_no_news() -> None:
    def piece(name: str, arguments: str) -> dict[str, Any]:
        call = {"index": 0, "function": {"name": name, "arguments": arguments}}
        return {"choices": [{"delta": {"tool_calls": [call]}}]}

    handler = StreamingResponseHandler("native", tools=[ToolSpec("get")])
    assert len(handler.feed(piece("get", ""))) == 1
    assert handler.feed(piece("_all", "")) == []
    handler.feed(piece("", "{}"))
    handler.finalize()
    assert [invocation.name for invocation in handler.invocations] == ["get"]
