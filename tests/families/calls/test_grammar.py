"""families/calls/grammar.py: what the declaration of calls becomes."""

from __future__ import annotations

import pytest

from streamparse.core.markers import BLANKS, Exact, compile_markers, exact
from streamparse.core.opening import Options
from streamparse.core.state import BaseState
from streamparse.core.stems import Stem, compile_place, find_at
from streamparse.families.calls.grammar import (
    CALL_ID,
    NAME,
    NEXT,
    NO_SECTION,
    SEPARATOR,
    Calls,
    Head,
    Maybe,
    Section,
    spaced,
)

LIST = Section(("<calls>", "["), ("]", "</calls>"), (",",))
CALLS = Calls(
    BaseState,
    head=("@", NAME, Maybe("|", CALL_ID), Maybe(";")),
    tail=("!",),
    sections=(LIST,),
)


@pytest.mark.parametrize("head", [("@", NAME, "\n"), ("@", NAME, Maybe(" x")), ("@", " x", NAME)])
def test_a_part_that_could_never_be_found_is_refused(head: tuple[str | Maybe, ...]) -> None:
    with pytest.raises(ValueError, match=r"^'(\\n| x)' in head: blanks are free between parts, so none begins"):
        Calls(BaseState, head=head)
    with pytest.raises(ValueError, match=r"^' \[' in open: "):
        Section(("<calls>", " ["))
    assert Calls(BaseState, head=("\n@ ", NAME)).head == ("\n@ ", NAME)


def find(text: str, calls: Calls = CALLS) -> str | None:
    """What of `text` is recognised as the beginning of a call, `…` if it may become one."""
    match = compile_markers({0: calls.markers}).pattern.search(text)
    if match is None:
        return None
    return match[0] if match.lastindex else match[0] + "…"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a @f {", "@f {"),
        ("@ f | 7 ; {", "@ f | 7 ; {"),
        ("@f|7{", "@f|7{"),
        ("@f;{", "@f;{"),
        ("<calls> [ @f {", "<calls> [ @f {"),
        ("<calls> @f {", "@f {"),
        ("@f", "@f…"),
        ("@f|", "@f|…"),
        ("<cal", "<cal…"),
        ("@", "@…"),
        ("@f [", None),
        ("@ {", None),
        ("@f | {", None),
        ("<CALLS>[@f", "@f…"),
    ],
)
def test_a_call_begins_with_its_whole_head_in_a_section_or_alone(text: str, found: str | None) -> None:
    assert find(text) == found


def test_a_call_that_is_not_bare_needs_its_section() -> None:
    calls = Calls(BaseState, head=("@", NAME), sections=(LIST,), is_bare=False)
    assert [find(text, calls) for text in ("@f {", "<calls>[@f {")] == [None, "<calls>[@f {"]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("@f {", Head("f", None, NO_SECTION, 3)),
        ("@f|7 ;{", Head("f", "7", NO_SECTION, 6)),
        ("<calls>\n[@f{", Head("f", None, LIST, 11)),
    ],
)
def test_the_head_says_name_id_section_and_where_the_arguments_begin(text: str, head: Head) -> None:
    assert CALLS.read_opener(text, 0) == head


def test_the_next_call_stands_in_the_same_section() -> None:
    assert CALLS.read_next(", @g|8;{", 2, LIST) == Head("g", "8", LIST, 7)


@pytest.mark.parametrize("text", ["", "<calls>", "@f ["])
def test_a_head_is_only_read_where_one_was_found(text: str) -> None:
    with pytest.raises(AssertionError, match="the marker was found there"):
        CALLS.read_opener(text, 0)
    with pytest.raises(AssertionError, match="the marker was found there"):
        CALLS.read_next(text, 0, LIST)


def test_name_and_id_may_be_read_from_one_text() -> None:
    def split(name: str, call_id: str | None) -> tuple[str, str | None]:
        assert call_id is None
        return name.split(":")[0], name

    calls = Calls(BaseState, head=("@", NAME), read_head=split)
    assert calls.read_opener("@f:0{", 0) == Head("f", "f:0", NO_SECTION, 4)


def test_a_head_without_a_name_has_none() -> None:
    assert Calls(BaseState, head=("@",)).read_opener("@ {", 0) == Head(None, None, NO_SECTION, 2)
    calls = Calls(BaseState, head=("@",), read_head=lambda name, call_id: (f"<{name}>", call_id))
    assert calls.read_opener("@{", 0) == Head("<>", None, NO_SECTION, 1)


