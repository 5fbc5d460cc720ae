"""k2_horizon: keys and values in tags of their own, as GLM writes them, perhaps with a type between the two.

    <ifm|think>Need weather.</ifm|think>
    <ifm|tool_calls>
    <ifm|tool_call>get_weather
    <ifm|arg_key>days</ifm|arg_key>
    <ifm|arg_type>integer</ifm|arg_type>
    <ifm|arg_value>2</ifm|arg_value>
    </ifm|tool_call>
    </ifm|tool_calls>

A prompt may ask for JSON instead: an object with name and arguments, or a list of them, in `<ifm|tool_call>`. How much
the model is to think is told by the tag that the prompt has opened: `think`, `think_fast` or `think_faster`. Calls in
their section end it; a `<ifm|tool_call>` without one that stands in it is only thought about.
"""

from __future__ import annotations

from streamparse.core.markers import exact, repeated
from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.tagged.grammar import FEW_BLANKS, KEY, TYPE, marker
from streamparse.families.tagged.values import Values
from streamparse.formats.prompt import Turn
from streamparse.formats.tagged_calls import tagged_format
from streamparse.formats.thinking import between

_SECTION = ("<ifm|tool_calls>", "</ifm|tool_calls>")
_CALL, _END = "<ifm|tool_call>", "</ifm|tool_call>"
_KEY = ("<ifm|arg_key>", FEW_BLANKS, KEY, FEW_BLANKS, "</ifm|arg_key>")
_TYPE = ("<ifm|arg_type>", TYPE, "</ifm|arg_type>")
_VALUE = "<ifm|arg_value>"
_THOUGHTS = ("think", "think_fast", "think_faster")

K2_HORIZON = tagged_format(
    "k2_horizon",
    call=f"{_CALL}$name\n$arguments{_END}",
    parameter=f"<ifm|arg_key>$key</ifm|arg_key>\n{_VALUE}$value</ifm|arg_value>\n",
    section=_SECTION,
    bare="with_parameters",
    begins=("<ifm|arg_key>", _END),
    written={
        "head": (_CALL, NAME),
        "open": (
            marker(*_KEY, FEW_BLANKS, _VALUE),
            marker(*_KEY, FEW_BLANKS, *_TYPE, FEW_BLANKS, _VALUE),
        ),
        "orphans": (marker(*_KEY),),
    },
    values=Values(attribute=("", "string")),
    other_calls=(
        Calls(JsonObjectCallState, head=(_CALL,), tail=(_END,), sections=(Section(_SECTION[:1], _SECTION[1:]),)),
        Calls(
            JsonObjectCallState,
            sections=(
                Section((_SECTION[0], _CALL, "["), ("]", _END, _SECTION[1]), (",",)),
                Section((_CALL, "["), ("]", _END), (",",)),
            ),
            is_bare=False,
        ),
    ),
    result=Turn("<|ifm|im_start|>tool\n$result<|ifm|im_end|>"),
    reasoning=between(
        "k2_horizon",
        [f"<ifm|{tag}>" for tag in _THOUGHTS],
        [f"</ifm|{tag}>" for tag in _THOUGHTS],
        starts_open=True,
        calls="ends",
        implied_opener=(*exact("<ifm|think"), repeated(exact("_fast"), exact("_faster"), most=1), ">"),
    ),
    dropped=("<|ifm|im_end|>", "<|endoftext|>", *_SECTION),
)
