"""Literals: how values are written in a call that is not JSON, as far as that tells where its arguments end.

    f(a='it\\'s :)', b=(1, 2)) and more
                             ^ the bracket that balances the one behind the name

Only brackets of the call's own kind are counted, because any others are balanced in between; strings are jumped over.
How to read the values is told in `reader.py`.
"""

from __future__ import annotations

import re

from attrs import field, frozen

from streamparse.core.markers import Marker, Markers, compile_marker, compile_markers, exact
from streamparse.core.opening import Options

#: What stands outside of strings. A string is told by the text that it begins and ends with.
OPEN, CLOSE, END = "open", "close", "end"


@frozen(eq=False)
class Literals(Options):
    """The brackets around arguments, and the quotes of strings in them."""

    brackets: str
    #: The longer before those they begin with.
    quotes: tuple[str, ...]
    #: Whether a backslash takes the next character with it.
    has_escapes: bool
    _strings: dict[str, re.Pattern[str]] = field(init=False, repr=False)
    _between: dict[tuple[Marker, ...], tuple[Markers, Markers]] = field(factory=dict, init=False, repr=False)

    @_strings.default
    def _compile(self) -> dict[str, re.Pattern[str]]:
        return {quote: _inside(quote, self.has_escapes) for quote in self.quotes}

    def end_of_string(self, quote: str, buf: str, pos: int) -> int:
        """Where a string in `quote` ends that is open at `pos`: before its quote, or before what may be cut from it."""
        match = self._strings[quote].match(buf, pos)
        assert match is not None  # it matches nothing, too
        return match.end()

    def between(self, ends: tuple[Marker, ...]) -> tuple[Markers, Markers]:
        """What matters outside of strings if `ends` can stand only behind the arguments; and these by themselves."""
        if ends not in self._between:
            kinds: dict[str, list[Marker]] = {quote: [exact(quote)] for quote in self.quotes}
            kinds |= {OPEN: [(self.brackets[0],)], CLOSE: [(self.brackets[1],)], END: list(ends)}
            self._between[ends] = compile_markers(kinds), compile_markers({END: ends})
        return self._between[ends]

    def triggers(self, quote: str) -> str:
        """The characters that matter inside of a string."""
        return quote[0] + "\\" if self.has_escapes else quote[0]


def _inside(quote: str, has_escapes: bool) -> re.Pattern[str]:
    """All of a string up to its quote, a piece of it at the end of the buffer, or a backslash there."""
    escape = "\\\\" if has_escapes else ""
    plain = f"[^{re.escape(quote[0])}{escape}]*+"
    other = f"(?!{compile_marker(exact(quote)).pattern.pattern}){re.escape(quote[0])}"
    jumps = rf"\\.|{other}" if has_escapes else other
    return re.compile(f"{plain}(?:(?:{jumps}){plain})*+", re.DOTALL)


#: Python's: both quotes, tripled or not.
PYTHON = Literals("()", ("'''", '"""', "'", '"'), True)
