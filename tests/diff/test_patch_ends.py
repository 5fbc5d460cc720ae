"""What a patch ends with: what is whole, what was cut off, and who knows."""

from __future__ import annotations

from functools import partial

import pytest

from streamparse.diff import DiffResult, DiffStream, PatchStream, apply_patch, apply_to_tree
from tests.diff.kit import apply, block, chunkings, outcome, patch, run, tree

FILE = "a\nb\nc\nd\ne\nf\ng\n"
GIT = "diff --git a/f b/f\n"


def whole(original: str, text: str) -> DiffResult:
    """The result of a text that is known to be whole, the same for every chunking."""
    expected = run(partial(PatchStream, original), [text], complete=True)
    for chunks in chunkings(text):
        assert run(partial(PatchStream, original), chunks, complete=True) == expected
    assert apply_patch(original, text, complete=True).content == expected[1].content
    stream = DiffStream(original)
    stream.feed(text)
    assert stream.finalize(complete=True).content == expected[1].content
    return expected[1]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("@@\n a\n-b\n+B", "a\nB\nc\nd\ne\nf\ng\n"),
        ("@@\n a\n-b", "a\nc\nd\ne\nf\ng\n"),
        ("@@ -1,2 +1,2 @@\n a\n-b\n+B", "a\nB\nc\nd\ne\nf\ng\n"),  # all lines, but the last may be half a line
        ("@@ -1,2 +1,3 @@\n a\n-b\n+B\n", "a\nB\nc\nd\ne\nf\ng\n"),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n", "a\nB\nc\nd\ne\nf\ng\n"),
        ("@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n", "a\nb\nC\nd\ne\nf\ng\n"),  # less context behind than before
        ("@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\ne\nf\ng\n"),  # as much, and one more change may follow
        ("@@ -1,4 +1,5 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\ne\nf\ng\n"),
        ("@@ -4,4 +4,3 @@\n d\n-e\n+E\n f\n", "a\nb\nc\nd\nE\nf\ng\n"),  # down to the end of the file
        ("@@ -6,2 +6,4 @@\n f\n g\n+h\n", "a\nb\nc\nd\ne\nf\ng\nh\n"),
        ("@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -5,3 +5,3 @@\n-e\n+E\n f\n", "a\nB\nc\nd\nE\nf\ng\n"),  # others are right
        ("*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n", "A\nb\nc\nd\ne\nf\ng\n"),
    ],
)
def test_only_who_knows_that_the_text_is_whole_gets_it(text: str, content: str) -> None:
    result = patch(FILE, text)
    assert (result.ok, outcome(result)[-1]) == (False, "truncated")
    for ending in ("```\n", "\nDone.\n") if text.endswith("\n") and "Begin" not in text else ():
        assert patch(FILE, text + ending).content == content
    result = whole(FILE, text)
    assert (result.content, result.ok, set(outcome(result))) == (content, True, {"applied"})


@pytest.mark.parametrize(
    ("text", "outcomes", "known"),
    [
        ("@@\n-a\n+A\n@@\n c\n d\n", ["applied", "truncated"], ["applied", "noop"]),
        ("@@\n c\n d\n", ["truncated"], ["noop"]),
        ("@@\n c\n-d\n", ["applied"], ["applied"]),
        ("@@\n c\n d\n@@\n-a\n+A\n", ["noop", "applied"], ["noop", "applied"]),
        ("@@ -3,2 +3,2 @@\n c\n d\n", ["noop"], ["noop"]),  # its header has announced no more
        ("@@ -3,3 +3,3 @@\n c\n d\n", ["truncated"], ["noop"]),
        ("@@\n f\n g\n\\ No newline at end of file\n", ["noop"], ["noop"]),  # nor can there be any
        ("@@\n c\n d\n\nThat is all.\n", ["noop"], ["noop"]),  # something follows
        ("*** Begin Patch\n*** Update File: f\n@@\n c\n d\n*** End Patch\n", ["noop"], ["noop"]),
    ],
)
def test_a_last_hunk_that_changes_nothing_is_cut_off(text: str, outcomes: list[str], known: list[str]) -> None:
    result = patch(FILE, text)
    assert (outcome(result), result.ok) == (outcomes, outcomes == known)
    assert outcome(whole(FILE, text)) == known


