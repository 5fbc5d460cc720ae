"""inkling: blocks that begin with a token for their kind and end alike.

    <|message_model|><|content_thinking|>Need weather.<|end_message|>
    <|message_model|>f<|content_invoke_tool_json|>{"name": "f", "args": {"city": "Oslo"}}<|end_message|>
    <|message_model|>shell<|content_invoke_tool_text|>ls -l<|end_message|>
    <|message_model|><|content_text|>It is cold.<|end_message|>

The prompt may end with the first token, so the reply may begin with the name. `<|content_model_end_sampling|>` may end
a block, too. A text that is given to a tool is its only parameter, or `input`.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import NAME, Calls, Part, Place
from streamparse.families.calls.raw_state import RawCallState
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.json.plain_text import INPUT_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn
from streamparse.formats.thinking import between

_MODEL, _THINKING, _TEXT = "<|message_model|>", "<|content_thinking|>", "<|content_text|>"
_JSON, _RAW = "<|content_invoke_tool_json|>", "<|content_invoke_tool_text|>"
_ENDS = ("<|end_message|>", "<|content_model_end_sampling|>")
_KEYS = JsonKeys(arguments=("args", "arguments", "parameters"))


def _calls(before: tuple[Part, ...], place: Place = "anywhere") -> tuple[Calls, ...]:
    """Calls whose head begins like this."""
    return (
        Calls(JsonObjectCallState, head=(*before, NAME, _JSON), tail=_ENDS, options=_KEYS, place=place),
        Calls(RawCallState, head=(*before, NAME, _RAW), tail=_ENDS, begins=("",), place=place),
    )


INKLING = Format(
    name="inkling",
    calls=(
        *_calls((_MODEL,)),
        *_calls((), "stream"),
        *(Calls(JsonObjectCallState, head=head, tail=_ENDS, options=_KEYS) for head in ((_MODEL, _JSON), (_JSON,))),
    ),
    reasoning=between("inkling", (f"{_MODEL}{_THINKING}", _THINKING), answers=_ENDS),
    arguments=INPUT_ARGUMENTS,
    dropped=(_MODEL, _TEXT, f"{_MODEL}{_TEXT}", *_ENDS, "<|content_tool_error|>"),
    turn_tokens=(_MODEL, *_ENDS),
    prompt=Prompt(
        call=f'{_MODEL}$name{_JSON}{{"name": $quoted_name, "args": $arguments}}<|end_message|>',
        result=Turn(f"<|message_tool|>$name{_TEXT}$result<|end_message|>"),
    ),
)
