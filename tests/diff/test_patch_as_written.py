"""Patches as models write them: what is missing, what is too much, and what they call the file."""

from __future__ import annotations

import pytest

from streamparse.diff import PatchStream, apply_patch
from streamparse.diff.same_path import is_path_of, same_path
from tests.diff.kit import outcome, patch, update, work

GIT = "diff --git a/a.py b/a.py\n"
MOVE = "diff --git a/a.py b/b.py\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{GIT}deleted file mode 100644\nindex 1..0\n",
        f"{GIT}deleted file mode 100644\nindex 1..0\n--- a/a.py\n+++ /dev/null\n",
        f"{MOVE}similarity index 95%\nrename from a.py\nrename to b.py\n",
        f"{MOVE}similarity index 95%\nrename from a.py\nrename to b.py\n--- a/a.py\n+++ b/b.py\n",
        f"{MOVE}similarity index 100%\nrename from a.py\nrename to b",
    ],
)
def test_headers_without_the_lines_that_they_announce(text: str) -> None:
    result = patch("a\n", text)
    assert (result.content, outcome(result), result.is_deleted, result.moved_to) == ("a\n", ["truncated"], False, None)
    accepted = patch("a\n", text, accept_truncated=True)
    assert (accepted.ok, accepted.is_deleted or accepted.moved_to is not None) == (True, True)


def test_a_patch_that_is_not_about_lines() -> None:
    result = patch("a\n", f"{GIT}old mode 100644\nnew mode 100755\n")
    assert (result.ok, result.content, result.mode) == (True, "a\n", 0o755)
    assert patch("a\n", f"{GIT}old mode 100644\nnew mode 100755\n@@ -1 +1 @@\n-a\n+b\n").mode == 0o755
    assert patch("a\n", f"{GIT}deleted file mode 100755\n@@ -1 +0,0 @@\n-a\n").mode is None
    assert patch("", f"{GIT}new file mode 100755\nindex 0..0\n").mode == 0o755
    assert outcome(patch("a\n", f"{GIT}index 1..2\n")) == ["truncated"]
    result = apply_patch("a\n", f"{GIT}index 1..2\n", complete=True)
    assert (result.content, [failure.message for failure in result.failures]) == (
        "a\n",
        ["The patch has no lines for a.py: write hunks behind its header, or leave it out."],
    )


def test_a_new_file_without_its_lines() -> None:
    text = f"{GIT}new file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/a.py\n"
    assert outcome(patch("", text)) == ["truncated"]
    assert patch("", f"{GIT}new file mode 100644\nindex 0..0\n").ok


@pytest.mark.parametrize(
    ("original", "text", "is_complete"),
    [
        ("", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,50 @@\n+1\n+2\n", False),
        ("", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+1\n+2\n", True),
        ("", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,3 @@\n+1\n+2\n", False),
        ("a\nb\n", "@@ -1,2 +1,50 @@\n a\n b\n+1\n+2\n", False),
        ("a\nb\nc\nd\ne\n", "@@ -1,9 +1,9 @@\n a\n-b\n+B\n c\n", False),
        ("a\nb\nc\nd\ne\n", "@@ -1,6 +1,6 @@\n a\n-b\n+B\n c\n", True),
        ("a\nb\nc\nd\ne\n", "@@ -1,7 +1,7 @@\n a\n-b\n+B\n c\n", False),
        # too much of one side: the counts are wrong
        ("a\nb\nc\nd\ne\n", "@@ -1,9 +1,1 @@\n a\n-b\n+B\n c\n", True),
    ],
)
def test_a_hunk_of_which_most_is_missing(original: str, text: str, is_complete: bool) -> None:
    assert outcome(patch(original, text)) == ["applied" if is_complete else "truncated"]


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        # what the header announced is there: removals
        (
            "import os\nimport re\nimport sys\n",
            "@@ -1,3 +1,2 @@\n- import os\n+ import io\nimport re\n- import sys\n",
            "import io\nimport re\n",
        ),
        ("Title\nx\n alpha\n beta\n", "@@ -1,4 +1,2 @@\n-Title\n+Titel\nx\n- alpha\n- beta\n", "Titel\nx\n"),
        ("\n}\n", "@@ -1 +1,2 @@\n+a\n\n", "a\n\n}\n"),
        # behind it: prose
        *(
            ("a\n", f"```diff\n@@ -1 +1 @@\n-a\n+b\n{prose}", "b\n")
            for prose in (
                *("```\nChanges:\n- **bold**: thing\n", "```\n- [x] done\n", "```\n- *thing*\n", "```\n"),
                *("\n---\n\nThat is all.\n", "```\nPros:\n+ fast\n", "--\n2.30.1\n", "-- \n2.30.1\n"),
            )
        ),
        # or changes, if they are no prose
        ("a\nb\nc\n", "@@ -1 +1 @@\n-a\n+A\nb\n-c\n+C\n", "A\nb\nC\n"),
        ("a\n- \nc\n", "@@ -1 +1 @@\n-a\n+b\n-- \n-c\n+d\n", "b\nd\n"),
        ("a\nb\n", "@@ -1 +1 @@\n-a\n+A\n b\n", "A\nb\n"),
        # nobody knows
        ("import re\nimport sys\n", "@@\n-import re\n+import io\n\nimport x\n- import sys\n", None),
        ("import re\nsys\n", "@@\n-import re\n+import io\n\nThat is:\n- import sys\n", "import io\nsys\n"),
    ],
)
def test_changes_and_prose_behind_them(original: str, text: str, content: str | None) -> None:
    result = patch(original, text)
    assert (result.content, outcome(result)) == (content or original, ["applied" if content else "bad_marker"])


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # what the header announced is there, and ends with context: these are items of a list, or new lines
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n+ one more\n", None),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n+ one more\n+ two\n\nThat is all.\n", None),
        # behind a blank line they are a list
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n\n+ one more\n", "a\nB\nc\nd\n"),
        # or the counts are wrong: more or fewer are there, no item, or not all are
        ("@@ -1,3 +1,2 @@\n a\n-b\n+B\n c\n+ one more\n", "a\nB\nc\n one more\nd\n"),
        ("@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+ one more\n", "a\nB\nc\n one more\nd\n"),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n+one\n", "a\nB\nc\none\nd\n"),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n+ one more\n+two\n", "a\nB\nc\n one more\ntwo\nd\n"),
        ("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n+ one more\n d\n", "a\nB\nc\n one more\nd\n"),
        # other lines are so deep, too
        ("@@ -1,3 +1,3 @@\n a\n-b\n+ B\n c\n+ one more\n", "a\n B\nc\n one more\nd\n"),
        # no context comes last, or nothing else
        ("@@ -1,2 +1,2 @@\n a\n-b\n+B\n+ one more\n", "a\nB\n one more\nc\nd\n"),
        ("@@ -1,2 +1,2 @@\n a\n b\n+ one more\n", "a\nb\n one more\nc\nd\n"),
    ],
)
def test_new_lines_that_may_be_items_of_a_list(hunk: str, content: str | None) -> None:
    original = "a\nb\nc\nd\n"
    result = patch(original, hunk)
    assert (result.content, outcome(result)) == (content or original, ["applied" if content else "bad_marker"])