@pytest.mark.parametrize(
    ("counts", "end", "is_cut"),
    [
        ("5,5", "c\nd\n", True),
        ("4,4", "c\nd\n", False),
        ("3,3", "c\nd\n", False),
        ("5,5", "c\nd \n", True),  # blanks do not matter
        ("6,6", "c\nd\ne", True),
        ("5,5", "c\nd\ne", False),
        ("5,5", "c\nx\n", False),  # these are not lines of the file
        ("5,5", "c\ne\n", False),
        ("6,6", "c\nd\nDone.\n", False),
        ("5,5", "\n", True),
        ("7,7", "c\nd\ne\nf\ng\n", False),
        ("7,7", "c\nd\ne\nf\n", True),
    ],
)
def test_lines_of_the_file_behind_a_hunk_without_their_sign_are_counted(counts: str, end: str, is_cut: bool) -> None:
    text = f"@@ -1,{counts.replace(',', ' +1,')} @@\na\n-b\n+B\n{end}"
    assert outcome(patch(FILE, text)) == ["truncated" if is_cut else "applied"]
    assert whole(FILE, text).content == FILE.replace("b", "B")


@pytest.mark.parametrize(
    ("end", "content"),
    [
        ("c\nd\n", "a\nX\nc\nd\ne\nf\ng\n"),
        ("d\ne\n", None),  # context, though not there
        ("\nd\n\ne\n", None),
        ("\n\n", "a\nX\nc\nd\ne\nf\ng\n"),
    ],
)
def test_lines_of_the_file_behind_a_hunk_without_their_sign_are_context(end: str, content: str | None) -> None:
    for header in ("@@", "@@ -1,4 +1,4 @@"):
        result = patch(FILE, f"{header}\n a\n-b\n+X\n{end}")
        assert (result.content, outcome(result)) == (content or FILE, ["applied" if content else "not_found"])


def test_lines_behind_a_hunk_that_the_file_has_not_are_prose_unless_they_are_counted() -> None:
    assert patch(FILE, "@@ -1,2 +1,2 @@\n a\n-b\n+X\nd\nDone.\n").content == "a\nX\nc\nd\ne\nf\ng\n"
    assert patch(FILE, "@@\n a\n-b\n+X\n\nd\nDone.\n").content == "a\nX\nc\nd\ne\nf\ng\n"
    assert outcome(patch(FILE, "@@\n a\n-b\n+X\nd\nDone.\n")) == ["bad_marker"]
    assert outcome(patch(FILE, "@@ -1,4 +1,4 @@\n a\n-b\n+X\nd\nDone.\n")) == ["bad_marker"]


def test_a_fence_and_items_of_a_list_behind_a_hunk_are_no_context() -> None:
    file = "a\nb\nc\n```\nd\n"
    assert patch(file, "@@\n a\n-b\n+B\n```\n").content == "a\nB\nc\n```\nd\n"
    assert outcome(patch(file, "@@\n a\n-b\n+B\nd\n+ c\n")) == ["bad_marker"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("@@\n a\n-b\n+B\n c", "a\nB\nc\nd\ne\nf\ng\n"),  # context that the file has
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c", "a\nB\nc\nd\ne\nf\ng\n"),
        # as much behind as before, and less is missing than one more change with so much context
        ("@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\ne\nf\ng\n"),
        ("@@ -1,3 +1,5 @@\n a\n-b\n+B\n c\n", "a\nB\nc\nd\ne\nf\ng\n"),
        ("@@ -1,4 +1,1 @@\n a\n-b\n+B\n", "a\nB\nc\nd\ne\nf\ng\n"),  # too many on one side
        ("@@ -6,3 +6,3 @@\n f\n-g\n+G\n", "a\nb\nc\nd\ne\nf\nG\n"),  # more than the file has
        ("@@ -1,9 +1,9 @@\n-b\n+B\n c\n@@ -5,2 +5,2 @@\n e\n-f\n+F\n g\n", "a\nB\nc\nd\ne\nF\ng\n"),
        # the lines that are missing come before all others: it is found so much further down
        ("@@ -1 +1 @@\n-a\n+A\n@@ -3,4 +3,4 @@\n d\n-e\n+E\n f\n", "A\nb\nc\nd\nE\nf\ng\n"),
        # a line that is left out is counted, and one that is there twice
        ("@@ -1,6 +1,6 @@\n a\n b\n-c\n+C\n d\n f\n", "a\nb\nC\nd\ne\nf\ng\n"),
        ("@@ -1,4 +1,4 @@\n a\n b\n b\n-c\n+C\n d\n", "a\nb\nC\nd\ne\nf\ng\n"),
    ],
)
def test_what_is_whole_for_all_that_anyone_can_tell(text: str, content: str) -> None:
    result = patch(FILE, text)
    assert (result.content, result.ok, set(outcome(result))) == (content, True, {"applied"})


