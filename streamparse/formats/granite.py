"""granite3 and granite20b: calls of Granite 3.x, and of its function-calling model of 20B. (Granite 4 writes `hermes`.)

    Here is my thought process: … Here is my response: <|tool_call|>[{"name": "f", "arguments": {}}]      granite3
    <function_call> {"name": "f", "arguments": {}}                                                        granite20b

3.0 has a special token before the list, 3.1 a tag that is never closed, and a server may have taken either away; 3.3
marks reasoning and answer with tags. There is no end marker: a list or an object ends where its JSON does.
"""

from __future__ import annotations

from streamparse.core.markers import exact
from streamparse.families.calls.grammar import Calls
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.json_calls import CERTAIN, in_list, prompt
from streamparse.formats.prompt import ANY_NAME, Turn
from streamparse.formats.thinking import between, thinking, wrapped

#: Sentences, which an answer may have anywhere: they mean something only behind a thought, or where the reply begins.
_ANSWER = ("Here is my response:", "Here's my response:")

GRANITE3 = Format(
    name="granite3",
    aliases=("granite",),
    calls=(
        in_list("<|tool_call|>"),
        in_list("<tool_call>", close=("</tool_call>",)),
        in_list(begins=CERTAIN, in_auto=False),
    ),
    reasoning=between(
        "granite3",
        ("Here is my thought process:", "Here's my thought process:", "<think>"),
        ("</think>",),
        answers=_ANSWER,
        in_auto=False,
    ),
    arguments=JSON_ARGUMENTS,
    dropped=("<|end_of_text|>",),
    wrappers=wrapped("response"),
    leading=tuple(map(exact, _ANSWER)),
    prompt=prompt(
        "<|tool_call|>[",
        "]",
        result=Turn("<|start_of_role|>tool_response<|end_of_role|>$result<|end_of_text|>", "tool_response"),
        name=ANY_NAME,
    ),
)
GRANITE20B = Format(
    name="granite20b",
    aliases=("granite_20b_fc",),
    calls=(Calls(JsonObjectCallState, head=("<function_call>",)),),
    reasoning=thinking("granite20b"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|endoftext|>",),
    prompt=prompt("<function_call> ", result=Turn("<function_response> $result", "function_response"), name=ANY_NAME),
)
