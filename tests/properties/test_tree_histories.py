"""Random commits, whole trees on a disk: everything that git writes about them gives the very bytes, or is refused."""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from streamparse.diff import FileChange, TreeError, apply_to_tree
from streamparse.diff.python import flaw
from tests import seeds
from tests.properties.histories.repository import HAS_GIT, has_lines_of_its_own, may_break_python
from tests.properties.histories.verdict import Verdict
from tests.properties.tree_histories.disk import Disk
from tests.properties.tree_histories.garbled import PAIRS, Case, garbled, parts_of
from tests.properties.tree_histories.generated import REGULAR, Commit, File, History, Tree, made
from tests.properties.tree_histories.ways import WAYS, Asked, log, named

pytestmark = pytest.mark.skipif(not HAS_GIT, reason="needs git")

Recorder = Callable[[str, object], None]

#: Commits of a history, and how many histories there are.
COMMITS, HISTORIES = 20, seeds.times(3)


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for."""
    monkeypatch.setattr(os, "fsync", int)


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> list[History]:
    return [
        made(seeds.rng(f"tree history {number}"), tmp_path_factory.mktemp("repository"), COMMITS)
        for number in range(HISTORIES)
    ]


def texts_of(tree: Tree) -> dict[str, str]:
    return {path: file.text for path, file in tree.items()}


def excuse(asked: Asked, way: str) -> str | None:
    """Why a diff may be refused; None if it has to be applied."""
    if "\nBinary files " in asked.text or "\nGIT binary patch\n" in asked.text:
        return "it has no lines for a binary file"
    commits = (asked.commit, *asked.steps)
    trees = [(tree, commit.touched) for commit in commits for tree in (commit.before, commit.after)]
    files = [tree[path] for tree, touched in trees for path in touched if path in tree]
    if any(file.mode == 0o120000 for file in files):
        return "it is about a symbolic link"
    if any(has_lines_of_its_own(file.text) for file in files):
        return "`\\r` ends the lines of a file, which has one line for git"
    if any(may_break_python(texts_of(one.before), texts_of(one.after)) for one in asked.steps or [asked.commit]):
        return "a file of Python would be none any more"
    texts = re.split(r"^(?:From|commit) [0-9a-f]{40}\b", asked.text, flags=re.MULTILINE)[1:] or [asked.text]
    parts = zip(asked.steps or [asked.commit], texts, strict=True)
    if "-B" in way and any(path in commit.before for commit, text in parts for path in places_of_others(text)):
        return "a file takes the place of another, of which it says nothing"
    if any(breaks_python(commit) for commit in commits):
        return "a file of random text was Python, by chance, and is none any more"
    if "-U0" in way:
        return "nothing but a number says where some lines belong"
    if way == "--irreversible-delete" and "\ndeleted file mode " in asked.text:
        return "it removes a file without its lines"
    return None


def breaks_python(commit: Commit) -> bool:
    """Whether a file by Python's name is none any more, at its path or at the one that it is moved or copied to."""
    for path in commit.touched:
        if path.endswith(".py") and path in commit.after and flaw(commit.after[path].text) is not None:
            sources = [commit.before[path]] if path in commit.before else commit.before.values()
            if any(file.text and flaw(file.text) is None for file in sources):
                return True
    return False


def places_of_others(text: str) -> set[str]:
    """To which paths files are moved or copied, if nothing says that a file leaves them."""
    found = re.findall(r'^(rename|copy) (from|to) (?:"(.*)"|(.*))$', text, re.MULTILINE)
    names = [
        (verb, word, codecs.escape_decode(quoted)[0].decode() if quoted else name) for verb, word, quoted, name in found
    ]
    return {name for _, word, name in names if word == "to"} - {
        name for verb, word, name in names if (verb, word) == ("rename", "from")
    }


@pytest.mark.parametrize("way", WAYS)
def test_what_git_writes_gives_the_files_of_the_commit(
    histories: list[History], way: str, tmp_path: Path, record_property: Recorder
) -> None:
    verdicts: Counter[str] = Counter()
    disk = Disk(tmp_path)
    for history in histories:
        for asked in WAYS[way](history):
            disk.lay(asked.commit.before)
            try:
                result = apply_to_tree(tmp_path, asked.text, write=True)
                ok, message = result.ok, result.message
            except TreeError as error:
                ok, message = False, str(error)
            found = disk.found()
            verdicts[(Verdict.RIGHT if ok else Verdict.REFUSED).value] += 1
            assert found == (asked.commit.after if ok else asked.commit.before), (asked.text, message)
            assert ok or (message and excuse(asked, way)), (asked.text, message)
    record_property("verdicts", (f"disk: {way}", dict(verdicts)))


def changed(before: Tree, changes: Iterable[FileChange]) -> Tree:
    """The files after all changes at once."""
    tree = {path: file for path, file in before.items() if path not in {change.path for change in changes}}
    for change in changes:
        if change.after is not None:
            old = before.get(change.path, File(b"", REGULAR)).mode
            mode = old if change.mode is None else 0o100000 | change.mode
            tree[change.moved_to or change.path] = File(change.after.encode(errors="surrogateescape"), mode)
    return tree


def cases(histories: list[History], pair: tuple[str, str], *options: str) -> Iterable[tuple[Commit, Case]]:
    for history in histories:
        names = named(history, *options)
        for asked in log(*options)(history):
            parts = parts_of(asked.text, names[asked.commit.name])
            if parts is not None:
                case = garbled(seeds.rng(f"{asked.commit.name} {pair}"), asked.commit, parts, pair)
                if case is not None:
                    yield asked.commit, case


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_a_diff_with_two_faults_gives_what_it_says_or_nothing(
    histories: list[History], pair: tuple[str, str], record_property: Recorder
) -> None:
    verdicts: Counter[str] = Counter()
    for options in (["-U3", "-M"], ["-U1", "--no-renames"], ["-U0", "-M"]):
        for commit, case in cases(histories, pair, *options):
            result = apply_to_tree({path: file.text for path, file in commit.before.items()}, case.text)
            found = changed(commit.before, result.changes)
            if not result.ok:
                assert (result.changes, bool(result.message)) == ((), True)
                verdicts[Verdict.REFUSED.value] += 1
                continue
            verdicts[(Verdict.RIGHT if found == commit.after else Verdict.TOLD).value] += 1
            assert case.is_allowed(commit.before, found), (case.text, found, commit)
    record_property("verdicts", (f"tree: {' and '.join(pair)}", dict(verdicts)))
