"""core/markers.py: one search finds the earliest marker, or exactly the suffix that may become one."""

from __future__ import annotations

import re
from itertools import product

import pytest

from streamparse.core.markers import (
    BLANKS,
    NAME_END,
    NO_BLANK,
    SOME_BLANKS,
    AnyOf,
    Atom,
    Exact,
    Marker,
    Markers,
    close_tag,
    compile_markers,
    exact,
    open_tag,
)


def look(markers: Markers, text: str) -> tuple[str, int, int] | None:
    """Kind, start and end of the match; the kind is "held" where the text ends inside a marker."""
    match = markers.pattern.search(text)
    if match is None:
        return None
    return (markers.kinds[match.lastindex] if match.lastindex else "held", match.start(), match.end())


def closer_of(name: str) -> Markers:
    return compile_markers({"closer": [close_tag(name)]})


def test_text_without_a_marker_gives_no_match() -> None:
    markers = compile_markers({"end": [close_tag("tool")], "open": [open_tag("arg")]})
    for text in ("", "plain", "a < b", "</tools>", "<args>", "< /tool>", "</too l>"):
        assert look(markers, text) is None


def test_the_earliest_marker_wins_whatever_the_order_of_the_set() -> None:
    for kinds in ({"a": [("<a>",)], "b": [("<b>",)]}, {"b": [("<b>",)], "a": [("<a>",)]}):
        markers = compile_markers(kinds)
        assert look(markers, "x<b><a>") == ("b", 1, 4)
        assert look(markers, "x<a><b>") == ("a", 1, 4)


def test_a_whole_marker_comes_before_a_cut_one_behind_it() -> None:
    assert look(closer_of("a"), "x</a>y</a") == ("closer", 1, 5)


@pytest.mark.parametrize(
    "marker", ["</tool>", "__END_CONTENT__", "<|a marker of many characters|>", "[[SEG_END]]", "``", "a.b*c\\d|(e)"]
)
def test_the_holdback_is_exact_at_every_prefix(marker: str) -> None:
    markers = compile_markers({"m": [(marker,)]}, ignore_case=False)
    for length in range(1, len(marker)):
        assert look(markers, "é " + marker[:length]) == ("held", 2, 2 + length)
        assert look(markers, "é " + marker[:length] + "!") is None
    assert look(markers, "é " + marker) == ("m", 2, 2 + len(marker))
    assert look(markers, "é " + marker + "!") == ("m", 2, 2 + len(marker))


def naive(markers: dict[str, str], text: str) -> tuple[str, int, int] | None:
    """The definition, read aloud: the first place where a marker stands or may still come; the longest marker there."""
    for start in range(len(text)):
        rest = text[start:]
        if any(marker.startswith(rest) and marker != rest for marker in markers.values()):
            return ("held", start, len(text))
        whole = [(len(marker), kind) for kind, marker in markers.items() if rest.startswith(marker)]
        if whole:
            size, kind = max(whole)
            return (kind, start, start + size)
    return None


@pytest.mark.parametrize(
    "markers",
    [
        {"one": "ab"},
        {"one": "aab", "two": "ab"},
        {"short": "ab", "long": "abba"},
        {"one": "aba", "two": "bb"},
        {"one": "abc", "two": "abb", "three": "ac", "four": "c"},
        {"one": "a", "two": "ab", "three": "abc"},
        {"one": "aaa"},
    ],
    ids=str,
)
def test_every_short_text_is_read_as_the_definition_says(markers: dict[str, str]) -> None:
    compiled = compile_markers({kind: [(text,)] for kind, text in markers.items()})
    for size in range(8):
        for letters in product("abc", repeat=size):
            text = "".join(letters)
            assert look(compiled, text) == naive(markers, text), text


def test_where_one_marker_is_the_beginning_of_another_the_longer_is_waited_for() -> None:
    markers = compile_markers({"short": [("<a",)], "long": [("<abc",)]})
    assert look(markers, "<a") == ("held", 0, 2)
    assert look(markers, "<ab") == ("held", 0, 3)
    assert look(markers, "<abc") == ("long", 0, 4)
    assert look(markers, "<abx") == ("short", 0, 2)


