"""Sink: who is told what a reader of arguments finds.

    <arg name="a">x < y</arg>       open_value("a"), take("x ", …), take("< y", …), close_value()

A reader finds out where arguments begin and end, in a stream or in a text that is complete. What becomes of them is the
matter of its sink: the body of a file is shown, other arguments are kept, a decoder makes values of them.
"""

from __future__ import annotations

from io import StringIO
from typing import NamedTuple, Protocol

from streamparse.arguments.decoder import ArgumentsError


class ValueTag(NamedTuple):
    """The tag in which an argument stands, as far as it says what the text of the argument means."""

    #: It is of the argument's own name: `<path>` and not `<arg name="path">`.
    is_direct: bool = False
    #: What else stands in it, as it is written: `string="true"`.
    attributes: str = ""
    #: The text stands in quotes (`<![CDATA[…]]>`), which are not part of it.
    is_quoted: bool = False


#: The tags that say nothing more.
ARG_TAG, DIRECT_TAG = ValueTag(), ValueTag(is_direct=True)


class Sink(Protocol):
    """What a reader tells, in this order: `(open_value take* (close_value | drop_value))*`.

    Where values have parts in tags again (minimax_m3), these are told in the same way, inside of the value.
    """

    def open_value(self, name: str, tag: ValueTag) -> None:
        """An argument begins, in such a tag."""

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


def never_closed(name: str) -> str:
    """What is wrong with an argument without its closer, if it is not certain where it ended."""
    return f"{name} was never closed"


class KeptText:
    """The sink of a decoder, as far as all are alike: it keeps the text of the argument that is being read."""

    def __init__(self) -> None:
        self._name = ""
        self._tag = ARG_TAG
        self._text = StringIO()
        self.is_open = False  # it is not complete
        self.stays_text = False  # it is known to be a text, whatever follows

    def open_value(self, name: str, tag: ValueTag) -> None:
        """An argument begins."""
        self._name, self._tag = name, tag
        self._text = StringIO()
        self.is_open = True
        self.stays_text = False

    def take(self, text: str, *, is_followed: bool) -> None:
        """More of it."""
        self._text.write(text)

    take_held = take

    def report(self, problem: str) -> None:
        """The call is malformed."""
        raise ArgumentsError(problem)
