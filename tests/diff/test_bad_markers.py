"""Markers that are not quite right: reported with the block as it should be, and corrected only on request."""

from __future__ import annotations

import pytest

from streamparse.diff import apply_search_replace
from tests.diff.kit import apply, block, outcome, tree

FILE = "a\nb\nc\n"
EDITED = "a\nB\nc\n"
PROPER = block("b\n", "B\n")
ANGLES = block("b\n", "B\n", "<<<<<<< SEARCH", ">>>>>>> REPLACE")
STARTS = [
    *("-- SEARCH", "- SEARCH", "-------SEARCH", "------- SERCH", "------- search", "======= SEARCH", "------- REPLACE"),
    *("--=--- SEARCH", "******* SEARCH", "------- SEARCH:", "------- SEARCH --", "~~~ Search"),
    *("------- SEARCH a.py", "--- SEARCH (1/2)", "-------\u00a0SEARCH", "------- ORIGINAL"),
]
ENDS = [
    *("++ REPLACE", "+++++++REPLACE", "+++++++ REPLCE", "+++++++ replace", "------- REPLACE", "======= REPLACE"),
    *("+++++++ SEARCH", "  +++++++ REPLACE", "+++++++ REPLACE ++", "+++++++ REPLACE```", "+++ REPLACE: done"),
    *(">>>>>>> UPDATED", "+++++++\u00a0REPLACE", "+++++ REPLCE"),
    *("+++++++", ">>>>>>>", ">>>>>>> END", "+++++++ rx", ">>>>>>> REPLACEMENTS", ">>>>>>> branch"),
]
#: These are as likely to be prose or content, so they only count if nothing follows.
VAGUE_ENDS = [
    *("+ REPLACE", "### REPLACE", "||| Replace |", "+++ REPLCE", "* REPLACE"),
]
#: These are hardly anything else, unless the file has something like it.
UNNAMED_ENDS = ["+++++++", ">>>>>>>", ">>>>>>> END", "+++++++ rx", ">>>>>>> REPLACEMENTS"]


@pytest.mark.parametrize("start", STARTS)
def test_a_bad_start(start: str) -> None:
    diff = f"{start}\nb\n=======\nB\n+++++++ REPLACE\n"
    result = apply(FILE, f"prose\n{diff}more\n")
    assert (result.content, outcome(result)) == (FILE, ["bad_marker"])
    assert (result.failures[0].block, result.failures[0].corrected) == (diff, PROPER)
    assert f"The block begins with `{start}`" in result.failures[0].message
    assert PROPER in result.failures[0].message
    fixed = apply(FILE, diff, fix_markers=True)
    assert (fixed.content, fixed.ok) == (EDITED, True)
    assert fixed.edits[0].fixes == (f"`{start}` is taken for the start marker `------- SEARCH`",)


@pytest.mark.parametrize("end", ENDS)
def test_a_bad_end(end: str) -> None:
    diff = f"------- SEARCH\nb\n=======\nB\n{end}\n"
    for behind in ("", "prose\n", "```\n", block("c\n", "C\n"), "prose\n" + block("c\n", "C\n")):
        result = apply(FILE, diff + behind, marked=True)
        assert outcome(result) == ["bad_marker", *(["applied"] if "C" in behind else [])]
        assert (result.failures[0].block, result.failures[0].corrected) == (diff, PROPER)
        assert f"ends with `{end.strip()}`" in result.failures[0].message
        fixed = apply(FILE, diff + behind, fix_markers=True, marked=True)
        assert fixed.content == EDITED.replace("c", "C" if "C" in behind else "c")
        assert fixed.edits[0].fixes == (f"`{end.strip()}` is taken for the end marker `+++++++ REPLACE`",)


