"""A shell command.

    <run_bash>ls &amp;&amp; pwd</run_bash>
    <tool name="run_bash"><arg name="command">ls &amp;&amp; pwd</arg></tool>

Both give run_bash `ls && pwd`. One line break right behind the tag is not part of the command.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.events import SegmentType
from streamparse.families.calls.body_text import body_text
from streamparse.families.xml.body_state import XmlBodyState
from streamparse.states.delimited import DelimitedState


class RunBashTool(XmlBodyState):
    """`<tool name="run_bash">`: the body is the command; START does not wait for anything."""

    segment_type = SegmentType.RUN_BASH.value


class RunBashState(DelimitedState):
    """`<run_bash>`: all of it is the command."""

    segment_type = SegmentType.RUN_BASH.value
    needed_body = "command"
    as_tool = RunBashTool
    skips_break = True
    decode_triggers = "&"

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._text = body_text(self.segment_type, context.config)

    def undecided(self, text: str) -> int:
        """An entity that is cut off at the end of `text` waits for the rest of it."""
        return self._text.undecided(text)

    def decode(self, text: str) -> str:
        """The command as the shell shall see it."""
        return self._text.decode(text)
