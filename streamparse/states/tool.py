"""A tool without a state of its own.

    <tool name="q" mode="fast"><x>1</x></tool>      tool_call {"tool_name": "q", "mode": "fast"} `<x>1</x>`

The content is the raw inner XML, shown as it comes, up to the first `</tool>` outside an open `<arg name="…">`. One
flag says whether an argument is open, no depth: a nested `<arg>` keeps it open, and it is closed by a closer that
fits. A closer with another tag behind it is loose: it closes the argument if `</tool>` comes before one that fits.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import frozen

from streamparse.core.markers import NAME_END, Atom, Marker, Markers, compile_markers, opener, skip_blanks
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.held import NEXT_ARG, ArgumentsState, fitting_closers
from streamparse.families.calls.shown_ahead import ShownAheadState
from streamparse.families.xml.lexer import TagLexer

_END, _ARG, _CLOSE = "end", "arg", "close"
#: NEXT_ARG with few blanks, because it is looked at again with each chunk: what is shown already cannot be set aside.
_NEXT_ARG = ("<arg", Atom(r"[ \t\r\n]{1,256}+"), "name", Atom(r"[ \t\r\n]{0,256}+"), "=")

#: Any tag or comment, which may follow a closer that is loose.
_LOOSE = re.compile("<[A-Za-z_/!]")


@frozen
class _Patterns:
    end: re.Pattern[str]  # the call's closer alone
    outside: Markers  # no argument is open
    inside: Markers  # one is
    following: Markers  # what may stand behind an argument's closer
    next_arg: re.Pattern[str]  # `<arg name=`, which must
    fits: Markers  # all that must, in held text


@lru_cache(maxsize=64)
def _patterns(closer: Marker) -> _Patterns:
    end, arg = [closer], [opener("arg")]
    return _Patterns(
        compile_markers({_END: end}).pattern,
        compile_markers({_END: end, _ARG: arg}),
        compile_markers({_END: end, _CLOSE: [("</arg", NAME_END)]}),
        compile_markers({_END: end, _ARG: arg, _CLOSE: [("</arguments", NAME_END)]}),
        compile_markers({_ARG: [_NEXT_ARG]}).pattern,
        compile_markers({_CLOSE: fitting_closers("arg", closer, [NEXT_ARG])}),
    )


class ToolState(ShownAheadState, ArgumentsState):
    """START, the raw body, END. All of the body is content, whatever it means, except what may be the closer."""

    segment_type = SegmentType.TOOL_CALL.value

    _is_loose = False  # the open argument has a closer that may count
    _after_closer: str
    _lexer: TagLexer
    _patterns: _Patterns

    # -- phases -------------------------------------------------------------------------------------------------------

    def _begin(self) -> Progress:
        self._patterns = _patterns(self.opening.closer)
        self.context.emitter.emit_start(self.segment_type, self.metadata(), self.opening.format)
        if self.opening.is_empty:
            return self._finish()
        self._phase = "_outside"
        return GO_ON

    def _outside(self) -> Progress:
        """No argument is open: `</tool>` ends the call."""
        scanner, markers = self.context.scanner, self._patterns.outside
        match = markers.pattern.search(scanner.buf, scanner.pos)
        if match is None:
            return self._show_all()
        if match.lastindex is None:
            return self._wait(match.start())
        if markers.kinds[match.lastindex] == _ARG:
            return self._open_tag(match.end())
        self._show(match.start())
        scanner.pos = match.end()
        return self._finish()

    def _open_tag(self, end: int) -> Progress:
        self._read(end)
        self._lexer = TagLexer(("name",), self.context.config.limits.max_tag - len("<arg"), allow_angle=False)
        self._phase = "_tag"
        return GO_ON

    def _tag(self) -> Progress:
        """The rest of `<arg name="…">`."""
        scanner, lexer = self.context.scanner, self._lexer
        self._read(lexer.read(scanner.buf, scanner.pos, len(scanner.buf)))
        if lexer.is_failed:
            self._phase = "_outside"
        elif lexer.is_done:
            self._phase = "_outside" if lexer.is_empty else "_inside"
            self._is_loose = False
        else:
            self._show(len(scanner.buf))
            return NEED_MORE
        return GO_ON

    def _inside(self) -> Progress:
        """An argument is open: `</tool>` may be data."""
        scanner = self.context.scanner
        match = self._patterns.inside.pattern.search(scanner.buf, scanner.pos)
        if match is None:
            return self._show_all()
        if match.lastindex is None:
            return self._wait(match.start())
        self._read(match.start())
        if self._patterns.inside.kinds[match.lastindex] == _END:
            if self._is_loose:
                scanner.pos = match.end()
                return self._finish()
            self._hold(match.start(), match.end())
            self._phase = "_held"
        else:
            self._read(match.end())
            self._after_closer = "_closed"
            self._phase = "_closing"
        return GO_ON

    def _closing(self) -> Progress:
        """Behind `</arg` or `</arguments`."""
        following = self._skip_blanks()
        if not following:
            return NEED_MORE
        self._phase = "_inside"
        if following == ">":
            self._read(self.context.scanner.pos + 1)
            self._phase = self._after_closer
        return GO_ON

    def _closed(self) -> Progress:
        """Behind `</arg>`: it counts if one of the right things follows."""
        if not self._skip_blanks():
            return NEED_MORE
        scanner = self.context.scanner
        match = self._patterns.following.pattern.match(scanner.buf, scanner.pos)
        if match is None:
            # If it is cut behind its `<`, it may still be one that must follow: then there was a match.
            self._is_loose = self._is_loose or _LOOSE.match(scanner.buf, scanner.pos) is not None
            self._phase = "_inside"
        elif match.lastindex is None:
            return self._wait(scanner.pos)
        elif self._patterns.following.kinds[match.lastindex] == _CLOSE:
            self._read(match.end())
            self._after_closer = "_outside"
            self._phase = "_closing"
        elif self._patterns.following.kinds[match.lastindex] == _ARG:
            next_arg = self._patterns.next_arg.match(scanner.buf, scanner.pos)
            if next_arg and next_arg.lastindex is None:
                return self._wait(scanner.pos)
            self._phase = "_outside" if next_arg else "_inside"
            self._is_loose = True
        else:
            self._phase = "_outside"
        return GO_ON

    def _held(self) -> Progress:
        match = self._search_held(self._patterns.fits)
        if match is None:
            return NEED_MORE
        self._show_held(match.start())
        self._phase = "_inside"
        return GO_ON

    # -- showing ------------------------------------------------------------------------------------------------------

    def _show_all(self) -> Progress:
        self._read(len(self.context.scanner.buf))
        self.triggers = "<"
        return NEED_MORE

    def _wait(self, start: int) -> Progress:
        """The buffer ends inside a marker. Only a possible closer of the call is not shown."""
        scanner = self.context.scanner
        if self._patterns.end.match(scanner.buf, start):
            self._show(start)
            scanner.wait_past_blanks()
        else:
            self._show(len(scanner.buf))
        scanner.pos = start
        return NEED_MORE

    def _skip_blanks(self) -> str:
        """Read blanks; the character behind them, or nothing if it is not there yet."""
        scanner = self.context.scanner
        self._read(skip_blanks(scanner.buf, scanner.pos))
        return scanner.buf[scanner.pos : scanner.pos + 1]

    # -- the end ------------------------------------------------------------------------------------------------------

    def _finish(self, status: str | None = None, repaired: bool = False) -> Progress:
        self.context.emitter.emit_end(status, None, repaired)
        self.context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """No closer that fits came in time: the call ended at the `</tool>` that is held."""
        self._fall_back()
        self._finish(repaired=True)

    def finalize(self) -> None:
        """Without a `</tool>` the call is truncated."""
        if self.context.scanner.mark >= 0:
            self.on_limit()
        else:
            self._read(len(self.context.scanner.buf))
            self._finish("truncated")