@pytest.mark.parametrize(
    "last",
    [
        " cc",  # half a line that is longer
        " ",  # a blank line that the file does not have
        "    ",
    ],
)
def test_a_piece_of_a_line_of_context(last: str) -> None:
    file = "alpha\nbeta\nccc = 1\n"
    assert not patch(file, f"@@ -1,3 +1,3 @@\n alpha\n-beta\n+B\n{last}").ok
    assert not patch(file, f"@@\n alpha\n-beta\n+B\n{last}").ok
    almost = "@@\n alpha\n-beta\n+B\n some longer lin"
    assert outcome(patch("alpha\nbeta\nsome longer line\n", almost)) == ["truncated"]
    assert patch("alpha\nbeta\n\n", "@@\n alpha\n-beta\n+B\n ").content == "alpha\nB\n\n"


@pytest.mark.parametrize(
    "piece", ["@", "d", "diff --g", "diff --git a/f", "*", "*** ", "*** Upd", "*** Update File: f", "--- "]
)
@pytest.mark.parametrize("header", ["@@", "@@ -1 +1 @@"])
def test_a_piece_of_what_begins_something_else(header: str, piece: str) -> None:
    result = patch(FILE, f"{header}\n-a\n+A\n{piece}")
    if header == "@@" and piece == "--- ":
        assert outcome(result) == ["not_found"]  # a line that is removed, as far as anyone can tell
    else:
        assert (result.content[:2], outcome(result)) == ("A\n", ["applied", "truncated"])
    if piece != "--- ":
        assert whole(FILE, f"@@ -1 +1 @@\n-a\n+A\n{piece}").edits[0].status == "applied"


def test_a_piece_of_a_patch_alone() -> None:
    assert outcome(patch(FILE, "diff --g")) == ["bad_marker"]
    assert outcome(patch(FILE, "*** Begin Pat")) == ["bad_marker"]


@pytest.mark.parametrize("piece", ["<", "<<<<", "<<<<<<<", "-", "-------", "  <<"])
def test_a_piece_of_a_start_marker_behind_a_block(piece: str) -> None:
    text = block("a\n", "A\n") + piece
    assert outcome(apply(FILE, text)) == ["applied", "truncated"]
    stream = DiffStream(FILE)
    stream.feed(text)
    assert stream.finalize(complete=True).ok
    assert outcome(apply(FILE, f"{text}\n")) == ["applied"]


# --- envelopes


@pytest.mark.parametrize(
    "end", ["*** End Patch", "*** End Patch\n", " *** End Patch", "  *** End Patch\n", " *** End Patch\n```\n"]
)
def test_how_an_envelope_ends(end: str) -> None:
    assert patch(FILE, f"*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+B\n{end}").content == FILE.replace("b", "B")
    result = patch(FILE, f"*** Begin Patch\n*** Delete File: f\n{end}")
    assert (result.ok, result.is_deleted) == (True, True)


def test_an_end_within_a_hunk_is_context() -> None:
    file = "a\n*** End Patch\nb\n"
    text = "*** Begin Patch\n*** Update File: f\n@@\n a\n *** End Patch\n-b\n+B\n"
    assert outcome(patch(file, text)) == ["truncated"]
    assert patch(file, f"{text}*** End Patch").content == "a\n*** End Patch\nB\n"
    assert outcome(patch("a\n", "*** Begin Patch\n*** Update File: f\n@@\n-a\n+*** End Patch\n")) == ["truncated"]
    # before any change
    assert outcome(patch(file, "*** Begin Patch\n*** Update File: f\n@@\n a\n *** End Patch\n")) == ["truncated"]


