"""plamo3: the name of a call between two markers, its arguments between two others.

    <|plamo:begin_think:plamo|>Need weather.<|plamo:end_think:plamo|>
    <|plamo:begin_tool_requests:plamo|>
    <|plamo:begin_tool_request:plamo|>
    <|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|>
    <|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"city": "Oslo"}
    <|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>
    <|plamo:end_tool_requests:plamo|><|plamo:tag|>

There are no line breaks between the markers. The prompt has opened the reasoning, and a section of calls ends it.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Maybe, Section
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import between


def _pair(name: str) -> tuple[str, str]:
    """What begins a part of that name, and what ends it."""
    return f"<|plamo:begin_{name}:plamo|>", f"<|plamo:end_{name}:plamo|>"


_CALLS, _CALL = _pair("tool_requests"), _pair("tool_request")
_NAME, _ARGUMENTS = _pair("tool_name"), _pair("tool_arguments")
_THINK, _THOUGHT = _pair("think")
_JSON, _BODY, _TURN_END = ("<|plamo:constrain|>", "json"), "<|plamo:msg|>", "<|plamo:tag|>"

PLAMO3 = Format(
    name="plamo3",
    calls=(
        Calls(
            JsonArgumentsState,
            head=(_CALL[0], _NAME[0], NAME, _NAME[1], _ARGUMENTS[0], Maybe(*_JSON), _BODY),
            tail=(_ARGUMENTS[1], _CALL[1]),
            empties=(_ARGUMENTS[1],),
            sections=(Section((_CALLS[0],), (_CALLS[1],)),),
        ),
    ),
    reasoning=between("plamo3", (_THINK,), (_THOUGHT,), starts_open=True, calls="ends"),
    arguments=JSON_ARGUMENTS,
    dropped=(*_CALLS, _ARGUMENTS[1], _CALL[1], _TURN_END),
    prompt=Prompt(
        call=f"{_CALLS[0]}{_CALL[0]}{'$name'.join(_NAME)}{_ARGUMENTS[0]}{''.join(_JSON)}{_BODY}$arguments"
        f"{_ARGUMENTS[1]}{_CALL[1]}{_CALLS[1]}",
        result=Turn(f"tool{_BODY}$result{_TURN_END}"),
    ),
)
