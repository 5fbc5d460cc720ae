"""The formats by name, and how several of them become one context.

`get("xml")` is a format, `names()` lists them, `register(Format(…))` adds one. `build_context` merges the formats a parser
uses: their openers end text, the earliest wins, and where two begin alike the format listed first does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.markers import Marker
from streamparse.core.registry import ToolStateRegistry
from streamparse.core.state import BaseState
from streamparse.errors import RegistryError
from streamparse.formats.format import Format
from streamparse.formats.xml import XML
from streamparse.states.code import OPENERS as CODE_OPENERS
from streamparse.states.code import CodeState
from streamparse.states.text import SWALLOWED, TextState

__all__ = ["Format", "build_context", "get", "names", "register"]

_formats: dict[str, Format] = {}


def register(format: Format, *, replace: bool = False) -> None:
    """Make `format` known by its name and aliases."""
    global _formats
    if not isinstance(format, Format):
        raise RegistryError(f"{format!r} is not a Format")
    keys = (format.name, *format.aliases)
    taken = [key for key in keys if key in _formats]
    if taken and not replace:
        raise RegistryError(f"the format {taken[0]!r} is registered already: pass replace=True to replace it")
    _formats = {**_formats, **dict.fromkeys(keys, format)}


def get(name: str) -> Format:
    """The format called `name`."""
    if name not in _formats:
        raise RegistryError(f"unknown format {name!r}; known: {', '.join(sorted(_formats))}")
    return _formats[name]


def names() -> tuple[str, ...]:
    """The names of all formats, without aliases."""
    return tuple(dict.fromkeys(format.name for format in _formats.values()))


register(XML)

_COMMON_STATES: dict[str, type[BaseState]] = {"code": CodeState}


def build_context(
    formats: Sequence[Format], config: ParserConfig, registry: ToolStateRegistry, tools: Iterable[ToolSpec]
) -> ParserContext:
    """Everything the states of one stream share, for these formats."""
    states = dict(_COMMON_STATES)
    for format in reversed(formats):
        states.update(format.states)
    call_openers: dict[str, list[Marker]] = {}
    if config.parse_tool_calls:
        for format in formats:
            _merge(call_openers, format.call_openers(registry))
        _merge(call_openers, {"code": CODE_OPENERS[config.code]})
    openers: dict[str, list[Marker]] = {}
    for format in formats:
        _merge(openers, format.reasoning_openers)
        _merge(openers, {SWALLOWED: format.stray_closers})
    _merge(openers, {"code": CODE_OPENERS[config.code]})
    _merge(openers, call_openers)
    context = ParserContext(
        config, registry.copy(), TextState, states, openers, call_openers, {tool.name.lower(): tool for tool in tools}
    )
    starts_in_reasoning = any(format.starts_in_reasoning for format in formats)
    if config.reasoning == "open" or (config.reasoning is None and starts_in_reasoning):
        context.transition_to("reasoning")
    elif config.code == "text":
        context.transition_to("code")  # the stream begins a line
    return context


def _merge(into: dict[str, list[Marker]], openers: Mapping[str, Iterable[Marker]]) -> None:
    for state, markers in openers.items():
        known = into.setdefault(state, [])
        known.extend(marker for marker in markers if marker not in known)