@pytest.mark.parametrize("end", UNNAMED_ENDS)
def test_an_end_without_its_word_is_content_if_the_block_goes_on_or_the_file_has_such_a_line(end: str) -> None:
    diff = f"------- SEARCH\nb\n=======\nB\n{end}\n"
    for fix in (False, True):
        result = apply(FILE, f"{diff}x\n+++++++ REPLACE\n", marked=True, fix_markers=fix)
        assert result.content == f"a\nB\n{end}\nx\nc\n"
        for line in (">>>>>>>", "+++++++ x", "  >>>>>>> b"):
            file = f"{FILE}{line}\n"
            result = apply(file, f"{diff}prose\n", marked=True, fix_markers=fix)
            assert (outcome(result), result.edits[0].replacement) == (["truncated"], f"B\n{end}\nprose\n")
            assert outcome(apply(file, diff, marked=True, fix_markers=fix)) == ["applied" if fix else "bad_marker"]
        for line in (">>>>>> b", ">>>>>>>> b", "x >>>>>>>"):
            assert outcome(apply(f"{FILE}{line}\n", f"{diff}prose\n", marked=True)) == ["bad_marker"]
    unended = f"------- SEARCH\nnope\n=======\nB\n{end}\nprose\n"
    assert apply(FILE, unended + PROPER, marked=True).failures[0].corrected == block("nope\n", "B\n")
    written = f"------- SEARCH\nb\n{end}\n=======\nB\n{end}\nprose\n"
    assert outcome(apply(f"a\nb\n{end}\nc\n", written, marked=True)) == ["truncated"]


@pytest.mark.parametrize("end", VAGUE_ENDS)
def test_a_vague_end_counts_if_nothing_follows(end: str) -> None:
    diff = f"------- SEARCH\nb\n=======\nB\n{end}\n"
    for behind in ("", "\n \n", block("c\n", "C\n"), "\n" + block("c\n", "C\n")):
        result = apply(FILE, diff + behind, marked=True)
        assert outcome(result) == ["bad_marker", *(["applied"] if "C" in behind else [])]
        assert result.failures[0].corrected == PROPER
        fixed = apply(FILE, diff + behind, fix_markers=True, marked=True)
        assert fixed.content == EDITED.replace("c", "C" if "C" in behind else "c")
    for fix in (False, True):
        result = apply(FILE, f"{diff}prose\n", marked=True, fix_markers=fix)
        assert (outcome(result), result.edits[0].replacement) == (["truncated"], f"B\n{end}\nprose\n")
        result = apply(FILE, f"{diff}prose\n" + block("c\n", "C\n"), marked=True, fix_markers=fix)
        assert (outcome(result), result.failures[0].corrected) == (
            ["bad_marker", "applied"],
            block("b\n", f"B\n{end}\nprose\n"),
        )


@pytest.mark.parametrize(
    "new",
    [
        "# API\n\n### Search\nfind\n\n### Replace\nchange\n",
        "# API\n\n### Replace\nchange\n\n### Replace\nfind\n",
        "Commands\n| REPLACE |\n| --- |\n| REPLACE |\n",
        "- INSERT\n- REPLACE\n- DELETE\n* REPLACE\n- UPDATE\n",
        "- REPLACE\n### Search\nb\n+++\n",
        "- REPLACE\n- SEARCH\n",
        "    -- SEARCH\ntext\n    ++ REPLACE\nmore\n",
        "++ REPLACE\n-- SEARCH\nx\n",
        "+++++++ REPLACE it\nx\n",
        "    ------- SEARCH\n    x\n    =======\n    y\n    +++++++ REPLACE\n",
        "Jan\n### March\nReach\n",
    ],
)
def test_what_looks_like_markers_is_content_before_a_proper_end(new: str) -> None:
    for fix in (False, True):
        result = apply(FILE, block("b\n", new), marked=True, fix_markers=fix)
        assert (result.content, outcome(result), result.edits[0].fixes) == (f"a\n{new}c\n", ["applied"], ())


@pytest.mark.parametrize("end", ["++++++", ">>>>>>", ">>>>>>>>", ">>>>>> END", ">>>>>>> the end", "=======", "<<<<<<<"])
def test_what_is_no_vague_end(end: str) -> None:
    diff, file = f"------- SEARCH\nb\n=======\nB\n{end}\n", f"{FILE}===\n"
    assert outcome(apply(file, diff, marked=True)) == ["truncated"]
    assert apply(file, f"{diff}+++++++ REPLACE\n", marked=True).content == f"a\nB\n{end}\nc\n===\n"


