"""formats/choice.py: what is usual for a provider, and for a model."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import (
    ParserConfig,
    RegistryError,
    Reply,
    StreamingResponseHandler,
    aparse,
    format_for_provider,
    formats,
    parse,
)
from streamparse.testing import segments

CALL = '{"name": "f", "%s": {"a": 1}}<run_bash>ls</run_bash>'


def names(key: str, *arguments: Any, **options: Any) -> list[str]:
    handler = StreamingResponseHandler(*arguments, **options)
    handler.feed(CALL % key)
    handler.finalize()
    return [invocation.name for invocation in handler.invocations]


@pytest.mark.parametrize(
    ("provider", "format"),
    [("anthropic", "xml"), (" Claude ", "xml"), ("openai", "json"), ("gemini", "json"), ("mistral", "json")],
)
def test_the_format_of_a_provider(provider: str, format: str) -> None:
    assert format_for_provider(provider) == format


@pytest.mark.parametrize(
    ("key", "provider", "found"),
    [
        ("arguments", "openai", ["f"]),
        ("args", "openai", []),
        ("args", "Google", ["f"]),
        ("input", "mistral", ["f"]),
        ("input", "anthropic", ["run_bash"]),
    ],
)
def test_a_provider_brings_its_format_and_its_keys(key: str, provider: str, found: list[str]) -> None:
    assert names(key, provider=provider) == found


def test_whatever_else_is_said_counts_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert names("input", "json", provider="anthropic") == ["f"]
    assert names("args", "json", provider="anthropic") == []
    assert names("args", config=ParserConfig(strategy_order="xml"), provider="openai") == ["run_bash"]
    assert names("args", config=ParserConfig(json_profile="gemini"), provider="openai") == ["f"]
    monkeypatch.setenv("STREAMPARSE_PARSER", "xml")
    assert names("arguments", provider="openai") == ["run_bash"]


def test_a_provider_is_named_by_a_string() -> None:
    with pytest.raises(TypeError, match=r"^a provider is named by a string, not 5$"):
        format_for_provider(5)  # type: ignore[arg-type]


# -- models ------------------------------------------------------------------------------------------------------------

QWEN35, QWEN3 = "Qwen/Qwen3.5-35B-A3B", "Qwen/Qwen3-8B"
FUNCTION = "<tool_call>\n<function=f>\n</function>\n</tool_call>"
THOUGHT = f"Hm.</think>Yes.{FUNCTION}"
READ = [("reasoning", "Hm."), ("text", "Yes."), ("tool_call", "")]


def delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"delta": fields}]}


def shown(chunks: Any, *arguments: Any, **options: Any) -> list[tuple[str, str]]:
    return [(kind, content) for kind, _, content, _ in segments(list(parse(chunks, *arguments, **options)))]


async def test_a_model_says_the_format_and_whether_the_reply_begins_within_reasoning() -> None:
    assert shown(THOUGHT, model=QWEN35) == READ
    handler = StreamingResponseHandler(model=QWEN35)
    assert handler.feed(THOUGHT) + handler.finalize() == list(parse(THOUGHT, model=QWEN35))
    assert [event async for event in aparse(THOUGHT, model=QWEN35)] == list(parse(THOUGHT, model=QWEN35))
    reply = Reply(list(THOUGHT), model=QWEN35).read()
    assert (reply.reasoning, reply.text, [call.name for call in reply.calls]) == ("Hm.", "Yes.", ["f"])
    assert shown("Yes.", model=QWEN3) == [("text", "Yes.")]
    assert shown("Yes.", model="MiniMaxAI/MiniMax-M2") == [("reasoning", "Yes.")]
    assert shown("Yes.", "minimax_m2", model=QWEN3) == [("text", "Yes.")], "the model knows better than its format"


def test_what_is_chosen_counts_more_than_what_a_model_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown("a</think>b", "xml", model=QWEN35) == [("reasoning", "a"), ("text", "b")]
    assert shown("a</think>b", (name for name in ["xml", "json"]), model=QWEN35) == [("reasoning", "a"), ("text", "b")]
    assert shown("a</think>b", model=QWEN35, config=ParserConfig(reasoning="closed")) == [("text", "a</think>b")]
    assert shown("a</think>b", model=QWEN3, config=ParserConfig(reasoning="open")) == [
        ("reasoning", "a"),
        ("text", "b"),
    ]
    ordered = ParserConfig(strategy_order="xml")
    assert shown(FUNCTION, model=QWEN3, config=ordered) == [("text", FUNCTION)]
    monkeypatch.setenv("STREAMPARSE_PARSER", "xml")
    assert shown(THOUGHT, model=QWEN35) == shown(THOUGHT, model=QWEN35, provider="anthropic") == READ


def test_a_model_that_is_not_known_is_refused_unless_a_format_is_chosen() -> None:
    with pytest.raises(RegistryError, match=r"^no format is known for the model 'acme'; "):
        parse("", model="acme")
    assert shown("a", "xml", model="acme") == [("text", "a")]
    assert shown("a", config=ParserConfig(strategy_order="minimax_m2"), model="acme") == [("reasoning", "a")]
    with pytest.raises(TypeError, match=r"^a model is named by a string, not 5$"):
        parse("", "xml", model=5)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"^config must be a ParserConfig, not dict$"):
        StreamingResponseHandler(model=QWEN3, config={})  # type: ignore[arg-type]


def test_a_model_names_the_text_in_a_providers_chunks() -> None:
    assert shown([delta(content=THOUGHT)], model=QWEN35) == READ
    called = delta(tool_calls=[{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}])
    assert shown([delta(content="Hm.</think>Yes."), called], model=QWEN35) == [*READ[:2], ("tool_call", "{}")]
    parsed = [delta(role="assistant", content=""), delta(reasoning_content="Hm."), delta(content="Yes."), called]
    assert shown(parsed, model=QWEN35) == shown(parsed) == [*READ[:2], ("tool_call", "{}")]


@pytest.mark.parametrize(
    "native", ["native", "api_tool_call", ["native"], formats.get("native")], ids=["name", "alias", "list", "format"]
)
def test_where_a_server_has_taken_the_reply_apart_the_text_begins_closed(native: Any) -> None:
    assert shown([delta(content="Yes.")], native, model=QWEN35) == [("text", "Yes.")]
    opened = ParserConfig(reasoning="open")
    assert shown([delta(content="Yes.")], native, model=QWEN35, config=opened) == [("reasoning", "Yes.")]
    assert shown([delta(content="Hm.</think>Yes.")], ["native", "xml"], model=QWEN35) == READ[:2]
