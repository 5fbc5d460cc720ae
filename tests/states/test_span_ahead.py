"""states/span_ahead.py: a call in a code span is text if the span is closed, and a call if it is not."""

from __future__ import annotations

import pytest

from streamparse import Limits, ParserConfig, SegmentContent, StreamingParser
from streamparse.testing import Segment, assert_chunk_invariant, segments

END = "<|tool_call_end|>"


def call(arguments: str = "{}", end: str = END) -> str:
    return f"<|tool_call_begin|>f<|tool_call_argument_begin|>{arguments}{end}"


def read(text: str, format: str = "kimi_k2", config: ParserConfig | None = None) -> list[Segment]:
    return segments(assert_chunk_invariant(text, format, config=config))


def text(content: str) -> Segment:
    return ("text", {}, content, {})


def made(arguments: str = "{}", **end: object) -> Segment:
    return ("tool_call", {"tool_name": "f", "call_id": "f"}, arguments, end)


@pytest.mark.parametrize(
    "closed",
    [
        f"a `{call()}` b",
        f"a `b {call()} c` d",
        f"a ``{call()}`` b",
        f"a ``b ` {call()} ` c`` d",
        f"a `{call()} `` ` b",
        f"a `{call()}{call()}`",
        f"a `{call('{ ')}`",
        "a `<|im_end|>` b",
        "a `<|im_end|>`",
        "a `<|tool_call_begin|>` b",
        # A call that is not over when its line is: the backtick in it is the end of the span.
        f"a `{call('{', '')}` b\nc",
        f"a `{call('{', '')}` b\n \n",
        f"a `{call('{', '')}` b",
        f"a `{call('{', '')}`",
        f"a ``{call('{', '')} ` b`` c",
        # A backtick in the arguments closes nothing, if one behind the call does.
        f'a `{call("""{"a": "`"}""")}` b',
        # The arguments have several lines.
        f"a `{call('{␤}'.replace('␤', chr(10)))}` b",
    ],
)
def test_a_closed_span_is_text(closed: str) -> None:
    assert read(closed) == [text(closed)]


def test_an_unclosed_span_hides_nothing_that_begins_with_a_special_token() -> None:
    assert read(f"a ` {call()}\n`b`") == [text("a ` "), made(), text("\n`b`")]
    assert read(f"a ` {call()} \r\n`b`") == [text("a ` "), made(), text(" \r\n`b`")]
    assert read(f"a ` {call()} b `` c\n") == [text("a ` "), made(), text(" b `` c\n")]
    assert read("a ` b<|im_end|>") == [text("a ` b")]
    assert read("a ` b<|im_end|>\n`c`") == [text("a ` b\n`c`")]


def test_what_is_a_call_only_because_the_stream_ends_is_repaired() -> None:
    assert read(f"a ` {call()}") == [text("a ` "), made(repaired=True)]
    assert read(f"a ` {call()} b") == [text("a ` "), made(repaired=True), text(" b")]
    parser = StreamingParser("kimi_k2")
    events = parser.feed(f"a ` {call()}")
    parser.interrupt()
    events += parser.feed(f"{call()}\n") + parser.finalize()
    assert segments(events) == [text("a ` "), made(repaired=True), made(), text("\n")]


def test_a_backtick_in_the_arguments_closes_nothing() -> None:
    assert read(f'a ` {call("""{"a": "`"}""")}') == [text("a ` "), made('{"a": "`"}', repaired=True)]
    assert read(f'a ` {call("""{"a": "`"}""")}\nb `c`') == [text("a ` "), made('{"a": "`"}'), text("\nb `c`")]
    # Blanks behind the call may belong to its section: what follows them tells.
    assert read(f'a ` <|tool_calls_section_begin|>{call("""{"a": "`"}""")}\nb `c`') == [
        text("a ` "),
        made('{"a": "`"}'),
        text("\nb `c`"),
    ]
    assert read(f'a ` {call("""{"a": 1,␤"b": "`"␤}""".replace("␤", chr(10)))}') == [
        text("a ` "),
        made('{"a": 1,\n"b": "`"\n}', repaired=True),
    ]


def test_a_call_that_is_cut_off_behind_a_stray_backtick_is_truncated() -> None:
    assert read(f"a ` {call('{', '')}\nb") == [text("a ` "), made("{\nb", status="truncated")]


def test_a_head_over_the_end_of_the_line_is_read_ahead_though_it_is_no_token() -> None:
    written = '<tool_call>\n{"name": "f", "arguments": {}}</tool_call>'
    called = ("tool_call", {"tool_name": "f"}, "{}", {})
    assert read(f"a `{written}` b", "hermes") == [text(f"a `{written}` b")]
    assert read(f"a ` {written} b\n", "hermes") == [text("a ` "), called, text(" b\n")]
    on_one_line = written.replace("\n", "")
    assert read(f"a ` {on_one_line} b", "hermes") == [text(f"a ` {on_one_line} b")]
    assert read("a ` <tool_call>\n\nb", "hermes") == [text("a ` <tool_call>\n\nb")]


