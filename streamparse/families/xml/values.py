"""The value of an argument written as a tag: a text, or parts.

    cats &amp; dogs                            "cats & dogs"
    <item>a</item><item>b</item>               ["a", "b"]
    <lat>1</lat><lon>2</lon>                   {"lat": "1", "lon": "2"}
    <b>bold</b> and plain                      "<b>bold</b> and plain"
    cats &amp; do</que                         "cats & do", while it is written
    <lat>1</lat>                               nothing, while it is written: an object, or a text?

A value has parts if it consists of nothing but pairs of tags, blanks and comments. In an `<arg>` parts are
`<arg name="…">` and `<item>`, in a tag of the argument's own name they are any; where there is a schema, it decides.

First the parts are found, then from the outside in it is decided what each is, then from the inside out its value is
built. Nothing recurses, every tag is looked at once: O(n), whatever is nested in what.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from typing import Any, Literal

from attrs import define, field

from streamparse.arguments.decoder import ArgumentsError, decode_text, is_same
from streamparse.arguments.json_text import TooDeepError
from streamparse.arguments.schema import ANY, Schema
from streamparse.config import Limits
from streamparse.core.entities import XML_ENTITIES, decode_entities
from streamparse.core.markers import (
    BLANK_CHARACTERS,
    close_tag,
    compile_markers,
    open_tag,
    skip_blanks,
)
from streamparse.families.xml.grammar import ARG, CLOSE, COMMENT, OPEN, PARTS, TAG
from streamparse.families.xml.lexer import TagLexer


def decode_value(name: str, raw: str, schema: Schema, limits: Limits, *, is_direct: bool) -> Any:
    """The value of the argument `name`; `is_direct`: it stood in a tag of its own name."""
    if "<" not in raw or schema.is_text:
        return decode_text(name, decode_entities(raw), schema, limits)
    try:
        root = _Part(
            "", name, is_named=False, start=0, schema=schema, takes_all=is_direct or schema.may_nest, end=len(raw)
        )
        _PartReader(raw, root, limits.max_tag).read()
        return _build(raw, root, limits.max_depth)
    except TooDeepError:
        raise ArgumentsError(f"{name} is nested too deeply") from None


@define(eq=False)
class _Part:
    """A value, or a part of one: from one tag to its closer."""

    tag: str
    key: str
    is_named: bool  # by `<arg name="…">`
    start: int
    schema: Schema
    takes_all: bool  # whether any tag in it is a part; else `<arg name="…">` and `<item>` only
    end: int = -1
    behind: int = field(init=False)  # the last part in it
    depth: int = 0
    parts: list[_Part] = field(factory=list)
    is_clean: bool = True  # nothing but parts, blanks and comments
    has_attributes: bool = False  # a part has, which would be lost
    shape: Literal["text", "items", "properties"] = "text"
    value: Any = None

    def __attrs_post_init__(self) -> None:
        self.behind = self.start

    def check_gap(self, text: str, end: int) -> None:
        """Notice text between the last part and `end`."""
        if self.is_clean and text[self.behind : end].strip(BLANK_CHARACTERS):
            self.is_clean = False

    def open(self, tag: str, key: str, start: int) -> _Part:
        """A part that begins with `<tag>`, or with `<arg name="key">`."""
        # In which kind of object it is will be known when all of them are there; what matters now is true of any.
        is_arg = tag == "arg"
        schema = self.schema.property_of(key) if self.schema.types else ANY
        if not is_arg and self.schema.takes_items(are_items=tag == "item"):
            schema = self.schema.item_of(len(self.parts))
        takes_all = (self.takes_all and not is_arg) or schema.may_nest
        return _Part(tag, key, is_arg, start, schema, takes_all)


class _PartReader:
    """Finds the parts of a value, and their parts: pairs of tags. One without its pair makes what is around it text."""

    def __init__(self, text: str, root: _Part, max_tag: int) -> None:
        self._text = text
        self._max_tag = max_tag
        self._stack = [root]
        self._open_parts: dict[str, list[int]] = {}  # where on the stack the open ones of a name are
        self._pos = 0
        self._has_comments = True

    def read(self) -> None:
        root = self._stack[0]
        while (match := PARTS.final.search(self._text, self._pos)) is not None:
            kind = PARTS.kinds[match.lastindex or 0]
            self._pos = match.end()
            if kind == COMMENT:
                self._skip_comment(match.start())
                continue
            written = "arg" if kind == ARG else match[0].strip("</> \t\r\n")
            tag = written.lower()
            if not self._stack[-1].takes_all and tag not in ("arg", "item"):
                continue
            if kind == CLOSE:
                self._close(tag, match)
            elif kind == OPEN:
                self._read_tag(written, match)
            elif kind == TAG and tag != "arg":
                self._open(tag, written, match.start())
            elif kind == ARG and len(match[0]) <= self._max_tag:
                self._open(tag, match[0][len('<arg name="') : -2], match.start())
        root.is_clean = root.is_clean and len(self._stack) == 1
        root.check_gap(self._text, root.end)

    def _skip_comment(self, start: int) -> None:
        """Between parts a comment is nothing; in a text it is text. If one does not end, no later one does, either."""
        top = self._stack[-1]
        top.check_gap(self._text, start)
        if self._has_comments and top.is_clean:
            end = self._text.find("-->", self._pos)
            self._has_comments = end >= 0
            if end >= 0:
                self._pos = top.behind = end + len("-->")

    def _read_tag(self, name: str, head: re.Match[str]) -> None:
        """The rest of an opening tag, as the states read it; `<arg>` needs a name."""
        tag = name.lower()
        required = ("name",) if tag == "arg" else ()
        lexer = TagLexer(required, self._max_tag - len(head[0]), allow_angle=False)
        end = lexer.read(self._text, self._pos, len(self._text))
        if lexer.is_done:
            self._pos = end
            others = [other for other in lexer.attributes if other not in required and not other.startswith("xmlns")]
            top = self._stack[-1]
            top.has_attributes = top.has_attributes or bool(others)
            self._open(tag, lexer.attributes["name"] if required else name, head.start(), is_empty=lexer.is_empty)

    def _open(self, tag: str, key: str, start: int, *, is_empty: bool = False) -> None:
        top = self._stack[-1]
        top.check_gap(self._text, start)
        part = top.open(tag, key, self._pos)
        if is_empty:
            part.end = top.behind = self._pos
            top.parts.append(part)
        else:
            self._open_parts.setdefault(tag, []).append(len(self._stack))
            self._stack.append(part)

    def _close(self, tag: str, closer: re.Match[str]) -> None:
        stack, positions = self._stack, self._open_parts.get(tag)
        if not positions:
            stack[-1].is_clean = False
            return
        position = positions.pop()
        part = stack[position]
        part.is_clean = part.is_clean and part is stack[-1]
        for unclosed in stack[:position:-1]:
            self._open_parts[unclosed.tag].pop()
        del stack[position:]
        part.end = closer.start()
        part.check_gap(self._text, part.end)
        stack[-1].parts.append(part)
        stack[-1].behind = closer.end()


def _build(text: str, root: _Part, max_depth: int) -> Any:
    """The value of `root`: first from the outside in, what everything is; then from the inside out, its value."""
    order = [root]
    for part in order:
        _classify(text, part)
        if part.shape == "text":
            continue
        if part.depth == max_depth:
            raise TooDeepError
        for inner in part.parts:
            inner.depth = part.depth + 1
        order += part.parts
    for part in reversed(order):
        if part.shape == "text":
            part.value = part.schema.read(decode_entities(text[part.start : part.end]), max_depth)
        elif part.shape == "items":
            part.value = [inner.value for inner in part.parts]
        else:
            part.value = _join(part.parts)
    return root.value


def _classify(text: str, part: _Part) -> None:
    """Say whether `part` has items, properties or only text, and what the schemas of its parts are."""
    if not part.parts or not part.is_clean:
        return
    schema = part.schema
    are_items = all(inner.tag == "item" for inner in part.parts)
    are_named = all(inner.is_named for inner in part.parts)
    if not schema.types:
        if not part.has_attributes and (part.takes_all or are_items or are_named):
            part.shape = "items" if are_items else "properties"
    elif schema.takes_items(are_items=are_items):
        part.shape = "items"
        for index, inner in enumerate(part.parts):
            inner.schema = schema.item_of(index)
    elif "object" in schema.types:
        _classify_object(text, part)


def _classify_object(text: str, part: _Part) -> None:
    for inner in part.parts:
        if not inner.is_named:
            inner.key = part.schema.spell(inner.key)
    by_name = {inner.key: inner for inner in part.parts}

    @cache
    def text_of(name: str) -> str | None:
        return decode_entities(text[by_name[name].start : by_name[name].end]) if name in by_name else None

    schema = part.schema.narrow(by_name, text_of)
    if schema is None:
        return
    part.shape = "properties"
    counts = Counter(inner.key for inner in part.parts)
    for inner in part.parts:
        inner.schema = schema.property_of(inner.key)
        if counts[inner.key] > 1 and "array" in inner.schema.types:
            inner.schema = inner.schema.item_of(0)


def _join(parts: list[_Part]) -> dict[str, Any]:
    """An object of its properties. A tag that comes several times is how models write a list."""
    joined: dict[str, Any] = {}
    repeated: set[str] = set()
    for part in parts:
        if part.key not in joined:
            joined[part.key] = part.value
        elif part.is_named:
            if not is_same(joined[part.key], part.value):
                raise ArgumentsError(f"{part.key} is given twice")
        elif part.key in repeated:
            joined[part.key].append(part.value)
        else:
            repeated.add(part.key)
            joined[part.key] = [joined[part.key], part.value]
    return joined


# -- a value whose closer has not come yet ----------------------------------------------------------------------------

#: What may begin a value with parts: in a tag of the argument's own name any tag, in an `<arg>` these.
_ANY_PART = re.compile(r"<(?:[A-Za-z_!]|\Z)")
_ARG_PART = compile_markers({"part": [open_tag("item"), open_tag("arg"), ("<!--",)]}).pattern


@lru_cache(maxsize=256)
def _held_in(tag: str) -> re.Pattern[str]:
    """What the reader holds in a value that stands in `tag`: it may end the value or the call, or be nested in it."""
    ends = [close_tag(tag), close_tag("tool"), close_tag("arguments")]
    return compile_markers({"held": [*ends, open_tag(tag), open_tag("arg")]}).pattern


class GrowingText:
    """A text that goes on, until `</tag>` closes it.

    It is shown as it grows, without what may be a piece of its closer or of an entity. All else is shown when it is
    complete, and so is what may still turn out to be something else than a text.
    """

    def __init__(self, tag: str, schema: Schema) -> None:
        self._held = _held_in(tag)
        self._schema = schema
        self._parts = _ARG_PART if tag == "arg" and not schema.may_nest else _ANY_PART
        self._is_text = False  # whatever follows
        self._decoded = ""  # what the first characters mean …
        self._count = 0  # … and how many these are

    def read(self, text: str, settled: int, *, is_cut: bool) -> str | None:
        """What is certain of `text`, of which so many characters are `settled`; None if nothing is."""
        end = len(text) if is_cut else self._find_end(text, settled)
        self._is_text = self._is_text or self._stays_text(text[:end])
        if not self._is_text:
            return None
        value = self._decoded + XML_ENTITIES.decode(text[self._count : end])
        if end <= settled:
            self._decoded, self._count = value, end
        return value

    def _find_end(self, text: str, settled: int) -> int:
        is_held = settled < len(text) and self._held.match(text, settled)
        return XML_ENTITIES.certain(text[:settled] if is_held else text)

    def _stays_text(self, text: str) -> bool:
        schema = self._schema
        if not schema.types or schema.may_nest:
            first = skip_blanks(text, 0)
            if first == len(text) or self._parts.match(text, first):
                return False
        return schema.stays_string(XML_ENTITIES.decode(text))
