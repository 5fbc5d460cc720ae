"""json: calls as JSON objects, alone, in lists and in the wrappers that models know from their providers.

    {"name": "search", "arguments": {"query": "cats"}}
    [{"function": {"name": "f", "arguments": "{}"}}]
    {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": {}}}]}

There are no markers: certainty comes from the keys. Which keys count is a profile, `ParserConfig(json_profile=…)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from streamparse.core.markers import BLANK_CHARACTERS, BLANKS, Marker
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
#: An object, and a list of them.
_MARKERS: tuple[Marker, ...] = (_OBJECT, ("[", BLANKS, *_OBJECT))
#: The same, with the first blank of a list written out. Other markers begin with a bracket, too, and need not be tried
#: at every bracket of a text if it is literal text that tells them apart (`core/stems.py`).
_AMONG_OTHERS: tuple[Marker, ...] = (
    _OBJECT,
    ("[", *_OBJECT),
    *(("[", blank, BLANKS, *_OBJECT) for blank in BLANK_CHARACTERS),
)
#: By the profile, and by whether the format is to be found out: then a declared name alone is no call.
_OPENERS = {
    (profile, is_auto): tuple(
        Opener(marker, JsonCallState, "json", evolve(keys, needs_arguments=is_auto))
        for marker in (_AMONG_OTHERS if is_auto else _MARKERS)
    )
    for profile, keys in JSON_PROFILES.items()
    for is_auto in (False, True)
}


def _openers(setup: Setup) -> Sequence[Opener]:
    return _OPENERS[setup.config.json_profile, setup.is_auto]


JSON = Format(
    name="json",
    in_auto=False,
    in_auto_with_tools=True,
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
