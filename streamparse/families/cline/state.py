"""A tool as a bare tag, its parameters as tags in it.

    <read_file><path>a.py</path></read_file>        tool_call {"tool_name": "read_file"} `<path>a.py</path>`

The content is all that stands between the tool's tags, shown as it comes: what is no parameter, too. Only what may be
the tool's closer is kept back. Where the call ends is the matter of `reader.py`.
"""

from __future__ import annotations

from streamparse.events import SegmentType
from streamparse.families.calls.read_state import WholeCallState
from streamparse.families.cline.grammar import ClineTool
from streamparse.families.cline.reader import ClineReader


class ClineCallState(WholeCallState):
    """START, the raw parameters, END."""

    segment_type = SegmentType.TOOL_CALL.value

    def _open(self) -> ClineReader:
        context = self.context
        tool, format = ClineTool.of_call(context), context.opener.format
        self._tool = tool.tool
        context.scanner.pos += len(f"<{tool.tool}>")
        context.settle(format)
        context.emitter.emit_start(self.segment_type, {"tool_name": tool.tool}, format)
        return ClineReader(tool, context.scanner, context.config.limits.max_held, context.searched)
