"""Line numbers in front of lines, as tools have them that show files to models."""

from __future__ import annotations

import pytest

from streamparse.diff import str_replace
from streamparse.diff.numbering import Numbering, numberings
from tests.diff.kit import apply, block, outcome, patch

FILE = "import a\ndef f():\n    b\n    c\n"
DONE = "import a\ndef f():\n    b\n    if x:\n        d\n"
FORMS = ["%d | ", "%4d | ", "%d|", "%d: ", "%d:", "%6d\t", "%d→", "%4d→"]


def numbered(form: str, text: str, first: int) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(form % number + line for number, line in enumerate(lines, first))


@pytest.mark.parametrize("form", FORMS)
def test_numbers_as_tools_write_them(form: str) -> None:
    old, new = "    b\n    c\n", "    b\n    if x:\n        d\n"
    for replacement in (numbered(form, new, 3), new):  # lines that are new have none, as a rule
        diff = block(numbered(form, old, 3), replacement)
        assert apply(FILE, diff).content == DONE
        assert str_replace(FILE, numbered(form, old, 3), replacement).content == DONE
    context, removed = numbered(form, old, 3).splitlines(keepends=True)
    added = [f"+{line}" for line in numbered(form, "    if x:\n        d\n", 4).splitlines(keepends=True)]
    assert patch(FILE, f"@@ -3,2 +3,3 @@\n {context}-{removed}{''.join(added)}").content == DONE
    bare = "+    if x:\n+        d\n"
    assert patch(FILE, f"@@ -3,2 +3,3 @@\n {context}-{removed}{bare}").content == DONE


@pytest.mark.parametrize("form", FORMS)
def test_blanks_behind_numbers_are_those_of_the_file(form: str) -> None:
    text = f"@@ -1 +1,2 @@\n-{form % 1}import a\n+{form % 1}if x:\n+{form % 2}    import a\n"
    assert patch(FILE, text).content == FILE.replace("import a", "if x:\n    import a")
    # tabs are, too
    file = FILE.replace("    ", "\t")
    text = f"@@ -3 +3,2 @@\n-{form % 3}\tb\n+{form % 3}\tx\n+{form % 4}\t\ty\n"
    assert patch(file, text).content == file.replace("\tb", "\tx\n\t\ty")


@pytest.mark.parametrize("form", ["%d|", "%d | ", "%d:"])
def test_lines_of_another_depth_than_in_the_file_do_not_show_whose_the_first_blank_is(form: str) -> None:
    file, old, new = "x = 1\nb = 2\nc = 3\n", "    b = 2\n    c = 3\n", "    b = 5\n    c = 3\n"
    for result in (
        apply(file, block(numbered(form, old, 2), new)),
        str_replace(file, numbered(form, old, 2), new),
    ):
        assert (result.content, outcome(result)) == (file, ["ambiguous"])
        assert "without line numbers" in result.failures[0].message
    # New lines with numbers have it, too; and a line at the margin shows it.
    assert apply(file, block(numbered(form, old, 2), numbered(form, new, 2))).content == file.replace("b = 2", "b = 5")
    deep = f"if x:\n    a = 1\n{old}"
    result = apply(deep, block(numbered("%d | ", "if x:\n  a = 1\n", 1), "if y:\n  a = 1\n"))
    assert result.content == deep.replace("x:", "y:")


def test_a_tab_behind_a_bar() -> None:
    assert numberings(["1|\ta", "2|\tb", "3|"]) == [Numbering(1, "|", "\t"), Numbering(1, "|", "")]
    assert apply("a\nb\n", block("1 |\ta\n2 |\tb\n", "1 |\t\ta\n")).content == "\ta\n"


@pytest.mark.parametrize("sign", ["|", ":", "→", "\t"])
def test_numbers_that_do_not_go_up_by_one(sign: str) -> None:
    for numbers, is_one in (((3, 4), True), ((3, 3), False), ((3, 5), False), ((4, 3), False)):
        old = "".join(f"{number}{sign}    {line}\n" for number, line in zip(numbers, "bc", strict=True))
        assert outcome(apply(FILE, block(old, "x\n"))) == ["applied" if is_one or sign == "|" else "not_found"]


def test_lines_of_which_some_have_no_number_or_another_sign() -> None:
    assert numberings(["1: a", "2: b"]) == [Numbering(1, ":", " "), Numbering(1, ":", "")]
    for lines in (["1: a", "b"], ["a", "2: b"], ["1: a", "2→b"], ["1:a", "2|b"]):
        assert numberings(lines) == []
    assert numberings(["1: a", "2:b"]) == [Numbering(1, ":", "")]
    assert Numbering(1, ":", " ").read("2| a") is None
    # what the file has is text
    assert apply("ports:\n  80: a\n", block("  80: a\n", "  81: a\n")).content == "ports:\n  81: a\n"


