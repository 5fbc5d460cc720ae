"""A shell command.

    <run_bash>ls &amp;&amp; pwd</run_bash>
    <tool name="run_bash"><arg name="command">ls &amp;&amp; pwd</arg></tool>

Both give run_bash `ls && pwd`: models that believe to write XML escape `&`, `<` and `>`, and a shell would choke on
that. These three are decoded, in the deltas already; `decode_command_entities=False` leaves them alone.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.entities import decode_basic_entities
from streamparse.core.markers import compile_markers
from streamparse.events import SegmentType
from streamparse.states.body import Body
from streamparse.states.body_tool import BodyToolState
from streamparse.states.delimited import DelimitedState

_ENTITY = compile_markers({"entity": [("&amp;",), ("&lt;",), ("&gt;",)]}, ignore_case=False).pattern


class _Command(Body):
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


class RunBashTool(_Command, BodyToolState):
    """`<tool name="run_bash">`: the body is the command; START does not wait for anything."""

    segment_type = SegmentType.RUN_BASH.value
    body = "command"
    needed = ("command",)


class RunBashState(_Command, DelimitedState):
    """`<run_bash>`: all of it is the command."""

    segment_type = SegmentType.RUN_BASH.value
    needed_body = "command"
    as_tool = RunBashTool
