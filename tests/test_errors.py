"""errors.py: the tree, so that callers can catch as much of it as they mean to."""

from __future__ import annotations

import pickle

import pytest

from streamparse import (
    LimitError,
    MissingExtraError,
    ParserStateError,
    ProviderStreamError,
    RegistryError,
    SegmentContent,
    StateContractError,
    StreamparseError,
    errors,
)
from streamparse.errors import RequestError, in_words


def test_the_tree_is_the_documented_one() -> None:
    tree = {
        name: [base.__name__ for base in value.__mro__[1:] if base not in (BaseException, object)]
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert tree == {
        "StreamparseError": ["Exception"],
        "ParserStateError": ["StreamparseError", "RuntimeError", "Exception"],
        "StateContractError": ["StreamparseError", "RuntimeError", "Exception"],
        "RegistryError": ["StreamparseError", "ValueError", "Exception"],
        "LimitError": ["StreamparseError", "Exception"],
        "RenderError": ["StreamparseError", "ValueError", "Exception"],
        "PlanError": ["StreamparseError", "ValueError", "Exception"],
        "DiffError": ["StreamparseError", "ValueError", "Exception"],
        "TreeError": ["StreamparseError", "Exception"],
        "ProviderStreamError": ["StreamparseError", "Exception"],
        "RequestError": ["StreamparseError", "ValueError", "Exception"],
        "MissingExtraError": ["StreamparseError", "ImportError", "Exception"],
    }


@pytest.mark.parametrize("error", [ParserStateError, StateContractError, RegistryError])
def test_one_except_clause_catches_all_of_them(error: type[StreamparseError]) -> None:
    with pytest.raises(StreamparseError, match=r"^why$"):
        raise error("why")


def test_a_limit_error_carries_which_limit_its_value_where_and_what_was_certain() -> None:
    events = [SegmentContent("seg_1", "x")]
    error = LimitError("max_total", 10, 12, events)
    assert (error.name, error.value, error.offset, error.events) == ("max_total", 10, 12, events)
    assert str(error) == "the stream passed max_total=10 at offset 12; raise the limit or stop feeding"


def test_a_limit_error_without_events_has_none() -> None:
    assert LimitError("max_total", 10, 10).events == []


def test_a_limit_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(LimitError("max_total", 5, 5, [SegmentContent("seg_1", "x")])))
    assert (error.name, error.value, error.offset, error.events) == ("max_total", 5, 5, [SegmentContent("seg_1", "x")])
    assert str(error) == "the stream passed max_total=5 at offset 5; raise the limit or stop feeding"


def test_a_missing_extra_says_what_brings_it_and_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(MissingExtraError("cli", "click")))
    assert (error.extra, error.package) == ("cli", "click")
    assert str(error) == 'click is not installed: run `pip install "llm-streamparse[cli]"`'


def test_a_provider_stream_error_carries_the_message_and_what_was_certain() -> None:
    error = ProviderStreamError("overloaded", [SegmentContent("seg_1", "x")])
    assert (str(error), error.message, error.events) == ("overloaded", "overloaded", [SegmentContent("seg_1", "x")])
    twin = pickle.loads(pickle.dumps(error))
    assert (twin.message, twin.events) == (error.message, error.events)
    assert ProviderStreamError("why").events == []


def test_a_request_error_says_what_the_response_is_and_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(RequestError("no such thing", 404, "not_found_error")))
    assert (str(error), error.message, error.status, error.kind) == (
        *("no such thing", "no such thing"),
        *(404, "not_found_error"),
    )
    plain = RequestError("why")
    assert (plain.status, plain.kind) == (400, "invalid_request_error")


def test_an_exception_in_words() -> None:
    class SilentError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    errors = [ValueError("gone"), ValueError(), SilentError()]
    assert [in_words(error) for error in errors] == ["gone", "ValueError", "SilentError"]
