"""The files of a tree while a diff is applied to it: which file a name means, and where each of them is now.

    a.py is moved to b.py           the next part of the diff finds it at b.py, and nothing at a.py
    util.py                         src/util.py, if that is the only path that ends so

The tree itself is only read, and each path once. `tree_file.py` says what becomes of one file. What comes of everything
are changes (`file_change.py`), one for each file that is other than it was, or elsewhere.

git's patches speak of the files as they were before. So in one patch a.py may be moved to b.py, and only a later part
moves the old b.py away: until then that file is displaced (`displace`), and at the end it must have left (`crowded`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import accumulate, islice, takewhile

from attrs import evolve

from streamparse.diff.index import FileIndex
from streamparse.diff.result import FileResult
from streamparse.diff.same_path import names_in, path_of_new, plain_path
from streamparse.diff.tree_file import OpenPart, Source, TreeFile
from streamparse.diff.tree_source import EncodedTree, ListedTree, ModedTree, Tree
from streamparse.directory.file_change import FileChange
from streamparse.directory.paths import DEEPEST, parents_of
from streamparse.errors import StreamparseError, suggest

#: A name is compared with at most so many others that are only similar, and all names together with so many.
_COMPARED, _COMPARED_IN_ALL = 1_000, 10_000
#: So many characters in files, or as many files, are kept as they were looked at.
_INDEXED, _FILES = 4_000_000, 100
#: So many are listed that a name may stand for.
_LISTED = 5
_WORD = re.compile(r"\S+")
#: What may stand behind a name in a sentence.
_BEHIND = ".,;:!?)]}*`\"'"
#: What begins a path that counts from elsewhere: a drive, an address (of which `//` is `/` by now), the root.
_ABSOLUTE = re.compile(r"[A-Za-z]:[/\\]?|[A-Za-z][A-Za-z0-9+.-]*:[/\\]|[/\\]")
#: In what two paths may differ that are nearly the same.
_SPELLING = re.compile(r"[-_. ]")


class TreeFiles:
    """All files that a diff names, by where they are now."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        #: How a diff of this kind makes a file, for sentences about one that is not there.
        self.way_to_make = ""
        #: What each path has in the tree, as it was; or None, and perhaps why nothing may be done there.
        self._in_tree: dict[str, tuple[str | None, str]] = {}
        self._at: dict[str, TreeFile] = {}
        self._named: dict[TreeFile, None] = {}  # in order
        self._told: dict[str, None] = {}  # all paths that these files had, the old and the new ones
        #: By patch and path: the file that was there when the patch began, and is elsewhere now or has to go.
        self._left: dict[tuple[int, str], TreeFile] = {}
        #: For paths without a file, by whether these are to be removed, moved or copied.
        self._suggestions: dict[tuple[str, bool], str] = {}
        self._comparisons = _COMPARED_IN_ALL
        self._indexed: dict[TreeFile, int] = {}  # those last asked about, and what that takes

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
        self._named[file] = self._told[file.path] = None

    def refusal(self, path: str) -> str:
        """Why nothing may be done at that path; empty if something may."""
        return self._looked_up(path)[1]

    def hindrance(self, path: str) -> str:
        """Why no file may be made at that path; empty if one may. The files of a folder may go, in whatever order."""
        refusal = self.refusal(path)
        return "" if refusal and any(self._below(path)) else refusal

    def index(self, file: TreeFile, text: str) -> FileIndex:
        """What is known of a text for the path of the file; of many files, it is only kept for the last ones."""
        self._indexed.pop(file, None)
        while sum(self._indexed.values()) > _INDEXED:
            oldest = next(iter(self._indexed))
            oldest.forget()
            del self._indexed[oldest]
        self._indexed[file] = len(text) + _INDEXED // _FILES
        return file.index(text)

    def displace(self, file: TreeFile, patch: int) -> bool:
        """Leave the path of the file to another, before that patch takes it away: whether it does is seen at the end.

        False for one that the patch has made or changed itself.
        """
        if file.patch == patch:
            return False
        self._left[patch, file.path] = file
        self._at[file.path] = TreeFile(file.path, file.path, None, None, patch=patch)
        return True

    def displaced(self, path: str, patch: int) -> TreeFile | None:
        """The file that has to leave that path to another of the patch, if there is one."""
        file = self._left.get((patch, path))
        if file is None or file.path != path or file.text is None or self._at[path] is file:
            return None  # it is elsewhere, gone, or back
        return file

    def crowded(self) -> Iterator[tuple[TreeFile, str]]:
        """Every file that cannot be where it is, and why: another file or a folder stays there, or it is in a file."""
        for patch, path in self._left:
            if self.displaced(path, patch):
                yield self._at[path], taken(path)
        for file in self._named:
            if file.text is None or self._original(file.path) is not None:
                continue
            if self.refusal(file.path) and (path := next(filter(self.exists, self._below(file.path)), "")):
                yield file, f"{file.path} is a folder, and {path} is in it: remove that first, or use another path."
            if path := next(filter(self._is_in_the_way, islice(parents_of(file.path), DEEPEST)), ""):
                yield file, f"{path} is a file, and {file.path} would be in it: remove that first, or use another path."

    def revisited(self) -> Iterator[TreeFile]:
        """Every file that several parts of the diff are about, all of which could be applied."""
        return (file for file in self._named if len(file.results) > 1 and file.is_ok)

    def _is_in_the_way(self, path: str) -> bool:
        """Whether there is a file, and no folder that has become one: of that something is said already."""
        is_known = path in self._at or isinstance(self._tree, ListedTree)
        return is_known and self.exists(path) and not self.refusal(path)

    def find(self, name: str, *, is_exact: bool = False, is_source: bool = False) -> tuple[TreeFile, str]:
        """The file that is there and is meant by the name; or a path without one, and a sentence that says so.

        Unless the name must be exact, it may be the end of a path, if it is that of only one. `is_source`: it is to be
        removed, moved or copied, so that it is no way out to make it.
        """
        path, new_path = plain_path(name), path_of_new(name)
        for one in dict.fromkeys((path, new_path)):
            if self.exists(one) or self.refusal(one):
                return self.at(one), "" if self.exists(one) else self.refusal(one)
        ends = list(islice(filter(self.exists, self._ending_with(path)), _LISTED + 1))
        if len(ends) == 1 and not is_exact:
            return self.at(ends[0]), ""
        return self.at(new_path), self._missing(new_path, ends, is_source=is_source)

    def longer_path(self, path: str) -> str:
        """The path of a file that begins with all of that one, the first of them; empty if there is none."""
        longer = (one for one in sorted({*self._paths, *self._at}) if one.startswith(path) and one != path)
        return next(filter(self.exists, longer), "")

    def names_with_blanks(self, text: str) -> list[str]:
        """The names in the text that have blanks in them and are those of files of a tree that can be listed."""
        found: list[str] = []
        for match in _WORD.finditer(text):
            for word in dict.fromkeys((match[0], match[0].rstrip(_BEHIND))):
                before = text[: match.start() + len(word)]
                for path in filter(self.exists, self._with_blanks.get(word, ())):
                    names = path.split("/")
                    ends = ("/".join(names[first:]) for first in range(len(names)))
                    found += islice((end for end in ends if " " in end and _ends_with(before, end)), 1)
        return list(dict.fromkeys(found))

    def source(self, name: str, patch: int) -> tuple[Source, str]:
        """What is copied: the file at that path when the patch, the last one so far, began.

        If there was none, a sentence says so.
        """
        left = self._left.get((patch, plain_path(name)))
        file, missing = (left, "") if left is not None else self.find(name, is_source=True)
        text, mode = file.before(patch)
        mode = self._mode_in_tree(file.origin) if mode is None else mode
        return Source(text, mode, file.source), missing

    def move(self, file: TreeFile, path: str, patch: int) -> None:
        """Give the file another path; there is none at its own from now on, unless another one is there already."""
        self._left.setdefault((patch, file.path), file)
        if self._at[file.path] is file:
            self._at[file.path] = TreeFile(file.path, file.path, None, None, patch=patch)
        self._at[path] = file
        file.path = path
        self._told[path] = None

    def results(self, part: OpenPart) -> Iterator[FileResult]:
        """What became of each file that a complete block is about, or a part of the diff that has ended."""
        return (file.result for file in self._so_far(part) if file.results)

    def texts(self, part: OpenPart) -> dict[str, str | None]:
        """What is at each path that the diff has named, with what is being written; None where there is no file."""
        texts = {path: self._at[path].text for path in self._told}
        if part is not None:
            file, stream = part
            if self._at[file.path] is file and stream.makes_text:
                texts[file.path] = stream.preview
        return texts

    def changes(self, part: OpenPart) -> Iterator[FileChange]:
        """What is other than it was, in the order of the files."""
        return (change for file in self._so_far(part) if (change := file.change) is not None)

    def _so_far(self, part: OpenPart) -> Iterator[TreeFile]:
        """The files that are named; that of an open part with what its complete blocks have made of it."""
        open_file, stream = part or (None, None)
        for file in self._named:
            if file is open_file and stream is not None and (result := stream.result).numbers:
                text = result.content if stream.makes_text else file.text
                yield evolve(file, results=[*file.results, result], text=text)
            else:
                yield file

    def unwritable(self) -> Iterator[tuple[TreeFile, str]]:
        """Every file of which all parts could be applied, but its new text cannot be written; and why."""
        if isinstance(self._tree, EncodedTree):
            for file in self._named:
                try:
                    if file.is_ok and (change := file.change) is not None:
                        self._tree.check(change)
                except StreamparseError as error:
                    yield file, str(error)

    def _mode_in_tree(self, path: str) -> int | None:
        """None: the tree has no such file, or does not know."""
        if not isinstance(self._tree, ModedTree) or self._original(path) is None:
            return None
        return 0o755 if self._tree.is_executable(path) else 0o644

    def _original(self, path: str) -> str | None:
        """The text of the file that the tree has at that path; None if there is none."""
        return self._looked_up(path)[0]

    def _looked_up(self, path: str) -> tuple[str | None, str]:
        if path not in self._in_tree:
            self._in_tree[path] = self._read(path)
        return self._in_tree[path]

    def _read(self, path: str) -> tuple[str | None, str]:
        if not path:
            return None, ""
        if path.endswith("/"):
            return None, f"The path {path} names a folder. Use that of a file."
        if path not in self._paths and (refusal := _objection(path)):
            return None, refusal
        try:
            text = self._tree.read(path)
        except StreamparseError as error:
            return None, str(error)
        if text is not None and not isinstance(text, str):
            raise TypeError(f"the text of {path} must be a str, not {type(text).__name__}")
        return text, ""

    def _missing(self, path: str, ends: list[str], *, is_source: bool) -> str:
        if self._original(path) is not None:
            return self._gone(path)
        if ends:
            listed = ", ".join(sorted(ends)[:_LISTED])
            return f"There is no file {path}, but others that end so: {listed}. Write the whole path."
        asked = path, is_source
        if asked not in self._suggestions:
            similar = self._similar(path)
            self._suggestions[asked] = suggest(path, _respelled(path, similar) if is_source else similar)
        sentence = self._suggestions[asked] or "."
        other = "" if is_source else f", or make it {self.way_to_make}"
        return f"There is no file {path}{sentence} Use the path of a file that is there{other}."

    def _gone(self, path: str) -> str:
        """What the diff has done to a file that was there."""
        moved = next((file.path for file in self._named if file.origin == path != file.path), None)
        if moved is None:
            return f"The diff has removed {path} before. Make it anew, or do not remove it."
        return f"The diff has moved {path} to {moved} before. Use that path."

    def _similar(self, path: str) -> Collection[str]:
        """The paths of the tree that may have been meant, as long as there are few to be compared."""
        paths: Collection[str] = self._by_name.get(path.rpartition("/")[2]) or self._paths
        if len(paths) > min(_COMPARED, self._comparisons):
            return ()
        self._comparisons -= len(paths)
        return [one for one in paths if one not in self._at or self.exists(one)]

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
    def _with_blanks(self) -> dict[str, list[str]]:
        return _by_end((path for path in self._paths if " " in path), " ")

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        return _by_end(self._paths, "/")


