"""Schema: what a tool's JSON schema makes of a text.

    {"type": "integer"}                       `5`           5
    {"anyOf": [{"type": "boolean"}, …]}       `True`        True
    {"type": "array"}                         `["a", 1]`    ["a", 1]
    {"type": "integer"}                       `a few`       "a few"

A model that writes tags writes texts; the schema says which of them are numbers. It is asked for types only: a text
that fits none of them stays as it is, and whether a value is valid is for others to say. Nothing is filled in.

A type may be spelled as Python or Gemini do (`dict`, `float`, `OBJECT`); a name that is no type says nothing.

Where several types are possible, a text is the first that it fits of null, integer, number, boolean, array and
object; a string is what is left.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import lru_cache
from math import isinf
from typing import Any, cast

from attrs import frozen

from streamparse.arguments.json_text import JsonTextError, TooDeepError, read_json
from streamparse.arguments.schema_variants import TYPES, distinct, flatten, sequence, types_of, words_of
from streamparse.core.markers import BLANK_CHARACTERS

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?")
_BOOLEANS = {"true": True, "false": False}
#: How texts begin that are no strings: by their first character, or as one of a few words.
_HEADS = {"integer": "-0123456789", "number": "-0123456789", "array": "[", "object": "{"}
_NAMES = {"null": ("null",), "boolean": tuple(_BOOLEANS)}
_UNREAD = object()
#: Up to here a float says exactly which integer it is.
_EXACT = 2**53
#: How many schemas of tools are kept, and how large one may be, in bytes.
MOST_KEPT = 256
_LARGEST_KEPT = 65_536
#: A version of `marshal` that writes equal values alike, whoever else refers to parts of them.
_PLAIN = 2


class Schema:
    """One place in a JSON schema.

    What is below it is made when it is first asked for; streams of several threads may share it. `types` are the JSON
    types a value may have here, none if the schema does not say.
    """

    __slots__ = ("_arrays", "_children", "_firsts", "_objects", "_root", "_words", "is_text", "names", "types")

    def __init__(self, node: object, root: _Root | None = None) -> None:
        self._root = root if root is not None else _Root(node)
        variants = self._root.flatten(node)
        types = [types_of(variant) for variant in variants]
        self.types: frozenset[str] = frozenset().union(*types) if all(types) else frozenset()
        #: Texts that are values by themselves, whatever blanks stand around them.
        self._words = {word for variant in variants for word in words_of(variant)}
        self._objects = [_Object.of(variant) for variant in variants if "object" in types_of(variant)]
        self._arrays = [variant for variant in variants if "array" in types_of(variant)]
        self._children: dict[tuple[str, object], Schema] = {}
        self._firsts = max((len(sequence(variant.get("prefixItems"))) for variant in self._arrays), default=0)
        #: The names of properties, in lower case.
        self.names = frozenset(name for known in self._objects for name in known.spelling)
        self.is_text = self.types == {"string"}

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Schema:
        """The schema of a tool, made once for all tools that say the same.

        By what they say, not by who they are: most people declare tools as dicts, which they may change. To write them
        with `marshal` takes a tenth of the time of reading a schema, where JSON would take as long. What that cannot
        write, other mappings than dicts among it, is read for every stream.
        """
        try:
            text = marshal.dumps(cast(dict[str, Any], parameters), _PLAIN)
        except ValueError:
            return cls(parameters)
        if len(text) <= _LARGEST_KEPT:
            kept = _keep(text)
            if not kept._root.has_given_up:
                return kept
        return cls(parameters)

    def has_place_for(self, value: Any) -> bool:
        """Whether a value of this type may stand here, as far as the schema says."""
        kind = TYPES.get(type(value), "")
        return not self.types or kind in self.types or (kind == "integer" and "number" in self.types)

    @property
    def may_nest(self) -> bool:
        """Whether a value may have parts here."""
        return "array" in self.types or "object" in self.types

    # -- texts --------------------------------------------------------------------------------------------------------

    def read(self, text: str, max_depth: int) -> Any:
        """The value that `text` stands for: `text` itself if it fits no type but string."""
        types = self.types
        if not types or (self.is_text and not self._words):
            return text
        word = text.strip(BLANK_CHARACTERS)
        if word in self._words:
            return text if text in self._words else word
        if word == "null" and "null" in types:
            return None
        number = _read_number(word, types)
        if number is not None:
            return number
        if "boolean" in types and word.lower() in _BOOLEANS:
            return _BOOLEANS[word.lower()]
        value = _read_json(word, types, max_depth)
        return text if value is _UNREAD else value

    def stays_string(self, beginning: str) -> bool:
        """Whether a text that begins so is this very string, whatever follows."""
        types = self.types
        if not types or (self.is_text and not self._words):
            return True
        if "string" not in types or self._words:
            return False
        word = beginning.strip(BLANK_CHARACTERS).lower()
        return bool(word) and not any(
            word[0] in _HEADS.get(kind, "") or any(name.startswith(word) for name in _NAMES.get(kind, ()))
            for kind in types
        )

    # -- parts --------------------------------------------------------------------------------------------------------

    def takes_items(self, *, are_items: bool) -> bool:
        """Whether parts are the items of an array; `are_items` says that they call themselves so."""
        return "array" in self.types and (are_items or "object" not in self.types)

    def narrow(self, names: Iterable[str], text_of: Callable[[str], str | None]) -> Schema | None:
        """The schema for an object with these names, None if it is more likely a string.

        Of several kinds of objects it is the first that has all its required names, whose fixed values are those of
        `text_of`, and which knows all names if it allows no others.
        """
        names = list(names)
        if len(self._objects) == 1 and "string" not in self.types:
            return self
        for kind, known in enumerate(self._objects):
            if known.admits(names, text_of, is_strict="string" in self.types):
                return self._child(("kind", kind), [known.node])
        if "string" in self.types or not self._objects:
            return None
        return self._child(("kind", 0), [self._objects[0].node])

    def spell(self, name: str) -> str:
        """`name` as the schema spells it, if it knows it in any case."""
        for known in self._objects:
            if name in known.properties:
                return name
        for known in self._objects:
            if name.lower() in known.spelling:
                return known.spelling[name.lower()]
        return name

    def property_of(self, name: str) -> Schema:
        """The schema of the property `name`; of any kind of object that has it, if there are several."""
        if not self._objects:
            return ANY
        is_known = any(name in known.properties for known in self._objects)
        key = ("property", name) if is_known else ("others", None)  # names that a model makes up share one
        return self._child(key, [known.property_of(name) for known in self._objects])

    def has_all(self, names: Set[str]) -> bool:
        """Whether an object with these names has all that it needs, as far as the schema says.

        That is what is required; where nothing is, it may be that nobody wrote that down, so it is all there may be.
        """
        return any((known.required or known.properties.keys()) <= names for known in self._objects)

    @property
    def text_property(self) -> str | None:
        """What a text is that stands for a whole object: the only property, or the only required one, if it fits."""
        if len(self._objects) != 1:
            return None
        known = self._objects[0]
        names = list(known.properties)
        if len(names) > 1:
            names = [name for name in names if name in known.required]
        if len(names) != 1:
            return None
        types = self.property_of(names[0]).types
        return names[0] if "string" in types or not types else None

    def item_of(self, index: int) -> Schema:
        """The schema of the item at `index`."""
        if not self._arrays:
            return ANY
        index = min(index, self._firsts)  # behind the first ones, all are alike
        return self._child(("item", index), [_item(variant, index) for variant in self._arrays])

    def _child(self, key: tuple[str, object], nodes: list[Any]) -> Schema:
        """What is below, made of what each variant says of it; in a recursive schema most of them say the same."""
        if key not in self._children:
            self._children[key] = self._root.schema_of(distinct(nodes))
        return self._children[key]


@frozen(eq=False)
class _Object:
    """One kind of object a value may be."""

    node: Mapping[str, Any]
    properties: Mapping[str, Any]
    spelling: Mapping[str, str]  # by the name in lower case
    required: frozenset[str]
    fixed: Mapping[str, frozenset[str]]  # by name, the texts a property may have
    is_closed: bool

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> _Object:
        properties = node.get("properties")
        properties = properties if isinstance(properties, Mapping) else {}
        fixed = {name: frozenset(words_of(node)) for name, node in properties.items() if isinstance(node, Mapping)}
        return cls(
            node,
            properties,
            {name.lower(): name for name in reversed(list(properties)) if isinstance(name, str)},
            frozenset(name for name in sequence(node.get("required")) if isinstance(name, str)),
            {name: words for name, words in fixed.items() if words},
            node.get("additionalProperties") is False,
        )

    def admits(self, names: list[str], text_of: Callable[[str], str | None], *, is_strict: bool) -> bool:
        """`is_strict`: the alternative is a string, so a name that is not declared makes it one."""
        if not self.required.issubset(names):
            return False
        if (self.is_closed or (is_strict and self.properties)) and not all(name in self.properties for name in names):
            return False
        for name, words in self.fixed.items():
            text = text_of(name)
            if text is not None and text.strip(BLANK_CHARACTERS) not in words:
                return False
        return True

    def property_of(self, name: str) -> Any:
        return self.properties[name] if name in self.properties else self.node.get("additionalProperties")


# -- reading texts ----------------------------------------------------------------------------------------------------


def _read_number(word: str, types: frozenset[str]) -> int | float | None:
    is_number, is_integer = "number" in types, "integer" in types
    match = _NUMBER.fullmatch(word) if is_number or is_integer else None
    if match is None:
        return None
    if match[1] is None and match[2] is None:
        return _read_integer(word)
    if not is_number and match[2] is None:
        return _read_integer(word[: match.start(1)]) if not match[1].strip(".0") else None
    value = float(word)
    if isinf(value) or (not is_number and not (value.is_integer() and abs(value) < _EXACT)):
        return None
    return value if is_number else int(value)


def _read_integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:  # more digits than Python converts
        return None


def _read_json(word: str, types: frozenset[str], max_depth: int) -> Any:
    """An array or an object; without any text, an empty one."""
    wanted = [kind for kind, name in ((list, "array"), (dict, "object")) if name in types]
    if not word:
        return wanted[0]() if wanted and "string" not in types else _UNREAD
    if (word[0] == "[" and list in wanted) or (word[0] == "{" and dict in wanted):
        try:
            return read_json(word, max_depth)
        except TooDeepError:
            raise
        except JsonTextError:
            return _UNREAD
    return _UNREAD


# -- reading schemas --------------------------------------------------------------------------------------------------


class _Root:
    """A whole schema: references point into it, and what is made of its places is made once.

    A recursive schema has few places, however deep a model nests in it.
    """

    def __init__(self, node: object) -> None:
        self._node = node
        #: Python's stack was full once: that may be the caller's doing, and what was not found out is no one else's.
        self.has_given_up = False
        self._schemas: dict[tuple[int, ...], tuple[Schema, list[Any]]] = {}

    def schema_of(self, nodes: list[Any]) -> Schema:
        """The schema of a value that may be any of `nodes`."""
        key = tuple(map(id, nodes))
        if key not in self._schemas:
            # The nodes are kept with it, so that no other object gets their ids.
            self._schemas[key] = Schema(nodes[0] if len(nodes) == 1 else {"anyOf": nodes}, self), nodes
        return self._schemas[key][0]

    def flatten(self, node: object) -> list[dict[str, Any]]:
        """The variants of a place in it. What is nested too deeply is given up: nothing is known of it."""
        try:
            return flatten(node, self._node)
        except RecursionError:
            self.has_given_up = True
            return [{}]


def _item(variant: Mapping[str, Any], index: int) -> object:
    firsts = sequence(variant.get("prefixItems"))
    return firsts[index] if index < len(firsts) else variant.get("items")


@lru_cache(maxsize=MOST_KEPT)
def _keep(text: bytes) -> Schema:
    """The schema that `marshal` wrote: of a copy, so that no one can change what others are read by."""
    return Schema(marshal.loads(text))


#: What is known of a value without a schema.
ANY = Schema(None)
