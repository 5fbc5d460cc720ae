"""cohere_command3, cohere_command4 and command_r: lists of JSON objects with `tool_name` and `parameters`.

    Need weather.<|END_THINKING|><|START_ACTION|>[
        {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}
    ]<|END_ACTION|>

    Plan.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>            cohere_command3
    Plan.<|END_THINKING|><|START_TEXT|>Four.<|END_TEXT|>                    cohere_command4

The prompt has opened the thinking; an answer or an action ends it even if its closer is forgotten. Citations in an
answer, `<co>cold</co: 0:[1]>`, are text. Command R of 2024 writes the list in a fence behind `Action:`, and
`directly_answer` as if it were a tool: it is a call like any other.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import Calls, Section
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.prompt import ANY_NAME, Prompt, Turn, any_id
from streamparse.formats.thinking import between

_KEYS = JsonKeys(names=("tool_name",), arguments=("parameters",), ids=("tool_call_id",))
_RESULT = '[\n    {"tool_call_id": $quoted_id, "results": {"0": $quoted_result}, "is_error": null}\n]'


def _format(name: str, answer: str) -> Format:
    """The format whose answers stand in a block of this name."""
    answers = (f"<|START_{answer}|>", f"<|END_{answer}|>")
    return Format(
        name=name,
        calls=(
            Calls(
                JsonObjectCallState,
                sections=(Section(("<|START_ACTION|>", "["), ("]", "<|END_ACTION|>"), (",",)),),
                is_bare=False,
                options=_KEYS,
            ),
        ),
        reasoning=between(
            name,
            ("<|START_THINKING|>",),
            ("<|END_THINKING|>",),
            answers=answers[:1],
            starts_open=True,
            is_ended_by_calls=True,
        ),
        arguments=JSON_ARGUMENTS,
        dropped=(*answers, "<|END_ACTION|>", "<|END_OF_TURN_TOKEN|>"),
        prompt=Prompt(
            call='<|START_ACTION|>[\n    {"tool_call_id": $quoted_id, "tool_name": $quoted_name, '
            '"parameters": $arguments}\n]<|END_ACTION|>',
            result=Turn(f"<|START_TOOL_RESULT|>{_RESULT}<|END_TOOL_RESULT|>"),
            name=ANY_NAME,
            identify=any_id("0"),
        ),
    )


COHERE_COMMAND3 = _format("cohere_command3", "RESPONSE")
COHERE_COMMAND4 = _format("cohere_command4", "TEXT")

COMMAND_R = Format(
    name="command_r",
    calls=(
        Calls(
            JsonObjectCallState,
            sections=tuple(Section(("Action:", fence, "["), ("]", "```"), (",",)) for fence in ("```json", "```")),
            is_bare=False,
            options=_KEYS,
        ),
    ),
    arguments=JSON_ARGUMENTS,
    dropped=("<|END_OF_TURN_TOKEN|>",),
    prompt=Prompt(
        call='Action:\n```json\n[{"tool_name": $quoted_name, "parameters": $arguments}]\n```',
        result=Turn(
            "<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><results>\n$result</results><|END_OF_TURN_TOKEN|>", "system"
        ),
        name=ANY_NAME,
    ),
)
