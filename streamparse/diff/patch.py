"""Unified diffs and `*** Begin Patch` blocks: `PatchStream`, and the same in one call.

`patch_reader.py` says what may be in a patch, `hunk.py` what becomes of a hunk. A hunk is looked for when it is
complete, as all of its old lines are needed to find it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable

from attrs import evolve

from streamparse.diff import hints
from streamparse.diff.edit_stream import EditStream
from streamparse.diff.headings import Headings
from streamparse.diff.hunk import Hunk
from streamparse.diff.lines import BOM, is_blank, split_lines
from streamparse.diff.match import Tolerance, find_blank
from streamparse.diff.patch_reader import PatchReader, Section
from streamparse.diff.place import Match, Place
from streamparse.diff.result import DiffResult, Failure, Strategy

#: A last line without an end that begins another hunk or file: more was to come.
_CUT = re.compile(r"@\Z|diff --git ")

#: What headers begin with that name a file or say what becomes of it.
_HEADERS = ("*** ", "rename ", "copy ", "deleted file ", "new file ")


class PatchStream(EditStream):
    """Edits `original` while the patch is being written; used like `SearchReplaceStream`.

    `path` says which file of a patch for several files it is; without it, it is the first one, and others are failures.
    With `threshold` below 1, old lines need only be alike to that degree.
    """

    def __init__(self, original: str, *, path: str | os.PathLike[str] | None = None, threshold: float = 1.0) -> None:
        super().__init__(original, Tolerance(threshold, has_anchors=False))
        self._path = checked_path(path)
        self._reader = PatchReader(self._on_section, self._on_hunk, self._on_hunk_end)
        self._headings = Headings(self._index)
        self._found: dict[Hashable, tuple[Match, list[Place]] | None] = {}
        self._own: list[Section] = []
        self._degree = 0  # how well these are what is meant
        self._is_own = True  # what comes now
        self._others: list[Section] = []
        self._rivals: dict[str, None] = {}  # several that may be meant
        self._has_hunks = False
        self._has_text = False
        self._is_finishing = False
        self._ends_in_hunk = False
        self._is_cut = False  # within a header

    def _line(self, line: str) -> None:
        self._has_text = self._has_text or not is_blank(line)
        self._reader.add(line)

    def _close(self, rest: str) -> None:
        if rest:
            self._line(rest)
        self._is_finishing = True
        self._reader.finish()
        self._check(rest)

    def _check(self, rest: str) -> None:
        """All hunks are there; `rest` is the last line of the text, if it has no ending."""
        self._is_cut = rest.startswith(_HEADERS) and not self._ledger.accepts_truncated
        self._check_sections()
        if self._has_hunks and _CUT.match(rest):
            self._ledger.cut(self._new_hunk())

    def _conclude(self) -> DiffResult:
        self._check_deletion()
        result = super()._conclude()
        if not result.ok:
            return result
        moved_to = next((section.moved_to for section in self._own if section.moved_to), None)
        return evolve(result, content="", is_deleted=True) if self._is_deleted else evolve(result, moved_to=moved_to)

    @property
    def preview(self) -> str:
        """The original with what is certain; nothing, if the patch removes the file."""
        return "" if self._result is not None and self._result.is_deleted else super().preview

    @property
    def _is_deleted(self) -> bool:
        return any(section.is_deleted for section in self._own)

    def _show_beginning(self) -> None:
        """Nothing: a hunk is looked for when it is complete."""

    # --- what the reader finds

    def _on_section(self, section: Section) -> None:
        degree = self._degree_of(section)
        self._is_own = degree > 0 and degree >= self._degree
        if not self._is_own:
            self._others.append(section)
            return
        if degree > self._degree and not any(own.has_hunks or own.is_deleted for own in self._own):
            self._others += self._own
            self._own = []
        if self._own and not _are_same(self._own[0].path, section.path):
            self._rivals |= {self._own[0].path: None, section.path: None}
        else:
            self._own.append(section)
            self._degree = degree

    def _degree_of(self, section: Section) -> int:
        """How well the file is the one that is meant; 0 if it is not. What is copied stays as it is."""
        if self._path is None:
            return int(not section.is_copy and (not self._own or _are_same(self._own[0].path, section.path)))
        degrees = [_degree(self._path, section.path), 0 if section.is_copy else _degree(self._path, section.old_path)]
        if section.is_deleted and not section.has_hunks and len(_names(section.path)) == 1 < len(_names(self._path)):
            return 0  # some file of that name, and nothing of it to compare
        return max(degrees)

    def _on_hunk(self, hunk: Hunk) -> None:
        if self._is_own or self._path is None:
            self._has_hunks = True
            self._ledger.start(hunk)

    def _on_hunk_end(self, hunk: Hunk) -> None:
        self._ends_in_hunk = self._is_finishing
        if not self._is_own:
            if self._path is None:
                self._ledger.fail(hunk, hints.other_file(hunk, self._others[-1].path))
            return
        if not hunk.lines and self._is_finishing and not hunk.is_combined:
            self._ledger.cut(hunk)
            return
        if failure := self._refusal(hunk):
            self._ledger.fail(hunk, failure)
            return
        if match := self._find(hunk):
            hunk.accept(match)
            hunk.is_truncated = self._is_finishing and self._breaks_off(hunk, match)
            if place := self._ledger.place(hunk, match):
                self._ledger.write(hunk, hunk.render(self._index, place, match))
        self._ledger.finish(hunk)

    def _refusal(self, hunk: Hunk) -> Failure | None:
        """Why the hunk is not even looked for."""
        if hunk.is_combined:
            return hints.combined(hunk)
        if not hunk.lines:
            return hints.empty_hunk(hunk)
        if self._makes_file_again:
            return hints.file_exists(hunk, self._own[-1].path)
        if any(line and self._index.trimmed.places([line]) for line in hunk.dropped):
            return hints.unmarked(hunk)
        return None

    def _find(self, hunk: Hunk) -> Match | None:
        # Models repeat themselves, and equal hunks have equal places.
        shape = hunk.shape, hunk.keeps_mark
        if shape not in self._found:
            self._found[shape] = self._look_for(hunk)
        if (found := self._found[shape]) is None:
            return None
        match, changes = found
        if not match.lines:
            return match
        return evolve(match, places=hunk.narrow(self._index, match.places, changes, self._headings))

    def _look_for(self, hunk: Hunk) -> tuple[Match, list[Place]] | None:
        """The places of its old lines, and of its changes in each of them."""
        old = hunk.old
        if not old:
            places = [Place(point, point, ()) for point in hunk.insertion_points(self._index, self._headings)]
            return (Match(Strategy.POSITION, places, []), places) if places else None
        if all(map(is_blank, old)):
            match = find_blank(self._index, old)
        else:
            match = self._find_at_mark(hunk) or self._finder.find(old)
        return (match, hunk.changes(match.places)) if match else None

    def _find_at_mark(self, hunk: Hunk) -> Match | None:
        """Lines with the byte order mark before them, which is no part of the file's first line here, and stays."""
        if not self._index.bom or not hunk.keeps_mark:
            return None
        old = hunk.old
        match = self._finder.find([old[0].removeprefix(BOM), *old[1:]])
        first = [place for place in match.places if place.start == 0] if match else []
        return evolve(match, places=first) if match and first else None

    def _breaks_off(self, hunk: Hunk, match: Match) -> bool:
        """Whether the patch ends within the changes of this hunk.

        At the end of the file no context can follow, so a count that is wrong means nothing there; but a last line
        without its end does.
        """
        if self._is_open:
            return True
        if hunk.is_noop:
            return hunk.breaks_off
        is_last = not all(place.end < len(self._index.lines) for place in hunk.choose(match.places))
        return hunk.lacks_new if is_last and hunk.lines[-1].ending else hunk.breaks_off

    @property
    def _is_open(self) -> bool:
        """Whether the patch is one of those that say where they end, and has not said so."""
        return self._reader.is_enveloped

    @property
    def _makes_file_again(self) -> bool:
        return bool(self._own and self._own[-1].is_new and self._index.lines)

    def _check_sections(self) -> None:
        """What the parts of the patch without hunks mean: nothing of it is left out without a word."""
        if self._rivals:
            self._refuse(hints.several_files, self._rivals)
        if self._path is None:
            for section in self._others:
                if section.new_path and not section.has_hunks:
                    self._refuse(hints.other_file, section.path)
        if not self._has_hunks and self._has_text:
            self._check_file()
        elif self._has_hunks and self._is_own and self._is_open and not self._ends_in_hunk:
            self._ledger.cut(self._new_hunk())

    def _check_file(self) -> None:
        """A patch without hunks for this file makes, moves or removes it, or it is a failure."""
        if self._ledger.refusal:
            self._refuse(hints.no_file, self._ledger.refusal)
            return
        is_made = bool(self._own) and self._own[-1].is_new and not self._makes_file_again
        if is_made or self._is_deleted or any(map(self._says_enough, self._own)):
            lacks_hunks = any(map(self._lacks_hunks, self._own)) and not self._ledger.accepts_truncated
            if self._is_open or self._is_cut or lacks_hunks:
                self._ledger.cut(self._new_hunk())
            return
        if self._makes_file_again:
            self._refuse(hints.file_exists, self._own[-1].path)
        elif not self._own and self._path is not None and self._others:
            self._refuse(hints.no_such_file, self._path, [section.path for section in self._others])
        elif self._own and self._own[-1].is_git:
            self._refuse(hints.no_lines, self._own[-1].path)
        else:
            self._refuse(hints.no_block, hints.PATCH)

    def _says_enough(self, section: Section) -> bool:
        """Whether something is done to a file that is there, even without hunks."""
        return bool(section.moved_to)

    def _lacks_hunks(self, section: Section) -> bool:
        """Whether the header says that lines follow."""
        is_emptied = section.is_git and section.is_deleted and bool(self._index.lines)
        return section.is_named or section.is_similar or is_emptied

    def _check_deletion(self) -> None:
        """A file that is removed line by line must have no other lines."""
        if not self._is_deleted or not self._has_hunks:
            return
        result = self._ledger.result()
        if result.ok and result.content.removeprefix(BOM):
            self._refuse(hints.file_remains)

    def _refuse(self, hint: Callable[..., Failure], *about: object) -> None:
        """Something is wrong with the patch as a whole."""
        hunk = self._new_hunk()
        self._ledger.fail(hunk, hint(hunk, *about))

    def _new_hunk(self) -> Hunk:
        """One without lines, for what is to be said of the patch as a whole."""
        hunk = Hunk(self._reader.next_number())
        self._ledger.start(hunk)
        return hunk


