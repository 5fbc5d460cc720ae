"""What the chunks of Responses and of LangChain say of the reply as a whole."""

from __future__ import annotations

from typing import Any

from streamparse.outcome import Usage
from streamparse.providers import Reader
from tests.providers.cases import response


def about(chunks: list[Any]) -> tuple[str | None, str | None, Usage | None]:
    reader = Reader()
    for chunk in chunks:
        reader.read(chunk)
    return reader.about.response_id, reader.about.model, reader.about.usage


def test_responses_tell_id_and_model_at_once_and_their_tokens_at_the_end() -> None:
    usage = {
        **{"input_tokens": 9, "output_tokens": 4, "total_tokens": 13},
        **{"input_tokens_details": {"cached_tokens": 2}, "output_tokens_details": {"reasoning_tokens": 3}},
    }
    created = response("created", response={"id": "r", "model": "m", "usage": None})
    for end in ("completed", "incomplete", "failed"):
        ended = response(end, response={"id": "r", "model": "m", "usage": usage})
        assert about([created]) == ("r", "m", None)
        assert about([created, ended]) == ("r", "m", Usage(9, 4, 3, 2, 13, provider=usage))
        assert about([ended]) == ("r", "m", Usage(9, 4, 3, 2, 13, provider=usage))


def test_langchains_chunks_add_to_each_other() -> None:
    def chunk(usage: Any = None, **metadata: Any) -> dict[str, Any]:
        return {"content": "", "tool_call_chunks": [], "usage_metadata": usage, "response_metadata": metadata}

    first = {"input_tokens": 9, "output_tokens": 0, "total_tokens": 9, "input_token_details": {"cache_read": 2}}
    second = {"input_tokens": 0, "output_tokens": 4, "total_tokens": 4, "output_token_details": {"reasoning": 3}}
    chunks = [chunk(first), chunk(second, model_name="m", id="r", finish_reason="stop"), chunk([1])]
    found = about(chunks)
    assert found[:2] == ("r", "m")
    assert found[2] == Usage(
        *(9, 4, 3, 2, 13),
        provider={
            **{"input_tokens": 9, "output_tokens": 4, "total_tokens": 13},
            **{"input_token_details": {"cache_read": 2}, "output_token_details": {"reasoning": 3}},
        },
    )
    assert about([chunk(model="m2")])[:2] == (None, "m2")


def test_langchains_counts_may_be_junk() -> None:
    def chunk(usage: Any) -> dict[str, Any]:
        return {"content": "", "tool_call_chunks": [], "usage_metadata": usage}

    assert about([chunk({"a": {"b": 1}}), chunk({"a": 1}), chunk({"a": "x"}), chunk({"a": {"b": 1}})])[2] is not None
    assert about([chunk({"a": 1}), chunk({"a": {"b": 1}})])[2] is not None