@pytest.mark.parametrize("sign", [": ", "→", "\t"])
def test_numbers_in_front_of_some_new_lines(sign: str) -> None:
    def check(new: list[str], content: str | None) -> None:
        removed = f"-3{sign}    b\n-4{sign}    c\n"
        text = "".join(f"+{line}\n" for line in new)
        for result in (
            patch(FILE, f"@@ -3,2 +3,{len(new)} @@\n{removed}{text}"),
            apply(FILE, block(removed.replace("-", ""), text.replace("+", ""))),
        ):
            assert result.ok == (content is not None)
            assert result.content == (FILE if content is None else content)
            if content is None:
                assert outcome(result) == ["ambiguous"]
                assert "without line numbers" in result.failures[0].message

    head = "import a\ndef f():\n"
    check([f"3{sign}    x", f"4{sign}    y"], f"{head}    x\n    y\n")
    check([f"3{sign}    x", "", f"5{sign}    y"], f"{head}    x\n\n    y\n")
    check(["    x", "    y"], f"{head}    x\n    y\n")
    check(["    x", f"80{sign}y"], None)
    check([f"3{sign}    x", "    y"], None)
    check([f"3{sign}    x", f"3{sign}    y"], None)


def test_a_text_that_ends_in_a_blank_line_without_its_end() -> None:
    file = "a\nb\n\nc\n"
    for old, new in (
        ("1 | a\n2 | b\n3 | ", "a\nB\n"),
        ("1 | a\n2 | b\n3 | ", "1 | a\n2 | B\n3 | "),
        ("1 | a\n2 | b\n3 |\n", "1 | a\n2 | B\n3 |\n"),
        ("1 | a\n2 | b", "1 | a\n2 | B\n"),
        ("1 | a\n2 | b\n", "1 | a\n2 | B"),
    ):
        assert str_replace(file, old, new).content == "a\nB\n\nc\n"
    assert str_replace(file, "1 | a\n2 | b\n3 | ", "a\nB").content == "a\nB\nc\n"
    assert str_replace(file, "1 | a\n2 | b\n3 | ", "").content == "c\n"


def test_numbers_of_lines_that_are_only_alike() -> None:
    file = "def f():\n    x = three;\n    return x\n"
    old = "1: def f():\n2:     x = three\n3:     return x\n"
    assert apply(file, block(old, "1: pass\n")).content == "pass\n"
    assert outcome(apply(file, block(old.replace("three", "four"), "1: pass\n"))) == ["not_found"]


def test_numbers_of_other_hunks() -> None:
    before = "@@ -1,0 +2 @@\n+2: x\n@@ -3 +4 @@\n-3:     b\n+4:     y\n"
    assert patch(FILE, before).content == "import a\nx\ndef f():\n    y\n    c\n"
    behind = "@@ -1 +1 @@\n-1: import a\n+1: import b\n@@ -2,0 +3 @@\n+3:     x\n"
    assert patch(FILE, behind).content == "import b\ndef f():\n    x\n    b\n    c\n"


@pytest.mark.parametrize("sign", [": ", " | ", "→", "\t"])
def test_numbers_choose_only_the_place_of_which_they_are(sign: str) -> None:
    file = "x\na\nb\nx\na\nb\nx\n"

    def old(*numbers: int) -> str:
        return "".join(f"{number}{sign}{line}\n" for number, line in zip(numbers, "ab", strict=True))

    for numbers, content in (
        ((2, 3), "x\nc\nx\na\nb\nx\n"),
        ((5, 6), "x\na\nb\nx\nc\nx\n"),
        ((6, 7), None),  # one line further
        ((1, 2), None),
        ((40, 41), None),
    ):
        for result in (apply(file, block(old(*numbers), "c\n")), str_replace(file, old(*numbers), "c\n")):
            assert outcome(result) == ["ambiguous" if content is None else "applied"]
            assert result.content == (file if content is None else content)
            assert content is not None or result.failures[0].lines == (2, 5)


def test_numbers_that_are_those_of_no_place_choose_none() -> None:
    file = "a\nb\nc\na\nb\nc\n"
    old = "1 | a\n3 | b\n5 | c\n"
    assert numberings(old.splitlines()) == [Numbering(None, "|", " "), Numbering(None, "|", "")]
    for result in (apply(file, block(old, "x\n")), str_replace(file, old, "x\n")):
        assert (outcome(result), result.failures[0].lines) == (["ambiguous"], (1, 4))
    removed = "".join(f"-{line}\n" for line in old.splitlines())
    assert outcome(patch(file, f"@@\n{removed}+x\n")) == ["ambiguous"]
    assert patch(file, "@@\n-4 | a\n-5 | b\n-6 | c\n+x\n").content == "a\nb\nc\nx\n"
    # one place needs no number, whatever it is
    assert apply("a\nb\nc\n", block(old, "x\n")).content == "x\n"


def test_numbers_of_lines_between_which_the_file_has_blank_ones() -> None:
    file = "a\n\nb\na\n\nb\n"
    assert outcome(apply(file, block("4: a\n5: b\n", "4: c\n"))) == ["ambiguous"]
    assert apply(file, block("4: a\n5: \n6: b\n", "4: c\n")).content == "a\n\nb\nc\n"


