"""sentinel: blocks between `[[SEG_START {…}]]` and `[[SEG_END]]`.

    [[SEG_START {"type": "run_bash"}]]ls[[SEG_END]]

For prompts that want every kind of segment in one syntax, with bodies that need no escaping.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.arguments.json_text import to_json, write_json
from streamparse.config import ToolSpec
from streamparse.core.markers import exact
from streamparse.core.opening import Opener
from streamparse.families.json.decoder import SENTINEL_ARGUMENTS
from streamparse.formats import teaching
from streamparse.formats.format import Format
from streamparse.formats.prompt import ANY_NAME, Prompt
from streamparse.formats.thinking import thinking
from streamparse.states.sentinel import END, START, SentinelInitState

_OPENERS = (Opener(exact(START), SentinelInitState, "sentinel"),)
#: A header must stay below the limit of a tag; longer arguments are the body.
_LONGEST_HEADER = 60_000
#: In a JSON string the sentinel can be written so that it is none.
_ESCAPED_END = "\\u005b" + END[1:]


def _write_call(tool: ToolSpec, arguments: Mapping[str, Any], call_id: str | None) -> str:
    """Arguments in the header, or in the body if they are long."""
    header = {"type": "tool_call", "tool_name": tool.name}
    if call_id is not None:
        header["call_id"] = call_id
    written = write_json(arguments)
    whole = f'{to_json(header)[:-1]}, "arguments": {written}}}'
    if len(whole) <= _LONGEST_HEADER:
        return f"{START} {whole}]]{END}"
    return f"{START} {to_json(header)}]]{written.replace(END, _ESCAPED_END)}{END}"


SENTINEL = Format(
    name="sentinel",
    openers=lambda setup: _OPENERS,
    reasoning=thinking("sentinel"),
    arguments=SENTINEL_ARGUMENTS,
    prompt=Prompt(
        call=_write_call,
        result='[[TOOL_RESULT {"tool_name": $quoted_name}]]$result[[SEG_END]]',
        tokens=(START, END, "[[TOOL_RESULT"),
        name=ANY_NAME,
        teach=teaching.SENTINEL,
    ),
)
