"""What the lines of the file around a change show: how deep its steps are, and what is next to the change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from streamparse.diff.indent import step_of, steps_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.place import Place

#: So many lines before and behind it show how deep the steps of the file are.
_SHOWN = 100


class Around:
    """The lines around `place`, each found when it is asked for."""

    def __init__(self, index: FileIndex, place: Place) -> None:
        self._lines = index.lines
        self._place = place

    @property
    def lines(self) -> Sequence[str]:
        """Those that show steps, the ones in the place among them."""
        return self._lines[max(0, self._place.start - _SHOWN) : self._place.end + _SHOWN]

    @cached_property
    def step(self) -> str:
        """By how much lines are deeper most often than those before them; "" if none is."""
        return step_of(self.lines)

    @cached_property
    def steps(self) -> dict[str, int]:
        """By how much they are so, and how often."""
        return steps_of(self.lines)

    @cached_property
    def before(self) -> str:
        """The line before the place, blank ones aside, without its ending; "" if there is none."""
        return self._first_filled(range(self._place.start - 1, -1, -1))

    @cached_property
    def behind(self) -> str:
        """The one behind it."""
        return self._first_filled(range(self._place.end, len(self._lines)))

    def _first_filled(self, rows: range) -> str:
        return next((body_of(self._lines[at]) for at in rows if not is_blank(self._lines[at])), "")
