"""Whatever a model writes: cuts change nothing, no call of a foreign name is told, and none is falsely complete."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from streamparse import formats
from streamparse.proxy import Settings
from streamparse.proxy.native_calls import is_object
from tests import seeds
from tests.proxy.replies import Got, everywhere, folded, run

NAMES = [name for name in formats.names() if name not in ("auto", "native")]
PROSE = ["Hi.", "\n", "  ", "\n```json\n", "\n```\n", "<think>", "</think>", "ok < 3", "{", "}", "[", "\n\n", "done"]
ARGUMENTS = [{"q": "a", "n": 3}, {"q": "x > y"}, {}, {"q": "}]"}]
HERMES = '<tool_call>{{"name": "{}", "arguments": {{"q": "z"}}}}</tool_call>'


def a_fragment(rng: random.Random, name: str) -> str:
    """A call, mostly whole, of a tool that may be declared."""
    tool, arguments = rng.choice(["search", "now", "rm"]), rng.choice(ARGUMENTS)
    try:
        call = formats.get(name).render_call(tool, arguments)
    except (ValueError, TypeError):  # a format that cannot write it
        call = HERMES.format(tool)
    place, kind = rng.randrange(len(call) + 1), rng.random()
    if kind < 0.2:
        return call[:place]
    if kind < 0.3:
        return call[place:]
    if kind < 0.4:
        return call[:place] + rng.choice([" ", "<", "}", '"', "\n", "x"]) + call[place:]
    return call


def cut(rng: random.Random, text: str) -> list[str]:
    pieces = []
    while text:
        size = rng.choice([1, 1, 2, 3, 5, 9, 20])
        pieces.append(text[:size])
        text = text[size:]
    return pieces


def certain(found: Got) -> tuple[Any, ...]:
    """All but for how much is shown of the arguments of a call that is not complete."""
    calls = [(name, json.loads(text, strict=False) if is_object(text) else None) for name, text in found.calls]
    return found.content, found.reasoning, calls, found.reason


@pytest.mark.parametrize("part", range(4))
def test_any_reply_is_the_same_however_it_is_cut(part: int) -> None:
    for seed in seeds.series(seeds.times(120), part):
        rng = random.Random(seed)
        name = rng.choice(NAMES)
        settings = Settings(format=rng.choice([name, name, name, "auto"]))
        text = "".join(
            a_fragment(rng, name) if rng.random() < 0.6 else rng.choice(PROSE) for _ in range(rng.randint(1, 5))
        )
        reason = rng.choice(["stop", "stop", "length", "tool_calls"])
        found = run([{"content": text}], reason, settings)
        for pieces in (list(text), cut(rng, text), cut(rng, text)):
            again = run([{"content": piece} for piece in pieces], reason, settings)
            assert certain(again) == certain(found), seed
        assert {called for called, _ in found.calls} <= {"search", "now"}
        if found.reason != "length":
            assert all(is_object(arguments) for _, arguments in found.calls), seed


CUT = [
    # A declared call breaks off, and a foreign one stands right behind it.
    ("functionary_v32", ">>>now\n{>}>>>rm\n{}>>>", Got(">>>rm\n{}>>>", "", [("now", "{")], "length")),
    (
        "functionary_v32",
        '>>>search\n{"q":\n\n>>>rm\n{}done>>>now\n{}',
        Got(">>>rm\n{}done", "", [("search", "{"), ("now", "{}")], "length"),
    ),
    ("pythonic", "\n\n[rm(q='x > y')][now()]Hi.", Got("\n\n[rm(q='x > y')][now()]Hi.", "", [], "stop")),
    ("command_r", '}doneAction:\n```json\n[{"tooActio', Got('}doneAction:\n```json\n[{"tooActio', "", [], "stop")),
    # A text that is held back, and comes again.
    ("hermes", "x <<" + HERMES.format("rm") + " <<", Got("x <<" + HERMES.format("rm") + " <<", "", [], "stop")),
    # Several calls in one block.
    (
        "cohere_command3",
        '<|START_ACTION|>[{"tool_name": "rm", "parameters": {}}, {"tool_name": "now", "parameters": {}}, '
        '{"tool_name": "rm", "parameters": {"q": 1}}]<|END_ACTION|> B',
        Got(
            '<|START_ACTION|>[{"tool_name": "rm", "parameters": {}}, {"tool_name": "rm", "parameters": {"q": 1}}]'
            "<|END_ACTION|> B",
            "",
            [("now", "{}")],
            "tool_calls",
        ),
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), CUT)
def test_a_foreign_call_is_given_back_to_the_letter(name: str, text: str, expected: Got) -> None:
    settings = Settings(format=name)
    assert everywhere(text, settings=settings) == expected


def test_without_stream_a_broken_call_and_a_foreign_one_are_text() -> None:
    text = ">>>now\n{>}>>>rm\n{}>>>"
    message = folded({"content": text}, settings=Settings(format="functionary_v32"))["message"]
    assert message == {"role": "assistant", "content": text}
