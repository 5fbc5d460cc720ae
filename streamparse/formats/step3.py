"""step3: calls and parameters in tags with the name as an attribute, within tokens.

    <｜tool_calls_begin｜>
    <｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather">
    <steptml:parameter name="city">Oslo</steptml:parameter>
    </steptml:invoke><｜tool_call_end｜>
    <｜tool_calls_end｜>

Values are taken as they are, blanks and all; the quotes of an attribute may be single or missing. The model may leave
out what stands before its tags.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Maybe
from streamparse.families.tagged.grammar import MAYBE_QUOTE, marker
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import thinking

_SECTION = ("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>")
_BEFORE, _BEHIND = ("<｜tool_call_begin｜>", "function", "<｜tool_sep｜>"), "<｜tool_call_end｜>"
_HEAD = ("<steptml:invoke name=", MAYBE_QUOTE, NAME, MAYBE_QUOTE, ">")

STEP3 = tagged_format(
    "step3",
    call=f'{"".join(_BEFORE)}<steptml:invoke name="$name">\n$arguments</steptml:invoke>',
    parameter='<steptml:parameter name="$key">$value</steptml:parameter>\n',
    behind=_BEHIND,
    section=_SECTION,
    bare="always",
    result=Turn("<｜tool_output_begin｜>$result<｜tool_output_end｜>"),
    written={
        "head": (Maybe(_BEFORE[0]), Maybe(*_BEFORE[1:]), *_HEAD),
        "outer": (marker(_BEHIND), marker(_SECTION[1])),
        "next": (marker(*_HEAD),),
    },
    reasoning=thinking("step3"),
    dropped=(*_SECTION, "<｜end▁of▁sentence｜>"),
)