def test_an_end_without_its_word_in_a_text_that_is_complete() -> None:
    diff = block("b\n", "B\n").removesuffix(" REPLACE\n")
    assert outcome(apply(FILE, diff, marked=True)) == ["truncated"]
    assert outcome(apply_search_replace(FILE, diff, complete=True)) == ["bad_marker"]


@pytest.mark.parametrize(
    ("line", "alone", "before_prose"),
    [
        # a word that is misspelled
        ("++ REPLCE", "truncated", "truncated"),
        ("+++ REPLCE", "bad_marker", "truncated"),
        ("++++ REPLCE", "bad_marker", "truncated"),
        ("+++++ REPLCE", "bad_marker", "bad_marker"),
        # another word
        ("++++ UPDATED", "truncated", "truncated"),
        ("+++++ UPDATED", "bad_marker", "bad_marker"),
        # text behind it
        ("++ REPLACE it", "truncated", "truncated"),
        ("+++ REPLACE it", "bad_marker", "bad_marker"),
        ("### REPLACE it", "truncated", "truncated"),
    ],
)
def test_how_much_a_line_is_like_an_end_marker(line: str, alone: str, before_prose: str) -> None:
    diff = f"------- SEARCH\nb\n=======\nB\n{line}\n"
    assert outcome(apply(FILE, diff, marked=True)) == [alone]
    assert outcome(apply(FILE, f"{diff}prose\n", marked=True)) == [before_prose]


@pytest.mark.parametrize("text", ["### March\nmore", "##### Each\nmore", "===== Research =====\nmore", "Place\nmore"])
def test_words_that_only_resemble_those_of_markers(text: str) -> None:
    diff = f"------- SEARCH\nb\n=======\nB\n{text}"
    for fix in (False, True):
        result = apply(FILE, diff, fix_markers=fix, accept_truncated=True)
        assert (result.content, outcome(result)) == (f"a\nB\n{text}\nc\n", ["truncated"])


def test_a_block_that_seems_to_begin_before_the_end_of_another() -> None:
    diff = "------- SEARCH\nb\n=======\nB\n------- SERCH\nc\n=======\nC\n+++++++ REPLACE\n"
    result = apply(FILE, diff)
    assert [failure.corrected for failure in result.failures] == [PROPER, block("c\n", "C\n")]
    assert "Another block seems to begin with `------- SERCH`" in result.failures[0].message
    fixed = apply(FILE, diff, fix_markers=True)
    assert (fixed.content, outcome(fixed)) == ("a\nb\nC\n", ["bad_marker", "applied"])


def test_the_correction_is_the_block_that_was_meant() -> None:
    missing = "------- SEARCH\nnope\n=======\nB\n+++++++ REPLCE\nprose\n"
    assert apply(FILE, missing + PROPER).failures[0].corrected == block("nope\n", "B\n")
    file = "Title\n=======\nbody\n"
    heading = "------- SERCH\nTitle\n=======\nbody\n=======\nnew\n+++++++ REPLACE\n"
    corrected = apply(file, heading).failures[0].corrected
    assert corrected == block("Title\n\\=======\nbody\n", "new\n")
    assert apply(file, corrected).content == "new\n"
    assert apply(file, heading, fix_markers=True).content == "new\n"
    deeper = "------- SEARCH\nb\n=======\n  ------- SEARCH\n++ REPLACE\n"
    assert apply(FILE, deeper, marked=True).failures[0].corrected == block("b\n", "  ------- SEARCH\n")
    odd = "------- SERCH\nT\n=====\nb\n=======\nc\n+++++++ REPLACE\n"
    assert apply("T\n=====\nb\n", odd).failures[0].corrected == block("T\n=====\nb\n", "c\n")
    indented = "------- SERCH\nnope\n  =======\nx\n=======\nB\n+++++++ REPLACE\n"
    assert apply(FILE, indented).failures[0].corrected == block("nope\n  =======\nx\n", "B\n")
    for marker in ("------- SEARCH", "+++++++ REPLACE"):
        old = f"------- SERCH\nb\n=======\n\\{marker}\n+++++++ REPLACE\n"
        assert apply(FILE, old).failures[0].corrected == block("b\n", f"\\{marker}\n")
    numbered = "------- SERCH\n:start_line:2\n-------\nb\n=======\nB\n+++++++ REPLACE\n"
    assert apply(FILE, numbered).failures[0].corrected == block(":start_line:2\n-------\nb\n", "B\n")


