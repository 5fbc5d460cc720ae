"""The formats by name, and what a parser begins with that was told some of them.

`get("xml")` is a format, `names()` lists them, `register(Format(…))` adds one, `for_model("Qwen/Qwen3-8B")` says which
one a model writes; what a declaration of a known family is made of can be imported from here. Those that come with the
library are imported when they are first asked for (`shipped.py`). How several become one grammar is told in
`grammar.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from streamparse import deferred
from streamparse.config import ParserConfig, Tools, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import RegistryError, shorten, suggest
from streamparse.families.calls.grammar import CALL_ID, NAME, Calls, Maybe, Section
from streamparse.formats.auto import AUTO
from streamparse.formats.format import Format, Reasoning, Setup
from streamparse.formats.grammar import grammar_for
from streamparse.formats.live import LiveCalls
from streamparse.formats.models import ModelFormat, find_model, unknown_model
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.shipped import IN_ENGINES, SHIPPED, Shipped, load
from streamparse.formats.thinking import between, thinking
from streamparse.states.text import TextState

if TYPE_CHECKING:
    from streamparse.families.json.arguments_state import JsonArgumentsState
    from streamparse.families.json.decoder import JSON_ARGUMENTS
    from streamparse.families.json.object_state import JsonObjectCallState

__all__ = [
    "CALL_ID",
    "JSON_ARGUMENTS",
    "NAME",
    "Calls",
    "Format",
    "Formats",
    "JsonArgumentsState",
    "JsonObjectCallState",
    "Maybe",
    "ModelFormat",
    "Prompt",
    "Reasoning",
    "Section",
    "Setup",
    "Turn",
    "between",
    "build_context",
    "for_model",
    "format_for_model",
    "get",
    "names",
    "register",
    "thinking",
]


def __getattr__(name: str) -> Any:
    """What most who import this module do not need."""
    match name:
        case "JSON_ARGUMENTS":
            return deferred.load("streamparse.families.json.decoder", name)
        case "JsonArgumentsState":
            return deferred.load("streamparse.families.json.arguments_state", name)
        case "JsonObjectCallState":
            return deferred.load("streamparse.families.json.object_state", name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


#: A format, or several, by name or as such; None for what is usual.
Formats: TypeAlias = str | Format | Iterable[str | Format] | None
_LISTED = ": `streamparse formats` lists them"
#: What is no format, and is often taken for one.
_TAKEN_FOR_FORMATS = {
    "openai": ": choose 'native' for calls in the fields of its chunks, or 'harmony' for the text of gpt-oss",
}
#: What names are compared without, besides case: engines write `deepseek-v3.1`, `deepseekv31` and `deepseek_v31`.
_IGNORED = str.maketrans("", "", "-_. ")


@lru_cache(maxsize=512)
def _key(name: str) -> str:
    return name.translate(_IGNORED).lower()


#: By the keys of names and aliases. It is never changed in place: a thread that reads it is not disturbed by one that
#: registers.
_formats: dict[str, Format | Shipped] = {_key(name): found for name, found in {**SHIPPED, **IN_ENGINES}.items()}
#: The mapping above when it was found out what `auto` looks for; what that is without tools, and with them.
_in_auto: tuple[Mapping[str, Format | Shipped], tuple[Format, ...], tuple[Format, ...]] = ({}, (), ())


def register(format: Format, *, replace: bool = False) -> None:
    """Make `format` known by its name and aliases: to handlers made from now on."""
    global _formats
    if not isinstance(format, Format):
        raise RegistryError(f"{format!r} is not a Format")
    names = (format.name, *format.aliases)
    taken = [name for name in names if _key(name) in _formats]
    if taken and not replace:
        raise RegistryError(f"the format {taken[0]!r} is registered already: pass replace=True to replace it")
    _formats = {**_formats, **dict.fromkeys(map(_key, names), format)}


def get(name: str | Format) -> Format:
    """The format called `name`; or the format itself, which need not be registered.

    Case, blanks, `-`, `_` and `.` do not matter, and the names that engines have for their parsers will do, too.
    """
    return _loaded(_look_up(name))


def _loaded(found: Format | Shipped) -> Format:
    return load(found) if isinstance(found, Shipped) else found


def name_of(format: str | Format) -> str:
    """What the format is called that `get` would give. It is not imported for that."""
    return _look_up(format).name


def _look_up(name: str | Format) -> Format | Shipped:
    if isinstance(name, Format):
        return name
    if not isinstance(name, str):
        raise TypeError(f"a format is chosen by its name, a string, or is a Format, not {name!r}")
    found = _formats.get(_key(name))
    if found is None:
        hint = _TAKEN_FOR_FORMATS.get(_key(name)) or suggest(name, _spellings()) or _model_hint(name)
        raise RegistryError(f"unknown format {shorten(name)!r}{hint or _LISTED}")
    return found


def _spellings() -> list[str]:
    """The names and aliases of all formats, as they are written."""
    return [*SHIPPED, *(name for format in _own_formats() for name in (format.name, *format.aliases))]


def _model_hint(name: str) -> str:
    with suppress(RegistryError):
        return f": that is a model, which writes {for_model(name).format!r}"
    return ""


def names() -> tuple[str, ...]:
    """The names of all formats, without aliases."""
    return tuple(dict.fromkeys(found.name for found in _formats.values()))


def for_model(model: str) -> ModelFormat:
    """The format that a model writes, and whether its replies begin within reasoning, which the prompt has opened.

    `for_model("Qwen/Qwen3.5-35B-A3B")` is `ModelFormat(format="qwen3_coder", reasoning="open")`. The name may be that
    of a repository, also of a quantised model (`unsloth/Qwen3-8B-GGUF:Q4_K_M`), of a file (`/models/qwen3-8b.gguf`), of
    Ollama (`deepseek-r1:14b`), or of a host (`accounts/fireworks/models/deepseek-v3p1`). The `models` and `open_models`
    of formats that you have registered count first. Raises RegistryError for a model that is not known.
    """
    found = known_model(model)
    if found is None:
        raise unknown_model(model, _own_formats())
    return found


def known_model(model: str) -> ModelFormat | None:
    """The same as `for_model`; None for a model that is not known."""
    return find_model(model, _own_formats())


def format_for_model(model: str) -> str:
    """The name of the format that a model writes: `format_for_model("Qwen/Qwen3-Coder-30B")` is "qwen3_coder"."""
    return for_model(model).format


def choose(chosen: Formats, config: ParserConfig, default: str = "xml") -> list[Format]:
    """The formats of a parser: those `chosen`, else those of `config.strategy_order`, else the `default`."""
    if chosen is None:
        chosen = config.strategy_order if config.strategy_order is not None else default
    formats = [
        get(name) for name in (chosen if isinstance(chosen, Iterable) and not isinstance(chosen, str) else [chosen])
    ]
    if not formats:
        raise RegistryError(f"no format was chosen{_LISTED}")
    return formats


def build_context(
    formats: list[Format],
    config: ParserConfig,
    registry: ToolStateRegistry,
    tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None,
) -> ParserContext:
    """Everything the states of one stream share, for these formats."""
    is_auto = AUTO in formats
    setup = Setup(config, registry.copy(), Tools.of(tools), is_auto)
    named = tuple(format.name for format in formats if is_auto and format is not AUTO)
    all_formats = [one for format in formats for one in (_auto_formats(setup.tools) if format is AUTO else (format,))]
    grammar = grammar_for(tuple(dict.fromkeys(all_formats)), setup, named)
    context = ParserContext(config, grammar, TextState, setup.registry, setup.tools)
    context.emitter.follow = LiveCalls(setup.tools, config, finder(formats))
    return context


def finder(formats: Iterable[Format]) -> Callable[[str], Format | None]:
    """What finds a format by its name: among `formats`, which need not be registered, else among those that are.

    It gives None for one that a state of somebody's own has made up.
    """
    own = {format.name: format for format in formats if _registered(format.name) is not format}
    return (lambda name: own.get(name) or _registered(name)) if own else _registered


def _registered(name: str) -> Format | None:
    found = _formats.get(_key(name))
    return None if found is None else _loaded(found)


def _auto_formats(tools: Tools) -> tuple[Format, ...]:
    """Those that `auto` looks for, in the order of their names. They are gathered anew when one was registered."""
    global _in_auto
    known, plain, with_tools = _in_auto
    if known is not _formats:
        known, all_formats = _formats, _all_formats()
        plain = tuple(format for format in all_formats if format.in_auto)
        with_tools = tuple(format for format in all_formats if format.in_auto or format.in_auto_with_tools)
        _in_auto = known, plain, with_tools
    return with_tools if tools else plain


def _own_formats() -> list[Format]:
    """Those that the program has registered."""
    return list(dict.fromkeys(found for found in _formats.values() if isinstance(found, Format)))


def _all_formats() -> list[Format]:
    return list(dict.fromkeys(map(_loaded, _formats.values())))
