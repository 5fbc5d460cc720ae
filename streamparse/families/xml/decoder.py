"""Arguments written as tags.

    <arg name="query">cats &amp; dogs</arg>         {"query": "cats & dogs",
    <arg name="tags"><item>a</item></arg>            "tags": ["a"],
    <limit>5</limit>                                 "limit": "5", or 5 if the schema says integer
    <near><lat>1</lat><lon>2</lon></near>            "near": {"lat": "1", "lon": "2"},
    <code>vector<int> v;</code>                      "code": "vector<int> v;"}

What models write is not XML, so nothing here is an XML parser: an argument is a text up to the closer that fits, which
is the rule of the states that stream them. What is in it is the matter of `xml_value.py`.

A closer fits if the next argument, `</arguments>` or the end follows. If none does, the first one counts; if there is
none at all, the argument is the rest of the call, provided that no other one begins there.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, decode_text, is_same
from streamparse.arguments.step import is_repeatable
from streamparse.core.markers import BLANK_CHARACTERS, skip_blanks
from streamparse.families.xml.growing import growing_text
from streamparse.families.xml.tags import DIRECT_NAMES, TAG, Tag, closer_end, comment_end, read_tag
from streamparse.families.xml.values import decode_value

_ARG_TAG = re.compile(r"<(/?)(arg)(?=[ \t\r\n/>])", re.IGNORECASE)
_NEXT_ARG = re.compile(r"<arg[ \t\r\n]++name[ \t\r\n]*+=", re.IGNORECASE)


class _CallReader:
    """Reads one argument after the other. What stands between them means nothing."""

    def __init__(self, text: str, signature: Signature, *, is_truncated: bool, is_growing: bool = False) -> None:
        self._text = text
        self._schema = signature.schema
        self._is_in_plan = signature.is_in_plan
        self._limits = signature.limits
        self._is_truncated = is_truncated
        self._is_growing = is_growing  # the last argument is shown although it is not complete
        self._known = signature.schema.names.union(DIRECT_NAMES)
        self.arguments: dict[str, Any] = {}
        self._is_repaired = False
        #: Tags for which a search for a closer that fits went to the end of the text in vain; it is not repeated:
        #: from then on the first closer counts.
        self._loose: set[str] = set()
        self._has_text = False  # between arguments

    def read(self) -> DecodedCall:
        text, pos, behind = self._text, 0, 0
        has_comments = True
        while (head := TAG.search(text, pos)) is not None:
            start, pos = head.span()
            if head[2] is None:
                end = comment_end(text, pos) if has_comments else -1
                has_comments = end >= 0
                if not has_comments and self._is_truncated:
                    break  # what is in it is no argument, if its end is still to come
            elif head[1]:
                end = closer_end(text, head) if head[2].lower() == "arguments" else -1
            else:
                tag = read_tag(text, head, self._limits.max_tag)
                end = self._read_argument(tag) if tag else -1
            if end > pos:
                self._note_text(behind, start)
                pos = behind = end
        self._note_text(behind, len(text))
        if self._has_text and not self.arguments and not self._is_truncated:
            raise ArgumentsError("no arguments were found in the text of the call")
        return DecodedCall(self.arguments, self._is_repaired)

    def _note_text(self, start: int, end: int) -> None:
        self._has_text = self._has_text or bool(self._text[start:end].strip(BLANK_CHARACTERS))

    def _read_argument(self, tag: Tag) -> int:
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
                self._show(name, tag)
                return end
            if self._has_argument_behind(tag):
                raise ArgumentsError(f"{name} is not closed")
            self._is_repaired = True
        self._give(name, self._text[tag.end : start], tag)
        return end

    def _show(self, name: str, tag: Tag) -> None:
        """The argument is not complete; one that is given twice is not shown, either."""
        if self._is_growing and name not in self.arguments:
            value = growing_text(self._text, tag, self._schema.property_of(name))
            if value is not None:
                self.arguments[name] = value

    def _give(self, name: str, raw: str, tag: Tag) -> None:
        value = decode_value(name, raw, self._schema.property_of(name), self._limits, is_direct=not tag.is_arg)
        known = self.arguments.get(name)
        if isinstance(known, str) and isinstance(value, str) and self._is_in_plan and is_repeatable(name):
            value = f"{known},{value}"
        elif name in self.arguments and not is_same(known, value):
            raise ArgumentsError(f"{name} is given twice")
        self.arguments[name] = value

    # -- where an argument ends ---------------------------------------------------------------------------------------

    def _find_closer(self, tag: Tag) -> tuple[int, int]:
        """Begin and end of the closer of the argument, -1 if there is none."""
        if tag.name not in self._loose and (tag.is_arg or tag.name in self._known):
            found = self._find_balanced(tag, is_strict=True)
            if found[0] >= 0:
                return found
            self._loose.add(tag.name)
        return self._find_balanced(tag, is_strict=False)

    def _find_balanced(self, tag: Tag, *, is_strict: bool) -> tuple[int, int]:
        """The first closer at which no tag of the same name is open inside; if `is_strict`, one that fits."""
        text, depth = self._text, 0
        for head in (_ARG_TAG if tag.is_arg else TAG).finditer(text, tag.end):
            if head[2] is None or head[2].lower() != tag.name:
                continue
            if not head[1]:
                inner = read_tag(text, head, self._limits.max_tag)
                depth += inner is not None and not inner.is_empty
                continue
            end = closer_end(text, head)
            if end < 0:
                continue
            if depth:
                depth -= 1
            elif not is_strict or self._fits(tag, end):
                return head.start(), end
        return -1, -1

    def _fits(self, tag: Tag, end: int) -> bool:
        """Whether the next argument, `</arguments>` or the end follows the closer that ends at `end`."""
        text = self._text
        end = skip_blanks(text, end)
        head = TAG.match(text, end)
        if head is None or head[2] is None:
            return end == len(text)
        if head[1]:
            return head[2].lower() == "arguments"
        return bool(_NEXT_ARG.match(text, end)) if tag.is_arg else head[2].lower() in self._known

    def _has_argument_behind(self, tag: Tag) -> bool:
        """Whether another argument may begin behind `tag`, which is not closed: then no one knows where it ends."""
        if _NEXT_ARG.search(self._text, tag.end):
            return True
        names = [head[2].lower() for head in TAG.finditer(self._text, tag.end) if head[2] and not head[1]]
        return not tag.is_arg and any(name in self._known or not self._schema.names for name in names)


class XmlArguments(ArgumentDecoder):
    """The decoder of the xml format."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """As `<arg name="…">` or direct tags, inside `<arguments>` or not."""
        return _CallReader(content, signature, is_truncated=is_truncated).read()

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """What the arguments are if the text ends here; the last one grows, if it is a text.

        A closer that turns out to be data makes a text longer. Only where it stood behind a number or parts is
        something taken back that was shown.
        """
        reader = _CallReader(content, signature, is_truncated=True, is_growing=True)
        with suppress(ArgumentsError):  # what was read before is not affected
            reader.read()
        return reader.arguments

    def decode_shown(self, name: str, text: str, signature: Signature) -> Any:
        """Attributes, and arguments that were complete before START: text, and the schema says what it means."""
        return decode_text(name, text, signature.schema.property_of(name), signature.limits)

    def decode_written(self, name: str, raw: str, signature: Signature, *, is_direct: bool) -> Any:
        """What stands between the tags of one argument."""
        return decode_value(name, raw, signature.schema.property_of(name), signature.limits, is_direct=is_direct)


XML_ARGUMENTS = XmlArguments()
