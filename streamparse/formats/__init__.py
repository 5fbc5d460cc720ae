"""The formats by name, and how several of them become one context.

`get("xml")` is a format, `names()` lists them, `register(Format(…))` adds one. `build_context` joins what the formats
of a parser look for: of two markers the earlier in the text wins, of two at one place the longer, and of two that are
equal that of the format listed first.
"""

from __future__ import annotations

from collections.abc import Iterable

from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.markers import compile_markers
from streamparse.core.opening import Opener, Opening
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import RegistryError
from streamparse.formats.deepseek import DEEPSEEK_V3, DEEPSEEK_V31
from streamparse.formats.format import Format, Reasoning, Setup
from streamparse.formats.gemma import FUNCTIONGEMMA, GEMMA4
from streamparse.formats.hermes import HERMES, LONGCAT, QWEN3
from streamparse.formats.json import JSON
from streamparse.formats.lfm2 import LFM2
from streamparse.formats.llama3 import LLAMA3_CODE, LLAMA3_JSON
from streamparse.formats.mistral import MISTRAL, MISTRAL_V3
from streamparse.formats.native import NATIVE
from streamparse.formats.olmo3 import OLMO3
from streamparse.formats.pythonic import LLAMA4_PYTHONIC, PYTHONIC
from streamparse.formats.sentinel import SENTINEL
from streamparse.formats.xml import XML
from streamparse.states.code import FENCES
from streamparse.states.code import OPENERS as CODE_OPENERS
from streamparse.states.line_start import LineStartState
from streamparse.states.reasoning import OpenReasoningState
from streamparse.states.text import TextState

__all__ = ["Format", "Reasoning", "Setup", "build_context", "get", "names", "register"]

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
    if not isinstance(name, str):
        raise TypeError(f"a format is chosen by its name, a string, not {name!r}")
    if name not in _formats:
        raise RegistryError(f"unknown format {name!r}; known: {', '.join(sorted(_formats))}")
    return _formats[name]


def names() -> tuple[str, ...]:
    """The names of all formats, without aliases."""
    return tuple(dict.fromkeys(format.name for format in _formats.values()))


#: Whichever format the text turns out to be in: the first call that is recognised settles it.
AUTO = Format("auto", in_auto=False)

for _known in (
    AUTO,
    XML,
    JSON,
    SENTINEL,
    NATIVE,
    HERMES,
    QWEN3,
    LONGCAT,
    MISTRAL,
    MISTRAL_V3,
    DEEPSEEK_V3,
    DEEPSEEK_V31,
    PYTHONIC,
    LLAMA4_PYTHONIC,
    OLMO3,
    LFM2,
    FUNCTIONGEMMA,
    GEMMA4,
    LLAMA3_JSON,
    LLAMA3_CODE,
):
    register(_known)


def choose(chosen: str | Iterable[str] | None, config: ParserConfig, default: str = "xml") -> list[Format]:
    """The formats of a parser: those `chosen`, else those of `config.strategy_order`, else the `default`."""
    if chosen is None:
        chosen = config.strategy_order if config.strategy_order is not None else default
    formats = [
        get(name) for name in (chosen if isinstance(chosen, Iterable) and not isinstance(chosen, str) else [chosen])
    ]
    if not formats:
        raise RegistryError(f"no format was chosen; known: {', '.join(sorted(_formats))}")
    return formats


def build_context(
    formats: list[Format], config: ParserConfig, registry: ToolStateRegistry, tools: Iterable[ToolSpec]
) -> ParserContext:
    """Everything the states of one stream share, for these formats."""
    declared = {tool.name.lower(): tool for tool in tools}
    registry = registry.copy()
    setup = Setup(config, registry, declared)
    openers: list[Opener] = []
    is_auto = AUTO in formats
    if is_auto:
        formats = [format for format in dict.fromkeys(_formats.values()) if format.in_auto]
    for format in formats:
        if config.parse_tool_calls:
            openers += format.call_openers(setup)
        openers += format.other_openers()
    at_line = [opener for format in formats for opener in format.line_openers]
    at_reply = [opener for format in formats for opener in format.reply_openers]
    if is_auto or not config.parse_tool_calls:
        at_line, at_reply = [], []
    fences = FENCES if config.code == "text" else ()
    line = _line_openers([*at_line, *fences]) if at_line else ()
    openers += [*line, *CODE_OPENERS[config.code]]
    tool_states = {format.name: format.tool_states for format in formats}
    context = ParserContext(config, registry, TextState, openers, tool_states, declared)
    if config.code == "text":
        context.line_opener = CODE_OPENERS["text"][0]
    if line:
        context.line_opener = line[0]
    if at_line or at_reply:
        context.reply_opener = _line_openers([*at_reply, *at_line, *fences])[0]
    context.is_settled = not is_auto
    _begin(context, formats)
    return context


def _line_openers(openers: list[Opener]) -> tuple[Opener, ...]:
    """What leads to the beginning of a line, where one of `openers` may stand."""
    markers = compile_markers({opener: [opener.marker] for opener in openers})
    return tuple(Opener((line_break,), LineStartState, options=markers) for line_break in "\n\r")


def _begin(context: ParserContext, formats: list[Format]) -> None:
    """Let the stream begin in the right state: text, the beginning of a line, or reasoning."""
    wanted = context.config.reasoning
    for format in formats:
        reasoning = format.reasoning
        is_open = reasoning.starts_open and context.is_settled if wanted is None else wanted == "open"
        if is_open and reasoning.implied_closer:
            context.opening = Opening("", reasoning.implied_closer, format=format.name)
            context.enter(Opener(reasoning.implied_opener, OpenReasoningState, format.name))
            return
    context.begin_reply()
