"""A shell command.

    <run_bash>ls &amp;&amp; pwd</run_bash>
    <tool name="run_bash"><arg name="command">ls &amp;&amp; pwd</arg></tool>

Both give run_bash `ls && pwd`: models that believe to write XML escape `&`, `<` and `>`, and a shell would choke on that. These
three are decoded, in the deltas already; `decode_command_entities=False` leaves them alone.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.entities import decode_basic_entities
from streamparse.core.markers import compile_markers
from streamparse.events import SegmentType
from streamparse.states.body_tool import BodyToolState

_ENTITY = compile_markers({"entity": [("&amp;",), ("&lt;",), ("&gt;",)]}, ignore_case=False).pattern


class RunBashState(BodyToolState):
    """The body is the command; START does not wait for anything."""

    segment_type = SegmentType.RUN_BASH.value
    body = "command"
    needed = ("command",)

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        if context.config.decode_command_entities:
            self.decode_triggers = "&"

    def undecided(self, text: str) -> int:
        """An entity that is cut off at the end of `text` waits for the rest of it."""
        start = text.rfind("&") if self.decode_triggers else -1
        match = _ENTITY.match(text, start) if start >= 0 else None
        return len(text) - start if match and match.lastindex is None else 0

    def decode(self, text: str) -> str:
        """`&amp; &lt; &gt;`, once."""
        return decode_basic_entities(text) if self.decode_triggers else text
