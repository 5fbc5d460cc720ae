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

from collections.abc import Sequence

from streamparse.diff.change import Change
from streamparse.diff.hunk import Hunk
from streamparse.diff.repeated import MadeEdits
from streamparse.diff.ways import Way, Ways


class EarlierParts:
    """Takes every part that is complete."""

    def __init__(self) -> None:
        self._made = MadeEdits()
        self._is_html = False
        self._silent: list[Change] = []

    def add(self, hunks: Sequence[Hunk], ways: Ways) -> list[tuple[Change, Way]]:
        """One more; returns hunks of this part or of others of which it is in doubt now how they are written.

        Those are hunks with signs as HTML has them, such as `&lt;` for `<`, in parts where nothing shows whether that
        is meant, if another part shows that its own hunks are written for HTML.
        """
        for hunk in hunks:
            if hunk.place is not None and not hunk.is_noop:
                self._made.add(hunk)
        self._silent += ways.silent_of_html()
        self._is_html = self._is_html or ways.shows_html
        if not self._is_html:
            return []
        silent, self._silent = self._silent, []
        return [(change, Way.HTML) for change in silent]

    def have_made(self, hunk: Hunk) -> bool:
        """Whether an equal hunk of an earlier part was applied."""
        return self._made.have(hunk)
