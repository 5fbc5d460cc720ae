"""Native calls on random arguments, random replies and random cuts: `json.loads` is the judge."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import Chunk, StreamingResponseHandler, ToolInvocation, ToolSpec
from streamparse.testing import normalize
from tests import seeds
from tests.native.kit import check_complete, check_order, check_prefix, wire
from tests.native.recut import recut
from tests.native.wires import WIRES, Call, Reasoning, Reply, Text
from tests.properties.documents import COUNT, PIECES, random_chunks

TOOLS = [ToolSpec("save", kind="write_file", body="text")]
#: The argument that is streamed, by tool.
BODIES = {"write_file": "content", "patch_file": "patch", "run_bash": "command", "save": "text"}
NAMES = ["f", *BODIES]

#: What is hard to decode: quotes, backslashes, escapes' letters, halves of pairs, control characters.
HARD = [
    '"',
    "\\",
    "/",
    "n",
    "u",
    "\n",
    "\t",
    "\0",
    "é",
    "\u2028",
    "😀",
    "\ud83d",
    "\ude00",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
]
strings = st.one_of(st.text(max_size=8), st.lists(st.sampled_from(HARD), max_size=8).map("".join))
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, strings),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(strings, inner, max_size=3)),
    max_leaves=6,
)
rngs = st.integers(0, 2**32).map(random.Random)

SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def spelled(value: Any, rng: random.Random) -> str:
    """`value` as JSON text, in one of its many spellings."""
    if isinstance(value, str):
        return '"' + "".join(_spelled(char, rng) for char in value) + '"'
    if isinstance(value, dict):
        pairs = [f"{_blank(rng)}{spelled(key, rng)}{_blank(rng)}:{spelled(item, rng)}" for key, item in value.items()]
        return _blank(rng) + "{" + ",".join(pairs) + _blank(rng) + "}" + _blank(rng)
    if isinstance(value, list):
        return _blank(rng) + "[" + ",".join(spelled(item, rng) for item in value) + _blank(rng) + "]" + _blank(rng)
    return _blank(rng) + json.dumps(value) + _blank(rng)


def _spelled(char: str, rng: random.Random) -> str:
    way = rng.random()
    if way < 0.3:
        escape = json.dumps(char)[1:-1] if ord(char) > 126 else f"\\u{ord(char):04x}"
        return escape.upper().replace("\\U", "\\u") if way < 0.15 else escape
    if char in SHORT_ESCAPES and (way < 0.7 or char in '"\\'):
        return SHORT_ESCAPES[char]
    return char


def _blank(rng: random.Random) -> str:
    return rng.choice(["", "", "", " ", "\n", "\t ", "\r\n"])


@st.composite
def arguments_for(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """Arguments of any tool, in any order; those of a kind have what it needs."""
    others = draw(st.dictionaries(strings, values, max_size=3))
    if name not in BODIES:
        return others
    own = {BODIES[name]: draw(strings)} | ({} if name == "run_bash" else {"path": draw(strings)})
    others = {key: value for key, value in others.items() if key not in ("tool_name", "call_id")}
    pairs = list({**others, **own}.items())
    draw(st.randoms(use_true_random=False)).shuffle(pairs)
    return dict(pairs)


calls = st.sampled_from(NAMES).flatmap(lambda name: st.tuples(st.just(name), arguments_for(name)))


def feed(chunks: list[Any], formats: Any = "native") -> tuple[list[Any], list[ToolInvocation]]:
    handler = StreamingResponseHandler(formats, tools=TOOLS)
    events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
    check_order(events)
    return normalize(events), handler.invocations


def cut_anywhere(chunks: list[Any], rng: random.Random) -> list[Any]:
    def cut(source: str) -> list[str]:
        return [piece for piece in random_chunks(rng, source) if piece] or [source]

    return [piece for chunk in chunks for piece in recut(chunk, cut)]


def canonical(value: Any) -> str:
    """For comparing values with their types: 1 is not true, nor 1.0."""
    return json.dumps(value, sort_keys=True)


@given(calls, rngs, st.sampled_from(sorted(WIRES)))
@settings(max_examples=seeds.times(200), deadline=None)
def test_an_invocation_has_what_json_loads_gives(
    call: tuple[str, dict[str, Any]], rng: random.Random, wire: str
) -> None:
    name, arguments = call
    source = spelled(arguments, rng).strip()
    expected = json.loads(source, strict=False)
    chunks = cut_anywhere(WIRES[wire]([Call(name, source)]), rng)
    events, [invocation] = feed(chunks)
    assert (invocation.name, invocation.status, invocation.error) == (name, "complete", None)
    assert canonical(invocation.arguments) == canonical(expected)
    assert (invocation.raw, invocation.content) == (source, expected[BODIES[name]] if name in BODIES else None)
    assert "".join(event.delta for event in events) == (source if invocation.content is None else invocation.content)


_TOKEN = re.compile(r'\\u[0-9a-fA-F]{4}|\\[^u]|[^\\"]', re.DOTALL)
_HIGH = re.compile(r"\\u[dD][89abAB]..")
#: Half a pair waits while the escape behind it may be the other half.
_MAYBE_LOW = re.compile(r"(\\(u([dD]([c-fC-F][0-9a-fA-F]?)?)?)?)?")


def certain(source: str) -> str:
    """What the beginning of a string says for certain, whatever follows: the oracle of what is shown."""
    tokens, place = [], 0
    while match := _TOKEN.match(source, place):
        tokens.append(match[0])
        place = match.end()
    rest = source[place:]
    if tokens and _HIGH.fullmatch(tokens[-1]) and not rest.startswith('"') and _MAYBE_LOW.fullmatch(rest):
        tokens.pop()
    return str(json.loads('"' + "".join(tokens) + '"', strict=False))


@given(strings, rngs, st.sampled_from(["write_file", "run_bash", "save"]))
@settings(max_examples=seeds.times(150), deadline=None)
def test_the_body_is_shown_as_soon_as_it_is_certain(body: str, rng: random.Random, name: str) -> None:
    string = spelled(body, rng)
    before = '{"path": "p", "' + BODIES[name] + '": "'
    handler = StreamingResponseHandler("native", tools=TOOLS)
    handler.feed(Chunk(tool_calls=[{"index": 0, "id": "c1", "name": name, "arguments": before}]))
    shown = ""
    for length, char in enumerate(string[1:], 1):
        for event in handler.feed(Chunk(tool_calls=[{"index": 0, "arguments": char}])):
            shown += event.delta
        assert shown == certain(string[1 : length + 1])
    assert shown == json.loads(string, strict=False)


@given(calls, rngs, st.data())
@settings(max_examples=seeds.times(150), deadline=None)
def test_what_is_shown_stays(call: tuple[str, dict[str, Any]], rng: random.Random, data: st.DataObject) -> None:
    name, arguments = call
    chunks = WIRES[data.draw(st.sampled_from(sorted(WIRES)))]([Call(name, spelled(arguments, rng))])
    pieces = cut_anywhere(chunks, rng)
    whole, _ = feed(chunks)
    handler = StreamingResponseHandler("native", tools=TOOLS)
    shown: list[Any] = []
    for number, piece in enumerate(pieces, 1):
        shown += handler.feed(piece)
        check_prefix(shown, whole)
        events, invocations = feed(pieces[:number])
        check_complete(invocations, events, pieces[:number])


def damaged(rng: random.Random, source: str) -> str:
    """`source` with something wrong, mostly."""
    for _ in range(rng.randint(0, 2)):
        place = rng.randint(0, len(source))
        piece = rng.choice(["", "", '"', "\\", ",", "}", "{", "]", "[", ":", " ", "x", "\\q", "NaN", "5", "\\u12"])
        source = source[:place] + piece + source[place + rng.randint(0, 2) :]
    return source


def some_arguments(rng: random.Random, name: str) -> str:
    """JSON text of arguments with what the tool needs, twice or not at all, of the right type or not, and others."""
    keys = ["path", BODIES.get(name, "a"), "n", "m"]
    rng.shuffle(keys)
    pairs = []
    for key in rng.choices(keys, k=rng.randint(0, 2)) + keys * (rng.random() < 0.7):
        value = rng.choice(["p", "p", 'é"\\\n😀', "\ud83d", 5, True, None, 0.5, [1, {"path": "no"}], {"content": "no"}])
        pairs.append(f"{spelled(key, rng)}:{spelled(value, rng)}")
    rng.shuffle(pairs)
    return damaged(rng, "{" + ",".join(pairs) + "}")


def some_reply(rng: random.Random) -> Reply:
    """Text in which anything may begin, reasoning, calls of any tool."""
    parts: list[Any] = []
    for _ in range(rng.randint(1, 5)):
        kind = rng.random()
        if kind < 0.3:
            parts.append(Text("".join(rng.choices(PIECES, k=rng.randint(1, 4)))))
        elif kind < 0.45:
            parts.append(Reasoning(rng.choice(["Hm", "<think>", "a\n"])))
        else:
            name = rng.choice(NAMES)
            parts.append(Call(name, some_arguments(rng, name) or "{"))
    return parts


@pytest.mark.parametrize("provider", WIRES)
@pytest.mark.parametrize("formats", ["native", ["native", "xml"]], ids=str)
def test_no_cut_changes_the_events_of_any_reply(provider: str, formats: Any) -> None:
    rng = seeds.rng(f"{provider}{formats}")
    for _ in range(COUNT):
        chunks = WIRES[provider](some_reply(rng))
        whole, invocations = feed(chunks, formats)
        check_complete(invocations, whole, chunks)
        for cut in (
            cut_anywhere(chunks, rng),
            [piece for chunk in chunks for piece in recut(chunk, list)],
        ):
            events, others = feed(cut, formats)
            assert wire(events) == wire(whole), cut
            assert others == invocations, cut


def test_the_stream_may_end_anywhere() -> None:
    rng = seeds.rng(7)
    for _ in range(COUNT // 2):
        chunks = cut_anywhere(WIRES[rng.choice(sorted(WIRES))](some_reply(rng)), rng)
        whole, _ = feed(chunks)
        handler = StreamingResponseHandler("native", tools=TOOLS)
        shown: list[Any] = []
        for number, chunk in enumerate(chunks, 1):
            shown += handler.feed(chunk)
            check_prefix(shown, whole)
            events, invocations = feed(chunks[:number])
            check_complete(invocations, events, chunks[:number])


def interleaved(rng: random.Random, sources: list[list[str]]) -> list[Chunk]:
    """Pieces of several calls, of each in its order, of all in any."""
    waiting = [(index, pieces[:]) for index, pieces in enumerate(sources) if pieces]
    names = {index: True for index, _ in waiting}
    chunks = []
    while waiting:
        index, pieces = rng.choice(waiting)
        first = {"id": f"c{index}", "name": rng.choice(["f", "run_bash"])} if names.pop(index, False) else {}
        chunks.append(Chunk(tool_calls=[{"index": index, **first, "arguments": pieces.pop(0)}]))
        waiting = [(number, left) for number, left in waiting if left]
    return chunks


@given(st.lists(st.dictionaries(strings, values, max_size=2), min_size=2, max_size=4), rngs)
@settings(max_examples=seeds.times(100), deadline=None)
def test_parallel_calls_may_interleave_in_any_way(arguments: list[dict[str, Any]], rng: random.Random) -> None:
    sources = [spelled({**each, "command": "ls"}, rng).strip() for each in arguments]
    cut = [[piece for piece in random_chunks(rng, source) if piece] for source in sources]
    _, invocations = feed(interleaved(rng, cut))
    found = {invocation.call_id: canonical(invocation.arguments) for invocation in invocations}
    assert all(invocation.is_complete for invocation in invocations)
    assert found == {f"c{number}": canonical(json.loads(source, strict=False)) for number, source in enumerate(sources)}
