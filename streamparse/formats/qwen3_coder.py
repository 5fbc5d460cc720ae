"""qwen3_coder and its kin: a function with parameters, whose names stand in the tags.

    <tool_call>
    <function=get_weather>
    <parameter=city>
    Oslo
    </parameter>
    </function>
    </tool_call>

Qwen3-Coder, Qwen3.5, Nemotron 3 and Step 3.5 write that, with one line break around each value, MiMo and Seed-OSS the
same without, though Seed-OSS may put a value on lines of its own. The outer tag may be missing, or have several
functions in it. Granite 4.2 writes line breaks behind its reasoning, which belong to its closer. MiniCPM-V 4.6 writes
tokens for which it has no use.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from streamparse.core.markers import Atom, exact
from streamparse.families.calls.grammar import NAME
from streamparse.families.tagged.grammar import MAYBE_QUOTE, marker
from streamparse.families.tagged.values import Values
from streamparse.formats import teaching
from streamparse.formats.format import Format
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import between, thinking

_INLINE, _BLOCK = "<parameter=$key>$value</parameter>\n", "<parameter=$key>\n$value\n</parameter>\n"
_RESPONSE = "<tool_response>\n$result\n</tool_response>"
_TOKENS = ("<|im_end|>", "<|endoftext|>")
#: Tokens of MiniCPM-V without a meaning, in either spelling.
_RESERVED = tuple(token for number in range(12, 16) for token in (f"<reserved_{number}>", f"<|reserved_{number}|>"))
#: Line breaks, and that there is not another one.
_BREAKS, _NO_BREAK = Atom(r"[\r\n]*+"), Atom(r"(?![\r\n])")


def _format(name: str, tag: str, **more: Any) -> Format:
    """The format of this name, with this tag around its calls."""
    return tagged_format(
        name,
        call="<function=$name>\n$arguments</function>",
        section=(f"<{tag}>", f"</{tag}>"),
        bare="with_parameters",
        written={"next": (marker("<function=", MAYBE_QUOTE, NAME, MAYBE_QUOTE, ">"), marker(f"<{tag}>"))},
        prompt={"teach": teaching.QWEN3_CODER.replace("tool_call>", f"{tag}>")},
        **more,
    )


QWEN3_CODER = _format(
    "qwen3_coder",
    "tool_call",
    parameter=_BLOCK,
    result=_RESPONSE,
    values=Values(breaks="always", has_literals=True),
    reasoning=thinking("qwen3_coder", calls="ends"),
    aliases=("qwen3_xml", "nemotron_v3", "step3p5", "nanbeige", "ornith"),
    dropped=_TOKENS,
)
GRANITE_THINKING = evolve(
    QWEN3_CODER,
    name="granite_thinking",
    reasoning=between(
        "granite_thinking",
        ("<think>",),
        ((*exact("</think>"), _BREAKS, _NO_BREAK),),
        calls="ends",
    ),
    aliases=(),
    models=(),
)
MINICPMV = evolve(
    QWEN3_CODER,
    name="minicpmv",
    reasoning=thinking("minicpmv", calls="ends"),
    aliases=(),
    dropped=(*_TOKENS, *_RESERVED),
    models=(),
)
MIMO = _format(
    "mimo",
    "tool_call",
    parameter=_INLINE,
    result=_RESPONSE,
    values=Values(has_literals=True),
    reasoning=thinking("mimo", calls="ends"),
    dropped=_TOKENS,
)
SEED_OSS = _format(
    "seed_oss",
    "seed:tool_call",
    parameter=_INLINE,
    result=Turn("<seed:bos>tool\n$result<seed:eos>"),
    values=Values(breaks="in_blocks", has_literals=True),
    reasoning=between("seed_oss", ("<seed:think>",), ("</seed:think>",)),
    aliases=("seed",),
    dropped=("<seed:cot_budget_reflect>", "</seed:cot_budget_reflect>", "<seed:eos>"),
)