@pytest.mark.parametrize(
    ("file", "diff", "content"),
    [
        ("a\n---\nb\n", "------- SEARCH\na\n---\nb\n-------\nc\n+++++++ REPLACE\n", "c\n"),
        ("a\n---\nb\n", "------- SEARCH\na\n---\nb\n+++++++ REPLACE\n", None),
        ("a\n---\nb\n", "------- SEARCH\na\n---\n***\nc\n+++++++ REPLACE\n", "c\nb\n"),
        ("a\n---\nb\n", "------- SEARCH\n---\nb\n***\nc\n+++++++ REPLACE\n", "a\nc\n"),
        ("T\n=====\nb\n", "------- SERCH\nT\n=====\nb\n=======\nc\n+++++++ REPLACE\n", "c\n"),
        ("T\n=====\nb\n", "-- SEARCH\nT\n=====\nb\n==\nc\n++ REPLACE\n", "c\n"),
        ("T\n=====\nb\n", "------- SEARCH\nT\n=====\nb\n------- REPLACE\nc\n+++++++ REPLACE\n", "c\n"),
        ("a\nb\n", "-- SEARCH\na\n==\nc\n++ REPLACE\n", "c\nb\n"),
        ("T\n===\nb\n", "------- SEARCH\nT\n===\n~~~\nc\n+++++++ REPLACE\n", "c\nb\n"),
        # the proper separator may have been meant after all
        ("T\n=======\n~~~\nb\n", "------- SEARCH\nT\n=======\n~~~\nc\n+++++++ REPLACE\n", None),
        ("a\nb\n", "-- SEARCH\nx\n==\nc\n++ REPLACE\n", None),
    ],
)
def test_what_was_meant_to_separate(file: str, diff: str, content: str | None) -> None:
    plain = apply(file, diff)
    assert (plain.content, outcome(plain)) == (file, ["bad_marker"])
    fixed = apply(file, diff, fix_markers=True)
    assert (fixed.content, fixed.ok) == (content or file, content is not None)


def test_an_end_without_a_block() -> None:
    stray = block("b\n", "End with:\n+++++++ REPLACE\nand no more.\n")
    result = apply(FILE, stray, marked=True)
    assert (result.content, outcome(result)) == ("a\nEnd with:\nc\n", ["applied", "bad_marker"])
    assert result.failures[0].message == (
        "`+++++++ REPLACE` ends no block. If the block before ended too early, because this or an earlier line "
        "`+++++++ REPLACE` is content, write `\\+++++++ REPLACE` for it."
    )
    assert outcome(apply(FILE, f"b\n+++++++ REPLACE\n{PROPER}")) == ["bad_marker", "applied"]
    assert outcome(apply(FILE, f"{PROPER}\n+++++++ REPLACE\n\n")) == ["applied"]
    assert outcome(apply(FILE, f"{PROPER}x\n+++++++ REPLACE\n+++++++ REPLACE\n")) == ["applied", "bad_marker"]
    loose = "-- SEARCH\nb\n=======\nB\n++ REPLACE\n+++++++ REPLACE\n"
    assert outcome(apply(FILE, loose)) == ["bad_marker"]


