"""jamba, hunyuan_a13b and apriel: a JSON list of calls between `<tool_calls>` and `</tool_calls>`.

    <tool_calls>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</tool_calls>

Jamba begins with a blank; Hunyuan puts answers into `<answer>` and may begin with a word of its template; Apriel
reasons behind `Here are my reasoning steps:`, which the prompt of 1.6 has written, up to `[BEGIN FINAL RESPONSE]`.
"""

from __future__ import annotations

from streamparse.core.markers import exact
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.json_calls import in_list, prompt
from streamparse.formats.prompt import ANY_NAME, Turn
from streamparse.formats.thinking import between, thinking, wrapped

_CALLS = in_list("<tool_calls>", close=("</tool_calls>",))
_OPEN, _CLOSE = "<tool_calls>[", "]</tool_calls>"
#: What begins Apriel's answer, with the line breaks that are meant.
_ANSWER = (
    "\n[BEGIN FINAL RESPONSE]\n",
    "\n[BEGIN FINAL RESPONSE]",
    "[BEGIN FINAL RESPONSE]\n",
    "[BEGIN FINAL RESPONSE]",
)
#: What Hunyuan's template says before an answer.
_ASSISTANT = exact("助手：")

JAMBA = Format(
    name="jamba",
    calls=(_CALLS,),
    reasoning=thinking("jamba"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|eom|>",),
    has_leading_blank=True,
    prompt=prompt(
        "<tool_calls>[\n    ",
        "\n]</tool_calls>",
        result=Turn("<|bom|><|tool|> $result<|eom|>"),
        name=ANY_NAME,
    ),
)
HUNYUAN_A13B = Format(
    name="hunyuan_a13b",
    calls=(_CALLS,),
    reasoning=thinking("hunyuan_a13b"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|eos|>",),
    wrappers=(
        *wrapped("answer"),
        *((*opening, *_ASSISTANT) for opening in wrapped("answer")[:4]),
    ),
    leading=(_ASSISTANT,),
    prompt=prompt(_OPEN, _CLOSE, result="<tool_response>\n$result\n</tool_response>", name=ANY_NAME),
)
APRIEL = Format(
    name="apriel",
    calls=(_CALLS,),
    reasoning=between(
        "apriel",
        ("Here are my reasoning steps:\n",),
        _ANSWER,
        in_auto=False,
        are_wrappers=True,
    ),
    arguments=JSON_ARGUMENTS,
    dropped=("<|end|>",),
    wrappers=(*map(exact, _ANSWER), exact("\n[END FINAL RESPONSE]"), exact("[END FINAL RESPONSE]")),
    prompt=prompt(_OPEN, _CLOSE, has_id=True, result=Turn("<|tool_result|>\n$result\n<|end|>"), name=ANY_NAME),
)