def test_markers_with_a_common_beginning_are_told_apart() -> None:
    markers = compile_markers(
        {"think": [open_tag("think")], "thinking": [open_tag("thinking")], "tool": [open_tag("tool")]}
    )
    assert look(markers, "<think>") == ("think", 0, 6)
    assert look(markers, "<thinking>") == ("thinking", 0, 9)
    assert look(markers, "<tool/") == ("tool", 0, 5)
    assert look(markers, "<thinks>") is None
    assert [look(markers, "<thinking"[:n]) for n in range(1, 10)] == [("held", 0, n) for n in range(1, 10)]


def test_of_two_equal_markers_the_first_wins() -> None:
    assert look(compile_markers({"one": [("<a>",)], "two": [("<a>",)]}), "<a>") == ("one", 0, 3)


def test_several_markers_may_be_of_one_kind() -> None:
    markers = compile_markers({"m": [("<a>",), ("<b>",)]})
    assert [look(markers, text) for text in ("<a>", "<b>", "<c>")] == [("m", 0, 3), ("m", 0, 3), None]


def test_case_does_not_matter_in_literal_text() -> None:
    assert look(closer_of("tool"), "</TOOL>") == ("closer", 0, 7)
    assert look(closer_of("TOOL"), "</tOoL>") == ("closer", 0, 7)
    assert look(closer_of("tool"), "</TO") == ("held", 0, 4)


def test_case_is_that_of_ascii_alone() -> None:
    """U+017F is an s and U+212A a k for `re.IGNORECASE`; no model writes `<run_baſh>`."""
    markers = compile_markers({"m": [("<task>",)]})
    assert [look(markers, text) for text in ("<taſk>", "<tas\u212a>", "<tas", "<ta\u017f")] == [
        *(None, None),
        ("held", 0, 4),
        None,
    ]


def test_case_matters_where_asked() -> None:
    markers = compile_markers({"m": [("&amp;",)]}, ignore_case=False)
    assert [look(markers, text) for text in ("&amp;", "&AMP;", "&A", "&a")] == [
        *(("m", 0, 5), None, None),
        ("held", 0, 2),
    ]


def test_an_exact_marker_keeps_its_case_among_others() -> None:
    markers = compile_markers({"raw": [exact("__End_1__")], "tag": [close_tag("arg")]})
    assert look(markers, "__End_1__") == ("raw", 0, 9)
    assert look(markers, "__END_1__.") is None
    assert look(markers, "__E") == ("held", 0, 3)
    assert look(markers, "__e") is None
    assert look(markers, "</ARG>") == ("tag", 0, 6)


def test_blanks_may_stand_before_the_end_of_a_closer() -> None:
    markers = closer_of("tool")
    assert look(markers, "</tool \t\r\n>") == ("closer", 0, 11)
    assert look(markers, "</tool \t\r\n") == ("held", 0, 10)
    for blank in ("\u2003", "\u00a0", "\v", "\f"):
        assert look(markers, f"</tool{blank}>") is None
        assert look(markers, f"</tool{blank}") is None


def test_some_blanks_are_at_least_one() -> None:
    marker: Marker = ("<arg", SOME_BLANKS, "name", BLANKS, "=")
    markers = compile_markers({"m": [marker]})
    assert look(markers, "<argname=") is None
    assert look(markers, "<arg \n name =") == ("m", 0, 13)
    whole = "<arg  name  ="
    for length in range(1, len(whole)):
        assert look(markers, "." + whole[:length]) == ("held", 1, 1 + length)


def test_the_character_behind_a_name_is_looked_at_and_left() -> None:
    markers = compile_markers({"m": [open_tag("tool")]})
    for behind in " \t\r\n/>":
        assert look(markers, "<tool" + behind) == ("m", 0, 5)
    for behind in "s_-.:<\"'=é":
        assert look(markers, "<tool" + behind + "!") is None
    assert look(markers, "<tool") == ("held", 0, 5)