@pytest.mark.parametrize(
    "start", ["------- SEARC", "<<<<<<< S", "  ------- SE", "-------SEARCH\nb\n", "--- SEARCH x\n"]
)
def test_a_diff_that_ends_in_the_start_of_another_block(start: str) -> None:
    result = apply(FILE, PROPER + start)
    last = "bad_marker" if "\n" in start else "truncated"
    assert (result.ok, result.content, outcome(result)) == (False, EDITED, ["applied", last])
    result = apply(FILE, f"------- SEARCH\nb\n=======\nB\n{start.lstrip()}", accept_truncated=True)
    assert (result.ok, result.content, outcome(result)) == (False, FILE, ["bad_marker", last])


@pytest.mark.parametrize(
    "prose",
    [
        "### Search\n\nTitle\n=====\n\n",
        "-- SEARCH\n\n",
        "------- REPLACE\n",
        "> ------- SEARCH\n> b\n> =======\n> x\n",
        "-------\n",
        "--- S\n",
    ],
)
def test_prose_that_looks_a_little_like_a_block(prose: str) -> None:
    assert outcome(apply(FILE, prose + PROPER)) == ["applied"]
    assert outcome(apply(FILE, PROPER + prose)) == ["applied"]


def test_markers_are_not_indented_by_more_than_forty_blanks() -> None:
    for size, is_marker in ((39, True), (40, True), (41, False)):
        for blank in (" ", "\t"):
            diff = f"{blank * size}------- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n"
            assert outcome(apply(FILE, diff)) == ["applied" if is_marker else "bad_marker"]


@pytest.mark.parametrize("separator", ["==", "-------", "+++++++", "<<<<<<<", ">>>>>>>", "***", "~~~~", "====== >"])
def test_a_bad_separator(separator: str) -> None:
    diff = f"<<<<<<< SEARCH\nb\n{separator}\nB\n>>>>>>> REPLACE\n"
    result = apply(FILE, diff)
    assert (result.content, outcome(result), result.failures[0].corrected) == (FILE, ["bad_marker"], ANGLES)
    fixed = apply(FILE, diff, fix_markers=True)
    assert (fixed.content, fixed.edits[0].fixes) == (
        EDITED,
        (f"`{separator}` is taken for the separator `=======`",),
    )


@pytest.mark.parametrize(("size", "is_marker"), [(199, True), (200, True), (201, False)])
def test_no_marker_is_longer_than_two_hundred_characters(size: int, is_marker: bool) -> None:
    result = apply(FILE, f"------- SEARCH\nb\n{'=' * size}\nB\n+++++++ REPLACE\n")
    assert (result.content, outcome(result)) == ((EDITED, ["applied"]) if is_marker else (FILE, ["bad_marker"]))
    result = apply(FILE, f"------- SEARCH\nb\n{'*' * size}\nB\n+++++++ REPLACE\n")
    assert (outcome(result), result.failures[0].corrected) == (["bad_marker"], PROPER if is_marker else None)


@pytest.mark.parametrize(
    ("start", "separator", "end"),
    [
        ("+++++++ SEARCH", "=======", "------- REPLACE"),
        (">>>>>>> SEARCH", "=======", "<<<<<<< REPLACE"),
        ("<<<<<<< REPLACE", "=======", ">>>>>>> SEARCH"),
        ("------- REPLACE", "=======", "+++++++ SEARCH"),
        ("------- SEARCH", "======= REPLACE", "+++++++ REPLACE"),
        ("------- SEARCH", "------- REPLACE", "+++++++ REPLACE"),
        ("------- SEARCH", "======= SEARCH", "+++++++ REPLACE"),
        ("-- SEARCH", "------- REPLACE", "+++++++ REPLACE"),
        ("-- SEARCH", "-------", "+++++++ REPLACE"),
        ("-- SEARCH", "======= REPLACE", "+++++++ REPLACE"),
    ],
)
def test_swapped_characters_and_misplaced_words(start: str, separator: str, end: str) -> None:
    diff = f"{start}\nb\n{separator}\nB\n{end}\n"
    expected = ANGLES if start[0] in "<>" else PROPER
    for behind in ("", "prose\n", block("c\n", "C\n")):
        result = apply(FILE, diff + behind, marked=True)
        assert outcome(result) == ["bad_marker", *(["applied"] if "C" in behind else [])]
        assert (result.failures[0].block, result.failures[0].corrected) == (diff, expected)
        fixed = apply(FILE, diff + behind, fix_markers=True, marked=True)
        assert fixed.content == EDITED.replace("c", "C" if "C" in behind else "c")
        proper = (*expected.splitlines()[:1], "=======", *expected.splitlines()[-1:])
        kinds = ("start marker", "separator", "end marker")
        assert fixed.edits[0].fixes == tuple(
            f"`{line}` is taken for the {kind} `{right}`"
            for line, kind, right in zip((start, separator, end), kinds, proper, strict=True)
            if line != right
        )


