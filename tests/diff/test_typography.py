"""Quotes, dashes and blanks of typography in an edit, where the file has those that one types."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_search_replace, str_replace
from streamparse.diff.typography import as_typed, signs_in, typography_of
from tests.diff.kit import outcome, patch


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("a", "a")], ("", "")),
        ([("a ‘b’", "a 'b'")], ("\"'", "")),  # both kinds of quotes
        ([("a “b”", 'a "b"')], ("\"'", "")),
        ([("a – b", "a - b")], ("-", "")),
        ([("a\xa0b", "a b")], (" ", "")),
        ([("\xa0\xa0a", "  a")], (" ", "")),
        ([("\xa0\xa0a", "\xa0a")], ("", "")),
        ([("‘a’", "‘a’")], ("", "")),  # the file has it
        ([("‘a’", "‘a’"), ("‘b’", "'b'")], ('"', "'")),
        ([("'a'", "‘a’"), ("‘b’", "'b'")], ('"', "'")),
        ([("‘a’ – b", "‘a’ - b")], ("-", "")),
        ([("é", "e")], ("", "")),
        ([("‘a’ b", "'a'")], ("", "'")),  # another line shows only that it may be so
        ([("‘a’ b", "'a'"), ("‘c’", "'c'")], ("\"'", "")),
        ([("‘a’ b", "‘a’")], ("", "")),
    ],
)
def test_what_old_lines_show(pairs: list[tuple[str, str]], expected: tuple[str, str]) -> None:
    typography = typography_of([written for written, _ in pairs], pairs)
    assert (typography.signs, typography.unsure) == expected
    assert bool(typography) == any(expected)


def test_only_some_signs_are_typed() -> None:
    assert (signs_in(["a", "“a” – b"]), signs_in(["é"])) == ('"-', "")
    assert as_typed("“a” – b", "-") == "“a” - b"
    assert as_typed("“a” – b") == '"a" - b'


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        ("v = '1'\n", "-v = ‘1’\n+v = ‘2’\n", "v = '2'\n"),
        ("x = 1\ny = 2\n", "-x\xa0=\xa01\n+x\xa0=\xa03\n y\xa0=\xa02\n", "x = 3\ny = 2\n"),
        ("- a: 1\n", "-– a: 1\n+– a: 2\n", "- a: 2\n"),
        ("  - a\n", "-\xa0\xa0-\xa0a\n+\xa0\xa0-\xa0b\n", "  - b\n"),
        # one kind of quotes shows the other
        ('a "b"\n', "-a “b”\n+a ‘b’\n", "a 'b'\n"),
        # of other signs, nothing is shown
        ("v = '1'\n", "-v = ‘1’\n+v = ‘1’ – 2\n", "v = '1' – 2\n"),
        # the file has them itself
        ("v = ‘1’\n", "-v = ‘1’\n+v = ‘2’\n", "v = ‘2’\n"),
        ("a\n", " a\n+v = ‘2’\n", "a\nv = ‘2’\n"),
        # some as the file has them, and some not: both are written, and the file decides only what was there
        ("‘a’ - 1\n", "-‘a’ – 1\n+‘b’ – 2\n", "‘b’ - 2\n"),
    ],
)
def test_new_lines_have_the_signs_that_old_lines_show(file: str, hunk: str, content: str) -> None:
    assert patch(file, f"@@\n{hunk}").content == content
    old = "".join(f"{line[1:]}\n" for line in hunk.splitlines() if line[0] != "+")
    new = "".join(f"{line[1:]}\n" for line in hunk.splitlines() if line[0] != "-")
    text = f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    assert apply_search_replace(file, text).content == content
    assert str_replace(file, old, new).content == content


def test_what_was_found_so_is_told() -> None:
    [edit] = patch("v = '1'\n", "@@\n-v = ‘1’\n+v = ‘2’\n").edits
    assert (edit.strategy, edit.fixes) == (
        "condensed",
        ("quotes, dashes or blanks of typography are those that one types, as in the file",),
    )


FILE = "v = '1'\nb\nc\nd\n"


def test_hunks_that_show_nothing_are_written_like_those_before() -> None:
    shows, silent = "@@\n-v = ‘1’\n+v = ‘2’\n", "@@\n c\n+w = ‘3’\n d\n"
    assert patch(FILE, shows + silent).content == "v = '2'\nb\nc\nw = '3'\nd\n"
    # another dash than those have
    assert patch("a - b\nc\n", "@@\n-a – b\n+d\n@@\n-c\n+– e\n").content == "d\n- e\n"
    assert outcome(patch("a - b\nc\n", "@@\n-a – b\n+d\n@@\n-c\n+— e\n")) == ["applied", "ambiguous"]
    # what came before was written already
    assert outcome(patch(f"c\nd\n{FILE[:-4]}", silent + shows)) == ["applied", "applied", "ambiguous"]
    # the file has such signs, or a hunk has one as the file has it
    assert outcome(patch(FILE + "‘x’\n", shows + silent)) == ["applied", "ambiguous"]
    kept = "@@\n-‘x’\n+y\n"
    assert outcome(patch(FILE + "‘x’\n", shows + kept + silent.replace("c", "b", 1).replace(" d", " c"))) == [
        "applied",
        "applied",
        "ambiguous",
    ]


def test_signs_that_the_file_has_in_one_old_line_and_not_in_another_are_in_doubt() -> None:
    file, old = "‘a’\n'b'\n", "-‘a’\n-‘b’\n"
    assert outcome(patch(file, f"@@\n{old}+‘c’\n")) == ["ambiguous"]
    assert [outcome(str_replace(file, "‘a’\n‘b’", new)) for new in ("‘c’", "'c'")] == [["ambiguous"], ["applied"]]
    assert patch(file, f"@@\n{old}+'c'\n").content == "'c'\n"
    blocks = "<<<<<<< SEARCH\n‘a’\n‘b’\n=======\n{}\n>>>>>>> REPLACE\n"
    assert [apply_search_replace(file, blocks.format(new)).ok for new in ("‘c’", "'c'", "‘a’\nd")] == [
        False,
        True,
        True,
    ]


def test_blocks_that_show_nothing_beside_those_that_do_are_in_doubt() -> None:
    shows = "<<<<<<< SEARCH\nv = ‘1’\n=======\nv = ‘2’\n>>>>>>> REPLACE\n"
    silent = "<<<<<<< SEARCH\nc\n=======\nw = ‘3’\n>>>>>>> REPLACE\n"
    result = apply_search_replace(FILE, shows + silent)
    assert (result.ok, [failure.reason for failure in result.failures]) == (False, ["ambiguous"])
    assert "written with quotes, dashes or blanks of typography" in result.failures[0].message
    plain = silent.replace("‘", "'").replace("’", "'")
    assert apply_search_replace(FILE, shows + plain).content == "v = '2'\nb\nw = '3'\nd\n"


def test_behind_line_numbers_in_a_fence_or_for_html() -> None:
    assert patch("a\nb '1'\n", "@@\n 1 | a\n-2 | b ‘1’\n+2 | b ‘2’\n").content == "a\nb '2'\n"
    assert str_replace("a < '1'\n", "a &lt; ‘1’", "b &lt; ‘2’").content == "b < '2'\n"
    assert patch("a < '1'\n", "@@\n-a &lt; ‘1’\n+b &lt; ‘2’\n").content == "b < '2'\n"
    text = "<<<<<<< SEARCH\n```\na ‘1’\n```\n=======\n```\na ‘2’\n```\n>>>>>>> REPLACE\n"
    assert apply_search_replace("a '1'\n", text).content == "a '2'\n"


def test_hunks_with_a_wrong_line_and_with_lines_left_out() -> None:
    file = "def f():\n    a = '1'\n    bravo_charlie = 2\n    d = 4\n"
    hunk = "@@\n def f():\n-    a = ‘1’\n+    a = ‘5’\n     bravo_charley = 2\n     d = 4\n"
    assert patch(file, hunk).content == file.replace("1", "5")
    elided = "@@\n def f():\n-    a = ‘1’\n+    a = ‘5’\n ...\n     d = 4\n"
    assert patch(file, elided).content == file.replace("1", "5")
    text = "<<<<<<< SEARCH\n    a = ‘1’\n...\n    d = 4\n=======\n    a = ‘5’\n...\n    d = ‘6’\n>>>>>>> REPLACE\n"
    assert apply_search_replace(file, text).content == file.replace("1", "5").replace("4", "'6'")


def test_what_the_file_has_to_the_letter_is_found_first() -> None:
    # a line with such signs that is there, beside one that is the same but for these
    file = "a – b\nc\na - b\n"
    assert str_replace(file, "a – b\n", "x – y\n").content == "x – y\nc\na - b\n"
    assert str_replace(file, "a - b\n", "x - y\n").content == "a – b\nc\nx - y\n"
    # also where it is only less deep
    assert str_replace("    a – b\n    a - b\n", "a – b\n", "x\n").content == "    x\n    a - b\n"


def in_every_kind(file: str, old: str, new: str) -> list[tuple[str, list[str]]]:
    """The text and the outcome of a patch, a block and `str_replace` that put one line in the place of another."""
    results = [
        patch(file, f"@@\n-{old}\n+{new}\n"),
        apply_search_replace(file, f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"),
        str_replace(file, f"{old}\n", f"{new}\n"),
    ]
    return [(result.content, outcome(result)) for result in results]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # the file has one of them itself
        ("x = 'a' # it’s\n", "x = ‘a’ # it’s", "x = ‘b’ # it’s"),
        # both forms in one line, of which old lines have only one
        ("x = 'a'\n", "x = ‘a’", "x = 'b ‘quoted’'"),
        ("a - b\n", "a – b", "a – b - c"),
        # nothing is new but which sign of typography it is
        ("a - b\n", "a – b", "a — b"),
        ("x = 'a'\n", "x = ‘a’", "x = ’a’"),
        ("x = 'a'\n", "x = ‘a’", "    x = ’a’"),
        # another dash or blank than old lines have
        ("a - b\n", "a – b", "a — c"),
        ("a - b\n", "a – b", "a – c — d"),
        ("a b c\n", "a\xa0b c", "a\u2003b d"),
        ("  a\n", "\xa0\xa0a", "\u2003\u2003b"),
        # a line with other signs of typography is as near
        ("x='a'\nz\nx=‘a’\n", "x=’a’", "x=’c’"),
        ("x=‘a’\nz\nx='a'\n", "x=’a’", "x='c'"),
    ],
)
def test_signs_in_new_lines_that_may_mean_either(file: str, old: str, new: str) -> None:
    assert in_every_kind(file, old, new) == [(file, ["ambiguous"])] * 3


@pytest.mark.parametrize(
    ("file", "old", "new", "content"),
    [
        ("x = 'a'\n", "x = ‘a’", "x = 'b'", "x = 'b'\n"),
        ("x = 'a'\n", "x = ‘a’", "    x = ‘a’", "    x = 'a'\n"),  # deeper
        ("x = 'a'\n", "x = ‘a’", "x = 'a'", "x = 'a'\n"),  # as the file has it
        ("x = 'a' + 'b'\n", "x = ‘a’ + 'b'", "x = 'c' + ‘d’", "x = 'c' + 'd'\n"),  # both are written for one
        ("a b c\n", "a\xa0b c", "a\xa0b d", "a b d\n"),
        ("a - b - c\n", "a – b — c", "d — e – f", "d - e - f\n"),  # both dashes are written for one
        ('a "b"\n', "a “b”", "a „c‟", 'a "c"\n'),  # one kind of quotes shows all
        ("x='a'\nz\nx=‘a’\n", "x=‘a’", "x=‘c’", "x='a'\nz\nx=‘c’\n"),  # there to the letter
    ],
)
def test_signs_in_new_lines_of_which_it_is_certain_what_they_mean(file: str, old: str, new: str, content: str) -> None:
    assert [text for text, _ in in_every_kind(file, old, new)] == [content] * 3


def test_the_number_of_a_hunk_chooses_among_places_with_other_signs() -> None:
    file = "x='a'\nz\nx=‘a’\n"
    hunk = "@@ -%d +%d @@\n-x=’a’\n+x=%sc%s\n"
    assert patch(file, hunk % (1, 1, "'", "'")).content == "x='c'\nz\nx=‘a’\n"
    assert patch(file, hunk % (3, 3, "'", "'")).content == "x='a'\nz\nx='c'\n"
    # but which signs are meant is not certain
    assert [outcome(patch(file, hunk % (number, number, "’", "’"))) for number in (1, 3)] == [["ambiguous"]] * 2


@pytest.mark.parametrize(("places", "expected"), [(64, "applied"), (65, "ambiguous")])
def test_of_very_many_places_not_all_show_which_signs_are_meant(places: int, expected: str) -> None:
    file = "x='a'\n" * (places - 1) + "x=‘a’\n"
    hunk = f"@@ -{places} +{places} @@\n-x=’a’\n+x='c'\n"
    assert outcome(patch(file, hunk)) == ["applied"]
    plain = "x='a'\n" * places
    assert outcome(patch(plain, hunk.replace("'c'", "’c’"))) == [expected]


def test_a_misspelt_line_of_context_does_not_show_for_certain_what_signs_stand_for() -> None:
    file = "def f():\n    a = 1\n    bravo_charlie = '2'\n    d = 4\n"
    hunk = "@@\n def f():\n-    a = 1\n+    a = %s\n     bravo_charley = ‘2’\n     d = 4\n"
    assert outcome(patch(file, hunk % "‘5’")) == ["ambiguous"]
    assert patch(file, hunk % "'5'").content == file.replace("1", "'5'")
    # the file has them there, too
    typographic = file.replace("'2'", "‘2’")
    assert patch(typographic, hunk % "‘5’").content == typographic.replace("1", "‘5’")


def test_lines_that_are_only_similar_do_not_show_it_either() -> None:
    file = "def f():\n    bravo(charlie, '2', 3456)\n    d = 4\n"
    text = "<<<<<<< SEARCH\ndef f():\n    bravo(charlie, ‘2’,3456)\n    d = 4\n=======\n%s\n>>>>>>> REPLACE\n"
    result = apply_search_replace(file, text % "e = 5")
    assert (result.content, result.edits[0].strategy) == ("e = 5\n", "anchor")
    result = apply_search_replace(file, text % "e = ‘5’")
    assert (outcome(result), result.failures[0].message) == (
        ["ambiguous"],
        "The old lines have quotes, dashes or blanks of typography where the file has others, and it is not certain "
        "which are meant in the new lines. Repeat the block with the signs of the file in the old lines, and with "
        "those that are to be there in the new ones.",
    )


def test_a_hunk_that_follows_others_must_not_have_both_forms_in_one_line() -> None:
    shows, silent = "@@\n-v = ‘1’\n+v = ‘2’\n", "@@\n c\n+w = ‘it's’\n d\n"
    assert outcome(patch(FILE, shows + silent)) == ["applied", "ambiguous"]


@pytest.mark.parametrize(
    ("file", "context", "new", "content"),
    [
        # dots
        ("wait for it...", "wait for it…", "so…", None),
        ("wait for it...", "wait for it…", "so", "so"),
        ("wait for it...", "wait for it…", "so...", "so..."),
        ("wait for it…", "wait for it...", "so...", None),
        ("wait for it…", "wait for it...", "so…", "so…"),
        ("wait for it…", "wait for it…", "so...", "so..."),
        # the normal form
        ("the project caf\xe9", "the project cafe\u0301", "e\u0301", None),
        ("the project caf\xe9", "the project cafe\u0301", "\xe9", None),
        ("the project caf\xe9", "the project cafe\u0301", "e…", "e…"),
        ("the project cafe\u0301", "the project caf\xe9", "\xe9", None),
        ("the project caf\xe9", "the project caf\xe9", "e\u0301", "e\u0301"),
        # both, or only one of them; or a slip
        ("the project caf\xe9...", "the project cafe\u0301…", "so…", None),
        ("the project caf\xe9...", "the project cafe\u0301…", "\xe9", None),
        ("the project caf\xe9...", "the project caf\xe9…", "\xe9", "\xe9"),
        ("the project caf\xe9...", "the porject caf\xe9...", "\xe9…", "\xe9…"),
    ],
)
def test_context_that_is_only_composed_otherwise(file: str, context: str, new: str, content: str | None) -> None:
    rest = "\n".join(f"a line of context, number {number}" for number in range(3))
    lines = "".join(f" {line}\n" for line in [context, *rest.split("\n")])
    result = patch(f"{file}\n{rest}\nold\n", f"@@\n{lines}-old\n+{new}\n")
    assert (result.content.split("\n")[-2], outcome(result)) == (
        content or "old",
        ["applied" if content else "ambiguous"],
    )
    assert [failure.message[:55] for failure in result.failures] == ([] if content else [SIGNS_OF_CONTEXT])


#: What is said of such context.
SIGNS_OF_CONTEXT = "The context at line 1 has other signs than the file for"
