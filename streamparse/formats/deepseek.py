"""deepseek_v3 and deepseek_v31: name and arguments between special tokens. (For V3.2 and V4 see `dsml.py`.)

    <｜tool▁calls▁begin｜>
    <｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>
    <｜tool▁calls▁end｜>

V3 and R1 write `function<｜tool▁sep｜>` before the name and the arguments in a fence behind it.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import thinking

_SECTION = Section(("<｜tool▁calls▁begin｜>",), ("<｜tool▁calls▁end｜>",))
_BEGIN, _SEP, _END = "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>"
#: What ends a reply, and what stands around the results of calls, which models repeat.
TOKENS = (
    "<｜end▁of▁sentence｜>",
    *(f"<｜tool▁{name}▁{part}｜>" for name in ("outputs", "output") for part in ("begin", "end")),
)
_DROPPED = (*TOKENS, "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")
_RESULT = "<｜tool▁output▁begin｜>$result<｜tool▁output▁end｜>"

DEEPSEEK_V3 = Format(
    name="deepseek_v3",
    calls=(
        Calls(
            JsonArgumentsState,
            head=(_BEGIN, "function", _SEP, NAME, "```json"),
            tail=("```", _END),
            empties=("```", _END),
            sections=(_SECTION,),
        ),
    ),
    reasoning=thinking("deepseek_v3"),
    arguments=JSON_ARGUMENTS,
    dropped=_DROPPED,
    prompt=Prompt(
        call=f"<｜tool▁calls▁begin｜>{_BEGIN}function{_SEP}$name\n```json\n$arguments\n```{_END}<｜tool▁calls▁end｜>",
        result=Turn(f"<｜tool▁outputs▁begin｜>{_RESULT}<｜tool▁outputs▁end｜>"),
    ),
)
DEEPSEEK_V31 = Format(
    name="deepseek_v31",
    calls=(Calls(JsonArgumentsState, head=(_BEGIN, NAME, _SEP), tail=(_END,), empties=(_END,), sections=(_SECTION,)),),
    reasoning=thinking("deepseek_v31"),
    arguments=JSON_ARGUMENTS,
    dropped=_DROPPED,
    prompt=Prompt(
        call=f"<｜tool▁calls▁begin｜>{_BEGIN}$name{_SEP}$arguments{_END}<｜tool▁calls▁end｜>",
        result=Turn(_RESULT),
    ),
)