def test_a_file_is_removed_or_moved_by_a_last_line_without_its_end() -> None:
    assert patch("a\n", "*** Delete File: f").is_deleted
    assert patch("a\n", "*** Update File: f\n*** Move to: g").moved_to == "g"
    assert not patch("a\n", "*** Delete Fi").ok
    for text in ("*** Begin Patch\n*** Delete File: f", f"{GIT}deleted file mode 100644\nindex 1..0\n"):
        assert outcome(patch("a\n", text)) == ["truncated"]
        assert whole("a\n", text).is_deleted


@pytest.mark.parametrize(("name", "whole_name"), [("c", "c.py"), ("src/c.", "src/c.py"), ("c.p", "c.py")])
def test_a_last_line_without_its_end_whose_name_may_be_cut(name: str, whole_name: str) -> None:
    text = f"*** Update File: f.py\n*** Move to: {name}"
    [failure] = patch("a\n", text).failures
    assert (failure.reason, failure.message) == (
        "ambiguous",
        f"The patch ends with the name {name}, without a line break, so that {whole_name} may be meant. "
        "Write the whole name, and a line break behind it.",
    )
    for result in (whole("a\n", text), patch("a\n", text, accept_truncated=True), patch("a\n", f"{text}\n")):
        assert result.moved_to == name
    for other in ("c.py", "c.md"):
        assert patch("a\n", f"*** Update File: f.py\n*** Move to: {other}").moved_to == other


def test_hunks_with_nothing_in_them() -> None:
    result = patch(FILE, "@@\n\n@@\n-a\n+A\n@@\n \t\n@@\n-c\n")
    assert (result.content, outcome(result)) == ("A\nb\nd\ne\nf\ng\n", ["noop", "applied", "noop", "applied"])
    # a heading is that of the next one, unless it has numbers
    assert outcome(patch(FILE, "@@ x\n \t\n@@\n-c\n")) == ["applied"]
    assert outcome(patch(FILE, "@@ -1,1 +1,1 @@ x\n\n@@\n-c\n")) == ["noop", "applied"]
    assert outcome(whole(FILE, "@@ x\n\n@@ y\n\n")) == ["noop"]
    assert outcome(patch(FILE, "@@\n-a\n@@\n\n")) == ["applied", "truncated"]
    assert outcome(whole(FILE, "@@\n-a\n@@\n\n")) == ["applied", "noop"]
    assert outcome(patch(FILE, "@@\nprose\n@@\n-a\n")) == ["bad_marker", "applied"]


# --- new files and binary ones


@pytest.mark.parametrize("header", ["--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n", "*** Add File: f\n", "@@\n", ""])
def test_the_last_newline_of_a_new_file(header: str) -> None:
    assert outcome(patch("", f"{header}+a\n+b")) == ["truncated"]
    assert whole("", f"{header}+a\n+b").content == "a\nb\n"
    assert patch("", f"{header}+a\n+b\n").content == "a\nb\n"
    assert patch("", f"{header}+a\n+b\n\\ No newline at end of file").content == "a\nb"


NEW = "--- /dev/null\n+++ b/f\n"
SIGNATURE = "-- \n2.39.5\n\n\n"


@pytest.mark.parametrize(
    ("text", "content"),
    [
        # Blank lines without a mark are between marked ones, or announced; or they stand behind the file.
        (f"{NEW}@@ -0,0 +1 @@\n+a\n\n", "a\n"),
        (f"{NEW}@@ -0,0 +1 @@\n+a\n\nThat is all.\n\n- really\n", "a\n"),
        (f"{NEW}@@ -0,0 +1,2 @@\n+a\n\n", "a\n\n"),
        (f"{NEW}@@ -0,0 +1,2 @@\n+a\n\n\n", "a\n\n"),
        (f"{NEW}@@ -0,0 +1,3 @@\n+a\n\n+b\n\n", "a\n\nb\n"),
        (f"{NEW}@@ -0,0 +1,9 @@\n+a\n\n+b\n\n```\n", "a\n\nb\n"),
        ("*** Begin Patch\n*** Add File: f\n+a\n\n+b\n\n\n*** End Patch\n", "a\n\nb\n"),
        ("*** Begin Patch\n*** Add File: f\n+a\n+\n\n*** End Patch\n", "a\n\n"),
        # A mail ends with the version of git and blank lines.
        (f"{NEW}@@ -0,0 +1 @@\n+a\n{SIGNATURE}", "a\n"),
        (f"{NEW}@@ -0,0 +1,3 @@\n+a\n\n+-- \n{SIGNATURE}", "a\n\n-- \n"),
        (f"{NEW}@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n{SIGNATURE}", "a"),
    ],
)
def test_blank_lines_behind_a_new_file(text: str, content: str) -> None:
    result = patch("", text)
    assert (result.ok, result.content) == (True, content)


