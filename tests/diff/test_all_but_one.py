"""Lines that are all there but for one, and hunks that can be read so in several ways."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_patch
from streamparse.diff.all_but_one import Kind, readings_from, readings_in, readings_up_to
from streamparse.diff.at_number import AtNumber
from streamparse.diff.context import find_despite_context
from streamparse.diff.hunk_lines import HunkLines, Line
from streamparse.diff.index import Budget, FileIndex
from streamparse.diff.place import Place
from streamparse.diff.table import LineTable
from tests.diff.kit import outcome, patch


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("abcd", []),
        ("axcd", [(Kind.OTHER, 1, 0)]),
        ("acd", [(Kind.ABSENT, 1, 0)]),
        ("axbcd", [(Kind.MORE, 1, 0)]),
        ("xbcd", [(Kind.OTHER, 0, 0)]),
        ("abcx", [(Kind.OTHER, 3, 0), (Kind.ABSENT, 3, 0)]),
        ("abc", [(Kind.ABSENT, 3, 0)]),
        ("bcd", [(Kind.ABSENT, 0, 0)]),
        ("xabcd", []),  # one more before all of them is none between them
        ("abcdd", [(Kind.MORE, 3, 0)]),  # which of the two is the one that the lines have?
        ("axxd", []),
        ("ab", []),
        ("", []),
    ],
)
def test_how_lines_differ_from_those_that_are_found(found: str, expected: list[tuple[Kind, int, int]]) -> None:
    readings = [(one.kind, one.at, one.start) for one in readings_from(list("abcd"), list(found), 0)]
    assert readings == expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("abcd", []),
        ("axcd", [(Kind.OTHER, 1, 0)]),
        ("zacd", [(Kind.ABSENT, 1, 1)]),
        ("axbcd", [(Kind.OTHER, 0, 1), (Kind.ABSENT, 0, 2), (Kind.MORE, 1, 0)]),
        ("xbcd", [(Kind.OTHER, 0, 0), (Kind.ABSENT, 0, 1)]),
        ("bcd", [(Kind.ABSENT, 0, 0)]),
        ("abcx", [(Kind.OTHER, 3, 0)]),
        ("aabcd", [(Kind.MORE, 1, 0)]),
        ("abcdx", []),
    ],
)
def test_the_same_from_behind(found: str, expected: list[tuple[Kind, int, int]]) -> None:
    readings = [(one.kind, one.at, one.start) for one in readings_up_to(list("abcd"), list(found), len(found))]
    assert readings == expected


@pytest.mark.parametrize(
    ("keys", "found", "kind", "numbers"),
    [
        ("assb", "asb", Kind.ABSENT, {1, 2}),
        ("asb", "assb", Kind.MORE, {1, 2}),
    ],
)
def test_of_equal_lines_any_may_be_the_one(keys: str, found: str, kind: Kind, numbers: set[int]) -> None:
    ways = [readings_from(list(keys), list(found), 0), readings_up_to(list(keys), list(found), len(found))]
    assert [{one.at for one in way if one.kind is kind} for way in ways] == [numbers, numbers]


@pytest.mark.parametrize("keys", [[], ["a"]])
def test_too_few_lines_are_not_looked_for(keys: list[str]) -> None:
    for table in (LineTable(["", "a", "", "a"]), LineTable([])):
        for _ in range(20):  # by scanning, and by an index
            table.places(["b"])
            assert list(readings_in(table, keys, Budget(100))) == []


def test_where_the_lines_stand() -> None:
    [other] = readings_from(list("abc"), list("axc"), 0)
    assert [other.origin(number) for number in range(3)] == [0, 1, 2]
    assert [other.equal(number) for number in range(3)] == [0, None, 2]
    [absent] = readings_from(list("abc"), list("zac"), 1)
    assert [absent.origin(number) for number in range(3)] == [1, None, 2]
    [more] = readings_from(list("abc"), list("axbc"), 0)
    assert [more.equal(number) for number in range(3)] == [0, 2, 3]


def test_hunks_of_a_single_line() -> None:
    result = patch(
        "t = title\nif s is None:\nm = g(s)\n_",
        " :\n+\n if s is None:\n@@\nm = g(s)\n-)\n@@\n\n-t = title\n",
    )
    assert outcome(result) == ["not_found", "not_found", "applied"]


LONG = "".join(f"value_{number} = compute({number})\n" for number in range(20))
KEPT = "".join(f" {line}\n" for line in LONG.splitlines())


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # `c` is written twice; or the second one is `z` now
        ("a\nb\nc\nz\n", "+n\n a\n b\n c\n c\n+x\n"),
        # `z` is left out; or it is in the place of the line that is to be removed
        ("p\ns\nz\np\np\nq\np\n", "-p\n+n\n s\n-p\n+o\n p\n"),
        # `n` before `c` is left out; or `t` is gone from the file
        ("n\nt\n\nn\n\nc\nt\n", " n\n+x\n t\n \n c\n"),
        # `w` is left out; or the file has lost one `s`
        ("g\n\ns\n\ns\n\nw\n\ns\n\ns\n", " g\n s\n \n+x\n s\n \n s\n"),
        # the last `w` of the file is left out; or the second `- a` is gone from it
        ("- a\n  w\n\n- a\n  w\n\n  w\nend\n", " - a\n   w\n \n+n\n - a\n   w\n end\n"),
        # `b` is written twice, and one of the blank lines before it is left out: is `n` before that, or behind it?
        ("a\n\n\n\nb\nc\n", " a\n+n\n \n \n b\n b\n"),
        # `two` is left out, and `four` is deeper than in the file: it may be a new line that has lost its mark
        ("one\ntwo\nthree\nfour\nfive\n", " one\n three\n   four\n+n\n five\n"),
        # `z` is left out; or `p` is what the file has for `q` now, elsewhere
        ("p\nz\nl\nr\nu\nq\nl\nr\n", " p\n l\n-r\n"),
        # `z` is left out; or it is what the file has for a line that is to be removed, and the last `c` is another
        ("a\nc\nz\nc\nc\nc\n", " a\n c\n-c\n-c\n+n\n c\n"),
        # another word than in `import b`; or than in `import a`, and `import b` is left out
        ("import a\nimport b\n\n" + LONG, " import zebra\n+n\n \n" + KEPT),
        (LONG + "import b\nimport a\n", KEPT + "+n\n import zebra\n"),
        ("state_1 = 0\nstate_2 = 0\n" + LONG, " state_3 = 0\n+n\n" + KEPT),
        # `zebra` is no misspelling of the line next to `x`, however long the hunk is
        (LONG + "b = a.f\nc\n", KEPT + "+x\n zebra\n"),
        # `z` is left out, or not: a blank line more is gone, or not
        ("a\nz\n\nz\n\n\n", " a\n \n-z\n \n"),
        # a slip, and a blank line more: was the line between them left out?
        ("name\narea here\n- r\n\n- r\n\n- r\n", " name\n aera here\n+x\n \n-- r\n \n - r\n"),
    ],
)
def test_a_hunk_with_one_wrong_line_that_can_be_read_in_two_ways_is_refused(file: str, hunk: str) -> None:
    result = apply_patch(file, f"@@\n{hunk}")
    assert (result.ok, result.content) == (False, file)


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # the file has `d` as often as the hunk, so it is no other line now
        ("a\nc\nb\nz\nd\n", " a\n c\n b\n d\n+x\n", "a\nc\nb\nz\nd\nx\n"),
        # another word
        (
            LONG + "a.f = b\n",
            KEPT + "+x\n a.zebra = b\n",
            LONG + "x\na.f = b\n",
        ),
        (f"other\nimport b\n{LONG}", f" import zebra\n+n\n{KEPT}", f"other\nimport b\nn\n{LONG}"),
        (f"import user\nimport name\n{LONG}", f" import nmae\n+n\n{KEPT}", f"import user\nimport name\nn\n{LONG}"),
        (f"state_1\nstate_2\n{LONG}n\n", f" state_3\n{KEPT}+n\n n\n", f"state_1\nstate_2\n{LONG}n\nn\n"),
        # whichever `- a` is left out, the same line goes
        ("x\n- a\n\n- a\n\n- a\n- b\n\n- a\n", " - a\n - a\n-- b\n", "x\n- a\n\n- a\n\n- a\n\n- a\n"),
    ],
)
def test_ways_to_read_a_hunk_that_make_the_same_file_are_one(file: str, hunk: str, content: str) -> None:
    result = apply_patch(file, f"@@\n{hunk}")
    assert (result.ok, result.content) == (True, content)


@pytest.mark.parametrize(
    ("file", "hunk"),
    [
        # `z` is left out, or one of several equal lines has become `z`
        ("a\nc\nb\nz\nc\n", " a\n c\n b\n c\n+x\n"),
        ("i\nw\nz\n\n- s\n\n- s\n\n- s\n\n", " i\n-w\n - s\n-\n-- s\n-\n - s\n"),
    ],
)
def test_one_of_several_equal_lines_may_be_another_line_now(file: str, hunk: str) -> None:
    result = apply_patch(file, f"@@\n{hunk}")
    assert (result.ok, result.content) == (False, file)


@pytest.mark.parametrize(("blanks", "content"), [(1, "a = 0\n\nnew\nb = 1\nc = 2\n"), (2, None)])
def test_next_to_a_line_that_is_written_twice_a_new_one_has_its_place(blanks: int, content: str | None) -> None:
    # of two blank lines, it may be before the second or behind it
    file = "a = 0\n" + "\n" * blanks + "b = 1\nc = 2\n"
    result = apply_patch(file, "@@\n a = 0\n \n+new\n b = 1\n b = 1\n c = 2\n")
    assert (result.ok, result.content) == (content is not None, content or file)


@pytest.mark.parametrize(("size", "expected"), [(446, False), (447, True)])
def test_of_very_many_equal_lines_any_may_be_the_one_at_the_number(size: int, expected: bool) -> None:
    # one of them is gone: there are as many readings as lines, of which none shows anything
    index = FileIndex("x\n" * (size - 1) + "y\n")
    lines = HunkLines([Line(" ", "x", "\n")] * size)
    there = AtNumber(index, lines, Place(0, size, [None] * size), 0, is_one_enough=True)
    assert there.is_stale(may_share=True) is expected


def test_a_search_that_cannot_be_paid_for_finds_nothing() -> None:
    block = "aa = 1\nbb = 2\nextra%d = 0\ncc = 3\ndd = 4\n"
    file = block % 1 + "x\n" * 3 + block % 2 + "end\n"
    written = [" aa = 1", " bb = 2", " cc = 3", "-dd = 4"]
    lines = HunkLines([Line(line[0], line[1:], "\n") for line in written])
    for amount in (*range(80), 3_000_000):  # both places are found, or none
        index = FileIndex(file)
        index.similar = Budget(amount)
        assert find_despite_context(index, lines) is None