STYLES = {
    "<": "A block is `<<<<<<< SEARCH`, the old lines, `=======`, the new lines, `>>>>>>> REPLACE`.",
    "-": "A block is `------- SEARCH`, the old lines, `=======`, the new lines, `+++++++ REPLACE`.",
}


@pytest.mark.parametrize(
    ("start", "separator", "end", "what"),
    [
        ("<<<<<< SEARCH:", "=======", ">>>>>>> REPLACE", "The block begins with `{0}`, which is not the marker `{3}`."),
        (">>>>>>> SEARCH", "=======", ">>>>>>> REPLACE", "The block begins with `{0}`, which is not the marker `{3}`."),
        ("### Search", "=======", ">>>>>>> REPLACE", "The block begins with `{0}`, which is not the marker `{3}`."),
        ("<<<<<<< SEARCH", "=======", ">>>>>>> REPALCE", "The block ends with `{2}`, which is not the marker `{4}`."),
        ("<<<<<<< SEARCH", "=======", "+++++++ REPALCE", "The block ends with `{2}`, which is not the marker `{4}`."),
        ("<<<<<<< SEARCH", "***", ">>>>>>> REPLACE", "There is no line `=======` between SEARCH and REPLACE."),
        ("<<<<<<< SEARCH\n:start_line:x", "=======", ">>>>>>> REPLACE", "`:start_line:x` is not a line number."),
    ],
)
def test_what_is_said_of_markers_is_in_the_style_of_the_block(start: str, separator: str, end: str, what: str) -> None:
    for character, table in (("<", {}), ("-", str.maketrans("<>", "-+"))):
        proper = ANGLES.translate(table)
        lines = [line.translate(table) for line in (start, separator, end)]
        [failure] = apply(FILE, f"{lines[0]}\nb\n{lines[1]}\nB\n{lines[2]}\n").failures
        markers = [proper.splitlines()[0], proper.splitlines()[-1]]
        said = what.format(*lines, *markers).translate(table)
        assert failure.message == f"{said} {STYLES[character]} If this is meant, write:\n{proper}"
        assert failure.corrected == proper
    [failure] = apply(FILE, "b\n=======\nB\n>>>>>>> REPLACE\n").failures
    assert failure.message == f"This block has no marker `<<<<<<< SEARCH` before its old lines. {STYLES['<']}"
    [failure] = apply(FILE, ANGLES.replace(">>>>>>> REPLACE\n", ANGLES)).failures
    assert failure.message == (
        f"Another block begins before this one has its end marker. {STYLES['<']} If this is meant, write:\n{ANGLES}"
    )


@pytest.mark.parametrize(
    ("behind", "path"),
    [
        (" src/app.py", "src/app.py\n"),
        (": src/app.py", "src/app.py\n"),
        (" `src/app.py`", "src/app.py\n"),
        (" Makefile", "Makefile\n"),
        (" (the first)", ""),
        (" block", ""),
        (":", ""),
    ],
)
def test_a_path_in_the_marker_is_on_a_line_before_the_corrected_block_of_a_tree(behind: str, path: str) -> None:
    diff = ANGLES.replace("SEARCH", f"SEARCH{behind}")
    said = (
        f"The block begins with `<<<<<<< SEARCH{behind}`, which is not the marker `<<<<<<< SEARCH`. {STYLES['<']} "
        "If this is meant, write:\n"
    )
    [failure] = tree({"src/app.py": FILE}, diff).failures
    assert (failure.message, failure.corrected) == (said + path + ANGLES, path + ANGLES)
    if path == "src/app.py\n":
        corrected = tree({"src/app.py": FILE}, path + ANGLES)
        assert [change.after for change in corrected.changes] == [EDITED]
    [failure] = apply(FILE, diff).failures  # of one file it need not be said which
    assert (failure.message, failure.corrected) == (said + ANGLES, ANGLES)


