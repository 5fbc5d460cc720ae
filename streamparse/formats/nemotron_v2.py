"""nemotron_v2: a JSON list of calls in upper-case tags. (Nemotron 3 writes `qwen3_coder`.)

<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>
"""

from __future__ import annotations

from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.json_calls import in_list, prompt
from streamparse.formats.prompt import ANY_NAME
from streamparse.formats.thinking import thinking

NEMOTRON_V2 = Format(
    name="nemotron_v2",
    calls=(in_list("<TOOLCALL>", close=("</TOOLCALL>",)),),
    reasoning=thinking("nemotron_v2"),
    arguments=JSON_ARGUMENTS,
    dropped=("<SPECIAL_12>",),
    prompt=prompt(
        "<TOOLCALL>[",
        "]</TOOLCALL>",
        result="<TOOL_RESPONSE>[$result]</TOOL_RESPONSE>",
        tokens=("<SPECIAL_10>", "<SPECIAL_11>"),
        name=ANY_NAME,
    ),
)