BINARY = "The patch changes f as a binary file. Only lines of text can be changed by a patch: leave it out."


@pytest.mark.parametrize(
    "text",
    [
        f"{GIT}new file mode 100644\nindex 0..1\nBinary files /dev/null and b/f differ\n",
        f"{GIT}new file mode 100644\nindex 0..1\nGIT binary patch\nliteral 4\nLcmZ?wWMBXQ0Pp|+\n\nliteral 0\n\n",
        f"{GIT}index 0..1\nGIT binary patch\ndelta 4\nLcmZ?wWMBXQ0Pp|+\n\ndelta 4\nLcmZ?wWMBXQ0Pp|+\n\n",
        f"{GIT}deleted file mode 100644\nindex 1..0\nBinary files a/f and /dev/null differ\n",
        "Binary files a/f and b/f differ\n",
        "Files a/f and b/f differ\n",
    ],
)
def test_a_binary_file_is_a_failure(text: str) -> None:
    for original in ("", "a\n"):
        result = patch(original, text)
        assert (result.ok, result.content, result.is_deleted) == (False, original, False)
        assert [failure.message for failure in result.failures] == [BINARY]


def test_a_binary_file_behind_another() -> None:
    text = "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+A\nBinary files a/f and b/f differ\n"
    assert (patch("a\n", text, path="g").content, patch("a\n", text, path="g").ok) == ("A\n", True)
    assert [failure.message for failure in patch("a\n", text, path="f").failures] == [BINARY]
    # a line like that which is context, or prose
    assert patch("a\nBinary files x and y differ\nb\n", "@@\n-a\n+A\nBinary files x and y differ\n-b\n").content == (
        "A\nBinary files x and y differ\n"
    )
    assert outcome(patch("a\n", "GIT binary patch\n")) == ["bad_marker"]


def test_a_line_that_was_left_out_before_all_others_must_be_there() -> None:
    # The header counts one more line, and is about the line before: that one is missing, if the file has it.
    # Or one behind is, if nothing shows that the hunk ends there.
    assert patch("a\nb\nc\nd\n", "@@ -1,4 +1,4 @@\n b\n c\n-d\n+D\n").content == "a\nb\nc\nD\n"
    assert outcome(patch(FILE, "@@ -1,4 +1,4 @@\n b\n c\n-d\n+D\n")) == ["truncated"]
    assert patch(FILE, "@@ -2,4 +2,4 @@\n c\n-d\n+D\n e\n").content == "a\nb\nc\nD\ne\nf\ng\n"
    assert outcome(patch(FILE, "@@ -0,4 +0,4 @@\n a\n b\n-c\n+C\n")) == ["truncated"]
    # Nor does a number say so if that of the hunk before is off, too.
    numbered, first = "".join(f"{number}\n" for number in range(1, 20)), "@@ -{} +{} @@\n 2\n-3\n+X\n 4\n"
    last = "@@ -{},4 +{},4 @@\n 10\n-11\n+Y\n 12\n"
    assert outcome(patch(numbered, first.format("2,3", "2,3") + last.format(9, 9))) == ["applied", "applied"]
    assert outcome(patch(numbered, first.format("5,3", "5,3") + last.format(12, 12))) == ["applied", "truncated"]


@pytest.mark.parametrize("content", ["\r", ""])
def test_a_return_that_is_content_does_not_show_how_lines_of_a_patch_end(content: str) -> None:
    first = f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-o{content}\n\\ No newline at end\n+n{content}\n\\ No newline at end\n"
    second = "--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+top\n@@ -1 +2 @@\n-a\n+A\n"
    result = tree({"x": f"o{content}", "y": "a\r\nb\r\n"}, first + second)
    assert [change.after for change in result.changes] == [f"n{content}", "top\r\nA\r\nb\r\n"]


