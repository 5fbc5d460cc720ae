"""Chosen: reads arguments that may be written in several ways, of which their first characters tell which it is.

    {"path": "a.py"}        JSON
    path="a.py"             Python

What may be either is read by the same decoder at the end of the call; while it comes, the first character decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamparse.arguments.follower import Follower
from streamparse.arguments.growing import Growing
from streamparse.core.markers import BLANK_CHARACTERS, skip_blanks


class Chosen:
    """Waits for a character that is no blank, and then for what `choose` makes of the text so far."""

    def __init__(self, choose: Callable[[str], Follower]) -> None:
        self._choose = choose
        self._text = ""
        self._follower: Follower | None = None

    @property
    def is_plain(self) -> bool:
        """As the one that was chosen says."""
        return self._follower is not None and self._follower.is_plain

    @property
    def triggers(self) -> str:
        """As the one that was chosen says."""
        return self._follower.triggers if self._follower else ""

    @property
    def is_repaired(self) -> bool:
        """As the one that was chosen says."""
        return self._follower is not None and self._follower.is_repaired

    def feed(self, text: str) -> None:
        """Keep it, until one can choose."""
        if self._follower is None:
            self._text += text
            if not self._text.strip(BLANK_CHARACTERS):
                return
            self._follower = self._choose(self._text)
            text = self._text
        self._follower.feed(text)

    def finish(self, *, is_cut: bool) -> None:
        """Nothing but blanks are no arguments."""
        if self._follower is not None:
            self._follower.finish(is_cut=is_cut)


class ChosenGrowing:
    """The same for arguments that are shown as they grow: one character tells `choose` how they are written."""

    def __init__(self, choose: Callable[[str], Growing]) -> None:
        self._choose = choose
        self._text = ""
        self._growing: Growing | None = None

    def feed(self, text: str) -> None:
        """Keep it, until one can choose."""
        if self._growing is None:
            text = self._text = self._text + text
            first = skip_blanks(text, 0)
            if first == len(text):
                return
            self._growing = self._choose(text[first])
        self._growing.feed(text)

    def show(self) -> dict[str, Any]:
        """As the one that was chosen says."""
        return self._growing.show() if self._growing is not None else {}

    def cut(self) -> dict[str, Any]:
        """As the one that was chosen says."""
        return self._growing.cut() if self._growing is not None else {}
