"""What matters among the arguments of a call, and in their values, as patterns.

    <arg name="a">…</arg>       closed by `</arg>`, if the next `<arg name=`, `</arguments>` or `</tool>` follows
    <path>…</path>              closed by `</path>`, if another known argument or one of these closers follows
    <note>…</note>              a name that no one has declared: closed by its own closer, whatever follows

Known are the names that a tool declares, and `path`, `content`, `patch` and `command`. `reader.py` says what becomes of
all this.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from re import Pattern

from attrs import frozen

from streamparse.core.markers import (
    BLANK_CHARACTERS,
    BLANKS,
    NAME_END,
    Atom,
    Marker,
    Markers,
    close_tag,
    compile_markers,
    exact,
    open_tag,
)

#: The direct tags that are arguments of every tool; those that a tool declares join them.
DIRECT_NAMES = frozenset({"path", "content", "patch", "command"})

#: The kinds of markers: the end of the call, and what opens or closes something in it.
END, OPEN, CLOSE, COMMENT = "end", "open", "close", "comment"
#: The usual opening tags, with nothing in them but the name of an argument.
ARG, TAG = "arg", "tag"
#: The closer of `<arguments>`, and the end marker of a raw body.
ARGUMENTS, RAW = "arguments", "raw"
#: What stands behind a closer: something that lets it count, another tag, or nothing of the kind.
FIT, TAGGED, NOTHING = "fit", "tagged", ""

_NAME = Atom(r"[A-Za-z_][A-Za-z0-9_.:-]{0,255}+")  # bounded: a cut one is looked at again with the next chunk
_ANY_TAG: Marker = ("<", _NAME, NAME_END)
_USUAL_TAG: Marker = ("<", _NAME, ">")
_USUAL_ARG: Marker = ('<arg name="', Atom('[^"<>&]{0,256}+'), '">')
_COMMENT: Marker = ("<!--",)
_FEW_BLANKS = Atom(r"[ \t\r\n]{0,256}+")  # bounded, too: what is shown already cannot be set aside
#: The next argument behind `<arg name="a">…</arg>`.
_NEXT_ARG: Marker = ("<arg", Atom(r"[ \t\r\n]{1,256}+"), "name", _FEW_BLANKS, "=")

_ARGUMENTS: Marker = ("</arguments", _FEW_BLANKS, ">")
ANY_CLOSER: Marker = ("</", _NAME, _FEW_BLANKS, ">")


_TAGS: Mapping[str, list[Marker]] = {ARG: [_USUAL_ARG], TAG: [_USUAL_TAG], OPEN: [_ANY_TAG], COMMENT: [_COMMENT]}
#: What may be a part of a value, or stand between parts.
PARTS = compile_markers({**_TAGS, CLOSE: [("</", _NAME, BLANKS, ">")]})


def _closing(name: str) -> Marker:
    """The beginning of a closing tag, its name whole. What comes up to its `>` is read piece by piece."""
    return ("</" + name, NAME_END)


@frozen
class RawMarkers:
    """What may stand around a body that holds closers of its own: `__START_CONTENT__` and `__END_CONTENT__`."""

    start: Markers
    end: Marker

    @classmethod
    def of(cls, start: str, end: str) -> RawMarkers:
        """The two as they are written."""
        return cls(compile_markers({OPEN: [exact(start)]}), exact(end))


@frozen
class ValuePatterns:
    """What to look for in a value that is closed by `</name>`."""

    #: In the value, and inside a tag of the same name that is nested in it: there, openers and closers balance.
    inside: Markers
    nested: Markers
    #: Its closer with what must follow, all of it there: the usual case, which needs no second look.
    fit: Pattern[str]
    #: Behind its closer.
    following: Markers
    #: In what is held because it may be the end, by its kind: what decides.
    held: Mapping[str, Markers]
    #: The beginning of its closer alone.
    closing: Markers
    #: Whether it stands between raw markers.
    is_raw: bool


@lru_cache(maxsize=256)
def value_patterns(name: str, end: Marker, *, is_body: bool, raw_end: Marker = ()) -> ValuePatterns:
    """The patterns for the value of an `<arg>` or a direct tag in a call closed by `end`; `raw_end` ends a raw body.

    Direct tags behind a closer are compared by name later: a pattern for each of them, with all others behind it, would
    take a second to compile where a tool has thirty.
    """
    is_arg = name == "arg"
    close = {CLOSE: [_closing(name)], RAW: [raw_end] if raw_end else []}
    nested = [] if is_body else [open_tag(name)]
    next_argument = [] if is_body else [_NEXT_ARG if is_arg else _ANY_TAG]
    fits = [_ARGUMENTS, *([_NEXT_ARG] if is_arg else [])]
    return ValuePatterns(
        compile_markers({**close, END: [end], ARGUMENTS: [_closing("arguments")], OPEN: nested}),
        compile_markers({CLOSE: [_closing(name)], END: [end], OPEN: nested}),
        compile_markers({FIT: [(*close_tag(name), BLANKS, *marker) for marker in (end, *fits)]}).final,
        compile_markers({END: [end], FIT: fits, TAGGED: [_ANY_TAG, _COMMENT], CLOSE: [ANY_CLOSER]}),
        {
            END: compile_markers(close),
            TAGGED: compile_markers({**close, END: [end], OPEN: next_argument}),
            NOTHING: compile_markers({**close, OPEN: next_argument}),
            FIT: compile_markers({RAW: close[RAW]}),
        },
        compile_markers({CLOSE: [_closing(name)]}),
        bool(raw_end),
    )


@frozen
class CallPatterns:
    """What to look for in a call, but for the values of its arguments."""

    #: Its closer alone.
    end: Pattern[str]
    #: Between arguments: any tag or comment, and the end of the call.
    between: Markers
    #: In a comment: its end, and that of the call, which a forgotten one must not swallow.
    in_comment: Markers
    #: In a tag that no one has declared: any tag, and the end of the call. Tags are compared by name later, or a model
    #: could have a pattern compiled for every name that it makes up.
    undeclared: Markers


@lru_cache(maxsize=64)
def call_patterns(end: Marker) -> CallPatterns:
    """The patterns for a call closed by `end`."""
    return CallPatterns(
        compile_markers({END: [end]}).pattern,
        compile_markers({END: [end], ARGUMENTS: [_ARGUMENTS], **_TAGS, CLOSE: [ANY_CLOSER]}),
        compile_markers({END: [end], CLOSE: [("-->",)]}),
        compile_markers({END: [end, (*_ARGUMENTS, _FEW_BLANKS, *end)], CLOSE: [ANY_CLOSER], OPEN: [_ANY_TAG]}),
    )


def holds_argument(raw: str, declared: frozenset[str], *, is_direct: bool) -> bool:
    """Whether another argument may begin in a value that was never closed: then no one knows where it ends."""
    if compile_markers({OPEN: [_NEXT_ARG]}).final.search(raw):
        return True
    if not is_direct:
        return False
    tags = [last_tag(match[0]) for match in compile_markers({OPEN: [_ANY_TAG]}).final.finditer(raw)]
    return any(name in DIRECT_NAMES or name in declared or not declared for name in tags)


def last_tag(text: str) -> str:
    """The name, in lower case, of the opening tag that `text` ends with."""
    return text.rpartition("<")[2].lower()


def closed_tag(text: str) -> str:
    """The name, in lower case, of the closing tag that is `text`."""
    return text[2:].rstrip(f"{BLANK_CHARACTERS}>").lower()
