"""Values: what the text of a parameter means.

    <parameter=city>␤Oslo␤</parameter>              "Oslo", where line breaks belong to the tags
    <parameter=days>2</parameter>                   "2", or 2 if the schema says integer
    <parameter name="x" string="false">3</…>        3: an attribute says so

What a text means is told by an attribute, where the format has one, else by the schema. A text that is marked as JSON
and is none is what the schema makes of it: a string only if it allows one, else the call is malformed.
"""

from __future__ import annotations

import html
import re
from typing import Any

from attrs import frozen

from streamparse import deferred
from streamparse.arguments.decoder import ArgumentsError, Signature, decode_text
from streamparse.arguments.json_text import JsonTextError, TooDeepError, may_be_json, read_json
from streamparse.arguments.schema import Schema
from streamparse.arguments.sink import ValueTag
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.families.calls.values import strip_value

#: What may be an entity, and the beginning of one, or one that may be longer: `&not` is one, and so is `&notin;`.
_ENTITY = re.compile(r"&[#0-9A-Za-z]{1,40}+;?+")
_HALF_ENTITY = re.compile(r"&[#0-9A-Za-z]{0,40}+\Z")
#: The JSON types of Python's literals that are no JSON, and how these begin.
_LITERALS = {type(None): "null", list: "array", dict: "object"}
_BEFORE_LITERALS = ("N", "[", "{")
_NULL, _ONLY_STRINGS = "null", frozenset({"string"})


@frozen
class Values:
    """What the text of a parameter means."""

    #: One line break at each end, LF or CRLF, belongs to the tags.
    has_breaks: bool = False
    #: Entities are decoded.
    has_entities: bool = False
    #: True, None and lists in single quotes are what they are in Python.
    has_literals: bool = False
    #: An attribute, and what it says of a text that is a string; with anything else it is JSON, or malformed. It has no
    #: name where the type of a value stands in a tag.
    attribute: tuple[str, str] | None = None
    #: A text that is JSON is that value, if the schema does not say otherwise.
    has_json: bool = False
    #: `null` is null, unless the schema says that the value is a string.
    has_null: bool = False

    @property
    def triggers(self) -> str:
        """The characters in a text that are not shown as they are, or not at once."""
        return ("\r\n" if self.has_breaks else "") + ("&" if self.has_entities else "")

    def read(self, key: str, text: str, tag: ValueTag, signature: Signature) -> Any:
        """The value of the parameter `key` whose text is `text`."""
        text, is_string = self._read_text(text, tag), self._is_string(tag)
        if is_string:
            return text
        limits, schema = signature.limits, signature.schema.property_of(key)
        if self.has_null and text.lower() == _NULL and schema.types != _ONLY_STRINGS:
            return None
        if is_string is False or (self.has_json and not schema.types):
            try:
                return read_json(text, limits.max_depth)
            except TooDeepError:
                raise ArgumentsError(f"{key} is nested too deeply") from None
            except JsonTextError:  # then it is what the schema makes of it
                pass
        value = decode_text(key, text, schema, limits)
        if self.has_literals and isinstance(value, str) and schema.types - {"string"}:
            value = _read_literal(text, schema, limits.max_depth)
        if is_string is False and isinstance(value, str) and "string" not in schema.types:
            raise ArgumentsError(f"{key} is marked as JSON, but it cannot be read as that")
        return value

    def read_growing(self, key: str, text: str, tag: ValueTag, signature: Signature, *, stays_text: bool) -> str | None:
        """The beginning of a text that goes on, without what may come to mean something else; None if it is none.

        `stays_text`: it is known to be one.
        """
        if self.has_entities:
            text = text[: certain_entities(text)]
        if self.has_breaks:
            text = text.removesuffix("\r")  # perhaps of the last line break
        text = self._read_text(text, tag)
        if stays_text:
            return text
        is_string = self._is_string(tag)
        if is_string is None:
            is_string = self._stays_string(text, signature.schema.property_of(key))
        return text if is_string else None

    def is_text(self, tag: ValueTag) -> bool:
        """Whether a body in such a tag is a text: it is, unless it is marked as something else."""
        return self._is_string(tag) is not False

    def _read_text(self, text: str, tag: ValueTag) -> str:
        if self.has_breaks and not tag.is_quoted:
            text = strip_value(text, is_raw=True)
        return decode_entities(text) if self.has_entities else text

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


def decode_entities(text: str) -> str:
    """What a text with entities means, those of HTML."""
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text) if "&" in text else text


def certain_entities(text: str) -> int:
    """How much of a text that goes on can be decoded already."""
    half = _HALF_ENTITY.search(text, max(0, len(text) - 41))
    return half.start() if half else len(text)


def _read_literal(text: str, schema: Schema, max_depth: int) -> Any:
    """None, a list or a dict, where the schema has a place for it. A number is one only as JSON writes it."""
    if text.lstrip(BLANK_CHARACTERS)[:1] not in _BEFORE_LITERALS:
        return text
    value = deferred.load("streamparse.families.literals.python", "read_python")(text, max_depth)
    return value if _LITERALS.get(type(value)) in schema.types else text
