"""core/stems.py: what is found by stems is what one pattern for all markers finds."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.core.markers import BLANKS, Atom, Exact, Marker, Markers, close_tag, compile_markers, exact, open_tag
from streamparse.core.stems import MANY, Stem, compile_place, compile_stems, find

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
    found = find(markers, text, 0, is_last=is_last)
    if found is None:
        return None
    kind, start, end, _, _ = found
    return "held" if kind is None else kind, start, end


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


def stems_of(markers: Markers) -> dict[str, Stem]:
    """The stems among the kinds, by their text in lower case; patterns are dots."""
    kinds = [kind for kind in markers.kinds if isinstance(kind, Stem)]
    return {"".join(map(as_text, kind.marker)): kind for kind in kinds}


def as_text(part: str) -> str:
    if isinstance(part, Exact):
        return part.character.lower()
    return "." if isinstance(part, Atom) else part.lower()


def test_markers_are_compiled_when_their_stem_was_seen() -> None:
    stems = stems_of(compile_stems(MARKERS))
    assert sorted(stems) == ["-", "</tool", "<fille", "<to", "["]
    (calls,) = stems["["].levels
    assert calls.kinds == (None, "list", "calls")


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


#: Few, but long, and they begin alike; one is the beginning of another, and one is in any case.
LONG_ONES: dict[Any, tuple[Marker, ...]] = {
    **{kind: (exact(f"<|model:begin_{kind}|>{'x' * 120}"),) for kind in ("calls", "name", "think")},
    "spaced": ((*exact("<|model:begin_calls|>"), BLANKS, *exact("y" * 120)),),
    "whole": (exact("<|model:begin_calls|>"),),
    "loud": (("<|MODEL:END|>" + "z" * 30,), (*exact("<|model:end|>"), BLANKS, "{")),
}


def test_of_long_markers_only_those_are_compiled_of_which_something_was_seen() -> None:
    stems = stems_of(compile_stems(LONG_ONES))
    assert sorted(stems) == [
        *("<|model:begin_calls|>", "<|model:begin_name|>xxxx", "<|model:begin_think|>xxx", "<|model:end|>"),
    ]
    (name,) = stems["<|model:begin_name|>xxxx"].levels
    assert name.kinds == (None, "name")
    calls, spaced, whole = stems["<|model:begin_calls|>"].levels
    assert (calls.kinds, spaced.kinds, whole.kinds) == ((None, "calls"), (None, "spaced"), (None, "whole"))


#: One is the beginning of the others.
OTHERS: dict[Any, tuple[Marker, ...]] = {
    "whole": (exact("<|call|>"),),
    **{letter: ((*exact("<|call|>" + letter * 20), BLANKS, *exact(letter * 180)),) for letter in "ab"},
}


def test_where_a_longer_marker_does_not_come_it_is_the_shorter_one() -> None:
    one, stems = compile_markers(OTHERS), compile_stems(OTHERS)
    for text in (f"<|call|>{'a' * 20} {'a' * 180}", f"<|call|>{'a' * 20} {'a' * 100}b", f"<|call|>{'b' * 17}c"):
        for end in range(len(text) + 1):
            for is_last in (False, True):
                assert look(stems, text[:end], is_last=is_last) == look(one, text[:end], is_last=is_last), text[:end]


def test_long_markers_that_begin_with_anything_or_alike_but_for_their_case_are_one_pattern() -> None:
    for markers in (
        {"a": ((BLANKS, "a" * 200),), "b": (("b" * 200,),)},
        {"a": (("a" * 200,),), "A": (exact("a" * 200),)},
    ):
        assert stems_of(compile_stems(markers)) == {}


def test_a_stem_ends_with_a_character() -> None:
    markers = {letter: ((*exact(letter * 15), BLANKS, *exact("x" * 200)),) for letter in "ab"}
    assert sorted(stems_of(compile_stems(markers))) == ["a" * 15, "b" * 15]


LONG_TEXTS = [
    *(f"a<|model:begin_{kind}|>{'x' * 120}b" for kind in ("calls", "name", "think")),
    f"<|model:begin_calls|> \n {'y' * 120}b",
    f"<|model:begin_calls|>{'x' * 30}<|model:begin_calls|> y<|model:begin_name|>",
    f"<|mOdEl:end|>{'z' * 29}Z<|model:end|>{'z' * 10} {{<|model:end|> {{<|MODEL:END|> {{",
]


@pytest.mark.parametrize("text", LONG_TEXTS)
def test_what_is_found_of_long_markers_is_what_one_pattern_finds(text: str) -> None:
    one, stems = compile_markers(LONG_ONES), compile_stems(LONG_ONES)
    for end in range(len(text) + 1):
        for is_last in (False, True):
            assert look(stems, text[:end], is_last=is_last) == look(one, text[:end], is_last=is_last), text[:end]


def test_where_the_beginning_of_a_marker_waits_only_what_is_behind_the_stem_is_looked_at() -> None:
    stems = compile_stems(LONG_ONES)
    found = find(stems, "a<|model:begin_calls|> \n ", 0)
    assert found is not None
    kind, start, _, awaited, since = found
    assert (kind, start, since) == (None, 1, 22)
    assert awaited.ignores_blanks("a<|model:begin_calls|> \n ", since)


def test_at_one_place_a_marker_may_begin_with_anything() -> None:
    ways: dict[Any, tuple[Marker, ...]] = {
        "word": ((BLANKS, Atom("[a-z]{1,9}+"), *exact(">" * 90)),),
        "call": ((*exact("to=f"), *exact(">" * 90)),),
    }
    one, place = compile_markers(ways), compile_place(ways)
    for text in (f" to{'>' * 90}", f"to=f{'>' * 90}", "to=g", f"to{'>' * 80}<", "="):
        for end in range(1, len(text) + 1):
            match, found = one.pattern.match(text, 0, end), place.follow(text[:end], 0, 0, 0, is_last=False)
            assert (match and (one.kinds[match.lastindex or 0], match.end())) == (found and (found[0], found[2]))
