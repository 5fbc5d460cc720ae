"""A tool as a bare tag, its parameters as tags in it.

    <read_file><path>a.py</path></read_file>        tool_call {"tool_name": "read_file"} `<path>a.py</path>`

The content is all that stands between the tool's tags, shown as it comes: what is no parameter, too. Only what may be
the tool's closer is kept back. Where the call ends is the matter of `reader.py`.
"""

from __future__ import annotations

from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.sink import RawContent
from streamparse.families.cline.grammar import ClineTool
from streamparse.families.cline.reader import ClineReader


class ClineCallState(BaseState):
    """START, the raw parameters, END."""

    segment_type = SegmentType.TOOL_CALL.value

    _content: RawContent
    _reader: ClineReader
    _parameters: ClineTool

    def _begin(self) -> Progress:
        context = self.context
        parameters = self._parameters = ClineTool.of_call(context)
        context.scanner.pos += len(f"<{parameters.tool}>")
        self._reader = ClineReader(parameters, context.scanner, context.config.limits.max_held)
        self._content = RawContent(context)
        format = context.opener.format
        context.settle(format)
        context.emitter.emit_start(self.segment_type, {"tool_name": parameters.tool}, format)
        self._phase = "_in_parameters"
        return self._in_parameters()

    def _in_parameters(self) -> Progress:
        """Read on; show what cannot be the end."""
        reader, scanner = self._reader, self.context.scanner
        reader.read(self._content)
        if reader.is_ended:
            return self._end()
        match = self._parameters.end.pattern.search(scanner.buf, max(scanner.pos, self._content.index))
        self._content.show(match.start() if match else len(scanner.buf))
        self.triggers = "<" if reader.is_searching else None
        return NEED_MORE

    def _end(self) -> Progress:
        reader, scanner = self._reader, self.context.scanner
        self._content.show(reader.end_offset - scanner.base if reader.is_ended else len(scanner.buf))
        status = None if reader.is_ended else "truncated"
        self.context.emitter.emit_end(status, None, reader.is_repaired and reader.is_ended)
        self.context.transition_to("text")
        return NEED_MORE

    def finalize(self) -> None:
        """Without the tool's closer the call is truncated."""
        self._reader.finish(self._content)
        self._end()
