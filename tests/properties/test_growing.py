"""Arguments that are shown while they come, in every format: they depend on the content alone, and they only grow.

So it is for calls that are broken, too: pieces of calls are missing, doubled or in another place, calls stand in calls,
and markers in strings. Whatever becomes of them, it is the same however the text is cut.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import Limits, ParserConfig, StreamingResponseHandler, ToolSpec, formats, parse
from streamparse.arguments import ArgumentDecoder, ArgumentsError, Signature
from streamparse.encoders.parts import CallDelta, CallEnd, Parts
from streamparse.errors import RenderError
from tests import seeds
from tests.formats.kit import check, places
from tests.properties.test_one_story import WRITERS, bodies
from tests.properties.test_partial import begins

EXAMPLES = seeds.times(2)
TYPES = {"s": "string", "t": ["string", "null"], "n": "integer", "b": "boolean", "o": "object", "l": "array"}
TOOL = ToolSpec("f", {"type": "object", "properties": {name: {"type": kind} for name, kind in TYPES.items()}})
SAMPLES: list[dict[str, Any]] = [
    {"s": "a b", "n": 3},
    {"s": 'x<y>&amp;</p>\nq\r\n"', "t": "null"},
    {"o": {"a": [1, {"b": "c"}]}, "l": ["x", "é\\"]},
    {"zz": "text <b>bold</b>", "b": True},
]
#: What may stand in a content besides the tags of its format.
SOUP = [
    *("{", "}", "[", "]", '"', '"s"', '"n": 1', ": ", ", ", "\\", "\\n", "\\ud83d", "\\ude00", "1e999", "true", "nul"),
    *('{"name": "f", "arguments": ', '"arguments": "{\\"s\\": \\"', "s=", "'", '"""', "n=5", "text", "5", " ", "\n"),
    *("\r\n", "<", "</", "&amp;", "&l", "<!--", "-->", "<note>", "</note>", "<item>a</item>", "<s>", "</s>", "<n>"),
]
#: What a call may be broken by, besides pieces of calls.
FRAGMENTS = ['"', "'", "\\", "{", "}", "[", "]", "<", ">", ",", ":", "=", "(", ")", " ", "\n", "null", "1", "&lt;"]
#: The tags, words and marks of a call.
TOKEN = re.compile(r"<[^<>]*>|\w+|\s+|.", re.DOTALL)
WRITE = ToolSpec("write_file", {"properties": {"path": {"type": "string"}, "content": {"type": "string"}}})
CLOSED = ParserConfig(reasoning="closed")
DECODERS = [name for name in formats.names() if formats.get(name).arguments is not None]
#: What is held is soon held too long.
SHORT = ParserConfig(limits=Limits(max_held=40))


def rendered(format: str, arguments: dict[str, Any]) -> str:
    """The call as the format writes it, or nothing if it cannot."""
    try:
        return formats.get(format).render_call("f", arguments)
    except RenderError:
        return ""


def contents(format: str, rng: random.Random) -> list[str]:
    """Contents of calls, right and wrong: pieces of calls, and a soup of what they consist of."""
    calls = [call for sample in SAMPLES if (call := rendered(format, sample))]
    tags = sorted({tag for call in calls for tag in re.findall(r"[<\[][^<>\[\]]*[>\]]", call)})
    pieces = [*SOUP, *tags * 3]
    soups = ["".join(rng.choices(pieces, k=rng.randint(2, 14))) for _ in range(seeds.times(12))]
    return [*(call[rng.randrange(min(len(call), 60)) :] for call in calls), *soups]


def check_growing(decoder: ArgumentDecoder, content: str, signature: Signature, rng: random.Random) -> None:
    """Whatever the pieces in which the content comes, it shows what it shows when all of it comes at once."""
    try:
        growing = decoder.grow(signature)
    except ArgumentsError:
        assert decoder.decode_partial(content, signature) == decoder.decode_cut(content, signature) == {}
        return
    end = 0
    while end < len(content):
        start, end = end, min(end + rng.randint(1, 6), len(content))
        growing.feed(content[start:end])
        if rng.random() < 0.8:
            shown = growing.show()
            assert shown == decoder.decode_partial(content[:end], signature), content[:end]
            assert list(shown) == list(decoder.decode_partial(content[:end], signature)), content[:end]
    assert growing.cut() == decoder.decode_cut(content, signature), content


