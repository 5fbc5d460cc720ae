"""`auto`: every format with markers of its own is recognised by its first call, and what has none is left alone."""

from __future__ import annotations

import pytest

from streamparse import SegmentEventType, StreamingParser, StreamingResponseHandler, formats
from streamparse.core.markers import compile_markers
from streamparse.core.stems import compile_stems
from tests.core.test_stems import look
from tests.formats.kit import call, check, places, rows, run, text
from tests.formats.open.kit import THERE, TOOLS
from tests.formats.open.samples import CASES, a_call
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


HERMES_CALL = a_call("hermes")


@pytest.mark.parametrize(
    ("text", "family"),
    [(HERMES_CALL, ("hermes",)), (a_call("qwen3_coder"), ("qwen3_coder",)), (a_call("glm47"), ("glm45", "glm47"))],
    ids=["{", "<function=", "a name"],
)
def test_a_shared_opener_is_decided_by_what_follows(text: str, family: tuple[str, ...]) -> None:
    if set(family) & set(THERE):
        (found,) = chosen(text)
        assert found in family
        whole = check(f"a {text} b", "auto", tools=TOOLS)
        assert whole.calls == [("get_weather", {"city": "Oslo", "days": 2}, "complete", None)]


#: Chosen by name, they read calls of hermes as well; in auto only hermes and its like do.
TAKE_HERMES = ("glm45", "glm47")


@pytest.mark.parametrize("format", [name for name in MARKED if name not in ("hermes", "qwen3", "ernie45")])
def test_the_first_call_settles_the_format(format: str) -> None:
    """Behind a call of hermes the calls of others are text, and the other way round."""
    other = rendered(format, (("noop", {}),))
    behind = run([f"{HERMES_CALL}\n{other}\n"], "auto", tools=TOOLS)
    before = run([f"{other}\n{HERMES_CALL}\n"], "auto", tools=TOOLS)
    named = run([f"{other}\n{HERMES_CALL}\n"], format, tools=TOOLS, config=CLOSED)
    alone = run([f"{HERMES_CALL}\n{other}\n"], "hermes", tools=TOOLS)
    assert behind.calls == alone.calls
    if chosen(other) == [format] and format not in TAKE_HERMES:
        assert before.calls == named.calls


#: Their calls are objects with a name and arguments, or lists of such.
OBJECTS = [
    *("hermes", "qwen3", "longcat", "mistral", "mistral_v3", "deepseek_v3", "deepseek_v31", "ernie45", "internlm"),
    *("granite20b", "gigachat3", "minimax_m1", "granite3", "jamba", "hunyuan_a13b", "apriel", "nemotron_v2", "phi4"),
    *("xlam", "apertus"),
]


@pytest.mark.parametrize("format", [name for name in OBJECTS if formats.get(name).in_auto])
def test_a_call_is_found_without_tools(format: str) -> None:
    written = formats.get(format).render_call("f", {"a": 1})
    assert rows("auto", f"a {written}") == [text("a "), call("f", '{"a": 1}')]


BARE = '{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}'


def test_a_call_that_is_only_json_is_found_by_the_names_of_declared_tools() -> None:
    assert rows("auto", f"a {BARE}") == [text(f"a {BARE}")]
    assert rows("auto", f"a {BARE}", tools=TOOLS) == [text("a "), call("get_weather", BARE)]
    assert chosen(BARE) == ["json"]


@pytest.mark.parametrize(
    ("fed", "with_tools", "without"),
    [
        ("a {", "a ", "a {"),
        ("a [ ", "a ", "a [ "),
        ("a {b", "a {b", "a {b"),
        ('a {"name": "get_', "a ", 'a {"name": "get_'),
        ('a {"name": "get_b', 'a {"name": "get_b', 'a {"name": "get_b'),
        ('a {"nam', "a ", 'a {"nam'),
        ('a {"na,', 'a {"na,', 'a {"na,'),
        ('a {"name": "noop"', "a ", 'a {"name": "noop"'),
        ('a {"name": "noop"}', 'a {"name": "noop"}', 'a {"name": "noop"}'),
    ],
)
def test_what_may_become_such_a_call_waits_and_nothing_else(fed: str, with_tools: str, without: str) -> None:
    for tools, shown in ((TOOLS, with_tools), ((), without)):
        events = StreamingParser("auto", tools=tools).feed(fed)
        assert "".join(event.delta for event in events) == shown


@pytest.mark.parametrize("format", THERE)
def test_all_formats_are_found_as_by_one_pattern(format: str) -> None:
    openers = StreamingParser("auto", tools=TOOLS)._context.grammar.openers
    markers = {opener: (opener.marker,) for opener in openers}
    one, stems = compile_markers(markers), compile_stems(markers)
    for case in (case for case in CASES if case.format == format):
        for start in (0, *places(case.text, 6)):
            for end in (*places(case.text, 12), len(case.text)):
                for is_last in (False, True):
                    part = case.text[start:end]
                    assert look(stems, part, is_last=is_last) == look(one, part, is_last=is_last), part
