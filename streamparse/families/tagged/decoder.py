"""Arguments whose parameters stand in tags: one text each.

    <parameter=city>                        {"city": "Oslo",
    Oslo
    </parameter>
    <parameter=days>2</parameter>            "days": "2", or 2 if the schema says integer
    <parameter name="x" string="false">3</…>  "x": 3}
    {"city": "Oslo"}                        models do that, too

The tags are found by the rule of the state that streams them, `grammar.py`. What a text means is told by
an attribute, where the format has one, else by the schema. A text that is marked as JSON and is none is what the schema
makes of it: a string only if it allows one, else the call is malformed.

A parameter that is not closed is the rest of the call; if the opener of another one stands in it that is declared and
not given, that one was not closed, either: repaired.
"""

from __future__ import annotations

import html
import re
from contextlib import suppress
from typing import Any

from attrs import frozen

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, decode_text, is_same
from streamparse.arguments.json_text import JsonTextError, TooDeepError, may_be_json, read_json
from streamparse.arguments.schema import Schema
from streamparse.core.markers import BLANK_CHARACTERS, skip_blanks
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.literals.python import read_python
from streamparse.families.tagged.grammar import Parameter, Tags

#: The beginning of an entity, or one that may be longer: `&not` is one, and so is `&notin;`.
_HALF_ENTITY = re.compile(r"&[#0-9A-Za-z]{0,40}\Z")
#: What some models put around an object that should be the arguments.
_WRAPPERS = ({"arguments"}, {"input"})
_FIRST_BREAK, _LAST_BREAK = re.compile(r"\A\r?\n"), re.compile(r"\r?\n\Z")
#: The JSON types of Python's literals that are no JSON, and how these begin.
_LITERALS = {type(None): "null", list: "array", dict: "object"}
_BEFORE_LITERALS = ("N", "[", "{")


@frozen
class Values:
    """What the text of a parameter means."""

    #: One line break at each end, LF or CRLF, belongs to the tags.
    has_breaks: bool = False
    #: Entities are decoded.
    has_entities: bool = False
    #: True, None and lists in single quotes are what they are in Python.
    has_literals: bool = False
    #: An attribute, and what it says of a text that is a string; with anything else it is JSON, or malformed.
    attribute: tuple[str, str] | None = None
    #: A text that is JSON is that value, if the schema does not say otherwise.
    has_json: bool = False
    #: Attributes are written with `&amp;` and `&quot;`.
    has_escaped_keys: bool = False

    def read_key(self, key: str) -> str:
        """A key as it is meant."""
        key = key.strip(BLANK_CHARACTERS)
        return key.replace("&quot;", '"').replace("&amp;", "&") if self.has_escaped_keys else key

    def read_text(self, text: str, *, is_quoted: bool) -> str:
        """A text as it is meant."""
        if self.has_breaks and not is_quoted:
            text = _LAST_BREAK.sub("", _FIRST_BREAK.sub("", text))
        return html.unescape(text) if self.has_entities else text

    def read_growing(self, text: str, *, is_quoted: bool) -> str:
        """A text that goes on, as it is meant, without what may come to mean something else."""
        if self.has_entities:
            text = _HALF_ENTITY.sub("", text)
        if self.has_breaks:
            text = text.removesuffix("\r")  # perhaps of the last line break
        return self.read_text(text, is_quoted=is_quoted)

    def stays_string(self, beginning: str, schema: Schema) -> bool:
        """Whether a text that begins so is a string, whatever follows."""
        if self.has_literals and schema.types - {"string"}:
            return False
        if self.has_json and not schema.types:
            return not may_be_json(beginning)
        return schema.stays_string(beginning)

    def is_string(self, attributes: str) -> bool | None:
        """What the attributes of a parameter say of it, if they do."""
        if self.attribute is None:
            return None
        name, word = self.attribute
        match = re.search(rf"\b{name}\s*+=\s*+[\"']?([^\"'\s]*+)", attributes)
        return None if match is None else match[1].lower() == word


