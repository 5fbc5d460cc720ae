"""cohere_command3, cohere_command4 and command_r: lists of JSON objects with `tool_name` and `parameters`.

    Need weather.<|END_THINKING|><|START_ACTION|>[
        {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}
    ]<|END_ACTION|>

    Plan.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>            cohere_command3
    Plan.<|END_THINKING|><|START_TEXT|>Four.<|END_TEXT|>                    cohere_command4

The prompt has opened the thinking; an answer or an action ends it even if its closer is forgotten. Command 4 still
writes the tokens of Command 3 at times, so either reads both. The tags of citations, `<co>cold</co: 0:[1]>` or, by
Command R, `<co: 0>cold</co: 0>`, are swallowed. Command R of 2024 writes the list in a fence behind `Action:`, and
`directly_answer` as if it were a tool: it is a call like any other.
"""

from __future__ import annotations

from streamparse.core.markers import Atom, Marker, exact
from streamparse.families.calls.grammar import Calls, Section
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.prompt import ANY_NAME, Prompt, Turn, any_id
from streamparse.formats.thinking import between

_KEYS = JsonKeys(names=("tool_name",), arguments=("parameters",), ids=("tool_call_id",))
_RESULT = '[\n    {"tool_call_id": $quoted_id, "results": {"0": $quoted_result}, "is_error": null}\n]'


_STARTS, _ENDS = (tuple(f"<|{edge}_{answer}|>" for answer in ("RESPONSE", "TEXT")) for edge in ("START", "END"))
_CITATIONS: tuple[Marker, ...] = (
    exact("<co>"),
    exact("</co>"),
    (*exact("<co: "), Atom("[0-9, ]{1,256}+"), ">"),
    (*exact("</co: "), Atom(r"[0-9:,\[\] ]{1,256}+"), ">"),
)


def _format(name: str) -> Format:
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
            answers=_STARTS,
            starts_open=True,
            calls="ends",
        ),
        arguments=JSON_ARGUMENTS,
        dropped=(*_STARTS, *_ENDS, "<|END_ACTION|>", "<|END_OF_TURN_TOKEN|>"),
        citations=_CITATIONS,
        prompt=Prompt(
            call='<|START_ACTION|>[\n    {"tool_call_id": $quoted_id, "tool_name": $quoted_name, '
            '"parameters": $arguments}\n]<|END_ACTION|>',
            result=Turn(f"<|START_TOOL_RESULT|>{_RESULT}<|END_TOOL_RESULT|>"),
            name=ANY_NAME,
            identify=any_id("0"),
        ),
    )


COHERE_COMMAND3 = _format("cohere_command3")
COHERE_COMMAND4 = _format("cohere_command4")

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
    dropped=("<|END_OF_TURN_TOKEN|>", "<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>"),
    citations=_CITATIONS,
    prompt=Prompt(
        call='Action:\n```json\n[{"tool_name": $quoted_name, "parameters": $arguments}]\n```',
        result=Turn(
            "<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><results>\n$result</results><|END_OF_TURN_TOKEN|>", "system"
        ),
        name=ANY_NAME,
    ),
)
