"""`auto`: every format with markers of its own is recognised by its first call, and what has none is left alone."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, SegmentEventType, StreamingParser, StreamingResponseHandler, formats
from streamparse.core.markers import compile_markers
from streamparse.core.stems import compile_stems
from tests.core.test_stems import look
from tests.formats.kit import check, places, run
from tests.formats.open.kit import THERE, TOOLS, C, Case, R, Row, T, check_case
from tests.formats.open.samples import CALL, CASES, GLM47_ARGUMENTS, NOOP, QWEN_CALL, W
from tests.formats.open.situations import SITUATIONS, Situation, tools_for
from tests.formats.open.test_situations import AFTER, BEFORE, CLOSED, prose, rendered

#: Their calls begin like prose, or like any JSON.
WITHOUT_MARKERS = {"pythonic", "xlam"}
#: These too may be left out: their markers are plain words, or may be missing.
PLAIN = WITHOUT_MARKERS | {"llama4_pythonic", "llama3_json", "functionary_v32", "command_r", "phi4"}
#: All others must be read, if need be by a format that is written alike.
MARKED = [name for name in THERE if name not in PLAIN or formats.get(name).in_auto]


def test_formats_without_markers_are_left_out() -> None:
    assert not WITHOUT_MARKERS & set(MARKED)


@pytest.mark.parametrize("situation", SITUATIONS[:3], ids=str)
@pytest.mark.parametrize("format", MARKED)
def test_a_call_is_what_it_is_by_name(format: str, situation: Situation) -> None:
    calls = situation.calls
    text = BEFORE + rendered(format, calls) + AFTER
    named = run([text], format, tools=tools_for(calls), config=CLOSED)
    found = check(text, "auto", cuts=8, tools=tools_for(calls))
    assert [call[:3] for call in found.calls] == [(*call, "complete") for call in calls]
    assert [call[:3] for call in found.calls] == [call[:3] for call in named.calls]
    assert prose(found) == BEFORE + "\n" * (len(calls) - 1) + AFTER


def chosen(text: str) -> list[str]:
    """The formats that produced the calls."""
    handler = StreamingResponseHandler("auto", tools=TOOLS)
    events = handler.feed(text) + handler.finalize()
    return [
        event.format for event in events if event.type is SegmentEventType.START and event.segment_type == "tool_call"
    ]


GLM_CALL = f"<tool_call>get_weather{GLM47_ARGUMENTS}</tool_call>"
HERMES_CALL = f"<tool_call>\n{CALL}\n</tool_call>"


@pytest.mark.parametrize(
    ("text", "family"),
    [(HERMES_CALL, ("hermes",)), (QWEN_CALL, ("qwen3_coder",)), (GLM_CALL, ("glm45", "glm47"))],
    ids=["{", "<function=", "a name"],
)
def test_a_shared_opener_is_decided_by_what_follows(text: str, family: tuple[str, ...]) -> None:
    if set(family) & set(THERE):
        (found,) = chosen(text)
        assert found in family
        whole = check(f"a {text} b", "auto", tools=TOOLS)
        assert whole.calls == [("get_weather", {"city": "Oslo", "days": 2}, "complete", None)]


@pytest.mark.parametrize("format", [name for name in MARKED if name not in ("hermes", "qwen3", "ernie45")])
def test_the_first_call_settles_the_format(format: str) -> None:
    """Behind a call of hermes the calls of others are text, and the other way round."""
    other = rendered(format, (("noop", {}),))
    behind = run([f"{HERMES_CALL}\n{other}\n"], "auto", tools=TOOLS)
    before = run([f"{other}\n{HERMES_CALL}\n"], "auto", tools=TOOLS)
    named = run([f"{other}\n{HERMES_CALL}\n"], format, tools=TOOLS, config=CLOSED)
    alone = run([f"{HERMES_CALL}\n{other}\n"], "hermes", tools=TOOLS)
    assert behind.calls == alone.calls
    if chosen(other) == [format]:
        assert before.calls == named.calls


def test_what_is_no_call_settles_nothing() -> None:
    whole = check(f"Write <tool_call> or [TOOL_CALLS] x, then [TOOL_CALLS]get_weather[ARGS]{W}.", "auto", tools=TOOLS)
    assert whole.calls == [("get_weather", {"city": "Oslo", "days": 2}, "complete", None)]
    assert whole.segments[0][2] == "Write <tool_call> or [TOOL_CALLS] x, then "


@pytest.mark.parametrize(
    "text",
    [
        "[get_weather(city='Oslo', days=2)]",
        f"[{CALL}]",
        f"```json\n[{CALL}]\n```",
        CALL,
        f"{CALL}; {NOOP}",
        f"get_weather\n{W}",
        "<read_file>\n<path>a.py</path>\n</read_file>",
        "Plain prose, [a link](b), <b>bold</b> and {braces}.",
    ],
)
def test_what_has_no_marker_is_text(text: str) -> None:
    whole = check(text, "auto", tools=TOOLS)
    assert [row[:3] for row in whole.segments] == [("text", {}, text)]


def test_reasoning_is_closed_unless_configured() -> None:
    text = f"hm</think>{HERMES_CALL}"
    assert [row[0] for row in run([text], "auto").segments] == ["text", "tool_call"]
    opened = check(text, "auto", config=ParserConfig(reasoning="open"))
    assert [row[:3] for row in opened.segments] == [
        ("reasoning", {}, "hm"),
        ("tool_call", {"tool_name": "get_weather"}, W),
    ]
    explicit = check(f"<think>hm</think>{HERMES_CALL}", "auto")
    assert [row[0] for row in explicit.segments] == ["reasoning", "tool_call"]


WEATHER = C("get_weather", W, {"city": "Oslo", "days": 2})
EMPTY = C("noop", "{}", {})
LIST = f"<tool_calls>[{CALL}]</tool_calls>"


@pytest.mark.parametrize(
    ("title", "text", "rows"),
    [
        (
            "not all that write it say that it ends reasoning",
            f"<think>a {HERMES_CALL} b</think>c",
            [R(f"a {HERMES_CALL} b"), T("c")],
        ),
        (
            "nor when one of them is settled",
            f"{HERMES_CALL}<think>a {HERMES_CALL} b</think>c",
            [WEATHER, R(f"a {HERMES_CALL} b"), T("c")],
        ),
        (
            "all that write it say so: glm",
            "<think>a <tool_call>noop</tool_call> b</think>c",
            [R("a "), C("noop", "", {}), T(" bc")],
        ),
        (
            "all that write it say so: mistral",
            f"[THINK]a [TOOL_CALLS]get_weather[ARGS]{W} b[/THINK]c",
            [R("a "), WEATHER, T(" bc")],
        ),
        (
            "none of them says so",
            f"<think>a {LIST}</think>b",
            [R(f"a {LIST}"), T("b")],
        ),
    ],
)
def test_a_call_ends_reasoning_if_all_that_write_such_calls_say_so(title: str, text: str, rows: list[Row]) -> None:
    check_case(Case("auto", title, text, rows))


def test_by_name_it_does_what_its_format_says() -> None:
    text = f"<think>a <tool_call>{NOOP}</tool_call> b"
    check_case(Case("qwen3", "", text, [R("a "), EMPTY, T(" b")]))
    check_case(Case("hermes", "", text, [R(text[7:], status="truncated")]))


@pytest.mark.parametrize(
    ("title", "text", "rows"),
    [
        ("hunyuan_a13b", f"a {LIST}<answer>\nFour.\n</answer>", [T("a "), WEATHER, T("Four.")]),
        ("hunyuan_a13b, its token", f"{LIST}Four.<|eos|>", [WEATHER, T("Four.")]),
        ("apriel", f"{LIST}Four.\n[END FINAL RESPONSE]<|end|>", [WEATHER, T("Four.")]),
        ("jamba", f"{LIST}Four.<|eom|>", [WEATHER, T("Four.")]),
        ("none of these", f"{LIST}<response>Four.</response>", [WEATHER, T("<response>Four.</response>")]),
        ("ernie45", f"{HERMES_CALL}<response>\nFour.\n</response>", [WEATHER, T("Four.")]),
        ("in a span", f"{LIST}`a<|eos|>b", [WEATHER, T("`ab")]),
    ],
)
def test_all_formats_that_write_such_calls_are_kept(title: str, text: str, rows: list[Row]) -> None:
    check_case(Case("auto", title, text, rows))


def test_tags_around_answers_are_text_until_a_call_was_seen() -> None:
    text = "a<answer>b</answer><response>c</response>`<|eos|>`"
    check_case(Case("auto", "", text, [T(text)]))


@pytest.mark.parametrize("closing", ["</think>", ""])
def test_many_thoughts(closing: str) -> None:
    """What reasoning looks for is the same each time."""
    text = f"<think>a{closing}b" * 3
    end = {} if closing else {"status": "truncated"}
    rows = [R("a"), T("b")] * 3 if closing else [R(text[7:], **end)]
    check_case(Case("auto", "", text, rows))


@pytest.mark.parametrize("format", THERE)
def test_all_formats_are_found_as_by_one_pattern(format: str) -> None:
    openers = StreamingParser("auto")._context.grammar.openers
    markers = {opener: (opener.marker,) for opener in openers}
    one, stems = compile_markers(markers), compile_stems(markers)
    for text in (case.text for case in CASES if case.format == format):
        for start in (0, *places(text, 6)):
            for end in (*places(text, 12), len(text)):
                for is_last in (False, True):
                    part = text[start:end]
                    assert look(stems, part, is_last=is_last) == look(one, part, is_last=is_last), part
