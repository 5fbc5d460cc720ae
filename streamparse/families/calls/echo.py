"""Calls that the model may write a second time, behind the marker that ends them.

    <|tool_call_start|>[f(a=1)]<|tool_call_end|>[f(a=1)]<|tool_call_end|>       one call

LFM2 does. The echo is swallowed only if it is the same text to the letter, up to a second end marker; all else is text
(and what may still become the echo is held). Of a longer section none is expected.
"""

from __future__ import annotations

from streamparse.core.scanner import StreamScanner

#: Up to this length a section is kept, to know it again: every chunk of it must then be looked at.
_LONGEST = 4_096


class Echo:
    """What was read of a section that begins where the cursor is."""

    __slots__ = ("_from", "_pieces", "_run_from", "_scanner")

    def __init__(self, scanner: StreamScanner) -> None:
        self._scanner = scanner
        self._from = scanner.offset
        self._pieces: list[str] = []
        self._run_from = 0  # where this run begins, in the buffer

    @property
    def is_expected(self) -> bool:
        """Whether the section is short enough."""
        return self._scanner.offset - self._from <= _LONGEST

    def begin_run(self) -> None:
        """The state begins to read on."""
        self._run_from = self._scanner.pos

    def end_run(self) -> None:
        """The state has read on."""
        if self.is_expected:
            self._pieces.append(self._scanner.buf[self._run_from : self._scanner.pos])
        else:
            self._pieces.clear()

    def skip(self, opening: str) -> bool:
        """Read the echo, if it comes; False if that is not known yet. The `opening` of the section is not repeated."""
        scanner = self._scanner
        if self.is_expected:
            pieces = [*self._pieces, scanner.buf[self._run_from : scanner.pos]]
            echo = "".join(pieces)[len(opening) :]
            following = scanner.buf[scanner.pos : scanner.pos + len(echo)]
            if following != echo and echo.startswith(following):
                return False
            if following == echo:
                scanner.pos += len(echo)
        return True
