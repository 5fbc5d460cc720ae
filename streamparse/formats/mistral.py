"""mistral: `[TOOL_CALLS]`, then the name and the arguments, or a list of calls.

    [TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e[ARGS]{"city": "Oslo"}         mistral, from v11 on
    [TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}}]   mistral_v3, up to v10
    [TOOL_CALLS] {"name": "get_weather", "arguments": {"city": "Oslo"}}     the same without its list

Since v11 there is no list and no end: the arguments end where their JSON does, and what follows is prose. Either
format reads what the other writes, because no one remembers which model came when.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import CALL_ID, NAME, Calls, Maybe, Section
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.json_calls import in_list, prompt
from streamparse.formats.prompt import ANY_NAME, Prompt, Turn, plain_id
from streamparse.formats.thinking import between

_HEAD = ("[TOOL_CALLS]", NAME, Maybe("[CALL_ID]", CALL_ID))
_NAMED = (
    Calls(JsonArgumentsState, head=(*_HEAD, "[ARGS]"), empties=("[TOOL_CALLS]", "</s>")),
    Calls(JsonArgumentsState, head=_HEAD),
)
_LISTS = (
    in_list("[TOOL_CALLS]"),
    Calls(
        JsonObjectCallState,
        sections=(Section(("[TOOL_CALLS]",), ("[/TOOL_CALLS]",), (",", ";")),),
        is_bare=False,
    ),
)
#: Special tokens, besides those that are dropped and those that all formats know.
_TOKENS = ("<s>", "[CALL_ID]", "[ARGS]", "[THINK]", "[/THINK]")


def _format(name: str, calls: tuple[Calls, ...], prompt: Prompt) -> Format:
    return Format(
        name=name,
        calls=calls,
        reasoning=between(name, ("[THINK]", "<think>"), ("[/THINK]", "</think>"), calls="if_asked"),
        arguments=JSON_ARGUMENTS,
        dropped=("</s>", "[/TOOL_CALLS]"),
        turn_tokens=("</s>",),
        prompt=prompt,
    )


MISTRAL = _format(
    "mistral",
    (*_NAMED, *_LISTS),
    Prompt(
        call="[TOOL_CALLS]$name$<[CALL_ID]$call_id$>[ARGS]$arguments",
        identify=plain_id(),
        tokens=_TOKENS,
        result=Turn("[TOOL_RESULTS]$<$call_id[TOOL_CONTENT]$>$result[/TOOL_RESULTS]"),
    ),
)
MISTRAL_V3 = _format(
    "mistral_v3",
    (*_LISTS, *_NAMED),
    prompt(
        "[TOOL_CALLS] [",
        "]",
        has_id=True,
        tokens=_TOKENS,
        result=Turn('[TOOL_RESULTS] {"content": $json_result, "call_id": $quoted_id}[/TOOL_RESULTS]'),
        name=ANY_NAME,
    ),
)