def _by_end(paths: Iterable[str], separator: str) -> dict[str, list[str]]:
    """The paths by what stands behind the last separator in them."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.rpartition(separator)[2], []).append(path)
    return found


def _respelled(path: str, similar: Iterable[str]) -> list[str]:
    """The one path that is the same but for case and what joins words: nothing else is to be removed in its place."""
    bare = _SPELLING.sub("", path).casefold()
    found = [one for one in similar if _SPELLING.sub("", one).casefold() == bare]
    return found if len(found) == 1 else []


def _objection(path: str) -> str:
    """Why that cannot be the path of a file of a tree, whatever is in it; empty if it can be one."""
    names = names_in(path)
    depths = accumulate(-1 if name == ".." else 1 for name in names)
    if any(depth < 0 for depth in depths):
        return f"The path {path} leads out of the tree. Use one that is relative to its root."
    if match := _ABSOLUTE.match(path):
        return f"The path {path} is absolute. Paths begin at the root of the tree, without `{match[0]}` at the start."
    if ".." in names:
        return f"The path {path} has `..` in it. Write the path of the file from the root of the tree, without `..`."
    return ""


def _ends_with(text: str, name: str) -> bool:
    """Whether the name is the end of the text, and not of a longer one."""
    return text.endswith(name) and not re.search(r"[\w/\\]\Z", text[: -len(name)])


def _reversed(path: str) -> str:
    return "".join(f"{name}/" for name in reversed(path_of_new(path).split("/")) if name)


def taken(path: str) -> str:
    """The sentence that says that a file is in the way of another."""
    return f"There is a file {path} already: remove it first, or use another path."
