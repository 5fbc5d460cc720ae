"""Growing: the arguments of a call while its content comes.

    growing.feed('{"path": "a.p')           show()      {"path": "a.p"}
    growing.feed('y", "lines": [1, 2')      show()      {"path": "a.py", "lines": [1]}

A decoder makes one for a call whose arguments someone wants to see before it has ended (`ArgumentDecoder.grow`). What
it shows depends on the content alone, not on the pieces in which that came, and is the beginning of what it shows
later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Growing(Protocol):
    """The arguments of one call, as far as they are certain. Nothing is raised."""

    def feed(self, text: str) -> None:
        """More of the content."""

    def show(self) -> dict[str, Any]:
        """What is complete, typed; of a text that is not, there may be the beginning. Nobody changes what was shown.

        It is another dict if something is new; if nothing is, it may be the one that was shown before, and who asks for
        every token looks for that first.
        """

    def cut(self) -> dict[str, Any]:
        """The same if nothing more will come: what the content ends with is all there is. It is called once."""


class Adjusted:
    """What `growing` shows, as `adjust` makes it: other arguments are added, or some are taken out."""

    def __init__(self, growing: Growing, adjust: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.feed = growing.feed  # itself: there is something to read for every token
        self._growing = growing
        self._adjust = adjust

    def show(self) -> dict[str, Any]:
        """What there is."""
        return self._adjust(self._growing.show())

    def cut(self) -> dict[str, Any]:
        """And will be."""
        return self._adjust(self._growing.cut())
