"""One block of a diff, of whatever kind: old lines, their place in the file, and new text for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Hashable, Sequence
from typing import ClassVar

from streamparse.diff.index import FileIndex
from streamparse.diff.place import Match, Place
from streamparse.diff.result import Failure, FailureReason


class Change(ABC):
    """What a SEARCH/REPLACE block and a hunk have in common; the `Ledger` deals with them alike."""

    #: What is to be repeated if it fails.
    noun: ClassVar[str] = "block"
    #: What to do if there are no old lines and the file is not empty.
    advice_without_old: ClassVar[str]
    #: Whether blocks of this kind come as they stand in the file.
    is_in_order: ClassVar[bool] = False

    def __init__(self, number: int) -> None:
        self.number = number
        #: The number by which it is told: over a tree, that among the blocks of its file.
        self.told_number = number
        #: The lines as written, with their endings and markers.
        self.written: list[str] = []
        #: The line it says it is about, from 1, if it does.
        self.near: int | None = None
        self.match: Match | None = None
        self.place: Place | None = None
        #: The new text, in pieces.
        self.pieces: list[str] = []
        self.fixes: tuple[str, ...] = ()
        self.is_truncated = False
        #: Whether its new lines may be indented otherwise than they are written.
        self.is_indented = False
        #: Whether all is right in it, as in what programs write.
        self.is_of_program = False
        #: Whether the file has no byte order mark any more.
        self.drops_bom = False

    @property
    @abstractmethod
    def advice_when_cut(self) -> str:
        """What is missing if the diff ends within it, and what to do."""

    @property
    def text(self) -> str:
        """The block as written."""
        return "".join(self.written)

    def note(self, *fixes: str) -> None:
        """Something was corrected in it."""
        self.fixes += fixes

    def failure(self, reason: FailureReason, message: str, lines: tuple[int, ...] = ()) -> Failure:
        """That it is not applied, and why; `lines` are those of the file in question."""
        return Failure(self.number, reason, self.text, message, lines)

    @property
    @abstractmethod
    def old(self) -> list[str]:
        """The old lines, without their endings."""

    @property
    @abstractmethod
    def new_lines(self) -> list[str]:
        """The lines that are to be there instead, without their endings, once all of them have come."""

    @property
    @abstractmethod
    def is_noop(self) -> bool:
        """Whether the new lines are the old ones."""

    @property
    def scope(self) -> Hashable:
        """What else decides where it may be: only blocks with the same are equal."""
        return None

    @property
    def key(self) -> Hashable:
        """What is the same for equal ones: how it is written, markers and all."""
        return tuple(line.rstrip("\r\n") for line in self.written)

    @property
    @abstractmethod
    def objection(self) -> Failure | None:
        """Why it is not applied, although its place is known and all of it is there."""

    def misdressed(self, index: FileIndex, place: Place, name: str) -> Failure | None:
        """Why its new lines are no text of the file: something is around them or in front that no old line has.

        `name` is that of the file, in small letters. A hunk reads its lines otherwise.
        """
        return None

    @abstractmethod
    def render(self, index: FileIndex, place: Place, match: Match) -> str:
        """All of the new text, for that place."""

    def choose(self, places: Sequence[Place]) -> Sequence[Place]:
        """Those of several equally good places that are meant, by the line that the block says it is about."""
        return nearest(places, self.near)


def places_of(change: Change) -> Sequence[Place]:
    """The places where a block that is found may belong."""
    assert change.match is not None
    return change.choose(change.match.places)


def place_of(change: Change) -> Place:
    """The place that it has."""
    assert change.place is not None
    return change.place


def index_at(places: Sequence[Place], line: int) -> int | None:
    """Which of the places begins at that very line, from 0."""
    at = bisect_left(places, line, key=lambda place: place.first_line)
    return at if at < len(places) and places[at].first_line == line else None


def nearest(places: Sequence[Place], line: int | None) -> Sequence[Place]:
    """The place that is clearly nearest to that line, from 1: every other is at least three times as far away."""
    if line is None or len(places) < 2:
        return places
    at = bisect_left(places, line - 1, key=lambda place: place.start)
    first, second = sorted(places[max(0, at - 2) : at + 2], key=lambda place: abs(place.start + 1 - line))[:2]
    distance, other = abs(first.start + 1 - line), abs(second.start + 1 - line)
    return [first] if other >= max(1, 3 * distance) else places
