"""Sink: who is told what a reader of arguments finds.

    <arg name="a">x < y</arg>       open_value("a"), take("x ", …), take("< y", …), close_value()

A reader finds out where arguments begin and end, in a stream or in a text that is complete. What becomes of them is the
matter of its sink: the body of a file is shown, other arguments are kept, a decoder makes values of them.
"""

from __future__ import annotations

from typing import Protocol

from streamparse.families.calls.shown import Shown


class Sink(Protocol):
    """What a reader tells, in this order: `(open_value take* (close_value | drop_value))*`."""

    def open_value(self, name: str, *, is_direct: bool) -> None:
        """An argument begins; `is_direct`: in a tag of its own name."""

    def take(self, text: str, *, is_followed: bool) -> None:
        """More of its text. `is_followed`: a tag may come next, so this is all up to that."""

    def take_held(self, text: str, *, is_followed: bool) -> None:
        """More of its text, which was held on the scanner until it was known to be that."""

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete. `is_unclosed`: its closer is missing, and the call ends here."""

    def drop_value(self) -> None:
        """It was no argument, or the text ends before it is complete."""

    def report(self, problem: str) -> None:
        """Something is wrong with the call."""


class RawContent(Shown):
    """The sink of a call whose whole text is content: nothing is kept, and the decoder tells what is wrong with it."""

    __slots__ = ()

    def open_value(self, name: str, *, is_direct: bool) -> None:
        """It is content like all else."""

    def take(self, text: str, *, is_followed: bool) -> None:
        """It is in the buffer, and will be shown from there."""

    def take_held(self, text: str, *, is_followed: bool) -> None:
        """What was held long ago is no longer in the buffer."""
        self.show_held()

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """Nothing is kept."""

    def drop_value(self) -> None:
        """Nothing is kept."""

    def report(self, problem: str) -> None:
        """The decoder finds it, too."""
