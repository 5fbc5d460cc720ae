"""states/echo.py: what stands in a result that the model writes itself is text."""

from __future__ import annotations

from streamparse import Limits, ParserConfig, SegmentContent, StreamingParser, formats
from streamparse.core.markers import close_tag, exact, open_tag
from streamparse.events import AnyEvent
from streamparse.formats.result_text import pairs_of
from streamparse.testing import Segment, assert_chunk_invariant, segments

CALL = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
CALLED = ("tool_call", {"tool_name": "f"}, "{}", {})
REPAIRED = ("tool_call", {"tool_name": "f"}, "{}", {"repaired": True})


def read(text: str, format: str | list[str] = "hermes", config: ParserConfig | None = None) -> list[Segment]:
    return segments(assert_chunk_invariant(text, format, config=config))


def text(content: str) -> Segment:
    return ("text", {}, content, {})


def deltas(events: list[AnyEvent]) -> list[str]:
    return [event.delta for event in events if isinstance(event, SegmentContent)]


def test_a_call_in_a_result_is_text_and_one_behind_it_is_not() -> None:
    result = f"<tool_response>\na {CALL} {CALL} b\n</tool_response >"
    assert read(f"So: {result} {CALL}") == [text(f"So: {result} "), CALLED]


def test_a_result_that_is_never_closed_hides_no_call() -> None:
    """The closer may have been cut off, so the call is repaired."""
    assert read(f"In a <tool_response> tag {CALL} b") == [text("In a <tool_response> tag "), REPAIRED, text(" b")]
    assert read(f"<tool_response>{CALL}<tool_response>{CALL}") == [
        text("<tool_response>"),
        REPAIRED,
        text("<tool_response>"),
        REPAIRED,
    ]
    assert read("<tool_response> a </tool_respo") == [text("<tool_response> a </tool_respo")]


def test_text_in_a_result_is_shown_as_it_comes() -> None:
    parser = StreamingParser("hermes")
    assert deltas(parser.feed("<tool_response>a <b> `c ")) == ["<tool_response>", "a <b> `c "]
    assert deltas(parser.feed("d</tool_re")) == ["d"]


def test_lines_in_a_result_wait_only_if_they_begin_like_a_call() -> None:
    parser = StreamingParser(["hermes", "pythonic"], ParserConfig(code="text"))
    assert deltas(parser.feed("<tool_response>a\nb\n```\n  c")) == ["<tool_response>", "a\nb\n```\n  c"]
    assert deltas(parser.feed("\n [f(a=1)]")) == []
    assert deltas(parser.feed("</tool_response>")) == ["\n [f(a=1)]</tool_response>"]


def test_a_call_first_on_a_line_of_a_result_is_text() -> None:
    reply = "<tool_response>\n[f(a=1)]\n</tool_response>\n"
    assert read(f"{reply}ok", ["hermes", "pythonic"]) == [text(f"{reply}ok")]


def test_only_the_closer_decides_what_is_held() -> None:
    parser = StreamingParser("hermes")
    assert deltas(parser.feed(f"<tool_response>a {CALL} b\n\nc")) == ["<tool_response>", "a "]
    assert deltas(parser.feed("</tool_response>d")) == [f"{CALL} b\n\nc</tool_response>", "d"]


def test_at_the_limit_of_held_text_it_is_not_closed() -> None:
    config = ParserConfig(limits=Limits(max_held=80))
    assert read(f"<tool_response>{CALL} </tool_response>", config=config) == [
        text(f"<tool_response>{CALL} </tool_response>")
    ]
    assert read(f"<tool_response>{CALL}{' ' * 80}</tool_response>", config=config) == [
        text("<tool_response>"),
        CALLED,
        text(f"{' ' * 80}</tool_response>"),
    ]


def test_in_reasoning_the_closer_of_that_ends_it() -> None:
    result = f"<tool_response>{CALL}</tool_response>"
    assert read(f"<think>a {result} b</think>c", "qwen3") == [("reasoning", {}, f"a {result} b", {}), text("c")]
    assert read("<think>a <tool_response> b</think>c", "qwen3") == [
        ("reasoning", {}, "a <tool_response> b", {}),
        text("c"),
    ]
    assert read(f"<think>a <tool_response>{CALL}</think>c</tool_response>", "qwen3") == [
        ("reasoning", {}, "a <tool_response>", {}),
        CALLED,
        text("c</tool_response>"),
    ]


def test_special_tokens_in_a_result_are_never_shown() -> None:
    assert read("<tool_response>a<|im_end|>b</tool_response>") == [text("<tool_response>ab</tool_response>")]
    assert read("<|tool_response>a<tool_response|>b", "gemma4") == [text("a<tool_response|>b")]


def test_results_are_looked_for_only_where_calls_are() -> None:
    config = ParserConfig(parse_tool_calls=False)
    assert read(f"<tool_response><think>a</think>{CALL}", config=config) == [
        text("<tool_response>"),
        ("reasoning", {}, "a", {}),
        text(CALL),
    ]


def test_what_is_around_a_result_by_its_template() -> None:
    assert pairs_of("<tool_response>\n$result\n</tool_response>") == (
        (exact("<tool_response>"), close_tag("tool_response")),
    )
    assert pairs_of('<tool_result name="$name">$json_result</tool_result>') == (
        (open_tag("tool_result"), close_tag("tool_result")),
    )
    assert pairs_of("<|START_TOOL_RESULT|>$quoted_result<|END_TOOL_RESULT|>") == (
        (exact("<|START_TOOL_RESULT|>"), exact("<|END_TOOL_RESULT|>")),
    )
    assert pairs_of("[TOOL_RESULTS]$result[/TOOL_RESULTS]") == ((exact("[TOOL_RESULTS]"), exact("[/TOOL_RESULTS]")),)
    assert pairs_of("<response>$result</response>") == ()
    assert pairs_of("<|im_start|>tool\n$result<|im_end|>") == ()
    assert pairs_of("<function_response> $result") == ()
    assert pairs_of("no result") == ()


def test_a_format_without_a_prompt_side_has_no_results() -> None:
    assert [opener.marker for opener in formats.get("native").all_openers.calls(is_auto=False)] == []
