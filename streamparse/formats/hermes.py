"""hermes and its kin: a JSON object with name and arguments between tags.

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Oslo"}}
    </tool_call>

Hermes, Qwen2.5 and Qwen3 (but for the coders), Granite 4, SmolLM3 and many others. Several objects in one pair of tags
occur, and lists of them; the closing tag may be missing at the end. Hermes 2 thinks in `<scratch_pad>`.
"""

from __future__ import annotations

from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats import teaching
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.json_calls import between_tags, prompt
from streamparse.formats.prompt import ANY_NAME
from streamparse.formats.thinking import thinking


def object_format(name: str, tag: str, reasoning: Reasoning, tokens: tuple[str, ...] = (), **more: object) -> Format:
    """The format of this name with this tag."""
    return Format(
        name=name,
        calls=(between_tags(tag),),
        reasoning=reasoning,
        arguments=JSON_ARGUMENTS,
        prompt=prompt(
            f"<{tag}>\n",
            f"\n</{tag}>",
            result="<tool_response>\n$result\n</tool_response>",
            tokens=tokens,
            name=ANY_NAME,
            teach=teaching.HERMES.replace("tool_call>", f"{tag}>"),
        ),
        **more,  # type: ignore[arg-type]
    )


HERMES = object_format(
    "hermes",
    "tool_call",
    thinking("hermes", "scratch_pad"),
    aliases=("qwen25",),
    dropped=("<|im_end|>",),
)
QWEN3 = object_format(
    "qwen3",
    "tool_call",
    thinking("qwen3", calls="ends"),
    dropped=("<|im_end|>",),
)
