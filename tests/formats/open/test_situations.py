"""The table of situations crossed with every format: what is rendered is read back, however it is cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse import ParserConfig, formats
from streamparse.core.markers import Atom, Exact, Marker
from streamparse.errors import RenderError
from tests import seeds
from tests.cuts import some
from tests.formats.kit import Run, check, check_end, run
from tests.formats.open.kit import THERE
from tests.formats.open.quirks import CASES as QUIRKS
from tests.formats.open.samples import CASES
from tests.formats.open.situations import SITUATIONS, Calls, tools_for

#: Prose that no format takes for its own, as lines: a few recognise calls only where a line begins.
BEFORE, AFTER = "So, 1 < 2.\n", "\nThat is all."
OPEN, CLOSED = ParserConfig(reasoning="open"), ParserConfig(reasoning="closed")
#: There are many cases; each is cut in a few places, which are others in each run of `make fuzz`.
CUTS = 32 if seeds.IS_FUZZ else 4


def rendered(format: str, calls: Calls) -> str:
    """The calls, each on a line of its own; refused as a whole if one is."""
    render = formats.get(format).render_call
    return "\n".join(render(name, arguments) for name, arguments in calls)


def plain(marker: Marker) -> str:
    """The text that a marker is when all that may be missing is."""
    parts = (part.character if isinstance(part, Exact) else part for part in marker)
    return "".join(part for part in parts if not isinstance(part, Atom))


#: Their calls end with a line break that belongs to them.
WITH_LINE_BREAK = {"ernie45"}


def behind(format: str) -> str:
    """What is text of the line break behind a call."""
    return "" if format in WITH_LINE_BREAK else "\n"


def prose(whole: Run) -> str:
    return "".join(row[2] for row in whole.segments if row[0] == "text")


@pytest.mark.parametrize("format", THERE)
def test_what_is_rendered_is_read_back(format: str) -> None:
    for situation in SITUATIONS:
        try:
            text = rendered(format, situation.calls)
        except RenderError:
            assert situation.may_be_refused, situation
            continue
        options: dict[str, Any] = {"tools": tools_for(situation.calls), "config": CLOSED}
        expected = [(*call, "complete") for call in situation.calls]
        alone = run([text], format, **options)
        assert [call[:3] for call in alone.calls] == expected, situation
        assert prose(alone) == behind(format) * (len(situation.calls) - 1), situation
        whole = check(BEFORE + text + AFTER, format, cuts=CUTS, **options)
        assert [call[:3] for call in whole.calls] == expected, situation
        assert prose(whole) == BEFORE + behind(format) * len(situation.calls) + AFTER[1:], situation
        assert {row[0] for row in whole.segments} == {"text", "tool_call"}, situation
        assert all(row[3] == {} for row in whole.segments), situation


#: Their calls have no markers, or wait for the closer.
NOT_UNMISTAKABLE = {"mistral", "mistral_v3", "pythonic", "xlam"}
#: How the reasoning of each format ends, where it can be opened by the prompt.
CLOSERS = {
    name: plain(marked.implied_closers[0]) for name in THERE if (marked := formats.get(name).reasoning).implied_closers
}


@pytest.mark.parametrize("format", sorted(set(CLOSERS) - NOT_UNMISTAKABLE))
def test_no_call_is_lost_in_reasoning_that_is_only_implied(format: str) -> None:
    """A call ends it; only in apertus it goes on."""
    for situation in SITUATIONS[:4]:
        options: dict[str, Any] = {"tools": tools_for(situation.calls), "config": OPEN}
        whole = check("hm " + rendered(format, situation.calls), format, cuts=CUTS, **options)
        assert [call[:3] for call in whole.calls] == [(*call, "complete") for call in situation.calls], situation
        assert whole.segments[0] == ("reasoning", {}, "hm ", {}), situation
        kinds = {row[0] for row in whole.segments[1:]}
        assert kinds <= {"tool_call", "reasoning" if format == "apertus" else "text"}, situation


@pytest.mark.parametrize("format", sorted(CLOSERS))
def test_behind_a_closer_calls_count_whoever_opened_the_reasoning(format: str) -> None:
    marked = formats.get(format).reasoning
    calls = SITUATIONS[0].calls
    reply = f"hm{CLOSERS[format]}{rendered(format, calls)}"
    unopened = [("text", {}, "hm", {"reasoning": True} if any(o.is_closer for o in marked.openers) else {})]
    thought = [("reasoning", {}, "hm", {})]
    for mode, expected in (("open", thought), (None, thought if marked.starts_open else unopened)):
        options: dict[str, Any] = {"tools": tools_for(calls), "config": ParserConfig(reasoning=mode)}
        whole = check(reply, format, cuts=CUTS, **options)
        assert whole.segments[:1] == expected
        assert [call[:3] for call in whole.calls] == [(*call, "complete") for call in calls]


@pytest.mark.parametrize("format", THERE)
def test_types_are_those_of_the_values_without_a_schema_too(format: str) -> None:
    """Where a format says types itself they hold without a schema; strings that look like nothing else always do."""
    (call,) = run([rendered(format, (("f", {"city": "Oslo it is"}),))], format, config=CLOSED).calls
    assert call[:3] == ("f", {"city": "Oslo it is"}, "complete")


@pytest.mark.parametrize("format", THERE)
def test_truncated_is_never_complete(format: str) -> None:
    """Ended anywhere: what is complete is the whole's, what has begun is truncated, and nothing is malformed.

    In tags, all that is declared may be there before the end of the call: then it is repaired.
    """
    calls = (("get_weather", {"city": 'O"s<l', "days": 25}), ("put", {"a": [1, {"b": None}], "c": "x\ny"}))
    text = BEFORE + rendered(format, calls) + AFTER
    options: dict[str, Any] = {"tools": tools_for(calls), "config": CLOSED}
    whole = run([text], format, **options)
    for length in some(range(len(text))):
        prefix = run([text[:length]], format, **options)
        check_end(prefix, whole, text[:length])
        assert {call[2] for call in prefix.calls} <= {"complete", "truncated"}, text[:length]
        for row in prefix.segments:
            assert row[0] in ("text", "tool_call")
            cut = {"status": "truncated", "error": "the call was cut off before its end"}
            assert row[3] in ({}, {"repaired": True}, cut)


@pytest.mark.parametrize("format", THERE)
def test_a_string_is_streamed_as_it_comes(format: str) -> None:
    """The name is there before the arguments, and of a string what has come but for a few characters."""
    value = "a < b, [1] and so on: it's {x}. " * 40
    calls = (("put", {"text": value.strip()}),)
    text = BEFORE + rendered(format, calls)
    begin, end = text.index("a < b"), text.rindex("{x}.")
    for length in (begin + 20, (begin + end) // 2, end):
        start, content = run([text[:length]], format, tools=tools_for(calls), config=CLOSED).shown[-2:]
        assert start.metadata["tool_name"] == "put"
        assert len(content.delta) >= length - begin - 12, text[:length]


@pytest.mark.parametrize("format", THERE)
def test_prose_is_shown_at_once(format: str) -> None:
    text = "So, a < b, [1], {x}: it's <b>so</b>, (no) doubt; f(x) = [y] and z"
    assert run([text], format, config=CLOSED).shown[-1].delta == text


@pytest.mark.parametrize("format", THERE)
def test_one_character_too_few_never_makes_up_arguments(format: str) -> None:
    """JSON that lost a character is what it still says, or no complete call; and nothing ever loses all arguments."""
    calls = (("put", {"city": "Oslo", "days": [1, {"a": None}]}),)
    text = rendered(format, calls)
    options: dict[str, Any] = {"tools": tools_for(calls), "config": CLOSED}
    is_json = _is_json(format)
    for place in some(range(len(text))):
        broken = text[:place] + text[place + 1 :]
        found = run([broken], format, **options)
        rows = [row for row in found.segments if row[0] == "tool_call"]
        for call, row in zip(found.calls, rows, strict=True):
            if call[2] == "complete":
                assert call[1], broken
                if is_json:
                    assert call[1] == _json(row[2]), broken


def _is_json(format: str) -> bool:
    """Whether the format writes arguments as a JSON object."""
    (row,) = run([rendered(format, (("f", {"a": [1], "b": "x"}),))], format, config=CLOSED).segments
    return row[2].startswith('{"')


def _json(text: str) -> Any:
    """The arguments as JSON says them, which may be in a string; control characters are taken, as some formats do."""
    value = json.loads(text, strict=False)
    return _json(value) if isinstance(value, str) else value


#: Texts that hold every marker of a format.
MARKED = {name: [case.text for case in CASES if case.format == name] for name in THERE}


@pytest.mark.parametrize("format", THERE)
def test_text_that_looks_like_markers_is_refused_or_read_back(format: str) -> None:
    """In a string of JSON any text can stand: there nothing is refused."""
    is_json = _is_json(format)
    step = 3 if seeds.IS_FUZZ else 9
    others = [text for name in THERE if name != format for text in MARKED[name][THERE.index(format) % step :: step]]
    for marked in some([*MARKED[format], *others]):
        for value in (marked, marked[: len(marked) // 2], marked[len(marked) // 2 :]):
            calls = (("put", {"a": value, "b": 1}),)
            try:
                text = rendered(format, calls)
            except RenderError:
                assert not is_json, value
                continue
            found = run([text + AFTER], format, tools=tools_for(calls), config=CLOSED)
            assert [call[:3] for call in found.calls] == [(*calls[0], "complete")], value
            assert prose(found) == behind(format) + AFTER[1:], value


@pytest.mark.parametrize("format", THERE)
def test_results_and_instructions_are_rendered(format: str) -> None:
    chosen = formats.get(format)
    assert "grey" in chosen.render_result("get_weather", {"sky": "grey"})
    assert "wind and rain" in chosen.render_result("get_weather", "wind and rain")
    taught = chosen.instructions(tools_for((("get_weather", {"city": "Oslo"}),)))
    assert "get_weather" in taught
    assert "city" in taught


IDS = {(case.format, row.name, row.call_id) for case in (*CASES, *QUIRKS) for row in case.rows if row.call_id}


@pytest.mark.parametrize(("format", "name", "call_id"), sorted(IDS, key=str))
def test_an_id_that_a_model_wrote_goes_with_its_result(format: str, name: str, call_id: str) -> None:
    if format in THERE:
        assert "grey" in formats.get(format).render_result(name, "grey", call_id)


@pytest.mark.parametrize(
    ("format", "call_id"),
    [
        *(("kimi_k2", "functions.put:7"), ("solar_open", "c9"), ("kimi_k3", "4")),
        *(("cohere_command3", "4"), ("cohere_command4", "4")),
    ],
)
def test_an_id_is_written_where_the_format_always_has_one(format: str, call_id: str) -> None:
    if format in THERE:
        text = formats.get(format).render_call("put", {"a": 1}, call_id)
        assert run([text], format, config=CLOSED).calls == [("put", {"a": 1}, "complete", call_id)]