#: What is said of a line of a hunk that has lost its mark.
LOST = (
    "The line `{}` has no mark before it, and is perhaps new. Repeat the hunk with `+` before each new line, and with "
    "a blank before the lines that the file has."
)


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        # the header announces no new line that is not there, one, or two
        ("@@ -1 +1 @@\n-a\n+b\nb2\n", None),
        ("@@ -1 +1,2 @@\n-a\n+b\nb2\n", "b2"),
        ("@@ -1 +1,3 @@\n-a\n+b\nb2\n", "b2"),
        ("@@ -1,2 +1,2 @@\n-a\n+b\n z\nb2\n", None),
        ("@@ -1,2 +1,3 @@\n-a\n+b\n z\nb2\n", "b2"),
        ("@@ -1,9 +1,9 @@\n-a\n+b\nb2\n", None),
        ("@@ -1,9 +1,10 @@\n-a\n+b\nb2\n", "b2"),
        # or has counted the line as one of the file's
        ("@@ -1,2 +1,2 @@\n-a\n+b\nb2\n", "b2"),
        # behind a blank line, if it announces just as many
        ("@@ -1 +1,2 @@\n-a\n+b\n\nb2\n", None),
        ("@@ -1 +1,3 @@\n-a\n+b\n\nb2\n", "b2"),
        ("@@ -1 +1,4 @@\n-a\n+b\n\nb2\n", None),
        ("@@ -1 +1,2 @@\n-a\n+b\n\nb2\n\n", None),
        ("@@ -1 +1,3 @@\n-a\n+b\n\nb2\n\n", "b2"),
        ("@@ -1 +1,4 @@\n-a\n+b\n\nb2\n\n", "b2"),
        ("@@ -1 +1,5 @@\n-a\n+b\n\nb2\n\n", None),
        # or any, and what is there looks like code
        ("@@ -1 +1 @@\n-a\n+b\n\ndef b2():\n    pass\n", None),
        ("@@ -1 +1,2 @@\n-a\n+b\n\ndef b2():\n    pass\n", "def b2():"),
        ("@@ -1 +1,9 @@\n-a\n+b\n\ndef b2():\n\tpass\n", "def b2():"),
        ("@@ -1,2 +1,2 @@\n-a\n+b\n\n\ndef b2():\n    pass\n", "def b2():"),  # the file has no blank line there
        ("@@ -1,2 +1,2 @@\n-a\n+b\n z\n\nif so:\n    pass\n", None),
        ("@@ -1,3 +1,3 @@\n-a\n+b\n z\n\nif so:\n    pass\n", None),  # but here it has
        ("@@ -1 +1,9 @@\n-a\n+b\n\nUse it:\n\n    b2\n", None),
        ("@@ -1 +1,9 @@\n-a\n+b\n\nUse it.\n    b2\n", None),
        ("@@ -1 +1,9 @@\n-a\n+b\n\nUse it so:\n    b2\n", None),
        ("@@ -1 +1,9 @@\n-a\n+b\n\nUse it(so):\n    b2\n", "Use it(so):"),
        ("@@ -1 +1,9 @@\n-a\n+b\n\nUse it.\n```\ndef b2():\n    pass\n", None),
        ("@@\n-a\n+b\n\ndef b2():\n    pass\n", None),
        # without counts it is prose behind a blank line or a fence, unless lines of the file follow
        ("@@\n-a\n+b\nb2\n", "b2"),
        ("@@\n-a\n+b\n\nb2\n", None),
        ("@@\n-a\n+b\n```\nb2\n", None),
        ("@@\n-a\nb\n", "b"),
        ("@@\n-a\n+b\nThat is all.\n", "That is all."),
        ("@@ -1 +1 @@\n-a\n+b\nThat is all.\n", None),
        ("@@ -1,2 +1,2 @@\n-a\n+b\n z\nThat is all.\n", None),
        ("--- a/x\n+++ b/x\n@@\n-a\n+b\nb2\n", "b2"),
        ("*** Update File: x\n@@\n-a\n+b\nb2\n", "b2"),
        ("*** Update File: x\n@@\n-a\n+b\n\nb2\n", None),
        ("@@\n-a\n+b\nb2\n z\n", "b2"),
        ("@@\n-a\n+b\nb2\nz\n", "b2"),
        ("@@\n-a\n+b\nb2\n\n z\n", "b2"),
        ("@@\n-a\n+b\n\nb2\n y\n", None),
        ("@@\n-a\n+b\n z\nb2\n y\n", "b2"),
        ("@@\n-a\n+b\nb2\n```\nz\n", "b2"),
        # behind a fence, only what has a mark and is that line of the file to the letter
        ("@@\n-a\n+b\n```\nb2\n```\n z\n", "```"),
        ("@@\n-a\n+b\n```\nb2\n```\nz\n", None),
        ("@@\n-a\n+b\n```\nb2\n```\n  z\n", None),
        ("@@\n-a\n+b\n```py\n", "```py"),
        # lines of the file are context
        ("@@\n-a\n+b\nz\n", None),
        ("@@ -1 +1,2 @@\n-a\n+b\nz\n", None),
        ("@@ -1 +1,2 @@\n-a\n+b\nz\nb2\n", "b2"),
        ("@@ -1,2 +1,2 @@\n-a\n+b\nz\nb2\n", None),
        # unless others follow that the file does not have behind them
        ("@@\n-a\n+b\nz\n z\n", "z"),
        ("@@\n-a\n+b\nz\n q\n", "z"),
        ("@@\n-a\n+b\nz\n y\n", None),
        # it may be all that is new, or be taken for context that is written twice
        ("@@ -1,2 +1,3 @@\n a\nb2\n z\n", "b2"),
        ("@@\n a\nb2\n z\n", "b2"),
        ("@@ -1,2 +1,3 @@\n a\n z\nb2\n", "b2"),
        ("@@ -1,2 +1,4 @@\n a\n+b2\nz\n z\n+b3\n\n y\n", "z"),
        # or is taken for context that is written with another indentation, as its header shows
        ("@@ -1,2 +1,2 @@\n-a\n+b\n   z\n", None),
        ("@@ -1,1 +1,2 @@\n-a\n+b\n   z\n", "  z"),
        ("@@ -1,1 +1,2 @@\n-a\n+b\n z\n", None),
        ("@@ -1,1 +1,3 @@\n-a\n+b\n   z\n", None),
        # there is no prose in an envelope
        (update("@@\n-a\n+b\nb2\n"), "b2"),
        (update("@@\n-a\n+b\n\nb2\nb3\n"), "b2"),
        (update("@@ -1 +1 @@\n-a\n+b\nb2\n"), "b2"),
        (update("@@\n-a\n+b\n z\nb2\n"), "b2"),
        (update("@@\n-a\n+b\nz\nb2\n"), "b2"),
        (update("@@\n-a\n+b\nz\n\ny\n"), None),
        (update("@@\n-a\n+b\n```\n"), None),
        (update("@@\n-a\n+b\n```\n z\n"), "```"),
        (update("@@\n-a\n+b\n```py\n"), "```py"),
    ],
)
def test_a_line_that_has_lost_its_mark(text: str, lost: str | None) -> None:
    result = patch("a\nz\n\ny\n", text)
    expected = ("b\nz\n\ny\n", []) if lost is None else ("a\nz\n\ny\n", [("bad_marker", LOST.format(lost))])
    assert (result.content, [(failure.reason.value, failure.message) for failure in result.failures]) == expected


