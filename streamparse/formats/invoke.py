"""minimax_m2, dots, step3 and minicpm5: calls and parameters in tags with the name as an attribute.

    <minimax:tool_call>
    <invoke name="get_weather">
    <parameter name="city">Oslo</parameter>
    </invoke>
    </minimax:tool_call>

Values are taken as they are, blanks and all; the quotes of an attribute may be single or missing. dots may write a JSON
object with name and arguments in its place. MiniCPM5 has `<function>` and `<param>`, nothing around them, and may put
a value in `<![CDATA[…]]>`.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Part, Section
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import MAYBE_QUOTE, Tags, marker, with_attribute
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt
from streamparse.formats.thinking import thinking


def _head(tag: str) -> tuple[str, ...]:
    return (f"<{tag} name=", MAYBE_QUOTE, NAME, MAYBE_QUOTE, ">")


def _tags(tag: str, parameter: str, outer: tuple[str, ...] = (), quotes: tuple[str, str] | None = None) -> Tags:
    return Tags(
        open=with_attribute(f"<{parameter}"),
        close=marker(f"</{parameter}>"),
        end=marker(f"</{tag}>"),
        outer=tuple(map(marker, outer)),
        next=(marker(*_head(tag)),),
        quotes=quotes,
    )


def _calls(
    tags: Tags, tag: str, section: Section, before: tuple[Part, ...] = (), behind: tuple[str, ...] = ()
) -> Calls:
    """Calls in a section, and with something more around each."""
    return Calls(
        TaggedCallState,
        head=(*before, *_head(tag)),
        tail=(f"</{tag}>", *behind),
        sections=(section,),
        is_bare=bool(before),
        begins=("",),
        options=tags,
    )


_M2_SECTION = Section(("<minimax:tool_call>",), ("</minimax:tool_call>",))
_M2_TAGS = _tags("invoke", "parameter", ("</minimax:tool_call>",))
_M2_DECODER = TaggedArguments(_M2_TAGS)

MINIMAX_M2 = Format(
    name="minimax_m2",
    calls=(_calls(_M2_TAGS, "invoke", _M2_SECTION),),
    reasoning=thinking("minimax_m2", starts_open=True, is_ended_by_calls=True),
    arguments=_M2_DECODER,
    dropped=("[e~[",),
    prompt=Prompt(
        call='<minimax:tool_call>\n<invoke name="$name">\n$arguments</invoke>\n</minimax:tool_call>',
        result="]~b]tool\n<response>$result</response>[e~[",
        write=WriteParameters(_M2_DECODER, '<parameter name="$key">$value</parameter>\n'),
    ),
    models=("*minimax-m2*",),
)

_DOTS_SECTION = Section(("<dots_function_call>",), ("</dots_function_call>",))
_DOTS_TAGS = _tags("invoke", "parameter", ("</dots_function_call>",))
_DOTS_DECODER = TaggedArguments(_DOTS_TAGS)

DOTS = Format(
    name="dots",
    calls=(
        _calls(_DOTS_TAGS, "invoke", _DOTS_SECTION),
        Calls(JsonObjectCallState, sections=(_DOTS_SECTION,), is_bare=False),
    ),
    reasoning=thinking("dots", is_ended_by_calls=True),
    arguments=_DOTS_DECODER,
    dropped=("<|endofresponse|>",),
    prompt=Prompt(
        call='<dots_function_call>\n<invoke name="$name">\n$arguments</invoke>\n</dots_function_call>',
        result="<dots_function_result>\n$result\n</dots_function_result>",
        write=WriteParameters(_DOTS_DECODER, '<parameter name="$key">$value</parameter>\n'),
    ),
    models=("*dots.llm*", "*dots-llm*"),
)

_STEP3_SECTION = Section(("<｜tool_calls_begin｜>",), ("<｜tool_calls_end｜>",))
_STEP3_TAGS = _tags("steptml:invoke", "steptml:parameter", ("<｜tool_call_end｜>", "<｜tool_calls_end｜>"))
_STEP3_DECODER = TaggedArguments(_STEP3_TAGS)
_STEP3_BEFORE = ("<｜tool_call_begin｜>", "function", "<｜tool_sep｜>")

STEP3 = Format(
    name="step3",
    calls=(_calls(_STEP3_TAGS, "steptml:invoke", _STEP3_SECTION, _STEP3_BEFORE, ("<｜tool_call_end｜>",)),),
    reasoning=thinking("step3"),
    arguments=_STEP3_DECODER,
    dropped=("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>", "<｜end▁of▁sentence｜>"),
    prompt=Prompt(
        call=(
            '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="$name">\n'
            "$arguments</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>"
        ),
        result="<｜tool_output_begin｜>$result<｜tool_output_end｜>",
        write=WriteParameters(_STEP3_DECODER, '<steptml:parameter name="$key">$value</steptml:parameter>\n'),
    ),
    models=("*step3", "*step3-*", "*step-3", "*step-3-*"),
)

_CPM_TAGS = _tags("function", "param", quotes=("<![CDATA[", "]]>"))
_CPM_DECODER = TaggedArguments(_CPM_TAGS)

MINICPM5 = Format(
    name="minicpm5",
    calls=(
        Calls(
            TaggedCallState,
            head=_head("function"),
            tail=("</function>",),
            begins=("<param", "</function>"),
            options=_CPM_TAGS,
        ),
    ),
    reasoning=thinking("minicpm5"),
    arguments=_CPM_DECODER,
    dropped=("<|im_end|>", "</s>"),
    prompt=Prompt(
        call='<function name="$name">$arguments</function>',
        result="<tool_response>\n$result\n</tool_response>",
        write=WriteParameters(_CPM_DECODER, '<param name="$key">$value</param>'),
    ),
    models=("*minicpm5*", "*minicpm-5*"),
)
