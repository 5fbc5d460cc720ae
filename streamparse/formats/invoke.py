"""minimax_m2, dots and minicpm5: calls and parameters in tags with the name as an attribute.

    <minimax:tool_call>
    <invoke name="get_weather">
    <parameter name="city">Oslo</parameter>
    </invoke>
    </minimax:tool_call>

Values are taken as they are, blanks and all; the quotes of an attribute may be single or missing. dots may write a JSON
object with name and arguments in its place. MiniCPM5 has `<function>` and `<param>`, nothing around them, may put a
value in `<![CDATA[…]]>`, and may lose the blank in a tag: `<functionname="f">`.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.tagged.grammar import FEW_BLANKS, MAYBE_QUOTE, with_attribute
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import thinking

_CALL, _PARAMETER = '<invoke name="$name">\n$arguments</invoke>', '<parameter name="$key">$value</parameter>\n'
_DOTS = ("<dots_function_call>", "</dots_function_call>")

MINIMAX_M2 = tagged_format(
    "minimax_m2",
    call=_CALL,
    parameter=_PARAMETER,
    section=("<minimax:tool_call>", "</minimax:tool_call>"),
    result=Turn("]~b]tool\n<response>$result</response>[e~["),
    reasoning=thinking("minimax_m2", starts_open=True, calls="ends"),
    prompt={"tokens": ("]~b]", "]~!b[")},
    dropped=("[e~[",),
)
DOTS = tagged_format(
    "dots",
    call=_CALL,
    parameter=_PARAMETER,
    section=_DOTS,
    other_calls=(Calls(JsonObjectCallState, sections=(Section(_DOTS[:1], _DOTS[1:]),), is_bare=False),),
    result="<dots_function_result>\n$result\n</dots_function_result>",
    reasoning=thinking("dots", calls="ends"),
    dropped=("<|endofresponse|>", *_DOTS),
)
MINICPM5 = tagged_format(
    "minicpm5",
    call='<function name="$name">$arguments</function>',
    parameter='<param name="$key">$value</param>',
    bare="with_parameters",
    result="<tool_response>\n$result\n</tool_response>",
    written={
        "head": ("<function", "name=", MAYBE_QUOTE, NAME, MAYBE_QUOTE, ">"),
        "open": with_attribute("<param", blanks=FEW_BLANKS),
        "quotes": ("<![CDATA[", "]]>"),
    },
    reasoning=thinking("minicpm5"),
    dropped=("<|im_end|>", "</s>"),
)