@pytest.mark.parametrize("file", ["a\nx\na\n", "a\nx\n"])
def test_numbers_are_those_of_one_place_and_not_of_all(file: str) -> None:
    for old in ("1: a", "1 | a\n"):
        result = str_replace(file, old, "b", replace_all=True)
        assert (result.ok, result.content, outcome(result)) == (False, file, ["ambiguous"])
        assert result.message == (
            "There are line numbers in front of the old lines, which are those of one place, and `replace_all` is for "
            "every place. Repeat the edit without line numbers, or without `replace_all`."
        )
    # what the file has is text
    assert str_replace("1: a\n1: a\n", "1: a", "b", replace_all=True).content == "b\nb\n"


@pytest.mark.parametrize("new", ["  |     x", "+ |     x", "3a |     x", "… |     x"])
def test_a_new_line_beside_a_column_of_numbers_is_in_doubt(new: str) -> None:
    result = apply(FILE, block("3 |     b\n4 |     c\n", f"3 |     b\n{new}\n4 |     c\n"))
    assert (result.content, outcome(result)) == (FILE, ["ambiguous"])
    # a line that is text is none of them
    assert apply(FILE, block("4 |     c\n", "4 |     c\n    x || y\n")).content == f"{FILE}    x || y\n"
    table = "a\n| x | y |\n"
    assert apply(table, block("2 | | x | y |\n", "2 | | x | y |\n| z | w |\n")).content == f"{table}| z | w |\n"


def test_blanks_behind_numbers_of_blank_lines_alone() -> None:
    assert apply("a\n\nb\n", block("2 |\n", "2 |x\n")).content == "a\nx\nb\n"
    assert outcome(apply("a\n\nb\n", block("2 |\n", "2 | x\n"))) == ["ambiguous"]


@pytest.mark.parametrize(
    ("file", "number", "content"),
    [
        # the blank belongs to the text where the line with it is, at that number
        ("x\n a\n", 2, "x\n b\n"),
        ("x\n a\na\n", 2, "x\n b\na\n"),
        ("x\n a\na\n", 3, "x\n a\nb\n"),
        ("x\na\n  a\n", 2, "x\nb\n  a\n"),
    ],
)
def test_the_blank_behind_a_number(file: str, number: int, content: str) -> None:
    assert apply(file, block(f"{number} | a\n", f"{number} | b\n")).content == content


def test_pieces_with_numbers_around_lines_left_out_are_not_found() -> None:
    file = "a\nb\nc\nd\ne\n"
    assert outcome(apply(file, block("1 | a\n2 | b\n...\n5 | e\n", "1 | a\n2 | x\n...\n5 | e\n"))) == ["not_found"]
    assert apply(file, block("a\nb\n...\ne\n", "a\nx\n...\ne\n")).content == "a\nx\nc\nd\ne\n"


def test_numbers_that_are_keys_in_the_text_of_new_lines() -> None:
    file = 'T = {\n    262: ("P", 1),\n    263: ("Q", 1),\n    264: ("R", 1),\n}\n'
    done = file.replace("Q", "Z")
    lines, new = file.splitlines(keepends=True)[1:4], done.splitlines(keepends=True)[1:4]
    old = "".join(f"{number}: {line}" for number, line in enumerate(lines, 2))
    for replacement in ("".join(new), "".join(f"{number}: {line}" for number, line in enumerate(new, 2))):
        assert apply(file, block(old, replacement)).content == done
        assert str_replace(file, old, replacement).content == done
        removed = "".join(f"-{line}" for line in old.splitlines(keepends=True))
        added = "".join(f"+{line}" for line in replacement.splitlines(keepends=True))
        assert patch(file, f"@@\n{removed}{added}").content == done
    assert str_replace(file, '3:     263: ("Q", 1),', '    263: ("Z", 1),').content == done
    # a number that is perhaps that of the line
    for replacement in ("3: {}\n", f"2: {new[0]}3: x\n"):
        assert outcome(apply(file, block(old, replacement))) == ["ambiguous"]


@pytest.mark.parametrize(
    ("header", "content"),
    [
        ("@@ -4 +4 @@", "a\nx\nb\ny\nc\n"),
        ("@@", "a\nx\nb\ny\nc\n"),
        ("@@ -2 +2 @@", None),  # which of the two numbers is right?
        ("@@ -3 +3 @@", None),
    ],
)
def test_the_number_of_a_line_and_that_of_its_hunk(header: str, content: str | None) -> None:
    file = "a\nx\nb\nx\nc\n"
    result = patch(file, f"{header}\n-4\tx\n+y\n")
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "ambiguous"])


def test_a_number_before_a_blank_line_and_that_of_its_hunk() -> None:
    result = patch("a\n\nb\n\nc\n", "@@ -2 +1,0 @@\n-4\t\n")
    assert (result.content, outcome(result)) == ("a\n\nb\n\nc\n", ["ambiguous"])
