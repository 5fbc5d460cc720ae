"""The value of an argument whose closer has not come yet.

    <query>cats &amp; do</que           "cats & do"
    <limit>5                            nothing, if the schema says integer: it may become 52
    <near><lat>1</lat>                  nothing: it may become {"lat": "1", …} or a text

A text is shown as it grows, without what may be a piece of its closer or of an entity. All else is shown when it is
complete, and so is what may still turn out to be something else than a text.
"""

from __future__ import annotations

import re

from streamparse.arguments.schema import Schema
from streamparse.core.entities import decode_entities
from streamparse.core.markers import NAME_END, Atom, close_tag, compile_marker, compile_markers, skip_blanks

_ENTITIES = compile_markers(
    {
        "entity": [
            *(("&amp;",), ("&lt;",), ("&gt;",), ("&quot;",), ("&apos;",)),
            *(("&#", Atom("[0-9]{1,7}+"), ";"), ("&#x", Atom("[0-9a-fA-F]{1,6}+"), ";")),
        ]
    },
    ignore_case=False,
).pattern
#: What may begin a value with parts: in a tag of the argument's own name any tag, in an `<arg>` these. See `values.py`.
_ANY_PART = re.compile(r"<(?:[A-Za-z_!]|\Z)")
_ARG_PART = compile_markers({"part": [("<item", NAME_END), ("<arg", NAME_END), ("<!--",)]}).pattern


def growing_text(text: str, tag: str, schema: Schema, *, is_cut: bool = False) -> str | None:
    """What is certain of `text`, which is to be closed by `</tag>` and goes on, unless it `is_cut`.

    None if it may be no text.
    """
    end = len(text)
    if not is_cut:
        end = _before_half(compile_marker(close_tag(tag)).pattern, "<", text, end)
        end = _before_half(_ENTITIES, "&", text, end)
    if not schema.types or schema.may_nest:
        first = skip_blanks(text, 0, end)
        parts = _ARG_PART if tag == "arg" and not schema.may_nest else _ANY_PART
        if first == end or parts.match(text, first, end):
            return None
    value = decode_entities(text[:end])
    return value if schema.stays_string(value) else None


def _before_half(pattern: re.Pattern[str], head: str, text: str, end: int) -> int:
    """Where `text` ends without the piece of a marker, which begins with `head` and has no second one."""
    piece = text.rfind(head, 0, end)
    match = pattern.match(text, piece, end) if piece >= 0 else None
    return piece if match is not None and match.lastindex is None else end