@pytest.mark.parametrize(
    ("hunk", "lost"),
    [
        # as many old lines as announced, and one new line too many: one without a mark was perhaps removed
        ("@@ -1,3 +1,3 @@\n one\ntwo 1\n+two 2\n three\n", "two 1"),
        ("@@ -1,3 +1,3 @@\n one\ntwo 1\n+other\n three\n", "two 1"),
        ("@@ -1,3 +1,4 @@\n one\ntwo 1\n+two 2\n three\n", None),
        # one with a mark, if the new line behind it is like it
        ("@@ -1,3 +1,3 @@\n one\n two 1\n+two 2\n three\n", "two 1"),
        ("@@ -1,3 +1,3 @@\n one\n two 1\n+other\n three\n", None),
        ("@@ -1,3 +1,3 @@\n one\n+two 2\n two 1\n three\n", None),
        ("@@ -1,3 +1,4 @@\n one\n two 1\n+two 2\n three\n", None),
        # or as many lines further as there are too many
        ("@@ -1,3 +1,3 @@\n one\n two 1\n three\n+two 2\n+other\n", "two 1"),
        ("@@ -1,3 +1,4 @@\n one\n two 1\n three\n+two 2\n+other\n", None),
    ],
)
def test_context_that_was_perhaps_to_be_removed(hunk: str, lost: str | None) -> None:
    result = patch("one\ntwo 1\nthree\n", hunk)
    assert outcome(result) == ["applied" if lost is None else "bad_marker"]
    assert lost is None or result.failures[0].message == (
        f"The line `{lost}` is context, but by the numbers behind `@@` it is perhaps to be removed. Repeat the "
        "hunk with `-` before each removed line, a blank before the lines that stay, and the right numbers."
    )
    assert result.ok or result.content == "one\ntwo 1\nthree\n"


