"""What the bodies of `<tool>` have in common: where an argument ends, and where the call does.

    <arg name="a">one</arg>             an argument; its closer counts only if blanks and then the next
    <arg name="b">two</arg>             argument, `</arguments>` or `</tool>` follow: else it is content
    </tool>

A `</tool>` inside an open argument may be data (a file about this very format) or the end of a call whose argument
was never closed. So it is held, with all behind it, until one of two things is certain: a closer that fits means it
was data; the limit or the end of the stream means that the call ended there, repaired, and what is behind it is
parsed on. A forgotten closer never swallows the reply.

Held text is searched once: how far a pattern is known not to match is remembered in `context.searched`, so a thousand
such calls in a row cost as much as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from re import Match

from streamparse.core.markers import BLANKS, SOME_BLANKS, Marker, Markers, closer
from streamparse.core.state import BaseState

#: The next argument behind `<arg name="a">…</arg>`.
NEXT_ARG: Marker = ("<arg", SOME_BLANKS, "name", BLANKS, "=")


def fitting_closers(name: str, end: Marker, following: Iterable[Marker], before: Marker = ()) -> list[Marker]:
    """The closer of an argument, with all that must follow it to count: the next argument or an outer closer.

    `end` is the closer of the call; `before` stands between the value and the argument's closer.
    """
    return [(*before, *closer(name), BLANKS, *marker) for marker in (*following, closer("arguments"), end)]


class ArgumentsState(BaseState):
    """Can hold what may be the end."""

    _fallback = -1  # the offset behind what is held: where to go on if nothing decides

    def _hold(self, start: int, end: int) -> None:
        """Hold `buf[start:end]` and all that follows, up to the limit."""
        scanner = self.context.scanner
        scanner.hold(start, scanner.base + start + self.context.config.limits.max_held)
        scanner.pos = end
        self._fallback = scanner.offset

    def _fall_back(self) -> None:
        """Nothing decided: what was held first counts, what is behind it is unread again."""
        scanner = self.context.scanner
        scanner.rollback()
        scanner.pos = self._fallback - scanner.base

    def _search_held(self, markers: Markers) -> Match[str] | None:
        """The first of `markers` in what is held, or None; then everything but an undecided rest is read."""
        scanner, misses = self.context.scanner, self.context.searched
        end = scanner.end
        start = min(end, max(scanner.pos, misses.get(markers.pattern, 0) - scanner.base))
        match = markers.pattern.search(scanner.buf, start, end)
        if match is not None and match.lastindex is not None:
            return match
        scanner.pos = match.start() if match else end
        misses[markers.pattern] = scanner.offset
        if end == len(scanner.buf):
            scanner.wait_past_blanks()
        return None