def test_a_failed_beginning_does_not_hide_the_marker_in_it() -> None:
    markers = closer_of("a")
    assert look(markers, "</</a>") == ("closer", 2, 6)
    assert look(markers, "<<<</a") == ("held", 3, 6)
    assert look(markers, "</a </a>") == ("closer", 4, 8)


def test_heads_are_the_characters_a_marker_can_begin_with() -> None:
    assert compile_markers({"a": [close_tag("a"), open_tag("b")]}).heads == "<"
    assert compile_markers({"a": [("`",), ("<a",), ("Note:",)]}).heads == "<`Nn"
    assert compile_markers({"a": [("Note:",)]}, ignore_case=False).heads == "N"


def test_a_closer_and_an_opener_are_written_as_documented() -> None:
    assert close_tag("a") == ("</a", BLANKS, ">")
    assert open_tag("a") == ("<a", NAME_END)
    assert exact("_a1") == ("_", Exact("a"), "1")


def test_an_exact_marker_may_stand_first() -> None:
    markers = compile_markers({"raw": [exact("Note_")], "any": [("hint:",)]})
    assert markers.heads == "HNh"
    assert [look(markers, text) for text in ("Note_", "note_.", "HINT:")] == [("raw", 0, 5), None, ("any", 0, 5)]


def test_a_set_without_markers_finds_nothing() -> None:
    markers = compile_markers({"none": []})
    assert [look(markers, text) for text in ("", "a", "<a>")] == [None, None, None]
    assert markers.heads == ""


def test_many_markers_are_one_pattern_that_finds_each_of_them() -> None:
    names = [f"tag_{number}" for number in range(1_000)]
    markers = compile_markers({name: [close_tag(name)] for name in names})
    assert [look(markers, f"x</{name}>") for name in names] == [(name, 1, len(name) + 4) for name in names]


def glance(markers: Markers, text: str) -> tuple[str, int, int] | None:
    """The same at a glance; where a longer marker may come, it is told to be held."""
    match = markers.glance.search(text)
    if match is None:
        return None
    kind, end = markers.tell(match)
    return kind or "held", match.start(), end


TAGS = {f"tag {number}": [close_tag(f"tag_{number}")] for number in range(40)}
OTHERS: dict[str, list[Marker]] = {
    "tick": [("`",)],
    "short": [exact("[a")],
    "long": [(*exact("[a"), BLANKS, "{")],
    "any": [(AnyOf(("}", BLANKS), ("]",)), "!")],
}


@pytest.mark.parametrize("known", [OTHERS, {**TAGS, **OTHERS}, {**TAGS, "nothing": [()]}], ids=["few", "many", "empty"])
def test_a_glance_finds_what_the_pattern_finds(known: dict[str, list[Marker]]) -> None:
    markers = compile_markers(known)
    pieces = (
        "</tag_7>",
        "</TAG_39 >",
        "</tag_40>",
        "</t",
        "`",
        "[a",
        "[a {",
        "[a  ",
        "[b",
        "} !",
        "]!",
        "} ",
        "x",
        "<",
    )
    for one, two in product(pieces, repeat=2):
        text = f"x {one}{two}"
        assert glance(markers, text) == look(markers, text), text


def test_a_glance_at_many_markers_has_a_group_for_each_first_character() -> None:
    assert compile_markers(OTHERS).glance is compile_markers(OTHERS).pattern
    many = compile_markers({**TAGS, **OTHERS})
    assert (many.glance.groups, many.pattern.groups) == (4, 44)


def test_at_the_end_of_a_text_a_marker_counts_that_might_have_become_another() -> None:
    markers = compile_markers({"short": [exact("<a>")], "long": [(*exact("<a>"), BLANKS, "{")]})
    assert look(markers, "x<a>") == ("held", 1, 4)
    match = markers.final.search("x<a> ")
    assert match is not None
    assert match.lastindex is not None
    assert (markers.kinds[match.lastindex], match.span()) == ("short", (1, 4))
    assert markers.final.search("x<a") is None
    match = markers.final.search("x<A>< a><a>{")
    assert match is not None
    assert match.lastindex is not None
    assert (markers.kinds[match.lastindex], match.span()) == ("long", (8, 12))
    assert compile_markers({"any": [("<b>",)]}, ignore_case=False).final.search("<B>") is None
    assert compile_markers({"none": []}).final.search("a") is None