HEADERS = [
    "--- a/h\n",
    "--- a/h\n+++ b/h\n",
    "--- a/h\n+++ b/",
    "diff --git a/h b/h\n",
    "diff --git a/h b/h\nindex 1234567..89abcde 100644\n",
    "diff --git a/h b/h\nindex 1234",
    "diff --git a/h b/h\nindex 1234567..89abcde 100644\n--- a/h\n",
    "diff --git a/h b/h\nindex 1234567..89abcde 100644\n--- a/h\n+++ b/h\n\n",
    "*** Update File: h\n",
]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("counts", ["@@ -1,2 +1,2 @@", "@@ -1,4 +1,4 @@", "@@"])
def test_a_text_that_ends_in_the_header_of_another_file(header: str, counts: str) -> None:
    first = f"--- a/f\n+++ b/f\n{counts}\n a\n-b\n+B\n"
    result = tree({"f": "a\nb\n", "h": "h\n"}, first + header)
    assert [(file.path, outcome(file.result)) for file in result.files] == [("f", ["applied"]), ("h", ["truncated"])]
    assert result.message.splitlines()[0] == "h: The patch breaks off. Write it to its end."
    assert patch("a\nb\n", first + header, path="f").content == "a\nB\n"
    assert outcome(patch("h\n", first + header, path="h")) == ["truncated"]
    [failure] = patch("a\nb\n", first + header).failures
    assert "is about another file" in failure.message


def test_a_text_that_ends_before_the_name_of_another_file() -> None:
    first = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
    for header in ("--- /dev/null\n", "--- /dev/null", "--- a/h", "diff --git a/h b/"):
        result = tree({"f": "a\nb\n", "h": "h\n"}, first + header)
        assert (result.ok, result.failures) == (False, ())
        path = "" if header.endswith("\n") else "f: "  # half a line is no part of its own
        assert result.message.splitlines()[0] == f"{path}The patch breaks off. Write it to its end."
        assert outcome(patch("a\nb\n", first + header)) == ["applied", "truncated"]


def test_what_is_written_like_a_header_and_is_a_line_of_the_hunk() -> None:
    assert patch("a\n-- a/h\n", "@@ -1,2 +1 @@\n a\n--- a/h\n").content == "a\n"
    assert patch("a\n-- a/h\n", "@@ -1,2 +1,2 @@\n a\n--- a/h\n+++ b/h\n").content == "a\n++ b/h\n"
    assert patch("a\n-- x\n", "@@\n a\n--- x\n").content == "a\n"
    # without counts nobody knows
    assert outcome(patch("a\n-- a/h\n", "@@\n a\n--- a/h\n")) == ["noop", "truncated"]
    assert outcome(whole("a\n-- a/h\n", "@@\n a\n--- a/h\n")) == ["noop", "truncated"]
    assert outcome(patch("a\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n--- a/f\n")) == ["applied", "truncated"]


def test_a_header_without_lines_in_a_text_that_is_whole() -> None:
    first = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n"
    sentence = "The patch has no lines for h: write hunks behind its header, or leave it out."
    for header in ("--- a/h\n", "--- a/h\n+++ b/h\n", "diff --git a/h b/h\n"):
        result = apply_to_tree({"f": "a\n", "h": "h\n"}, first + header, complete=True)
        assert [failure.message for failure in result.failures] == [sentence]
    result = tree({"f": "a\n", "h": "h\n"}, first + "diff --git a/h b/h\nindex 1..2\n```\nThat is all.\n")
    assert [failure.message for failure in result.failures] == [sentence]


@pytest.mark.parametrize("blank", ["", "\r", "\r\r", " \r", "\r \r"])
def test_carriage_returns_are_no_more_than_blanks_in_a_blank_line(blank: str) -> None:
    text = f"@@ -1,3 +1 @@\n a\n-{blank}\n-b\n"
    assert [patch(f"a\n{there}\nb\n", text).content for there in (blank, "", "\r\r")] == ["a\n"] * 3


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize(
    ("behind", "expected"),
    [("x\n", ["applied"]), ("", ["applied"]), ("\nx\n", ["applied"]), ("*** End Patch\nx\n", ["truncated"])],
)
def test_the_end_of_a_patch_that_looks_like_context_is_context_if_the_file_goes_on_with_it(
    behind: str, end: str, expected: list[str]
) -> None:
    text = f"*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+c\n *** End Patch{end}"
    assert outcome(patch(f"a\nb\n{behind}", text)) == expected
    whole = patch(f"a\nb\n{behind}", text + "\n*** End Patch\n")
    assert whole.ok == ("***" in behind)


