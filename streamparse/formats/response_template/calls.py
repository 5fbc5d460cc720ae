"""The calls of a response template: which family reads them, and what they look like there.

    "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}

The transform says where name, arguments and id of a call are: in a named group of the pattern that opens it, or in the
object that its content is. That, and what kind of content it is, chooses the family.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import frozen

from streamparse.arguments import ArgumentDecoder
from streamparse.core.markers import BLANK_CHARACTERS, BLANKS, SOME_BLANKS, Atom, Marker
from streamparse.core.state import BaseState
from streamparse.families.calls.grammar import Calls, Capture, Section, id_like, name_like
from streamparse.families.calls.key_lines import KeyLines
from streamparse.families.calls.raw_state import RawCallState
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.json.plain_text import INPUT_ARGUMENTS
from streamparse.families.literals.decoder import LiteralArguments
from streamparse.families.literals.gemma import GEMMA, GemmaReader
from streamparse.families.literals.grammar import Literals
from streamparse.families.literals.state import LiteralCallState
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import Tags, key_like, marker
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.values import Values
from streamparse.formats.response_template.field import Field
from streamparse.formats.response_template.pattern import Parts, read_pattern

#: Calls as they are read, and what reads their arguments.
Made: TypeAlias = tuple[tuple[Calls, ...], ArgumentDecoder]

_PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+)*)\}")
#: The value in the pattern of a tag, and blanks around it.
_VALUE = re.compile(r"(\\s\*)?\(\?P<value>[^()]*\)(?:\\s\*)?")
_CONTENT = "content"


def calls_of(field: Field) -> Made:
    """The calls in `field`. Raises ValueError for what no family reads."""
    places = _Places.of(field)
    if places.name.startswith(f"{_CONTENT}."):
        return _objects(field, places)
    if places.arguments != _CONTENT:
        raise field.error(f"the arguments of a call whose name is a group must be '{{content}}': {places.arguments!r}")
    heads = _heads(field, places)
    match field.content:
        case "json" if field.args.get("unquoted_keys") or field.args.get("string_delims"):
            return _literals(field, heads)
        case "json":
            return _each(JsonArgumentsState, field, heads), JSON_ARGUMENTS
        case "xml-inline":
            return _tagged(field, heads)
        case "kv-lines":
            lines = KeyLines(_separator(field, "line_sep", "\n"), _separator(field, "kv_sep", ":"))
            return _each(RawCallState, field, heads, begins=("",)), lines
        case "text":
            return _each(RawCallState, field, heads, begins=("",)), INPUT_ARGUMENTS
    raise field.error(f"calls whose content is {field.content!r} are not known here")


@frozen
class _Places:
    """Where name, arguments and id of a call are: a group, `content`, or a key of it (`content.name`)."""

    name: str
    arguments: str
    id: str | None

    @classmethod
    def of(cls, field: Field) -> _Places:
        """As the transform says."""
        transform = field.transform
        function = transform.get("function") if isinstance(transform, Mapping) else None
        if isinstance(transform, Mapping) and function == "{content}":
            return cls("content.name", "content.arguments", "content.id")
        if not isinstance(transform, Mapping) or not isinstance(function, Mapping):
            raise field.error("a transform must say what the function of a call is, as in {'function': '{content}'}")
        name, arguments, call_id = (
            _path(text) for text in (function.get("name"), function.get("arguments"), transform.get("id"))
        )
        if name is None or arguments is None:
            raise field.error("its transform does not say what the name and the arguments of a call are")
        before = f"{_CONTENT}." if field.is_list else ""
        return cls(f"{before}{name}", f"{before}{arguments}", call_id and f"{before}{call_id}")


def _path(placeholder: object) -> str | None:
    match = _PLACEHOLDER.fullmatch(placeholder) if isinstance(placeholder, str) else None
    return match[1] if match else None


def _heads(field: Field, places: _Places) -> list[Parts]:
    """The ways in which a call begins, each with its name. Blanks are free between the parts, so there are none."""

    def as_capture(group: str, pattern: str) -> Atom:
        if group == places.name:
            return name_like(pattern)
        return id_like(pattern) if group == places.id else Atom(pattern)

    heads = [_without_blanks(way) for way in field.opens(as_capture)]
    if not heads or not all(any(_is_name(part) for part in head) for head in heads):
        raise field.error(f"what opens a call does not have the group {places.name!r}, which is its name")
    return heads


def _is_name(part: str) -> bool:
    return isinstance(part, Capture) and part.group == "name"


def _without_blanks(way: Parts) -> Parts:
    """The parts of a head: atoms for blanks go, and the blanks at both ends of texts."""
    parts = (part if isinstance(part, Atom) else part.strip(BLANK_CHARACTERS) for part in way)
    return tuple(part for part in parts if part and part not in (BLANKS, SOME_BLANKS))


def _closers(field: Field) -> tuple[Marker, ...]:
    """What stands behind a call, one behind the other; each may be missing."""
    if len(field.closes) > 1:
        return tuple(marker(*way) for way in field.closes)
    return tuple(marker(part) for way in field.closes for part in _without_blanks(way))


def _each(state: type[BaseState], field: Field, heads: list[Parts], **more: Any) -> tuple[Calls, ...]:
    """One declaration for each way in which a call begins."""
    tail = _closers(field)
    return tuple(Calls(state, head=head, tail=tail, **more) for head in heads)


def _objects(field: Field, places: _Places) -> Made:
    """Objects with name and arguments, one or a list of them."""
    if field.content != "json" or field.args.get("unquoted_keys") or field.args.get("string_delims"):
        raise field.error("calls with their names inside must be plain JSON")
    if not places.arguments.startswith(f"{_CONTENT}."):
        raise field.error(f"the arguments {places.arguments!r} are not in the object that has the name")
    name, arguments, *ids = (
        path.removeprefix(f"{_CONTENT}.") for path in (places.name, places.arguments, places.id) if path is not None
    )
    keys = JsonKeys(names=(name,), arguments=(arguments,), ids=tuple(ids) or ("id",))
    tail = _closers(field)
    sections = [Section(_without_blanks(way), tail, (",", ";")) for way in field.opens()]
    if field.is_list:
        sections = [Section((*section.open, "["), ("]", *tail), (",",)) for section in sections]
    if not sections:
        raise field.error("nothing opens a call")
    return (Calls(JsonObjectCallState, sections=tuple(sections), is_bare=False, options=keys),), JSON_ARGUMENTS


def _separator(field: Field, key: str, usual: str) -> str:
    separator = field.args.get(key, usual)
    if not isinstance(separator, str) or not separator:
        raise field.error(f"{key!r} must be a string that is not empty")
    return separator


def _literals(field: Field, heads: list[Parts]) -> Made:
    """The language of Gemma, with the quotes that the template names."""
    pairs = field.args.get("string_delims") or []
    if not isinstance(pairs, list) or not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise field.error("'string_delims' must be a list of pairs")
    if not all(isinstance(quote, str) and quote for pair in pairs for quote in pair):
        raise field.error("the quotes of strings must be strings that are not empty")
    if any(opening != closing for opening, closing in pairs):
        raise field.error("strings must end with the quote that they begin with")
    quotes = tuple(opening for opening, _ in pairs)
    grammar = Literals(
        GEMMA.brackets, quotes, GEMMA.nested, plain_quotes=GEMMA.plain_quotes, plain_escapes=GEMMA.plain_escapes
    )
    reader = type("TemplateReader", (GemmaReader,), {"literals": grammar})
    return _each(LiteralCallState, field, heads, options=grammar), LiteralArguments(reader)


def _tagged(field: Field, heads: list[Parts]) -> Made:
    """Parameters in tags; the pattern of a tag has a key, and a value behind it."""
    pattern = field.args.get("tag_pattern")
    value = _VALUE.search(pattern) if isinstance(pattern, str) else None
    if value is None or not isinstance(pattern, str):
        raise field.error("its tag_pattern has no group 'value'")
    opens = tuple(marker(*way) for way in read_pattern(pattern[: value.start()], _as_key))
    closes = [marker(*way) for way in read_pattern(pattern[value.end() :], _as_key)]
    if (
        len(closes) != 1
        or not closes[0]
        or not all(any(isinstance(part, Capture) for part in opener) for opener in opens)
    ):
        raise field.error("its tag_pattern must have a group 'key' before the value, and one closer behind it")
    if not field.closes:
        raise field.error("nothing closes a call")
    end, *outer = _closers(field)
    as_json = (field.args.get("value_parser") or {}).get("name") == "json"
    values = Values(breaks="always" if value[1] else "none", has_json=as_json)
    grammars = [Tags(head=head, open=opens, close=closes[0], end=end, outer=tuple(outer)) for head in heads]
    calls = tuple(
        Calls(TaggedCallState, head=tags.head, tail=(end, *outer), begins=("",), options=tags) for tags in grammars
    )
    return calls, TaggedArguments(grammars[0], values)


def _as_key(group: str, pattern: str) -> Atom:
    """No key holds a `<`: that could be the end of the call, which must never be shown."""
    return key_like(pattern.replace("(?:", "(?:(?!<)", 1)) if group == "key" else Atom(pattern)
