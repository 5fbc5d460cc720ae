"""core/stems.py: what is found by stems is what one pattern for all markers finds."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.core.markers import BLANKS, Atom, Marker, Markers, close_tag, compile_markers, exact, open_tag
from streamparse.core.stems import LONG, MANY, Stem, compile_stems

#: So many that stems are used.
FILLERS: dict[Any, tuple[Marker, ...]] = {number: (exact(f"<filler_{number}>"),) for number in range(MANY)}
MARKERS: dict[Any, tuple[Marker, ...]] = {
    "tick": (("`",),),
    "list": (("[", BLANKS, "{"),),
    "calls": (exact("[TOOL_CALLS]"),),
    "tool": (open_tag("tool"), close_tag("tool")),
    "call": ((*exact("<tool_call>"), BLANKS, "{"),),
    "named": ((*exact("<tool_call>"), Atom("[a-z]{1,9}+"), ">"),),
    "loud": (exact("<TOOL_CALL>"),),
    "short": (exact("<to"),),
    "again": (exact("<to"),),
    "dash": (("-",), ("--->",)),
    **FILLERS,
}


def look(markers: Markers, text: str, *, is_last: bool = False) -> tuple[Any, int, int] | None:
    """Kind, start and end of the first marker; the kind is "held" where the text ends inside of one."""
    pattern = markers.final if is_last else markers.pattern
    match = pattern.search(text)
    while match is not None:
        start = match.start()
        kind = markers.kinds[match.lastindex] if match.lastindex else "held"
        if not isinstance(kind, Stem):
            return kind, start, match.end()
        deep = kind.markers
        found = (deep.final if is_last else deep.pattern).match(text, start)
        if found is not None:
            return deep.kinds[found.lastindex] if found.lastindex else "held", start, found.end()
        match = pattern.search(text, start + 1)
    return None


TEXTS = [
    "a <tool_call> {",
    "a <tool_call>ab>",
    "a <tool_call>AB <tool>",
    "<TOOL_CALL>",
    "<TOOL_CALl><Tool ></TOOL >",
    "<tool_cool><to",
    "<ToOl/>",
    "<toast",
    "[ [  {",
    "[TOOL_CALLS]",
    "[TOOL_CALL] [tool_calls]",
    "a - b",
    "a --- b ---> c",
    "`<filler_7>`",
    "<filler_7 <filler_63>",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_found_is_what_one_pattern_finds(text: str) -> None:
    one, stems = compile_markers(MARKERS), compile_stems(MARKERS)
    assert one.heads == stems.heads
    for start in range(len(text)):
        for end in range(start, len(text) + 1):
            for is_last in (False, True):
                part = text[start:end]
                assert look(stems, part, is_last=is_last) == look(one, part, is_last=is_last), part


def test_markers_are_compiled_when_their_stem_was_seen() -> None:
    stems = compile_stems(MARKERS)
    kinds = [kind for kind in stems.kinds if isinstance(kind, Stem)]
    assert sorted(kind.text for kind in kinds) == [
        *("-", "--->", "</tool", "<fille", "<to", "<tool", "<tool_", "<tool_", "[", "[tool_")
    ]
    (calls,) = [kind for kind in kinds if kind.text == "[tool_"]
    assert list(dict.fromkeys(calls.markers.kinds[1:])) == ["list", "calls"]


def test_a_character_that_begins_nothing_else_needs_no_second_look() -> None:
    stems = compile_stems(MARKERS)
    match = stems.pattern.search("a `b")
    assert match is not None
    assert match.lastindex is not None
    assert stems.kinds[match.lastindex] == "tick"


def test_few_markers_are_one_pattern() -> None:
    few = {kind: MARKERS[kind] for kind in ("tick", "list")}
    assert compile_stems(few) == compile_markers(few)


def test_a_marker_that_begins_with_anything_has_no_stem() -> None:
    markers: dict[Any, tuple[Marker, ...]] = {"any": ((BLANKS, "x"),), **FILLERS}
    assert compile_stems(markers) == compile_markers(markers)


#: Few, but long, and they begin alike.
LONG_ONES: dict[Any, tuple[Marker, ...]] = {
    kind: (exact(f"<|of_a_model:begin_{kind}:of_a_model|>" + "x" * 240),) for kind in ("calls", "call", "name", "think")
}


def test_of_long_markers_only_those_are_compiled_of_which_something_was_seen() -> None:
    assert sum(len(marker) for (marker,) in LONG_ONES.values()) >= LONG
    one, stems = compile_markers(LONG_ONES), compile_stems(LONG_ONES)
    kinds = [kind for kind in stems.kinds if isinstance(kind, Stem)]
    assert sorted(kind.text for kind in kinds) == [
        *("<|of_a_model:begin_c", "<|of_a_model:begin_n", "<|of_a_model:begin_t"),
    ]
    (name,) = [kind for kind in kinds if kind.text.endswith("_n")]
    assert name.markers.kinds == (None, "name")
    for kind in LONG_ONES:
        text = f"a<|of_a_model:begin_{kind}:of_a_model|>{'x' * 240}b"
        for end in range(len(text) + 1):
            assert look(stems, text[:end]) == look(one, text[:end])
