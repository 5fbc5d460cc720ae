"""A call whose arguments are no JSON, but literals between the brackets behind its name.

    [f(a='x', b=[1, 2])]                                tool_call {"tool_name": "f"} `a='x', b=[1, 2]`
    <|tool_call>call:f{a:<|"|>x<|"|>}<tool_call|>       tool_call {"tool_name": "f"} `a:<|"|>x<|"|>`

The content is what stands between the brackets, shown as it comes; how strings are written is the option of the calls,
`grammar.py`. A marker that ends the call, or begins the next one, is data
inside of a string; outside of one it makes the call malformed, because its bracket is missing.
"""

from __future__ import annotations

from functools import lru_cache

from streamparse.core.markers import Markers, compile_markers
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.grammar import Head, Section, as_marker
from streamparse.families.calls.of_format import CallsOfFormat
from streamparse.families.calls.shown import Shown
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.literals.grammar import CLOSE, END, OPEN, VALUE, Literals


@lru_cache(maxsize=256)
def _find_markers(literals: Literals, calls: CallsOfFormat, section: Section) -> tuple[Markers, Markers]:
    """What matters outside of strings; and of that, by itself, what can stand only behind the arguments."""
    closers = (*calls.calls.tail, *section.close)
    ends = (*(as_marker(end) for end in closers if len(end) > 1), *calls.next)
    return literals.between(ends), compile_markers({END: ends})


class LiteralCallState(MarkedCallState):
    """Follows strings and brackets. A quote that is cut is shown: it is content anyhow."""

    _content: Shown
    _literals: Literals
    _between: Markers
    _closers: Markers
    _depth: int
    _quote: str  # of the string that is open, if one is

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._literals = self._calls.get_options(Literals)
        self._between, self._closers = _find_markers(self._literals, self._ends, self._section)
        self.context.scanner.pos += 1
        self._content = Shown(self.context)
        self._depth = 1
        self._quote = ""
        self._phase = "_at_first"

    def _at_first(self) -> Progress:
        """Plain quotes count behind a mark that a name or a value may follow: the bracket is one."""
        scanner = self.context.scanner
        found = self._literals.find_plain_quote(scanner.buf, scanner.pos)
        if found is None:
            return NEED_MORE
        self._quote, end = found
        self._content.show(end)
        scanner.pos = end
        self._phase = "_in_arguments"
        return GO_ON

    def _in_arguments(self) -> Progress:
        literals, between = self._literals, self._between
        buf, pos = self.context.scanner.buf, self.context.scanner.pos
        while True:
            quote = self._quote
            if quote:
                end = literals.end_of_string(quote, buf, pos)
                if not buf.startswith(quote, end):
                    self.look_closer = literals.look_closer[quote]
                    return self._wait(end, len(buf), literals.triggers(quote))
                self.look_closer = None
                pos = end + len(quote)
                self._quote = ""
            match = between.pattern.search(buf, pos)
            if match is None:
                return self._wait(len(buf), len(buf), between.heads)
            if match.lastindex is None:
                closer = self._closers.pattern.search(buf, match.start())
                if closer is not None:
                    self.context.scanner.wait_for(self._closers, closer.start())
                return self._wait(match.start(), closer.start() if closer else len(buf), between.heads)
            kind = between.kinds[match.lastindex]
            pos = match.end()
            if kind is OPEN or kind is VALUE:
                found = literals.find_plain_quote(buf, pos)
                if found is None:
                    return self._wait(match.start(), len(buf), between.heads)
                self._depth += kind is OPEN
                self._quote, pos = found
            elif kind is CLOSE:
                self._depth -= 1
                if not self._depth:
                    return self._close(match.start(), pos)
            elif kind is END:
                return self._close(match.start(), match.start(), "malformed")
            else:
                self._quote = kind

    def _wait(self, read: int, shown: int, triggers: str) -> Progress:
        self._content.show(shown)
        self.context.scanner.pos = read
        self.triggers = triggers
        return NEED_MORE

    def _close(self, shown: int, read: int, status: str | None = None) -> Progress:
        self._content.show(shown)
        self.context.scanner.pos = read
        bracket = self._literals.brackets[1]
        return self._end_call(status, f"the {bracket!r} behind the arguments is missing" if status else None)

    def finalize(self) -> None:
        """What is shown is not shown again."""
        scanner = self.context.scanner
        if self.context.emitter.segment_id:
            self._content.show(len(scanner.buf))
            scanner.pos = len(scanner.buf)
        super().finalize()
