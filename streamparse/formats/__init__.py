"""The formats by name, and how several of them become one context.

`get("xml")` is a format, `names()` lists them, `register(Format(…))` adds one; what a declaration of a known family is
made of can be imported from here. `build_context` joins what the formats of a parser look for: of two markers the
earlier in the text wins, of two at one place the longer, and of two that are equal that of the format listed first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.context import ParserContext
from streamparse.core.grammar import Grammar
from streamparse.core.markers import BLANK_CHARACTERS, Atom, Marker, compile_markers
from streamparse.core.opening import Opener, Opening
from streamparse.core.registry import ToolStateRegistry
from streamparse.errors import RegistryError
from streamparse.families.calls.grammar import CALL_ID, NAME, Calls, Maybe, Section
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.apertus import APERTUS
from streamparse.formats.auto import AUTO, agreed
from streamparse.formats.cline import CLINE, ROO
from streamparse.formats.cohere import COHERE_COMMAND3, COHERE_COMMAND4, COMMAND_R
from streamparse.formats.deepseek import DEEPSEEK_V3, DEEPSEEK_V31
from streamparse.formats.dsml import DEEPSEEK_V4, DEEPSEEK_V32
from streamparse.formats.ernie import ERNIE45
from streamparse.formats.format import Format, Reasoning, Setup
from streamparse.formats.functionary import FUNCTIONARY_V31, FUNCTIONARY_V32
from streamparse.formats.gemma import FUNCTIONGEMMA, GEMMA4
from streamparse.formats.gigachat import GIGACHAT3
from streamparse.formats.glm import GLM45, GLM47, HUNYUAN3
from streamparse.formats.granite import GRANITE3, GRANITE20B
from streamparse.formats.harmony import HARMONY
from streamparse.formats.hermes import HERMES, LONGCAT, QWEN3
from streamparse.formats.inkling import INKLING
from streamparse.formats.internlm import INTERNLM
from streamparse.formats.invoke import DOTS, MINICPM5, MINIMAX_M2, STEP3
from streamparse.formats.json import JSON
from streamparse.formats.kimi import KIMI_K2
from streamparse.formats.kimi_k3 import KIMI_K3
from streamparse.formats.lfm2 import LFM2
from streamparse.formats.llama3 import LLAMA3_CODE, LLAMA3_JSON
from streamparse.formats.minimax_m1 import MINIMAX_M1
from streamparse.formats.minimax_m3 import MINIMAX_M3
from streamparse.formats.mistral import MISTRAL, MISTRAL_V3
from streamparse.formats.models import find_format
from streamparse.formats.muse import MUSE
from streamparse.formats.native import NATIVE
from streamparse.formats.nemotron_v2 import NEMOTRON_V2
from streamparse.formats.olmo3 import OLMO3
from streamparse.formats.phi4 import PHI4
from streamparse.formats.prompt import Prompt
from streamparse.formats.pythonic import LLAMA4_PYTHONIC, PYTHONIC
from streamparse.formats.qwen3_coder import MIMO, QWEN3_CODER, SEED_OSS
from streamparse.formats.sentinel import SENTINEL
from streamparse.formats.solar import SOLAR_OPEN
from streamparse.formats.thinking import between, thinking
from streamparse.formats.tool_calls_list import APRIEL, HUNYUAN_A13B, JAMBA
from streamparse.formats.xlam import XLAM
from streamparse.formats.xml import XML
from streamparse.states.beginning import BeginningState, FirstOpeners
from streamparse.states.code import FENCES
from streamparse.states.code import OPENERS as CODE_OPENERS
from streamparse.states.line_start import LineOpeners, LineStartState
from streamparse.states.reasoning import OpenReasoningState
from streamparse.states.text import TextState

__all__ = [
    "CALL_ID",
    "JSON_ARGUMENTS",
    "NAME",
    "Calls",
    "Format",
    "JsonArgumentsState",
    "JsonObjectCallState",
    "Maybe",
    "Prompt",
    "Reasoning",
    "Section",
    "Setup",
    "between",
    "build_context",
    "format_for_model",
    "get",
    "names",
    "register",
    "thinking",
]

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


def format_for_model(model: str) -> str:
    """The name of the format that a model writes: `format_for_model("Qwen/Qwen3-Coder-30B")` is "qwen3_coder"."""
    return find_format(model, dict.fromkeys(_formats.values())).name


for _known in (
    AUTO,
    XML,
    JSON,
    SENTINEL,
    NATIVE,
    CLINE,
    ROO,
    HERMES,
    QWEN3,
    LONGCAT,
    MISTRAL,
    MISTRAL_V3,
    DEEPSEEK_V3,
    DEEPSEEK_V31,
    ERNIE45,
    INTERNLM,
    GRANITE20B,
    GIGACHAT3,
    MINIMAX_M1,
    GRANITE3,
    JAMBA,
    HUNYUAN_A13B,
    APRIEL,
    NEMOTRON_V2,
    PHI4,
    XLAM,
    APERTUS,
    HARMONY,
    MUSE,
    INKLING,
    SOLAR_OPEN,
    FUNCTIONARY_V31,
    FUNCTIONARY_V32,
    KIMI_K2,
    COHERE_COMMAND3,
    COHERE_COMMAND4,
    COMMAND_R,
    QWEN3_CODER,
    MIMO,
    SEED_OSS,
    GLM45,
    GLM47,
    HUNYUAN3,
    DEEPSEEK_V32,
    DEEPSEEK_V4,
    MINIMAX_M2,
    MINIMAX_M3,
    STEP3,
    DOTS,
    MINICPM5,
    KIMI_K3,
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
    grammar = _build_grammar(formats, Setup(config, registry, declared, AUTO in formats))
    return ParserContext(config, grammar, TextState, registry, declared)


def _build_grammar(formats: list[Format], setup: Setup) -> Grammar:
    config, is_auto = setup.config, setup.is_auto
    openers: list[Opener] = []
    if is_auto:
        formats = [format for format in dict.fromkeys(_formats.values()) if format.in_auto]
    for format in formats:
        if config.parse_tool_calls:
            openers += format.call_openers(setup)
        openers += format.other_openers(setup)
    at_line = [opener for format in formats for opener in format.line_openers]
    at_reply = [opener for format in formats for opener in format.reply_openers]
    if is_auto or not config.parse_tool_calls:
        at_line, at_reply = [], []
    fences = FENCES if config.code == "text" else ()
    takes_blanks = any(opener.marker[0][0] in BLANK_CHARACTERS for opener in openers if opener.marker)
    line = _line_openers([*at_line, *fences], takes_blanks) if at_line else ()
    openers += [*line, *CODE_OPENERS[config.code]]
    line_opener = CODE_OPENERS["text"][0] if config.code == "text" else None
    first_opener, first_opening = _first(formats, setup)
    return Grammar(
        agreed(tuple(openers)) if is_auto else tuple(openers),
        {format.name: format.tool_states for format in formats},
        () if is_auto else tuple(dict.fromkeys(end for format in formats for end in format.span_ends)),
        line[0] if line else line_opener,
        _line_openers([*at_reply, *at_line, *fences], takes_blanks)[0] if at_line or at_reply else None,
        first_opener,
        first_opening,
        [opener for format in formats for opener in format.wrapper_openers] if is_auto else None,
    )


def _line_openers(openers: list[Opener], takes_blanks: bool) -> tuple[Opener, ...]:
    """What leads to the beginning of a line, where one of `openers` may stand.

    A line that begins with anything else is prose, and not worth a state. Of blanks only so many are passed by: with
    more, lines of nothing else would each be read to their common end. The blanks are text at once, unless another
    opener takes some of them: then they wait for what follows.
    """
    markers = compile_markers({opener: [opener.marker] for opener in openers})
    blanks, head = Atom(r"[ \t\r\n]{0,64}+"), Atom(rf"(?=[ \t\r\n{re.escape(markers.heads)}])")
    begins: list[Marker] = [
        (line_break, blanks, head) if takes_blanks else (Atom(rf"{line_break}(?={blanks}(?:\Z|{head}))"),)
        for line_break in "\n\r"
    ]
    return tuple(Opener(marker, LineStartState, options=LineOpeners(markers)) for marker in begins)


def _first(formats: list[Format], setup: Setup) -> tuple[Opener | None, Opening | None]:
    """What the stream begins with, if it is not the reply: reasoning, or what the prompt has begun."""
    wanted = setup.config.reasoning
    for format in formats:
        reasoning = format.reasoning
        is_open = reasoning.starts_open and not setup.is_auto if wanted is None else wanted == "open"
        if is_open and reasoning.implied_closer:
            opening = Opening("", reasoning.implied_closer, format=format.name, other_closers=reasoning.other_closers)
            return Opener(reasoning.implied_opener, OpenReasoningState, format.name), opening
    first = tuple(opener for format in formats for opener in format.first_openers(setup))
    return Opener((), BeginningState, options=FirstOpeners(first)) if first else None, None
