"""The formats of open models on random calls and random documents: the round trip, and the guarantees.

Documents are made of pieces of a format's samples, whole and cut anywhere, with prose and hostile text between.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import ParserConfig, SegmentStart, StreamingResponseHandler, formats
from streamparse.errors import RenderError
from tests import seeds
from tests.formats.kit import check, run
from tests.formats.open.kit import THERE
from tests.formats.open.quirks import CASES as QUIRKS
from tests.formats.open.samples import CASES as SAMPLES
from tests.formats.open.situations import tools_for
from tests.properties.documents import COUNT, random_chunks

EXAMPLES = max(4, COUNT // 8)
CLOSED = ParserConfig(reasoning="closed")

# -- the round trip ---------------------------------------------------------------------------------------------------

#: All that means something in one format or another, letter by letter.
LETTERS = "abcXYZ 019_-+.,;:!?/\\|<>{}[]()='\"`&%$#@*~^\n\té漢🎉שُ"
tame = st.text(alphabet=LETTERS, max_size=12).map(str.strip)
wild = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
names = st.from_regex(r"[a-z][a-z0-9_]{0,7}", fullmatch=True)


def values(strings: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Values of JSON; a list holds one kind of them, for some formats write those by the schema alone."""
    plain = st.one_of(strings, st.integers(-(10**12), 10**12), st.booleans(), st.none(), st.floats(-1e9, 1e9))
    lists = st.one_of(*(st.lists(kind, max_size=3) for kind in (strings, st.integers(-99, 99), st.booleans())))
    inner = st.one_of(plain, lists)
    return st.one_of(plain, plain, lists, st.dictionaries(names, inner, max_size=3))


