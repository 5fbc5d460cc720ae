"""minimax_m1: calls as JSON objects between tags, one on each line. (M2: `invoke.py`, M3: `minimax_m3.py`.)

<tool_calls>
{"name": "get_weather", "arguments": {"city": "Oslo"}}
{"name": "get_time", "arguments": {}}
</tool_calls>
"""

from __future__ import annotations

from streamparse.families.calls.grammar import Calls, Section
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.json_calls import prompt
from streamparse.formats.prompt import ANY_NAME
from streamparse.formats.thinking import thinking

MINIMAX_M1 = Format(
    name="minimax_m1",
    calls=(
        Calls(
            JsonObjectCallState,
            sections=(Section(("<tool_calls>",), ("</tool_calls>",), (",",)),),
            is_bare=False,
        ),
    ),
    reasoning=thinking("minimax_m1"),
    arguments=JSON_ARGUMENTS,
    prompt=prompt(
        "<tool_calls>\n",
        "\n</tool_calls>",
        result="tool name: $name\ntool result: $result",
        tokens=("<beginning_of_sentence>", "<end_of_sentence>"),
        name=ANY_NAME,
    ),
)