def test_almost_markers_in_prose_before_a_block() -> None:
    for prose in ("- REPLACE\n", "-- SEARCH\n- SEARCH\n", "# Search\n## Replace\n", "------- REPLACE\n"):
        assert outcome(apply(FILE, prose + PROPER)) == ["applied"]
    swapped = "+++++++ SEARCH\nb\n=======\nB\n------- REPLACE\n"
    for prose in ("- SEARCH\n", "- REPLACE\n"):
        result = apply(FILE, prose + swapped)
        assert [failure.block for failure in result.failures] == [swapped]


def test_no_separator_at_all() -> None:
    for fix in (False, True):
        result = apply(FILE, "------- SEARCH\nb\nB\n+++++++ REPLACE\n", fix_markers=fix)
        assert (outcome(result), result.failures[0].corrected) == (["bad_marker"], None)
        assert "There is no line `=======`" in result.failures[0].message
        # a line that separates, but nothing is found before it
        result = apply(FILE, "------- SEARCH\nnope\n---\nB\n+++++++ REPLACE\n", fix_markers=fix)
        assert (outcome(result), result.failures[0].corrected) == (["bad_marker"], block("nope\n", "B\n"))
    result = apply("a\n---\nb\n", "------- SEARCH\na\n---\nb\n***\nc\n+++++++ REPLACE\n", fix_markers=True)
    assert result.content == "c\n"


def test_start_and_end_are_bad() -> None:
    diff = "-- SEARCH\nb\n=======\nB\n++ REPLACE\n"
    result = apply(FILE, diff)
    assert (outcome(result), result.failures[0].block, result.failures[0].corrected) == (["bad_marker"], diff, PROPER)
    fixed = apply(FILE, f"{diff}prose\n-- SEARCH\nc\n=======\nC\n++ REPLACE\n", fix_markers=True)
    assert fixed.content == "a\nB\nC\n"
    assert len(fixed.edits[0].fixes) == 2
    assert outcome(apply(FILE, diff * 2)) == ["bad_marker"] * 2
    everything = "-- SEARCH\nb\n---\nB\n+++++++ REPLACE\n"
    assert apply(FILE, everything).failures[0].corrected == PROPER
    assert apply(FILE, everything, fix_markers=True).content == EDITED
    assert apply(FILE, "-- SEARCH\nb\nB\n+++++++ REPLACE\n").failures[0].corrected is None


def test_a_bad_block_after_a_bad_end() -> None:
    diff = "------- SEARCH\nb\n=======\nB\n++ REPLACE\nNow:\n-- SEARCH\nc\n=======\nC\n+++++++ REPLACE\n"
    result = apply(FILE, diff)
    assert (result.content, outcome(result)) == (FILE, ["bad_marker", "bad_marker"])
    assert apply(FILE, diff, fix_markers=True).content == "a\nB\nC\n"
    result = apply(FILE, "------- SEARCH\nb\n=======\nB\n++ REPLACE\nx\n=======\nC\n+++++++ REPLACE\n")
    assert (result.content, outcome(result)) == (FILE, ["bad_marker", "bad_marker"])
    cut = "------- SEARCH\nb\n=======\nB\n++ REPLACE\n-- SEARCH\nc\n=======\nC\n"
    assert outcome(apply(FILE, cut)) == ["bad_marker", "bad_marker"]


