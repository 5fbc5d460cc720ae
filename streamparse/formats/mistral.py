"""mistral: `[TOOL_CALLS]`, then the name and the arguments, or a list of calls.

    [TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e[ARGS]{"city": "Oslo"}         mistral, from v11 on
    [TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}}]   mistral_v3, up to v10

Since v11 there is no list and no end: the arguments end where their JSON does, and what follows is prose.
"""

from __future__ import annotations

from streamparse.arguments import JSON_ARGUMENTS
from streamparse.core.call_grammar import CALL_ID, NAME, Calls, Maybe, Section
from streamparse.formats.format import Format
from streamparse.formats.prompt import ANY_NAME, Prompt
from streamparse.formats.thinking import between
from streamparse.states.json_arguments import JsonArgumentsState
from streamparse.states.json_object_call import JsonObjectCallState

_THINK = (("[THINK]", "<think>"), ("[/THINK]", "</think>"))

MISTRAL = Format(
    name="mistral",
    calls=(Calls(JsonArgumentsState, head=("[TOOL_CALLS]", NAME, Maybe("[CALL_ID]", CALL_ID), Maybe("[ARGS]"))),),
    reasoning=between("mistral", *_THINK, is_ended_by_calls=True),
    arguments=JSON_ARGUMENTS,
    dropped=("</s>",),
    prompt=Prompt(call="[TOOL_CALLS]$name[ARGS]$arguments", result="[TOOL_RESULTS]$result[/TOOL_RESULTS]"),
    models=("*mistral-small*", "*devstral*", "*magistral*", "*ministral-3*", "*mistral-large-3*", "*mistral-medium*"),
)
MISTRAL_V3 = Format(
    name="mistral_v3",
    calls=(Calls(JsonObjectCallState, sections=(Section(("[TOOL_CALLS]", "["), ("]",), (",",)),), is_bare=False),),
    reasoning=between("mistral_v3", *_THINK, is_ended_by_calls=True),
    arguments=JSON_ARGUMENTS,
    dropped=("</s>",),
    prompt=Prompt(
        call='[TOOL_CALLS] [{"name": $quoted_name, "arguments": $arguments}]',
        result='[TOOL_RESULTS] {"content": $quoted_result, "call_id": $quoted_id}[/TOOL_RESULTS]',
        name=ANY_NAME,
    ),
    models=("*mistral-7b*", "*mistral-nemo*", "*mixtral*", "*mistral-large-2407*"),
)
