"""phi4: a JSON list of calls behind a word. Firefunction begins with a blank.

    functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]

There is no end marker: the list ends where its JSON does.
"""

from __future__ import annotations

from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.formats.format import Format
from streamparse.formats.json_calls import in_list, prompt
from streamparse.formats.prompt import ANY_NAME, Turn
from streamparse.formats.thinking import thinking

PHI4 = Format(
    name="phi4",
    aliases=("phi4_mini_json", "firefunction"),
    calls=(in_list("functools"),),
    reasoning=thinking("phi4"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|end|>", "<|endoftext|>"),
    has_leading_blank=True,
    prompt=prompt("functools[", "]", result=Turn("<|tool_response|>$result<|end|>"), name=ANY_NAME),
)
