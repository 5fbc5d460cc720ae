"""SEARCH/REPLACE diffs: `SearchReplaceStream`, and the same in one call.

    Some prose, a file name, a fence: ignored.
    ------- SEARCH
    old lines
    =======
    new lines
    +++++++ REPLACE

`markers.py` says what markers may look like, `match.py` how the old lines are found, `replacement.py` how the new
ones are written, `ledger.py` who gets which lines. This file reads: it decides for each line whether it is a marker
or content.

**Which `=======` separates?** One of seven characters, or as many as the first marker has, and the first before which
the old lines are found in the file; if the file goes on with such a line behind them, wherever they may be meant, the
last. Lines of other lengths count when there is no such line. All others are content.

**Where does a block end?** At its end marker. One that begins before, or a line that was perhaps meant as a marker
and is followed by another, make it `bad_marker`.
"""

from __future__ import annotations

from bisect import bisect_left

from streamparse.diff import hints
from streamparse.diff.block import SearchBlock
from streamparse.diff.edit_stream import EditStream
from streamparse.diff.lines import body_of, ending_of, is_blank, split_lines
from streamparse.diff.loose import LooseBlock
from streamparse.diff.markers import (
    CONTENT,
    USUAL,
    Kind,
    Marker,
    classify,
    is_cut_marker,
    may_become_marker,
    may_separate,
)
from streamparse.diff.match import ANCHOR_SIMILARITY, Match, Tolerance, find_plainly, lines_behind
from streamparse.diff.replacement import Replacement
from streamparse.diff.result import DiffResult, Failure

#: So many lines are tried as the separator of one block; more are only tried by halves.
_TRIES = 32


