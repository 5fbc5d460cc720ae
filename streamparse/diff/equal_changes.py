"""Which of several equal blocks belongs in which of several equally good places.

a / b / a       two blocks with the old line `a`: the first is given line 1, the second line 3
                three of them, the third like the first: it only repeats that
                one of them: it has no place, as either may be meant
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

from streamparse.diff.change import Change, place_of, places_of
from streamparse.diff.index import FileIndex
from streamparse.diff.place import Place
from streamparse.diff.repeated import without_repeated


def choose_places(
    index: FileIndex, placed: Iterable[Change], pending: Iterable[Change]
) -> tuple[dict[int, Place], set[int]]:
    """The places of those that have only one, and of n equal blocks for n places, in order.

    And the numbers of those that only repeat such n blocks.
    """
    chosen: dict[int, Place] = {}
    repeated: set[int] = set()
    groups: dict[Hashable, list[Change]] = {}
    taken: dict[Hashable, dict[int, int]] = {}  # of equal blocks: where they begin, and whose they are
    for change in placed:
        taken.setdefault(_kind_of(change), {})[place_of(change).start] = change.number
    for change in pending:
        places = places_of(change)
        if len(places) == 1:
            chosen[change.number] = places[0]
            taken.setdefault(_kind_of(change), {})[places[0].start] = change.number
        else:
            groups.setdefault(_kind_of(change), []).append(change)
    for kind, changes in groups.items():
        given, others = _share(index, changes, taken.get(kind, {}))
        chosen |= given
        repeated.update(change.number for change in others)
    return chosen, repeated


def _share(index: FileIndex, changes: list[Change], taken: dict[int, int]) -> tuple[dict[int, Place], Sequence[Change]]:
    """The places of equal blocks, by their numbers, and those of them that only repeat others; nothing if in doubt.

    `taken` are the places that equal blocks have: where they begin, and whose they are.
    """
    matches = {change.number: change.match for change in changes if change.match is not None}
    places = matches[changes[0].number].places
    if len(places) > len(changes) + len(taken):
        return {}, []  # more are free than there are blocks
    free = [at for at, place in enumerate(places) if place.start not in taken]
    own = without_repeated(index, changes, len(free))
    if len(free) != len(own) or any(one.end > other.start for one, other in pairwise(places)):
        return {}, []
    # By number, as hunks with equal old lines may change different ones of them.
    ordered = zip(free, _in_order(own), strict=False)
    found = {change.number: matches[change.number].places[at] for at, change in ordered}
    owners = taken | {place.start: number for number, place in found.items()}
    are_in_order = all(one[1] < other[1] for one, other in pairwise(sorted(owners.items())))
    return (found, changes[len(own) :]) if are_in_order or not changes[0].is_in_order else ({}, [])


def _kind_of(change: Change) -> Hashable:
    """What is the same for equal blocks."""
    return tuple(change.old), change.scope


def _in_order(changes: list[Change]) -> list[Change]:
    """Equal blocks as they come in the file: by the lines they say they are about, else as they come in the diff.

    Nothing, if those that say so are in another order, unless all do and they may come in any.
    """
    lines = [change.near for change in changes if change.near is not None]
    if len(lines) == len(changes) and not changes[0].is_in_order:
        return sorted(changes, key=lambda change: change.near or 0)
    return changes if lines == sorted(lines) else []
