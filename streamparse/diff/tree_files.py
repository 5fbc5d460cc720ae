"""The files of a tree while a diff is applied to it: what each was, and what the parts of the diff have made of it.

    a.py  "x = 1\\n"  ->  "x = 2\\n"  ->  moved to b.py             the next part finds it at b.py, and nothing at a.py

The tree itself is only read, and each path once. What comes of everything are changes (`file_change.py`): one for each
path that is other than it was, or one for two paths if a file was moved between them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import islice, takewhile

from attrs import Factory, define, field

from streamparse.diff.result import DiffResult, FileAction, FileResult
from streamparse.diff.tree_source import ListedTree, Tree
from streamparse.directory.file_change import FileChange
from streamparse.errors import StreamparseError, suggest

#: A name is compared with at most so many others that are only similar, and all names together with so many.
_COMPARED, _COMPARED_IN_ALL = 1_000, 10_000
#: So many are listed that a name may stand for.
_LISTED = 5
_OUTSIDE = re.compile(r"[/\\]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|\Z)", re.DOTALL)


@define(eq=False)
class TreeFile:
    """A file, wherever it goes; or a path at which there is none."""

    #: Where it was when the diff first named it, and where it is now.
    origin: str
    path: str
    #: What it is now; None: it is not there.
    text: str | None
    #: What it was there.
    first_text: str | None
    mode: int | None = None
    results: list[DiffResult] = Factory(list)
    #: Its text before the last patch that changed it, and which one that was.
    patch: int | None = field(default=None)
    text_before: str | None = None

    def before(self, patch: int) -> str | None:
        """What it was when that patch, the last one so far, began."""
        return self.text_before if self.patch == patch else self.text

    def set(self, text: str | None, patch: int) -> None:
        """What a part of that patch has made of it."""
        self.text_before, self.patch = self.before(patch), patch
        self.text = text


class TreeFiles:
    """All files that a diff names, by where they are now."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._originals: dict[str, str | None] = {}
        self._refusals: dict[str, str] = {}
        self._at: dict[str, TreeFile] = {}
        self._named: dict[TreeFile, None] = {}  # in order
        self._suggestions: dict[str, str] = {}  # for paths without a file
        self._comparisons = _COMPARED_IN_ALL

    def at(self, path: str) -> TreeFile:
        """The file at that path, or that there is none."""
        if path not in self._at:
            text = self._original(path)
            self._at[path] = TreeFile(path, path, text, text)
        return self._at[path]

    def exists(self, path: str) -> bool:
        """Whether there is a file at that path now."""
        return self.at(path).text is not None

    def name(self, file: TreeFile) -> None:
        """The diff is about this file, too."""
        self._named[file] = None

    def refusal(self, path: str) -> str:
        """Why nothing may be done at that path; empty if something may."""
        self.at(path)
        return self._refusals.get(path, "")

    def hindrance(self, path: str) -> str:
        """Why no file may be made at that path; empty if one may. The files of a folder may go, in whatever order."""
        refusal = self.refusal(path)
        return "" if refusal and any(self._below(path)) else refusal

    def crowded(self) -> Iterator[tuple[TreeFile, str]]:
        """Every file that is where a folder stays, which has other files; and the path of one of these."""
        for file in self._named:
            if file.text is not None and self.refusal(file.path):
                yield from ((file, path) for path in islice(filter(self.exists, self._below(file.path)), 1))

    def find(self, name: str, *, is_exact: bool = False) -> tuple[TreeFile, str]:
        """The file that is there and is meant by the name; or a path without one, and a sentence that says so.

        Unless the name must be exact, it may be the end of a path, if it is that of only one.
        """
        path, new_path = plain_path(name), path_of_new(name)
        for one in dict.fromkeys((path, new_path)):
            if self.exists(one) or self.refusal(one):
                return self.at(one), "" if self.exists(one) else self.refusal(one)
        ends = list(islice(filter(self.exists, self._ending_with(path)), _LISTED + 1))
        if len(ends) == 1 and not is_exact:
            return self.at(ends[0]), ""
        return self.at(new_path), self._missing(new_path, ends)

    def move(self, file: TreeFile, path: str, patch: int) -> None:
        """Give the file another path; there is none at its own from now on."""
        gone = TreeFile(file.path, file.path, None, None, patch=patch, text_before=file.before(patch))
        self._at[file.path] = gone
        self._at[path] = file
        file.path = path

    def results(self) -> Iterator[FileResult]:
        """What became of each file that a part of the diff, as far as it is complete, is about."""
        for file in filter(lambda file: file.results, self._named):
            moved_to = file.path if file.path != file.origin else None
            yield FileResult(file.origin, self._action(file), joined(file.results), moved_to, file.mode)

    def texts(self) -> dict[str, str | None]:
        """The files as they are now, by where they are; None for those that are not there."""
        return {file.path: file.text for file in self._named}

    def changes(self) -> Iterator[FileChange]:
        """What is other than it was, path by path, in the order of the files."""
        there = {file.path: file for file in self._named if file.text is not None}
        done: set[str] = set()
        for file in self._named:
            is_moved = file.path != file.origin and file.text is not None and file.first_text is not None
            if is_moved and file.origin not in there and self._original(file.path) is None:
                done |= {file.origin, file.path}
                yield FileChange(file.origin, file.first_text, file.text, file.path, file.mode)
        for path in dict.fromkeys(path for file in self._named for path in (file.origin, file.path)):
            now = there.get(path)
            before, after = self._original(path), now.text if now else None
            mode = now.mode if now else None
            if path not in done and (before != after or mode is not None):
                yield FileChange(path, before, after, mode=mode)

    def _original(self, path: str) -> str | None:
        if path not in self._originals:
            self._originals[path] = self._read(path)
        return self._originals[path]

    def _read(self, path: str) -> str | None:
        if not path:
            return None
        if _OUTSIDE.match(path) and path not in self._paths:
            self._refusals[path] = f"The path {path} leads out of the tree. Use one that is relative to its root."
            return None
        try:
            text = self._tree.read(path)
        except StreamparseError as error:
            self._refusals[path] = str(error)
            return None
        if text is not None and not isinstance(text, str):
            raise TypeError(f"the text of {path} must be a str, not {type(text).__name__}")
        return text

    def _action(self, file: TreeFile) -> FileAction:
        before = file.first_text
        if not all(result.ok for result in file.results):
            return FileAction.FAILED
        if file.text is None:
            return FileAction.UNCHANGED if before is None else FileAction.DELETED
        if before is None:
            return FileAction.CREATED
        if file.path != file.origin:
            return FileAction.MOVED
        return FileAction.UNCHANGED if file.text == before and file.mode is None else FileAction.CHANGED

    def _missing(self, path: str, ends: list[str]) -> str:
        if ends:
            listed = ", ".join(sorted(ends)[:_LISTED])
            return f"There is no file {path}, but others that end so: {listed}. Write the whole path."
        if path not in self._suggestions:
            self._suggestions[path] = suggest(path, self._similar(path))
        sentence = self._suggestions[path] or "."
        return f"There is no file {path}{sentence} Use the path of a file that is there, or make it."

    def _similar(self, path: str) -> Collection[str]:
        """The paths of the tree that may have been meant, as long as there are few to be compared."""
        paths: Collection[str] = self._by_name.get(path.rpartition("/")[2]) or self._paths
        if len(paths) > min(_COMPARED, self._comparisons):
            return ()
        self._comparisons -= len(paths)
        return paths

    def _ending_with(self, name: str) -> Iterator[str]:
        """The paths of the tree that end with all of the name."""
        end, ends = _reversed(name), self._ends
        matching = takewhile(lambda one: one[0].startswith(end), islice(ends, bisect_left(ends, (end,)), None))
        return (path for _, path in matching)

    def _below(self, path: str) -> Iterator[str]:
        """The paths of the files in that folder: those of the tree, and those that the diff names."""
        return (one for one in sorted({*self._paths, *self._at}) if one.startswith(f"{path}/"))

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(self._tree.paths()) if isinstance(self._tree, ListedTree) else frozenset()

    @cached_property
    def _ends(self) -> list[tuple[str, str]]:
        """The names of each path, the last first, and the path itself; in order."""
        return sorted((_reversed(path), path) for path in self._paths)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        paths: dict[str, list[str]] = {}
        for path in self._paths:
            paths.setdefault(path.rpartition("/")[2], []).append(path)
        return paths


def _reversed(path: str) -> str:
    return "".join(f"{name}/" for name in reversed(path_of_new(path).split("/")) if name)


def plain_path(name: str) -> str:
    """The path without `./` and `//` in it."""
    names = name.split("/")
    return "/".join([*names[:1], *(one for one in names[1:] if one not in ("", "."))]).removeprefix("./")


def path_of_new(name: str) -> str:
    """The same with `/` for backslashes, which stand between names where they are in no name that is there."""
    return plain_path(name.replace("\\", "/"))


def joined(results: list[DiffResult]) -> DiffResult:
    """What the parts of a diff for one file, each applied to what the one before has made of it, come to."""
    last = results[-1]
    return DiffResult(
        ok=all(result.ok for result in results),
        content=last.content,
        edits=tuple(edit for result in results for edit in result.edits),
        failures=tuple(failure for result in results for failure in result.failures),
        is_deleted=last.is_deleted,
        moved_to=next((result.moved_to for result in reversed(results) if result.moved_to), None),
    )
