"""Parts: what of the items of a reply is told to clients, and in which order."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse import SegmentContent, SegmentEnd, SegmentStart, ToolInvocation
from streamparse.encoders.part import (
    CallDelta,
    CallEnd,
    CallStart,
    Other,
    Part,
    TextDelta,
    TextEnd,
    TextStart,
)
from streamparse.encoders.parts import Parts
from streamparse.invocations import AnyItem
from streamparse.invocations.lifecycle import ToolLifecycle
from streamparse.outcome import Outcome, StreamEnd
from tests.encoders.kit import CALL, EMPTY_CALL, TOOLS, at_once, cuts, items


def parts_of(stream: list[AnyItem], **options: Any) -> list[Part]:
    parts = Parts(TOOLS, **options)
    return [*(part for item in stream for part in parts.feed(item)), *parts.finish()]


def told(stream: list[AnyItem], **options: Any) -> list[tuple[Any, ...]]:
    """The parts in short, with the deltas of each joined."""
    found: list[tuple[Any, ...]] = []
    for part in parts_of(stream, **options):
        match part:
            case TextDelta() | CallDelta():
                row: tuple[Any, ...] = (part.id, part.delta)
                if found and found[-1][0] == part.id and len(found[-1]) == 2:
                    row = (part.id, found.pop()[1] + part.delta)
            case TextStart():
                row = ("reasoning" if part.is_reasoning else "text", part.id, "begins")
            case TextEnd():
                row = ("reasoning" if part.is_reasoning else "text", part.id, "ends")
            case CallStart():
                row = (part.name, part.id, part.index, part.call_id)
            case CallEnd():
                row = (part.invocation.name, part.id, part.index, part.invocation.status, part.invocation.arguments)
            case Other():
                row = ("other", part.segment.type, part.segment.content)
            case _:
                continue
        found.append(row)
    return found


def test_all_of_a_reply_whatever_the_chunks() -> None:
    text = f"<think>Hm.</think>\n\nHi.\n{CALL}\n{EMPTY_CALL}\nBye."
    for chunks in cuts(text):
        assert told(items(chunks)) == [
            *(("reasoning", "seg_1", "begins"), ("seg_1", "Hm."), ("reasoning", "seg_1", "ends")),
            *(("text", "seg_2", "begins"), ("seg_2", "\n\nHi."), ("text", "seg_2", "ends")),
            *(("f", "seg_3", 0, None), ("seg_3", '{"s": "x", "n": 1}')),
            ("f", "seg_3", 0, "complete", {"s": "x", "n": 1}),
            *(("g", "seg_5", 1, None), ("seg_5", "{}"), ("g", "seg_5", 1, "complete", {})),
            *(("text", "seg_6", "begins"), ("seg_6", "\nBye."), ("text", "seg_6", "ends")),
        ]


@pytest.mark.parametrize("length", range(41, CALL.index("}}") + 1))
def test_a_call_that_is_cut_is_no_json(length: int) -> None:
    for chunks in cuts(CALL[:length]):
        start, (_, arguments), end = told(items(chunks))
        assert (start[0], end[3]) == ("f", "truncated")
        with pytest.raises(json.JSONDecodeError):
            json.loads(arguments)


def test_a_malformed_call_without_arguments_is_no_json() -> None:
    stream = items('<tool_call>{"name": "f", "arguments": nothing}</tool_call>')
    assert [row[:4] for row in told(stream)] == [
        *(("f", "seg_1", 0, None), ("seg_1", "{"), ("f", "seg_1", 0, "malformed"))
    ]


def test_a_call_that_is_nested_too_deeply_is_malformed_whatever_the_chunks() -> None:
    text = '<tool_call>{"name": "f", "arguments": {"s": ' + "[" * 5000 + "]" * 5000 + "}}</tool_call>"
    for chunks in ([text], [text[:60], text[60:]], [text[place : place + 900] for place in range(0, len(text), 900)]):
        *_, end, _ = parts_of(items(chunks))
        assert isinstance(end, CallEnd)
        assert (end.invocation.status, end.invocation.error) == ("malformed", "the arguments are nested too deeply")


def test_text_that_turns_out_to_be_reasoning() -> None:
    stream: list[AnyItem] = [
        SegmentStart("seg_1", "text"),
        SegmentContent("seg_1", "Hm."),
        SegmentEnd("seg_1", reasoning=True, state={"a": 1}),
        StreamEnd(Outcome("stop")),
    ]
    assert parts_of(stream)[:-1] == [
        *(TextStart("seg_1", False), TextDelta("seg_1", False, "Hm.")),
        TextEnd("seg_1", False, was_reasoning=True, state={"a": 1}),
    ]


def text(number: int, *deltas: str, end: bool = True) -> list[AnyItem]:
    name = f"seg_{number}"
    contents = [SegmentContent(name, delta) for delta in deltas]
    return [SegmentStart(name, "text"), *contents, *([SegmentEnd(name)] if end else [])]


def test_two_texts_in_a_row_lose_nothing_between_them() -> None:
    stream = [*text(1, "The grass is "), *text(2, "green"), *text(3, "\n"), *text(4, ".")]
    assert [row for row in told(stream) if len(row) == 2] == [
        *(("seg_1", "The grass is "), ("seg_2", "green"), ("seg_3", "\n"), ("seg_4", "."))
    ]


def test_a_source_does_not_end_the_text_that_it_stands_in() -> None:
    source: list[AnyItem] = [SegmentStart("seg_2", "source", {"url": "u"}), SegmentEnd("seg_2")]
    stream = [*text(1, "a ", end=False), *source, SegmentContent("seg_1", "b"), SegmentEnd("seg_1")]
    assert told(stream) == [
        *(("text", "seg_1", "begins"), ("seg_1", "a"), ("other", "source", "")),
        *(("seg_1", " b"), ("text", "seg_1", "ends")),
    ]


def test_any_other_segment_ends_the_text_before_it() -> None:
    note: list[AnyItem] = [SegmentStart("seg_2", "note"), SegmentContent("seg_2", "n"), SegmentEnd("seg_2")]
    assert told([*text(1, "a\n"), *note]) == [
        *(("text", "seg_1", "begins"), ("seg_1", "a\n"), ("text", "seg_1", "ends"), ("other", "note", "n")),
    ]


def test_what_nobody_has_begun_is_ignored() -> None:
    assert told([SegmentContent("seg_9", "x"), SegmentEnd("seg_9")]) == []


def test_lifecycle_events_are_passed_on() -> None:
    step = ToolLifecycle("running", "seg_1", "f")
    assert parts_of([step, StreamEnd(Outcome("stop"))]) == [step, StreamEnd(Outcome("stop"))]


def test_calls_at_the_same_time_keep_their_numbers() -> None:
    assert told(at_once()) == [
        *(("f", "seg_1", 0, "a"), ("seg_1", '{"s": "'), ("g", "seg_2", 1, "b"), ("seg_2", "{"), ("seg_1", 'x"}')),
        *(("f", "seg_1", 0, "complete", {"s": "x"}), ("seg_2", "}"), ("g", "seg_2", 1, "complete", {})),
    ]


def test_a_call_whose_invocation_does_not_come_ends_as_its_segment_does() -> None:
    stream = [item for item in items(f"{CALL}{EMPTY_CALL}a") if not isinstance(item, ToolInvocation)]
    assert told(stream) == told(items(f"{CALL}{EMPTY_CALL}a"))


def test_content_behind_such_a_call_is_told_behind_its_end() -> None:
    stream = [item for item in items(CALL) if not isinstance(item, ToolInvocation | StreamEnd)]
    rows = told([*text(9, "a", end=False), *stream, SegmentContent("seg_9", "b")])
    assert [row[0] for row in rows] == ["text", "seg_9", "text", "f", "seg_1", "f"]


def test_an_invocation_that_comes_too_late_is_not_told_again() -> None:
    stream = items(CALL)
    [call] = [item for item in stream if isinstance(item, ToolInvocation)]
    others = [item for item in stream if item is not call]
    assert told([*others[:-1], *text(9, "a"), call]) == [*told(others), *told(text(9, "a"))]


def test_a_call_that_only_the_reply_knows_is_told_whole() -> None:
    call = ToolInvocation("seg_2", "sql", {"query": "select 1"}, call_id="c")
    rows = told([*text(1, "a\n"), call])
    assert rows[1:] == [
        *(("seg_1", "a"), ("text", "seg_1", "ends"), ("sql", "seg_2", 0, "c")),
        *(("seg_2", '{"query": "select 1"}'), ("sql", "seg_2", 0, "complete", {"query": "select 1"})),
    ]


def test_arguments_that_were_told_and_are_none_make_the_call_malformed() -> None:
    stream = items(CALL)
    changed = [ToolInvocation("seg_1", "f", {}) if isinstance(item, ToolInvocation) else item for item in stream]
    [end] = [part for part in parts_of(changed) if isinstance(part, CallEnd)]
    assert (end.invocation.status, end.invocation.error) == (
        "malformed",
        "the argument s was written, and the call has none of that name",
    )


def test_after_every_item_what_is_open_can_be_closed() -> None:
    stream = items(list(f"<think>Hm.</think>\n\nHi.\n{CALL}\n"))
    for length in range(len(stream)):
        rows = told(stream[:length])
        begun = [row for row in rows if row[-1] == "begins" or len(row) == 4]
        ended = [row for row in rows if row[-1] == "ends" or len(row) == 5]
        assert len(begun) == len(ended)
        assert [part for part in parts_of(stream[:length]) if isinstance(part, StreamEnd)] == [
            StreamEnd(Outcome("cancelled"))
        ]


def test_text_that_is_left_is_cut() -> None:
    assert parts_of(text(1, "a", end=False))[2] == TextEnd("seg_1", False, is_cut=True)


def test_what_has_ended_is_not_finished_again() -> None:
    parts = Parts()
    parts.feed(StreamEnd(Outcome("stop")))
    assert parts.finish() == []


def test_arguments_are_told_when_they_have_grown_enough() -> None:
    body = "x" * 3000
    call = f'<tool_call>{{"name": "f", "arguments": {{"s": "{body}"}}}}</tool_call>'
    deltas = [part.delta for part in parts_of(items(list(call)), grain=256) if isinstance(part, CallDelta)]
    assert "".join(deltas) == f'{{"s": "{body}"}}'
    assert 10 < len(deltas) < 14


def test_arguments_that_have_not_grown_enough_are_told_at_the_end() -> None:
    call = f'<tool_call>{{"name": "f", "arguments": {{"s": "{"x" * 1100}"}}}}</tool_call>'
    deltas = [part.delta for part in parts_of(items(list(call)), grain=5000) if isinstance(part, CallDelta)]
    assert deltas == [f'{{"s": "{"x" * 1100}"}}']


def test_a_long_call_is_told_while_it_comes() -> None:
    body = "x" * 3000
    call = f'<tool_call>{{"name": "f", "arguments": {{"s": "{body}"}}}}</tool_call>'
    deltas = [part.delta for part in parts_of(items(list(call))) if isinstance(part, CallDelta)]
    assert "".join(deltas) == f'{{"s": "{body}"}}'
    assert len(deltas) > 1000


def test_the_name_is_that_of_the_tool_that_is_declared() -> None:
    [start] = [part for part in parts_of(items(CALL.replace('"f"', '"F"'))) if isinstance(part, CallStart)]
    assert start.name == "f"


@pytest.mark.parametrize(
    ("format", "text", "told", "arguments"),
    [
        (
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"s": "x", "n": 1, "s": "y"}}</tool_call>',
            '{"s": "x", "n": 1, "s": "y"}',
            {"s": "y", "n": 1},
        ),
        (
            "hermes",
            '<tool_call>{"name": "f", "arguments": {"s": "x", "s": "x"}}</tool_call>',
            '{"s": "x"}',
            {"s": "x"},
        ),
        (
            "hermes",
            '<tool_call>{"name": "h", "arguments": {"o": {"a": 1, "a": [2]}}}</tool_call>',
            '{"o": {"a": 1}, "o": {"a": [2]}}',
            {"o": {"a": [2]}},
        ),
        ("cline", "<f><s>x</s><n>1</n><s>y</s></f>", '{"s": "x", "n": 1, "s": "y"}', {"s": "y", "n": 1}),
    ],
)
def test_an_argument_that_is_written_twice(format: str, text: str, told: str, arguments: dict[str, Any]) -> None:
    """However it is cut: the deltas have both values, the last of them last, and the whole text has that alone."""
    for chunks in (*cuts(text), *([text[:place], text[place:]] for place in range(1, len(text)))):
        parts = parts_of(items(chunks, format))
        [end] = [part for part in parts if isinstance(part, CallEnd)]
        assert "".join(part.delta for part in parts if isinstance(part, CallDelta)) == told
        assert (end.invocation.arguments, end.invocation.status) == (arguments, "complete")
        assert end.text == json.dumps(arguments)
        assert json.loads(told) == arguments
