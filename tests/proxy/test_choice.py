"""One choice by itself."""

from __future__ import annotations

from streamparse import ParserConfig
from streamparse.config import Tools
from streamparse.proxy import ChoiceStream
from streamparse.proxy.choice import Reading
from streamparse.proxy.logprobs import Logprobs
from tests.proxy.replies import CALL, TOOLS


def stream(**options: bool) -> ChoiceStream:
    reading = Reading(formats=("hermes",), config=ParserConfig(), tools=Tools.of(TOOLS), **options)
    return ChoiceStream(reading)


def test_deltas_go_in_and_come_out() -> None:
    choice = stream()
    first = {"role": "assistant", "content": "Let me"}
    assert choice.feed(first) == [first]
    assert choice.feed({"content": " see. <tool_"}) == [{"content": " see."}]
    assert choice.feed({"content": "bar>"}) == [{"content": " <tool_bar>"}]
    assert choice.finish("stop") == []
    assert choice.reason("stop") == "stop"


def test_behind_its_end_nothing_comes_out() -> None:
    for choice in (stream(), stream(is_single=True)):
        choice.feed({"content": CALL})
        choice.finish("stop")
        assert choice.is_over
        assert choice.feed({"content": "Hi."}) == choice.finish("stop") == choice.abandon() == []


def test_tokens_that_say_nothing_are_dropped() -> None:
    logprobs = Logprobs()
    logprobs.add({"content": [{"token": "Hi"}, {"bytes": [1]}, {"token": ""}, {"token": "."}, {"token": " later"}]})
    assert logprobs.take({"content": "Hi."}) == {"content": [{"token": "Hi"}, {"token": "."}]}
    assert logprobs.take({"role": "assistant"}) is None
    assert logprobs.take({"reasoning": " later"}) == {"content": [{"token": " later"}]}
