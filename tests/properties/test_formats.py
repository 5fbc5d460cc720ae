"""The guarantees for json and sentinel, alone and together with xml, on random documents."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from streamparse import Limits, ParserConfig, StreamingResponseHandler, parse
from streamparse.testing import check_order, normalize, splits
from tests import seeds
from tests.properties.documents import random_chunks

COUNT = seeds.times(80)
FORMATS = ["json", "sentinel", ["xml", "json", "sentinel"], ["sentinel", "json"], ["json", "xml"]]
PIECES = [
    *("{", "}", "[", "]", "[[", "]]", '"', ":", ",", " ", "\n", "\\", "1", "null", "true", "-", "x", "é", "`", "```\n"),
    *('"name"', '"name": "f"', '"arguments"', '"arguments": {', '"arguments": "{}"', '"args": []', '"function": {'),
    *('"tool_calls": [', '"tools": [', '"id": "c"', '"type": "function"', '"index": 0', '"age": 3', '"a": 1'),
    *('{"name": "f", "arguments": {"a": 1}}', '{"name": "Bob", "age": 3}', '[{"name": "f", "arguments": {}}, '),
    *("[[SEG_START ", '{"type": "run_bash"}', '{"type": "write_file", "path": "p"}', '{"type": "x?"}', "[[SEG_END]]"),
    *("<think>", "</think>", "<run_bash>", "</run_bash>", '<tool name="q">', "</tool>", "a < b", "text"),
    *('[[SEG_START {"type": "tool_call", "tool_name": "f"}]]', '{"a": "]]"}'),
]

#: Few kinds of pieces, and many blanks: what is held grows slowly past a limit.
SPACED_PIECES = [
    *(" " * 9, "\n" * 15, " " * 9, "{", "[", "}", "]", '"', ",", ":", "[[SEG_START ", '{"type": "run_bash"}', "x"),
    *('[{"name": "f", "arguments": {}}', '[{"name": "f", "args": 1},', '{"tool_calls": [', '{"name": "f"', '{"a": 1}'),
]


def documents(seed: int, count: int, longest: int = 14, pieces: Sequence[str] = PIECES) -> Iterator[str]:
    rng = seeds.rng(seed)
    for _ in range(count):
        yield "".join(rng.choice(pieces) for _ in range(rng.randrange(1, longest)))


def with_invocations(chunks: Any, formats: Any, config: ParserConfig | None = None) -> list[Any]:
    return [item.to_dict() for item in normalized(parse(chunks, formats, config=config, invocations=True))]


def normalized(items: Any) -> list[Any]:
    """Merged events, then the invocations: where they stand among the events is tested elsewhere."""
    items = list(items)
    events = [item for item in items if hasattr(item, "segment_id")]
    return [*normalize(events), *(item for item in items if not hasattr(item, "segment_id"))]


@pytest.mark.parametrize("formats", FORMATS, ids=str)
def test_1_same_events_for_every_chunking(formats: Any) -> None:
    rng = seeds.rng(4)
    for text in documents(1, COUNT):
        whole = with_invocations(text, formats)
        assert with_invocations(list(text), formats) == whole, text
        for chunks in (*(random_chunks(rng, text) for _ in range(3)), *list(splits(text))[:: max(1, len(text) // 12)]):
            assert with_invocations(chunks, formats) == whole, chunks


@pytest.mark.parametrize("formats", FORMATS, ids=str)
def test_1_same_events_for_every_chunking_at_every_limit(formats: Any) -> None:
    rng = seeds.rng(6)
    for text in documents(7, COUNT, pieces=SPACED_PIECES):
        limits = Limits(max_held=rng.choice([3, 5, 8, 12, 20, 30]), max_tag=rng.choice([20, 40]))
        config = ParserConfig(limits=limits)
        whole = with_invocations(text, formats, config)
        for chunks in (list(text), *(random_chunks(rng, text) for _ in range(3))):
            assert with_invocations(chunks, formats, config) == whole, (limits, chunks)


@pytest.mark.parametrize("formats", FORMATS, ids=str)
def test_2_nothing_is_taken_back(formats: Any) -> None:
    for text in documents(2, COUNT):
        handler = StreamingResponseHandler(formats, config=ParserConfig(invocations=False))
        events = []
        for character in text:
            events += handler.feed(character)
        early = normalize(events)
        check_order(events + handler.finalize())
        whole = normalize(parse(text, formats))
        assert early[:-1] == whole[: max(0, len(early) - 1)], text
        if early:
            last, expected = early[-1], whole[len(early) - 1]
            assert last == expected or (
                last.segment_id == expected.segment_id and expected.delta.startswith(last.delta)
            )


@pytest.mark.parametrize("formats", FORMATS[:2], ids=str)
def test_4_nothing_is_lost_where_nothing_is_recognised(formats: Any) -> None:
    for text in documents(3, COUNT):
        events = list(parse(text, formats))
        if {event.segment_type for event in events} <= {"text"} and "think" not in text:
            assert "".join(event.delta for event in events) == text


def value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.random()
    if depth > 2 or kind < 0.5:
        return rng.choice([0, -1.5, True, None, "", "}", ']"', "\\", "é\n", "</tool>", "[[SEG_END]]", '{"name": "x"}'])
    if kind < 0.7:
        return [value(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice(["a", "b", "name", "arguments"]): value(rng, depth + 1) for _ in range(rng.randrange(3))}


def spaced(rng: random.Random, text: str) -> str:
    """Blanks between the tokens of JSON; those in strings are left alone."""
    pieces, is_string, is_escaped = [], False, False
    for character in text:
        pieces.append(character)
        if is_string:
            is_string = is_escaped or character != '"'
            is_escaped = character == "\\" and not is_escaped
        elif character == '"':
            is_string = True
        if not is_string and character in '{}[],:"':
            pieces.append(rng.choice(["", "", " ", "\n", "\r\n", "\t "]))
    return "".join(pieces)


def test_any_json_call_in_any_shape_and_cut_is_the_same_invocation() -> None:
    rng = seeds.rng(5)
    for _ in range(COUNT):
        arguments = {rng.choice("abc"): value(rng) for _ in range(rng.randrange(4))}
        given = json.dumps(arguments) if rng.random() < 0.3 else arguments
        pairs = [("name", "f"), (rng.choice(["arguments", "parameters", "args", "input"]), given)]
        rng.shuffle(pairs)
        call: dict[str, Any] = dict(pairs)
        if rng.random() < 0.3:
            call = {"type": "function", rng.choice(["function", "tool"]): call}
        if rng.random() < 0.3:
            call = {"id": "c1", **call}
        shape = rng.choice([call, [call], {"tool_calls": [call]}, {"tools": [call, call]}])
        text = "Hi " + spaced(rng, json.dumps(shape, ensure_ascii=rng.random() < 0.5)).rstrip() + " ok"
        for chunks in ([text], list(text), random_chunks(rng, text)):
            handler = StreamingResponseHandler("json")
            for chunk in chunks:
                handler.feed(chunk)
            handler.finalize()
            calls = 2 if isinstance(shape, dict) and "tools" in shape else 1
            assert [made.arguments for made in handler.invocations] == [arguments] * calls, text
            assert {(made.name, made.status) for made in handler.invocations} == {("f", "complete")}
