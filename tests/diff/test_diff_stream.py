"""A diff of whatever kind: it is kept until its kind is known, and then it is as if the stream had been that one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from streamparse.diff import (
    DiffError,
    DiffStream,
    PatchStream,
    SearchReplaceStream,
    apply_search_replace,
    apply_to_tree,
)
from streamparse.errors import ParserStateError
from tests.diff.kit import apply, block, chunkings, outcome, patch, run, tree

FILE = "a\nb\nc\n"
PATCH = "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-b\n+B\n"


@pytest.mark.parametrize(
    ("diff", "kind"),
    [
        (block("b\n", "B\n"), SearchReplaceStream),
        ("Some prose.\n\ufeff\n" + block("b\n", "B\n") + block("x\n", ""), SearchReplaceStream),
        ("\ufeff" + block("b\n", "B\n"), SearchReplaceStream),
        ("-- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n", SearchReplaceStream),
        ("------- SEARCH\nb\n=======\nB", SearchReplaceStream),
        (PATCH, PatchStream),
        ("\ufeffHere:\r\n" + PATCH, PatchStream),
        ("*** Begin Patch\n*** Update File: f\n@@\n-b\n+B\n", PatchStream),
        ("no diff at all\n", SearchReplaceStream),
        ("", SearchReplaceStream),
        ("\n\n", SearchReplaceStream),
    ],
)
@pytest.mark.parametrize("accept_truncated", [False, True])
def test_it_is_as_if_it_were_known(diff: str, kind: Any, accept_truncated: bool) -> None:
    expected = run(lambda: kind(FILE), [diff], accept_truncated=accept_truncated)
    for chunks in chunkings(diff):
        assert run(lambda: DiffStream(FILE), chunks, accept_truncated=accept_truncated) == expected, chunks


def test_the_kind_is_told_when_it_is_known() -> None:
    stream = DiffStream(FILE)
    assert (stream.kind, stream.preview, stream.result.content) == (None, FILE, FILE)
    assert stream.feed("prose\n------- SEARCH") == []
    assert stream.kind is None
    assert [event.type for event in stream.feed("\n")] == ["block_started"]
    assert stream.kind == "search_replace"
    stream.feed("b\n=======\nB")
    assert (stream.preview, stream.result.content) == ("a\nB", FILE)
    patch = DiffStream(FILE)
    patch.feed("@@ ")
    assert patch.kind == "patch"


def test_it_takes_the_options_of_both() -> None:
    several = PATCH + PATCH.replace("/f", "/g").replace("B", "G")
    for path in ("g", Path("src") / "g"):
        stream = DiffStream(FILE, path=path)
        stream.feed(several)
        assert stream.finalize().content == "a\nG\nc\n"
    stream = DiffStream(FILE, fix_markers=True)
    stream.feed("-- SEARCH\nb\n=======\nB\n+++++++ REPLACE\n")
    assert stream.finalize().content == "a\nB\nc\n"
    for diff in (block("bcdefghix\n", "B\n"), "@@\n-bcdefghix\n+B\n"):
        stream = DiffStream("a\nbcdefghij\n", threshold=0.79)
        stream.feed(diff)
        assert stream.finalize().content == "a\nB\n"
    anchored = DiffStream("a\nbcdefghij\nc\n", anchor_similarity=0.95)
    anchored.feed(block("a\nbcdefghix\nc\n", "B\n"))
    assert outcome(anchored.finalize()) == ["not_found"]


def test_misuse_is_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"^path must name a file"):
        DiffStream(FILE, path="")
    with pytest.raises(ValueError, match=r"^path must name a file"):
        PatchStream(FILE, path="")
    with pytest.raises(TypeError, match=r"^path must be a str or a path object, not bytes$"):
        PatchStream(FILE, path=b"a.txt")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^threshold must be from 0 to 1, not 90$"):
        DiffStream(FILE, threshold=90)
    with pytest.raises(ValueError, match=r"^anchor_similarity must be from 0 to 1, not nan$"):
        DiffStream(FILE, anchor_similarity=float("nan"))
    with pytest.raises(TypeError, match=r"^threshold must be a number from 0 to 1, not 'a'$"):
        DiffStream(FILE, threshold="a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^the text of the file must be a str, not NoneType$"):
        DiffStream(None)  # type: ignore[arg-type]
    stream = DiffStream(FILE)
    with pytest.raises(TypeError, match=r"^the diff must be a str, not bytes$"):
        stream.feed(b"x")  # type: ignore[arg-type]
    stream.feed("no diff at all")
    with pytest.raises(DiffError):
        stream.finalize(strict=True)
    assert outcome(stream.finalize()) == ["bad_marker"]
    with pytest.raises(ParserStateError):
        stream.feed("x")


def test_a_long_line_is_looked_at_once() -> None:
    stream = DiffStream(FILE)
    for _ in range(100):
        stream.feed("x" * 7)
    stream.feed("\n" + PATCH)
    assert stream.finalize().content == "a\nB\nc\n"


def test_no_event_is_lost_when_the_kind_is_only_known_at_the_end() -> None:
    for diff in ("a\n>>>>>>> REPLACE\n", "-- SEARCH\nb\n==\nB\n++ REPLACE\n"):
        for fix in (False, True):
            *expected, _ = run(partial(SearchReplaceStream, FILE, fix_markers=fix), [diff])
            *found, before = run(partial(DiffStream, FILE, fix_markers=fix), [diff])
            assert (found, before) == (expected, FILE)


@pytest.mark.parametrize("start", ["------- SEARCH", "<<<<<<< SEARCH"])
def test_a_text_with_both_a_patch_and_blocks_is_refused(start: str) -> None:
    hunk, blocks = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n", block("b\n", "B\n", start)
    sentence = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."
    behind = f"*** Begin Patch\n*** Update File: f\n@@\n-a\n+A\n*** End Patch\n{blocks}"
    for text in (behind, f"{blocks}{hunk}"):
        stream = DiffStream("a\nb\n")
        stream.feed(text)
        assert [failure.message for failure in stream.finalize().failures] == [sentence]
    assert [failure.message for failure in patch("a\nb\n", behind).failures] == [sentence]
    assert [failure.message for failure in apply("a\nb\n", f"{blocks}{hunk}").failures] == [sentence]
    assert [failure.message for failure in apply("a\nb\n", f"{hunk}{blocks}").failures] == [sentence]


@pytest.mark.parametrize(
    ("hunk", "content"),
    [
        ("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nB\nc\n"),
        ("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n\n", "a\nB\nc\n"),
        ("@@\n a\n-b\n+B\n", "a\nB\nc\n"),
        ("*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+B\n", "a\nB\nc\n"),
        ("*** Begin Patch\n*** Update File: f\n", "a\nb\nc\n"),
        ("--- a/f\n+++ b/f\n", "a\nb\nc\n"),
    ],
)
@pytest.mark.parametrize("behind", ["", "prose\n", "*** End Patch\n"])
def test_of_a_block_in_a_patch_only_that_is_told(hunk: str, content: str, behind: str) -> None:
    sentence = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."
    text = hunk + block("c\n", "x\n", "<<<<<<< SEARCH", ">>>>>>> REPLACE") + behind
    result = patch("a\nb\nc\n", text)
    assert ([failure.message for failure in result.failures], result.content) == ([sentence], content)
    if "f\n@@" in hunk or "*** " in hunk:
        assert [failure.message for failure in tree({"f": "a\nb\nc\n"}, text).failures] == [sentence]
    if "+B" in hunk and "***" not in hunk:  # hunks behind it are read
        assert patch("a\nb\nc\n", f"{text}@@\n-c\n+C\n").content == content.replace("c", "C")


@pytest.mark.parametrize("start", ["------- SEARCH", "<<<<<<< SEARCH"])
def test_a_text_of_the_other_kind_is_told_with_what_to_write_instead(start: str) -> None:
    blocks = "Here you are:\n" + block("b\n", "B\n", start) * 2
    [failure] = patch(FILE, blocks).failures
    assert (failure.reason, failure.message) == (
        "bad_marker",
        "This text is SEARCH/REPLACE blocks. Write a patch, not SEARCH/REPLACE blocks. A patch has lines that begin "
        "with `@@`, and behind them context, `-` and `+` lines.",
    )
    for text in (PATCH, "*** Begin Patch\n*** Update File: f\n@@\n-b\n+B\n*** End Patch\n"):
        [failure] = apply(FILE, text).failures
        assert (failure.reason, failure.message) == (
            "bad_marker",
            "This text is a patch. Write SEARCH/REPLACE blocks, not a patch. A block is `------- SEARCH`, the old "
            "lines, `=======`, the new lines, `+++++++ REPLACE`.",
        )


@pytest.mark.parametrize(
    "patch",
    [
        "*** Update File: a.py\n@@\n-b\n+c\n",
        "*** Update File: a.py\n\n-b\n+c\n",
        "*** Add File: n.py\n+hi\n",
        "*** Delete File: n.py\n",
        "--- a/a.py\n+++ b/a.py\n@@ def f():\n-b\n+c\n",
        "--- a/a.py\n+++ b/a.py\n-b\n+c\n",
        "--- a/a.py\n+++ b/a.py\n b\n+c\n",
        "--- /dev/null\n+++ b/n.py\n+hi\n",
        "@@\n-b\n+c\n",
        "@@ -2 +2 @@\n-b\n+c\n",
        "1. Do:\n   --- a/a.py\n   +++ b/a.py\n   @@ -2 +2 @@\n   -b\n   +c\n",
        "Binary files a/x and b/x differ\n",
    ],
)
def test_a_patch_behind_blocks_is_not_left_out(patch: str) -> None:
    sentence = "The text has both a patch and SEARCH/REPLACE blocks. Write all of it in one of the two ways."
    text = "a.py\n" + block("a\n", "x\n") + patch
    failures = [apply_search_replace("a\nb\n", text).failures, apply_to_tree({"a.py": "a\nb\n"}, text).failures]
    assert [[(one.reason, one.message) for one in some] for some in failures] == [[("bad_marker", sentence)]] * 2


def test_what_is_no_patch_behind_blocks() -> None:
    text = "a.py\n" + block("a\n", "x\n")
    for prose in ("- an item\n+ another\n", "    @john: see above\n", "a * b\n   -b\n", "--- \n"):
        assert apply_search_replace("a\nb\n", text + prose).ok
    assert apply_search_replace("a\nb\n", f"--- a/a.py\n+++ b/a.py\n{text}- an item\n").ok  # two names, and a block
    named = text + "*** Update File: b.py\n" + block("c\n", "d\n")
    changes = apply_to_tree({"a.py": "a\n", "b.py": "c\n"}, named).changes
    assert [(change.path, change.after) for change in changes] == [("a.py", "x\n"), ("b.py", "d\n")]
