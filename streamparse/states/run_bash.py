"""A shell command.

    <run_bash>ls &amp;&amp; pwd</run_bash>
    <tool name="run_bash"><arg name="command">ls &amp;&amp; pwd</arg></tool>

Both give run_bash `ls && pwd`.
"""

from __future__ import annotations

from streamparse.events import SegmentType
from streamparse.families.calls.command import Command
from streamparse.families.xml.body_state import BodyToolState
from streamparse.states.delimited import DelimitedState


class RunBashTool(Command, BodyToolState):
    """`<tool name="run_bash">`: the body is the command; START does not wait for anything."""

    segment_type = SegmentType.RUN_BASH.value
    body = "command"
    needed = ("command",)


class RunBashState(Command, DelimitedState):
    """`<run_bash>`: all of it is the command."""

    segment_type = SegmentType.RUN_BASH.value
    needed_body = "command"
    as_tool = RunBashTool