@pytest.mark.parametrize("format", DECODERS)
def test_what_is_shown_depends_on_the_content_alone(format: str) -> None:
    rng = seeds.rng(f"growing {format}")
    decoder = formats.get(format).arguments
    assert decoder is not None
    for content in contents(format, rng):
        for config in (ParserConfig(), SHORT):
            for signature in (Signature.of(TOOL, config), Signature.of(None, config, rng.choice(["f", "python"]))):
                check_growing(decoder, content, signature, rng)


@pytest.mark.parametrize("format", WRITERS)
@given(text=bodies, number=st.integers(-9, 999), size=st.integers(1, 5), is_declared=st.booleans())
@settings(max_examples=EXAMPLES * 4, deadline=None)
def test_what_is_shown_only_grows(format: str, text: str, number: int, size: int, is_declared: bool) -> None:
    call = rendered(format, {"s": text, "n": number, "t": text})
    handler = StreamingResponseHandler(format, tools=[TOOL] if is_declared else [])
    snapshots: list[dict[str, Any]] = []
    for start in range(0, len(call), size):
        events = handler.feed(call[start : start + size])
        snapshots += [shown for event in events if (shown := handler.partial_arguments(event.segment_id)) is not None]
    handler.finalize()
    complete = [made.arguments for made in handler.invocations if made.status == "complete"]
    if len(complete) == 1:
        for before, after in zip(snapshots, [*snapshots[1:], complete[0]], strict=True):
            assert begins(before, after), (before, after)


# -- calls that are broken ---------------------------------------------------------------------------------------------


def broken(calls: list[str], rng: random.Random) -> str:
    """A text with a call that is not as it should be."""
    tokens = TOKEN.findall(rng.choice(calls))
    for _ in range(rng.choice([1, 1, 2, 3])):
        at, other = rng.randrange(len(tokens) + 1), rng.choice(calls)
        match rng.randrange(8):
            case 0:
                del tokens[at : at + rng.choice([1, 1, 2, 4])]
            case 1:
                tokens[at:at] = tokens[at : at + rng.choice([1, 2, 5, 9])]
            case 2:
                tokens[at:at] = [tokens.pop(rng.randrange(len(tokens)))] if tokens else []
            case 3:
                tokens[at:at] = TOKEN.findall(other)
            case 4:
                tokens[at:at] = [rng.choice(TOKEN.findall(other))]
            case 5 | 6:
                tokens[at:at] = [rng.choice(FRAGMENTS)]
            case _:
                del tokens[at:]
    behind = rng.choice(["", " ok", "}ok < 3", "\n" + rng.choice(calls)])
    return rng.choice(["", "", "Hi ", "\n"]) + "".join(tokens) + behind


def arguments_of(chunks: list[str], format: str, tools: list[ToolSpec]) -> dict[str, str]:
    """By call, all that a client is told of its arguments, and how it ends."""
    parts = Parts(tools)
    told: dict[str, str] = {}
    for item in parse(chunks, format, tools=tools, config=CLOSED, invocations=True):
        for part in parts.feed(item):
            if isinstance(part, CallDelta):
                told[part.id] = told.get(part.id, "") + part.delta
            elif isinstance(part, CallEnd):
                told[part.id] = f"{told.get(part.id, '')} {part.invocation.status}"
    return told


def check_snapshots(text: str, format: str, tools: list[ToolSpec]) -> None:
    """What is shown of a call that has not ended is the beginning of what is shown of it later."""
    handler = StreamingResponseHandler(format, tools=tools, config=CLOSED)
    shown: dict[str, Any] = {}
    for end, character in enumerate(text, 1):
        names = {event.segment_id for event in handler.feed(character)}
        for name in names - {made.id for made in handler.invocations}:
            now = handler.partial_arguments(name)
            assert begins(shown.get(name, {}), now or {}), (text[:end], shown[name], now)
            shown[name] = now or {}


@pytest.mark.parametrize("format", WRITERS)
def test_a_broken_call_is_told_alike_however_it_is_cut(format: str) -> None:
    rng = seeds.rng(f"broken {format}")
    write = {"path": "p.py", "content": "print('x')\n"}
    calls = [call for sample in (*SAMPLES, {}) if (call := rendered(format, sample))]
    calls.append(formats.get(format).render_call("write_file", write))
    for _ in range(seeds.times(12)):
        text = broken(calls, rng)
        tools = rng.choice([[TOOL, WRITE], []])
        check(text, format, cuts=8, is_wild=True, tools=tools, config=CLOSED)
        whole = arguments_of([text], format, tools)
        for chunks in (list(text), *([text[:at], text[at:]] for at in places(text, 8))):
            assert arguments_of(chunks, format, tools) == whole, chunks
        check_snapshots(text, format, tools)