def test_what_stands_behind_a_bad_end_is_read_again() -> None:
    diff = "------- SEARCH\nb\n=======\nB\n++ REPLACE\nprose\n ------- SEARCH\nc\n"
    for fix, content in ((False, FILE), (True, EDITED)):
        result = apply(FILE, diff, fix_markers=fix)
        assert (result.content, outcome(result)) == (content, ["applied" if fix else "bad_marker", "truncated"])


def test_a_bad_start_without_an_end() -> None:
    diff = "-- SEARCH\nb\n=======\nB\n"
    for fix in (False, True):
        result = apply(FILE, diff, fix_markers=fix)
        assert (outcome(result), result.failures[0].corrected) == (["bad_marker"], PROPER)
        result = apply(FILE, diff + block("c\n", "C\n"), fix_markers=fix)
        assert (result.content, outcome(result)) == ("a\nb\nC\n", ["bad_marker", "applied"])
        result = apply(FILE, f"{diff}-- SEARCH\n", fix_markers=fix)
        assert [(failure.block, failure.corrected) for failure in result.failures] == [(diff, PROPER)]


def test_no_start_at_all() -> None:
    for fix in (False, True):
        result = apply(FILE, "a\n=======\nb\n=======\nB\n+++++++ REPLACE\n", fix_markers=fix)
        assert (result.content, outcome(result), result.failures[0].corrected) == (FILE, ["bad_marker"], None)
    result = apply(FILE, "b\n=======\nB\n+++++++ REPLACE\n", fix_markers=True)
    assert (outcome(result), result.failures[0].corrected) == (["bad_marker"], None)
    assert "no marker `------- SEARCH`" in result.failures[0].message
    assert outcome(apply(FILE, f"=======\n+++++++ RePLACE\n=======\n-- REPLACE\n{PROPER}")) == ["applied"]


def test_a_block_begins_within_another() -> None:
    result = apply(FILE, f"------- SEARCH\na\n=======\nA\n{PROPER}")
    assert (result.content, outcome(result)) == (EDITED, ["bad_marker", "applied"])
    assert result.failures[0].corrected == block("a\n", "A\n")
    assert "Another block begins" in result.failures[0].message
    for fix in (False, True):  # what was meant to be its end is a guess
        result = apply(FILE, f"------- SEARCH\na\n=======\nA\n{PROPER}", fix_markers=fix)
        assert outcome(result) == ["bad_marker", "applied"]
    result = apply(FILE, f"------- SEARCH\na\n{PROPER}")
    assert (outcome(result), result.failures[0].corrected) == (["bad_marker", "applied"], None)
    result = apply(FILE, f"------- SEARCH\nnope\n=======\nA\n{PROPER}")
    assert (outcome(result), result.failures[0].corrected) == (["bad_marker", "applied"], block("nope\n", "A\n"))
    waiting = apply("b\n=======\n", f"------- SEARCH\nb\n=======\nB\n{PROPER}")
    assert (waiting.content, outcome(waiting)) == ("B\n=======\n", ["bad_marker", "applied"])
    unended = "------- SEARCH\nb\n=======\nx\n++ REPLACE\n"
    waiting = apply("b\n=======\nc\n", unended + block("c\n", "C\n"))
    assert (waiting.content, outcome(waiting)) == ("b\n=======\nC\n", ["bad_marker", "applied"])
    assert (waiting.failures[0].block, waiting.failures[0].corrected) == (unended, block("b\n", "x\n"))
    assert "ends with `++ REPLACE`" in waiting.failures[0].message


def test_the_correction_of_a_block_without_final_newline() -> None:
    assert apply(FILE, "------- SEARCH\nb\n=======\nB\n++ REPLACE").failures[0].corrected == PROPER
    assert apply(FILE, "-- SEARCH\nb\n=======\nB").failures[0].corrected == PROPER
    assert apply(FILE, "-- SEARCH\nb\n=======\nB\r").failures[0].corrected == block("b\n", "B\r\n")
    assert apply("", "-- SEARCH\n=======\n++ REPLACE", fix_markers=True).edits[0].status == "noop"
