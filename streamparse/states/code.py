"""Markdown code in prose: inside it, what looks like a marker is text.

    see `<run_bash>` for that           all text: a run of one or two backticks opens an inline span,
                                        the next run of the same length or the line's end closes it

With `code="text"` fenced blocks too, closed or not:

    ```xml                              a run of three or more backticks or tildes, first on its line
    <run_bash>ls</run_bash>             all text
    ```                                 a run at least as long, alone on its line

By default fenced blocks are parsed, because models do wrap real calls in fences. Everything in here is text at once;
the only thing ever held back is a possible closer of the reasoning around it, which counts even in code, as special
tokens of the format do: a stray backtick must not hide the end of a message.

    _begin ──► _opening_run ──one or two──► _span ◄──► _run_in_span ──the same run──► prose
       │            ▲   └──three or more──► _info_line ──line end──► _fence_line ──► _rest_of_line ─┐
       └► _line_start                                                 ▲     └──► _closing_run ──────┤ it is not the end
          (code="text")                                               │             └► _behind_closing_run ──► prose
                                                                      └──────────── line end ◄──────┘
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import Marker, Markers, compile_markers
from streamparse.core.opening import Opener, Options
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress

_RUNS = {"`": re.compile(r"`*+"), "~": re.compile(r"~*+")}
#: The usual span, all of it there and no run of another length in it.
_WHOLE_SPAN = re.compile(r"(`{1,2}+)(?!`)[^`\r\n]*+(?:\1(?=[^`])|(?=[\r\n]))")
_INDENT = re.compile(r"[ \t]*+")
_BLANK_LINES = re.compile(r"[ \t\r\n]*+")
_LINE_BREAKS: tuple[Marker, ...] = (("\n",), ("\r",))

_TICK, _LINE_END, _OUT = "tick", "line_end", "out"


@lru_cache(maxsize=64)
def _patterns(closers: tuple[Marker, ...]) -> tuple[Markers, Markers]:
    """What matters in a span, and in a line of a fenced block."""
    return (
        compile_markers({_TICK: [("`",)], _LINE_END: _LINE_BREAKS, _OUT: closers}),
        compile_markers({_LINE_END: _LINE_BREAKS, _OUT: closers}),
    )


@frozen
class FirstOnLine(Options):
    """The run stands first on its line, so it may be a fence."""


class CodeState(BaseState):
    """Reads a span, a fence, or (with `code="text"`) the beginning of a line, where a fence may stand."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._fence = "`"  # the character the fence or span is made of
        self._size = 0  # the length of the run that opened it
        self._run = 0  # the length of the run that is being read
        self._ends = (*context.prose.closers, *context.grammar.span_ends)
        self._in_span, self._in_line = _patterns(self._ends)
        #: First on its line, so it may be a fence.
        self._is_first = isinstance(context.opener.options, FirstOnLine)

    def run(self) -> Progress:
        """Read phase after phase, then show all that was read."""
        scanner = self.context.scanner
        start = scanner.pos
        super().run()
        self.context.emitter.emit_prose(scanner.buf[start : scanner.pos], self.context.prose.segment_type)
        return NEED_MORE

    def finalize(self) -> None:
        """Unclosed code is text, like all code; the prose around it closes."""
        self.context.transition_to("text")

    # -- a line's beginning, a run that opens -----------------------------------------------------------------------

    def _begin(self) -> Progress:
        scanner = self.context.scanner
        if not self._is_first and not self._ends:
            match = _WHOLE_SPAN.match(scanner.buf, scanner.pos)
            if match:
                scanner.pos = match.end()
                return self._leave()
        self._phase = "_line_start" if self._is_first else "_opening_run"
        return GO_ON

    def _line_start(self) -> Progress:
        following = self._skip(_BLANK_LINES)
        if following in _RUNS:
            self._fence = following
            self._phase = "_opening_run"
            return GO_ON
        return self._leave() if following else NEED_MORE

    def _opening_run(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        if self._run > 2 and self._is_first:
            self._phase = "_info_line"
        elif self._run <= 2 and self._fence == "`":
            self._phase = "_span"
        else:
            if self.context.config.code == "auto":
                self.context.prose.note_fence(self._run)
            return self._leave()
        self._size = self._run
        return GO_ON

    # -- an inline span ---------------------------------------------------------------------------------------------

    def _span(self) -> Progress:
        found = self._find(self._in_span)
        if found != _TICK:
            return self._leave() if found else NEED_MORE
        self._run = 0
        self._phase = "_run_in_span"
        return GO_ON

    def _run_in_span(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        if self._run == self._size:
            return self._leave()
        self._phase = "_span"
        return GO_ON

    # -- a fenced block ---------------------------------------------------------------------------------------------

    def _info_line(self) -> Progress:
        """Behind the opening run. A backtick here says that it was no fence: "```x``` and so on"."""
        found = self._find(self._in_span if self._fence == "`" else self._in_line)
        if found != _LINE_END:
            return self._leave() if found else NEED_MORE
        self._phase = "_fence_line"
        return GO_ON

    def _fence_line(self) -> Progress:
        following = self._skip(_BLANK_LINES)
        if not following:
            return NEED_MORE
        self._run = 0
        self._phase = "_closing_run" if following == self._fence else "_rest_of_line"
        return GO_ON

    def _closing_run(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        self._phase = "_behind_closing_run" if self._run >= self._size else "_rest_of_line"
        return GO_ON

    def _behind_closing_run(self) -> Progress:
        following = self._skip(_INDENT)
        if following and following in "\r\n":
            return self._leave()
        self._phase = "_rest_of_line" if following else self._phase
        return GO_ON if following else NEED_MORE

    def _rest_of_line(self) -> Progress:
        found = self._find(self._in_line)
        if found != _LINE_END:
            return self._leave() if found else NEED_MORE
        self._phase = "_fence_line"
        return GO_ON

    # -- reading ----------------------------------------------------------------------------------------------------

    def _leave(self) -> Progress:
        self.context.transition_to("text")
        return NEED_MORE

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Read what `pattern` matches; the character behind it, or nothing if it is not there yet."""
        scanner = self.context.scanner
        match = pattern.match(scanner.buf, scanner.pos)
        assert match is not None  # the patterns match nothing, too
        scanner.pos = match.end()
        return scanner.buf[match.end() : match.end() + 1]

    def _count_run(self) -> bool:
        """Read more of a run; False if it may go on."""
        start = self.context.scanner.pos
        following = self._skip(_RUNS[self._fence])
        self._run += self.context.scanner.pos - start
        return bool(following)

    def _find(self, markers: Markers) -> str:
        """Read everything up to the next of `markers`, and say which it is; nothing if it is not there yet."""
        scanner = self.context.scanner
        match = markers.pattern.search(scanner.buf, scanner.pos)
        scanner.pos = match.start() if match else len(scanner.buf)
        if match is not None and match.lastindex is not None:
            return str(markers.kinds[match.lastindex])
        self.triggers = markers.heads
        scanner.wait_for(markers)
        return ""


_SPAN_OPENERS = (Opener(("`",), CodeState, is_common=True),)
_FENCE_OPENERS = tuple(Opener((mark,), CodeState, options=FirstOnLine(), is_common=True) for mark in "\n\r")
#: Fences, for whoever reads the beginnings of lines instead.
FENCES = tuple(Opener((mark,), CodeState, options=FirstOnLine(), is_common=True) for mark in _RUNS)

#: What prose must look for, by the setting `code`.
OPENERS: dict[str, tuple[Opener, ...]] = {
    "parse": (),
    "auto": _SPAN_OPENERS,
    "text": (*_FENCE_OPENERS, *_SPAN_OPENERS),
}
