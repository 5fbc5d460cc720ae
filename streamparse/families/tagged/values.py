"""Values: what the text of a parameter means.

    <parameter=city>␤Oslo␤</parameter>              "Oslo", where line breaks belong to the tags
    <parameter=days>2</parameter>                   "2", or 2 if the schema says integer
    <parameter name="x" string="false">3</…>        3: an attribute says so

What a text means is told by the schema, and by an attribute where the format has one. A text that is marked as JSON is
that value, and one that is marked as a string is itself, if the schema has a place for it; else it is what the schema
makes of it. What fits nowhere stays a string.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from attrs import frozen

from streamparse import deferred
from streamparse.arguments.decoder import ArgumentsError, Signature, decode_text
from streamparse.arguments.json_text import JsonTextError, TooDeepError, may_be_json, read_json
from streamparse.arguments.schema import Schema
from streamparse.arguments.sink import ValueTag
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.families.calls.values import GrowingValue, strip_value

#: The JSON types of Python's literals that are no JSON, and how these begin.
_LITERALS = {type(None): "null", list: "array", dict: "object"}
_BEFORE_LITERALS = ("N", "[", "{")
_NULL, _ONLY_STRINGS = "null", frozenset({"string"})


@frozen(eq=False)
class Values:
    """What the text of a parameter means."""

    #: One line break at each end, LF or CRLF, belongs to the tags: of every value, or of one that begins with one.
    breaks: Literal["none", "in_blocks", "always"] = "none"
    #: True, None and lists in single quotes are what they are in Python.
    has_literals: bool = False
    #: An attribute, and what it says of a text that is a string; with anything else it is JSON. It has no name where
    #: the type of a value stands in a tag.
    attribute: tuple[str, str] | None = None
    #: A text that is JSON is that value, if the schema does not say otherwise.
    has_json: bool = False
    #: `null` is null, unless the schema says that the value is a string.
    has_null: bool = False

    @property
    def triggers(self) -> str:
        """The characters in a text that are not shown as they are, or not at once."""
        return "" if self.breaks == "none" else "\r\n"

    def read(self, key: str, text: str, tag: ValueTag, signature: Signature) -> Any:
        """The value of the parameter `key` whose text is `text`."""
        text, is_string = self._read_text(text, tag), self._is_string(tag)
        limits, schema = signature.limits, signature.schema.property_of(key)
        if self.has_null and text.lower() == _NULL and schema.types != _ONLY_STRINGS:
            return None
        if is_string and schema.has_place_for(text):
            return text
        if is_string is False or (self.has_json and not schema.types):
            try:
                value = read_json(text, limits.max_depth)
            except TooDeepError:
                raise ArgumentsError(f"{key} is nested too deeply") from None
            except JsonTextError:  # then it is what the schema makes of it
                pass
            else:
                if schema.has_place_for(value):
                    return value
                text = value if isinstance(value, str) else text
        value = decode_text(key, text, schema, limits)
        if self.has_literals and isinstance(value, str) and schema.types - {"string"}:
            value = _read_literal(text, schema, limits.max_depth)
        return value

    def read_growing(self, key: str, text: str, tag: ValueTag, signature: Signature, *, stays_text: bool) -> str | None:
        """The beginning of a text that goes on, without what may come to mean something else; None if it is none.

        `stays_text`: it is known to be one.
        """
        if self.breaks != "none":
            text = text.removesuffix("\r")  # perhaps of the last line break
        text = self._read_text(text, tag)
        if stays_text:
            return text
        is_string, schema = self._is_string(tag), signature.schema.property_of(key)
        is_certain = self._stays_string(text, schema) if is_string is None else is_string and schema.has_place_for("")
        return text if is_certain else None

    def is_text(self, tag: ValueTag) -> bool:
        """Whether a body in such a tag is a text: it is, unless it is marked as something else."""
        return self._is_string(tag) is not False

    def _read_text(self, text: str, tag: ValueTag) -> str:
        if self.breaks == "none" or tag.is_quoted:
            return text
        return strip_value(text, is_raw=True, is_block=self.breaks == "always")

    def growing(self, tag: ValueTag) -> GrowingValue | None:
        """What leaves out of a text in such a tag what is none of its value, as it comes; None if that is nothing."""
        if self.breaks == "none" or tag.is_quoted:
            return None
        return GrowingValue(is_raw=True, is_block=self.breaks == "always")

    def _stays_string(self, beginning: str, schema: Schema) -> bool:
        """Whether a text that begins so is a string, whatever follows."""
        if self.has_literals and schema.types - {"string"}:
            return False
        if self.has_null and schema.types != _ONLY_STRINGS and _NULL.startswith(beginning.lower()):
            return False
        if self.has_json and not schema.types:
            return not may_be_json(beginning)
        return schema.stays_string(beginning)

    def _is_string(self, tag: ValueTag) -> bool | None:
        """What the attributes of a parameter say of it, if they do."""
        if self.attribute is None:
            return None
        name, word = self.attribute
        before = rf"\b{name}\s*+=\s*+[\"']?" if name else r"\A\s*+"
        match = re.search(rf"{before}([^\"'\s]++)", tag.attributes)
        return None if match is None else match[1].lower() == word


def _read_literal(text: str, schema: Schema, max_depth: int) -> Any:
    """None, a list or a dict, where the schema has a place for it. A number is one only as JSON writes it."""
    if text.lstrip(BLANK_CHARACTERS)[:1] not in _BEFORE_LITERALS:
        return text
    value = deferred.load("streamparse.families.literals.python", "read_python")(text, max_depth)
    return value if _LITERALS.get(type(value)) in schema.types else text
