"""`str_replace`: one text for another, as the text editors of models write edits.

    str_replace("a = 1\\n", "1", "2").content      is  "a = 2\\n"

The old text need not be whole lines. It is looked for as it is; if it is nowhere, its lines are found as those of a
SEARCH/REPLACE block are (`match.py`), and what was not found or is ambiguous fails in the same words.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from attrs import evolve

from streamparse.diff import hints
from streamparse.diff.block import SearchBlock
from streamparse.diff.elsewhere import are_made_beside, is_shifted
from streamparse.diff.index import FileIndex
from streamparse.diff.ledger import Ledger
from streamparse.diff.lines import (
    BOM,
    bodies_of,
    body_of,
    check_text,
    ending_of,
    is_blank,
    newline_of,
    split_lines,
    trim_all,
)
from streamparse.diff.markers import CONTENT, Marker
from streamparse.diff.match import ANCHOR_SIMILARITY, Finder, Tolerance
from streamparse.diff.place import Match, Place
from streamparse.diff.replacement import Replacement
from streamparse.diff.result import DiffResult, Failure, Strategy
from streamparse.diff.same_path import checked_path
from streamparse.diff.text_lines import TextPlace
from streamparse.errors import DiffError


class _TextBlock(SearchBlock):
    """The old and the new text as a block; its lines mean what they are, with backslashes and all."""

    noun = "edit"
    may_be_wrapped = False
    advice_without_old = (
        "The old text is empty, and the file is not. Repeat the edit with the text to be replaced, or with the line "
        "before the new text, in both."
    )

    def __init__(self, number: int, old: str, newline: str = "", *, has_bom: bool = False) -> None:
        super().__init__(number, CONTENT, has_bom)
        self.lines = [(body_of(line), ending_of(line)) for line in split_lines(old, newline)]
        self.separator = len(self.lines)
        self.is_raw = True
        self.written = [old]

    @property
    def sides(self) -> tuple[Sequence[str], Sequence[str]]:
        """The old lines and the new ones."""
        return self.old, self.new_lines

    def is_separator(self, marker: Marker) -> bool:
        """No line is."""
        return False


class _ExactText(_TextBlock):
    """The text is there as it is, in one line or in several, which are replaced as a whole."""

    is_noop: bool = False
    #: The lines of the file, and what they become.
    sides: tuple[Sequence[str], Sequence[str]] = ((), ())
    #: Why the new text is none of the file, in this place or another, or was perhaps put there before.
    refusal: Failure | None = None

    @property
    def objection(self) -> Failure | None:
        """Why it is not applied: it is so in all places, or in none."""
        return None if self.refusal is None else evolve(self.refusal, number=self.number)


def str_replace(
    original: str,
    old: str,
    new: str,
    *,
    replace_all: bool = False,
    path: str | os.PathLike[str] | None = None,
    threshold: float = 1.0,
    anchor_similarity: float = ANCHOR_SIMILARITY,
    strict: bool = False,
) -> DiffResult:
    """Put `new` in the one place of `old`, or in all places where it stands exactly, with `replace_all`.

    Line numbers in front of the lines of `old` are taken off, but not with `replace_all`: they are those of one place.
    An empty `old` is for a file that is empty; `new` that is `old` changes nothing, but must be there, and there is an
    edit for every place. `strict` raises DiffError unless it was applied. See `SearchReplaceStream` for the other
    options.
    """
    for what, value in (("text of the file", original), ("old text", old), ("new text", new)):
        check_text(what, value)
    tolerance = Tolerance(threshold, anchor_similarity)
    index = FileIndex(original)
    ledger = Ledger(index)
    ledger.take_path(checked_path(path))
    content = original[len(index.bom) :]
    if index.bom:
        old, new = old.removeprefix(BOM), new.removeprefix(BOM)
    if (text := _as_in_file(content, old)) and (starts := _places(content, text)):
        other = old.replace("\n", "\r\n")
        if text == old != other and (others := _places(content, other)):
            starts, replace_all = sorted([*starts, *others]), False  # the file has both kinds of line ends
        _replace(ledger, content, text, _NewText(content, old, text, new), starts, replace_all)
    else:
        _replace_lines(ledger, old, new, tolerance, replace_all)
    ledger.settle()
    result = ledger.result(events=ledger.events)
    if strict and not result.ok:
        raise DiffError(result)
    return result


def _as_in_file(original: str, old: str) -> str:
    """The old text with the line ends of the file, all of the first one included."""
    if old.startswith("\n") and original.count(old) == original.count(f"\r{old}") > 0:
        return f"\r{old}"
    return old if old in original or "\r" in old else old.replace("\n", "\r\n")


class _NewText:
    """The new text as it is in each place of the old one, which is `written` so, and `old` in the file."""

    def __init__(self, content: str, written: str, old: str, new: str) -> None:
        self._content = content
        self._old = old
        self._plain = new.replace("\r\n", "\n")
        #: A text that has other line ends, and is the same otherwise, is to have these.
        self._is_exact = self._plain == written.replace("\r\n", "\n")
        self._new = old if new == written else new

    @property
    def is_noop(self) -> bool:
        """Whether it is the old one."""
        return self._is_exact and self._new == self._old

    def at(self, start: int) -> str:
        """With the line ends of the old one, or else of the line in which it stands, or of that before."""
        content = self._content
        newline = newline_of(content)
        end = content.find(newline, start)
        end = content.rfind(newline, 0, start) if end < 0 else end
        if end < 0 or self._is_exact:
            return self._new
        ending = "\r\n" if newline == "\n" and end > 0 and content[end - 1] == "\r" else newline
        return self._plain.replace("\n", ending)


def _places(text: str, old: str) -> list[int]:
    """Where it begins, each behind the one before; two that overlap, if there is no other."""
    starts = []
    at = text.find(old)
    while at >= 0:
        starts.append(at)
        at = text.find(old, at + len(old))
    if len(starts) == 1 and (other := text.find(old, starts[0] + 1)) >= 0:
        starts.append(other)
    return starts


def _replace(ledger: Ledger, content: str, old: str, new: _NewText, starts: list[int], replace_all: bool) -> None:
    """The text is there as it is."""
    offsets = [0, *accumulate(map(len, ledger.index.lines))]
    newline = newline_of(content)
    if len(starts) > 1 and not (replace_all or new.is_noop):
        block = _TextBlock(1, old, newline)
        ledger.start(block)
        numbers = dict.fromkeys(bisect_right(offsets, start) for start in starts)
        ledger.fail(block, hints.several(block, tuple(numbers), len(starts)))
        return
    ranges = _line_ranges(offsets, starts, len(old))
    changes: list[tuple[_ExactText, Match, str]] = []
    refusal: Failure | None = None
    for number, (first, last, start) in enumerate(ranges, 1):
        change = _ExactText(number, old, newline)
        change.is_noop = new.is_noop
        place = Place(first - 1, last, range(first - 1, last))
        before, behind = content[offsets[first - 1] : start], content[start + len(old) : offsets[last]]
        following = "".join(ledger.index.lines[last : last + 1])
        found = TextPlace(before, old, behind, following, newline)
        text = _text_at(change, ledger.index, place, found, new.at(start), is_alone=len(starts) == 1)
        if isinstance(text, Failure):
            refused = _TextBlock(1, old, newline)
            ledger.start(refused)
            ledger.fail(refused, evolve(text, number=1))
            return
        changes.append((change, Match(Strategy.EXACT, [place], []), text))
        change.sides = bodies_of(ledger.index.lines[first - 1 : last]), bodies_of(split_lines(text, newline))
        refusal = refusal or ledger.refusal_of(change, place, text) or _made_beside(change, ledger.index, place, text)
    for change, match, text in changes:
        change.refusal = refusal
        ledger.start(change)
        ledger.place(change, match)
        ledger.write(change, text)
        ledger.finish(change)


def _text_at(
    change: _ExactText, index: FileIndex, place: Place, text: TextPlace, new: str, *, is_alone: bool
) -> str | Failure:
    """What the lines of that place, the only one or not, become, where `text` is the old one; or why it is in doubt."""
    if change.is_noop:
        return text.before + text.old + text.behind
    whole = text.with_breaks(new)
    if whole is None:
        return hints.line_breaks(change, place)
    behind = text.behind.replace(text.old, whole)
    literal = text.before + whole + behind
    if is_alone and text.is_shifted and len(index.trimmed.places(trim_all(text.lines))) > 1:
        return hints.indentation(change, place)  # other lines may be meant as well
    is_literal = not text.begins_in_indentation or text.is_literal(whole)
    if is_literal and text.shows_depths(whole):
        return literal
    is_single = behind == text.behind  # what else is in these lines would not be as in a block
    if is_single and text.is_whole(whole):
        return whole + behind
    lines = _as_lines(index, place, text.old + text.behind, whole + behind)
    if lines == literal or (is_literal and lines is None):
        return literal
    if is_literal or lines is None or not is_single:
        return hints.indentation(change, place)
    change.is_indented = True
    return lines


def _made_beside(change: _ExactText, index: FileIndex, place: Place, text: str) -> Failure | None:
    """Why the lines of that place do not become this text: the file has the new ones right beside them already."""
    old, new = (bodies_of(lines) for lines in (index.lines[place.start : place.end], split_lines(text)))
    return hints.made_beside(change, place) if are_made_beside(index, place, old, new) else None


def _as_lines(index: FileIndex, place: Place, old: str, new: str) -> str | None:
    """The same as a block of whole lines; None if it would fail."""
    newline = newline_of(index.original)
    block = _TextBlock(1, old, newline)
    match = Match(Strategy.TRIMMED, [place], block.old)
    block.match, block.place = match, place
    block.accept(match)
    block.replacement = Replacement(index, place, match)
    text = "".join(block.add_new(body_of(line), ending_of(line)) for line in split_lines(new, newline)) + block.finish()
    return None if block.objection is not None else text


def _line_ranges(offsets: list[int], starts: list[int], size: int) -> list[tuple[int, int, int]]:
    """The lines of the places, from 1, and where the first of them is; several in one line are one."""
    ranges: list[tuple[int, int, int]] = []
    for start in starts:
        first, last = bisect_right(offsets, start), bisect_right(offsets, start + size - 1)
        if ranges and first <= ranges[-1][1]:
            ranges[-1] = ranges[-1][0], max(last, ranges[-1][1]), ranges[-1][2]
        else:
            ranges.append((first, last, start))
    return ranges


def _replace_lines(ledger: Ledger, old: str, new: str, tolerance: Tolerance, replace_all: bool) -> None:
    """The lines are found but for what is tolerated, or not at all."""
    block = _TextBlock(1, old, has_bom=bool(ledger.index.bom))
    ledger.start(block)
    match = Finder(ledger.index, tolerance).find(block.old)
    if replace_all and match is not None and match.numbering is not None:
        ledger.fail(block, hints.numbers_for_all(block))
        return
    if replace_all and match is not None and len(match.places) > 1:
        ledger.fail(block, hints.only_alike_for_all(block, tuple(place.start + 1 for place in match.places)))
        return
    if match is not None:
        block.accept(match)
        if place := ledger.place(block, match):
            block.replacement = Replacement(ledger.index, place, match)
    lines = split_lines(new)
    has_end, had_end = (any(map(ending_of, text[-1:])) for text in (lines, split_lines(old)))
    ends_text = match is not None and (bool(match.middles) or any(map(is_blank, match.lines[-1:])))
    if ends_text and has_end and not had_end:
        lines.append("")  # the old text ends within a line, if only a blank one, and the new one behind its last
    for line in lines:
        ledger.write(block, block.add_new(body_of(line), ending_of(line)))
    ledger.write(block, block.finish())
    place, content = block.place, ledger.index.original
    if place is not None and new.strip() and new in content and is_shifted(ledger.index, block.old, place.origins):
        # A text is to the letter wherever it is: deeper lines may have it, as this edit would have made them.
        ledger.fail(block, hints.made_before(block, place))
    else:
        ledger.finish(block)
