"""Markdown code in prose: inside it, what looks like a marker is text.

    see `<run_bash>` for that           all text: a run of one or two backticks opens an inline span,
                                        the next run of the same length or the line's end closes it

With `code="text"` fenced blocks too, closed or not, and lines of quotes:

    ```xml                              a run of three or more backticks or tildes, first on its line
    <run_bash>ls</run_bash>             all text
    ```                                 a run at least as long, alone on its line
    > <run_bash>ls</run_bash>           one `>`, first on its line
    see ```<run_bash>``` for that       a longer run behind something else is that of a span
    see: ```xml                         and at the end of its line, with a word or none behind it, that of a span of
    <run_bash>ls</run_bash>```          several lines: the next run of its length closes it

By default fenced blocks are parsed, because models do wrap real calls in fences. Nearly everything in here is text at
once. A closer of the reasoning around it, and the end of a message, count even in code. What begins with a special
token of the format, and a call whose head goes over the end of the line, are text in a span that is closed, and count
in one that is not: so text is held there and read ahead (`span_ahead.py`). In a fenced block and in a quote special
tokens are swallowed, and the tags of citations everywhere.

    _begin ──► _opening_run ──one or two──► _span ◄──► _run_in_span ──the same run──► prose
       │            ▲   │                     └──a token, a call──► span_ahead.py ──► prose
       │            │   └──three or more──► _info_line ──line end──► _fence_line ──► _rest_of_line ─┐
       │            │       (not first: _info_word, _behind_word, then _info_line or _lines ◄──► _run_in_lines)
       └► _line_start ──►_quote ──► _quote_line ──line end──► prose   ▲     └──► _closing_run ──────┤ it is not the end
          (code="text")                                               │             └► _behind_closing_run ──► prose
                                                                      └──────────── line end ◄──────┘
    In `_info_line` a run of backticks ends the code, too, if it is the same (`_run_in_info`); else it opens anew.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import Marker, Markers, compile_markers
from streamparse.core.opening import Opener, Options, Sought
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.core.stems import compile_stems, find
from streamparse.states.span_ahead import Span, SpanAheadState

_RUNS = {"`": re.compile(r"`*+"), "~": re.compile(r"~*+")}
#: The usual span, all of it there and no run of another length in it.
_WHOLE_SPAN = re.compile(r"(`{1,2}+)(?!`)[^`\r\n]*+(\1(?=[^`])|(?=[\r\n]))")
_INDENT = re.compile(r"[ \t]*+")
_WORD = re.compile(r"[\w+#.-]*+")
_BLANK_LINES = re.compile(r"[ \t\r\n]*+")
_LINE_BREAK = re.compile(r"[\r\n]")
_LINE_BREAKS: tuple[Marker, ...] = (("\n",), ("\r",))
_TICKS: tuple[Marker, ...] = (("`",),)
#: What reads on in a span, by the length of the run that opened it.
_AHEAD = {size: Opener((), SpanAheadState, options=Span(size)) for size in (1, 2)}

_TICK, _LINE_END, _OUT, _SWALLOWED = "tick", "line_end", "out", "swallowed"
#: A special token, or a call that begins with one; a call whose head may go over the end of the line.
_TOKEN, _CALL = "token", "call"


@lru_cache(maxsize=128)
def _patterns(sought: Sought) -> tuple[Markers, Markers, Markers, Markers]:
    """What matters in a span, in the first line of a fenced block, in the others, and in a span of several lines."""
    ends = tuple(opener.marker for opener in sought.read_ahead if opener.ends_span)
    tokens = tuple(opener.marker for opener in sought.read_ahead if opener.is_token)
    calls = tuple(opener.marker for opener in sought.read_ahead if not opener.is_token)
    no_tokens = tuple(marker for marker in sought.never_shown if marker not in tokens)
    in_span = {_OUT: (*sought.closers, *ends), _TOKEN: tokens, _CALL: calls, _SWALLOWED: no_tokens}
    in_lines = {_OUT: sought.closers, _SWALLOWED: sought.never_shown}
    in_line = {_LINE_END: _LINE_BREAKS, **in_lines}
    return (
        compile_stems({_TICK: _TICKS, _LINE_END: _LINE_BREAKS, **in_span}),
        compile_markers({_TICK: _TICKS, **in_line}),
        compile_markers(in_line),
        compile_markers({_TICK: _TICKS, **in_lines}),
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
        self._found = ""  # the marker that was found last
        self._shown = 0  # the offset up to which text was shown
        #: First on its line, so it may be a fence.
        self._is_first = isinstance(context.opener.options, FirstOnLine)

    def run(self) -> Progress:
        """Read phase after phase, then show all that was read."""
        scanner = self.context.scanner
        self._shown = scanner.base + scanner.pos
        super().run()
        self._show()
        return NEED_MORE

    def _show(self) -> None:
        scanner = self.context.scanner
        text = scanner.buf[self._shown - scanner.base : scanner.pos]
        self.context.emitter.emit_prose(text, self.context.prose.segment_type)

    def finalize(self) -> None:
        """Unclosed code is text, like all code; the prose around it closes."""
        self.context.transition_to("text")

    # -- a line's beginning, a run that opens -----------------------------------------------------------------------

    def _begin(self) -> Progress:
        scanner = self.context.scanner
        if not self._is_first:
            self._begin_code()
            match = _WHOLE_SPAN.match(scanner.buf, scanner.pos)
            if match and not self._in_span.pattern.search(scanner.buf, match.end(1), match.start(2)):
                scanner.pos = match.end()
                return self._leave()
        self._phase = "_line_start" if self._is_first else "_opening_run"
        return GO_ON

    def _line_start(self) -> Progress:
        following = self._skip(_BLANK_LINES)
        if following not in _RUNS and following != ">":
            return self._leave() if following else NEED_MORE
        self._begin_code()
        if following == ">":
            self._phase = "_quote"
        else:
            self._fence = following
            self._phase = "_opening_run"
        return GO_ON

    def _begin_code(self) -> None:
        """Here stands more than blanks, which is text; what is looked for in the prose may be less from now on."""
        self.context.prose.note_text()
        self._in_span, self._in_info, self._in_line, self._in_lines = _patterns(self.context.prose.sought)

    def _opening_run(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        if self._run > 2 and (self._is_first or self.context.config.code == "text"):
            self._phase = "_info_line" if self._is_first else "_info_word"
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
        found = self._find_shown(self._in_span)
        if found == _TICK:
            self._run = 0
            self._phase = "_run_in_span"
            return GO_ON
        if found == _TOKEN or (found == _CALL and _LINE_BREAK.search(self._found)):
            self.context.enter(_AHEAD[self._size])
            return NEED_MORE
        if found == _CALL:  # on one line: it is text in any case
            self.context.scanner.pos += 1
            return GO_ON
        return self._leave() if found else NEED_MORE

    def _run_in_span(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        if self._run == self._size:
            return self._leave()
        self._phase = "_span"
        return GO_ON

    # -- a span of several lines ------------------------------------------------------------------------------------

    def _info_word(self) -> Progress:
        """Behind a longer run that is not first on its line."""
        self._phase = "_behind_word" if self._skip(_WORD) else self._phase
        return GO_ON if self._phase == "_behind_word" else NEED_MORE

    def _behind_word(self) -> Progress:
        following = self._skip(_INDENT)
        if following:
            self._phase = "_lines" if following in "\r\n" else "_info_line"
        return GO_ON if following else NEED_MORE

    def _lines(self) -> Progress:
        found = self._find_shown(self._in_lines)
        if found != _TICK:
            return self._leave() if found else NEED_MORE
        self._run = 0
        self._phase = "_run_in_lines"
        return GO_ON

    def _run_in_lines(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        self._phase = "_lines"
        return self._leave() if self._run == self._size else GO_ON

    # -- a fenced block ---------------------------------------------------------------------------------------------

    def _info_line(self) -> Progress:
        """Behind the opening run. A backtick here says that it was no fence: "```x``` and so on" is a span."""
        found = self._find_shown(self._in_info if self._fence == "`" else self._in_line)
        if found != _TICK:
            return self._go_to_next_line(found) if self._is_first or not found else self._leave()
        self._run = 0
        self._phase = "_run_in_info"
        return GO_ON

    def _run_in_info(self) -> Progress:
        if not self._count_run():
            return NEED_MORE
        self._is_first = False
        return self._leave() if self._run == self._size else self._opening_run()

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
        return self._go_to_next_line(self._find_shown(self._in_line))

    def _go_to_next_line(self, found: str) -> Progress:
        """The rest of a line has been read up to what was found; the next line of the block."""
        if found != _LINE_END:
            return self._leave() if found else NEED_MORE
        self._phase = "_fence_line"
        return GO_ON

    # -- a line of a quote --------------------------------------------------------------------------------------------

    def _quote(self) -> Progress:
        """One `>`: several may be the marker of a message."""
        scanner = self.context.scanner
        following = scanner.buf[scanner.pos + 1 : scanner.pos + 2]
        if following == ">":
            return self._leave()
        self._phase = "_quote_line" if following else self._phase
        return GO_ON if following else NEED_MORE

    def _quote_line(self) -> Progress:
        return self._leave() if self._find_shown(self._in_line) else NEED_MORE

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

    def _find_shown(self, markers: Markers) -> str:
        """The same, where some are swallowed, as they are in prose."""
        while (found := self._find(markers)) == _SWALLOWED:
            self._show()
            self.context.scanner.pos += len(self._found)
            self._shown = self.context.scanner.offset
        return found

    def _find(self, markers: Markers) -> str:
        """Read everything up to the next of `markers`, and say which it is; nothing if it is not there yet."""
        scanner = self.context.scanner
        found = find(markers, scanner.buf, scanner.pos)
        if found is None:
            scanner.pos = len(scanner.buf)
        else:
            kind, scanner.pos, end, awaited, since = found
            if kind is not None:
                self._found = scanner.buf[scanner.pos : end]
                return str(kind)
            scanner.wait_for(awaited, since)
        self.triggers = markers.heads
        return ""


_SPAN_OPENERS = (Opener(("`",), CodeState, is_common=True),)
_FENCE_OPENERS = tuple(Opener((mark,), CodeState, options=FirstOnLine(), is_common=True) for mark in "\n\r")
#: Fences and quotes, for whoever reads the beginnings of lines instead.
FENCES = tuple(Opener((mark,), CodeState, options=FirstOnLine(), is_common=True) for mark in (*_RUNS, ">"))

#: What prose must look for, by the setting `code`.
OPENERS: dict[str, tuple[Opener, ...]] = {
    "parse": (),
    "auto": _SPAN_OPENERS,
    "text": (*_FENCE_OPENERS, *_SPAN_OPENERS),
}
