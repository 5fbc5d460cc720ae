"""formats/choice.py: what is usual for a provider."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, StreamingResponseHandler, format_for_provider

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