#: What is said of a line without a mark that may be anything.
DOUBTFUL = (
    "The line `{}` has no mark before it, so it may stay, be removed, or be new. Repeat the hunk with `-` before each "
    "removed line, `+` before each new one, and a blank before the lines that stay."
)


@pytest.mark.parametrize(
    ("file", "hunk", "doubtful"),
    [
        # next to a change, while other context has its sign, and no counts confirm it
        ("a\nb\nc\n", "@@\n a\nb\n+B\n c\n", "b"),
        ("a\nb\nc\n", "@@ -1,2 +1,3 @@\n a\nb\n+B\n c\n", "b"),
        ("a\nb\nc\n", "@@ -1,4 +1,3 @@\n a\nb\n+B\n c\n", "b"),
        ("a\nb\nc\n", "@@ -1,3 +1,4 @@\n a\nb\n+B\n c\n", None),
        ("a\nb\nc\n", update("@@\n a\nb\n+B\n c\n"), "b"),
        ("a\nb\nc\nd\n", "@@\n a\n-b\nc\n d\n", "c"),
        ("a\nb\nc\nd\n", "@@\n a\nb\n-c\n d\n", "b"),
        ("a\nb\nc\nd\n", "@@\na\n b\n-c\n d\n", None),
        # all have lost theirs
        ("a\nb\nc\n", "@@\na\nb\n+B\nc\n", None),
        ("  a\n  b\n  c\n", "@@\n  a\n  b\n+  B\n  c\n", None),
        # the first blank is the sign, or that of the line
        ("/*\n * x 1\n */\n", "@@\n /*\n * x 1\n+ * x 2\n  */\n", " * x 1"),
        ("/*\n * x 1\n */\n", "@@\n /*\n  * x 1\n+ * x 2\n  */\n", None),
        ("a\n  b\n", "@@\n a\n   b\n+  B\n", None),
        ("a\n  b\n  c\n", "@@\n a\n  b\n- c\n+ C\n", None),  # removed lines lack a blank, too
        # between new lines, or before a removed one, what the file has is context behind a new line
        ("a\nb\nc\n", "@@\n a\n+x\nb\n+y\n c\n", "b"),
        ("a\nb\nc\n", "@@\n a\n+x\nb\n-c\n", None),
        ("a\nb\nc\n", "@@\n a\n+x\nb\n c\n", None),
        # unless a line of the hunk is wrong
        ("the first line\nb\nc\n", "@@\n the first lime\n+x\nb\n c\n", "b"),
        # it is all the context there is
        ("a\nb\nc\n", "@@\nb\n+B\n", "b"),
        ("a\nb\nc\n", "@@\n-a\nb\n+B\n", "b"),
        ("a\nb\nc\n", "@@\n-a\nb\n-c\n", "b"),
        ("a\nb\nc\n", "@@\n-a\n+A\nb\n-c\n", None),
        ("a\nb\nc\n", "@@\n+x\nb\n+y\n", "b"),
        ("a\nb\nc\n", "@@\nb\n-c\n+C\n", None),
        # but for blank lines
        ("\na\n\nb\n", "@@\n\na\n+A\n\n", "a"),
        ("\na\n\nb\n", "@@\n\na\n+A\n\nb\n", None),
        ("\na\n\nb\n", "@@ -1,3 +1,4 @@\n\na\n+A\n\n", None),
        ("\na\n\nb\n", "@@\n\n-a\n+A\n\nb\n", None),
        (
            "class A:\n    x = 1\n\n    def r(self):\n        assert self.p\n        go()\n",
            "@@\n+    def q(self):\n        assert self.p\n+        return 1\n+\n",
            "        assert self.p",
        ),
        # the hunk has it as a new line, or removes it elsewhere, or changes nothing
        ("a\n*\nb\n*\nd\n", "@@\n a\n-*\n b\n*\n d\n", "*"),
        ("a\n+\nb\n*\nd\n", "@@\n a\n-+\n b\n*\n d\n", None),
        ("/*\n * a\n *\n * b\n *\n * d\n */\n", "@@\n  * a\n- *\n  * b\n *\n  * d\n", " *"),
        ("/*\n * a\n *\n * b\n *\n * d\n */\n", "@@\n  * a\n- *\n  * b\n  *\n  * d\n", None),
        ("u\na\n\nd\n", "@@\n+u\n a\nd\n", None),
        ("a\nu\nb\n", "@@\n+u\n a\nu\n b\n", "u"),
        ("a\nu\nb\n", "@@\n+v\n a\nu\n b\n", None),
        ("a\nb\nc\n", update("@@\n a\nb\n c\n"), "b"),
    ],
)
def test_context_without_a_sign_next_to_changes(file: str, hunk: str, doubtful: str | None) -> None:
    result = patch(file, hunk)
    told = [] if doubtful is None else [("bad_marker", DOUBTFUL.format(doubtful))]
    assert [(failure.reason.value, failure.message) for failure in result.failures] == told
    assert result.ok is (doubtful is None)


