"""families/calls/live_call.py and formats/live.py: the decoder of a format of one's own may raise anything."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ToolSpec, formats, parse
from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Signature
from streamparse.arguments.follower import Follower, Record
from streamparse.formats import NAME, Calls, Format, JsonArgumentsState
from streamparse.testing import segments

TOOL = ToolSpec("put", {"type": "object"}, kind="write_file")
CALL = '<|call|>put<|with|>{"path": "a", "content": "b"}<|done|>'


class Broken(ArgumentDecoder):
    """Fails in one of its methods."""

    def __init__(self, where: str, error: Exception) -> None:
        self._where = where
        self._error = error

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        if self._where == "decode_call" and not is_truncated:
            raise self._error
        return DecodedCall({"path": "a"})

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        if self._where == "decode_partial":
            raise self._error
        return {}

    def follow(self, record: Record, signature: Signature) -> Follower | None:
        if self._where == "follow":
            raise self._error
        return super().follow(record, signature)


def read(decoder: ArgumentDecoder, text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    calls = (Calls(JsonArgumentsState, head=("<|call|>", NAME, "<|with|>"), tail=("<|done|>",)),)
    formats.register(Format(name="own", calls=calls, arguments=decoder))
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return segments(parse(pieces, "own", tools=[TOOL]))


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("where", ["decode_call", "decode_partial"])
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("x"), "the arguments cannot be read: KeyError"),
        (ValueError("x is no y"), "the arguments cannot be read: ValueError: x is no y"),
        (ValueError(), "the arguments cannot be read: ValueError"),
        (ArgumentsError("this is no call"), "this is no call"),
    ],
)
def test_whatever_a_decoder_raises_makes_the_call_malformed(
    where: str, error: Exception, told: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = read(Broken(where, error), CALL, size, monkeypatch)
    assert row == ("write_file", {"tool_name": "put", "path": "a"}, "", {"status": "malformed", "error": told})


def test_what_cannot_be_followed_is_a_call_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = read(Broken("follow", KeyError("x")), CALL, 5, monkeypatch)
    assert row == ("tool_call", {"tool_name": "put"}, '{"path": "a", "content": "b"}', {})
