"""SEARCH/REPLACE diffs: `SearchReplaceStream`, and the same in one call.

    Some prose, a file name, a fence: ignored.
    ------- SEARCH
    old lines
    =======
    new lines
    +++++++ REPLACE

`markers.py` says what markers may look like, `separators.py` which `=======` separates, `match.py` how the old lines
are found, `replacement.py` how the new ones are written, `ledger.py` who gets which lines. This file reads: it decides
for each line whether it is a marker or content.

**Where does a block end?** At its end marker. If another begins before, or the diff ends, a line that was perhaps meant
as the end marker makes it `bad_marker`; so does one behind which there is a separator, as that belongs to another
block. What only looks a little like a marker (`### Replace`) is content as soon as anything follows it.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from streamparse.diff import block_hints, hints
from streamparse.diff.block import SearchBlock
from streamparse.diff.block_paths import BlockPaths, names_in_marker
from streamparse.diff.edit_stream import EditStream
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, ending_of, is_blank
from streamparse.diff.loose import LooseBlock
from streamparse.diff.markers import (
    CONTENT,
    UNNAMED_END,
    USUAL,
    Kind,
    Marker,
    classify,
    cut_start,
    is_cut_end,
    is_piece_of_start,
    may_become_marker,
)
from streamparse.diff.match import ANCHOR_SIMILARITY, Finder, Tolerance
from streamparse.diff.patch_outside import PatchOutside
from streamparse.diff.replacement import Replacement
from streamparse.diff.result import DiffResult, Failure
from streamparse.diff.same_path import checked_path
from streamparse.diff.separators import Separation, Separators
from streamparse.diff.ways import Way, Ways


class SearchReplaceStream(EditStream):
    """Edits `original` while the diff is being written.

    `feed` takes the diff in pieces, cut anywhere; `preview` is the file so far; `finalize` gives the result.
    Nothing is written anywhere. The file is indexed once, and a piece costs its length.

    With `threshold` below 1, old lines need only be alike to that degree, where nothing better is found.
    `anchor_similarity` is how much alike the lines between an equal first and last one must be. `fix_markers` applies
    blocks whose markers are not quite right, if there is no doubt about what was meant, and says so in `Edit.fixes`.
    A block below the path of another file than that of the block before fails. `path` is that of the file: then a block
    below any other one fails; and if it is Python, it must be so with all blocks, which are only done at the end then.
    A patch is a failure; `DiffStream` takes both.
    """

    def __init__(
        self,
        original: str | FileIndex,
        *,
        path: str | os.PathLike[str] | None = None,
        threshold: float = 1.0,
        anchor_similarity: float = ANCHOR_SIMILARITY,
        fix_markers: bool = False,
    ) -> None:
        tolerance = Tolerance(threshold, anchor_similarity)
        super().__init__(original, path)
        self._fixes_markers = fix_markers
        self._separators = Separators(self._index, Finder(self._index, tolerance))
        #: The number of the last block.
        self.number = 0
        self._block: SearchBlock | None = None
        self._loose: LooseBlock | None = None
        self._ways = Ways(self._index, (Way.HTML, Way.TYPOGRAPHY))
        self._last_marker = ""  # the character that the last block begins with
        self._has_patch = False
        self._outside = PatchOutside()
        self._has_text = False  # outside of blocks
        self._has_text_behind = False  # the same, since the last end marker
        #: Looks at what stands before blocks, unless a tree does.
        self._names: BlockPaths | None = BlockPaths(checked_path(path), self._index.original)

    # --- reading

    def line(self, line: str) -> None:
        """The next line, with its ending."""
        body = body_of(line)
        self._read(line, body, classify(body))

    def _last_line(self, line: str) -> None:
        """A line without its end. Of a marker that was cut off nothing is content; a start marker is one."""
        size = USUAL if self._block is None else self._block.marker.size
        if self._block is None or self._is_complete or not is_cut_end(line, size):
            marker = cut_start(line, size) or classify(line.removesuffix("\r"))
            if self._block is None and not self._is_complete and is_piece_of_start(line, self._last_marker):
                marker = Marker(Kind.START, character=line.strip()[0])
            self._read(line, body_of(line), marker)

    def _read(self, line: str, body: str, marker: Marker) -> None:
        block = self._block
        if block is None:
            self._read_outside(line, marker)
        elif marker.kind is Kind.START and marker.is_within(block.marker):
            self._break_off(block)
            self._read(line, body, marker)
        elif marker.kind is Kind.END and marker.is_within(block.marker):
            block.written.append(line)
            self._end(block)
        else:
            block.written.append(line)
            self._add(block, body, line[len(body) :], marker)

    def _start(self, line: str, marker: Marker) -> SearchBlock:
        self.number += 1
        block = SearchBlock(self.number, marker, bool(self._index.bom))
        self._last_marker = marker.character
        block.written.append(line)
        self._ledger.start(block)
        return block

    def _add(self, block: SearchBlock, body: str, ending: str, marker: Marker) -> None:
        """A line within a block."""
        if self._take_header(block, body):
            return
        block.lines.append((body, ending))
        if block.separator is not None:
            self._add_new(block, len(block.lines) - 1, marker)
        elif block.is_separator(marker):
            block.candidates.append(len(block.lines) - 1)
            if block.bad_header is None and (separation := self._separators.at_once(block)):
                self._separate(block, separation)

    def _take_header(self, block: SearchBlock, body: str) -> bool:
        if not block.take_header(body):
            return False
        if block.bad_header is not None and self._fixes_markers:
            block.note(f"`{block.bad_header}` is left out")
            block.bad_header = None
        return True

    def _separate(self, block: SearchBlock, separation: Separation) -> None:
        """The old lines are there, and found."""
        assert separation.match is not None
        block.separator, block.is_raw = separation.at, separation.is_raw
        block.accept(separation.match, follows_html=self._ways.has_html(separation.match))
        if place := self._ledger.place(block, separation.match):
            block.replacement = Replacement(self._index, place, separation.match)

    def _add_new(self, block: SearchBlock, at: int, marker: Marker) -> None:
        """A line behind the separator."""
        if block.suspect is not None and not block.is_suspect_plain and not is_blank(block.lines[at][0]):
            self._write_from(block, block.suspect, at)
            block.suspect = None
        if block.suspect is not None:
            block.is_broken = block.is_broken or block.is_separator(marker)
        elif marker.kind is Kind.END or marker.may_end or marker.is_plain:
            block.suspect = at
            block.is_suspect_plain = (marker.is_plain or marker.kind is Kind.END) and not self._is_known(block, at)
        else:
            self._ledger.write(block, block.add_new(*block.lines[at]))

    def _is_known(self, block: SearchBlock, at: int) -> bool:
        """Whether the line is seven `>` or `+` without their word, as in SEARCH or the file: then it may be content."""
        is_unnamed = UNNAMED_END.fullmatch(block.lines[at][0]) is not None
        return is_unnamed and self._index.has_line_like(UNNAMED_END, block.old)

    def _write_from(self, block: SearchBlock, first: int, end: int) -> None:
        """These lines are content."""
        for line in block.lines[first:end]:
            self._ledger.write(block, block.add_new(*line))

    def show_beginning(self) -> None:
        """The line that is being written, unless it may become a marker."""
        block = self._block
        replacement = None if block is None else block.verbatim
        if block is None or replacement is None:
            return
        if not self._feed.is_taken and may_become_marker(self._feed.unfinished().removesuffix("\r")):
            return
        if text := self._feed.take():
            self._ledger.write(block, replacement.begin(text))

    # --- the end of a block

    def _end(self, block: SearchBlock) -> None:
        """Its end marker."""
        self._block = None
        self._has_text_behind = False
        if block.bad_header is not None:
            self._refuse_header(block)
            return
        if block.separator is None:
            separation = self._separators.choose(block)
            if separation is None or not separation.is_proper:
                self._end_unseparated(block, separation)
                return
            self._separate_late(block, separation)
        if block.suspect is not None and block.is_broken:
            end = block.written.pop()
            self._end_at_suspect(block)
            self.line(end)
        else:
            self._finish_block(block)

    def _separate_late(self, block: SearchBlock, separation: Separation) -> None:
        """What separates was only known when the lines behind it were there."""
        block.candidates = [separation.at]
        if separation.match is not None:
            self._separate(block, separation)
            for at in range(separation.at + 1, len(block.lines)):
                self._add_new(block, at, classify(block.lines[at][0]))

    def _finish_block(self, block: SearchBlock) -> None:
        """The block is complete: what looked like a marker and was not is content."""
        if failure := self._stray(block):
            self._ledger.fail(block, failure)
            return
        if block.suspect is not None:
            self._write_from(block, block.suspect, len(block.lines))
        self._ledger.write(block, block.finish())
        self._ledger.finish(block)
        if (match := block.match) is not None:
            self._ways.add(lambda: block.sample(self._index, match), may_show=match.is_html or bool(match.typography))

    def _stray(self, block: SearchBlock) -> Failure | None:
        """Why the block may be for another file."""
        return block_hints.other_file(block, *block.other_path) if block.other_path is not None else None

    def _end_unseparated(self, block: SearchBlock, separation: Separation | None) -> None:
        """No line of `=` separates: a line of something else may have been meant."""
        if separation is not None and separation.match is not None and self._may_fix(separation):
            self._fix(block, separation)
        else:
            self._ledger.fail(block, block_hints.no_separator(block, block.style, _corrected(block, separation)))

    def _may_fix(self, separation: Separation) -> bool:
        return self._fixes_markers and not separation.is_doubtful

    def _fix(self, block: SearchBlock, separation: Separation) -> None:
        """Apply a block of which it is known what all of its lines were meant to be."""
        if not separation.is_proper:
            line = block.lines[separation.at][0].strip()
            block.note(block_hints.taken_for(line, "separator `=======`"))
        block.candidates = [separation.at]
        if separation.match is not None:
            self._separate(block, separation)
            self._write_from(block, separation.at + 1, len(block.lines))
        self._finish_block(block)

    def _end_at_suspect(self, block: SearchBlock) -> None:
        """The line that looks like a marker was meant to be one; what follows it is read again."""
        at = block.suspect
        assert at is not None
        assert block.separator is not None
        self._block = None
        line, marker = block.lines[at][0].strip(), classify(block.lines[at][0])
        is_start = marker.may_start and not marker.may_end
        behind = block.lines[at if is_start else at + 1 :]
        corrected = block.corrected(block.separator, at)
        del block.lines[at:]
        del block.written[len(block.written) - len(behind) :]
        block.suspect = None
        if is_start:
            self._ledger.fail(block, block_hints.no_end(block, block.style, line, corrected))
        elif self._fixes_markers:
            block.note(block_hints.taken_for(line, f"end marker `{block.style.end}`"))
            self._finish_block(block)
        else:
            self._ledger.fail(block, block_hints.bad_end(block, block.style, line, corrected))
        for body, ending in behind:
            self.line(body + ending)

    def _break_off(self, block: SearchBlock) -> None:
        """Another block begins within this one."""
        self._block = None
        separation = Separation(block.separator) if block.separator is not None else self._separators.choose(block)
        if block.separator is None and separation is not None and separation.is_proper:
            self._separate_late(block, separation)
        if block.suspect is not None:
            self._end_at_suspect(block)
        else:
            self._ledger.fail(block, block_hints.no_end(block, block.style, "", _corrected(block, separation)))

    def _close(self, rest: str) -> None:
        if rest:
            self._last_line(rest)
        while (block := self._block) is not None:
            self._block = None
            self._close_block(block)
        self._drop_loose()
        if not self.number and self._has_text:
            self._report_text()
        elif self._has_patch:
            self._refuse(hints.wrong_text, hints.MIXED)
        for one, way in self._ledger.not_failed(self._ways.doubts()):
            self._refuse(hints.unlike, one, way)

    def _report_text(self) -> None:
        """There is text, and no block in it."""
        if self._has_patch:
            self._refuse(hints.wrong_text, block_hints.PATCH_ALONE)
        else:
            is_in_tree = self._ledger.path is not None
            self._refuse(hints.no_block, block_hints.NAMED_BLOCK if is_in_tree else block_hints.BLOCK)

    def _refuse(self, hint: Callable[..., Failure], *about: object) -> None:
        """Something is wrong with the text as a whole."""
        block = self._start("", CONTENT)
        self._ledger.refuse(block, hint(block, *about))

    def _close_block(self, block: SearchBlock) -> None:
        if block.bad_header is not None:
            self._refuse_header(block)
            return
        if block.waits and (separation := self._separators.choose(block, is_cut=True)):
            self._separate_late(block, separation)
        if block.suspect is not None:
            self._end_at_suspect(block)  # what is behind it may be a block
        elif block.separator is not None:
            if self._ledger.accepts_truncated and (failure := self._stray(block)):
                self._ledger.fail(block, failure)
                return
            self._ledger.write(block, block.finish())
            self._ledger.cut(block)
        elif block.candidates and not block.waits:
            self._ledger.finish(block)
        else:
            self._ledger.cut(block)

    def _refuse_header(self, block: SearchBlock) -> None:
        corrected = _corrected(block, self._separators.choose(block))
        self._ledger.fail(block, block_hints.bad_header(block, block.style, block.bad_header or "", corrected))

    # --- between blocks

    def _read_outside(self, line: str, marker: Marker) -> None:
        if marker.kind is Kind.START:
            self._drop_loose()
            self._outside = PatchOutside()
            self._block = self._start(line, marker)
            if self._names is not None:
                self._block.other_path = self._names.other()
            return
        if self._names is not None and not marker.may_start:
            self._names.add(line)
        if self._outside.begins_with(body_of(line)):
            self._meet_patch()
        loose = self._loose
        if loose is None and marker.kind is Kind.END:
            self._read_stray_end(line)
            return
        if not is_blank(line):
            self._has_text = self._has_text_behind = True
        if loose is None or loose.is_begun_by(marker):
            self._drop_loose()
            self._loose = LooseBlock.begin(line, marker)
            if self._names is not None and marker.may_start:
                self._names.hold()
        elif loose.add(line, marker):
            self._loose = None
            self._report_loose(loose)

    def _meet_patch(self) -> None:
        """Something outside of blocks begins a patch, behind them or before."""
        self._has_patch = True

    def _read_stray_end(self, line: str) -> None:
        """An end marker without a block: one that is written twice is nothing, but text before it belongs somewhere."""
        if self._has_text_behind:
            self._has_text_behind = False
            block = self._start(line, CONTENT)
            self._ledger.fail(block, block_hints.stray_end(block, body_of(line).strip()))

    def _drop_loose(self) -> None:
        """What began like a block is prose if nothing of a block followed."""
        loose, self._loose = self._loose, None
        if loose is not None and loose.is_block:
            self._report_loose(loose)

    def _report_loose(self, loose: LooseBlock) -> None:
        self._has_text_behind = False
        block = self._start("", loose.marker)
        block.style = loose.style
        block.written = loose.lines
        if self._names is not None and loose.has_start:
            block.other_path = self._names.other_of_loose(loose.first)
        for line in loose.inner:
            if not self._take_header(block, body_of(line)):
                block.lines.append((body_of(line), ending_of(line)))
        separation = self._separators.choose(block) if loose.has_start else None
        if separation is not None and loose.is_complete and self._may_fix(separation):
            markers = (
                (loose.first, f"start marker `{loose.style.start}`"),
                (loose.bad_end, f"end marker `{loose.style.end}`"),
            )
            block.fixes = (*(block_hints.taken_for(line, marker) for line, marker in markers if line), *block.fixes)
            self._fix(block, separation)
        elif loose.has_start:
            if self._ledger.path is not None:
                block.path_in_marker = next(iter(names_in_marker(loose.first).own), "")
            corrected = _corrected(block, separation)
            self._ledger.fail(block, block_hints.bad_start(block, block.style, loose.first, corrected))
        else:
            self._ledger.fail(block, block_hints.no_start(block, block.style))


def _corrected(block: SearchBlock, separation: Separation | None) -> str | None:
    return None if separation is None else block.corrected(separation.at)


def apply_search_replace(
    original: str,
    diff: str,
    *,
    final: bool = True,
    path: str | os.PathLike[str] | None = None,
    threshold: float = 1.0,
    strict: bool = False,
    anchor_similarity: float = ANCHOR_SIMILARITY,
    fix_markers: bool = False,
    accept_truncated: bool = False,
    complete: bool = False,
) -> DiffResult:
    """Apply all blocks of `diff` to `original`. Nothing is written, and `original` is `content` if nothing succeeds.

    With `final=False` the diff is still being written: `content` is the preview. Of one that is final, `strict` raises
    DiffError, with all failures, unless everything was applied, and `accept_truncated` applies the last block although
    its end marker is missing; `complete` says that the text is whole, whatever it ends with. See `SearchReplaceStream`
    for the other options. A patch is a failure: that is for `apply_patch`, and `DiffStream` takes both.
    """
    stream = SearchReplaceStream(
        original, path=path, threshold=threshold, anchor_similarity=anchor_similarity, fix_markers=fix_markers
    )
    return stream.apply(diff, is_final=final, accept_truncated=accept_truncated, strict=strict, complete=complete)


def construct_new_file_content(diff: str, original: str, is_final: bool) -> str:
    """The name that Cline gave it: the new content, or the preview of a diff that is still being written.

    Raises DiffError unless every block of a final diff was applied.
    """
    return apply_search_replace(original, diff, final=is_final, strict=is_final).content
