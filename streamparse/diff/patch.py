"""Unified diffs and `*** Begin Patch` blocks: `PatchStream`, and the same in one call.

    --- a/a.py
    +++ b/a.py
    @@ -1,2 +1,2 @@
     context
    -old
    +new

`patch_reader.py` says what may be in a patch, `file_sections.py` which parts of it are about the file, `hunk_placer.py`
where a hunk goes, `patch_ending.py` what may have been cut off. This file leads from one to the other, and says what
becomes of a patch as a whole: nothing of it is left out without a word.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from attrs import evolve

from streamparse.diff import hints, patch_hints
from streamparse.diff.earlier_parts import EarlierParts
from streamparse.diff.edit_stream import EditStream
from streamparse.diff.file_sections import FileSections
from streamparse.diff.hunk import Hunk
from streamparse.diff.hunk_placer import HunkPlacer
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import BOM, is_blank
from streamparse.diff.match import Tolerance
from streamparse.diff.patch_ending import Ending
from streamparse.diff.patch_reader import PatchReader
from streamparse.diff.result import DiffResult, Failure
from streamparse.diff.same_path import checked_path
from streamparse.diff.section import Section


class PatchStream(EditStream):
    """Edits `original` while the patch is being written; used like `SearchReplaceStream`.

    `path` says which file of a patch for several files it is; without it, it is the first one, and others are failures.
    If it is Python, it must be so with all hunks, which are only done at the end then.
    With `threshold` below 1, old lines need only be alike to that degree. One line of context may be wrong in any case
    if the others show where the hunk belongs (`context.py`): `fixes` of its edit tells which.
    SEARCH/REPLACE blocks are a failure; `DiffStream` takes both.
    """

    def __init__(
        self, original: str | FileIndex, *, path: str | os.PathLike[str] | None = None, threshold: float = 1.0
    ) -> None:
        tolerance = Tolerance(threshold, has_anchors=False)
        super().__init__(original, path)
        self._sections = FileSections(checked_path(path))
        self._reader = PatchReader(self._on_section, self.begin_hunk, self.end_hunk)
        self._placer = HunkPlacer(self._ledger, tolerance)
        self._ending: Ending | None = None  # None: there may be more lines
        self._has_text = False
        self._has_hunks = False
        self._ends_in_hunk = False

    def line(self, line: str) -> None:
        """The next line, with its ending."""
        self._has_text = self._has_text or not is_blank(line)
        self._reader.add(line)

    def show_beginning(self) -> None:
        """Nothing: a hunk is looked for when it is complete."""

    def _close(self, rest: str) -> None:
        shown, ending = self._reader.close(
            rest, is_complete=self._is_complete, accepts_truncated=self._ledger.accepts_truncated
        )
        self._has_text = self._has_text or not is_blank(shown)
        self._ending = ending
        self._reader.finish()
        if self._reader.has_blocks and not (self._has_hunks or self._sections.own or self._sections.others):
            self._refuse(hints.wrong_text, patch_hints.BLOCKS_ALONE)
            return
        self._check(shown, ending)
        if self._reader.has_blocks:
            self._refuse(hints.wrong_text, hints.MIXED)
        if self._reader.is_uneven:
            self._refuse(hints.wrong_text, patch_hints.UNEVEN)

    @property
    def preview(self) -> str:
        """The original with what is certain; nothing, if the patch removes the file."""
        return "" if self._result is not None and self._result.is_deleted else super().preview

    def _conclude(self) -> DiffResult:
        self._check_deletion()
        result, sections = super()._conclude(), self._sections
        if not result.ok:
            return result
        return (
            evolve(result, content="", is_deleted=True)
            if sections.is_deleted
            else evolve(result, moved_to=sections.moved_to, mode=sections.mode)
        )

    # --- what the reader finds

    def _on_section(self, section: Section) -> None:
        is_same = section.patch == self._sections.last.patch
        if self._sections.add(section):
            self._end_part()
            if not is_same:
                self._placer.earlier = EarlierParts()
            if section.moved_to:
                self._ledger.take_path(section.moved_to)

    def begin_hunk(self, hunk: Hunk) -> None:
        """A hunk begins."""
        if self._sections.is_own or self._sections.path is None:
            self._has_hunks = True
            self._ledger.start(hunk)
        if self._sections.is_own:
            self._placer.expect()

    def end_hunk(self, hunk: Hunk) -> None:
        """It is complete."""
        sections, ending = self._sections, self._ending
        if ending is None:
            self._placer.count(hunk)
        else:
            self._ends_in_hunk = True
            hunk.may_be_cut, hunk.is_open = ending.may_be_cut, self._is_open
        if not sections.is_own:
            if sections.path is None:
                self._ledger.fail(hunk, patch_hints.other_file(hunk, sections.others[-1].path))
        elif hunk.may_be_cut and (hunk.is_empty or not (hunk.lines or hunk.is_combined)):
            self._ledger.cut(hunk)
        elif hunk.is_empty:
            self._ledger.skip(hunk)
        elif self._makes_file_again and self._ledger.made.are_all(self._index, hunk):
            self._ledger.finish(hunk)  # the same file once more
        elif failure := self._refusal(hunk):
            self._ledger.fail(hunk, failure)
        else:
            self._placer.add(hunk)

    def _end_part(self) -> None:
        """What comes is about the same file again, or nothing comes: the numbers of its hunks are its own."""
        for hint, hunk, about in self._placer.end_part():
            self._refuse(hint, hunk, about)

    def _refusal(self, hunk: Hunk) -> Failure | None:
        """Why the hunk is not even looked for."""
        if hunk.is_combined:
            return patch_hints.combined(hunk)
        if not hunk.lines:
            return patch_hints.empty_hunk(hunk)
        last = self._sections.last
        if self._makes_file_again:
            return patch_hints.file_exists(hunk, last.path)
        old = next((line.body for line in hunk.lines if line.kind != "+"), None) if last.is_new else None
        unmarked = last.unmarked or old
        return None if unmarked is None else patch_hints.no_plus(hunk, unmarked, is_new=True)

    @property
    def _is_open(self) -> bool:
        """Whether `*** Begin Patch` has come, and `*** End Patch` has not."""
        return self._reader.is_enveloped

    @property
    def _makes_file_again(self) -> bool:
        return self._sections.last.is_new and bool(self._index.lines)

    # --- the patch as a whole

    def _check(self, rest: str, ending: Ending) -> None:
        """All hunks are there; `rest` is the last line of the text, if it has no ending."""
        self._end_part()
        if self._reader.has_blocks:
            return  # that is enough to say
        self._check_sections(is_cut=ending.is_cut_in_header(rest))
        if self._has_hunks and ending.announces:
            self._cut()

    def _check_sections(self, *, is_cut: bool) -> None:
        """What the parts of the patch without hunks mean; `is_cut`: the text ends within a header."""
        sections = self._sections
        if binary := next((section for section in sections.own if section.is_binary), None):
            self._refuse(patch_hints.binary, binary.path)
            return
        if bad := next((section for section in sections.own if section.bad_line), None):
            self._refuse(patch_hints.bad_name, bad.bad_line)
            return
        if sections.rivals:
            self._refuse(patch_hints.several_files, sections.rivals)
        if sections.path is None:
            for section in sections.others:
                if not section.path:
                    self._cut()  # before its name
                elif not section.has_hunks and (section.new_path or section.ends_text):
                    self._refuse(patch_hints.other_file, section.path)
        if not self._has_hunks and self._has_text:
            self._check_file(is_cut=is_cut)
        elif self._has_hunks and sections.is_own and (self._breaks_between_hunks or self._ends_in_header):
            self._cut()

    @property
    def _breaks_between_hunks(self) -> bool:
        return self._is_open and not self._ends_in_hunk and not self._is_complete

    @property
    def _ends_in_header(self) -> bool:
        """Whether the text ends in one more header of the file, which does nothing by itself."""
        last = self._sections.last
        return last.ends_text and not (last.is_deleted or self._says_enough(last))

    def _check_file(self, *, is_cut: bool) -> None:
        """A patch without hunks for this file makes, moves or removes it, or it is a failure."""
        sections, last = self._sections, self._sections.last
        breaks_off = last.ends_text and not self._is_complete
        if breaks_off and not last.path:
            self._cut()
            return
        if self._ledger.refusal:
            self._refuse(hints.no_file, self._ledger.refusal)
            return
        if last.unmarked:
            self._refuse(partial(patch_hints.no_plus, is_new=True), last.unmarked)
            return
        is_made = last.is_new and not self._makes_file_again
        if is_made or sections.is_deleted or any(map(self._says_enough, sections.own)):
            lacks_hunks = any(map(self._lacks_hunks, sections.own)) and not self._ledger.accepts_truncated
            if not self._is_complete and (self._is_open or is_cut or lacks_hunks):
                self._cut()
            elif last.ends_in_name and not self._is_certain and (whole := self._whole_name(last)):
                self._refuse(patch_hints.open_name, last.path, whole)
            elif last.is_changed and not sections.is_deleted and not self._ledger.accepts_truncated:
                self._refuse(patch_hints.no_lines, last.path)
            return
        if self._makes_file_again:
            self._refuse(patch_hints.file_exists, last.path)
        elif not sections.own and sections.path is not None and sections.others:
            self._refuse_others(sections.path)
        elif breaks_off:
            self._cut()
        elif last.is_git or last.is_headed or last.is_directed:
            self._refuse(patch_hints.no_lines, last.path)
        else:
            self._refuse(hints.no_block, patch_hints.PATCH)

    def _refuse_others(self, path: str) -> None:
        """Other files are named, and not this one."""
        if name := self._sections.perhaps_removed:
            self._refuse(patch_hints.uncertain_removal, path, name)
        else:
            self._refuse(patch_hints.no_such_file, path, [section.path for section in self._sections.others])

    @property
    def _is_certain(self) -> bool:
        """Whether the caller says so of what stands there, however it ends."""
        return self._is_complete or self._ledger.accepts_truncated

    def _whole_name(self, section: Section) -> str:
        """What the name with which the text ends may be the beginning of: one with the extension of the old name."""
        old, new = (os.path.splitext(path)[1] for path in (section.old_path, section.moved_to))
        is_piece = bool(section.moved_to) and old != new and old.startswith(new)
        return section.moved_to.removesuffix(new) + old if is_piece else ""

    def _says_enough(self, section: Section) -> bool:
        """Whether something is done to a file that is there, even without hunks."""
        return bool(section.moved_to) or section.mode is not None

    def _lacks_hunks(self, section: Section) -> bool:
        """Whether the header says that lines follow."""
        is_emptied = section.is_git and section.is_deleted and bool(self._index.original)
        is_begun = section.is_new and not section.may_be_empty
        return section.is_named or section.is_changed or is_emptied or is_begun

    def _check_deletion(self) -> None:
        """A file that is removed line by line must have no other lines."""
        if not self._sections.is_deleted or not self._has_hunks:
            return
        result = self._ledger.result()
        if result.ok and result.content.removeprefix(BOM):
            self._refuse(patch_hints.file_remains)

    def _cut(self) -> None:
        """The patch ends within a header, or where a hunk is to follow."""
        self._ledger.cut(self._new_hunk())

    def _refuse(self, hint: Callable[..., Failure], *about: object) -> None:
        """Something is wrong with the patch as a whole."""
        hunk = self._new_hunk()
        self._ledger.refuse(hunk, hint(hunk, *about))

    def _new_hunk(self) -> Hunk:
        """One without lines, for what is to be said of the patch as a whole."""
        hunk = Hunk(self._reader.next_number())
        self._ledger.start(hunk)
        return hunk


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
    text is whole, whatever it ends with. SEARCH/REPLACE blocks are a failure: these are for `apply_search_replace`, and
    `DiffStream` takes both.
    """
    stream = PatchStream(original, path=path, threshold=threshold)
    return stream.apply(patch, is_final=final, accept_truncated=accept_truncated, strict=strict, complete=complete)
