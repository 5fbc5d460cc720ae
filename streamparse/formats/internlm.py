"""internlm: a JSON object with name and parameters between special tokens.

    <|action_start|> <|plugin|>
    {"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>

InternLM2 and 2.5, Intern-S1; the blank between the tokens may be missing.
"""

from __future__ import annotations

from streamparse.families.calls.grammar import Calls, Section
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.format import Format
from streamparse.formats.prompt import ANY_NAME, Prompt, Turn
from streamparse.formats.thinking import thinking

INTERNLM = Format(
    name="internlm",
    aliases=("interns1",),
    calls=(
        Calls(
            JsonObjectCallState,
            sections=(Section(("<|action_start|>", "<|plugin|>"), ("<|action_end|>",)),),
            is_bare=False,
        ),
    ),
    reasoning=thinking("internlm"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|im_end|>", "<|action_end|>"),
    prompt=Prompt(
        call='<|action_start|> <|plugin|>\n{"name": $quoted_name, "parameters": $arguments}<|action_end|>',
        result=Turn("<|im_start|>environment name=<|plugin|>\n$result<|im_end|>", "environment"),
        name=ANY_NAME,
    ),
)
