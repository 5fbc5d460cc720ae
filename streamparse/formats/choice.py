"""What is usual for a provider, for those who say no more than its name.

    format_for_provider("anthropic")        "xml"
    format_for_provider("openai")           "json"

Claude was taught tools as tags, the others as JSON with the keys of their own interfaces.
"""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from streamparse.config import ParserConfig
from streamparse.errors import RegistryError, shorten, suggest

_TAGS = frozenset({"anthropic", "claude"})
#: Those whose models are taught no keys of their own.
_OTHERS = (
    *("azure", "bedrock", "cohere", "deepseek", "fireworks", "groq", "huggingface", "mistral", "ollama", "openrouter"),
    *("perplexity", "together", "vllm", "xai"),
)
_PROFILES: dict[str, Literal["openai", "anthropic", "gemini"]] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "claude": "anthropic",
    "gemini": "gemini",
    "google": "gemini",
}


def format_for_provider(provider: str) -> str:
    """The name of the text format that a provider's models write best."""
    return "xml" if _name(provider) in _TAGS else "json"


def config_for_provider(provider: str, config: ParserConfig) -> ParserConfig:
    """`config` with the provider's JSON keys, unless it names a profile itself."""
    profile = _PROFILES.get(_name(provider))
    if profile is None or not isinstance(config, ParserConfig) or config.json_profile != "default":
        return config
    return evolve(config, json_profile=profile)


def _name(provider: str) -> str:
    if not isinstance(provider, str):
        raise TypeError(f"a provider is named by a string, not {provider!r}")
    name = provider.strip().lower()
    if name not in _PROFILES and name not in _OTHERS:
        known = suggest(name, (*_PROFILES, *_OTHERS)) or ": leave it out, and choose a format instead"
        raise RegistryError(f"unknown provider {shorten(provider)!r}{known}")
    return name
