"""A patch that is indented as a whole, as in an item of a list, is read without those blanks."""

from __future__ import annotations

import re

import pytest

from streamparse.diff import DiffStream, apply_patch, detect, patch_paths
from tests.diff.kit import outcome, patch, run, tree

FILE = "a\nb\n\nc\nd"
UNIFIED = "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n \n c\n d\n\\ No newline at end of file\n"
GIT = "diff --git a/f b/f\nindex 1..2 100644\n" + UNIFIED
HUNK = UNIFIED.partition("f\n+++ b/f\n")[2]
ENVELOPE = "*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+B\n \n c\n*** End Patch\n"
DONE = FILE.replace("b", "B")
UNEVEN = "The patch is indented as a whole, but not all of its lines are. Write it without any blanks before its lines."


def indented(text: str, blanks: str = "    ") -> str:
    return re.sub(r"^(?=.)", blanks, text, flags=re.MULTILINE)


@pytest.mark.parametrize("blanks", ["  ", "   ", "    ", "\t"])
@pytest.mark.parametrize("text", [UNIFIED, GIT, HUNK, ENVELOPE])
def test_a_patch_that_is_indented_as_a_whole(text: str, blanks: str) -> None:
    for written in (
        indented(text, blanks),
        re.sub(r"^[ \t]+$", "", indented(text, blanks), flags=re.MULTILINE),  # blank lines without their blanks
        indented(text, blanks).replace("\n", "\r\n"),
        f"1. Apply this:\n\n{indented(text, blanks)}",
        f"- Apply this:\n\n{blanks}```diff\n{indented(text, blanks)}{blanks}```\n",
        f"{indented(text, blanks)}\nThat is all.\n",
    ):
        result = patch(FILE, written)
        assert (result.content, result.ok) == (DONE, True)
        assert detect(written) == "patch"
        _, whole, _ = run(lambda: DiffStream(FILE), list(written))
        assert whole == result


def test_blank_lines_where_it_may_begin() -> None:
    blanks = "\n" * 100_000
    for first, last in (("  @@\n", ""), ("  @@\n", "text\n"), ("  --- a/f\n", "  text\n"), ("  @@\n  +x\n", "")):
        assert detect(first + blanks + last) is None
    assert apply_patch(FILE, f"  @@\n{blanks}   a\n  -b\n  +B\n").content == DONE


def test_where_it_is_known() -> None:
    # With the third line, and not before, nor with one blank, nor if one of the three has others.
    assert [detect(indented(UNIFIED)[: len(indented(UNIFIED[:at]))]) for at in (15, 16, 31, 32, 33)] == [
        *[None] * 3,
        "patch",
        "patch",
    ]
    for text in (indented(UNIFIED, " "), indented(UNIFIED[:24]).replace("    +++", "   +++"), indented(UNIFIED[:16])):
        assert detect(text) is None
        assert not patch(FILE, text).ok
    assert patch_paths(indented(UNIFIED)) == ["f"]
    # Two lines of a header alone are as they were: each is indented, and what follows is not.
    text = "  *** Begin Patch\n  *** Update File: f\n@@\n a\n-b\n+B\n*** End Patch\n"
    assert patch(FILE, text).content == DONE


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        # a blank line among the first three, which has lost its blanks
        ("a\n\nb\nc\nd\ne\n", "@@ -1,3 +1,4 @@\n a\n\n+x\n b\n@@ -5,2 +6,2 @@\n d\n-e\n+E\n", "a\n\nx\nb\nc\nd\nE\n"),
        ("a\n\nb\n", "@@ -2,2 +2,3 @@\n\n+x\n b\n", "a\n\nx\nb\n"),
        # a hunk of one line
        ("a\nb\nc\n", "@@ -1,0 +2 @@\n+x\n@@ -3 +4 @@\n-c\n+C\n", "a\nx\nb\nC\n"),
        ("a\nb", "@@ -2 +1,0 @@\n-b\n\\ No newline at end of file\n", "a\n"),
        # no numbers
        ("a\nb\nc\n", "@@\n-a\n+A\n@@ -3 +3 @@\n-c\n+C\n", "A\nb\nC\n"),
        ("a\nb\nc\n", "@@ a\n-b\n+B\n@@ -3 +3 @@\n-c\n+C\n", "a\nB\nC\n"),
    ],
)
def test_a_hunk_without_a_header_that_is_indented(original: str, text: str, content: str) -> None:
    for written in (text, indented(text)):
        result = patch(original, written)
        assert (result.content, result.ok) == (content, True)


@pytest.mark.parametrize("text", [UNIFIED, ENVELOPE])
def test_an_item_behind_it_is_none_of_its_lines(text: str) -> None:
    for behind in ("- b: that is all\n", "+ b\n", "2. more\n", "* b\n", " b\n"):
        assert patch(FILE, indented(text) + behind).content == DONE


def test_lines_that_have_lost_their_blanks() -> None:
    for line in ("-c\n+C\n", "+C\n", " c\n", "@@ -3 +3 @@\n-c\n+C\n"):
        result = patch(FILE, indented("--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n a\n-b\n+B\n") + line)
        assert outcome(result)[-1] == "bad_marker"
        assert result.failures[-1].message == UNEVEN
    # or that belong to another patch, of which perhaps the first is an example
    for other in (ENVELOPE, "@@\n-c\n+C\n", "diff --git a/f b/f\n"):
        assert patch(FILE, indented(UNIFIED) + other).failures[-1].message == UNEVEN
        assert patch(FILE, f"{indented(UNIFIED)}And:\n{other}").failures[-1].message == UNEVEN
    result = tree({"f": FILE}, indented(UNIFIED) + GIT)
    assert [(one.reason, one.message) for one in result.failures][-1] == ("bad_marker", UNEVEN)
    # An example behind the patch, or in what is no patch yet, is nothing.
    assert patch(FILE, ENVELOPE + indented(UNIFIED.replace("b", "c"))).content == DONE
    assert not patch("x\n   --- a/f\n   +++ b/f\n   @@ -1 +1 @@\n", " x\n" + indented(UNIFIED)).ok


def test_several_items() -> None:
    second = UNIFIED.replace("/f", "/g")
    text = f"1. First:\n{indented(UNIFIED)}\n2. Then:\n\n{indented(second, '  ')}"
    result = tree({"f": FILE, "g": FILE}, text)
    assert [(change.path, change.after) for change in result.changes] == [("f", DONE), ("g", DONE)]


def test_one_that_breaks_off() -> None:
    for text in (UNIFIED[:58], UNIFIED[:62], UNIFIED[:66], f"{UNIFIED}--- a/", ENVELOPE[:60], f"{GIT}diff --git a/"):
        straight, slanted = patch(FILE, text), patch(FILE, indented(text))
        assert (outcome(slanted), slanted.content) == (outcome(straight), straight.content)
        assert tree({"f": FILE}, indented(text)).ok == tree({"f": FILE}, text).ok
    # what is held is read when there is no more
    assert outcome(patch(FILE, "    --- a/f\n    +++ b/f\n")) == outcome(patch(FILE, " --- a/f\n +++ b/f\n"))
