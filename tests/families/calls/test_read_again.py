"""families/calls/read_again.py: what a decoder makes of the content so far, told to the record of a call."""

from __future__ import annotations

from typing import Any

from streamparse import ParserConfig
from streamparse.arguments import ArgumentDecoder, DecodedCall, Signature
from streamparse.config import BodyTool
from streamparse.families.calls.live_call import NOTHING, CallSegment, LiveRecord
from streamparse.families.calls.read_again import ReadAgain


class Fickle(ArgumentDecoder):
    """Shows a text while it comes, and then says that it was another."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        return DecodedCall({} if is_truncated else {"command": content.upper()})

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        return {"command": content}


class Segment(CallSegment):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def start(self, metadata: Any = NOTHING) -> None:
        self.told.append("start")

    def show(self, text: str) -> None:
        self.told.append(text)

    def end(self, status: str | None, error: str | None, repaired: bool = False, late: Any = NOTHING) -> None:
        self.told.append((status, error))


def test_a_decoder_that_changes_its_mind_makes_the_call_malformed() -> None:
    segment = Segment()
    record = LiveRecord(segment, BodyTool.of_kind("run_bash"), {}, Signature.of(None, ParserConfig()))
    record.start()
    again = ReadAgain(Fickle(), record, Signature.of(None, ParserConfig()))
    again.feed("ls -")
    again.finish(is_cut=False)
    record.end()
    assert segment.told[0] == "start"
    assert segment.told[-1] == ("malformed", "command is not what was shown of it")


class Numbers(ArgumentDecoder):
    """Makes a number of a text that should be one."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        return DecodedCall({"command": 1})


def test_a_body_is_a_string() -> None:
    segment = Segment()
    record = LiveRecord(segment, BodyTool.of_kind("run_bash"), {}, Signature.of(None, ParserConfig()))
    again = ReadAgain(Numbers(), record, Signature.of(None, ParserConfig()))
    again.feed("ls -l")
    again.finish(is_cut=False)
    assert (record.problem, segment.told) == ("command must be a string", [])
