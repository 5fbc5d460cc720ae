"""What the parts of a patch about one file have shown and done, for the parts that come behind them.

*** Update File: f        the first part adds `x` …
@@
 a
+x
*** Update File: f        … and an equal one behind it would do so again
@@
 a
+x
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from streamparse.diff.change import Change
from streamparse.diff.hunk import Hunk
from streamparse.diff.ways import Way, Ways


class EarlierParts:
    """Takes every part that is complete."""

    def __init__(self) -> None:
        self._made: set[Hashable] = set()
        self._is_html = False
        self._silent: list[Change] = []

    def add(self, hunks: Sequence[Hunk], ways: Ways) -> Iterator[tuple[Change, Way]]:
        """One more; returns hunks of this part or of others of which it is in doubt now how they are written.

        Those are hunks with signs as HTML has them, where nothing in their own part shows that these are meant so.
        """
        self._made.update(_key_of(hunk) for hunk in hunks if hunk.place is not None and not hunk.is_noop)
        is_html, silent = ways.shows_html, ways.silent_of_html()
        if is_html:
            silent, self._silent = self._silent, []
        elif not self._is_html:
            self._silent += silent
            silent = []
        self._is_html = self._is_html or is_html
        return ((change, Way.HTML) for change in silent)

    def have_made(self, hunk: Hunk) -> bool:
        """Whether an equal one was applied."""
        return _key_of(hunk) in self._made


def _key_of(hunk: Hunk) -> Hashable:
    """What is the same for equal hunks, as they are written: their headers, and the lines with a mark."""
    return tuple(line.rstrip("\r\n") for line in hunk.written if line.startswith(("@", " ", "+", "-")))
