"""kimi_k2 and kimi_vl: name and number of a call are its id, the arguments stand behind it.

    <|tool_calls_section_begin|>
    <|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>
    <|tool_calls_section_end|>

The number counts over the whole conversation. `get_weather:0` occurs, too, and the number alone: which tool is meant is
then told by the arguments (see `families/json/numbered_state.py`). A section ends reasoning that was not closed.
Kimi-VL thinks between `◁think▷` and `◁/think▷`; its template has no calls, so it is taught those of K2.
"""

from __future__ import annotations

import re

from attrs import evolve

from streamparse.errors import RenderError
from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.numbered_state import NumberedCallState
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import between, thinking

_SECTION = ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>")
#: How the model sometimes writes it.
_SINGULAR = ("<|tool_call_section_begin|>", "<|tool_call_section_end|>")
_BEGIN, _ARGUMENTS, _END = "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"
_ID = re.compile(r"(?:functions\.(?=.))?(.+?)(?::[0-9]+)?", re.DOTALL)


def _name(call_id: str) -> str:
    match = _ID.fullmatch(call_id)
    assert match is not None  # an id is not empty
    return match[1]


def _complete(name: str, call_id: str | None) -> str:
    """The id of the call of this name with this number; any other id is what it is."""
    if call_id is None or re.fullmatch("[0-9]+", call_id):
        return f"functions.{name}:{call_id or 0}"
    return call_id


def _identify(name: str, call_id: str | None) -> str:
    """An id that the name can be read from: the one that is given, if it is such, or a number."""
    call_id = _complete(name, call_id)
    if not re.fullmatch(r"[A-Za-z0-9_.:-]{1,256}", call_id) or _name(call_id) != name or name.isdecimal():
        raise RenderError(f"the id {call_id!r} does not say that the call is one of {name!r}")
    return call_id


KIMI_K2 = Format(
    name="kimi_k2",
    calls=(
        Calls(
            NumberedCallState,
            head=(_BEGIN, NAME, _ARGUMENTS),
            tail=(_END,),
            empties=(_END,),
            sections=tuple(Section((begin,), (end,)) for begin, end in (_SECTION, _SINGULAR)),
            read_head=lambda call_id, _: (_name(call_id), call_id),
        ),
    ),
    reasoning=thinking("kimi_k2", calls="ends"),
    arguments=JSON_ARGUMENTS,
    dropped=(*_SECTION, *_SINGULAR, _ARGUMENTS, _END, "<|im_end|>"),
    prompt=Prompt(
        call=f"{_SECTION[0]}{_BEGIN}$call_id{_ARGUMENTS}$arguments{_END}{_SECTION[1]}",
        result=Turn("<|im_system|>$name<|im_middle|>## Return of $call_id\n$result<|im_end|>"),
        identify=_identify,
        refer=_complete,
    ),
)
KIMI_VL = evolve(
    KIMI_K2,
    name="kimi_vl",
    reasoning=between("kimi_vl", ("◁think▷",), ("◁/think▷",), calls="ends"),
    models=(),
)
