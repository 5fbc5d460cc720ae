"""gigachat3: one call as a JSON object behind special tokens; it ends where its JSON does.

<|function_call|>{"name": "get_weather", "arguments": {"city": "Oslo"}}         3.1
<|message_sep|>                                                                 3

function call<|role_sep|>
{"name": "get_weather", "arguments": {"city": "Oslo"}}
"""

from __future__ import annotations

from streamparse.families.calls.grammar import Calls
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.json_calls import prompt
from streamparse.formats.prompt import ANY_NAME, Turn
from streamparse.formats.thinking import thinking

GIGACHAT3 = Format(
    name="gigachat3",
    aliases=("gigachat",),
    calls=(
        Calls(JsonObjectCallState, head=("<|function_call|>",)),
        Calls(JsonObjectCallState, head=("<|message_sep|>", "function call", "<|role_sep|>")),
    ),
    reasoning=thinking("gigachat3"),
    arguments=JSON_ARGUMENTS,
    dropped=("</s>", "<|message_sep|>", "<|role_sep|>"),
    turn_tokens=("<|message_sep|>", "<|role_sep|>"),
    prompt=prompt(
        "<|function_call|>",
        result=Turn("function result<|role_sep|>\n$result<|message_sep|>\n\n"),
        tokens=("<s>",),
        name=ANY_NAME,
    ),
)
