"""Follower: what reads the content of a call piece by piece, while it comes.

    {"path": "a.py", "content": "print(1)        give("path", "a.py"), begin_body(), add_body("print(1)")

A decoder of a format makes one for a call that writes a file, patches one or runs a command (`ArgumentDecoder.follow`),
and tells it whom to tell: the record of that call. What it has told once never changes.
"""

from __future__ import annotations

from typing import Any, Protocol


class Record(Protocol):
    """What is known of a call with a body; it is told what its content says."""

    #: The argument that is the body.
    body: str

    def begin_body(self) -> bool:
        """The body begins; False if there was one before."""

    def add_body(self, text: str) -> None:
        """More of it, as it is meant."""

    def begin_value(self, name: str) -> None:
        """Another argument begins."""

    def add_value(self, name: str, text: str) -> bool:
        """More of it, as it is written; False if it is past the limit of all arguments, and not kept."""

    def take_value(self) -> str | None:
        """All of it, if it was kept."""

    def give(self, name: str, value: Any) -> None:
        """An argument is complete; the body too, if it came at once."""

    def report(self, problem: str) -> None:
        """Something is wrong with the call."""


class Follower(Protocol):
    """Reads the content of one call."""

    @property
    def triggers(self) -> str | None:
        """The characters that matter in the body, of which all else is shown as it is; None for all of them."""

    @property
    def is_repaired(self) -> bool:
        """Whether something was missing whose place is certain."""

    def feed(self, text: str) -> None:
        """More of the content."""

    def finish(self, *, is_cut: bool) -> None:
        """That was all of it. `is_cut`: the call has no end, so what is not complete does not count, save the body."""