class TaggedArguments(ArgumentDecoder):
    """The decoder of formats with such `tags` and `values`."""

    def __init__(self, tags: Tags, values: Values | None = None) -> None:
        self.tags = tags
        self.values = values if values is not None else Values()

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Parameters, or one JSON object."""
        start = skip_blanks(content, 0)
        if content[start : start + 1] in ("{", '"'):
            decoded = JSON_ARGUMENTS.decode_call(content, signature, is_truncated=is_truncated)
            return DecodedCall(_unwrap(decoded.arguments, signature.schema))
        reader = _CallReader(self, signature)
        try:
            reader.read(content, is_truncated)
        except ArgumentsError:
            if not is_truncated:
                raise
        return DecodedCall(reader.arguments, reader.is_repaired)

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """What the arguments are if the text ends here; the last one grows, if it is a text."""
        start = skip_blanks(content, 0)
        if content[start : start + 1] in ("{", '"'):
            return _unwrap(JSON_ARGUMENTS.decode_partial(content, signature), signature.schema)
        reader = _CallReader(self, signature, is_growing=True)
        with suppress(ArgumentsError):  # what was read before is not affected
            reader.read(content, is_truncated=True)
        return reader.arguments


def _unwrap(arguments: dict[str, Any], schema: Schema) -> dict[str, Any]:
    if set(arguments) in _WRAPPERS and not schema.names & set(arguments):
        (inner,) = arguments.values()
        return inner if isinstance(inner, dict) else arguments
    return arguments


class _CallReader:
    """Reads one parameter after the other."""

    def __init__(self, decoder: TaggedArguments, signature: Signature, *, is_growing: bool = False) -> None:
        self._tags, self._values = decoder.tags, decoder.values
        self._signature = signature
        self._is_growing = is_growing  # the last argument is shown although it is not complete
        self.arguments: dict[str, Any] = {}
        self._given: set[str] = set()
        self.is_repaired = False

    def read(self, content: str, is_truncated: bool) -> None:
        parameters, end = self._tags.split(content, is_truncated=is_truncated)
        if end < len(content) and not is_truncated:
            raise ArgumentsError("there is text where a parameter should be")
        self._given = {self._values.read_key(parameter.key) for parameter in parameters}
        for parameter in parameters:
            if parameter.is_closed or not is_truncated:
                self._read_parameter(parameter)
            elif self._is_growing:
                self._show(parameter)

    def _read_parameter(self, parameter: Parameter) -> None:
        key, text = self._values.read_key(parameter.key), parameter.value
        has_closer = self._tags.has_closer(text)
        if not parameter.is_closed:
            if has_closer:
                raise ArgumentsError(f"{key} is closed, but neither a parameter nor the end of the call follows")
            self.is_repaired = True
        attributes, start = parameter.attributes, 0
        for opener in [] if has_closer or parameter.is_quoted else self._tags.find_openers(text):
            name = self._values.read_key(opener["key"])
            if name not in self._given and self._is_declared(name):
                self._give(key, text[start : opener.start()], attributes, is_quoted=False)
                self.is_repaired = True
                self._given.add(name)
                key, attributes, start = name, opener.groupdict().get("attributes") or "", opener.end()
        self._give(key, text[start:], attributes, is_quoted=parameter.is_quoted)

    def _show(self, parameter: Parameter) -> None:
        """What is certain of a parameter that has no end yet; one that is given twice is not shown."""
        key, text = self._values.read_key(parameter.key), parameter.value
        text = text[: self._tags.find_half(text, is_quoted=parameter.is_quoted)]
        if not parameter.is_quoted and not self._tags.has_closer(text):
            for opener in self._tags.find_openers(text):
                name = self._values.read_key(opener["key"])
                if name not in self._given and self._is_declared(name):
                    text = text[: opener.start()]  # if it is never closed, it ends here
                    break
        text = self._values.read_growing(text, is_quoted=parameter.is_quoted)
        is_string = self._values.is_string(parameter.attributes)
        if is_string is None:
            is_string = self._values.stays_string(text, self._signature.schema.property_of(key))
        if is_string and key not in self.arguments:
            self.arguments[key] = text

    def _is_declared(self, name: str) -> bool:
        spec = self._signature.spec
        return spec is not None and name in spec.parameter_names

    def _give(self, key: str, text: str, attributes: str, *, is_quoted: bool) -> None:
        text = self._values.read_text(text, is_quoted=is_quoted)
        value = self._decode(key, text, self._values.is_string(attributes))
        if key in self.arguments and not is_same(self.arguments[key], value):
            raise ArgumentsError(f"{key} is given twice")
        self.arguments[key] = value

    def _decode(self, key: str, text: str, is_string: bool | None) -> Any:
        if is_string:
            return text
        limits, schema = self._signature.limits, self._signature.schema.property_of(key)
        if is_string is False or (self._values.has_json and not schema.types):
            try:
                return read_json(text, limits.max_depth)
            except TooDeepError:
                raise ArgumentsError(f"{key} is nested too deeply") from None
            except JsonTextError:  # then it is what the schema makes of it
                pass
        value = decode_text(key, text, schema, limits)
        if self._values.has_literals and isinstance(value, str) and schema.types - {"string"}:
            value = _read_literal(text, schema, limits.max_depth)
        if is_string is False and isinstance(value, str) and "string" not in schema.types:
            raise ArgumentsError(f"{key} is marked as JSON, but it cannot be read as that")
        return value


def _read_literal(text: str, schema: Schema, max_depth: int) -> Any:
    """None, a list or a dict, where the schema has a place for it. A number is one only as JSON writes it."""
    if text.lstrip(BLANK_CHARACTERS)[:1] not in _BEFORE_LITERALS:
        return text
    value = read_python(text, max_depth)
    return value if _LITERALS.get(type(value)) in schema.types else text