@pytest.mark.parametrize(
    ("hunk", "expected"),
    [
        # a blank less than other context, which is not as deep as in the file either
        ("@@ -2,3 +2,3 @@\n   a;\n  b;\n+  B;\n   c;\n", "bad_marker"),
        ("@@\n   a;\n  b;\n+  B;\n   c;\n", "bad_marker"),
        ("@@ -2,3 +2,4 @@\n   a;\n  b;\n+  B;\n   c;\n", "applied"),
        ("@@ -2,3 +2,3 @@\n   a;\n   b;\n+  B;\n   c;\n", "applied"),
        # as much less than other context, but as deep as in the file
        ("@@\n      a;\n     b;\n+    B;\n     c;\n", "applied"),
    ],
)
def test_an_indented_line_without_a_sign_where_all_are_indented_otherwise(hunk: str, expected: str) -> None:
    assert outcome(patch("f {\n    a;\n    b;\n    c;\n}\n", hunk)) == [expected]


@pytest.mark.parametrize("hunk", ["@@ -2 +2 @@\n  b\n+  B\n", "@@ -1,3 +1,3 @@\n a\n  b\n+  other\n c\n"])
def test_an_indented_line_that_was_to_be_removed_by_the_counts(hunk: str) -> None:
    result = patch("a\n  b\nc\n", hunk)
    assert (result.content, outcome(result)) == ("a\n  b\nc\n", ["bad_marker"])
    assert result.failures[0].message.startswith("The line `  b` is context, but by the numbers behind `@@` it is ")


@pytest.mark.parametrize(
    ("file", "hunk", "content"),
    [
        # the header announces more old lines, and none of them can be context
        ("a\nold\n\nz\n", "@@ -1,3 +1,1 @@\n a\n-old\nnew\n \n", None),
        ("a\nold\nb\nz\n", "@@ -2,3 +2,0 @@\n-old\nnew\n", None),
        ("a\nold\nold2\nb\n", "@@ -2,3 +2,0 @@\n-old\n-old2\nnew\n", None),
        # or it may be, and comes behind that line
        ("a\nold\n\nz\n", "@@ -1,3 +1,2 @@\n a\n-old\nnew\n \n", None),
        ("a\nold\n\nz\n", "@@ -1,4 +1,3 @@\n a\n-old\nprose\n", "a\n\nz\n"),
        # all are there, or prose is behind a blank line
        ("a\nold\n\nz\n", "@@ -1,2 +1,1 @@\n a\n-old\nprose\n \n", "a\n\nz\n"),
        ("a\nold\nb\nz\n", "@@ -2,3 +2,0 @@\n-old\n\nprose\n", "a\nb\nz\n"),
        ("a\nold\n", "@@ -1,1 +1,0 @@\n a\n-old\nprose\n", "a\n"),
    ],
)
def test_a_new_line_behind_removed_ones_is_no_prose(file: str, hunk: str, content: str | None) -> None:
    result = apply_patch(file, hunk, complete=True)
    assert (result.content, outcome(result)) == (content or file, ["applied" if content else "bad_marker"])


def test_blank_context_without_a_mark_is_not_to_be_removed() -> None:
    assert patch("a\n\nc\n", "@@ -1,3 +1,3 @@\n a\n\n+b\n c\n").content == "a\n\nb\nc\n"


