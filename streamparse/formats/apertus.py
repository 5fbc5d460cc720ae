"""apertus: a JSON list of calls, each an object whose only key is the name.

    <|inner_prefix|>…<|inner_suffix|><|tools_prefix|>[{"get_weather": {"city": "Oslo"}}]<|tools_suffix|>

Calls may stand in the reasoning, too, which goes on behind them.
"""

from __future__ import annotations

from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.keys import JsonKeys
from streamparse.formats.format import Format
from streamparse.formats.json_calls import in_list
from streamparse.formats.prompt import ANY_NAME, Prompt, Turn
from streamparse.formats.thinking import between

APERTUS = Format(
    name="apertus",
    aliases=("apertus2509",),
    calls=(
        in_list(
            "<|tools_prefix|>",
            close=("<|tools_suffix|>",),
            options=JsonKeys((), (), (), functions=(), is_single=True),
        ),
    ),
    reasoning=between("apertus", ("<|inner_prefix|>",), ("<|inner_suffix|>",), calls="goes_on"),
    arguments=JSON_ARGUMENTS,
    dropped=("<|assistant_end|>", "<|tools_suffix|>"),
    prompt=Prompt(
        call="<|tools_prefix|>[{$quoted_name: $arguments}]<|tools_suffix|>",
        result=Turn("[$result]"),  # in the turn of the calls
        tokens=("<s>", "</s>"),
        name=ANY_NAME,
    ),
)