def arguments(strings: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(names, values(strings), max_size=4)


prose = st.text(alphabet="abc XYZ.,!?<>&é漢\n", max_size=20)


def exact(value: Any) -> str:
    """Values as a text in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def cut(text: str, cuts: Iterable[float]) -> list[str]:
    places = [0, *sorted(int(place * len(text)) for place in cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def check_round_trip(format: str, call: tuple[str, dict[str, Any]], text: str, cuts: Iterable[float]) -> None:
    found = run(cut(text, cuts), format, tools=tools_for((call,)), config=CLOSED)
    assert [(name, exact(given), status) for name, given, status, _ in found.calls] == [
        (call[0], exact(call[1]), "complete")
    ], text
    assert found.events == run([text], format, tools=tools_for((call,)), config=CLOSED).events


cuts = st.lists(st.floats(0, 1), max_size=5)


@pytest.mark.parametrize("format", THERE)
@given(name=names, given=arguments(tame), before=prose, after=prose, cuts=cuts)
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_plain_call_is_rendered_and_read_back(
    format: str, name: str, given: dict[str, Any], before: str, after: str, cuts: list[float]
) -> None:
    call = formats.get(format).render_call(name, given)
    check_round_trip(format, (name, given), f"{before}\n{call}\n{after}", cuts)


@pytest.mark.parametrize("format", THERE)
@given(name=names, given=arguments(st.one_of(tame, wild)), cuts=cuts)
@settings(max_examples=EXAMPLES, deadline=None)
def test_every_call_is_refused_or_read_back(format: str, name: str, given: dict[str, Any], cuts: list[float]) -> None:
    try:
        call = formats.get(format).render_call(name, given)
    except RenderError:
        return
    check_round_trip(format, (name, given), call + "\nDone.", cuts)


# -- the guarantees ---------------------------------------------------------------------------------------------------

TEXTS = {name: [case.text for case in (*SAMPLES, *QUIRKS) if case.format == name] for name in THERE}
TEXTS["json"] = [
    '{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}',
    '[{"name": "noop", "arguments": {}}, {"name": "put", "args": {"text": "<think>", "a": [1]}}]',
    '{"tool_calls": [{"id": "c1", "function": {"name": "noop", "arguments": "{}"}}], "id": "x"}',
    '{"name": "noop"} {"name": "Bob", "arguments": {}} {"a": {"name": "noop", "arguments": {}}}',
    '{"execution": {"tools": [{"name": "noop", "input": {}}], "mode": "parallel"}}',
]
HOSTILE = [
    *("<", ">", "</", "<|", "|>", "[", "]", "{", "}", '"', "'", "\\", "`", "```", "```json\n", "\n", " ", "\r\n", "\t"),
    *("\ud800", "\x00", "<think>", "</think>", "<tool_call>", "</tool_call>", "null", "1e999", "-", ",", ":", "=", "("),
    *("a < b. ", "Prose", "&amp;", "｜", "]]>", "[[[[", "{{{{", '{"a":', '"}', "</s>", "<response>", "f(x)", "\n\n"),
]


def pieces_of(*names: str) -> st.SearchStrategy[str]:
    """A sample, or a part of one, or something that belongs nowhere."""
    texts = st.sampled_from([text for name in names for text in TEXTS[name]])
    part = st.builds(lambda text, one, two: text[min(one, two) : max(one, two)], texts, *[st.integers(0, 120)] * 2)
    head = st.builds(lambda text, end: text[:end], texts, st.integers(0, 120))
    return st.one_of(part, head, part, texts, st.sampled_from(HOSTILE), st.text(max_size=3))


def documents_of(*names: str) -> st.SearchStrategy[str]:
    return st.lists(pieces_of(*names), max_size=6).map("".join)


CONFIGS = [
    ParserConfig(),
    ParserConfig(reasoning="open"),
    ParserConfig(reasoning="closed", code="text"),
    ParserConfig(tools_in_reasoning=True),
]
TOOLS = tools_for((("get_weather", {"city": "Oslo", "days": 2}), ("noop", {}), ("put", {"text": "x", "a": [1]})))


@pytest.mark.parametrize("format", THERE)
@given(data=st.data())
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_guarantees_hold_for_any_document(format: str, data: st.DataObject) -> None:
    text = data.draw(documents_of(format))
    check(text, format, cuts=12, is_wild=True, tools=TOOLS, config=data.draw(st.sampled_from(CONFIGS)))


def seeded(rng: random.Random, names: Iterable[str]) -> str:
    """The same by a seed: longer documents, and many more of them than hypothesis has time for."""
    texts = [text for name in names for text in TEXTS[name]]
    parts = []
    for _ in range(rng.randint(1, 7)):
        text = rng.choice(texts)
        cut = sorted(rng.choices(range(len(text) + 1), k=2))
        parts.append(rng.choice([text, text[: cut[0]], text[cut[0] : cut[1]], text[cut[1] :], rng.choice(HOSTILE)]))
    text = "".join(parts)
    for _ in range(rng.randint(0, 3)):
        place = rng.randint(0, len(text))
        text = rng.choice([text[:place] + rng.choice(HOSTILE) + text[place:], text[:place] + text[place + 1 :]])
    return text


@pytest.mark.parametrize("format", THERE)
def test_random_splits_give_the_same_events(format: str) -> None:
    rng = seeds.rng(format)
    for number in range(max(10, COUNT // 4)):
        text = seeded(rng, [format])
        options = {"tools": TOOLS, "config": CONFIGS[number % len(CONFIGS)]}
        whole = run([text], format, **options)
        for chunks in (random_chunks(rng, text), list(text)):
            found = run(chunks, format, **options)
            assert found.events == whole.events, chunks
            assert found.calls == whole.calls


def test_pairs_of_formats_give_the_same_events_however_cut() -> None:
    rng = seeds.rng(7)
    for _ in range(COUNT):
        pair = rng.sample(THERE, 2)
        text = seeded(rng, pair)
        check(text, pair, cuts=6, is_wild=True, tools=TOOLS, config=rng.choice(CONFIGS))


@pytest.mark.parametrize("format", ["auto", ["auto", "json"]], ids=str)
def test_auto_gives_the_same_events_however_cut(format: str | list[str]) -> None:
    rng = seeds.rng(8)
    for _ in range(COUNT):
        text = seeded(rng, rng.sample([*THERE, *["json"] * 20], 2))
        check(text, format, cuts=6, is_wild=True, tools=TOOLS, config=rng.choice(CONFIGS))


@given(format=st.sampled_from(["auto", *THERE]), text=st.text())
@settings(max_examples=EXAMPLES * 8, deadline=None)
def test_text_never_raises(format: str, text: str) -> None:
    run([text], format)


@given(format=st.sampled_from(["auto", *THERE]), text=st.text(alphabet="ab <>|/[](){}=:;,\"'\\`\n\té\x00\ud800"))
@settings(max_examples=EXAMPLES * 8, deadline=None)
def test_what_is_no_call_is_not_lost(format: str, text: str) -> None:
    found = run([text], format, config=CLOSED)
    if not found.calls:
        assert "".join(row[2] for row in found.segments) == text


def with_calls(chunks: list[str], format: str) -> tuple[str, list[str]]:
    """The reply with each call as the text it is, as for a client that has declared none of them; and these texts."""
    handler = StreamingResponseHandler(format, tools=[{"name": "nobody_calls_this"}], config=CLOSED)
    spans, text = handler.keep_spans(), "".join(chunks)
    events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
    calls = {name: text[span.begin : span.end] for name, span in spans.found.items()}
    prose = [event for event in events if isinstance(event, SegmentStart) or event.segment_type == "text"]
    return "".join(calls.get(event.segment_id, event.delta) for event in prose), list(calls.values())


@pytest.mark.parametrize("format", THERE)
@given(names=st.lists(names, min_size=1, max_size=3), given=arguments(tame), between=prose, cuts=cuts)
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_call_that_is_none_is_its_text_to_the_letter(
    format: str, names: list[str], given: dict[str, Any], between: str, cuts: list[float]
) -> None:
    calls = [formats.get(format).render_call(name, given) for name in names]
    text = "".join(f"{between}\n{call}\n" for call in calls)
    for chunks in ([text], list(text), cut(text, cuts)):
        assert with_calls(chunks, format)[0] == text, chunks


@pytest.mark.parametrize("format", THERE)
def test_the_closers_of_a_call_belong_to_its_text(format: str) -> None:
    """Where several stand in one section: each has its own, and the last one those of the section."""
    tails = {tail for calls in formats.get(format).calls for tail in calls.tail if isinstance(tail, str)}
    for text in TEXTS[format]:
        found = with_calls([text], format)[1]
        assert with_calls(list(text), format)[1] == found, text
        for call in found[1:]:
            assert not any(call.lstrip().startswith(tail) for tail in tails), (call, text)


@pytest.mark.parametrize("format", ["auto", *THERE])
def test_hostile_text_never_raises(format: str) -> None:
    first = TEXTS.get(format, ['<tool_call>{"name": "'])[0]
    for text in ("<" * 20_000, "[" * 20_000, "{" * 20_000, first[: len(first) // 2] * 300, first + "\ud800\x00" * 99):
        run([text], format, config=CLOSED)
    half = first[: len(first) * 2 // 3]
    for tail in ("{" * 5_000, "[" * 5_000, "9" * 6_000, '"' * 999, "\\" * 999, "\ud800", "\x00"):
        run([half + tail, first], format, config=CLOSED)
