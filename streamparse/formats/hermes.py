"""hermes and its kin: a JSON object with name and arguments between tags.

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Oslo"}}
    </tool_call>

Hermes, Qwen2.5 and Qwen3 (but for the coders), Granite 4, SmolLM3 and many others. Several objects in one pair of tags
occur, and lists of them; the closing tag may be missing at the end.
"""

from __future__ import annotations

from streamparse.arguments import JSON_ARGUMENTS
from streamparse.core.call_grammar import Calls, Section
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.prompt import ANY_NAME, Prompt
from streamparse.formats.thinking import thinking
from streamparse.states.json_object_call import JsonObjectCallState


def _format(name: str, tag: str, reasoning: Reasoning, **more: object) -> Format:
    """The format of this name with this tag."""
    return Format(
        name=name,
        calls=(
            Calls(
                JsonObjectCallState,
                sections=(
                    Section((f"<{tag}>",), (f"</{tag}>",), (",", ";")),
                    Section((f"<{tag}>", "["), ("]", f"</{tag}>"), (",",)),
                ),
                is_bare=False,
            ),
        ),
        reasoning=reasoning,
        arguments=JSON_ARGUMENTS,
        prompt=Prompt(
            call=f'<{tag}>\n{{"name": $quoted_name, "arguments": $arguments}}\n</{tag}>',
            result="<tool_response>\n$result\n</tool_response>",
            name=ANY_NAME,
        ),
        **more,  # type: ignore[arg-type]
    )


HERMES = _format(
    "hermes",
    "tool_call",
    thinking("hermes"),
    aliases=("qwen25",),
    models=("*hermes*", "*qwen2.5*", "*qwq*", "*granite-4*", "*smollm3*"),
    dropped=("<|im_end|>",),
)
QWEN3 = _format(
    "qwen3",
    "tool_call",
    thinking("qwen3", is_ended_by_calls=True),
    models=("*qwen3*",),
    dropped=("<|im_end|>",),
)
LONGCAT = _format("longcat", "longcat_tool_call", thinking("longcat"), models=("*longcat*",))
