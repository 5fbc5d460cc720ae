"""Shown: what is shown runs ahead of what is read.

    <function=f><parameter=a>x</par     `</par` is shown at once, because all of it is content whatever follows;
                             ^          but it is read only when the next characters say whether it closes the parameter

So the cursor of the scanner stays where reading goes on, and its `shown` says what must not be shown again.
"""

from __future__ import annotations

from re import Pattern

from streamparse.arguments.sink import ValueTag
from streamparse.core.context import ParserContext
from streamparse.events import SegmentContent


class Shown:
    """Emits content of the open segment from the scanner's cursor on, whether it is read or not."""

    __slots__ = ("_emitter", "_scanner")

    def __init__(self, context: ParserContext) -> None:
        self._scanner = context.scanner
        self._emitter = context.emitter
        context.scanner.shown = context.scanner.offset

    def show(self, end: int) -> None:
        """Emit what is not emitted yet, up to index `end` of the buffer."""
        scanner = self._scanner
        start = scanner.shown - scanner.base
        if start < 0:
            start = 0  # whole chunks have been shown without a state
        if start < end:
            emitter, text = self._emitter, scanner.buf[start:end]
            if emitter.live is None:  # `emit_content`, without a call for every chunk
                emitter.events.append(SegmentContent(emitter.segment_id, text, emitter.segment_type))
            else:
                emitter.live.feed(text)
            scanner.shown = scanner.base + end

    def show_before(self, closer: Pattern[str]) -> bool:
        """Emit all, unless a piece of `closer` may be in it. Nothing that is shown is searched again."""
        scanner = self._scanner
        buf, start = scanner.buf, scanner.shown - scanner.base
        if closer.search(buf, start if start > 0 else 0) is not None:
            return False  # what it closes has to be read
        self.show(len(buf))
        return True

    def show_held(self) -> None:
        """What is held is content, up to the cursor: emit what of it is no longer in the buffer."""
        scanner = self._scanner
        if scanner.has_moved:
            self._emitter.emit_content(scanner.held()[max(0, scanner.shown - scanner.settled) :])
            scanner.shown = max(scanner.shown, scanner.offset)


class RawContent(Shown):
    """The sink of a call whose whole text is content: nothing is kept, and the decoder tells what is wrong with it."""

    __slots__ = ()

    def open_value(self, name: str, tag: ValueTag) -> None:
        """It is content like all else."""

    def take(self, text: str, *, is_followed: bool) -> None:
        """It is in the buffer, and will be shown from there."""

    def take_held(self, text: str, *, is_followed: bool) -> None:
        """What was held long ago is no longer in the buffer."""
        self.show_held()

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """Nothing is kept."""

    def drop_value(self) -> None:
        """Nothing is kept."""

    def report(self, problem: str) -> None:
        """The decoder finds it, too."""
