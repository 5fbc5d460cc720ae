"""BodyText: what is done to a body while it streams.

    print(1)                    a file, a patch: shown as it is written
    ls &amp;&amp; pwd           a command: shown as `ls && pwd`, the `&` as soon as `&a` is there

Models that believe to write XML escape `&`, `<` and `>`, and a shell would choke on that. In commands these three are
decoded, in the deltas already; `decode_command_entities=False` leaves them alone.
"""

from __future__ import annotations

from streamparse.config import ParserConfig
from streamparse.core.entities import BASIC_ENTITIES
from streamparse.events import SegmentType


class BodyText:
    """A body that is shown as it is written."""

    __slots__ = ()
    #: The characters that `decode` may change or `undecided` may keep.
    triggers = ""

    def undecided(self, text: str) -> int:
        """How many characters at the end of `text` cannot be decoded before more is there."""
        return 0

    def decode(self, text: str) -> str:
        """What is shown for `text`, which may be cut anywhere but within what is undecided."""
        return text


class CommandText(BodyText):
    """One command: `&amp; &lt; &gt;` are decoded, once, as they come."""

    __slots__ = ("_is_behind_and",)
    triggers = "&"

    def __init__(self) -> None:
        self._is_behind_and = False  # an `&` was shown last, as it was written

    def undecided(self, text: str) -> int:
        """A piece of an entity at the end of `text` waits for the rest; but of `&a` the `&` is certain."""
        known = f"&{text}" if self._is_behind_and else text
        piece = known[BASIC_ENTITIES.certain(known) :]
        return min(len(piece) - piece.startswith("&a"), len(text))

    def decode(self, text: str) -> str:
        """The command as the shell shall see it."""
        if not text:
            return text
        rest = text.removeprefix("amp;") if self._is_behind_and else text
        self._is_behind_and = text.endswith("&")
        return BASIC_ENTITIES.decode(rest)


VERBATIM = BodyText()


def body_text(kind: str, config: ParserConfig) -> BodyText:
    """What is done to the bodies of calls of this kind."""
    return CommandText() if kind == SegmentType.RUN_BASH and config.decode_command_entities else VERBATIM
