"""InTurn: what a view that shows one segment at a time is told of segments that interleave."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamparse import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart, ToolInvocation
from streamparse.cli.in_turn import InTurn


class Record:
    """A view that notes what it is told: `+1`, `1a`, `-1`, `=1` for START, CONTENT, END and invocation."""

    is_sequential = True

    def __init__(self) -> None:
        self.notes: list[str] = []

    def __enter__(self) -> None:
        self.notes.append("enter")

    def __exit__(self, *_: object) -> None:
        self.notes.append("exit")

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        if isinstance(item, ToolInvocation):
            self.notes.append(f"={item.id}")
        else:
            sign = {"SEGMENT_START": "+", "SEGMENT_END": "-"}.get(item.type, "")
            self.notes.append(f"{sign}{item.segment_id}{item.delta or ''}")

    def flush(self) -> None:
        self.notes.append("flush")

    def say(self, line: str) -> None:
        self.notes.append(line)


def item(note: str) -> Any:
    """The item of a note."""
    name = note.strip("+-=")
    if note[0] == "=":
        return ToolInvocation(name, "f", {})
    if note[0] == "+":
        return SegmentStart(name, "tool_call", {})
    return SegmentEnd(name) if note[0] == "-" else SegmentContent(name[0], name[1:])


def shown(told: str) -> list[str]:
    view = Record()
    turns = InTurn(view)
    with turns:
        for note in told.split():
            if note == "flush":
                turns.flush()
            else:
                turns.show(item(note))
    assert view.notes[0] == "enter"
    assert view.notes[-1] == "exit"
    return view.notes[1:-1]


@pytest.mark.parametrize(
    "told",
    [
        "",
        "+1 1a flush 1b -1 flush +2 -2 =2 flush +3 3a -3 =3",
        "+1 -1 flush flush",
        "+1 1a",
    ],
)
def test_what_does_not_interleave_passes_unchanged(told: str) -> None:
    assert shown(told) == told.split()


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("+1 +2 2a 1a -2 =2 1b -1 =1", "+1 1a 1b -1 =1 +2 2a -2 =2"),
        ("+1 +2 2a -1 =1 2b -2 =2", "+1 -1 =1 +2 2a 2b -2 =2"),
        ("+1 +2 +3 3a -3 =3 2a -2 =2 -1 =1", "+1 -1 =1 +2 2a -2 =2 +3 3a -3 =3"),
        ("+1 +2 +3 -2 =2 -1 +4 3a 4a -3 =3 -4", "+1 -1 +2 -2 =2 +3 3a -3 =3 +4 4a -4"),
        ("+1 +2 -2 =2 +3 -3 =3 -1 +4 4a -4", "+1 -1 +2 -2 =2 +3 -3 =3 +4 4a -4"),
        # Without an invocation only the next item, or a pause, shows that none comes.
        ("+1 +2 2a -1 flush 2b -2", "+1 -1 +2 2a flush 2b -2"),
        ("+1 +2 2a flush 1a -2 flush -1 =1 flush", "+1 flush 1a flush -1 =1 +2 2a -2 flush"),
        # Nothing is lost where the end came too early for it.
        ("+1 +2 2a -2 -1", "+1 -1 +2 2a -2"),
    ],
)
def test_segments_that_interleave_come_one_after_the_other(told: str, expected: str) -> None:
    assert shown(told) == expected.split()


@given(st.data())
def test_every_interleaving_is_told_in_the_order_of_the_starts(data: st.DataObject) -> None:
    scripts = {
        name: [f"+{name}", *(f"{name}{letter}" for letter in letters), f"-{name}", *([f"={name}"] if is_call else [])]
        for name, letters, is_call in data.draw(
            st.lists(
                st.tuples(st.sampled_from("12345"), st.text("ab", max_size=3), st.booleans()), unique_by=lambda x: x[0]
            )
        )
    }
    rest = {name: list(notes) for name, notes in scripts.items()}
    told: list[str] = []
    starts: list[str] = []
    while rest:
        name = data.draw(st.sampled_from(sorted(rest)))
        notes = rest[name]
        starts += [name] if notes[0] == f"+{name}" else []
        told.append(notes.pop(0))
        if told[-1] == f"-{name}":  # an invocation comes right behind the END
            told += notes
            del rest[name]
    assert shown(" ".join(told)) == [note for name in starts for note in scripts[name]]


def test_remarks_pass() -> None:
    view = Record()
    InTurn(view).say("hi")
    assert view.notes == ["hi"]


def test_an_item_costs_the_same_however_many_wait() -> None:
    def cost(count: int) -> float:
        turns = InTurn(Record())
        names = [str(number) for number in range(count)]
        begin = time.process_time()
        for name in names:
            turns.show(SegmentStart(name, "tool_call", {}))
        for name in names:
            turns.show(SegmentEnd(name))
            turns.flush()
        return time.process_time() - begin

    assert min(cost(20_000) for _ in range(3)) < 30 * min(cost(2_000) for _ in range(3))
