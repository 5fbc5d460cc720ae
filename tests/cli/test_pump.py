"""A source, through the parser, into a view; and what a signal does to it."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from streamparse import SegmentEvent, ToolInvocation
from streamparse.cli.endings import Stopped, WrongUsageError
from streamparse.cli.pump import Tally, format_names, pump


class Record:
    """A view that notes what it is told; `on_show` is called with each item."""

    is_sequential = False

    def __init__(self, on_show: Callable[[Any], None] | None = None) -> None:
        self.notes: list[str] = []
        self._on_show = on_show

    def __enter__(self) -> None:
        self.notes.append("enter")

    def __exit__(self, *_: object) -> None:
        self.notes.append("exit")

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        if isinstance(item, ToolInvocation):
            self.notes.append(f"{item.name} {item.status}")
        else:
            self.notes.append(item.delta or f"{item.type} {item.payload.get('status', '')}".rstrip())
        if self._on_show:
            self._on_show(item)

    def flush(self) -> None:
        self.notes.append("flush")

    def say(self, line: str) -> None:
        raise AssertionError("nobody asked")


def test_the_view_is_flushed_before_each_wait_for_more() -> None:
    view = Record()
    tally = pump([b"<run_bash>l", b"s</run_bash>"], view, invocations=True)
    assert view.notes == [
        "enter",
        "SEGMENT_START",
        "l",
        "flush",
        "s",
        "SEGMENT_END",
        "run_bash complete",
        "flush",
        "exit",
    ]
    assert tally == Tally(1, Counter(complete=1))


def test_text_is_cut_anew_before_it_is_parsed() -> None:
    view = Record()
    pump([b"abcd", b"e"], view, ["xml"], chunk_size=2)
    assert view.notes == ["enter", "SEGMENT_START", "ab", "cd", "flush", "flush", "e", "SEGMENT_END", "exit"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_waiting_ends_the_source_and_closes_what_is_open(number: int) -> None:
    def source() -> Iterator[bytes]:
        yield b"<run_bash>ls"
        signal.raise_signal(number)
        yield b" never read"

    before = signal.getsignal(number)
    view = Record()
    with pytest.raises(Stopped) as raised:
        pump(source(), view, invocations=True)
    assert raised.value.exit_code == 128 + number
    assert view.notes == [
        "enter",
        "SEGMENT_START",
        "ls",
        "flush",
        "SEGMENT_END truncated",
        "run_bash truncated",
        "exit",
    ]
    assert signal.getsignal(number) == before


def test_a_signal_at_work_lets_the_work_be_finished() -> None:
    view = Record(lambda item: signal.raise_signal(signal.SIGINT) if item.type == "SEGMENT_START" else None)
    with pytest.raises(Stopped):
        pump([b"ab", b"never read"], view)
    assert view.notes == ["enter", "SEGMENT_START", "ab", "flush", "SEGMENT_END", "exit"]


def test_a_second_signal_does_not_wait() -> None:
    view = Record(lambda item: signal.raise_signal(signal.SIGINT))
    with pytest.raises(Stopped):
        pump([b"ab", b"never read"], view)
    assert view.notes == ["enter", "SEGMENT_START", "ab", "exit"]


def test_formats_may_be_listed() -> None:
    assert format_names(["xml, xml_tag", "xml"]) == ["xml", "xml_tag", "xml"]
    assert format_names([]) == []


@pytest.mark.parametrize("value", ["nope", "xml,nope", ""])
def test_a_format_that_is_not_known_is_wrong_usage(value: str) -> None:
    with pytest.raises(WrongUsageError, match=r"^unknown format '(nope)?': `streamparse formats` lists them$"):
        format_names([value])