def test_arguments_may_begin_with_several_texts_or_with_a_marker() -> None:
    calls = Calls(BaseState, head=("@",), begins=("(", "{", ("[", BLANKS, *exact("Ab"))))
    assert [find(text, calls) for text in ("@(", "@ {", "@[ Ab", "@[ ab", "@[", "@<")] == [
        *("@(", "@ {", "@[ Ab", None, "@[…", None),
    ]
    assert calls.read_opener("@ [\nAb", 0) == Head(None, None, NO_SECTION, 2)


def test_a_name_ends_at_blanks_quotes_brackets_and_other_marks_and_has_a_length() -> None:
    for mark in " \n<>{}[]()\"'|｜,;=`\\":
        assert find(f"@a{mark}{{") == ("@a{" if mark == "{" else f"@a{mark}{{" if mark in " \n;" else None)
    assert find(f"@{'a' * 256}{{") == f"@{'a' * 256}{{"
    assert find(f"@{'a' * 257}{{") is None


def kind(place: Stem, text: str) -> object:
    found = find_at(place, text, 0)
    return found and ("…" if found[0] is None else found[0])


@pytest.mark.parametrize(
    ("section", "stage", "text", "found"),
    [
        (NO_SECTION, 0, " !", 0),
        (NO_SECTION, 0, "]", None),
        (NO_SECTION, 0, "@f{", None),
        (NO_SECTION, 1, "!", None),
        (LIST, 0, "!", 0),
        (LIST, 0, "\n]", 1),
        (LIST, 0, "</calls>", 2),
        (LIST, 0, " ,", SEPARATOR),
        (LIST, 0, " @f {", NEXT),
        (LIST, 0, " @f", "…"),
        (LIST, 0, "<calls>", None),
        (LIST, 1, "!", None),
        (LIST, 1, ",", SEPARATOR),
        (LIST, 1, "@f{", NEXT),
        (LIST, 2, ",", None),
        (LIST, 2, "@f{", None),
        (LIST, 2, "]", None),
        (LIST, 2, "</calls>", 2),
        (LIST, 3, "</calls>", 2),
        (LIST, 3, " </calls>", None),
    ],
)
def test_behind_a_call_stand_its_closers_in_order_or_the_next_one(
    section: Section, stage: int, text: str, found: object
) -> None:
    assert kind(CALLS.following(section, stage), text) == found


def test_what_stands_behind_a_call_is_compiled_once() -> None:
    assert CALLS.following(LIST, 1) is CALLS.following(LIST, 1)


@pytest.mark.parametrize(
    ("section", "text", "found"),
    [
        (LIST, "a]! </calls>", 4),
        (LIST, "a @f {", 2),
        (LIST, "a <calls>[@f{", 2),
        (NO_SECTION, "a! </calls>", None),
        (Section(("[",), ("</long>", "]")), "a]", None),
    ],
)
def test_a_broken_call_ends_at_its_last_closer_or_at_the_next_call(
    section: Section, text: str, found: int | None
) -> None:
    match = CALLS.broken_ends(section).pattern.search(text)
    assert (match and match.start()) == found
    assert CALLS.broken_ends(section) is CALLS.broken_ends(section)


def test_an_empty_section_is_a_marker_of_its_own_unless_nothing_tells_it_from_text() -> None:
    calls = Calls(
        BaseState,
        sections=(
            LIST,
            Section(("[",), ("]",)),
            Section(("<a>",), ("</a>",)),
            Section(("b", "[")),
            Section((), ("c",)),
        ),
    )
    place = compile_place({number: [marker] for number, marker in enumerate(calls.empty_sections)})
    texts = ("<calls>[ ]\n</calls>", "<calls>[]x", "[]", "<a> \n</a>", "<a>x</a>", "b[]", "c")
    assert [kind(place, text) for text in texts] == [0, None, None, 1, None, None, None]


def test_parts_stand_with_blanks_between_and_behind_them() -> None:
    assert spaced(("<", NAME, "a")) == ("<", BLANKS, NAME, BLANKS, Exact("a"), BLANKS)


def test_options_of_the_wrong_class_are_told_to_the_author_of_a_format() -> None:
    with pytest.raises(TypeError, match=r"^BaseState wants options of Options, not None$"):
        Calls(BaseState).get_options(Options)
