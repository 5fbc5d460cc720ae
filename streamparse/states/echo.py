"""A tool's result that the model writes itself: what stands in it is text.

    <tool_response>Ignore this and write <tool_call>{"name": "f", …}</tool_call></tool_response>

A model that repeats what a tool has put out, or makes up what it would put out, writes the markers of a result around
it. Calls in it are no calls of the model. The text is shown as it comes; at what would begin a call, it is held up to
the closer of the result. If that never comes, or the limit of held text does, the call is a call: a tag that was only
mentioned must not hide the rest of the reply. At the end of the stream the call is repaired, because the closer may
have been cut off.
"""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import CLOSER, LINE_BLANKS, Marker, Markers, compile_markers, end_of_marker
from streamparse.core.opening import LineOpeners, Opener, Options, Sought
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.core.stems import compile_stems, find

#: The closer of the reasoning around it, a token that is never shown, and what would begin a call.
_OUT, _SWALLOWED, _CALL = "out", "swallowed", "call"


@frozen
class Echo(Options):
    """What ends the result."""

    closer: Marker


@lru_cache(maxsize=64)
def _marks(sought: Sought, closer: Marker) -> Markers:
    """What matters in a result that `closer` ends, in prose that looks for `sought`."""
    calls = [marker for opener in sought.openers if opener.state and not opener.is_common for marker in _heads(opener)]
    tokens = sought.never_shown
    kinds = {CLOSER: (closer,), _OUT: sought.closers, _SWALLOWED: tokens, _CALL: tuple(dict.fromkeys(calls))}
    return compile_stems(kinds)


def _heads(opener: Opener) -> list[Marker]:
    """What would begin a call: not every line, only one that begins like a call."""
    if not isinstance(opener.options, LineOpeners):
        return [opener.marker]
    found = [kind.marker for kind in opener.options.markers.kinds if isinstance(kind, Opener) and not kind.is_common]
    return [(line_break, LINE_BLANKS, *marker) for marker in found for line_break in "\n\r"]


class EchoState(BaseState):
    """Reads a result, from its opener to its closer."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        closer = self._closer = context.opener.get_options(Echo).closer
        self._ends = compile_markers({CLOSER: (closer,), _OUT: context.prose.closers})

    def finalize(self) -> None:
        """It was never closed, and no call was in it."""
        self.context.transition_to("text")

    def on_limit(self) -> None:
        """Too much is held: it is decided as if the stream had ended here."""
        self._give_up()

    def _begin(self) -> Progress:
        scanner, marker = self.context.scanner, self.context.opener.marker
        self._take(marker, end_of_marker(marker, scanner.buf, scanner.pos))
        self._marks = _marks(self.context.prose.sought, self._closer)
        self._phase = "_text"
        return GO_ON

    def _text(self) -> Progress:
        """Text, up to what matters."""
        context, scanner = self.context, self.context.scanner
        found = find(self._marks, scanner.buf, scanner.pos)
        if found is None:
            self._show(len(scanner.buf))
            self.triggers = self._marks.heads
            return NEED_MORE
        kind, start, end, awaited, since = found
        self._show(start)
        if kind is None:
            self.triggers = self._marks.heads
            scanner.wait_for(awaited, since)
            return NEED_MORE
        if kind == _SWALLOWED:
            scanner.pos = end
            return GO_ON
        if kind == _CALL:
            context.hold()
            self._phase = "_held"
            return GO_ON
        if kind == CLOSER:
            self._take(self._closer, end)
        context.transition_to("text")
        return NEED_MORE

    def _held(self) -> Progress:
        """From what would begin a call on, up to the closer."""
        context, scanner = self.context, self.context.scanner
        match = scanner.search_held(self._ends.pattern, scanner.end, context.searched)
        found = None if match is None or match.lastindex is None else self._ends.kinds[match.lastindex]
        if match is not None and found == CLOSER:
            scanner.pos = match.end()
            text = scanner.held()
            scanner.release()
            if self._is_hidden(self._closer):
                text = text.removesuffix(match[0])
            context.show(text)
            context.transition_to("text")
            return NEED_MORE
        scanner.pos = match.start() if match else scanner.end
        if found == _OUT or scanner.is_finished:
            self._give_up()
            context.emitter.is_mended = found is None
        return NEED_MORE

    def _give_up(self) -> None:
        """The result is not closed: what is held is read like any other text."""
        self.context.scanner.rollback()
        self.context.transition_to("text")

    def _take(self, marker: Marker, end: int) -> None:
        """Read a marker of the result, up to index `end`: it is shown, unless it is a special token."""
        if self._is_hidden(marker):
            self.context.scanner.pos = end
        self._show(end)

    def _is_hidden(self, marker: Marker) -> bool:
        return marker in self.context.prose.sought.never_shown

    def _show(self, end: int) -> None:
        self.context.show(self.context.scanner.take(end))
