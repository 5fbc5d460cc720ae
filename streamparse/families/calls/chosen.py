"""Chosen: reads arguments that may be written in several ways, of which their first characters tell which it is.

    {"path": "a.py"}        JSON
    path="a.py"             Python

The text is kept until one can choose. Chosen follows a call, ChosenGrowing shows its arguments while they grow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from streamparse.arguments.follower import Follower
from streamparse.arguments.growing import Growing
from streamparse.core.markers import BLANK_CHARACTERS

#: Stands behind the text when nothing more will come: it goes on with nothing that would decide.
_END = "\0"


class _Fed(Protocol):
    def feed(self, text: str) -> None:
        """More of the content."""


_Reader = TypeVar("_Reader", bound=_Fed)


class _Choice(Generic[_Reader]):
    """Waits for a character that is no blank, and then until `choose` makes something of the text so far."""

    def __init__(self, choose: Callable[[str], _Reader | None]) -> None:
        self._choose = choose
        self._pieces: list[str] = []
        self._is_blank = True
        self._chosen: _Reader | None = None

    def feed(self, text: str) -> None:
        """Keep it, until one can choose."""
        if self._chosen is None:
            self._pieces.append(text)
            self._is_blank = self._is_blank and not text.strip(BLANK_CHARACTERS)
            if self._is_blank:
                return
            text = "".join(self._pieces)
            self._pieces = [text]
            self._chosen = self._choose(text)
            if self._chosen is None:
                return
        self._chosen.feed(text)

    def _settle(self) -> _Reader | None:
        """What is chosen, now that all is there; nothing but blanks are no arguments."""
        if self._chosen is None and not self._is_blank:
            (text,) = self._pieces
            self._chosen = self._choose(text + _END)
            assert self._chosen is not None  # for the end decides
            self._chosen.feed(text)
        return self._chosen


class Chosen(_Choice[Follower]):
    """For a call that is shown as what it does."""

    @property
    def triggers(self) -> str | None:
        """As the one that was chosen says."""
        return self._chosen.triggers if self._chosen is not None else None

    @property
    def is_repaired(self) -> bool:
        """As the one that was chosen says."""
        return self._chosen is not None and self._chosen.is_repaired

    def finish(self, *, is_cut: bool) -> None:
        """Nothing more will come."""
        chosen = self._settle()
        if chosen is not None:
            chosen.finish(is_cut=is_cut)


class ChosenGrowing(_Choice[Growing]):
    """For arguments that are shown as they grow."""

    def show(self) -> dict[str, Any]:
        """As the one that was chosen says."""
        return self._chosen.show() if self._chosen is not None else {}

    def cut(self) -> dict[str, Any]:
        """As the one that was chosen says."""
        chosen = self._settle()
        return chosen.cut() if chosen is not None else {}
