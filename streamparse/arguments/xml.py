"""Arguments written as tags.

    <arg name="query">cats &amp; dogs</arg>         {"query": "cats & dogs",
    <arg name="tags"><item>a</item></arg>            "tags": ["a"],
    <limit>5</limit>                                 "limit": "5", or 5 if the schema says integer
    <near><lat>1</lat><lon>2</lon></near>            "near": {"lat": "1", "lon": "2"},
    <code>vector<int> v;</code>                      "code": "vector<int> v;"}

What models write is not XML, so nothing here is an XML parser: a value is a text up to the closer that fits, and has
parts only if it consists of nothing but tags. In an `<arg>` these are `<arg name="…">` and `<item>`, in a tag of the
argument's own name they are any; where there is a schema, it decides. Strings are verbatim, entities decoded once.

Every tag is looked at a fixed number of times, and nothing recurses: O(n), whatever is nested in what.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from attrs import define, field, frozen

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, decode_text
from streamparse.arguments.schema import ANY, Schema, TooDeepError
from streamparse.config import Limits
from streamparse.core.entities import decode_entities
from streamparse.core.markers import skip_blanks
from streamparse.core.tag_lexer import TagLexer

_BLANKS = " \t\r\n"
#: The beginning of a tag (1 the slash of a closer, 2 its name) or of a comment.
_TAG = re.compile(r"<(?:(/?)([A-Za-z_][A-Za-z0-9_.:-]{0,255}+)(?=[ \t\r\n/>])|!--)")
_ARG_TAG = re.compile(r"<(/?)(arg)(?=[ \t\r\n/>])", re.IGNORECASE)
_NEXT_ARG = re.compile(r"<arg[ \t\r\n]++name[ \t\r\n]*+=", re.IGNORECASE)
_CLOSER_REST = re.compile(r"[ \t\r\n]*+>")
#: Direct tags that are arguments of every tool.
_KNOWN = frozenset({"path", "content", "patch", "command"})


@frozen
class _Tag:
    """An opening tag."""

    name: str  # in lower case
    key: str  # the name of the argument: that of the tag, or what its `name="…"` says
    end: int
    is_arg: bool
    is_empty: bool = False
    has_attributes: bool = False  # other than the name, and those that declare a namespace


def _read_tag(text: str, head: re.Match[str], max_tag: int) -> _Tag | None:
    """The opening tag that begins at `head`, or None if it is none."""
    name, pos = head[2].lower(), head.end()
    is_arg = name == "arg"
    if text[pos] == ">":
        return None if is_arg else _Tag(name, head[2], pos + 1, is_arg)
    lexer = TagLexer(("name",) if is_arg else (), max_tag - len(head[0]), allow_angle=False)
    end = lexer.read(text, pos, len(text))
    if not lexer.is_done:
        return None
    others = [other for other in lexer.attributes if not (is_arg and other == "name") and not other.startswith("xmlns")]
    key = lexer.attributes["name"] if is_arg else head[2]
    return _Tag(name, key, end, is_arg, lexer.is_empty, bool(others))


def _closer_end(text: str, head: re.Match[str]) -> int:
    """Behind the closing tag that begins at `head`, or -1 if it is none."""
    match = _CLOSER_REST.match(text, head.end())
    return match.end() if match else -1


def _comment_end(text: str, start: int) -> int:
    """Behind the comment that begins before `start`, or -1 if it does not end: then no later one does, either."""
    end = text.find("-->", start)
    return end + len("-->") if end >= 0 else -1


def _is_same(one: Any, two: Any) -> bool:
    try:
        return bool(one == two)
    except RecursionError:  # deeper than Python compares: let no one say that they are
        return False


# -- calls ------------------------------------------------------------------------------------------------------------


class _CallReader:
    """Reads one argument after the other. What stands between them means nothing."""

    def __init__(self, text: str, schema: Schema, limits: Limits, is_truncated: bool) -> None:
        self._text = text
        self._schema = schema
        self._limits = limits
        self._is_truncated = is_truncated
        self._known = _KNOWN | schema.names
        self._arguments: dict[str, Any] = {}
        self._is_repaired = False
        #: Whether closers must fit. A search for one that did not find it went to the end of the text; it is not
        #: repeated: from then on the first closer counts.
        self._is_strict = True
        self._has_text = False  # between arguments

    def read(self) -> DecodedCall:
        text, pos, behind = self._text, 0, 0
        has_comments = True
        while (head := _TAG.search(text, pos)) is not None:
            start, pos = head.span()
            if head[2] is None:
                end = _comment_end(text, pos) if has_comments else -1
                has_comments = end >= 0
            elif head[1]:
                end = _closer_end(text, head) if head[2].lower() == "arguments" else -1
            else:
                tag = _read_tag(text, head, self._limits.max_tag)
                end = self._read_argument(tag) if tag else -1
            if end > pos:
                self._note_text(behind, start)
                pos = behind = end
        self._note_text(behind, len(text))
        if self._has_text and not self._arguments and not self._is_truncated:
            raise ArgumentsError("no arguments were found in the text of the call")
        return DecodedCall(self._arguments, self._is_repaired)

    def _note_text(self, start: int, end: int) -> None:
        self._has_text = self._has_text or bool(self._text[start:end].strip(_BLANKS))

    def _read_argument(self, tag: _Tag) -> int:
        """Read the argument that `tag` begins; where it ends."""
        if tag.name == "arguments":
            return tag.end
        name = tag.key if tag.is_arg else self._schema.spell(tag.key)
        if tag.is_empty:
            self._give(name, "", tag)
            return tag.end
        start, end = self._find_closer(tag)
        if start < 0:
            start = end = len(self._text)
            if self._is_truncated:
                return end
            if self._has_argument_behind(tag):
                raise ArgumentsError(f"{name} is not closed")
            self._is_repaired = True
        self._give(name, self._text[tag.end : start], tag)
        return end

    def _give(self, name: str, raw: str, tag: _Tag) -> None:
        value = _decode_value(name, raw, self._schema.property(name), self._limits, is_direct=not tag.is_arg)
        if name in self._arguments and not _is_same(self._arguments[name], value):
            raise ArgumentsError(f"{name} is given twice")
        self._arguments[name] = value

    # -- where an argument ends ---------------------------------------------------------------------------------------

    def _find_closer(self, tag: _Tag) -> tuple[int, int]:
        """Begin and end of the closer of the argument, -1 if there is none."""
        if self._is_strict and (tag.is_arg or tag.name in self._known):
            found = self._find_balanced(tag, is_strict=True)
            if found[0] >= 0:
                return found
            self._is_strict = False
        return self._find_balanced(tag, is_strict=False)

    def _find_balanced(self, tag: _Tag, *, is_strict: bool) -> tuple[int, int]:
        """The first closer at which no tag of the same name is open inside; if `is_strict`, one that fits."""
        text, depth = self._text, 0
        for head in (_ARG_TAG if tag.is_arg else _TAG).finditer(text, tag.end):
            if head[2] is None or head[2].lower() != tag.name:
                continue
            if not head[1]:
                inner = _read_tag(text, head, self._limits.max_tag)
                depth += inner is not None and not inner.is_empty
                continue
            end = _closer_end(text, head)
            if end < 0:
                continue
            if depth:
                depth -= 1
            elif not is_strict or self._fits(tag, end):
                return head.start(), end
        return -1, -1

    def _fits(self, tag: _Tag, end: int) -> bool:
        """Whether the next argument, `</arguments>` or the end follows the closer that ends at `end`."""
        text = self._text
        end = skip_blanks(text, end)
        head = _TAG.match(text, end)
        if head is None or head[2] is None:
            return end == len(text)
        if head[1]:
            return head[2].lower() == "arguments"
        return bool(_NEXT_ARG.match(text, end)) if tag.is_arg else head[2].lower() in self._known

    def _has_argument_behind(self, tag: _Tag) -> bool:
        """Whether another argument may begin behind `tag`, which is not closed: then no one knows where it ends."""
        if _NEXT_ARG.search(self._text, tag.end):
            return True
        names = [head[2].lower() for head in _TAG.finditer(self._text, tag.end) if head[2] and not head[1]]
        return not tag.is_arg and any(name in self._known or not self._schema.names for name in names)


# -- values -----------------------------------------------------------------------------------------------------------


def _decode_value(name: str, raw: str, schema: Schema, limits: Limits, *, is_direct: bool) -> Any:
    if "<" not in raw or schema.is_text:
        return decode_text(name, decode_entities(raw), schema, limits)
    try:
        root = _Part("", "", False, 0, schema, is_direct or schema.may_nest, len(raw))
        _read_parts(raw, root, limits.max_tag)
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
    items: bool | None = None  # its parts are: True items, False properties, None text
    value: Any = None

    def __attrs_post_init__(self) -> None:
        self.behind = self.start

    def check_gap(self, text: str, end: int) -> None:
        """Notice text between the last part and `end`."""
        if self.is_clean and text[self.behind : end].strip(_BLANKS):
            self.is_clean = False

    def open(self, tag: _Tag) -> _Part:
        """A part that begins with `tag`."""
        # In which kind of object it is will be known when all of them are there; what matters now is true of any.
        schema = self.schema.property(tag.key) if self.schema.types else ANY
        if not tag.is_arg and self.schema.takes_items(are_items=tag.name == "item"):
            schema = self.schema.item(len(self.parts))
        takes_all = (self.takes_all and not tag.is_arg) or schema.may_nest
        return _Part(tag.name, tag.key, tag.is_arg, tag.end, schema, takes_all)


def _read_parts(text: str, root: _Part, max_tag: int) -> None:
    """Find the parts of `root`, and their parts: pairs of tags. A tag without its pair makes what is around it text."""
    stack = [root]
    open_parts: dict[str, list[int]] = {}  # where on the stack the open ones of a name are
    pos = 0
    has_comments = True
    while (head := _TAG.search(text, pos)) is not None:
        top = stack[-1]
        start, pos = head.span()
        if head[2] is None:
            top.check_gap(text, start)
            if has_comments and top.is_clean:
                end = _comment_end(text, pos)
                has_comments = end >= 0
                if has_comments:
                    pos = top.behind = end
            continue
        name = head[2].lower()
        if not top.takes_all and name not in ("arg", "item"):
            continue
        if head[1]:
            end = _closer_end(text, head)
            if end < 0:
                continue
            pos = end
            if not open_parts.get(name):
                top.is_clean = False
                continue
            for part in stack[: open_parts[name][-1] : -1]:
                open_parts[part.tag].pop()
            del stack[open_parts[name].pop() + 1 :]
            part = stack.pop()
            part.is_clean = part.is_clean and part is top
            part.end = start
            part.check_gap(text, start)
            stack[-1].parts.append(part)
            stack[-1].behind = end
            continue
        tag = _read_tag(text, head, max_tag)
        if tag is None:
            continue
        pos = tag.end
        top.check_gap(text, start)
        top.has_attributes = top.has_attributes or tag.has_attributes
        part = top.open(tag)
        if tag.is_empty:
            part.end = top.behind = tag.end
            top.parts.append(part)
        else:
            open_parts.setdefault(name, []).append(len(stack))
            stack.append(part)
    root.is_clean = root.is_clean and stack == [root]
    root.check_gap(text, root.end)


def _build(text: str, root: _Part, max_depth: int) -> Any:
    """The value of `root`: first from the outside in, what everything is; then from the inside out, its value."""
    order = [root]
    for part in order:
        _classify(text, part)
        if part.items is None:
            continue
        if part.depth == max_depth:
            raise TooDeepError
        for inner in part.parts:
            inner.depth = part.depth + 1
        order += part.parts
    for part in reversed(order):
        if part.items is None:
            part.value = part.schema.read(decode_entities(text[part.start : part.end]), max_depth)
        elif part.items:
            part.value = [inner.value for inner in part.parts]
        else:
            part.value = _join(part.parts)
        part.parts.clear()
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
            part.items = are_items
    elif schema.takes_items(are_items=are_items):
        part.items = True
        for index, inner in enumerate(part.parts):
            inner.schema = schema.item(index)
    elif "object" in schema.types:
        _classify_object(text, part)


def _classify_object(text: str, part: _Part) -> None:
    for inner in part.parts:
        inner.key = part.schema.spell(inner.key)
    by_name = {inner.key: inner for inner in part.parts}

    def text_of(name: str) -> str | None:
        return decode_entities(text[by_name[name].start : by_name[name].end]) if name in by_name else None

    schema = part.schema.narrow(by_name, text_of)
    if schema is None:
        return
    part.items = False
    counts = Counter(inner.key for inner in part.parts)
    for inner in part.parts:
        inner.schema = schema.property(inner.key)
        if counts[inner.key] > 1 and "array" in inner.schema.types:
            inner.schema = inner.schema.item(0)


def _join(parts: list[_Part]) -> dict[str, Any]:
    """An object of its properties. A tag that comes several times is how models write a list."""
    joined: dict[str, Any] = {}
    repeated: set[str] = set()
    for part in parts:
        if part.key not in joined:
            joined[part.key] = part.value
        elif part.is_named:
            if not _is_same(joined[part.key], part.value):
                raise ArgumentsError(f"{part.key} is given twice")
        elif part.key in repeated:
            joined[part.key].append(part.value)
        else:
            repeated.add(part.key)
            joined[part.key] = [joined[part.key], part.value]
    return joined


class XmlArguments(ArgumentDecoder):
    """The decoder of the xml format."""

    def decode_call(self, content: str, schema: Schema, limits: Limits, *, is_truncated: bool) -> DecodedCall:
        """As `<arg name="…">` or direct tags, inside `<arguments>` or not."""
        return _CallReader(content, schema, limits, is_truncated).read()

    def decode_value(self, name: str, raw: str, schema: Schema, limits: Limits, *, is_direct: bool) -> Any:
        """What stands between the tags of one argument."""
        return _decode_value(name, raw, schema, limits, is_direct=is_direct)


XML_ARGUMENTS = XmlArguments()
