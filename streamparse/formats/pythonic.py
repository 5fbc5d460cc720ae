"""pythonic and llama4_pythonic: a list of calls as Python writes them.

    [get_weather(city='Oslo', days=2), noop()]
    <|python_start|>[get_weather(city='Oslo', days=2)]<|python_end|>        llama4_pythonic

ToolACE, Llama 3.2, ultravox; Llama 4. Without markers a list is taken for calls only where it begins the reply or a
line, and goes on like one: `[name(` and then `name=`, or `)` and a comma or the end of the list. So `[1]`, `[see f(x)]`
and links (`[f()](…)`, `[f()]: …`, `[f()][1]`) are text. `auto` does not look for such lists at all.
"""

from __future__ import annotations

import re

from streamparse.core.markers import BLANKS, Atom
from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.literals.python import PYTHON, PYTHON_ARGUMENTS
from streamparse.families.literals.state import LiteralCallState
from streamparse.families.literals.writer import write_python
from streamparse.formats import teaching
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import thinking

_NAME = r"[A-Za-z_][A-Za-z0-9_.-]{0,255}+"
_HEAD = ("[", BLANKS, Atom(_NAME), BLANKS, "(", BLANKS)
_KEYWORD = (Atom(r"(?u:[^\W\d]\w{0,255}+)"), BLANKS, "=", Atom("(?=[^=])"))
_NO_LINK = Atom(r"(?=[^(\[:])")
_LIST = Section(("[",), ("]",), (",",))


_BARE_LIST = Calls(
    LiteralCallState,
    head=(NAME,),
    sections=(_LIST,),
    is_bare=False,
    begins=("(",),
    options=PYTHON,
    place="line",
    certain=tuple((*_HEAD, *way) for way in (_KEYWORD, (")", BLANKS, ","), (")", BLANKS, "]", _NO_LINK))),
)


PYTHONIC = Format(
    name="pythonic",
    in_auto=False,
    calls=(_BARE_LIST,),
    reasoning=thinking("pythonic"),
    arguments=PYTHON_ARGUMENTS,
    dropped=("<|eot_id|>", "<|eom_id|>"),
    prompt=Prompt(
        call="[$name($arguments)]",
        result=Turn("<|start_header_id|>ipython<|end_header_id|>\n\n$result<|eot_id|>", "ipython"),
        write=write_python,
        name=re.compile(_NAME),
        teach=teaching.PYTHONIC,
    ),
)
LLAMA4_PYTHONIC = Format(
    name="llama4_pythonic",
    calls=(
        Calls(
            LiteralCallState,
            head=(NAME,),
            sections=(Section(("<|python_start|>", "["), ("]", "<|python_end|>"), (",",)),),
            is_bare=False,
            begins=("(",),
            options=PYTHON,
        ),
        _BARE_LIST,
    ),
    reasoning=thinking("llama4_pythonic"),
    arguments=PYTHON_ARGUMENTS,
    dropped=("<|eot|>", "<|eom|>", "<|python_start|>", "<|python_end|>"),
    prompt=Prompt(
        call="<|python_start|>[$name($arguments)]<|python_end|>",
        result=Turn("<|header_start|>ipython<|header_end|>\n\n$result<|eot|>", "ipython"),
        write=write_python,
    ),
)