def test_blanks_at_the_end_of_a_marker_are_waited_for() -> None:
    markers = compile_markers({"a": [(*exact("<a>"), BLANKS, NO_BLANK)]})
    assert [look(markers, text) for text in ("<a>", "<a> \n", "<a> \nx", "<a>x")] == [
        *(("held", 0, 3), ("held", 0, 5), ("a", 0, 5), ("a", 0, 3)),
    ]
    match = markers.final.match("<a> ")
    assert match
    assert match.span() == (0, 4)


@pytest.mark.parametrize(
    ("text", "start", "is_so"),
    [
        ("a<a> ", 1, True),
        ("<a>\n\n", 0, True),
        ("<a>", 0, False),
        ("<b> ", 0, False),
        ("<c>\n", 0, False),
        ("", 0, False),
    ],
)
def test_whether_blanks_decide_what_may_be_a_marker(text: str, start: int, is_so: bool) -> None:
    markers = compile_markers({"a": [("<a>", BLANKS, "{"), ("<b> <",), ("<c>\n\n<",)]})
    assert markers.ignores_blanks(text, start) is is_so


def test_a_marker_without_anything_is_found_at_once() -> None:
    markers = compile_markers({"a": [()]})
    match = markers.pattern.match("x")
    assert (markers.heads, match and match.span()) == ("", (0, 0))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("", True),
        (" \n", True),
        ("<a>", True),
        ("\n<a> <b><a>\t", True),
        ("<a", False),
        ("x<a>", False),
        ("<a>.", False),
    ],
)
def test_whether_a_text_holds_markers_and_blanks_only(text: str, is_so: bool) -> None:
    assert compile_markers({"a": [("<a>",), ("<b>",), ("<a><c>",)]}).fills(f"x{text}", 1) is is_so


def test_a_marker_may_be_longer_than_calls_can_be_nested() -> None:
    marker = "<" + "long " * 1_000 + ">"
    markers = compile_markers({"m": [exact(marker)]})
    assert look(markers, f"a{marker}b") == ("m", 1, 1 + len(marker))
    assert look(markers, f"a{marker[:-1]}") == ("held", 1, len(marker))
    assert look(markers, f"a{marker[:-1]}b") is None


def test_markers_that_have_a_beginning_and_an_end_in_common() -> None:
    markers = compile_markers({"one": [exact("<begin_one_end>")], "two": [exact("<begin_two_end>"), exact("<begin")]})
    for name in ("one", "two"):
        marker = f"<begin_{name}_end>"
        assert look(markers, f"a{marker}") == (name, 1, 1 + len(marker))
        for length in range(1, len(marker)):
            assert look(markers, "a" + marker[:length]) == ("held", 1, 1 + length)
    assert look(markers, "<begin_three") == ("two", 0, 6)


def test_a_marker_may_begin_with_any_of_some_sequences() -> None:
    before = AnyOf(("}", BLANKS), exact("</end>"), (*exact("</end>"), BLANKS, *exact("</all>")))
    markers = compile_markers({"m": [(before, *exact("<call>")), (before, *exact("<next>"))]})
    assert set(markers.heads) == {"}", "<"}
    for marker in ("}<call>", "} \n<next>", "</end><call>", "</end> </all><next>"):
        assert look(markers, f"a{marker}b") == ("m", 1, 1 + len(marker))
        for length in range(1, len(marker)):
            assert look(markers, "a" + marker[:length]) == ("held", 1, 1 + length)
    for text in ("}<cell>", "</end>x<call>", "</end><all><call>", "<call>"):
        assert look(markers, text) is None


def test_a_pattern_is_compiled_when_it_is_asked_for() -> None:
    markers = compile_markers({"m": [(Atom("["), "x")]})  # which cannot be
    assert markers.heads == "["
    with pytest.raises(re.error):
        _ = markers.pattern
