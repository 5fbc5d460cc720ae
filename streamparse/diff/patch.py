"""Unified diffs and `*** Begin Patch` blocks: `PatchStream`, and the same in one call.

`patch_reader.py` says what may be in a patch, `hunk.py` what becomes of a hunk. A hunk is looked for when it is
complete, as all of its old lines are needed to find it.

Hunks are looked for in the original. A later part about the same file, as in the second of several mails, was perhaps
written for what the earlier parts made of it: unless its hunks are found in the original, in one place and with no line
that an earlier part wrote, they are looked for in that.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable

from attrs import evolve

from streamparse.diff import hints
from streamparse.diff.context import Flaw, find_despite_context
from streamparse.diff.dressing import has_entities, has_signs, joined, pieces_of, without_entities
from streamparse.diff.edit_stream import EditStream
from streamparse.diff.headings import Headings
from streamparse.diff.hunk import Hunk
from streamparse.diff.lines import BOM, is_blank, split_lines, trim_all
from streamparse.diff.match import Finder, Tolerance, find_blank, find_plainly
from streamparse.diff.numbers import Numbered, Offsets, contradicted
from streamparse.diff.patch_reader import PatchReader, Section
from streamparse.diff.place import Match, Place
from streamparse.diff.result import DiffResult, Failure, Strategy

#: A last line without its ending that is one of these or a piece of one announces more.
_ANNOUNCING = (
    *("@@", "diff --git ", "--- ", "+++ ", "*** Begin Patch"),
    *("*** Update File: ", "*** Add File: ", "*** Create File: ", "*** Delete File: "),
    "\\ No newlin",
)
_ANNOUNCED = re.compile(r"diff --git |\*\*\* (?:Update|Add|Create) File: ")
#: What the lines of git's headers begin with, of which the rest may be missing.
_HEADERS = (
    *("old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ", "dissimilarity index "),
    *(
        "rename from ",
        "rename to ",
        "copy from ",
        "copy to ",
        "index ",
        "--- ",
        "+++ ",
        "GIT binary patch",
        "Binary files ",
    ),
)


class PatchStream(EditStream):
    """Edits `original` while the patch is being written; used like `SearchReplaceStream`.

    `path` says which file of a patch for several files it is; without it, it is the first one, and others are failures.
    With `threshold` below 1, old lines need only be alike to that degree. One line of context may be wrong in any case
    if the others show where the hunk belongs (`context.py`): `fixes` of its edit tells which.
    """

    def __init__(self, original: str, *, path: str | os.PathLike[str] | None = None, threshold: float = 1.0) -> None:
        self._tolerance = Tolerance(threshold, has_anchors=False)
        super().__init__(original, self._tolerance)
        self._path = checked_path(path)
        self._reader = PatchReader(self._on_section, self._on_hunk, self._on_hunk_end)
        self._headings = Headings(self._index)
        self._found: dict[Hashable, tuple[Match, list[Place]] | None] = {}
        self._flawed: dict[Hashable, tuple[Match, Flaw] | None] = {}  # those with a wrong line of context
        self._offsets: dict[int, int] = {}  # by number of the hunk: how far from its own number it was found
        self._numbered: list[Numbered] = []
        self._counts: set[bool] = set()  # whether those of the headers so far are right
        self._waiting: list[Hunk] = []  # that have only new lines and a number
        self._part: list[Hunk] = []  # the hunks of this part of the patch
        self._is_later = False  # whether others were before it, and it may be about what they made
        self._written: set[str] = set()  # by those
        self._own: list[Section] = []
        self._degree = 0  # how well these are what is meant
        self._is_own = True  # what comes now
        self._others: list[Section] = []
        self._rivals: dict[str, None] = {}  # several that may be meant
        self._has_hunks = False
        self._has_text = False
        self._may_be_cut = False
        self._ends_in_hunk = False
        self._is_finishing = False
        self._is_cut = False  # within a header
        self._ends_announcing = False

    def _line(self, line: str) -> None:
        self._has_text = self._has_text or not is_blank(line)
        self._reader.add(line)

    def _close(self, rest: str) -> None:
        announces = not self._is_complete and announces_more(rest, self._reader.hunk)
        if rest and not announces:
            self._line(rest)
        self._begin_end(announces=announces)
        self._reader.finish()
        self._check(rest)

    def _begin_end(self, *, announces: bool) -> None:
        """There are no more lines; the last one, without its ending, may have announced more than there is."""
        self._is_finishing, self._ends_announcing = True, announces
        self._may_be_cut = not self._is_complete and not announces

    def _check(self, rest: str) -> None:
        """All hunks are there; `rest` is the last line of the text, if it has no ending."""
        self._place_waiting()
        self._check_numbers()
        is_cut = self._ends_announcing or any(map(_is_piece(rest), _HEADERS))
        self._is_cut = is_cut and not self._is_complete and not self._ledger.accepts_truncated
        self._has_text = self._has_text or self._ends_announcing
        self._check_sections()
        if self._has_hunks and self._ends_announcing:
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
            self._begin_part()

    def _begin_part(self) -> None:
        """What comes is about the same file again, or for the first time: the numbers of its hunks are its own."""
        self._place_waiting()
        self._check_numbers()
        self._offsets = {}
        for hunk in self._part:
            self._written.update(trim_all(line.body for line in hunk.lines if line.kind == "+"))
        self._is_later = self._is_later or bool(self._part)
        self._part = []

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
        if self._is_own and self._waiting:
            self._waiting[-1].is_followed = True

    def _on_hunk_end(self, hunk: Hunk) -> None:
        self._ends_in_hunk = self._is_finishing
        hunk.may_be_cut = self._may_be_cut
        if hunk.left is not None and not self._is_finishing:
            self._counts.add(hunk.left == (0, 0))
        if not self._is_own:
            if self._path is None:
                self._ledger.fail(hunk, hints.other_file(hunk, self._others[-1].path))
        elif hunk.may_be_cut and (hunk.is_empty or not (hunk.lines or hunk.is_combined)):
            self._ledger.cut(hunk)
        elif hunk.is_empty:
            self._ledger.skip(hunk)
        elif failure := self._refusal(hunk):
            self._ledger.fail(hunk, failure)
        else:
            if self._is_later and self._is_about_result(hunk):
                self._rebase()
            if hunk.is_insertion and self._index.lines:
                self._waiting.append(hunk)
            else:
                self._place(hunk, self._carried)
            self._part.append(hunk)

    def _place(self, hunk: Hunk, offset: int) -> None:
        """Finds the place of the hunk, so far from its own number if that matters, and changes what is there."""
        has_number = hunk.near is not None
        hunk.move(offset)
        if match := self._find(hunk):
            hunk.accept(match)
            hunk.is_truncated = hunk.may_be_cut and self._breaks_off(hunk, match)
            if place := self._ledger.place(hunk, match):
                if has_number and hunk.old:
                    self._offsets[hunk.number] = offset + (hunk.offset(place) or 0)
                    self._numbered.append(Numbered(hunk, place, self._offsets[hunk.number], self._choices(hunk)))
                self._ledger.write(hunk, hunk.render(self._index, place, match))
        self._ledger.finish(hunk)

    def _choices(self, hunk: Hunk) -> list[Place]:
        """All places of which its number has chosen one; none if it is the only one, or that at the end."""
        return hunk.places if len(hunk.places) > 1 and not (hunk.is_at_end or hunk.has_unended) else []

    def _check_numbers(self) -> None:
        """Hunks that were found by their numbers: the others must not contradict them."""
        numbered, self._numbered = self._numbered, []
        for one in contradicted(numbered):
            self._refuse(hints.misnumbered, one.hunk, one.place.start + 1)

    @property
    def _carried(self) -> int:
        """How far from its own number the last hunk was found."""
        return next(reversed(self._offsets.values()), 0)

    def _place_waiting(self) -> None:
        """Hunks with only new lines: other hunks must show that their numbers are right, or how far off they are."""
        waiting, self._waiting = self._waiting, []
        offsets = Offsets(self._offsets)
        are_placed = len(self._offsets) == sum(bool(hunk.old) for hunk in self._part)
        # Behind a last line without an end, git has that line in the hunk, too.
        is_end_known = are_placed and not offsets.has_any and not self._index.ends_without_newline
        for hunk in waiting:
            offset = offsets.confirmed(hunk.number, is_at_top=hunk.behind == 0)
            if offset is None and hunk.behind == len(self._index.lines) and is_end_known:
                offset = 0  # behind the last line, as it says
            if offset is None and hunk.behind is not None:
                self._ledger.fail(hunk, hints.unconfirmed(hunk))
            else:
                self._place(hunk, offset or 0)

    def _is_about_result(self, hunk: Hunk) -> bool:
        """Whether a hunk of a later part is to be looked for in what the earlier ones made of the file."""
        match = self._finder.find(hunk.old) if hunk.old else None
        if match is None or len(match.places) > 1 or self._ledger.is_taken(hunk.changes(match.places)[0]):
            return True
        return any(line and line in self._written for line in trim_all(hunk.old))

    def _rebase(self) -> None:
        """From here on, the file is what the patch has made of it."""
        self._place_waiting()
        self._ledger.settle()
        self._index = self._index.successor(self._ledger.result().content)
        self._ledger = self._ledger.continued(self._index)
        self._finder = Finder(self._index, self._tolerance)
        self._headings = Headings(self._index)
        self._found, self._flawed = {}, {}
        self._is_later, self._written = False, set()

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
        if len(hunk.headings) > 1 and self._headings.contradict(hunk.headings):
            return hints.contradicting(hunk, hunk.headings)
        return None

    def _find(self, hunk: Hunk) -> Match | None:
        match = self._find_whole(hunk)
        if match is None and hunk.drop_unmarked():
            match = self._find_whole(hunk)
        return match or self._find_unescaped(hunk) or self._find_elided(hunk) or self._find_flawed(hunk)

    def _find_unescaped(self, hunk: Hunk) -> Match | None:
        """With signs for what is written as HTML has them, in all of its lines."""
        written = hunk.lines
        if not has_entities(hunk.old) or has_signs([line.body for line in written]):
            return None
        hunk.lines = [evolve(line, body=without_entities(line.body)) for line in written]
        match = self._find_whole(hunk)
        if match is None:
            hunk.lines = written
        else:
            hunk.note("signs that were written as HTML has them are signs")
        return match

    def _find_elided(self, hunk: Hunk) -> Match | None:
        """With the lines of the file for each `...` of its context."""
        pieces = pieces_of(hunk.old)
        found = [find_plainly(self._index, piece) for piece in pieces]
        matches = [match for match in found if match is not None]
        match = joined(self._index, matches) if matches and len(matches) == len(found) else None
        if match is None or not hunk.fill(match.middles):
            return None
        return evolve(match, places=hunk.changes(match.places))

    def _find_flawed(self, hunk: Hunk) -> Match | None:
        """With a line of context that is not as the file has it."""
        if hunk.is_noop or not hunk.has_context:
            return None
        key = tuple((line.kind, line.body) for line in hunk.lines)
        if key not in self._flawed:
            self._flawed[key] = find_despite_context(self._index, hunk.lines)
        if (found := self._flawed[key]) is None:
            return None
        match, flaw = found
        hunk.mend(flaw)
        return evolve(match, places=hunk.changes(match.places))

    def _find_whole(self, hunk: Hunk) -> Match | None:
        # Models repeat themselves, and equal hunks have equal places.
        shape = hunk.shape, hunk.keeps_mark
        if shape not in self._found:
            self._found[shape] = self._look_for(hunk)
        if (found := self._found[shape]) is None:
            return None
        match, hunk.places = found
        if not match.lines:
            return match
        return evolve(match, places=hunk.narrow(self._index, match.places, hunk.places, self._headings))

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
        return (match, hunk.changes(match.places)) if match and match.places else None

    def _find_at_mark(self, hunk: Hunk) -> Match | None:
        """Lines with the byte order mark before them, which is no part of the file's first line here.

        It stays, or goes with all of the file.
        """
        if not self._index.bom or not (hunk.keeps_mark or (self._is_deleted and hunk.old[0].startswith(BOM))):
            return None
        old = hunk.old
        match = self._finder.find([old[0].removeprefix(BOM), *old[1:]])
        first = [place for place in match.places if place.start == 0] if match else []
        return evolve(match, places=first) if match and first else None

    def _breaks_off(self, hunk: Hunk, match: Match) -> bool:
        """Whether the patch ends within the changes of this hunk."""
        if self._is_open:
            return True
        place = hunk.choose(match.places)[-1]
        return hunk.breaks_off(place, len(self._index.lines), self._counts)

    @property
    def _is_open(self) -> bool:
        """Whether the patch is one of those that say where they end, and has not said so."""
        return self._reader.is_enveloped

    @property
    def _makes_file_again(self) -> bool:
        return bool(self._own and self._own[-1].is_new and self._index.lines)

    def _check_sections(self) -> None:
        """What the parts of the patch without hunks mean: nothing of it is left out without a word."""
        for section in self._own:
            if section.is_binary:
                self._refuse(hints.binary, section.path)
                return
        if self._rivals:
            self._refuse(hints.several_files, self._rivals)
        if self._path is None:
            for section in self._others:
                if section.new_path and not section.has_hunks:
                    self._refuse(hints.other_file, section.path)
        if not self._has_hunks and self._has_text:
            self._check_file()
        elif self._has_hunks and self._is_own and self._breaks_between_hunks:
            self._ledger.cut(self._new_hunk())

    @property
    def _breaks_between_hunks(self) -> bool:
        return self._is_open and not self._ends_in_hunk and not self._is_complete

    def _check_file(self) -> None:
        """A patch without hunks for this file makes, moves or removes it, or it is a failure."""
        if self._ledger.refusal:
            self._refuse(hints.no_file, self._ledger.refusal)
            return
        is_made = bool(self._own) and self._own[-1].is_new and not self._makes_file_again
        if is_made or self._is_deleted or any(map(self._says_enough, self._own)):
            lacks_hunks = any(map(self._lacks_hunks, self._own)) and not self._ledger.accepts_truncated
            if not self._is_complete and (self._is_open or self._is_cut or lacks_hunks):
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
        return section.is_named or section.is_similar or section.is_altered or is_emptied

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


def announces_more(rest: str, hunk: Hunk | None) -> bool:
    """Whether the last line of a text, without its ending, is a piece of one that begins something else."""
    if not rest or (rest.startswith(("-", "+")) and (hunk is None or hunk.left != (0, 0))):
        return False
    return any(marker.startswith(rest) for marker in _ANNOUNCING) or bool(_ANNOUNCED.match(rest))


def _is_piece(rest: str) -> Callable[[str], bool]:
    """Whether a header begins with that, or that with the header."""
    return lambda header: bool(rest) and (header.startswith(rest) or rest.startswith(header))


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
    complete: bool = False,
) -> DiffResult:
    """Apply a unified diff or a `*** Begin Patch` block to `original`. Nothing is written.

    `path` chooses the file of a patch for several. With `final=False` the patch is still being written: `content` is
    the preview. `strict` raises DiffError, with all failures, unless everything was applied. `complete` says that the
    text is whole, whatever it ends with.
    """
    stream = PatchStream(original, path=path, threshold=threshold)
    return stream.apply(patch, is_final=final, accept_truncated=accept_truncated, strict=strict, complete=complete)
