"""Field: one region of a response template, with the ways to write what opens it and what closes it.

{"open": ["<think>", "<thought>"], "close_pattern": r"</th(?:ink|ought)>\\s*"}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from streamparse.core.markers import BLANKS, SOME_BLANKS, Atom
from streamparse.formats.response_template.pattern import ANY, LONGEST, AsCapture, Parts, read_pattern

_KEYS = frozenset(
    {
        *("open", "open_pattern", "close", "close_pattern", "content", "content_args"),
        *("repeats", "join", "optional", "transform", "transform_each"),
    }
)
#: The end of the reply, in a pattern: nothing is written there.
_END = re.compile(r"(?:\$|\\[Zz])(?=[|)]|\Z)")


def check_keys(spec: object, known: frozenset[str], what: str) -> None:
    """Refuse what is no mapping, or has keys that are not `known`."""
    if not isinstance(spec, Mapping):
        raise ValueError(f"{what} must be a mapping, not {type(spec).__name__}")
    unknown = sorted(map(str, set(spec) - known))
    if unknown:
        raise ValueError(f"{what} has keys that are not known here: {', '.join(unknown)}")


def written(
    what: str, spec: Mapping[str, Any], key: str, as_capture: AsCapture | None = None, anchors: Sequence[Parts] = ()
) -> list[Parts]:
    """The ways to write `key` of `spec`: a text, one of several, or a pattern. There may be none.

    A pattern may begin with a run of characters, such as the header of a message: it is looked for behind `anchors`,
    which are what a message begins with, and what follows it also by itself. Without anchors nobody knows where such a
    run begins, and one of any characters would take the reply with it: both are refused.
    """
    texts, pattern = spec.get(key), spec.get(f"{key}_pattern")
    if texts is not None and pattern is not None:
        raise ValueError(f"{what} has both {key!r} and {key + '_pattern'!r}")
    if pattern is not None:
        if not isinstance(pattern, str):
            raise ValueError(f"{what}: {key + '_pattern'!r} must be a string, not {type(pattern).__name__}")
        found = read_pattern(_END.sub("", pattern), as_capture or _no_capture)
        if any(_takes_text(way, anchors) for way in found):
            raise ValueError(f"{what}: {key + '_pattern'!r} begins with characters that may be text of the reply")
        return list(dict.fromkeys(way for one in found for way in _from_text_on(one, anchors)))
    if texts is None:
        return []
    texts = [texts] if isinstance(texts, str) else texts
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) and text for text in texts):
        raise ValueError(f"{what}: {key!r} must be a string that is not empty, or a list of them")
    return [(text,) for text in dict.fromkeys(texts)]


def _no_capture(_: str, pattern: str) -> Atom:
    return Atom(pattern)


def _takes_text(way: Parts, anchors: Sequence[Parts]) -> bool:
    """Whether the run before its first text may be more than blanks and the header of a message."""
    run = way[: _first_text(way)]
    is_header = bool(anchors) and not any(ANY in part for part in run)
    return not is_header and any(_is_visible(part) for part in run)


def _is_visible(run: str) -> bool:
    """Whether a run may be anything but blanks."""
    found = (re.match(run, chr(code) * LONGEST) for code in range(33, 127))
    return any(match is not None and match.end() for match in found)


def _first_text(way: Parts) -> int:
    return next((index for index, part in enumerate(way) if not isinstance(part, Atom)), len(way))


def _from_text_on(way: Parts, anchors: Sequence[Parts]) -> Iterator[Parts]:
    """From its first text on, without blanks at the end: and behind `anchors`, with the run before that text."""
    first = _first_text(way)
    run, way = way[:first], way[first:]
    while way and way[-1] in (BLANKS, SOME_BLANKS):
        way = way[:-1]
    if not way:
        return
    if any(part not in (BLANKS, SOME_BLANKS) for part in run):
        yield from ((*anchor, *run, *way) for anchor in anchors)
    yield way


class Field:
    """A region of a reply."""

    def __init__(self, name: str, spec: Mapping[str, Any], anchors: Sequence[Parts] = ()) -> None:
        self._what = f"the field {name!r}"
        check_keys(spec, _KEYS, self._what)
        self._spec = spec
        self._anchors = anchors
        #: What the text in it is: json, text …
        self.content: str = spec.get("content", "text")
        #: More about that.
        self.args: Mapping[str, Any] = spec.get("content_args") or {}
        if not isinstance(self.args, Mapping):
            raise self.error(f"'content_args' must be a mapping, not {type(self.args).__name__}")
        self.transform: object = spec.get("transform")
        #: Whether the text is a list, and each of its items is transformed.
        self.is_list: bool = spec.get("transform_each", False)
        self.closes = written(self._what, spec, "close")

    def opens(self, as_capture: AsCapture | None = None) -> list[Parts]:
        """The ways to write what opens it; `as_capture` says what its named groups are."""
        return written(self._what, self._spec, "open", as_capture, self._anchors)

    def error(self, what: str) -> ValueError:
        """What is wrong with it."""
        return ValueError(f"{self._what}: {what}")