@pytest.mark.parametrize(
    ("count", "end", "expected"),
    [
        (1, "--", ["not_found"]),  # a piece of `-- c`, and the count is wrong anyway
        (2, "--", ["applied", "truncated"]),  # a piece of `--- a/x`
        (2, "-- ", ["applied"]),
        (3, "-- ", ["not_found"]),
        (1, "-- \n", ["applied"]),
        (2, "-- \n", ["applied"]),
        (3, "-- \n", ["not_found"]),
    ],
)
def test_a_mails_signature_without_its_end_may_be_a_piece_of_a_removed_line(
    count: int, end: str, expected: list[str]
) -> None:
    assert outcome(patch("- a\n- b\n- c\n", f"@@ -1,{count} +0,0 @@\n-- a\n-- b\n{end}")) == expected


NUMBERS = "correct the numbers behind `@@`"
LINE_BREAK = "write a line break behind its last line"


@pytest.mark.parametrize(
    ("header", "lines", "shown", "mends"),
    [
        ("@@ -2,7 +2,7 @@", " b\n-c\n+C\n", "announces 7 old and 7 new lines and has 2 and 2", NUMBERS),
        ("@@ -2,7 +2,7 @@", " b\n-c\n+C\n\n\n", "announces 7 old and 7 new lines and has 2 and 2", NUMBERS),
        ("@@ -2,2 +2,3 @@", " b\n-c\n+C\n", "announces 3 new lines and has 2", NUMBERS),
        ("@@ -2,3 +2,2 @@", " b\n-c\n+C\n", "announces 3 old lines and has 2", NUMBERS),
        ("@@ -3 +3 @@", "-c\n", "announces 1 new line and has 0", NUMBERS),
        ("@@ -2,2 +2,2 @@", " b\n-c\n+C", "ends without a line break", LINE_BREAK),
        ("@@", " b\n-c\n+C", "ends without a line break", LINE_BREAK),
        (
            "@@ -2,7 +2,7 @@",
            " b\n-c\n+C",
            "announces 7 old and 7 new lines and has 2 and 2, and ends without a line break",
            f"{NUMBERS} and {LINE_BREAK}",
        ),
    ],
)
def test_what_shows_that_a_hunk_may_be_cut_off_is_said(header: str, lines: str, shown: str, mends: str) -> None:
    file = "a\nb\nc\nd\ne\nf\ng\nh\n"
    said = f"{shown}. If nothing is missing, {mends}; else write its missing lines."
    result = patch(file, f"{header}\n{lines}")
    assert (result.ok, result.failures, result.message) == (False, (), f"Hunk 1 {said}")
    two = f"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a\n{header}\n{lines}"
    if "ends without" in shown:
        assert patch(file, two).message == f"Hunk 2 {said}"
    # What it says is missing is all that is: with that, or if the caller says that nothing is, the patch is applied.
    assert apply_patch(file, f"{header}\n{lines}", complete=True).ok


def test_a_patch_that_breaks_off_is_called_one() -> None:
    for text, sentence in (
        ("@@ -1,3 +1", "The patch breaks off. Write its last hunk to its end."),
        ("@@ -1,3 +1,3 @@\n", "The patch breaks off. Write its last hunk to its end."),
        (
            "@@\n a\n",
            "Hunk 1 has no line with `-` or `+`, so that it changes nothing. If nothing is missing, leave it out; else "
            "write its missing lines.",
        ),
        ("--- a/f\n", "The patch breaks off. Write it to its end."),
        ("*** Begin Patch\n*** Update File: f\n", "The patch breaks off. Write it to its end."),
        (
            "*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n",
            "The patch breaks off. Write its last hunk to its end, and `*** End Patch` behind it.",
        ),
    ):
        result = patch("a\nb\n", text)
        assert (result.ok, result.failures, result.message) == (False, (), sentence)
    # Over a tree, the number is that among the hunks of its file.
    first = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+2\n"
    result = tree({"f": "a\n", "g": "1\n2\n3\n"}, first + "@@ -3 +3 @@\n-3\n+4")
    assert result.message.splitlines()[0] == (
        f"g: Hunk 2 ends without a line break. If nothing is missing, {LINE_BREAK}; else write its missing lines."
    )
