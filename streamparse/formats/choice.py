"""What is usual for a provider or a model, for those who say no more than its name.

    format_for_provider("anthropic")        "xml"
    format_for_provider("openai")           "json"
    choose_by_model("Qwen/QwQ-32B", …)      "hermes", and a configuration that says `reasoning="open"`

Claude was taught tools as tags, the others as JSON with the keys of their own interfaces. `models.py` knows the models.
"""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from streamparse.config import ParserConfig
from streamparse.errors import RegistryError, shorten, suggest
from streamparse.events import NATIVE
from streamparse.formats import Formats, choose, for_model, known_model

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


def choose_by_model(model: str, formats: Formats, config: ParserConfig) -> tuple[Formats, ParserConfig]:
    """The formats and the configuration for the text of a model; what they say themselves counts more.

    Where formats were chosen, the model need not be known. If that is "native" alone, a server has taken the reply
    apart, and what the prompt has opened is not in its text. What is usual for the formats is not told again: a closer
    that nothing has opened then still says that the text before it was reasoning.
    """
    if not isinstance(config, ParserConfig):
        return formats, config  # the parser says what is wrong with it
    chosen = None if formats is None and config.strategy_order is None else choose(formats, config)
    found = for_model(model) if chosen is None else known_model(model)
    if found is None:
        return chosen, config
    used = chosen or choose(found.format, config)
    usual = "open" if any(format.reasoning.starts_open for format in used) else "closed"
    if config.reasoning is None and found.reasoning != usual and any(format.name != NATIVE for format in used):
        config = evolve(config, reasoning=found.reasoning)
    return used, config


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