def test_the_closer_of_reasoning_ends_the_span() -> None:
    assert read(f"<think>a ` {call()}</think>b` c") == [
        ("reasoning", {}, "a ` ", {}),
        made(),
        text("b` c"),
    ]
    assert read(f"<think>a `{call()}` b</think>c") == [("reasoning", {}, f"a `{call()}` b", {}), text("c")]


@pytest.mark.parametrize(
    ("format", "config", "before", "after"),
    [
        ("xml", ParserConfig(tools_in_reasoning=True), "<think>`", "<parallel"),  # no plan begins in reasoning
        ("qwen3_coder", ParserConfig(), "<think>`", "<function=f>\n<parameter"),
        ("qwen3_coder", ParserConfig(), "<think><tool_response>", "<function=f>\n<parameter"),
        ("xml", ParserConfig(), "<think>a</think>`", "</think"),
        ("xml", ParserConfig(), "<think>a</think>b `", "</think"),
        ("xml", ParserConfig(reasoning="closed"), "`", "</think"),
        ("xml", ParserConfig(), "```\nb `", "</think"),
        ("harmony", ParserConfig(), "<|channel|>final<|message|>`", "<|start|>assistant<|channel|>"),
    ],
)
def test_nothing_waits_that_does_not_count_in_the_prose_around_it(
    format: str, config: ParserConfig, before: str, after: str
) -> None:
    parser = StreamingParser(format, config)
    parser.feed(before)
    shown = [event.delta for event in parser.feed(after) if isinstance(event, SegmentContent)]
    assert "".join(shown) == after


def test_a_message_in_a_span() -> None:
    thought = "<|channel|>analysis<|message|>"
    assert read(f"<|channel|>final<|message|>a `{thought}` b", "harmony") == [text(f"a `{thought}` b")]
    # The end of one is the end of its last line.
    header = "<|start|>assistant<|channel|>commentary to=functions.f<|message|>"
    assert read(f"<|channel|>final<|message|>a ` b<|end|>{header}{{}}<|call|>", "harmony") == [
        text("a ` b"),
        ("tool_call", {"tool_name": "f"}, "{}", {}),
    ]


def test_where_the_format_is_to_be_found_out() -> None:
    assert read(f"a `{call()}` b", "auto") == [text(f"a `{call()}` b")]
    assert read(f"a ` {call()} b\n", "auto") == [text("a ` "), made(), text(" b\n")]
    assert read("a `<|tool_call_begi` b <toolx", "auto") == [text("a `<|tool_call_begi` b <toolx")]


def test_at_the_limit_of_held_text_the_span_is_not_closed() -> None:
    config = ParserConfig(limits=Limits(max_held=80))
    short, long = f"a `{call()}{' ' * 4}` b", f"a `{call()}{' ' * 40}` b"
    assert read(short, config=config) == [text(short)]
    assert read(long, config=config) == [text("a `"), made(), text(f"{' ' * 40}` b")]
    assert read(f"a `{call('{', '')} ` {'b' * 80}", config=config) == [text(f"a `{call('{', '')} ` {'b' * 80}")]


def test_no_id_is_asked_for_while_a_call_is_read_ahead() -> None:
    asked: list[int] = []

    def make(count: int) -> str:
        asked.append(count)
        return str(count)

    parser = StreamingParser("kimi_k2", ParserConfig(segment_id_factory=make))
    events = [*parser.feed(f"a `{call()}` "), *parser.finalize()]
    assert segments(events) == [text(f"a `{call()}` ")]
    assert asked == [1]


def test_a_call_behind_a_stray_backtick_waits_for_the_end_of_its_line_and_no_longer() -> None:
    parser = StreamingParser("kimi_k2")
    events = parser.feed(f"a ` {call()}")
    assert [event.payload for event in events[1:]] == [{"delta": "a "}, {"delta": "` "}]
    events += parser.feed("\n.")
    assert segments(events[:-2]) == [text("a ` "), made()]
    assert segments([*events[-2:], *parser.finalize()]) == [text("\n.")]


def test_special_tokens_in_fenced_blocks_and_quotes_that_are_text_are_swallowed() -> None:
    config = ParserConfig(code="text")
    assert read(f"```\na<|im_end|>b{call()}\n```\n{call()}", config=config) == [
        text("```\nab<|tool_call_begin|>f{}\n```\n"),
        made(),
    ]
    assert read("> a<|im_end|>b\n<|im_end|>c", config=config) == [text("> ab\nc")]
    assert read(">", config=config) == [text(">")]
    assert read(f">> {call()}", config=config) == [text(">> "), made()]
