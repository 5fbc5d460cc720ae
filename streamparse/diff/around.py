"""What the lines of the file around a change show: how deep its steps are, and what is next to the change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from streamparse.diff.indent import STAR, indent_of, most_usual
from streamparse.diff.index import AROUND, FileIndex
from streamparse.diff.lines import body_of, is_blank
from streamparse.diff.place import Place
from streamparse.diff.structure import continues, is_comment, is_item


class Around:
    """The lines around those that the old lines at `place` stand for, each found when it is asked for."""

    def __init__(self, index: FileIndex, place: Place) -> None:
        self._index = index
        # The place of a hunk is that of its changes alone.
        self._start = next((row for row in place.origins if row is not None), place.start)
        self._end = max(place.end, place.following)
        self._heads: dict[str, str] = {}

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the place, and so many before and behind it as are looked at for steps."""
        return self._index.lines[max(0, self._start - AROUND) : self._end + AROUND]

    @cached_property
    def indents(self) -> set[str]:
        """The indentations of these lines, blank ones aside."""
        return {indent_of(line) for line in self.lines if not is_blank(line)}

    @cached_property
    def step(self) -> str:
        """The step that is there most often; "" if no line is deeper than the one before it."""
        return most_usual(self.steps)

    @cached_property
    def steps(self) -> Counter[str]:
        """By how much lines are deeper than those before them, and how often each of these steps is there."""
        return self._index.steps(self._start, self._end)

    @cached_property
    def is_unsigned(self) -> bool:
        """Whether most of what is deeper than the line before it is so without a sign, as in Sass and in prose."""
        filled = [body_of(line) for line in self.lines if not (is_blank(line) or STAR.match(line))]
        heads = [one for one, other in pairwise(filled) if len(indent_of(other)) > len(indent_of(one))]
        return 2 * sum(not continues(one) for one in heads) > len(heads)

    @cached_property
    def before(self) -> str:
        """The line before the place, blank ones aside, without its ending; "" if there is none."""
        return self._first_filled(range(self._start - 1, -1, -1))

    @cached_property
    def behind(self) -> str:
        """The one behind it."""
        return self._first_filled(range(self._end, len(self._index.lines)))

    def head(self, indent: str) -> str:
        """The nearest line before the place that is no deeper than that, comments and items of lists aside, or ""."""
        if indent not in self._heads:
            lines = self._index.lines[max(0, self._start - AROUND) : self._start]
            filled = (body_of(line) for line in reversed(lines) if not (is_blank(line) or is_comment(line)))
            heads = (line for line in filled if len(indent_of(line)) <= len(indent) and not is_item(line))
            self._heads[indent] = next(heads, "")
        return self._heads[indent]

    def _first_filled(self, rows: range) -> str:
        lines = self._index.lines
        return next((body_of(lines[at]) for at in rows if not is_blank(lines[at])), "")