BLANK = LOST.replace("The line `{}`", "A blank line")


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        # the header has counted it as context, as new or not at all
        ("a\nb\nc\n", "@@ -1,4 +1,5 @@\n a\n+x\n\n b\n c\n", "a\nx\nb\nc\n"),
        ("a\nb\nc\n", "@@ -1,3 +1,5 @@\n a\n+x\n\n b\n c\n", None),
        ("a\nb\nc\n", "@@ -1,3 +1,4 @@\n a\n+x\n\n b\n c\n", None),
        # with a mark it is context unless that is new by the header
        ("a\nb\nc\n", "@@ -1,3 +1,4 @@\n a\n+x\n \n b\n c\n", "a\nx\nb\nc\n"),
        ("a\nb\nc\n", "@@ -1,3 +1,5 @@\n a\n+x\n \n b\n c\n", None),
        ("a\nb\nc\n", "@@ -1,3 +1,6 @@\n a\n+x\n \n b\n c\n", "a\nx\nb\nc\n"),
        ("a\nb\n", "@@ -1,2 +1,4 @@\n \n+x\n a\n b\n", None),
        # without counts
        ("a\nb\n", "@@\n a\n+x\n\n b\n", None),
        ("a\nb\n", "@@\n a\n+x\n \n b\n", "a\nx\nb\n"),
        ("a\n\nb\n", "@@\n a\n+x\n\n b\n", "a\nx\n\nb\n"),
        ("a\n\nb\n", "@@\n a\n+x\n\n \n b\n", None),
        ("a\n\nb\n", "@@\n a\n+x\n \n \n b\n", "a\nx\n\nb\n"),
        # before and behind all other lines it is nothing, and among new ones it is written
        ("a\nb\n", "@@\n\n a\n+x\n b\n", "a\nx\nb\n"),
        ("a\nb\n", "@@\n a\n+x\n b\n\n", "a\nx\nb\n"),
        ("a\nb\n", "@@\n a\n+x\n\n+y\n b\n", "a\nx\n\ny\nb\n"),
        ("a\n\n\nb\n", "@@ -1,4 +1,6 @@\n a\n+x\n\n+y\n \n b\n", "a\nx\n\ny\n\nb\n"),
        ("a\n\n\nb\n", "@@ -1,3 +1,6 @@\n a\n+x\n\n+y\n \n b\n", None),
        # but behind them it is new if the header announces just as many
        ("a\nb\n", "@@ -1 +1 @@\n-a\n+x\n\n", "x\nb\n"),
        ("a\nb\n", "@@ -1 +1,2 @@\n-a\n+x\n\n", None),
        ("a\nb\n", "@@ -1 +1,3 @@\n-a\n+x\n\n\n", None),
        ("a\nb\n", "@@ -1 +1,2 @@\n-a\n+x\n\n\n", "x\nb\n"),
        # a hunk that changes nothing else
        ("a\nb\n", "@@ -1,3 +1,3 @@\n a\n\n b\n", "a\nb\n"),
        ("a\nb\n", "@@ -1,2 +1,3 @@\n a\n\n b\n", None),
        ("a\nb\n", update("@@\n a\n\n b\n"), None),
        ("a\nb\n", update("@@\n a\n \n b\n"), None),
        ("a\nb\n", update("@@\n a\n b\n"), "a\nb\n"),
        ("a\n\nb\n", update("@@\n a\n\n b\n"), "a\n\nb\n"),
        ("a\n\n", "@@ -1,2 +1,2 @@\n\n\\ No newline at end of file\n", "a\n\n"),
    ],
)
def test_a_blank_line_that_has_lost_its_mark(original: str, text: str, content: str | None) -> None:
    result = patch(original, text)
    expected = (original, [BLANK]) if content is None else (content, [])
    assert (result.content, [failure.message for failure in result.failures]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Behind a blank line, too, what has a mark is context, and what follows it is none the less.
        ("@@ -1,3 +1,5 @@\n a\n-old\n+x\n\n    y = 1\n\n b\n", "not_found"),
        (update("@@\n a\n-old\n+x\n\n    y = 1\n b\n"), "not_found"),
        ("@@\n a\n-old\n+x\n b\n\n    y = 1\n", "not_found"),
        ("@@ -1,3 +1,3 @@\n a\n-old\n+x\n b\n\n    y = 1\n", "applied"),  # but not behind all that is announced
        ("@@\n a\n-old\n+x\n b\n\nUse it:\n\n    y = 1\n", "applied"),  # nor behind prose
    ],
)
def test_context_behind_a_blank_line(text: str, expected: str) -> None:
    result = patch("a\nold\nb\n", text)
    assert (outcome(result), result.ok) == ([expected], expected == "applied")


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        # It changes nothing, and the header says otherwise.
        ("@@ -1,2 +1,2 @@\n a\n b\n\nDone.\n", "a\nb\nc\nd\n"),
        ("@@ -1,2 +1,3 @@\n a\n b\n\nDone.\n", None),
        ("@@ -1,2 +1,1 @@\n a\n b\n\nDone.\n", None),
        ("@@ -1,4 +1,4 @@\n a\n b\n\nDone.\n", "a\nb\nc\nd\n"),
        ("@@ -1,4 +1,4 @@\n a\n\nDone.\n", None),
        # It only removes lines, and more than half of what was announced did not come before a fence, or prose.
        ("@@ -2 +1,0 @@\n-b\n```\n", "a\nc\nd\n"),
        ("@@ -2 +2 @@\n-b\n```\n", None),
        ("@@ -1,2 +1,2 @@\n a\n-b\n```\n", "a\nc\nd\n"),
        ("@@ -1,2 +1,3 @@\n a\n-b\n```\n", None),
        ("@@ -1,4 +1,4 @@\n a\n-b\n\nLet me know!\n", None),
        ("@@ -1,4 +1,4 @@\n a\n-b\n+B\n\nLet me know!\n", "a\nB\nc\nd\n"),
        ("@@ -1,1 +1,4 @@\n a\n-b\n\nLet me know!\n", "a\nc\nd\n"),  # and not more than was announced
    ],
)
def test_lines_that_are_announced_and_did_not_come(hunk: str, content: str | None) -> None:
    original, result = "a\nb\nc\nd\n", patch("a\nb\nc\nd\n", hunk)
    message = (
        "The header of the hunk announces lines that are not there. Repeat it with all of its lines: `+` before each "
        "new one, `-` before each that is removed, and a blank before the others."
    )
    assert (result.content, result.message) == ((original, message) if content is None else (content, ""))
    if content is None and "-b" in hunk:
        assert apply_patch(original, hunk, complete=True).ok


