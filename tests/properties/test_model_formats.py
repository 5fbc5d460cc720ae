"""The guarantees for what the classic formats render, on random documents made of it; and that it is read."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from streamparse import ParserConfig, StreamingParser, StreamingResponseHandler, formats
from streamparse.errors import RenderError
from streamparse.testing import check_order, normalize
from streamparse.testing.checks import is_prefix
from tests import seeds
from tests.properties.documents import random_chunks

COUNT = seeds.times(60)
#: Those of open models are tried in `test_open_formats.py`.
NAMES = ["xml", "json", "sentinel"]
CLOSED = ParserConfig(reasoning="closed")
COMMON = [
    *("{", "}", "[", "]", '"', ":", ",", ";", " ", "\n", "\\", "1", "null", "x", "é", "`", "```json\n", "```", "f"),
    *('"name": "f"', '"name"', '"arguments": {', '"arguments"', '"parameters": "{}"', '"id": "c"', '{"a": "</s>"}'),
    *('{"name": "f", "arguments": {"a": 1}}', '{"arguments": {}, "name": "g"}', '{"f": {}}', "<think>", "</think>"),
]


def pieces(name: str) -> list[str]:
    """What the format writes, whole and in parts."""
    format = formats.get(name)
    written = [format.render_call("f", arguments) for arguments in ({}, {"a": 'x"\n', "b": [1, {}]})]
    cut = [text[:at] for text in written for at in (3, len(text) // 2, len(text) - 3)]
    return [*written, *cut, *COMMON]


def documents(name: str, seed: int) -> Iterator[str]:
    rng, known = seeds.rng(f"{name}{seed}"), pieces(name)
    for _ in range(COUNT):
        yield "".join(rng.choice(known) for _ in range(rng.randrange(1, 10)))


def run(name: str, chunks: list[str], config: ParserConfig | None = None) -> list[Any]:
    parser = StreamingParser(name, config)
    events = [event for chunk in chunks for event in parser.feed(chunk)] + parser.finalize()
    check_order(events)
    return normalize(events)


@pytest.mark.parametrize("name", NAMES)
def test_same_events_for_every_chunking_and_nothing_taken_back(name: str) -> None:
    rng = seeds.rng(name)
    for format in (name, "auto"):
        for text in documents(name, 1):
            whole = run(format, [text])
            assert run(format, list(text)) == whole, text
            for _ in range(3):
                chunks = random_chunks(rng, text)
                assert run(format, chunks) == whole, chunks
            cut = rng.randrange(len(text) + 1)
            at_once, by_character = StreamingParser(format), StreamingParser(format)
            shown = normalize(at_once.feed(text[:cut]))
            assert is_prefix(shown, whole), text[:cut]
            assert normalize([event for c in text[:cut] for event in by_character.feed(c)]) == shown, text[:cut]


def json_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(7 if depth < 2 else 5)
    if kind < 2:
        return "".join(rng.choice(TEXTS) for _ in range(rng.randrange(5)))
    if kind < 5:
        return rng.choice([0, -5, 10**20, 1.5, 1e22, 1e-7, True, False, None])
    if kind == 5:
        return [json_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(TEXTS): json_value(rng, depth + 1) for _ in range(rng.randrange(3))}


TEXTS = [
    *("a", "Oslo", " ", "\n", "<", "&", "&amp;", "</arg>", "</tool>", '<arg name="x">', "[[SEG_END]]", "]]", "{", "}"),
    *('"', "\\", "'", "`", "</tool_call>", "$x", "\ud800", "é", "```", "[TOOL_CALLS]", "<｜tool▁call▁end｜>", "\x00"),
]
TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_is_rendered_is_read_as_the_same_call(name: str) -> None:
    rng, format = seeds.rng(name), formats.get(name)
    for _ in range(COUNT):
        tool = rng.choice(["f", "get_weather", "a.b-c", "x y", 'q"', "é"])
        arguments = {rng.choice(["a", "b", "c d", "<x>", "name"]): json_value(rng) for _ in range(rng.randrange(4))}
        try:
            written = format.render_call(tool, arguments)
        except RenderError:
            assert tool not in ("f", "get_weather"), "only odd names are refused"
            continue
        schema = {"properties": {key: {"type": TYPES.get(type(value), "null")} for key, value in arguments.items()}}
        handler = StreamingResponseHandler(name, tools=[{"name": tool, "parameters": schema}], config=CLOSED)
        for chunk in random_chunks(rng, f"Hi {written} bye"):
            handler.feed(chunk)
        handler.finalize()
        assert [(made.name, made.status) for made in handler.invocations] == [(tool, "complete")], written
        assert json.dumps(handler.invocations[0].arguments) == json.dumps(arguments), written
