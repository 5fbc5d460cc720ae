"""iterate.py: what parse and aparse take for a source."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from streamparse import SegmentEvent, aparse, parse
from streamparse.iterate import _Options

EVENTS = list(parse("ab"))


async def stream() -> AsyncIterator[str]:
    yield "a"
    yield "b"


async def create(result: Any) -> Any:
    return result


class Both:
    """May be iterated either way."""

    def __iter__(self) -> Iterator[str]:
        return iter("ab")

    def __aiter__(self) -> AsyncIterator[str]:
        return stream()


async def collected(source: Any) -> list[SegmentEvent]:
    return [event async for event in aparse(source)]


async def test_an_awaitable_is_awaited() -> None:
    in_pieces = list(parse(["a", "b"]))
    assert await collected(create(stream())) == in_pieces
    assert await collected(create(["a", "b"])) == in_pieces
    assert await collected(create("ab")) == EVENTS
    assert await collected("ab") == EVENTS
    assert await collected(Both()) == in_pieces


async def test_an_awaitable_that_raises_ends_the_stream() -> None:
    async def fail() -> Any:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        await collected(fail())


def test_parse_names_aparse_for_what_must_be_awaited() -> None:
    with pytest.raises(TypeError, match=r"^async_generator is asynchronous: use aparse\(\)$"):
        parse(stream())  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^coroutine is asynchronous: use aparse\(\)$"):
        parse(create("a"))  # type: ignore[call-overload]
    assert list(parse(Both())) == list(parse(["a", "b"]))


@pytest.mark.parametrize("function", [parse, aparse])
def test_type_checkers_know_every_option(function: Any) -> None:
    named = {"chunks", "formats", "invocations", "outcome", "unknown"}
    assert set(inspect.signature(function).parameters) - named == set(_Options.__annotations__)
