"""ernie45: reasoning, then calls in tags, or an answer in tags.

    …</think>

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Oslo"}}
    </tool_call>
    <response>
    It is cold.
    </response>

The prompt of the thinking models has opened the reasoning. The blanks behind it belong to its closer.
"""

from __future__ import annotations

from streamparse.core.markers import BLANKS, NO_BLANK, exact
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.json_calls import between_tags, prompt
from streamparse.formats.prompt import ANY_NAME
from streamparse.formats.thinking import between, wrapped

ERNIE45 = Format(
    name="ernie45",
    aliases=("ernie",),
    calls=(between_tags("tool_call", "\n"),),
    reasoning=between("ernie45", ("<think>",), ((*exact("</think>"), BLANKS, NO_BLANK),)),
    arguments=JSON_ARGUMENTS,
    dropped=("</s>", "<|im_end|>"),
    wrappers=(*wrapped("response"), ("\n", *exact("</response>"), "\n")),
    prompt=prompt(
        "<tool_call>\n",
        "\n</tool_call>",
        result="<tool_output>\n$result\n</tool_output>",
        tokens=("<s>",),
        name=ANY_NAME,
    ),
)