def test_a_line_without_a_mark_that_is_like_one_of_the_file() -> None:
    rest = "".join(f"a line of context that is long enough, {number}\n" for number in range(9))
    context = "".join(f" {line}\n" for line in rest.splitlines())
    for mark, expected in ((" ", ["applied"]), ("", ["bad_marker"])):
        result = patch(f"{rest}total = 1\nend\n", update(f"@@\n{context}{mark}totla = 1\n+new\n end\n"))
        assert outcome(result) == expected


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        # context without its blank: its own first one was taken for that
        (
            "def f():\n    a = 1\n    c = 4\n",
            "@@ -1,3 +1,4 @@\ndef f():\n    a = 1\n+    b = 3\n    c = 4\n",
            "def f():\n    a = 1\n    b = 3\n    c = 4\n",
        ),
        ("  a\n  b\n", "@@\n  a\n-  b\n+  c\n", "  a\n  c\n"),
        # a difference in indentation is one
        ("  a\n  b\n", "@@\n  a\n- b\n+ c\n", "  a\n  c\n"),
        # blank lines among new ones, which the file does not have
        ("x\nz\n", "@@ -1,2 +1,5 @@\n x\n+a\n\n+b\n z\n", "x\na\n\nb\nz\n"),
        ("x\n\nz\n", "@@\n x\n+a\n\n+b\n z\n", "x\na\n\nb\nz\n"),
        ("", "*** Begin Patch\n*** Add File: f\n+a\n\n+b\n*** End Patch\n", "a\n\nb\n"),
        # a byte order mark
        ("\ufeffone\ntwo\n", "@@ -1,2 +1,2 @@\n \ufeffone\n-two\n+2\n", "\ufeffone\n2\n"),
        ("\ufeffone\ntwo\n", "@@ -1 +1 @@\n-\ufeffone\n+\ufeff1\n", "\ufeff1\ntwo\n"),
        ("\ufeffa\n\ufeffa\nb\n", "@@ -1 +1 @@\n-\ufeffa\n+\ufeff1\n", "\ufeff1\n\ufeffa\nb\n"),
        ("\ufeffb\n\ufeffa\nb\n", "@@ -2 +2 @@\n-\ufeffa\n+\ufeff1\n", "\ufeffb\n\ufeff1\nb\n"),
    ],
)
def test_what_models_leave_out(original: str, text: str, content: str) -> None:
    result = patch(original, text)
    assert (result.content, outcome(result)) == (content, ["applied"])


def test_blank_context_says_nothing_but_its_number() -> None:
    assert patch("  \nx\n\ny\n", "@@ -1,1 +1,2 @@\n \n+new\n").content == "  \nnew\nx\n\ny\n"
    assert patch("  \nx\n\ny\n", "@@ -3,1 +3,2 @@\n \n+new\n").content == "  \nx\n\nnew\ny\n"
    assert outcome(patch("  \nx\n\ny\n", "@@\n \n+new\n")) == ["ambiguous"]
    assert outcome(patch("x\n", "@@\n \n+new\n")) == ["not_found"]
    # and what it writes as the file has it, it means
    assert patch("a\n\n", "@@ -2 +2,2 @@\n \n+b\r\n").content == "a\n\nb\r\n"


@pytest.mark.parametrize(
    ("original", "text", "content"),
    [
        ("\ufeffone\ntwo\n", "@@ -1 +1 @@\n-\ufeffone\n+one\n", "one\ntwo\n"),
        ("\ufeffone\ntwo\n", "@@ -1,2 +1,2 @@\n-\ufeffone\n+one\n two\n", "one\ntwo\n"),
        ("\ufeffone\ntwo\n", "@@ -1 +0,0 @@\n-\ufeffone\n", "two\n"),
        ("\ufeffone\r\ntwo\r\n", "@@ -1,2 +1,2 @@\n-\ufeffone\r\n+one\n two\r\n", "one\ntwo\r\n"),
        ("\ufeff\ntwo\n\n", "@@ -1,2 +1,2 @@\n-\ufeff\n+\n two\n", "\ntwo\n\n"),
        # a file that has nothing else
        ("\ufeff", "@@ -1 +0,0 @@\n-\ufeff\n\\ No newline at end of file\n", ""),
        ("\ufeff", "@@ -1 +1 @@\n-\ufeff\n\\ No newline at end of file\n+a\n", "a\n"),
        ("\ufeff", "@@ -1 +1 @@\n-\ufeff\n\\ No newline at end of file\n+\ufeffa\n", "\ufeffa\n"),
    ],
)
def test_a_byte_order_mark_goes_with_the_line_that_has_it(original: str, text: str, content: str) -> None:
    result = patch(original, text)
    assert (result.content, outcome(result)) == (content, ["applied"])


