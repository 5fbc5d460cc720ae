"""How a reply ended, and its wire form."""

from __future__ import annotations

import pytest

from streamparse.errors import ProviderStreamError
from streamparse.outcome import FINISH_REASONS, Outcome, StreamEnd, Usage

OUTCOMES = [
    (Outcome(), {"finish_reason": "unknown"}),
    (
        Outcome("length", "max_tokens", Usage(12, 40, 8, 4, 52, {"input_tokens": 12}), "m-1", "r-1"),
        {
            "finish_reason": "length",
            "provider_reason": "max_tokens",
            "usage": {
                "input": 12,
                "output": 40,
                "reasoning": 8,
                "cached": 4,
                "total": 52,
                "provider": {"input_tokens": 12},
            },
            "model": "m-1",
            "response_id": "r-1",
        },
    ),
    (Outcome("error", error="overloaded"), {"finish_reason": "error", "error": "overloaded"}),
    (
        Outcome("error", error="gone", is_exception=True),
        {"finish_reason": "error", "error": "gone", "is_exception": True},
    ),
    (Outcome("stop", usage=Usage(0)), {"finish_reason": "stop", "usage": {"input": 0}}),
]


@pytest.mark.parametrize(("outcome", "data"), OUTCOMES)
def test_the_wire_form_of_an_outcome(outcome: Outcome, data: dict[str, object]) -> None:
    assert outcome.to_dict() == data
    assert Outcome.from_dict(data) == outcome


@pytest.mark.parametrize(("outcome", "data"), OUTCOMES)
def test_the_wire_form_of_the_end_of_a_stream(outcome: Outcome, data: dict[str, object]) -> None:
    assert StreamEnd(outcome).to_dict() == {"type": "STREAM_END", "payload": data}
    assert StreamEnd.from_dict({"type": "STREAM_END", "payload": data}) == StreamEnd(outcome)


def test_a_reply_that_broke_off() -> None:
    assert Outcome.broken("overloaded") == Outcome("error", error="overloaded")
    assert Outcome.broken(ProviderStreamError("overloaded")) == Outcome("error", error="overloaded")
    assert Outcome.broken(OSError("/home/me")) == Outcome("error", error="/home/me", is_exception=True)
    assert Outcome.broken(OSError()) == Outcome("error", error="OSError", is_exception=True)


def test_what_an_exception_said_is_not_public() -> None:
    assert Outcome.broken("overloaded").public_error == "overloaded"
    assert Outcome.broken(OSError("/home/me")).public_error == "the reply broke off"
    assert Outcome("error").public_error is None


def test_the_nine_reasons() -> None:
    words = "stop length tool_calls content_filter refusal pause error cancelled unknown"
    assert list(FINISH_REASONS) == words.split()


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"type": "SEGMENT_END", "payload": {}},
        {"type": "STREAM_END"},
        {"type": "STREAM_END", "payload": []},
        {"type": "STREAM_END", "payload": {"finish_reason": "done"}},
        {"type": "STREAM_END", "payload": {"color": "red"}},
        {"type": "STREAM_END", "payload": {"usage": {"color": "red"}}},
    ],
)
def test_anything_else_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"wire form|unknown finish reason"):
        StreamEnd.from_dict(data)  # type: ignore[arg-type]


def test_usage_by_itself() -> None:
    usage = Usage(1, 2, provider={"prompt_tokens": 1})
    assert Usage.from_dict(usage.to_dict()) == usage
