"""Every chunk of every provider says exactly what the cases say, as a dict and as an object, and nothing raises."""

from __future__ import annotations

from collections import UserDict
from types import SimpleNamespace
from typing import Any

import pytest

from streamparse.providers import CallDelta, CallEnd, Chunk, Reader, ReasoningDelta, TextDelta, read
from tests.providers.cases import FAMILIES, Stream, as_object, chat
from tests.providers.test_fields import Model

STREAMS = [
    pytest.param(family, stream, id=f"{family}: {name}")
    for family, streams in FAMILIES.items()
    for name, stream in streams.items()
]


@pytest.mark.parametrize(("family", "stream"), STREAMS)
def test_dicts(family: str, stream: Stream) -> None:
    reader = Reader()
    assert [reader.read(chunk) for chunk, _ in stream] == [deltas for _, deltas in stream]


@pytest.mark.parametrize(("family", "stream"), [case for case in STREAMS if case.values[0] != "bedrock"])
def test_objects(family: str, stream: Stream) -> None:
    """Bedrock's SDK has no objects: it gives dicts."""
    reader = Reader()
    assert [reader.read(as_object(chunk)) for chunk, _ in stream] == [deltas for _, deltas in stream]


@pytest.mark.parametrize(
    "chunk",
    [
        *(None, 5, "x", "", b"x", {}, [], (), object(), {"foo": 1}, SimpleNamespace(content=5), ("a", "b")),
    ],
)
def test_what_nobody_knows_is_none(chunk: Any) -> None:
    assert read(chunk) is None


def test_chunk_is_for_people_without_an_sdk() -> None:
    reader = Reader()
    assert reader.read(Chunk()) == []
    assert reader.read(Chunk("Hi", "Hm")) == [ReasoningDelta("Hm"), TextDelta("Hi")]
    assert reader.read(Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{"}])) == [
        CallDelta("c", "c", "f", "{")
    ]
    assert reader.read(Chunk(tool_calls=[{"index": 0, "arguments": "}"}])) == [CallDelta("c", arguments="}")]
    assert reader.read(Chunk(tool_calls=[{"index": 1, "function": {"name": "g", "arguments": {"a": 1}}}])) == [
        CallDelta("1", None, "g", whole={"a": 1}, is_named=True),
        CallEnd("1"),
    ]


class Piece(Chunk):
    """Of a user who wants more in it."""


class Computed(Model):
    """A model whose class makes the content."""

    @property
    def content(self) -> str:
        return "Hi"


def test_what_is_like_a_chunk_is_read_like_one() -> None:
    assert read(Piece(reasoning="Hm")) == [ReasoningDelta("Hm")]
    assert read(Computed({})) == [TextDelta("Hi")]
    assert read((Chunk("Hi"), {})) == [TextDelta("Hi")]
    assert read(UserDict(content="Hi")) == [TextDelta("Hi")]


def test_frameworks_wrap_chunks() -> None:
    message = SimpleNamespace(content="Hi", tool_call_chunks=[])
    hi = [TextDelta("Hi")]
    assert read((message, {"langgraph_node": "agent"})) == hi
    assert read(("messages", (message, {}))) == hi
    assert read((("outer:1",), (message, {}))) == hi
    assert read((("outer:1",), "messages", (message, {}))) == hi
    assert read({"type": "messages", "ns": (), "data": (message, {})}) == hi
    assert read({"event": "on_chat_model_stream", "data": {"chunk": message}}) == hi
    assert read({"event": "on_chat_model_end", "data": {"output": message}}) == []
    assert read(("updates", {"agent": {}})) == []


def test_an_envelope_that_contains_itself_ends() -> None:
    chunk: dict[str, Any] = {"type": "raw_response_event"}
    chunk["data"] = chunk
    assert read(chunk) is None


class Hostile:
    """Every field raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Unset:
    """What some SDKs put into a field that did not come."""

    def __bool__(self) -> bool:
        return False


JUNK: list[Any] = [None, 0, 7, 1 << 70000, True, 1.5, "", "x", "\ud800", b"x", [], [None], {}, {"a": None}]
JUNK += [object(), Hostile(), Unset(), [[[]]], [Unset()], {"type": 5}, ({},), {1: 2}]


def mutants(value: Any) -> Any:
    """`value` with each of its places replaced by junk in turn, or left out."""
    yield from JUNK
    if isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
            for inner in mutants(value[key]):
                yield {**value, key: inner}
    elif isinstance(value, list):
        for place, item in enumerate(value):
            for inner in mutants(item):
                yield [*value[:place], inner, *value[place + 1 :]]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("convert", [lambda chunk: chunk, as_object], ids=["dict", "object"])
def test_junk_in_any_place_never_raises(family: str, convert: Any) -> None:
    for stream in FAMILIES[family].values():
        reader = Reader()
        for chunk, _ in stream:
            for mutant in mutants(chunk):
                try:
                    piece = convert(mutant)
                except TypeError:  # keys that are no names
                    continue
                result = reader.read(piece)
                assert result is None or isinstance(result, list)
            reader.read(chunk)


def test_googles_pieces_of_a_long_string_are_joined_once() -> None:
    """20,000 pieces of 100 characters: fifteen seconds if each were added to the string before.

    The last two come where the string was closed already, so it is written again at the end.
    """

    def piece(**function_call: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"parts": [{"functionCall": function_call}]}}]}

    reader = Reader()
    reader.read(piece(name="f", willContinue=True))
    value = {"jsonPath": "$.a", "stringValue": "x" * 100}
    more = piece(willContinue=True, partialArgs=[value])
    assert reader.read(more) == [CallDelta("partial_args", arguments='"a": "' + "x" * 100)]
    for _ in range(20_000):
        assert reader.read(more) == [CallDelta("partial_args", arguments="x" * 100)]
    other = [{"jsonPath": "$.b", "numberValue": 1}, value, value]
    assert reader.read(piece(willContinue=True, partialArgs=other)) == [
        CallDelta("partial_args", arguments='", "b": 1')
    ]
    whole = CallDelta("partial_args", arguments=', "a": "' + "x" * 2_000_300 + '"}')
    assert reader.read(piece()) == [whole, CallEnd("partial_args")]


def test_bytes_of_bedrock_that_are_too_deep_are_text() -> None:
    assert read({"chunk": {"bytes": b"[" * 100_000}}) == [TextDelta("[" * 100_000)]


def test_unset_fields_say_nothing() -> None:
    unset = Unset()
    choice = SimpleNamespace(
        index=unset, delta=SimpleNamespace(content=unset, tool_calls=unset, role=unset), finish_reason=unset
    )
    assert read(SimpleNamespace(data=SimpleNamespace(choices=[choice]))) == []
    assert read(chat(content="Hi", tool_calls=[])) == [TextDelta("Hi")]
