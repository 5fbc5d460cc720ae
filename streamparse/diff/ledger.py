"""Which block has which lines of the file.

All blocks are matched against the original, in whatever order they come, and no line belongs to two of them: of two
that overlap the later fails. A block with several equally good places waits until `settle`, and so does every later
block that touches one of them; then n equal blocks for n places are given them in order, and what is still doubtful
fails.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Container, Iterable
from typing import TypeVar

from attrs import evolve

from streamparse.diff import hints
from streamparse.diff.change import Change, place_of, places_of
from streamparse.diff.contested_lines import ContestedLines
from streamparse.diff.equal_changes import choose_places
from streamparse.diff.index import FileIndex
from streamparse.diff.place import Match, Place
from streamparse.diff.placeholder import first_placeholder
from streamparse.diff.python import LONGEST, flaw, is_python
from streamparse.diff.repeated import MadeEdits, Writers, repeats
from streamparse.diff.result import DiffEvent, DiffEventType, DiffResult, Edit, EditStatus, Failure, Strategy

_T = TypeVar("_T")


class Ledger:
    """Collects the events of all blocks, and what becomes of them."""

    def __init__(self, index: FileIndex) -> None:
        self._open(index)
        self.events: list[DiffEvent] = []
        self._edits: dict[int, Edit] = {}
        self._failures: dict[int, Failure] = {}
        #: Whether the file is Python: then it must still be at the end.
        self.is_python = False
        #: Whether `...` may be the body of a function in it.
        self.may_be_python = True
        self._unchecked: list[Change] = []  # the blocks of such a file
        #: What it is called, in small letters.
        self.name = ""
        #: Whether a block within which the diff ends counts.
        self.accepts_truncated = False
        #: Which file of a tree it is.
        self.path: str | None = None
        #: Why no block can be applied to the file, in a sentence; but if it is missing, one without old lines makes it.
        self.refusal = ""
        self.is_missing = False
        #: How many blocks there were for that file before, and with those of this ledger.
        self.told = 0
        #: What was done to the file, also by other ledgers.
        self.made = MadeEdits()
        self._noun = Change.noun
        self._cut_off = ""

    def _open(self, index: FileIndex) -> None:
        """No block has any lines of this file yet."""
        self.index = index
        self._placed: list[Change] = []  # those whose text is in the file, in the order of their lines
        self._pending: list[Change] = []
        self._contested = ContestedLines(len(index.lines))  # which those may get
        self._contesting: set[int] = set()  # whose places these are, by identity
        self._writers = Writers()
        self._current: Change | None = None
        self._truncated: Change | None = None

    def take_path(self, path: str | None) -> None:
        """The path of the file says what it is called, and whether it is Python."""
        self.is_python = is_python(path)
        self.may_be_python = path is None or self.is_python
        self.name = "" if path is None else os.path.basename(path).lower()

    def start(self, change: Change) -> None:
        """A block begins."""
        self.told += 1
        change.told_number = change.number if self.path is None else self.told
        self._noun = change.noun
        self._report(DiffEventType.BLOCK_STARTED, change)

    def place(self, change: Change, match: Match) -> Place | None:
        """The old lines are found: give the block its place, if there is no doubt about it."""
        if self.refusal and not (self.is_missing and match.strategy is Strategy.EMPTY):
            return None
        change.match = match
        places = places_of(change)
        if len(places) > 1 or self._contested.touch(places[0]) or self.is_taken(places[0]):
            return None
        self._claim(change, places[0])
        return places[0]

    def write(self, change: Change, text: str) -> None:
        """More of the new text of a block that has its place."""
        if text:
            change.pieces.append(text)
            self._report(DiffEventType.REPLACEMENT_DELTA, change, delta=text)

    def finish(self, change: Change) -> None:
        """The end of the block."""
        if change.place is not None:
            self._apply(change)
        elif change.match is not None:
            self._doubt(change)
        elif self.refusal:
            self.fail(change, hints.no_file(change, self.refusal))
        elif self.made.are_there(self.index, change):
            self._pass_over(change)
        else:
            self.fail(change, hints.not_found(self.index, change, self._writers.of(self.index, change)))
        self._writers.add(change)

    def fail(self, change: Change, failure: Failure) -> None:
        """The block is not applied."""
        self._current = None
        if change.place is not None:
            self._release(change)
        failure = failure if self.path is None else evolve(failure, path=self.path)
        self._failures[change.number] = failure
        self._report(DiffEventType.FAILED, change, failure=failure)

    def refuse(self, change: Change, failure: Failure) -> None:
        """Something is wrong with the diff as a whole: the block, which has no lines, only stands for it."""
        self.fail(change, evolve(failure, is_of_all=True))

    def cut(self, change: Change) -> None:
        """The diff ends within the block."""
        change.is_truncated = True
        if change.match is None:
            self._cut_off = change.advice_when_cut
            self._record(DiffEventType.TRUNCATED, change, _nowhere(change, EditStatus.TRUNCATED))
        else:
            self.finish(change)

    def refusal_of(self, change: Change, place: Place, text: str) -> Failure | None:
        """Why the new text is none of the file, whatever was found; not if a program has written it.

        It has a line that stands for others, which would be lost, or something is around lines or in front of them.
        """
        if change.is_of_program:
            return None
        line = first_placeholder(text, self.index, place, may_be_python=self.may_be_python)
        if line is not None:
            return hints.placeholder(change, line)
        return change.misdressed(self.index, place, self.name)

    def skip(self, change: Change) -> None:
        """There is nothing in the block."""
        if self.refusal:
            self.fail(change, hints.no_file(change, self.refusal))
        else:
            self._pass_over(change)

    def _record(self, type: DiffEventType, change: Change, edit: Edit) -> None:
        self._edits[change.number] = edit
        self._report(type, change, edit=edit)

    def is_taken(self, place: Place) -> bool:
        """Whether a block has some of these lines."""
        return self._owner_of(place) is not None

    def not_failed(self, doubts: Iterable[tuple[Change, _T]]) -> list[tuple[Change, _T]]:
        """Those about blocks of which nothing else is wrong."""
        return [doubt for doubt in doubts if not self.has_failed(doubt[0])]

    def has_failed(self, change: Change) -> bool:
        """Whether it is known that the block is not applied."""
        return change.number in self._failures

    def rebase(self) -> None:
        """From here on, the file is what all blocks so far have made of it."""
        self.settle()
        self._open(self.index.successor(self._content))

    def settle(self) -> None:
        """No more blocks come: decide about those that wait, in the order of the diff."""
        pending, self._pending = self._pending, []
        chosen, repeated = choose_places(self.index, self._placed, pending) if pending else ({}, set())
        numbers: dict[int, tuple[int, ...]] = {}  # equal blocks share their places, and here what is said of them
        for change in pending:
            place = chosen.get(change.number)
            if change.number in repeated:
                self._pass_over(change)
            elif place is None:
                places = places_of(change)
                if id(places) not in numbers:
                    numbers[id(places)] = tuple(place.start + 1 for place in places)
                self.fail(change, hints.ambiguous(change, numbers[id(places)]))
            elif (owner := self._owner_of(place)) is not None:
                self._overlap(change, place, owner)
            else:
                assert change.match is not None  # it is found, in too many places
                self._claim(change, place)
                self.write(change, change.render(self.index, place, change.match))
                self._apply(change)
        self._check_python()

    def _check_python(self) -> None:
        """With all blocks the file must be Python if it was; else those fail that may have broken it."""
        unchecked, self._unchecked = self._unchecked, []
        found = flaw(self._assemble(None, {self._truncated})) if unchecked else None
        broken = self._find_broken(unchecked) if found else set()
        is_alone = len({change.text for change in broken}) == 1  # one text may be replaced in several places
        for change in unchecked:
            if found and change in broken:
                self.fail(change, hints.no_python(change, found, is_alone=is_alone))
            else:
                self._conclude(change, EditStatus.APPLIED)

    def _find_broken(self, changes: list[Change]) -> set[Change]:
        """Those whose lines are indented otherwise than they are written, if without them all is well; or all."""
        if flaw(self.index.original):
            return set()
        indented = {change for change in changes if change.is_indented}
        return set(changes) if flaw(self._assemble(None, {self._truncated, *indented})) else indented

    @property
    def _is_checked(self) -> bool:
        """Whether the file must stay Python: one that is empty is none yet, and a long one takes too long."""
        return self.is_python and bool(self.index.lines) and len(self.index.original) <= LONGEST

    @property
    def is_edited(self) -> bool:
        """Whether there are edits already that count."""
        return any(not self._is_left_out(edit) for edit in self._edits.values())

    def _is_left_out(self, edit: Edit) -> bool:
        """Whether it is not applied, because the diff breaks off in it."""
        return edit.status is EditStatus.TRUNCATED and (not self.accepts_truncated or edit.start_line is None)

    def preview(self) -> str:
        """The file as far as it is certain; it ends with the block that is being written, if there is one."""
        return self._assemble(self._current, {self._truncated})

    def result(self, *, events: Iterable[DiffEvent] = ()) -> DiffResult:
        """What has come of everything that is complete so far."""
        edits = tuple(edit for _, edit in sorted(self._edits.items()))
        return DiffResult(
            ok=not self._failures and not any(map(self._is_left_out, edits)),
            content=self._content,
            edits=edits,
            failures=tuple(failure for _, failure in sorted(self._failures.items())),
            events=tuple(events),
            noun=self._noun,
            cut_off=self._cut_off,
        )

    @property
    def _content(self) -> str:
        """The file with all blocks that are complete so far."""
        return self._assemble(None, {self._current, self._truncated, *self._unchecked})

    def _doubt(self, change: Change) -> None:
        """A block that is found, without a place: it waits, or it comes too late."""
        assert change.match is not None
        places = places_of(change)
        owner = self._owner_of(places[0]) if len(places) == 1 else None
        if owner is not None:
            self._overlap(change, places[0], owner)
        else:
            self._pending.append(change)
            if id(change.match.places) not in self._contesting:
                self._contesting.add(id(change.match.places))
                self._contested.add(change.match.places)

    def _overlap(self, change: Change, place: Place, owner: Change) -> None:
        """An earlier block has these lines."""
        if not change.is_truncated and repeats(self.index, change, owner):
            self._pass_over(change)
        else:
            self.fail(change, hints.overlap(change, place, owner))

    def _pass_over(self, change: Change) -> None:
        """There is nothing to do: the block is empty, or it is the same edit once more."""
        self._record(DiffEventType.BLOCK_DONE, change, _nowhere(change, EditStatus.NOOP))

    def _apply(self, change: Change) -> None:
        self._current = None
        status = EditStatus.NOOP if change.is_noop else EditStatus.APPLIED
        if status is not EditStatus.NOOP and not self._breaks_off_in(change):
            failure = self.refusal_of(change, place_of(change), "".join(change.pieces)) or change.objection
            if failure is not None:
                self.fail(change, failure)
                return
        if self._is_checked and not change.is_truncated and status is not EditStatus.NOOP:
            self._unchecked.append(change)
            return
        self._conclude(change, status)

    def _breaks_off_in(self, change: Change) -> bool:
        """Whether the diff does, so that it is not applied."""
        return change.is_truncated and not self.accepts_truncated

    def _conclude(self, change: Change, status: EditStatus) -> None:
        place, match = place_of(change), change.match
        assert match is not None
        if self._breaks_off_in(change):
            self._truncated = change
        if change.is_truncated:
            status = EditStatus.TRUNCATED
            self._cut_off = change.advice_when_cut
        elif status is EditStatus.NOOP:
            self._release(change)  # whoever changes these lines later may
        else:
            self.made.add(change)
        first, last = place.start + 1, place.end
        text = "".join(change.pieces)
        edit = Edit(change.number, first, last, match.told, match.similarity, status, text, change.fixes)
        self._record(DiffEventType.TRUNCATED if self._truncated is change else DiffEventType.BLOCK_DONE, change, edit)

    def _claim(self, change: Change, place: Place) -> None:
        change.place = place
        self._placed.insert(self._position(_order_of(change)), change)
        self._current = change
        self._report(DiffEventType.MATCHED, change)

    def _release(self, change: Change) -> None:
        del self._placed[bisect_left(self._placed, _order_of(change), key=_order_of)]

    def _owner_of(self, place: Place) -> Change | None:
        """The block that has one of these lines already."""
        at = self._position((place.start, place.end, 0))
        return next((one for one in self._placed[max(0, at - 1) : at + 1] if _touch(place_of(one), place)), None)

    def _position(self, order: tuple[int, int, int]) -> int:
        """Where a block belongs among those that have their place: most come in order, behind all others."""
        placed = self._placed
        is_last = not placed or _order_of(placed[-1]) < order
        return len(placed) if is_last else bisect_left(placed, order, key=_order_of)

    def _assemble(self, until: Change | None, omitted: Container[Change | None] = ()) -> str:
        changes = [change for change in self._placed if change not in omitted]
        parts: list[Iterable[str]] = [[] if any(change.drops_bom for change in changes) else [self.index.bom]]
        behind = 0
        for change in changes:
            place = place_of(change)
            parts += self.index.between(behind, place.start), change.pieces
            behind = place.end
            if change is until:
                break
        else:
            parts.append(self.index.between(behind, len(self.index.lines)))
        return self.index.join(parts)

    def _report(
        self,
        type: DiffEventType,
        change: Change,
        *,
        delta: str = "",
        edit: Edit | None = None,
        failure: Failure | None = None,
    ) -> None:
        first = last = None
        if change.place is not None and type is not DiffEventType.FAILED:
            first, last = change.place.start + 1, change.place.end
        self.events.append(DiffEvent(type, change.number, first, last, delta, edit, failure, self.path))


def _nowhere(change: Change, status: EditStatus) -> Edit:
    """What becomes of a block that is about no lines of the file."""
    return Edit(change.number, None, None, None, 0.0, status)


def _order_of(change: Change) -> tuple[int, int, int]:
    """By what those that have their place are sorted."""
    place = place_of(change)
    return place.start, place.end, change.number


def _touch(one: Place, other: Place) -> bool:
    """Whether lines are in both; two insertions at the same line also touch, as their order would be a guess."""
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    return one.start < other.end and other.start < one.end
