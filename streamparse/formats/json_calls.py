"""Calls as JSON objects with name and arguments: what the formats that write them have in common.

{"name": "get_weather", "arguments": {"city": "Oslo"}}
"""

from __future__ import annotations

import re
from typing import Any

from streamparse.core.markers import BLANKS, Atom, Marker, exact
from streamparse.families.calls.grammar import Calls, Section
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats.prompt import Prompt

#: A call as most models write it.
CALL = '{"name": $quoted_name, "arguments": $arguments}'
#: An id comes first, because START shows it, and START comes with the name.
CALL_WITH_ID = '{$<"id": $quoted_id, $>"name": $quoted_name, "arguments": $arguments}'
#: A name that stands in JSON as it is.
UNESCAPED_NAME = re.compile(r'[^"\\\x00-\x1f]{1,160}')


def _certain(key: str) -> Marker:
    """`{"name": "…", "arguments":`: no other JSON begins like this."""
    parts: list[Marker] = [exact("{"), exact('"name"'), exact(":"), ('"', _NAME, '"'), exact(","), exact(f'"{key}"')]
    return (*(piece for part in parts for piece in (*part, BLANKS)), ":")


_NAME = Atom(r'[^"\\\x00-\x1f]{1,256}+')
#: What a call without markers must begin with: then it is one.
CERTAIN = (_certain("arguments"), _certain("parameters"))


def between_tags(tag: str, *behind: str) -> Calls:
    """`<tag>{…}</tag>` and what comes `behind`; several objects in one pair of tags occur, and lists of them."""
    return Calls(
        JsonObjectCallState,
        sections=(
            Section((f"<{tag}>",), (f"</{tag}>", *behind), (",", ";")),
            Section((f"<{tag}>", "["), ("]", f"</{tag}>", *behind), (",",)),
        ),
        is_bare=False,
    )


def in_list(*opens: str, close: tuple[str, ...] = (), **options: Any) -> Calls:
    """A list of calls behind `opens`, before `close`."""
    section = Section((*opens, "["), ("]", *close), (",",))
    return Calls(JsonObjectCallState, sections=(section,), is_bare=False, **options)


def prompt(before: str, after: str = "", *, has_id: bool = False, **options: Any) -> Prompt:
    """The prompt side of a format that writes a call between `before` and `after`, with an id if it `has_id`."""
    return Prompt(call=f"{before}{CALL_WITH_ID if has_id else CALL}{after}", **options)
