"""How the formats of a parser become one Grammar.

Of two markers the earlier in the text wins, of two at one place the longer, and of two that are equal that of the
format listed first.

A Grammar is made once for all streams that are read alike, and kept: it is what costs most of a parser, and a stream
changes nothing in it. Streams are read alike if they have the same formats and the same settings that matter here.
Formats that look at tools or registered states are asked for their openers with every stream (`Format.openers`), and
these must be equal, too. So registering a state or a format is seen by the next parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from attrs import evolve

from streamparse.core.grammar import Grammar
from streamparse.core.markers import BLANK_CHARACTERS, LINE_BLANKS, NO_BLANK, Atom, Marker, compile_markers
from streamparse.core.opening import LineOpeners, Opener, Opening
from streamparse.core.registry import MarkedBlock
from streamparse.formats.auto import agreed
from streamparse.formats.format import Format, Setup
from streamparse.states.beginning import BeginningState, FirstOpeners
from streamparse.states.code import FENCES
from streamparse.states.code import OPENERS as CODE_OPENERS
from streamparse.states.line_start import LineStartState
from streamparse.states.marked_block import block_openers
from streamparse.states.reasoning import ReasoningState

#: How many grammars are kept. A server has a few, one for each model, with and without reasoning; who reads whatever
#: models write has one for each format.
MOST_KEPT = 128


class _Reading(NamedTuple):
    """What of a Setup the grammar itself depends on."""

    is_auto: bool
    has_calls: bool
    code: str
    reasoning: str | None
    #: The formats that are named beside `auto`: they are read as if it was not there.
    named: tuple[str, ...] = ()


def grammar_for(formats: tuple[Format, ...], setup: Setup, named: tuple[str, ...] = ()) -> Grammar:
    """What `formats` look for together; `named` are those that count whatever `auto` finds out."""
    config = setup.config
    reading = _Reading(setup.is_auto, config.parse_tool_calls, config.code, config.reasoning, named)
    by_name = evolve(setup, is_auto=False) if named else setup
    openers = tuple(
        (format, tuple(format.openers(by_name if format.name in named else setup)))
        for format in (formats if config.parse_tool_calls else ())
        if format.openers is not None
    )
    return _join(formats, openers, reading, setup.registry.blocks)


@lru_cache(maxsize=MOST_KEPT)
def _join(
    formats: tuple[Format, ...],
    own: tuple[tuple[Format, tuple[Opener, ...]], ...],
    reading: _Reading,
    blocks: tuple[MarkedBlock, ...],
) -> Grammar:
    is_auto, has_calls, code, _, named = reading
    own_openers = dict(own)
    openers: list[Opener] = []
    for format in formats:
        is_guess = is_auto and format.name not in named
        if has_calls:
            openers += own_openers.get(format, ())
            openers += format.all_openers.calls(is_auto=is_guess)
        openers += format.all_openers.others(has_calls=has_calls, is_auto=is_guess)
    certain = [format for format in formats if has_calls and (not is_auto or format.name in named)]
    at_line = [opener for format in certain for opener in format.all_openers.at_line]
    at_reply = [opener for format in certain for opener in format.all_openers.at_reply]
    openers += block_openers(blocks, at_line=False)
    at_line += block_openers(blocks, at_line=True)
    fences = FENCES if code == "text" else ()
    takes_blanks = any(opener.marker[0][0] in BLANK_CHARACTERS for opener in openers if opener.marker)
    line = _line_openers([*at_line, *fences], takes_blanks) if at_line else ()
    openers += [*line, *CODE_OPENERS[code]]
    line_opener = CODE_OPENERS["text"][0] if code == "text" else None
    first_opener, first_opening = _first(formats, reading)
    return Grammar(
        agreed(tuple(openers)) if is_auto else tuple(openers),
        {format.name: format.tool_states for format in formats},
        line[0] if line else line_opener,
        _line_openers([*at_reply, *at_line, *fences], takes_blanks)[0] if at_line or at_reply else None,
        first_opener,
        first_opening,
        [opener for format in formats for opener in format.all_openers.when_settled] if is_auto else None,
        named,
    )


def _line_openers(openers: list[Opener], takes_blanks: bool) -> tuple[Opener, ...]:
    """What leads to the beginning of a line, where one of `openers` may stand.

    A line that begins with anything else is prose, and not worth a state. The blanks are text at once, unless another
    opener takes some of them: then they wait for what follows.
    """
    markers = compile_markers({opener: [opener.marker] for opener in openers})
    blanks, head = LINE_BLANKS, Atom(rf"(?=[ \t\r\n{re.escape(markers.heads)}])")
    begins: list[Marker] = [
        (line_break, blanks, head) if takes_blanks else (Atom(rf"{line_break}(?={blanks}(?:\Z|{head}))"),)
        for line_break in "\n\r"
    ]
    return tuple(Opener(marker, LineStartState, options=LineOpeners(markers)) for marker in begins)


def _closers(formats: Iterable[Format]) -> Iterator[Marker]:
    """What ends reasoning in formats that may be the one, though another is taken for it: no sentences, no blanks."""
    for reasoning in (format.reasoning for format in formats if format.reasoning.in_auto):
        yield from (closer for closer in reasoning.implied_closers if NO_BLANK not in closer)


def _first(formats: tuple[Format, ...], reading: _Reading) -> tuple[Opener | None, Opening | None]:
    """What the stream begins with, if it is not the reply: reasoning, or what the prompt has begun."""
    is_auto, has_calls, _, wanted, _ = reading
    for format in formats:
        reasoning = format.reasoning
        is_open = reasoning.starts_open and not is_auto if wanted is None else wanted == "open"
        if is_open and reasoning.implied_closers:
            closer, *others = reasoning.implied_closers
            opening = Opening(
                "",
                closer,
                format=format.name,
                other_closers=(*others, *_closers(other for other in formats if other is not format)),
                is_implied=True,
                repeated=reasoning.implied_opener,
            )
            return Opener(reasoning.implied_opener, ReasoningState, format.name), opening
    asked = [format.all_openers.at_stream(has_calls=has_calls, is_auto=is_auto) for format in formats]
    first = tuple(opener for openers in asked for opener in openers)
    return Opener((), BeginningState, options=FirstOpeners(first)) if first else None, None
