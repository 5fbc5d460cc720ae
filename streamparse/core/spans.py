"""Spans: where in the stream the segments of blocks stand, for whoever wants their text as the model wrote it.

    Hi <calls><call>{…}</call> <call>{…}</call></calls> ok
       ^span 1                ^span 2                 ^

A block begins with its marker and ends behind its closer. If it has several segments, each begins where the one before
it ended, behind its own closers, and the last one ends with the block. Nobody keeps spans unless asked to.
"""

from __future__ import annotations

from attrs import define

from streamparse.core.scanner import StreamScanner


@define
class Span:
    """From `begin` up to `end`, in characters of the stream; `is_final`: it does not grow any more."""

    begin: int
    end: int = -1
    is_final: bool = False


class Spans:
    """Is told of blocks and their segments, when the scanner is there.

    `begin` is where the block begins that is being read, or the rest of it behind a segment. `found` are the spans by
    the ids of the segments; whoever reads them takes them out.
    """

    __slots__ = ("_last", "_scanner", "begin", "found")

    def __init__(self, scanner: StreamScanner) -> None:
        self._scanner = scanner
        self._last = Span(0)
        self.begin = scanner.offset
        self.found: dict[str, Span] = {}

    def enter(self) -> None:
        """A block begins, or a part of one."""
        self.begin = self._scanner.offset

    def start(self, segment_id: str) -> None:
        """A segment of the block starts."""
        self._last.is_final = True
        self._last = self.found[segment_id] = Span(self.begin)

    def end(self) -> None:
        """It has ended, or a closer behind it was read; the block may go on."""
        self.begin = self._last.end = self._scanner.offset

    def leave(self) -> None:
        """The block has ended."""
        self.end()
        self._last.is_final = True
