"""Arguments as Gemma writes them: `city:<|"|>Oslo<|"|>,days:2,at:{lat:59.9,tags:[<|"|>a<|"|>]}`.

Strings stand between tokens, `<|"|>` (Gemma 4) or `<escape>` (FunctionGemma), verbatim: there are no escapes. Names and
keys are bare, or strings, too. Anything else is `true`, `false`, `null`, a JSON number, or a bare word, which is a
string; so is a number, `true` or `false` where the schema wants a string and nothing else. FunctionGemma writes numbers
as strings, too: there the schema tells what is one.

The models fall back into the quotes of other languages: `city:"Oslo"`, `city:'Oslo'`. These are quotes only where a
value begins (`it's` is a bare word), and there are escapes between them.
"""

from __future__ import annotations

import re
from typing import Any

from streamparse.families.literals.decoder import LiteralArguments
from streamparse.families.literals.grammar import Literals
from streamparse.families.literals.python import PYTHON
from streamparse.families.literals.reader import LiteralReader

_NUMBER = re.compile(r"-?+(?:0|[1-9][0-9]*+)((?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)")
_WORDS = {"true": True, "false": False, "null": None}
_BARE = re.compile(r"[^,{}\[\]<>\"]++")

GEMMA, FUNCTION_GEMMA = (
    Literals("{}", (quote,), {"[": "]", "{": "}"}, plain_quotes=('"', "'"), plain_escapes=PYTHON.escapes)
    for quote in ('<|"|>', "<escape>")
)


class GemmaReader(LiteralReader):
    """What stands between the braces of a call."""

    literals = GEMMA
    bare_key = re.compile(r"[^:,{}\[\]<>\"]++")
    no_key = "a name was expected"

    def read_scalar(self) -> Any:
        """Something bare."""
        match = _BARE.match(self.text, self.pos)
        if match is None:
            raise self.error("a value was expected")
        word = match[0].rstrip()
        value = _WORDS[word] if word in _WORDS else self._read_number(word)
        self.pos = match.end()
        return self.bare(value, word) if isinstance(value, int | float) else value

    def _read_number(self, word: str) -> int | float | str:
        match = _NUMBER.fullmatch(word)
        if match is None:
            return word
        return self.to_float(word) if match[1] else self.to_integer(word)


class FunctionGemmaReader(GemmaReader):
    """The same with other quotes."""

    literals = FUNCTION_GEMMA
    are_texts = True


GEMMA_ARGUMENTS = LiteralArguments(GemmaReader)
FUNCTION_GEMMA_ARGUMENTS = LiteralArguments(FunctionGemmaReader)
