"""functiongemma and gemma4: calls in a language of their own, with tokens for quotes.

    <start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:<escape>2<escape>}<end_function_call>
    <|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:2}<tool_call|>                            gemma4

There are no escapes: a string that holds its own quote cannot be written. In gemma4 `call`, the colon or both may be
missing, and a colon may stand before them; where the reply begins, the token may be missing instead.

Gemma 4 thinks in a channel, whatever it calls that: `<|channel>thought␤hm<channel|>`. What stands behind the token,
alone in its line, is the name; there may be none, and the token may come twice.
"""

from __future__ import annotations

from streamparse.core.markers import Atom, Marker, exact, repeated
from streamparse.families.calls.grammar import NAME, Calls, Maybe
from streamparse.families.literals.gemma import FUNCTION_GEMMA, FUNCTION_GEMMA_ARGUMENTS, GEMMA, GEMMA_ARGUMENTS
from streamparse.families.literals.state import LiteralCallState
from streamparse.families.literals.writer import write_function_gemma, write_gemma
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import between

FUNCTIONGEMMA = Format(
    name="functiongemma",
    calls=(
        Calls(
            LiteralCallState,
            head=("<start_function_call>", "call:", NAME),
            tail=("<end_function_call>",),
            options=FUNCTION_GEMMA,
        ),
    ),
    arguments=FUNCTION_GEMMA_ARGUMENTS,
    dropped=("<end_of_turn>", "<start_function_call>", "<end_function_call>", "<start_function_response>"),
    prompt=Prompt(
        call="<start_function_call>call:$name{$arguments}<end_function_call>",
        result=Turn("<start_function_response>response:$name{value:<escape>$result<escape>}<end_function_response>"),
        tokens=("<bos>", "<eos>", "<start_function_declaration>", "<end_function_declaration>"),
        write=write_function_gemma,
    ),
)
_CHANNEL = exact("<|channel>")
_AGAIN = repeated(_CHANNEL, most=2)
_NAME = Atom("[A-Za-z0-9_-]{1,64}+")
#: A word that only begins like it is none: `thoughtful`.
_WORD_END = Atom("(?![a-z0-9_-])")
_CHANNELS: tuple[Marker, ...] = tuple(
    (*_CHANNEL, _AGAIN, *name) for name in (exact("thought\n"), (*exact("thought"), _WORD_END), (_NAME, "\n"), ())
)

GEMMA4 = Format(
    name="gemma4",
    calls=(
        Calls(
            LiteralCallState,
            head=("<|tool_call>", Maybe(":"), Maybe("call", ":"), NAME),
            tail=("<tool_call|>",),
            options=GEMMA,
        ),
        Calls(
            LiteralCallState,
            head=("call:", NAME),
            tail=("<tool_call|>",),
            options=GEMMA,
            place="reply",
            certain=((*exact("call:"), NAME, "{"),),  # no blanks: that would be prose
        ),
    ),
    # The prompt may have written the token alone.
    reasoning=between("gemma4", _CHANNELS, ("<channel|>",), implied_opener=(_AGAIN, *exact("thought\n"))),
    arguments=GEMMA_ARGUMENTS,
    dropped=("<turn|>", "<|tool_call>", "<tool_call|>", "<|tool_response>", "<|channel>"),
    prompt=Prompt(
        call="<|tool_call>call:$name{$arguments}<tool_call|>",
        result=Turn('<|tool_response>response:$name{value:<|"|>$result<|"|>}<tool_response|>'),
        tokens=("<bos>", "<eos>", "<|turn>", "<channel|>", "<|tool>", "<tool|>"),
        write=write_gemma,
    ),
)
