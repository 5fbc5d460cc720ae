"""Arguments that are literals of some language.

    city='Oslo', days=2             {"city": "Oslo", "days": 2}
    city='Oslo', text='ab           {"city": "Oslo", "text": "ab"}, while it is written

`follower.py` reads them, as it does for a call that is shown while it is written; here what it tells is kept.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

from streamparse.arguments.decoder import DecodedCall, GrowingDecoder, Signature
from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.growing import Growing
from streamparse.families.literals.follower import LiteralFollower
from streamparse.families.literals.reader import LiteralReader


class LiteralArguments(GrowingDecoder):
    """The content is arguments, whose names and values `reader` reads."""

    def __init__(self, reader: type[LiteralReader]) -> None:
        self._reader = reader

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Arguments by name, or in the order in which the tool declares them."""
        found = _Found()
        follower = LiteralFollower(self._reader, found, signature)
        follower.feed(content)
        follower.finish(is_cut=is_truncated)
        return DecodedCall(found.arguments)

    def follow(self, record: Record, signature: Signature) -> Follower | None:
        """Argument by argument."""
        return LiteralFollower(self._reader, record, signature)

    def grow(self, signature: Signature) -> Growing:
        """What is complete; and an argument that is a string grows."""
        found = _Found()
        return _Growing(LiteralFollower(self._reader, found, signature), found)


class _Found:
    """Keeps the arguments, and what there is of the last one. No argument is a body."""

    body = ""

    def __init__(self) -> None:
        self.arguments: dict[str, Any] = {}
        self._text = StringIO()

    def begin_body(self) -> bool:
        """It is kept, too."""
        return False

    def add_body(self, text: str) -> None:
        """There is none."""

    def begin_value(self, name: str) -> None:
        """An argument begins."""
        self._text = StringIO()

    def add_value(self, name: str, text: str) -> bool:
        """More of it."""
        self._text.write(text)
        return True

    def take_value(self) -> str:
        """All of it."""
        return self._text.getvalue()

    def give(self, name: str, value: Any) -> None:
        """It is complete."""
        self.arguments[name] = value

    def report(self, problem: str) -> None:
        """The follower raises what is wrong."""


class _Growing:
    """What the follower has told so far."""

    def __init__(self, follower: LiteralFollower, found: _Found) -> None:
        self._follower = follower
        self._found = found
        self.feed = follower.feed

    def show(self) -> dict[str, Any]:
        """A text is shown if it stays one, whatever follows."""
        shown, follower = dict(self._found.arguments), self._follower
        if follower.is_text:
            text = self._found.take_value()
            if follower.stays_text(text):
                shown[follower.name] = text
        return shown

    cut = show
