"""glm45, glm47 and hunyuan3: keys and values in tags of their own.

    <tool_call>get_weather
    <arg_key>city</arg_key>
    <arg_value>Oslo</arg_value>
    </tool_call>

GLM 4.7 and 5 write the same without line breaks. GLM 4.5 sometimes writes a line break between two tags as the two
characters `\\n`. A key without a value makes the call malformed.
Hunyuan 3 has `<tool_sep>` behind the name, `<tool_calls>` around all calls, and may have a suffix in every tag:
`<tool_call:opensource>`.
"""

from __future__ import annotations

from streamparse.core.markers import Atom
from streamparse.core.opening import Opener
from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import FEW_BLANKS, KEY, Tags, marker
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import thinking
from streamparse.states.reasoning import ReasoningClosers, ReasoningInitState

#: A line break as two characters, which may be cut.
_WRITTEN_BREAK = r"\\(?:n|\Z)"
#: Blanks between a name and a key, a key and a value; and between two parameters, where they may be many.
_GAP = Atom(rf"(?:[ \t\r\n]|{_WRITTEN_BREAK}){{0,64}}+")
_LONG_GAP = Atom(rf"[ \t\r\n]*+(?:{_WRITTEN_BREAK}[ \t\r\n]*+){{0,64}}+")
_TOKENS = ("<|user|>", "<|observation|>", "<|endoftext|>")

_KEY = ("<arg_key>", FEW_BLANKS, KEY, FEW_BLANKS, "</arg_key>")
_TAGS = Tags(
    open=(marker(*_KEY, _GAP, "<arg_value>"),),
    close=marker("</arg_value>"),
    end=marker("</tool_call>"),
    next=tuple(marker("<tool_call>", FEW_BLANKS, NAME, _GAP, begin) for begin in ("<arg_key>", "</tool_call>")),
    orphans=(marker(*_KEY),),
    gap=_LONG_GAP,
)
_DECODER = TaggedArguments(_TAGS)
_CALLS = Calls(
    TaggedCallState,
    head=("<tool_call>", NAME, _GAP),
    tail=("</tool_call>",),
    begins=("<arg_key>", "</tool_call>"),
    options=_TAGS,
)

GLM45 = Format(
    name="glm45",
    calls=(_CALLS,),
    reasoning=thinking("glm45", is_ended_by_calls=True),
    arguments=_DECODER,
    dropped=(*_TOKENS, "<|begin_of_box|>", "<|end_of_box|>"),
    prompt=Prompt(
        call="<tool_call>$name\n$arguments</tool_call>",
        result="<|observation|>\n<tool_response>\n$result\n</tool_response>",
        write=WriteParameters(_DECODER, "<arg_key>$key</arg_key>\n<arg_value>$value</arg_value>\n"),
    ),
    aliases=("glm", "poolside_v1"),
    models=("*glm-4.5*", "*glm-4.6*", "*laguna*"),
)
GLM47 = Format(
    name="glm47",
    calls=(_CALLS,),
    reasoning=thinking("glm47", is_ended_by_calls=True),
    arguments=_DECODER,
    dropped=_TOKENS,
    prompt=Prompt(
        call="<tool_call>$name$arguments</tool_call>",
        result="<|observation|><tool_response>$result</tool_response>",
        write=WriteParameters(_DECODER, "<arg_key>$key</arg_key><arg_value>$value</arg_value>"),
    ),
    aliases=("ling3",),
    models=("*glm-4.7*", "*glm-5*", "*ling-3*"),
)

#: The suffix of a tag: `:opensource`, in every tag or in none.
_SUFFIX = Atom(r"(?::[^<>\s]{0,64}+)?+")


def _tag(name: str) -> tuple[str, ...]:
    return (f"<{name}", _SUFFIX, ">")


_HY_HEAD = (*_tag("tool_call"), NAME, *_tag("tool_sep"))
_HY_KEY = (*_tag("arg_key"), FEW_BLANKS, KEY, FEW_BLANKS, *_tag("/arg_key"))
_HY_TAGS = Tags(
    open=(marker(*_HY_KEY, FEW_BLANKS, *_tag("arg_value")),),
    close=marker(*_tag("/arg_value")),
    end=marker(*_tag("/tool_call")),
    outer=(marker(*_tag("/tool_calls")),),
    next=(marker(*_HY_HEAD),),
    orphans=(marker(*_HY_KEY),),
)
_HY_DECODER = TaggedArguments(_HY_TAGS)
_HY_THINK, _HY_THOUGHT = marker(*_tag("think")), marker(*_tag("/think"))

HUNYUAN3 = Format(
    name="hunyuan3",
    calls=(
        Calls(
            TaggedCallState,
            head=_HY_HEAD,
            tail=(_HY_TAGS.end,),
            sections=(Section(_tag("tool_calls"), (marker(*_tag("/tool_calls")),)),),
            begins=("",),
            options=_HY_TAGS,
        ),
    ),
    reasoning=Reasoning(
        openers=(
            Opener(_HY_THINK, ReasoningInitState, "hunyuan3", ReasoningClosers((_HY_THOUGHT,)), False),
            Opener(_HY_THOUGHT, None, "hunyuan3", None, False),
        ),
        implied_opener=_HY_THINK,
        implied_closer=_HY_THOUGHT,
        is_ended_by_calls=True,
    ),
    arguments=_HY_DECODER,
    prompt=Prompt(
        call="<tool_calls>\n<tool_call>$name<tool_sep>\n$arguments</tool_call>\n</tool_calls>",
        result="<tool_responses>\n<tool_response>\n$result\n</tool_response>\n</tool_responses>",
        write=WriteParameters(_HY_DECODER, "<arg_key>$key</arg_key>\n<arg_value>$value</arg_value>\n"),
    ),
    aliases=("hy_v3",),
    models=("*hunyuan-3*", "*hunyuan3*", "*hy3*"),
)
