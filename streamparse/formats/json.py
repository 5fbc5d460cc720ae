"""json: calls as JSON objects, alone, in lists and in the wrappers that models know from their providers.

    {"name": "search", "arguments": {"query": "cats"}}
    [{"function": {"name": "f", "arguments": "{}"}}]
    {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": {}}}]}

There are no markers: certainty comes from the keys. Which keys count is a profile, `ParserConfig(json_profile=…)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.core.markers import BLANKS
from streamparse.core.opening import Opener
from streamparse.families.json.call_state import JsonCallState
from streamparse.families.json.decoder import JSON_CALL_ARGUMENTS
from streamparse.families.json.keys import JSON_PROFILES
from streamparse.formats import teaching
from streamparse.formats.format import Format, Setup
from streamparse.formats.json_calls import prompt
from streamparse.formats.prompt import ANY_NAME
from streamparse.formats.thinking import thinking

_OBJECT = ("{", BLANKS, '"')
_OPENERS = {
    profile: tuple(Opener(marker, JsonCallState, "json", keys) for marker in (_OBJECT, ("[", BLANKS, *_OBJECT)))
    for profile, keys in JSON_PROFILES.items()
}


def _openers(setup: Setup) -> Sequence[Opener]:
    return _OPENERS[setup.config.json_profile]


JSON = Format(
    name="json",
    in_auto=False,
    aliases=("json_tool",),
    openers=_openers,
    reasoning=thinking("json"),
    arguments=JSON_CALL_ARGUMENTS,
    prompt=prompt(
        "",
        result='{"name": $quoted_name, "result": $quoted_result}',
        name=ANY_NAME,
        teach=teaching.JSON,
    ),
)