def checked_path(path: str | os.PathLike[str] | None) -> str | None:
    """The path as text; raises ValueError for one that names nothing."""
    text = None if path is None else os.fspath(path)
    if text == "":
        raise ValueError("path must name a file, or be None for a patch about one file")
    return text


def same_path(one: str, other: str) -> bool:
    """Whether both may name the same file: one is the end of the other, name by name."""
    return _degree(one, other) > 0


def is_path_of(path: str, name: str) -> bool:
    """Whether `path` ends with all of `name`."""
    names = _names(name)
    return bool(names) and _names(path)[-len(names) :] == names


def _degree(one: str, other: str) -> int:
    """How well two paths name the same file: by how many names they end alike, and most if that is all of both."""
    names, others = _names(one), _names(other)
    size = min(len(names), len(others))
    return 2 * size + (len(names) == len(others)) if size and names[-size:] == others[-size:] else 0


def _are_same(one: str, other: str) -> bool:
    return _names(one) == _names(other)


def _names(path: str) -> list[str]:
    return [name for name in path.replace("\\", "/").split("/") if name not in ("", ".")]


def patch_paths(patch: str) -> list[str]:
    """The files that a patch is about, each once."""
    paths: dict[str, None] = {}
    reader = PatchReader(lambda section: paths.setdefault(section.path), lambda hunk: None, lambda hunk: None)
    for line in split_lines(patch):
        reader.add(line)
    reader.finish()
    return [path for path in paths if path]


def apply_patch(
    original: str,
    patch: str,
    *,
    path: str | os.PathLike[str] | None = None,
    final: bool = True,
    threshold: float = 1.0,
    strict: bool = False,
    accept_truncated: bool = False,
) -> DiffResult:
    """Apply a unified diff or a `*** Begin Patch` block to `original`. Nothing is written.

    `path` chooses the file of a patch for several. With `final=False` the patch is still being written: `content` is
    the preview. `strict` raises DiffError, with all failures, unless everything was applied.
    """
    stream = PatchStream(original, path=path, threshold=threshold)
    return stream.apply(patch, is_final=final, accept_truncated=accept_truncated, strict=strict)
