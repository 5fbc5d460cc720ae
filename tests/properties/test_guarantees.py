"""The seven guarantees of the README, each under its name, on random documents.

Hypothesis shrinks what it finds; the seeded loops reach deeper documents, and `make fuzz` runs many more of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import (
    Limits,
    ParserConfig,
    SegmentEventType,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocation,
    parse,
)
from streamparse.testing import assert_chunk_invariant, check_order, normalize, segments
from streamparse.testing.checks import is_prefix
from tests import seeds
from tests.memory import takes_at_most
from tests.properties.documents import CONFIGS, COUNT, documents, random_chunks, seeded_documents
from tests.properties.oracle import certain, shown

COUNT_WORK = Path(__file__).with_name("count_work.py")

any_config = st.sampled_from(CONFIGS)


@given(documents(), any_config)
@settings(max_examples=seeds.times(40), deadline=None)
def test_1_same_events_for_every_chunking(text: str, config: dict[str, object]) -> None:
    assert_chunk_invariant(text, "xml", config=ParserConfig(**config))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_1_same_events_for_random_splits(config: dict[str, object]) -> None:
    rng = seeds.rng(1)
    for text in seeded_documents(1, size=30):
        whole = normalize(parse(text, "xml", config=ParserConfig(**config)))
        for _ in range(4):
            chunks = random_chunks(rng, text)
            assert normalize(parse(chunks, "xml", config=ParserConfig(**config))) == whole, chunks


@pytest.mark.parametrize(
    "limits", [Limits(max_tag=20), Limits(max_held=25), Limits(max_arguments=5), Limits(max_held=60)]
)
def test_1_same_events_for_every_chunking_with_limits(limits: Limits) -> None:
    for text in seeded_documents(2, count=COUNT // 3):
        assert_chunk_invariant(text, "xml", config=ParserConfig(limits=limits))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_2_nothing_leaks_nothing_is_taken_back(config: dict[str, object]) -> None:
    """What is shown after each chunk is the beginning of what the whole gives; and of no opener that counted, a `<`."""
    rng = seeds.rng(3)
    settings = ParserConfig(**config)
    # Reasoning may begin without an opener, and goes on without one behind a call in it.
    unmarked = {"text"} if settings.reasoning is None and not settings.tools_in_reasoning else {"text", "reasoning"}
    for text in seeded_documents(3):
        whole = normalize(parse(text, "xml", config=settings))
        for chunks in (list(text), random_chunks(rng, text)):
            parser, fed, events = StreamingParser("xml", settings), "", []
            for chunk in chunks:
                fed += chunk
                events += parser.feed(chunk)
                assert is_prefix(normalize(events), whole), fed
                starts = [event for event in events if event.type is SegmentEventType.START]
                opened = sum(start.segment_type not in unmarked for start in starts)
                less_than = sum(event.delta.count("<") for event in events)
                assert less_than + opened <= fed.count("<") + fed.count("&lt"), fed


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_3_nothing_waits_without_need(config: dict[str, object]) -> None:
    """After each prefix exactly that is shown which all continuations agree on: neither less nor more."""
    rng = seeds.rng(4)
    settings = ParserConfig(**config)
    for text in seeded_documents(4, count=max(3, COUNT // 40), size=5):
        for length in sorted(rng.sample(range(len(text) + 1), k=min(len(text), 12 if seeds.IS_FUZZ else 6))):
            prefix = text[:length]
            assert shown(prefix, settings) == certain(prefix, settings), prefix


@given(st.text(alphabet="<>/ab `\"'=tol&;_\n", max_size=60))
@settings(max_examples=seeds.times(100), deadline=None)
def test_4_nothing_is_lost_when_nothing_is_recognised(text: str) -> None:
    """Text without a whole opener of the format comes back character for character."""
    assert "".join(event.delta for event in parse(text, "xml")) == text


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("text"), st.text(alphabet="ab <>&\n", min_size=1, max_size=12)),
            st.tuples(st.just("write_file"), st.text(alphabet="ab<>/&`\n", max_size=20)),
            st.tuples(st.just("reasoning"), st.text(alphabet="ab<>/&`\n", max_size=20)),
            st.tuples(st.just("tool_call"), st.text(alphabet="ab<>/&`\n", max_size=20)),
        ),
        max_size=6,
    )
)
@settings(max_examples=seeds.times(100), deadline=None)
def test_4_nothing_is_lost_between_what_is_recognised(parts: list[tuple[str, str]]) -> None:
    tags = {
        "write_file": ('<write_file path="p">', "</write_file>"),
        "reasoning": ("<think>", "</think>"),
        "tool_call": ('<tool name="q">', "</tool>"),
        "text": ("", ""),
    }
    document = "".join(tags[kind][0] + content + tags[kind][1] for kind, content in parts)
    expected: list[tuple[str, str]] = []
    for kind, content in parts:
        if kind == "text" and expected and expected[-1][0] == "text":
            expected[-1] = ("text", expected[-1][1] + content)
        else:  # one line break behind the tag of a file belongs to the tag
            expected.append((kind, content.removeprefix("\n") if kind == "write_file" else content))
    assert [(row[0], row[2]) for row in segments(parse(document, "xml"))] == expected


@given(st.text(), st.lists(st.integers(0, 200), max_size=4), any_config)
@settings(max_examples=seeds.times(100), deadline=None)
def test_5_text_never_raises(text: str, cuts: list[int], config: dict[str, object]) -> None:
    parser = StreamingParser("xml", ParserConfig(**config))
    bounds = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    events = [event for start, end in pairwise(bounds) for event in parser.feed(text[start:end])]
    check_order(events + parser.finalize())


@pytest.mark.parametrize(
    "text",
    [
        *("\ud800\udfff\x00", "<" * 10_000_000, "`" * 1_000_000, "</write_file" * 20_000, '<tool name="' * 20_000),
        '<tool name="q">' + '<arg name="a">' * 10_000,
        '<tool name="run_bash"><arg name="command">\ud800</arg></tool>',
        '<write_file path="\ud800\x00">\udfff\x00</write_file>',
    ],
    ids=lambda text: repr(text[:20]),
)
def test_5_hostile_text_never_raises(text: str) -> None:
    check_order(list(parse(text, "xml")))


#: What stands before, and what is repeated.
GROWING = {
    "prose": ("", "The quick brown fox. "),
    "angles": ("", "<"),
    "backticks": ("", "` `` "),
    "tags": ("", '<tool name="'),
    "unclosed quotes": ("", "<tool a=\"<tool b='"),
    "blanks in a tag": ("<tool ", "  "),
    "blanks behind a name": ("<tool a", "  "),
    "closers": ('<write_file path="p">', "</write_file"),
    "blanks in a closer": ('<write_file path="p">x</write_file', "  "),
    "entities": ("<run_bash>", "&am"),
    "calls": ("", '<tool name="q"><arg name="a">1</arg></tool>'),
    "closers of arguments": ('<tool name="q"><arg name="a">', "</arg>"),
    "blanks behind an argument": ('<tool name="q"><arg name="a">x</arg>', "  "),
    "blanks behind a body": ('<tool name="run_bash"><arg name="command">x</arg>', "  "),
    "forgotten closers": ("", '<tool name="run_bash"><arg name="command">x</tool>'),
    "forgotten closers of a generic tool": ("", '<tool name="q"><arg name="a">x</tool>'),
    "missing end markers": ("", '<tool name="write_file" path="p"><content>__START_CONTENT__x</content></tool>'),
    "missing paths": ("", '<tool name="write_file"><arg name="content">x</arg></tool>'),
    "late paths": ("", '<tool name="write_file"><arg name="content">x</arg><arg name="path">p</arg></tool>'),
    "commands": ("", "<run_bash>a &amp; b</run_bash>"),
    "loose closers": ('<tool name="run_bash"><command>', "</command><b>x"),
    "undeclared siblings": ("", '<tool name="run_bash"><command>ls</command><b>1</b></tool>'),
    "made-up tags": ('<tool name="run_bash">', "<a><b><c>"),
    "reasoning": ("", "<think>a</think>"),
}
#: The same for what is decoded at the end of a call: what begins it, what comes again, what ends it.
ARGUMENTS = {
    "text of an argument": ('<tool name="q"><a>', "word ", "</a></tool>"),
    "items": ('<tool name="q"><arg name="a">', "<item>1</item>", "</arg></tool>"),
    "properties": ('<tool name="q"><a>', "<b>1</b>", "</a></tool>"),
    "parts that do not end": ('<tool name="q"><a>', "<b>", "</a></tool>"),
    "parts that do not begin": ('<tool name="q"><a>', "</b>", "</a></tool>"),
    "parts that cross": ('<tool name="q"><a>', "<b><b><c></b>", "</a></tool>"),
    "tags that are none": ('<tool name="q"><a>', "<b ", "</a></tool>"),
    "quotes in tags": ('<tool name="q"><a>', '<b c="', "</a></tool>"),
    "comments": ('<tool name="q"><a>', "<!-- x -->", "</a></tool>"),
    "arguments that do not end": ('<tool name="q">', '<arg name="a"><arg name="b">1</arg>', "</tool>"),
    "closers that do not fit": ('<tool name="q">', "<path>1</path><b/>", "</tool>"),
    "text between arguments": ('<tool name="q">', "</b> x <c> ", "</tool>"),
}


def test_6_linear_time_bounded_memory_in_characters_looked_at_and_kept() -> None:
    """Twice the text is at most twice the work, from the first chunk to the end of finalize, whole and in fours."""
    families = {name: (*texts, "") for name, texts in GROWING.items()} | ARGUMENTS
    done = subprocess.run(
        [sys.executable, str(COUNT_WORK)], input=json.dumps(families), capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert list(found) == list(families)
    growth = {(name, chunk): twice / once for name, by in found.items() for chunk, (once, twice) in by.items()}
    assert {key: ratio for key, ratio in growth.items() if ratio > 2.1} == {}


@pytest.mark.parametrize("opener", ["", '<write_file path="p">', '<tool name="q">', "<think>", "see `"])
def test_6_linear_time_bounded_memory_in_bytes(opener: str) -> None:
    # Prose is never kept; the arguments of a call are, unless no one wants them.
    config = ParserConfig(invocations=not opener.startswith(("<write_file", "<tool")))
    handler = StreamingResponseHandler("xml", config=config, on_segment_event=lambda event: None)
    handler.feed(opener)
    chunk = "A chunk of prose with a < b in it, and so on, and so on, until it is long.\t"
    for _ in range(200):
        handler.feed(chunk)

    def feed() -> None:
        for _ in range(20_000):
            handler.feed(chunk)

    assert takes_at_most(16_383, feed)


#: Calls, and where in them their end is seen.
CALLS = [
    "<run_bash>rm -rf build && ls</run_bash>",
    '<write_file path="a.py">one\ntwo</write_file>',
    '<patch_file path="a.py">@@ -1 +1 @@</patch_file>',
    '<tool name="q"><arg name="a">1</arg><b>2</b></tool>',
    '<tool name="run_bash"><arg name="command">rm -rf build</arg><arg name="timeout">9</arg></tool>',
    '<tool name="run_bash"><command>rm -rf build</command></tool>',
    '<tool name="write_file"><arg name="path">a.py</arg><arg name="content">one\ntwo</arg></tool>',
    '<tool name="write_file"><content>__START_CONTENT__\none\n__END_CONTENT__</content><path>a.py</path></tool>',
]


def invocations_of(text: str) -> list[ToolInvocation]:
    handler = StreamingResponseHandler("xml")
    handler.feed(text)
    handler.finalize()
    return handler.invocations


@pytest.mark.parametrize("call", CALLS)
def test_7_truncated_is_never_complete(call: str) -> None:
    """Cut anywhere before its last character, a call is truncated, or is no call at all; and its path is never half."""
    (whole,) = invocations_of(call)
    assert whole.is_complete
    for length in range(len(call)):
        for kind, metadata, _, end in segments(parse(call[:length], "xml")):
            if kind != "text":
                assert end.pop("status") == "truncated"
                assert end in ({}, {"late": {"timeout": "9"}})
                assert metadata.get("path", "a.py") == "a.py"
        for cut in invocations_of(call[:length]):
            assert (cut.status, cut.name) == ("truncated", whole.name)
            rest = cut.arguments.items() - {(name, cut.content) for name in ("content", "patch", "command")}
            assert rest <= whole.arguments.items()


@given(documents())
@settings(max_examples=seeds.times(40), deadline=None)
def test_7_truncated_is_never_complete_unless_its_end_was_seen(text: str) -> None:
    """Of what finalize has to end, only a call whose `</tool>` was seen can be complete, and then it was repaired."""
    parser = StreamingParser("xml")
    parser.feed(text)
    for event in parser.finalize():
        if event.type is SegmentEventType.END and event.segment_type != "text" and "status" not in event.payload:
            assert "</tool" in text.lower()
            assert event.payload.get("repaired", False) or "__START_" in text
