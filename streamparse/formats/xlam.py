"""xlam: a JSON list of calls, bare or in one of the markers that its teachers used.

    [{"name": "get_weather", "arguments": {"city": "Oslo"}}]
    ```json … ```       [TOOL_CALLS] …       <tool_call> … </tool_call>

A list without markers, or in a fence, is calls only if its first object begins with name and arguments; so is each
object behind it.
"""

from __future__ import annotations

from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.json_calls import CERTAIN, UNESCAPED_NAME, between_tags, in_list, prompt
from streamparse.formats.thinking import thinking

XLAM = Format(
    name="xlam",
    calls=(
        in_list(begins=CERTAIN, in_auto=False),
        in_list("```json", close=("```",), begins=CERTAIN, in_auto=False),
        in_list("```", close=("```",), begins=CERTAIN, in_auto=False),
        in_list("[TOOL_CALLS]"),
        between_tags("tool_call"),
    ),
    reasoning=thinking("xlam"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|im_end|>", "<|eot_id|>"),
    prompt=prompt("[", "]", result='{"name": $quoted_name, "results": $quoted_result}', name=UNESCAPED_NAME),
    in_auto=False,
)