class SearchReplaceStream(EditStream):
    """Edits `original` while the diff is being written.

    `feed` takes the diff in pieces, cut anywhere; `preview` is the file so far; `finalize` gives the result.
    Nothing is written anywhere. The file is indexed once; a piece costs its length, and each block is looked for
    once.
    """

    def __init__(
        self,
        original: str,
        *,
        threshold: float = 1.0,
        anchor_similarity: float = ANCHOR_SIMILARITY,
        fix_markers: bool = False,
    ) -> None:
        super().__init__(original, Tolerance(threshold, anchor_similarity))
        self._fixes_markers = fix_markers
        self._blocks = 0
        self._block: SearchBlock | None = None
        self._loose: LooseBlock | None = None
        self._has_text = False

    def _finish(self, accept_truncated: bool) -> DiffResult:
        for line in self._feed.finish():
            if self._block is None or not is_cut_marker(body_of(line), self._block.marker.size):
                self._line(line)
        self._close()
        if not self._blocks and self._has_text:
            block = self._start("", CONTENT)
            self._ledger.fail(block, hints.no_block(block, hints.BLOCK))
        self._ledger.settle()
        return self._ledger.result(accept_truncated=accept_truncated, events=self._drain())

    # --- reading

    def _line(self, line: str) -> None:
        body = body_of(line)
        marker = classify(body)
        block = self._block
        if block is None:
            self._read_outside(line, marker)
            return
        if marker.is_within(block.marker):
            if marker.kind is Kind.START:
                self._break_off(block)
                self._line(line)
                return
            if marker.kind is Kind.END:
                block.written.append(line)
                self._end(block)
                return
        block.written.append(line)
        if not block.take_header(body):
            self._add(block, body, ending_of(line), marker)
        elif block.bad_header is not None and self._fixes_markers:
            block.fixes = (*block.fixes, f"`{block.bad_header}` is left out")
            block.bad_header = None

    def _start(self, line: str, marker: Marker, fixes: tuple[str, ...] = ()) -> SearchBlock:
        self._blocks += 1
        block = SearchBlock(self._blocks, marker, bool(self._index.bom))
        block.written.append(line)
        block.fixes = fixes
        self._ledger.start(block)
        return block

    def _add(self, block: SearchBlock, body: str, ending: str, marker: Marker) -> None:
        at = len(block.lines)
        block.lines.append((body, ending))
        if block.separator is not None:
            self._add_new(block, at, marker)
        elif block.is_separator(marker):
            block.candidates.append(at)
            if not block.waits and len(block.candidates) <= _TRIES:
                self._try(block, at)

    def _try(self, block: SearchBlock, at: int) -> None:
        """Take that line for the separator, if the old lines before it are found and do not go on behind it."""
        match = self._ledger.find(block.search(at))
        if match is None or block.bad_header is not None:
            return
        if self._goes_on(block, match):
            block.waits = True
        else:
            self._separate(block, at, match)

    def _goes_on(self, block: SearchBlock, match: Match) -> bool:
        separators = {"=" * size for size in (USUAL, block.marker.size) if self._index.has_separators(size)}
        return bool(separators) and not separators.isdisjoint(lines_behind(self._index, match))

    def _separate(self, block: SearchBlock, at: int, match: Match) -> None:
        block.separator = at
        block.accept(match)
        if self._ledger.place(block, match) and block.place is not None:
            block.replacement = Replacement(self._index, block.place, match)

    def _add_new(self, block: SearchBlock, at: int, marker: Marker) -> None:
        if block.suspect is not None:
            block.is_broken = block.is_broken or marker.kind is Kind.ALMOST or block.is_separator(marker)
        elif marker.kind in (Kind.CONTENT, Kind.SEPARATOR):
            self._ledger.write(block, block.add_new(*block.lines[at]))
        else:
            block.suspect = at

    def _show_beginning(self) -> None:
        """The line that is being written, unless it may become a marker."""
        block = self._block
        if block is None or not block.may_show_beginnings or block.replacement is None:
            return
        if not self._feed.is_taken and may_become_marker(self._feed.unfinished().removesuffix("\r")):
            return
        is_beginning = not self._feed.is_taken
        if text := self._feed.take():
            self._ledger.write(block, block.begin_new(text) if is_beginning else block.replacement.begin(text))

    # --- the end of a block

    def _end(self, block: SearchBlock) -> None:
        self._block = None
        if block.separator is None:
            self._choose(block)
        if block.bad_header is not None:
            self._ledger.fail(block, _bad_header(block))
        elif block.separator is None and not block.candidates:
            self._end_unseparated(block)
        elif block.suspect is not None and block.is_broken:
            end = block.written.pop()
            self._end_at_suspect(block)
            self._line(end)
        else:
            self._finish_block(block)

    def _finish_block(self, block: SearchBlock) -> None:
        """The block is complete: what looked like a marker and was not is content."""
        if block.suspect is not None:
            for body, ending in block.lines[block.suspect :]:
                self._ledger.write(block, block.add_new(body, ending))
        self._ledger.write(block, block.finish())
        self._ledger.finish(block)

    def _choose(self, block: SearchBlock) -> None:
        """Find the separator, now that all of the block is there."""
        if not block.candidates:
            block.candidates = block.lines_that(lambda body: classify(body).kind is Kind.SEPARATOR)
            for at in block.candidates[:_TRIES]:
                self._try(block, at)
                if block.separator is not None or block.waits:
                    break
        if block.waits:
            block.waits = False
            self._separate(block, *self._longest(block))
        if block.separator is not None:
            for at in range(block.separator + 1, len(block.lines)):
                self._add_new(block, at, classify(block.lines[at][0]))

    def _longest(self, block: SearchBlock) -> tuple[int, Match]:
        """The last separator before which the old lines are found; one of them is, or the block would not wait.

        Lines that are only similar do not count if others are found: the more there are, the less a difference shows.
        """
        candidates = [at for at in block.candidates if at]
        # Lines that are found are found without their last ones, too.
        behind = bisect_left(candidates, True, key=lambda at: find_plainly(self._index, block.search(at)) is None)
        candidates = candidates[behind - 1 : behind] if behind else block.candidates[:_TRIES]
        matches = ((at, self._ledger.find(block.search(at))) for at in reversed(candidates))
        return next((at, match) for at, match in matches if match is not None)

    def _end_unseparated(self, block: SearchBlock) -> None:
        """No line of `=` at all: a line of something else may have been meant."""
        rules = block.lines_that(may_separate)
        found = ((at, self._ledger.find(block.search(at))) for at in rules[:_TRIES])
        at, match = next((item for item in found if item[1] is not None), (rules[0] if rules else None, None))
        if at is None or match is None or not self._fixes_markers:
            what = "There is no line `=======` between SEARCH and REPLACE."
            corrected = None if at is None else block.corrected(at, len(block.lines))
            self._ledger.fail(block, hints.bad_marker(block, what, corrected))
            return
        block.fixes = (*block.fixes, f"`{block.lines[at][0].strip()}` is taken for the separator `=======`")
        self._separate(block, at, match)
        for line in block.lines[at + 1 :]:
            self._ledger.write(block, block.add_new(*line))
        self._finish_block(block)

    def _end_at_suspect(self, block: SearchBlock) -> None:
        """The line that looks like an end marker was meant to be one; what follows it is read again."""
        at = block.suspect
        assert at is not None
        assert block.separator is not None
        self._block = None
        line, behind = block.lines[at][0].strip(), block.lines[at + 1 :]
        corrected = block.corrected(block.separator, at)
        del block.lines[at:]
        del block.written[len(block.written) - len(behind) :]
        block.suspect = None
        if self._fixes_markers:
            block.fixes = (*block.fixes, f"`{line}` is taken for the end marker `+++++++ REPLACE`")
            self._finish_block(block)
        else:
            what = f"The block ends with `{line}`, which is not the marker `+++++++ REPLACE`."
            self._ledger.fail(block, hints.bad_marker(block, what, corrected))
        for body, ending in behind:
            self._line(body + ending)

    def _break_off(self, block: SearchBlock) -> None:
        """Another block begins within this one."""
        self._block = None
        if block.waits:
            self._choose(block)
        if block.suspect is not None:
            self._end_at_suspect(block)
            return
        separator = block.candidates[0] if block.separator is None and block.candidates else block.separator
        what = "Another block begins before this one has its end marker."
        corrected = None if separator is None else block.corrected(separator, len(block.lines))
        self._ledger.fail(block, hints.bad_marker(block, what, corrected))

    def _close(self) -> None:
        """The diff ends here, whatever is open."""
        while (block := self._block) is not None:
            self._block = None
            self._close_block(block)
        self._drop_loose()

    def _close_block(self, block: SearchBlock) -> None:
        if block.waits and not self._is_all_old(block):
            self._choose(block)
        if block.bad_header is not None:
            self._ledger.fail(block, _bad_header(block))
        elif block.suspect is not None:
            self._end_at_suspect(block)  # what is behind it may be a block
        elif block.separator is not None:
            self._ledger.write(block, block.finish())
            self._ledger.cut(block)
        elif block.candidates and not block.waits:
            self._ledger.finish(block)
        else:
            self._ledger.cut(block)

    def _is_all_old(self, block: SearchBlock) -> bool:
        """Whether all lines of the block, of which the last may be cut, stand in the file: then nothing separates."""
        lines = block.search(len(block.lines))
        if find_plainly(self._index, lines) is not None:
            return True
        match = find_plainly(self._index, lines[:-1])
        if match is None or block.lines[-1][1]:
            return False
        return any(line.startswith(lines[-1].strip()) for line in lines_behind(self._index, match))

    # --- between blocks

    def _read_outside(self, line: str, marker: Marker) -> None:
        if marker.kind is Kind.START:
            self._drop_loose()
            self._block = self._start(line, marker)
            return
        self._has_text = self._has_text or not is_blank(line)
        loose = self._loose
        if loose is None or (not loose.has_separator and loose.is_begun_by(marker)):
            self._loose = LooseBlock.begin(line, marker)
            return
        if loose.is_begun_by(marker):
            self._drop_loose()
            self._loose = LooseBlock.begin(line, marker)
            return
        loose.add(line, marker)
        if loose.is_ended_by(marker):
            self._loose = None
            self._report_loose(loose)

    def _drop_loose(self) -> None:
        """What began like a block is prose if nothing of a block followed."""
        loose, self._loose = self._loose, None
        if loose is not None and loose.has_start and loose.has_separator:
            self._report_loose(loose)

    def _report_loose(self, loose: LooseBlock) -> None:
        corrected = loose.corrected(lambda old: self._ledger.find(old) is not None)
        if corrected is not None and self._fixes_markers and loose.is_complete:
            lines = split_lines(corrected)
            self._block = self._start(lines[0], classify(body_of(lines[0])), loose.fixes)
            for line in lines[1:]:
                self._line(line)
            return
        block = self._start("", loose.marker)
        block.written = loose.lines
        self._ledger.fail(block, hints.bad_marker(block, loose.what, corrected))


