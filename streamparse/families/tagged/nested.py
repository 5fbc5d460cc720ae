"""Arguments in tags of their own names, with tags in them for what is nested (minimax_m3).

    ]<]minimax[>[<city>Oslo]<]minimax[>[</city>                             {"city": "Oslo",
    ]<]minimax[>[<at>]<]minimax[>[<lat>1]<]minimax[>[</lat>…[</at>           "at": {"lat": "1"},
    ]<]minimax[>[<tags>]<]minimax[>[<item>a]<]minimax[>[</item>…[</tags>     "tags": ["a"]}

Every tag has a token before it that occurs nowhere else, so tags need no rules to be told from text. The schema says
what the texts mean; where it wants an object or an array, JSON does as well. A tag that comes several times is a list.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import define, field

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, decode_text
from streamparse.arguments.schema import ANY, Schema
from streamparse.config import Limits
from streamparse.core.markers import BLANK_CHARACTERS, compile_marker, exact, skip_blanks
from streamparse.families.json.decoder import JSON_ARGUMENTS

_ITEM = "item"
#: The name of a parameter's tag: not one of those that stand around the parameters.
TAG_NAME = r"(?!(?:invoke|tool_call)[ >])[^<>/\r\n]{1,256}+"


@define(eq=False)
class _Node:
    """A value: from one tag to its closer."""

    key: str
    start: int
    schema: Schema
    parts: list[tuple[str, Any]] = field(factory=list)


class NestedArguments(ArgumentDecoder):
    """The decoder of a format whose tags have `prefix` before them."""

    def __init__(self, prefix: str) -> None:
        self._prefix = compile_marker(exact(prefix)).pattern
        self._tag = re.compile(rf"{re.escape(prefix)}[ \t\r\n]{{0,64}}+<(/?)({TAG_NAME})>")

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Tags, or one JSON object."""
        start = skip_blanks(content, 0)
        if content[start : start + 1] == "{":
            return JSON_ARGUMENTS.decode_call(content, signature, is_truncated=is_truncated)
        stack, end = self._read(content, signature)
        root, *unclosed = stack
        is_repaired = False
        if unclosed and not is_truncated:
            node = unclosed[-1]
            if len(unclosed) > 1 or node.parts:
                raise ArgumentsError(f"{node.key} is not closed")
            root.parts.append((node.key, _value(node, content[node.start :], signature.limits)))
            is_repaired = True
        elif content[end:].strip(BLANK_CHARACTERS) and not is_truncated:
            raise ArgumentsError("there is text where a parameter should be")
        return DecodedCall(_join(root.parts), is_repaired)

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """What is complete; and an argument that is a text grows, without a piece of a tag."""
        start = skip_blanks(content, 0)
        if content[start : start + 1] == "{":
            return JSON_ARGUMENTS.decode_partial(content, signature)
        try:
            (root, *unclosed), _ = self._read(content, signature)
        except ArgumentsError:
            return {}
        arguments = _join(root.parts)
        if len(unclosed) == 1 and not unclosed[0].parts and unclosed[0].key not in arguments:
            node = unclosed[0]
            half = self._prefix.search(content, node.start)
            text = content[node.start : half.start() if half else None]
            if text.strip(BLANK_CHARACTERS) and node.schema.stays_string(text):
                arguments[node.key] = text
        return arguments

    def _read(self, content: str, signature: Signature) -> tuple[list[_Node], int]:
        """What is open when the text ends, the arguments first; and where the last tag ended."""
        stack, end = [_Node("", 0, signature.schema)], 0
        for tag in self._tag.finditer(content):
            top, key = stack[-1], tag[2].strip(BLANK_CHARACTERS)
            text = content[end : tag.start()]
            end = tag.end()
            if tag[1]:
                if key != top.key or len(stack) == 1:
                    raise ArgumentsError(f"{key} is closed, but it is not open")
                stack.pop()
                stack[-1].parts.append((key, _value(top, text, signature.limits)))
                continue
            if text.strip(BLANK_CHARACTERS):
                raise ArgumentsError("there is text where a parameter should be")
            if len(stack) > signature.limits.max_depth:
                raise ArgumentsError(f"{stack[1].key} is nested too deeply")
            stack.append(_Node(key, end, _schema_of_part(top, key)))
        return stack, end


def _schema_of_part(node: _Node, key: str) -> Schema:
    if node.schema.takes_items(are_items=key == _ITEM):
        return node.schema.item_of(len(node.parts))
    return node.schema.property_of(key) if node.schema.types else ANY


def _value(node: _Node, text: str, limits: Limits) -> Any:
    """The value of a node that is closed; `text` is what stands before its closer."""
    if not node.parts:
        return decode_text(node.key, text, node.schema, limits)
    if text.strip(BLANK_CHARACTERS):
        raise ArgumentsError("there is text where a parameter should be")
    are_items = all(key == _ITEM for key, _ in node.parts)
    if node.schema.takes_items(are_items=are_items) or (are_items and not node.schema.types):
        return [value for _, value in node.parts]
    return _join(node.parts)


def _join(parts: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its properties; those of one name are a list."""
    values: dict[str, list[Any]] = {}
    for key, value in parts:
        values.setdefault(key, []).append(value)
    return {key: found[0] if len(found) == 1 else found for key, found in values.items()}
