"""The commits of a git repository: the files before, the files after, and the difference in git's own words.

Everything is asked for at once, so that a hundred commits take as many processes as one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import define, frozen

from tests.properties.histories.unified import Section, read_section, split_sections

HAS_GIT = shutil.which("git") is not None

#: How the difference of a commit is asked for. Those without renames have a section for each path that is touched.
VARIANTS: Mapping[str, tuple[str, ...]] = {
    "U0": ("-U0", "--no-renames"),
    "U1": ("-U1", "--no-renames"),
    "U3": ("-U3", "--no-renames"),
    "moves": ("-U3", "-M"),
    "moves, U1": ("-U1", "-M"),
    "no prefix": ("-U3", "--no-renames", "--no-prefix"),
}

_NO_FILE = "0" * 40
#: What a person has set for themselves is not asked, nor the repository whose hook may run the tests.
_ENVIRONMENT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "LC_ALL": "C"}


@frozen
class File:
    """A text and whether it may be executed (0o755) or not (0o644)."""

    text: str
    mode: int = 0o644


def has_lines_of_its_own(text: str) -> bool:
    """Whether there is a `\\r` and no `\\n`: then lines end with it for the library, and for git there is one line."""
    return "\r" in text and "\n" not in text


def is_python(text: str) -> bool:
    """Whether Python can read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text.removeprefix("\ufeff"), "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def may_break_python(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether a file of Python, perhaps moved or copied, is none any more, by chance: such an edit is refused."""
    changed = [path for path, text in after.items() if path.endswith(".py") and before.get(path) != text]
    was_python = any(text and after.get(path) != text and is_python(text) for path, text in before.items())
    return any((was_python or path not in before) and not is_python(after[path]) for path in changed)


@frozen
class FileEdit:
    """What a commit does to one file: its text before and after, and the diff with 0, 1 and 3 lines of context."""

    commit: str
    path: str
    before: str
    after: str
    sections: Mapping[int, Section]


@frozen
class Commit:
    """`before` and `after` are all the files that the commit touches, or all that there are."""

    name: str
    before: Mapping[str, File]
    after: Mapping[str, File]
    #: By the name of a variant.
    diffs: Mapping[str, str]
    #: The paths of the sections of those variants that know no renames, in order.
    paths: Sequence[str]

    def edits(self) -> Iterator[FileEdit]:
        """The files that are there before and after, if their text differs."""
        texts = {context: split_sections(self.diffs[f"U{context}"]) for context in (0, 1, 3)}
        for number, path in enumerate(self.paths):
            before, after = self.before.get(path), self.after.get(path)
            if before is not None and after is not None and before.text != after.text:
                sections = {context: read_section(parts[number]) for context, parts in texts.items()}
                yield FileEdit(self.name, path, before.text, after.text, _all_read(sections))


def _all_read(sections: Mapping[int, Section | None]) -> dict[int, Section]:
    """What git writes can be read."""
    read = {context: section for context, section in sections.items() if section is not None}
    assert len(read) == len(sections)
    return read


@define
class Repository:
    """Asks git about a folder."""

    folder: Path

    def git(self, *arguments: str, given: bytes = b"") -> bytes:
        """What git answers; raises CalledProcessError if it does not like to."""
        command = ["git", "-c", "core.quotepath=true", *arguments]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT
        return subprocess.run(
            command, cwd=self.folder, input=given, capture_output=True, check=True, env=environment
        ).stdout

    def revisions(self) -> list[str]:
        """All commits but merges, the oldest first: these stay the same when others follow."""
        return self.git("rev-list", "--no-merges", "--topo-order", "--reverse", "HEAD").decode().split()

    def commits(self, revisions: Sequence[str]) -> Iterator[Commit]:
        """Those of them that touch nothing but texts in UTF-8."""
        raw = self._raw(revisions)
        blobs = self._blobs({blob for entries in raw.values() for entry in entries for blob in entry.blobs})
        diffs = {variant: self._diffs(revisions, options) for variant, options in VARIANTS.items()}
        for revision in revisions:
            entries = raw.get(revision, [])
            if not entries or not all(
                entry.is_text and all(blobs.get(blob) is not None for blob in entry.blobs) for entry in entries
            ):
                continue
            yield Commit(
                revision[:10],
                {
                    entry.path: File(blobs[entry.old] or "", entry.old_mode)
                    for entry in entries
                    if entry.old != _NO_FILE
                },
                {
                    entry.path: File(blobs[entry.new] or "", entry.new_mode)
                    for entry in entries
                    if entry.new != _NO_FILE
                },
                {variant: found[revision] for variant, found in diffs.items()},
                [entry.path for entry in entries],
            )

    def _raw(self, revisions: Sequence[str]) -> dict[str, list[_Entry]]:
        given = "\n".join(revisions).encode() + b"\n"
        words = iter(
            self.git("diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--no-abbrev", "--no-renames", given=given)
            .decode()
            .split("\0")
        )
        found: dict[str, list[_Entry]] = {}
        entries: list[_Entry] = []
        for word in words:
            if word.startswith(":"):
                old_mode, new_mode, old, new, _ = word[1:].split(" ")
                entries.append(_Entry(next(words), old, new, int(old_mode, 8), int(new_mode, 8)))
            elif word:
                entries = found.setdefault(word.strip(), [])
        return found

    def _diffs(self, revisions: Sequence[str], options: Sequence[str]) -> dict[str, str]:
        given = "\n".join(revisions).encode() + b"\n"
        text = self.git("diff-tree", "--stdin", "-r", "--root", "-p", *options, given=given).decode(errors="replace")
        parts = re.split(r"^([0-9a-f]{40})\n", text, flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True))

    def _blobs(self, names: set[str]) -> dict[str, str | None]:
        """The texts; None for what is none."""
        wanted = sorted(names)
        answer = self.git("cat-file", "--batch", given="".join(f"{name}\n" for name in wanted).encode())
        found: dict[str, str | None] = {}
        at = 0
        for name in wanted:
            end = answer.index(b"\n", at)
            kind, size = answer[at:end].split(b" ")[1:]
            content = answer[end + 1 : end + 1 + int(size)]
            at = end + 1 + int(size) + 1
            found[name] = _text(content) if kind == b"blob" else None
        return found


@frozen
class _Entry:
    path: str
    old: str
    new: str
    old_git_mode: int
    new_git_mode: int

    @property
    def blobs(self) -> list[str]:
        return [blob for blob in (self.old, self.new) if blob != _NO_FILE]

    @property
    def is_text(self) -> bool:
        """Neither a link nor another repository."""
        return {self.old_git_mode, self.new_git_mode} <= {0, 0o100644, 0o100755}

    @property
    def old_mode(self) -> int:
        return self.old_git_mode & 0o777

    @property
    def new_mode(self) -> int:
        return self.new_git_mode & 0o777


def _text(content: bytes) -> str | None:
    if b"\0" in content:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def own_repository() -> Repository | None:
    """The repository that this file is in; None where there is only a copy of the files."""
    root = Path(__file__).parents[3]
    if not HAS_GIT or not (root / ".git").exists():
        return None
    repository = Repository(root)
    try:
        repository.git("rev-parse", "--verify", "HEAD")
    except (subprocess.CalledProcessError, OSError):
        return None
    return repository


def own_history(revisions: slice) -> list[Commit]:
    """Commits of this repository, none if it is not there; in a shallow clone the first of them makes every file."""
    repository = own_repository()
    return list(repository.commits(repository.revisions()[revisions])) if repository is not None else []
