"""Arguments as Gemma writes them: `city:<|"|>Oslo<|"|>,days:2,at:{lat:59.9,tags:[<|"|>a<|"|>]}`.

Strings stand between tokens, `<|"|>` (Gemma 4) or `<escape>` (FunctionGemma), verbatim: there are no escapes. Names and
keys are bare, or strings, too. Anything else is `true`, `false`, `null`, a JSON number, or a bare word, which is a
string. FunctionGemma writes numbers as strings, too: there the schema tells what is one.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from streamparse.core.markers import compile_marker, exact, skip_blanks
from streamparse.families.literals.reader import LiteralArguments, LiteralReader

_NUMBER = re.compile(r"-?+(?:0|[1-9][0-9]*+)((?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)")
_WORDS = {"true": True, "false": False, "null": None}
_BARE_KEY = re.compile(r"[^:,{}\[\]<>\"]++")
_BARE = re.compile(r"[^,{}\[\]<>\"]++")


class GemmaReader(LiteralReader):
    """What stands between the braces of a call."""

    quote: ClassVar[str] = '<|"|>'
    brackets = {"[": "]", "{": "}"}  # noqa: RUF012

    def read_name(self) -> str:
        """`name:`."""
        return self.read_key()

    def read_key(self) -> str:
        """`key:`, bare or in quotes."""
        self.peek()
        key = self._read_string()
        if key is None:
            match = _BARE_KEY.match(self.text, self.pos)
            if match is None:
                raise self.error("a name was expected")
            self.pos = match.end()
            key = match[0].rstrip()
        if self.peek() != ":":
            raise self.error("a colon was expected")
        self.pos += 1
        return key

    def read_scalar(self) -> Any:
        """A string, or something bare."""
        text = self._read_string()
        if text is not None:
            return text
        match = _BARE.match(self.text, self.pos)
        if match is None:
            raise self.error("a value was expected")
        word = match[0].rstrip()
        value = _WORDS[word] if word in _WORDS else self._read_number(word)
        self.pos = match.end()
        return value

    def read_growing(self) -> str | None:
        """Without a piece of the quote that ends it."""
        text, quote = self.text, self.quote
        if not text.startswith(quote, self.pos):
            return None
        start = self.pos + len(quote)
        end = compile_marker(exact(quote)).pattern.search(text, start)
        if end is None:
            return text[start:]
        is_last = end.lastindex is None or skip_blanks(text, end.end()) == len(text)
        return text[start : end.start()] if is_last else None

    def _read_number(self, word: str) -> int | float | str:
        match = _NUMBER.fullmatch(word)
        if match is None:
            return word
        return self.to_float(word) if match[1] else self.to_integer(word)

    def _read_string(self) -> str | None:
        text, quote = self.text, self.quote
        if not text.startswith(quote, self.pos):
            return None
        start = self.pos + len(quote)
        end = text.find(quote, start)
        if end < 0:
            raise self.error("a string has no end")
        self.pos = end + len(quote)
        return text[start:end]


class FunctionGemmaReader(GemmaReader):
    """The same with other quotes."""

    quote = "<escape>"


GEMMA_ARGUMENTS = LiteralArguments(GemmaReader)
FUNCTION_GEMMA_ARGUMENTS = LiteralArguments(FunctionGemmaReader, are_texts=True)
