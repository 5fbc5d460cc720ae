"""BodyText: what is done to a body while it streams.

    print(1)                    a file, a patch: shown as it is written
    ls &amp;&amp; pwd           a command: shown as `ls && pwd`

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
    """A command: `&amp; &lt; &gt;` are decoded, once, as they come."""

    __slots__ = ()
    triggers = "&"

    def undecided(self, text: str) -> int:
        """An entity that is cut off at the end of `text` waits for the rest of it."""
        return len(text) - BASIC_ENTITIES.certain(text)

    def decode(self, text: str) -> str:
        """The command as the shell shall see it."""
        return BASIC_ENTITIES.decode(text)


VERBATIM, COMMAND = BodyText(), CommandText()


def body_text(kind: str, config: ParserConfig) -> BodyText:
    """What is done to the bodies of calls of this kind."""
    return COMMAND if kind == SegmentType.RUN_BASH and config.decode_command_entities else VERBATIM