def _bad_header(block: SearchBlock) -> Failure:
    separator = block.separator if block.separator is not None else next(iter(block.candidates), None)
    corrected = None if separator is None else block.corrected(separator, len(block.lines))
    return hints.bad_marker(block, f"`{block.bad_header}` is not a line number.", corrected)


def apply_search_replace(
    original: str,
    diff: str,
    *,
    final: bool = True,
    threshold: float = 1.0,
    strict: bool = False,
    anchor_similarity: float = ANCHOR_SIMILARITY,
    fix_markers: bool = False,
    accept_truncated: bool = False,
) -> DiffResult:
    """Apply all blocks of `diff` to `original`. Nothing is written, and `original` is `content` if nothing succeeds.

    With `final=False` the diff is still being written: `content` is the preview. `strict` raises DiffError, with
    all failures, unless everything was applied.
    """
    stream = SearchReplaceStream(
        original, threshold=threshold, anchor_similarity=anchor_similarity, fix_markers=fix_markers
    )
    return stream.apply(diff, is_final=final, accept_truncated=accept_truncated, strict=strict)


def construct_new_file_content(diff: str, original: str, is_final: bool) -> str:
    """The name that Cline gave it: the new content, or the preview of a diff that is still being written.

    Raises DiffError unless every block of a final diff was applied.
    """
    return apply_search_replace(original, diff, final=is_final, strict=is_final).content