def test_a_byte_order_mark_goes_only_from_the_beginning_of_the_file() -> None:
    removal = "@@ -1 +1 @@\n-\ufeffone\n+one\n"
    assert outcome(patch("one\ntwo\n", removal)) == ["not_found"]
    assert patch("\ufefftwo\n\ufeffone\n", removal).content == "\ufefftwo\none\n"
    # git would have it in the middle of the file then
    assert outcome(patch("\ufeffone\ntwo\n", "@@ -1 +1,2 @@\n+zero\n \ufeffone\n")) == ["not_found"]
    # one hunk keeps it, another does not
    twice = "@@ -1 +1 @@\n-\ufeffone\n+\ufeff1\n" + removal
    assert outcome(patch("\ufeffone\ntwo\n", twice)) == ["applied", "overlap"]


def test_the_number_counts_where_the_heading_only_stands_above() -> None:
    file = "def f():\n    y = 1\n    z = 2\nif c:\n    y = 1\n    z = 2\n"
    text = "@@ -5,2 +5,2 @@ def f():\n     y = 1\n-    z = 2\n+    z = 3\n"
    assert patch(file, text).content == file[:-2] + "3\n"
    # by its number it is below another line of the kind
    assert outcome(patch(file.replace("if c:", "def c():"), text)) == ["ambiguous"]
    far = patch(file.replace("if c:", "def c():"), text.replace("5,2", "15,2"))
    assert far.content.startswith("def f():\n    y = 1\n    z = 3\n")


@pytest.mark.parametrize("word", ["Update file", "Modify File", "UPDATE FILE", "Edit File"])
def test_other_words_for_a_file_to_be_changed(word: str) -> None:
    text = f"*** begin patch\n*** Update File: a.py\n@@\n-a\n+b\n*** {word}: `b.py`\n@@\n-x\n+y\n"
    assert patch("a\nx\n", text + "*** end patch\n", path="a.py").content == "b\nx\n"
    assert patch("a\nx\n", text + "*** end patch\n", path="b.py").content == "a\ny\n"
    assert outcome(patch("a\nx\n", text, path="b.py")) == ["truncated"]


def test_the_path_that_fits_best_is_meant() -> None:
    docs, root = (f"--- a/{path}\n+++ b/{path}\n@@\n-a\n+{new}\n" for path, new in (("docs/R", "d"), ("R", "r")))
    for path in ("docs/R", "./docs/R", "/repo/docs/R"):
        assert patch("a\n", docs + root, path=path).content == "d\n"
    assert patch("a\n", root + docs, path="R").content == "r\n"
    assert outcome(patch("a\n", root + docs, path="docs/R")) == ["applied", "overlap", "ambiguous"]
    move = "diff --git a/R b/S\nsimilarity index 100%\nrename from R\nrename to S\n"
    assert patch("a\n", move + docs, path="docs/R").content == "d\n"
    delete = "*** Begin Patch\n*** Delete File: R\n*** End Patch\n"
    assert not patch("a\n", delete, path="docs/R").is_deleted
    assert patch("a\n", delete, path="./R").is_deleted
    for name in ("a.py (revision 12)", "a.py Tue Jan  2 10:00:00 2024", "a.py 2024-01-02T10:00:00"):
        assert patch("a\n", f"--- {name}\n+++ {name}\n@@\n-a\n+b\n", path="a.py").content == "b\n"


def test_nothing_is_left_of_the_preview_of_a_file_that_is_removed() -> None:
    stream = PatchStream("a\n")
    stream.feed("*** Begin Patch\n*** Delete File: a\n*** End Patch\n")
    assert stream.preview == "a\n"
    stream.finalize()
    assert stream.preview == ""


def test_context_alone_changes_nothing_whatever_it_says_about_the_end() -> None:
    result = patch("a\nb\n", "@@\n a\n b\n\\ No newline at end of file\n")
    assert (result.content, outcome(result), result.edits[0].replacement) == ("a\nb\n", ["noop"], "a\nb\n")


def test_two_insertions_at_one_place() -> None:
    result = patch("a\nb\n", "@@ -1 +1,2 @@\n a\n+x\n@@ -2 +2,2 @@\n+y\n b\n")
    assert result.failures[0].message.startswith(
        "This hunk inserts lines before line 2 of the file, where hunk 1 makes changes already."
    )


def test_a_path_ends_with_another() -> None:
    for path, name, is_it in (
        ("/r/lib/a", "lib/a", True),
        ("a", "lib/a", False),
        ("/r/lib/a", "/lib/a", True),
        ("a", "", False),
    ):
        assert is_path_of(path, name) is is_it


@pytest.mark.parametrize(
    ("one", "other", "is_it"),
    [("lib/a", "/r/lib/a", True), ("/r/lib/a", "a", True), ("./a", "a", True), ("a", "b", False), ("a", "", False)],
)
def test_two_paths_name_the_same_file(one: str, other: str, is_it: bool) -> None:
    assert same_path(one, other) is is_it


def test_hunks_below_one_heading_cost_what_they_are() -> None:
    hunk = "@@ class A:\n-    x\n+    z\n"
    file = "class A:\n    x\n    y\n    x\nclass B:\n    x\n"
    assert patch(file, hunk * 2).content == file.replace("x", "z", 2)

    def cost(size: int) -> int:
        file = "class A:\n" + "    x\n    y\n" * size + "class B:\n    x\n"
        return work(lambda: apply_patch(file, "@@ class A:\n-    x\n+    z\n" * size))

    assert cost(400) < 2.5 * cost(200)
