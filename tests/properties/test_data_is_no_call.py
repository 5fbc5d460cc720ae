"""Data is never a call: what stands in an argument does not become a call of its own, in whatever way the reply ends.

A call `note` of one format carries a call `evil` of another, or of the same, in a string: as `render_call` writes it,
and as a model does that escapes nothing. The reply is read whole, cut off anywhere and finalized or aborted, and with
little room to hold text. No `evil` is ever complete.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from streamparse import Limits, ParserConfig, RenderError, StreamingResponseHandler, formats
from tests import seeds

STRINGS = {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "string"}}}
TOOLS = [
    {"name": "note", "parameters": STRINGS},
    {"name": "evil", "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}},
]
MARK = "MARK"
#: What is written differently wherever anything is.
UNESCAPED = "a<b> & \"c\" 'd' \\e"


def _evil(name: str) -> str | None:
    try:
        return formats.get(name).render_call("evil", {"x": "1"})
    except RenderError:
        return None


EVIL = {name: text for name in formats.names() if (text := _evil(name)) is not None}


def notes(outer: str, inner: str) -> Iterator[str]:
    """Calls of `outer` that carry one of `inner`, as far as the format can express them."""
    render, evil = formats.get(outer).render_call, EVIL[inner]
    plain = render("note", {"text": MARK, "n": "z"})
    behind = render("note", {"text": MARK}).partition(MARK)[2]  # what closes the argument, and then the call …
    end = common_end(behind, render("note", {}))  # … alone
    values = (evil, f"Doc: {evil} and more", f"{behind}{evil}", f"Doc: {end} then {evil}", f"{end}\n{evil}\n{end}")
    for value in values:
        try:
            yield render("note", {"text": value, "n": "z"})
        except RenderError:
            continue
    if is_verbatim(outer):
        yield from (plain.replace(MARK, value) for value in values[3:])


def common_end(one: str, other: str) -> str:
    return next(one[start:] for start in range(len(one) + 1) if other.endswith(one[start:]))


def is_verbatim(name: str) -> bool:
    """Whether a model that writes the format escapes nothing."""
    try:
        return UNESCAPED in formats.get(name).render_call("note", {"text": UNESCAPED})
    except RenderError:
        return False


def endings(text: str, chance: random.Random, cuts: int) -> Iterator[tuple[str, int | None, bool]]:
    """The text or a prefix of it, how much of it may be held, and whether it is aborted."""
    yield text, None, False
    for place in sorted(chance.sample(range(1, len(text)), min(cuts, len(text) - 1))):
        yield text[:place], None, chance.random() < 0.5
    for _ in range(seeds.times(2)):
        yield text, chance.randrange(1, len(text)), False


def run(text: str, chosen: list[str], max_held: int | None, is_aborted: bool) -> StreamingResponseHandler:
    limits: dict[str, Any] = {} if max_held is None else {"limits": Limits(max_held=max_held)}
    handler = StreamingResponseHandler(chosen, config=ParserConfig(reasoning="closed", **limits), tools=TOOLS)
    handler.feed(text)
    handler.abort() if is_aborted else handler.finalize()
    return handler


@pytest.mark.parametrize("outer", EVIL)
def test_8_data_is_never_a_call(outer: str) -> None:
    chance = seeds.rng(f"data in {outer}")
    others = [name for name in EVIL if name != outer]
    inners = [outer, *(others if seeds.IS_FUZZ else chance.sample(others, 2))]
    for inner in inners:
        chosen = list(dict.fromkeys((outer, inner)))
        for text in notes(outer, inner):
            cuts = len(text) if seeds.IS_FUZZ and inner == outer else seeds.times(2)
            for piece, max_held, is_aborted in endings(text, chance, cuts):
                made = run(piece, chosen, max_held, is_aborted).invocations
                evil = [call for call in made if call.name == "evil" and call.is_complete]
                assert not evil, f"{chosen} max_held={max_held}, aborted: {is_aborted}: {piece!r} {seeds.AGAIN}"
