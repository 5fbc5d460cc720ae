"""glm45, glm47 and hunyuan3: keys and values in tags of their own.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Oslo</arg_value>
    </tool_call>

They may also write a JSON object behind the name, or one that has name and arguments, as hermes does.
GLM 4.7 and 5 write the same without line breaks. GLM 4.5 sometimes writes a line break between two tags as the two
characters `\\n`. A key without a value makes the call malformed.
Hunyuan 3 has `<tool_sep>` behind the name, `<tool_calls>` around all calls, and may have a suffix in every tag:
`<tool_call:opensource>`.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from streamparse.core.markers import Atom
from streamparse.core.opening import Opener
from streamparse.families.calls.grammar import NAME, Section
from streamparse.families.tagged.grammar import FEW_BLANKS, KEY, marker
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.json_calls import between_tags
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import thinking, unopened
from streamparse.states.reasoning import ReasoningClosers, ReasoningInitState

#: A line break as two characters, which may be cut.
_WRITTEN_BREAK = r"\\(?:n|\Z)"
#: Blanks between a name and a key, a key and a value; and between two parameters, where they may be many.
_GAP = Atom(rf"(?:[ \t\r\n]|{_WRITTEN_BREAK}){{0,64}}+")
_LONG_GAP = Atom(rf"[ \t\r\n]*+(?:{_WRITTEN_BREAK}[ \t\r\n]*+){{0,64}}+")
_TOKENS = ("<|user|>", "<|observation|>", "<|endoftext|>")
_HEAD = ("<tool_call>", NAME, _GAP)
_KEY = ("<arg_key>", FEW_BLANKS, KEY, FEW_BLANKS, "</arg_key>")
_ON_LINES = "<arg_key>$key</arg_key>\n<arg_value>$value</arg_value>\n"


def _format(name: str, **more: Any) -> Format:
    return tagged_format(
        name,
        bare="with_parameters",
        takes_json=True,
        other_calls=(evolve(between_tags("tool_call"), in_auto=False),),  # there they are those of hermes
        written={
            "head": _HEAD,
            "open": (marker(*_KEY, _GAP, "<arg_value>"),),
            "next": (
                *(marker(*_HEAD[:1], FEW_BLANKS, *_HEAD[1:], tag) for tag in ("<arg_key>", "</tool_call>", "{")),
                marker("<tool_call>", FEW_BLANKS, "{"),
            ),
            "orphans": (marker(*_KEY),),
            "gap": _LONG_GAP,
        },
        reasoning=thinking(name, is_ended_by_calls=True),
        **more,
    )


GLM45 = _format(
    "glm45",
    call="<tool_call>$name\n$arguments</tool_call>",
    parameter=_ON_LINES,
    result=Turn("<|observation|>\n<tool_response>\n$result\n</tool_response>", "observation"),
    dropped=(*_TOKENS, "<|begin_of_box|>", "<|end_of_box|>"),
    aliases=("glm", "poolside_v1"),
)
GLM47 = _format(
    "glm47",
    call="<tool_call>$name$arguments</tool_call>",
    parameter="<arg_key>$key</arg_key><arg_value>$value</arg_value>",
    result=Turn("<|observation|><tool_response>$result</tool_response>", "observation"),
    dropped=_TOKENS,
    aliases=("ling3",),
)

#: The suffix of a tag: `:opensource`, in every tag or in none.
_SUFFIX = Atom(r"(?::[^<>\s]{0,64}+)?+")


def _tag(name: str) -> tuple[str, ...]:
    return (f"<{name}", _SUFFIX, ">")


_HY_KEY = (*_tag("arg_key"), FEW_BLANKS, KEY, FEW_BLANKS, *_tag("/arg_key"))
_HY_CLOSE = marker(*_tag("/tool_calls"))
_HY_THINK, _HY_THOUGHT = marker(*_tag("think")), marker(*_tag("/think"))

HUNYUAN3 = tagged_format(
    "hunyuan3",
    call="<tool_call>$name<tool_sep>\n$arguments</tool_call>",
    parameter=_ON_LINES,
    section=("<tool_calls>", "</tool_calls>"),
    bare="always",
    result="<tool_responses>\n<tool_response>\n$result\n</tool_response>\n</tool_responses>",
    around=Section(_tag("tool_calls"), (_HY_CLOSE,)),
    written={
        "head": (*_tag("tool_call"), NAME, *_tag("tool_sep")),
        "open": (marker(*_HY_KEY, FEW_BLANKS, *_tag("arg_value")),),
        "close": marker(*_tag("/arg_value")),
        "end": marker(*_tag("/tool_call")),
        "outer": (_HY_CLOSE,),
        "orphans": (marker(*_HY_KEY),),
    },
    reasoning=Reasoning(
        openers=(
            Opener(_HY_THINK, ReasoningInitState, "hunyuan3", ReasoningClosers((_HY_THOUGHT,)), False),
            *unopened("hunyuan3", (_HY_THOUGHT,)),
        ),
        implied_opener=_HY_THINK,
        implied_closer=_HY_THOUGHT,
        is_ended_by_calls=True,
    ),
    aliases=("hy_v3",),
)
