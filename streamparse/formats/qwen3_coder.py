"""qwen3_coder and its kin: a function with parameters, whose names stand in the tags.

    <tool_call>
    <function=get_weather>
    <parameter=city>
    Oslo
    </parameter>
    </function>
    </tool_call>

Qwen3-Coder, Qwen3.5, Nemotron 3 and Step 3.5 write that, with one line break around each value, MiMo and Seed-OSS the
same without. The outer tag may be missing, or have several functions in it.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.tagged.decoder import TaggedArguments, Values
from streamparse.families.tagged.grammar import KEY, Tags, marker
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats import teaching
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import between, thinking

_HEAD = ("<function=", NAME, ">")
_END = "</function>"
_INLINE, _BLOCK = "<parameter=$key>$value</parameter>\n", "<parameter=$key>\n$value\n</parameter>\n"


def _tags(tag: str) -> Tags:
    return Tags(
        open=(marker("<parameter=", KEY, ">"),),
        close=marker("</parameter>"),
        end=marker(_END),
        outer=(marker(f"</{tag}>"),),
        next=(marker(*_HEAD), marker(f"<{tag}>")),
    )


def _format(
    name: str, tag: str, reasoning: Reasoning, values: Values, parameter: str, result: str, **more: object
) -> Format:
    """The format of this name, with this tag around its calls."""
    tags = _tags(tag)
    decoder = TaggedArguments(tags, values)
    return Format(
        name=name,
        calls=(
            Calls(
                TaggedCallState,
                head=_HEAD,
                tail=(_END,),
                sections=(Section((f"<{tag}>",), (f"</{tag}>",)),),
                is_bare=False,
                begins=("",),
                options=tags,
            ),
            Calls(
                TaggedCallState,
                head=_HEAD,
                tail=(_END,),
                sections=(Section((), (f"</{tag}>",)),),
                is_bare=False,
                begins=("<parameter=", _END),
                options=tags,
            ),
        ),
        reasoning=reasoning,
        arguments=decoder,
        prompt=Prompt(
            call=f"<{tag}>\n<function=$name>\n$arguments{_END}\n</{tag}>",
            result=result,
            write=WriteParameters(decoder, parameter),
            teach=teaching.QWEN3_CODER.replace("tool_call>", f"{tag}>"),
        ),
        **more,  # type: ignore[arg-type]
    )


QWEN3_CODER = _format(
    "qwen3_coder",
    "tool_call",
    thinking("qwen3_coder", is_ended_by_calls=True),
    Values(has_breaks=True, has_literals=True),
    _BLOCK,
    "<tool_response>\n$result\n</tool_response>",
    aliases=("qwen3_xml", "nemotron_v3", "step3p5"),
    dropped=("<|im_end|>", "<|endoftext|>"),
    models=(
        *("*qwen3*coder*", "*qwen3-next*", "*qwen3.5*", "*qwen3.6*", "*qwen3.8*"),
        *("*qwen-3*coder*", "*qwen-3-next*", "*qwen-3.5*", "*qwen-3.6*", "*qwen-3.8*"),
        "*nemotron-3*",
        "*step-3.5*",
        "*k-exaone-2*",
    ),
)
MIMO = _format(
    "mimo",
    "tool_call",
    thinking("mimo", is_ended_by_calls=True),
    Values(has_entities=True, has_literals=True),
    _INLINE,
    "<tool_response>\n$result\n</tool_response>",
    dropped=("<|im_end|>", "<|endoftext|>"),
    models=("*mimo*",),
)
SEED_OSS = _format(
    "seed_oss",
    "seed:tool_call",
    between("seed_oss", ("<seed:think>",), ("</seed:think>",), is_ended_by_calls=True),
    Values(has_breaks=True, has_literals=True),
    _INLINE,
    "<seed:bos>tool\n$result<seed:eos>",
    aliases=("seed",),
    dropped=("<seed:cot_budget_reflect>", "</seed:cot_budget_reflect>", "<seed:eos>"),
    models=("*seed-oss*",),
)
