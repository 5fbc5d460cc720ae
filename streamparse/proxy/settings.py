"""Settings: what a user may say about the replies that are repaired, and which format is read for a model.

    Settings()                                              by the name of the model, else "auto"
    Settings(format="hermes")                               whatever the model is called
    Settings(models={"*coder*": "qwen3_coder", "gpt-*": "native"})

The first pattern of `models` that fits the name counts, then `format`, then what is known of the model. "native" says
that a server does all of it by itself: Chat Completions of such a model are passed on as they are, both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from attrs import field, frozen, validators

from streamparse.encoders.openai_deltas import ReasoningField
from streamparse.events import NATIVE
from streamparse.formats import get, known_model

#: Whatever is found in the text.
AUTO = "auto"
#: What a model is taught that nothing is known of: most have seen it.
_TAUGHT = "hermes"


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    given = value.split(",") if isinstance(value, str) else value
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    for name in names:  # one that is unknown is told at once, not with the first request
        if not isinstance(name, str):
            raise TypeError(
                f"a format is given by its name, as in 'hermes' or 'hermes,json'; not {type(name).__name__}"
            )
        get(name.strip())
    return tuple(name.strip() for name in names)


def _models(models: Mapping[str, str | Iterable[str]]) -> dict[str, tuple[str, ...]]:
    if not isinstance(models, Mapping) or not all(isinstance(pattern, str) for pattern in models):
        raise TypeError(f"models maps the names of models to formats, as in {{'*coder*': 'hermes'}}; not {models!r}")
    return {pattern: _names(formats) for pattern, formats in models.items()}


@frozen(kw_only=True)
class Settings:
    """How replies are read and repaired.

    - `format`: the format of the text, or several with commas between them; "auto": as the model is known to write, and
      whatever can be recognised if the model is not known.
    - `models`: formats by patterns of model names (`*` stands for anything, case does not matter).
    - `is_prompted`: tools are taken out of requests and taught in the prompt, for servers that know none; in the first
      of the formats, and in "hermes" if the model is not known.
    - `reasoning_field`: where reasoning is put: "reasoning_content", "reasoning" or "both".
    - `always`: calls are read even if a request declares no tools.
    """

    format: tuple[str, ...] = field(default=(AUTO,), converter=_names)
    models: Mapping[str, tuple[str, ...]] = field(factory=dict, converter=_models)
    is_prompted: bool = field(default=False, validator=validators.instance_of(bool))
    reasoning_field: ReasoningField = field(
        default="reasoning_content", validator=validators.in_(("reasoning_content", "reasoning", "both"))
    )
    always: bool = field(default=False, validator=validators.instance_of(bool))

    def formats_for(self, model: str) -> tuple[str, ...]:
        """The formats that are looked for in the text of a model."""
        formats = self._chosen_for(model)
        return (_TAUGHT,) if formats == (AUTO,) and self.is_prompted else formats

    def _chosen_for(self, model: str) -> tuple[str, ...]:
        for pattern, formats in self.models.items():
            if fnmatchcase(model.lower(), pattern.lower()):
                return formats
        if self.format != (AUTO,):
            return self.format
        known = known_model(model)
        return (AUTO if known is None else known.format,)


def is_native(formats: Iterable[str]) -> bool:
    """Whether a server does all of it."""
    return tuple(formats) == (NATIVE,)


def is_thinking_off(body: Mapping[str, Any]) -> bool:
    """Whether a request tells the model not to think: then its prompt has not opened the reasoning."""
    template = body.get("chat_template_kwargs")
    said = template if isinstance(template, Mapping) else {}
    thinking = body.get("thinking")
    return (
        any(said.get(name) is False for name in ("enable_thinking", "thinking"))
        or any(body.get(name) is False for name in ("enable_thinking", "think"))
        or (isinstance(thinking, Mapping) and thinking.get("type") == "disabled")
        or body.get("reasoning_effort") == "none"
    )
