"""functionary_v31 and functionary_v32: a name, and JSON behind it.

    <function=get_weather>{"city": "Oslo"}</function>           functionary_v31
    <|python_tag|>print(1)<|eom_id|>                            the same, for code: the tool `python`
    all
    Checking.>>>get_weather                                     functionary_v32
    {"city": "Oslo"}

In v3.2 `>>>` begins a message and a line says whom it is for, `all` or a tool; the first `>>>` is in the prompt. What
follows `>>>` counts only if it is `all`, or if an object stands in the next line, or the end of the turn, because prose
has such marks, too.
"""

from __future__ import annotations

import re

from streamparse.core.markers import Atom, Marker, exact
from streamparse.families.calls.grammar import NAME, Calls
from streamparse.families.calls.raw_state import RawCallState
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.plain_text import CODE_ARGUMENTS
from streamparse.families.messages.grammar import JSON_CALL, PROSE, Message, Messages
from streamparse.families.messages.state import MessageState
from streamparse.formats.format import Format
from streamparse.formats.prompt import PLAIN_NAME, Prompt, Turn
from streamparse.formats.thinking import thinking
from streamparse.states.reasoning import ReasoningState

_ENDS = ("<|eom_id|>", "<|eot_id|>")


def _result(role: str) -> Turn:
    return Turn(f"<|start_header_id|>{role}<|end_header_id|>\n\n$result<|eot_id|>", role)


FUNCTIONARY_V31 = Format(
    name="functionary_v31",
    calls=(
        Calls(JsonArgumentsState, head=("<function=", NAME, ">"), tail=("</function>",), empties=("</function>",)),
        Calls(
            RawCallState,
            head=("<|python_tag|>",),
            tail=_ENDS,
            begins=("",),
            read_head=lambda name, call_id: ("python", call_id),
        ),
    ),
    reasoning=thinking("functionary_v31"),
    arguments=CODE_ARGUMENTS,
    dropped=_ENDS,
    turn_tokens=_ENDS,
    wrappers=(exact("</function>"),),
    prompt=Prompt(
        call="<function=$name>$arguments</function>",
        result=_result("ipython"),
    ),
)

_ALL: Marker = exact("all\n")
_TOOL: Marker = (NAME, "\n", Atom(r"(?=\{)"))
_START: Marker = exact(">>>")
#: A call without arguments, where it is none but for the mark before it.
_EMPTY: tuple[Marker, ...] = tuple((*_START, NAME, "\n", *exact(end)) for end in _ENDS)


def _read(header: str) -> Message:
    name, _, end = header.removeprefix(">>>").partition("\n")
    return Message(PROSE) if name == "all" else Message(JSON_CALL, name, is_empty=bool(end))


FUNCTIONARY_V32 = Format(
    name="functionary_v32",
    messages=Messages(
        MessageState,
        ReasoningState,
        headers=((*_START, *_ALL), (*_START, *_TOOL), *_EMPTY),
        read=_read,
        ends=_ENDS,
        first_headers=(_ALL, _TOOL),
    ),
    arguments=JSON_ARGUMENTS,
    dropped=_ENDS,
    prompt=Prompt(
        call=">>>$name\n$arguments",
        result=_result("tool"),
        name=re.compile(rf"(?!all\Z){PLAIN_NAME.pattern}"),
    ),
    in_auto=False,
)
