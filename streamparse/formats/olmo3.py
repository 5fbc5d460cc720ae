"""olmo3: calls as Python writes them, one a line, between tags.

    <function_calls>get_weather(city="Oslo", days=2)
    noop()</function_calls>

Olmo 3. Its words are JSON's: true, false, null. The prompt of those that think opens the reasoning.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.literals.python import PYTHON, PYTHON_ARGUMENTS
from streamparse.families.literals.state import LiteralCallState
from streamparse.families.literals.writer import write_json_literals
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import thinking

OLMO3 = Format(
    name="olmo3",
    calls=(
        Calls(
            LiteralCallState,
            head=(NAME,),
            sections=(Section(("<function_calls>",), ("</function_calls>",), (",", ";")),),
            is_bare=False,
            begins=("(",),
            options=PYTHON,
        ),
    ),
    reasoning=thinking("olmo3"),
    arguments=PYTHON_ARGUMENTS,
    dropped=("<|im_end|>", "<|endoftext|>"),
    prompt=Prompt(
        call="<function_calls>$name($arguments)</function_calls>",
        result=Turn("<|im_start|>environment\n$result<|im_end|>", "environment"),
        write=write_json_literals,
    ),
)
