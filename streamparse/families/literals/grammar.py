"""Literals: how a language writes arguments, as data. The state of a call and the reader of arguments both ask here.

    f(a='it\\'s :)', b=(1, 2)) and more
        └ a string          └ the bracket that balances the one behind the name of the tool

To find the end, only brackets of the call's own kind are counted, because any others are balanced in between; strings
are jumped over. How to read the values is told in `reader.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from attrs import frozen

from streamparse.arguments.json_strings import repeat
from streamparse.core.markers import Atom, Marker, Markers, compile_marker, compile_markers, exact
from streamparse.core.opening import Options

#: What stands outside of strings; VALUE is what a value may stand behind. A string is told by its quote.
OPEN, CLOSE, END, VALUE = "open", "close", "end", "value"
#: Blanks that are looked at again with every chunk: so they must have an end.
_FEW_BLANKS = Atom(r"[ \t\r\n]{0,64}+")


@frozen(eq=False)
class Escapes:
    """What a backslash begins in a string."""

    pattern: re.Pattern[str]
    replace: Callable[[re.Match[str]], str]
    #: All of a text but what may be half of an escape.
    certain: re.Pattern[str]
    #: Those that are one character, with what they mean.
    simple: Mapping[str, str]


@frozen(eq=False, slots=False)
class Literals(Options):
    """The brackets around arguments, the quotes of strings in them, and what nests."""

    brackets: str
    #: The longer before those they begin with.
    quotes: tuple[str, ...]
    #: Brackets that nest, with those that close them. What `{` begins has keys.
    nested: Mapping[str, str]
    #: Without them strings are verbatim, and each is by itself; with them, neighbours are one, and may have prefixes.
    escapes: Escapes | None = None
    #: Quotes that are such only where a value begins, as in `a:"x"`, and what a backslash begins between them.
    plain_quotes: tuple[str, ...] = ()
    plain_escapes: Escapes | None = None

    @cached_property
    def all_quotes(self) -> tuple[str, ...]:
        """Those of the language, and the plain ones."""
        return (*self.quotes, *self.plain_quotes)

    def _escapes_in(self, quote: str) -> Escapes | None:
        return self.plain_escapes if quote in self.plain_quotes else self.escapes

    @cached_property
    def _strings(self) -> dict[str, re.Pattern[str]]:
        return {quote: re.compile(self._inside(quote), re.DOTALL) for quote in self.all_quotes}

    def _inside(self, quote: str) -> str:
        """All of a string up to its quote, a piece of it at the end of the text, or a backslash there."""
        first = re.escape(quote[0])
        other = f"(?!{compile_marker(exact(quote)).pattern.pattern.replace('()', '')}){first}"
        has_escapes = self._escapes_in(quote) is not None
        plain, jumps = (f"[^{first}\\\\]*+", rf"\\.|{other}") if has_escapes else (f"[^{first}]*+", other)
        return f"{plain}(?:(?:{jumps}){plain})*+"

    @property
    def prefixes(self) -> str:
        """What may stand before a quote; `r` makes the string verbatim."""
        return "rRuU" if self.escapes else ""

    @cached_property
    def string_heads(self) -> frozenset[str]:
        """What a string may begin with."""
        return frozenset(self.prefixes + "".join(quote[0] for quote in self.all_quotes))

    @cached_property
    def string(self) -> re.Pattern[str]:
        """A whole string: 1 the prefix, then in one group for each quote what stands in it, or nothing if it is cut."""
        strings = (f"{re.escape(quote)}(?:({self._inside(quote)}){re.escape(quote)})?+" for quote in self.all_quotes)
        prefix = f"[{self.prefixes}]?+" if self.prefixes else ""
        return re.compile(f"({prefix})(?:{'|'.join(strings)})", re.DOTALL)

    @cached_property
    def opener(self) -> re.Pattern[str]:
        """What a string begins with: 1 the prefix, 2 the quote."""
        prefix = f"[{self.prefixes}]?+" if self.prefixes else ""
        return re.compile(f"({prefix})({'|'.join(map(re.escape, self.all_quotes))})")

    @cached_property
    def half_opener(self) -> re.Pattern[str]:
        """The same while it comes; `'` may be a quote, or the first of three."""
        prefix = f"[{self.prefixes}]?+" if self.prefixes else ""
        halves = {quote[:size] for quote in self.all_quotes for size in range(len(quote))}
        return re.compile(f"{prefix}(?:{'|'.join(map(re.escape, sorted(halves)))})")

    @cached_property
    def in_value(self) -> Markers:
        """What matters in a value outside of its strings: all brackets that nest, and the comma behind it."""
        kinds: dict[str, list[Marker]] = {quote: [exact(quote)] for quote in self.quotes}
        kinds |= {OPEN: [(mark,) for mark in self.nested], CLOSE: [(mark,) for mark in self.nested.values()]}
        return compile_markers(kinds | {END: [(",",)], VALUE: [(":",)] if self.plain_quotes else []})

    @cached_property
    def _at_value(self) -> Markers:
        return compile_markers({quote: [(_FEW_BLANKS, *exact(quote))] for quote in self.plain_quotes})

    def find_plain_quote(self, buf: str, pos: int, *, is_all: bool = False) -> tuple[str, int] | None:
        """The plain quote of a string where a value may begin, and the index behind it; none, and `pos`.

        None if it may still come, unless the text `is_all` there is.
        """
        if not self.plain_quotes:
            return "", pos
        match = (self._at_value.final if is_all else self._at_value.pattern).match(buf, pos)
        if match is None:
            return "", pos
        return None if match.lastindex is None else (self.plain_quotes[match.lastindex - 1], match.end())

    def end_of_string(self, quote: str, buf: str, pos: int) -> int:
        """Where a string in `quote` ends that is open at `pos`: before its quote, or before what may be cut from it."""
        match = self._strings[quote].match(buf, pos)
        assert match is not None  # it matches nothing, too
        return match.end()

    @cached_property
    def _simple(self) -> dict[str, re.Pattern[str]]:
        """Strings without any other escapes, and without the first character of their quote."""
        return {quote: re.compile(self._simple_text(quote)) for quote in self.all_quotes}

    def _simple_text(self, quote: str) -> str:
        plain, escapes = f"[^{re.escape(quote[0])}\\\\]*+", self._escapes_in(quote)
        escape = rf"\\[{''.join(map(re.escape, escapes.simple))}]" if escapes else r"\\"
        return plain + repeat(escape + plain)

    def end_of_simple(self, quote: str, text: str) -> int:
        """Up to where a text in `quote` is certain at a glance."""
        match = self._simple[quote].match(text)
        assert match is not None  # it matches nothing, too
        return match.end()

    def certain(self, raw: str, quote: str, prefix: str) -> int:
        """How much of what there is of a string can be decoded already: all but half an escape."""
        escapes = self._escapes_in(quote)
        if escapes is None or prefix in ("r", "R"):
            return len(raw)
        match = escapes.certain.match(raw)
        assert match is not None  # it matches nothing, too
        return match.end()

    def decode(self, raw: str, quote: str, prefix: str) -> str:
        """What stands in a string, or in a piece of one that is certain."""
        escapes = self._escapes_in(quote)
        if escapes is None or "\\" not in raw or prefix in ("r", "R"):
            return raw
        before, _, behind = raw.partition("\\")
        if "\\" not in behind and behind[:1] in escapes.simple:  # as mostly, in a chunk
            return before + escapes.simple[behind[0]] + behind[1:]
        return escapes.pattern.sub(escapes.replace, raw)

    def between(self, ends: tuple[Marker, ...]) -> Markers:
        """What matters outside of strings if `ends` can stand only behind the arguments."""
        kinds: dict[str, list[Marker]] = {quote: [exact(quote)] for quote in self.quotes}
        kinds |= {OPEN: [(self.brackets[0],)], CLOSE: [(self.brackets[1],)], END: list(ends)}
        return compile_markers(kinds | {VALUE: [(mark,) for mark in ":,["] if self.plain_quotes else []})

    def triggers(self, quote: str) -> str:
        """The characters that matter inside of a string."""
        return quote[0] + "\\" if self._escapes_in(quote) else quote[0]

    @cached_property
    def look_closer(self) -> dict[str, Callable[[str], object]]:
        """By the quote of a string: whether a piece of it that has a trigger matters. A whole escape does not."""
        plain = {quote: f"[^{re.escape(quote[0])}\\\\]*+" for quote in self.all_quotes}
        return {
            quote: re.compile(rf"{text}(?:\\.{text})*+[{re.escape(quote[0])}\\]", re.DOTALL).match
            if self._escapes_in(quote)
            else re.compile(re.escape(quote[0])).search
            for quote, text in plain.items()
        }
