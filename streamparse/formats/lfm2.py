"""lfm2: a list of calls between special tokens, as Python writes them or as JSON.

    <|tool_call_start|>[get_weather(city='Oslo', days=2), noop()]<|tool_call_end|>
    <|tool_call_start|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]<|tool_call_end|>
    <|tool_call_start|>get_weather(city='Oslo')<|tool_call_end|>                    without the brackets of the list
    <|tool_call_start|>{"name": "get_weather", "arguments": {"city": "Oslo"}}<|tool_call_end|>

LFM2 and LFM2.5. Python's words or JSON's, dotted names, reserved words as names of arguments, zero-padded numbers, raw
line breaks in strings. The model may write the list a second time behind the end token: an echo.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Section
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.literals.python import PYTHON, PYTHON_OR_JSON_ARGUMENTS
from streamparse.families.literals.state import LiteralCallState
from streamparse.families.literals.writer import write_python
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import thinking

_START, _END = "<|tool_call_start|>", "<|tool_call_end|>"
_SECTIONS = (Section((_START, "["), ("]", _END), (",",)), Section((_START,), (_END,), (",", ";")))

LFM2 = Format(
    name="lfm2",
    calls=(
        Calls(
            LiteralCallState,
            head=(NAME,),
            sections=_SECTIONS,
            is_bare=False,
            begins=("(",),
            options=PYTHON,
            has_echo=True,
        ),
        Calls(JsonObjectCallState, sections=_SECTIONS, is_bare=False, has_echo=True),
    ),
    reasoning=thinking("lfm2"),
    arguments=PYTHON_OR_JSON_ARGUMENTS,
    dropped=("<|im_end|>", _START, _END),
    prompt=Prompt(
        call=f"{_START}[$name($arguments)]{_END}",
        result=Turn("<|im_start|>tool\n<|tool_response_start|>$result<|tool_response_end|><|im_end|>"),
        write=write_python,
    ),
)
