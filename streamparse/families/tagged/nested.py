"""Values with parts, in tags of their own names (minimax_m3).

    ]<]minimax[>[<city>Oslo]<]minimax[>[</city>                             {"city": "Oslo",
    ]<]minimax[>[<at>]<]minimax[>[<lat>1]<]minimax[>[</lat>…[</at>           "at": {"lat": "1"},
    ]<]minimax[>[<tags>]<]minimax[>[<item>a]<]minimax[>[</item>…[</tags>     "tags": ["a"]}

Every tag has a token before it that occurs nowhere else, so tags need no rules to be told from text. The schema says
what the texts mean; where it wants an object or an array, JSON does as well. A tag that comes several times is a list.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from streamparse.arguments.decoder import ArgumentsError, Signature, decode_text
from streamparse.arguments.schema import ANY, Schema
from streamparse.arguments.sink import ValueTag, never_closed
from streamparse.config import Limits
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.families.tagged.reader import STRAY

_ITEM = "item"


@define(eq=False)
class _Node:
    """A value: from one tag to its closer."""

    key: str
    schema: Schema
    parts: list[tuple[str, Any]] = field(factory=list)
    pieces: list[str] = field(factory=list)

    @property
    def text(self) -> str:
        """What stands in it besides its parts."""
        return "".join(self.pieces)

    def check_blank(self) -> None:
        """Beside parts, there is no text."""
        if self.pieces and self.text.strip(BLANK_CHARACTERS):
            raise ArgumentsError(STRAY)


class Nodes:
    """Is told what the reader finds: the arguments, and what is open of them."""

    is_repaired = False

    def __init__(self, signature: Signature) -> None:
        self._limits = signature.limits
        self._open = [_Node("", signature.schema)]
        self.arguments: dict[str, Any] = {}

    def open_value(self, name: str, tag: ValueTag) -> None:
        """An argument begins, or a part of one."""
        top = self._open[-1]
        top.check_blank()
        if len(self._open) > self._limits.max_depth:
            raise ArgumentsError(f"{self._open[1].key} is nested too deeply")
        self._open.append(_Node(name, _schema_of_part(top, name)))

    def take(self, text: str, *, is_followed: bool) -> None:
        """More of its text."""
        self._open[-1].pieces.append(text)

    take_held = take

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete. An argument that has parts, or stands in one, must be closed."""
        node = self._open[-1]
        if is_unclosed:
            if node.parts or len(self._open) > 2:
                raise ArgumentsError(never_closed(node.key))
            self.is_repaired = True
        value = _value(node, self._limits)
        self._open.pop()
        self._open[-1].parts.append((node.key, value))

    def drop_value(self) -> None:
        """It has no end."""

    def report(self, problem: str) -> None:
        """The call is malformed."""
        raise ArgumentsError(problem)

    def decode(self) -> None:
        """What is complete."""
        self.arguments = _join(self._open[0].parts)

    @property
    def is_open(self) -> bool:
        """Whether an argument is being read."""
        return len(self._open) > 1

    @property
    def name(self) -> str:
        """The argument that is being read."""
        return self._open[1].key

    @property
    def is_text(self) -> bool:
        """Whether it has no parts so far."""
        return len(self._open) == 2 and not self._open[1].parts

    @property
    def growing_text(self) -> str | None:
        """What there is of that argument, if it is a text, whatever follows."""
        node = self._open[-1]
        text = node.text if self.is_text else ""
        return text if text.strip(BLANK_CHARACTERS) and node.schema.stays_string(text) else None

    def show(self) -> dict[str, Any]:
        """What is complete; and an argument that is a text grows. Of several of one name, the first was shown."""
        shown: dict[str, Any] = {}
        for key, value in self._open[0].parts:
            shown.setdefault(key, value)
        text = self.growing_text
        if text is not None:
            shown.setdefault(self.name, text)
        return shown

    def take_argument(self) -> tuple[str, Any]:
        """The one that is complete, which is not kept here any more."""
        return self._open[0].parts.pop()


def _schema_of_part(node: _Node, key: str) -> Schema:
    if node.schema.takes_items(are_items=key == _ITEM):
        return node.schema.item_of(len(node.parts))
    return node.schema.property_of(key) if node.schema.types else ANY


def _value(node: _Node, limits: Limits) -> Any:
    """The value of a node that is closed."""
    if not node.parts:
        return decode_text(node.key, node.text, node.schema, limits)
    node.check_blank()
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
