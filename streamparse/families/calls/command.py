"""Command: a body that is a shell command, `ls &amp;&amp; pwd`, shown as `ls && pwd`.

Models that believe to write XML escape `&`, `<` and `>`, and a shell would choke on that. These three are decoded, in
the deltas already; `decode_command_entities=False` leaves them alone.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.entities import decode_basic_entities
from streamparse.core.markers import compile_markers
from streamparse.families.calls.body import Body

_ENTITY = compile_markers({"entity": [("&amp;",), ("&lt;",), ("&gt;",)]}, ignore_case=False).pattern


class Command(Body):
    """Decodes `&amp; &lt; &gt;`, once, as they come."""

    context: ParserContext
    decode_triggers = "&"

    def undecided(self, text: str) -> int:
        """An entity that is cut off at the end of `text` waits for the rest of it."""
        start = text.rfind("&")
        match = _ENTITY.match(text, start) if start >= 0 and self.context.config.decode_command_entities else None
        return len(text) - start if match and match.lastindex is None else 0

    def decode(self, text: str) -> str:
        """The command as the shell shall see it."""
        return decode_basic_entities(text) if self.context.config.decode_command_entities else text
