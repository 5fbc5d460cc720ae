"""Patches of random edits, by difflib and by git, and as a model would garble them."""

from __future__ import annotations

import difflib
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse.diff import DiffResult, PatchStream, apply_patch
from tests import seeds
from tests.diff.kit import merged
from tests.properties.documents import COUNT

WORDS = (
    "a",
    "b",
    "c",
    "",
    "  x",
    "}",
    "return 1",
    "-- sql",
    "++ y",
    "- q",
    "+ z",
    " ",
    "@@ x",
    "\tt ",
    "*** End Patch",
    "é",
)


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)


def random_texts(pick: random.Random, *, is_distinct: bool, endings: tuple[str, ...]) -> tuple[str, str]:
    """A file before and after a few edits."""

    def line(number: int) -> str:
        return pick.choice(WORDS) + (str(number) if is_distinct else "") + pick.choice(endings)

    old = [line(number) for number in range(pick.randint(0, 40))]
    if len(endings) > 1:  # a file all of whose lines end alike lets new ones end like that, too
        old += [f"mixed{ending}" for ending in endings]
    new = list(old)
    for _ in range(pick.randint(1, 5)):
        start = pick.randint(0, len(new))
        new[start : start + pick.randint(0, 3)] = [line(pick.randint(100, 199)) for _ in range(pick.randint(0, 3))]
    return "".join(old), "".join(new)


def random_endings(pick: random.Random) -> tuple[str, ...]:
    return pick.choice([("\n",), ("\r\n",), ("\n", "\r\n")])


def unended(pick: random.Random, text: str) -> str:
    return text.rstrip("\r\n") if pick.random() < 0.3 else text


def check_right(result: DiffResult, new: str, about: object, context: int) -> None:
    """Without context, new lines whose place nothing but a number tells are refused."""
    if result.ok or context:
        assert (result.content, result.ok) == (new, True), about
    else:
        assert {failure.reason for failure in result.failures} == {"empty_search"}, about


@pytest.mark.parametrize("part", range(4))
def test_a_patch_of_difflib_gives_the_new_file(part: int) -> None:
    for seed in seeds.series(COUNT, part):
        pick = random.Random(seed)
        old, new = random_texts(pick, is_distinct=pick.random() < 0.5, endings=random_endings(pick))
        context = pick.choice([0, 1, 3, 3, 8])
        text = "".join(difflib.unified_diff(lines_of(old), lines_of(new), "a/f", "b/f", n=context))
        result = apply_patch(old, text)
        check_right(result, new, (seed, text), context)
        stream, at, events = PatchStream(old), 0, []
        while at < len(text):
            size = pick.choice([1, 3, 40])
            events += stream.feed(text[at : at + size])
            at += size
        again = stream.finalize()
        assert again.content == result.content
        whole = PatchStream(old)
        first = whole.feed(text)
        assert merged([*events, *again.events]) == merged([*first, *whole.finalize().events])


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_patch_of_git_gives_the_new_file(tmp_path: Path) -> None:
    for seed in seeds.series(COUNT):
        pick = random.Random(seed)
        old, new = random_texts(pick, is_distinct=pick.random() < 0.5, endings=random_endings(pick))
        old, new = unended(pick, old), unended(pick, new)
        (tmp_path / "old").write_bytes(old.encode())
        (tmp_path / "new").write_bytes(new.encode())
        context = pick.choice([0, 1, 3, 3])
        options = [f"-U{context}", pick.choice(["--patience", "--minimal", "--function-context"])]
        done = subprocess.run(["git", "diff", "--no-index", *options, "old", "new"], cwd=tmp_path, capture_output=True)
        text = done.stdout.decode()
        check_right(apply_patch(old, text), new, (seed, text), context)


def garbled(pick: random.Random, text: str) -> str:
    """The patch with what models do to it."""
    kinds = pick.sample(["numbers", "counts", "bare", "stripped", "headers", "crlf", "fence", "blanks"], 2)
    lines = text.splitlines(keepends=True)
    if "headers" in kinds:
        lines = [line for line in lines if not line.startswith(("--- a/f", "+++ b/f"))]
    for at, line in enumerate(lines):
        if line.startswith("@@"):
            if "numbers" in kinds:
                line = re.sub(r"([-+])\d+", lambda match: f"{match[1]}{pick.randint(1, 60)}", line)
            if "counts" in kinds:
                line = re.sub(r",\d+", lambda match: f",{pick.randint(1, 9)}", line)
            if "bare" in kinds:
                line = pick.choice(["@@\n", "@@ @@\n", "@@ ... @@\n"])
        elif line.startswith(" "):
            if "stripped" in kinds:
                line = line.rstrip() + "\n"
            if "blanks" in kinds:
                line = line.rstrip("\n") + pick.choice(["", " ", "\t"]) + "\n"
        lines[at] = line.rstrip("\n") + "\r\n" if "crlf" in kinds else line
    text = "".join(lines)
    return f"Here:\n```diff\n{text}```\nDone.\n" if "fence" in kinds else text


@pytest.mark.parametrize("part", range(4))
def test_a_garbled_patch_gives_the_new_file_or_fails(part: int) -> None:
    complete = 0
    for seed in seeds.series(COUNT, part):
        pick = random.Random(seed)
        # With lines that occur twice a wrong number may choose the wrong one of them: no one could tell.
        old, new = random_texts(pick, is_distinct=True, endings=("\n",))
        text = garbled(pick, "".join(difflib.unified_diff(lines_of(old), lines_of(new), "a/f", "b/f", n=3)))
        result = apply_patch(old, text, accept_truncated=True)
        if not old and "\r\n" in text:  # no line says how the file ends them, so those of the patch count
            new = new.replace("\n", "\r\n")
        if result.ok:
            assert result.content == new, (seed, text)
            complete += 1
    assert complete > COUNT * 0.9


PIECES = (
    *(
        "--- a/f\n",
        "+++ b/f\n",
        "--- /dev/null\n",
        "+++ /dev/null\n",
        "diff --git a/f b/f\n",
        "new file mode 1\n",
        "@@\n",
    ),
    *("@@ -1 +1 @@\n", "@@ -1,2 +0,0 @@\n", "@@ -0,0 +1 @@ a\n", "@@ a\n", "*** Begin Patch\n", "*** End Patch\n"),
    *("*** Update File: f\n", "*** Add File: g\n", "*** Delete File: f\n", "*** End of File\n", "*** Move to: h\n"),
    *(
        "\\ No newline at end of file\n",
        " a\n",
        "-a\n",
        "+a\n",
        "-b\r\n",
        "+b\r\n",
        "\n",
        " ",
        "+",
        "-",
        "--- ",
        "a\n",
        "```\n",
    ),
)


@settings(deadline=None, max_examples=COUNT * 3)
@given(
    st.text("ab \r\n", max_size=12), st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from([None, "f", "x"])
)
def test_no_text_raises_and_every_chunking_is_the_same(original: str, pieces: list[str], path: str | None) -> None:
    text = "".join(pieces)
    outcomes = []
    for chunks in ([text], pieces, list(text)):
        stream = PatchStream(original, path=path, threshold=0.9)
        events = [event for chunk in chunks for event in stream.feed(chunk)]
        preview = stream.preview
        result = stream.finalize()
        outcomes.append((merged([*events, *result.events]), result.content, result.edits, result.failures, preview))
    assert outcomes[0] == outcomes[1] == outcomes[2]
