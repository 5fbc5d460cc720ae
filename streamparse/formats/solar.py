"""solar_open: every part of a reply stands behind a token that says what it is.

    <|think|>Plan.<|end|>
    <|begin|>assistant<|tool_calls|>
    <|tool_call:begin|>c1<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Oslo"}<|tool_call:end|>
    <|calls|>
    <|begin|>assistant<|content|>It is cold.<|end|>

The prompt ends with `<|begin|>assistant`, so the first part has none.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import CALL_ID, NAME, Calls, Maybe, Section
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn, plain_id
from streamparse.formats.thinking import between

_BEGIN = "<|begin|>assistant"
_SECTION = "<|tool_calls|>"
_CALL = "<|tool_call:begin|>$call_id<|tool_call:name|>$name<|tool_call:args|>$arguments<|tool_call:end|>"

SOLAR_OPEN = Format(
    name="solar_open",
    calls=(
        Calls(
            JsonArgumentsState,
            head=("<|tool_call:begin|>", Maybe(CALL_ID), "<|tool_call:name|>", NAME, "<|tool_call:args|>"),
            tail=("<|tool_call:end|>",),
            empties=("<|tool_call:end|>",),
            sections=tuple(
                Section(opening, ("<|calls|>",)) for opening in (("<|begin|>", "assistant", _SECTION), (_SECTION,))
            ),
        ),
    ),
    reasoning=between("solar_open", ("<|think|>", f"{_BEGIN}<|think|>"), answers=("<|end|>",)),
    arguments=JSON_ARGUMENTS,
    dropped=(
        *(_BEGIN, f"{_BEGIN}<|content|>", "<|content|>", f"{_BEGIN}{_SECTION}", _SECTION),
        *("<|tool_call:end|>", "<|calls|>", "<|flush|>", "<|end|>"),
    ),
    turn_tokens=(_BEGIN,),
    prompt=Prompt(
        call=f"{_BEGIN}{_SECTION}{_CALL}<|calls|>",
        result=Turn(
            "<|begin|>tool<|tool_response|><|tool_response:begin|>$call_id<|tool_response:name|>$name"
            "<|tool_response:result|>$result<|tool_response:end|><|end|>"
        ),
        identify=plain_id(),
    ),
)
