"""A tool as a bare tag, its parameters as tags in it.

    <read_file><path>a.py</path></read_file>        tool_call {"tool_name": "read_file"} `<path>a.py</path>`

The content is all that stands between the tool's tags, shown as it comes: what is no parameter, too. Only what may be
the tool's closer is kept back. Where the call ends is the matter of `reader.py`.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.state import NEED_MORE, Progress
from streamparse.events import SegmentContent, SegmentType
from streamparse.families.cline.base_state import ParameterState


class ParameterCallState(ParameterState):
    """START, the raw parameters, END.

    What is shown runs ahead of what is read: `<pa` is shown at once, but read only when the next characters say whether
    it opens a parameter.
    """

    segment_type = SegmentType.TOOL_CALL.value

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._shown = -1  # up to this offset everything has been emitted

    def run(self) -> Progress:
        """Read on; show what cannot be the end."""
        if self._shown < 0:
            self._start()
        self.read()
        self._show()
        if self.is_ended:
            self._end()
        else:
            self.triggers = "<" if self._is_searching else None
        return NEED_MORE

    def _start(self) -> None:
        scanner, tool = self._scanner, self._parameters.tool
        scanner.pos += len(f"<{tool}>")
        self._shown = scanner.offset
        self.context.settle(self._format)
        self.context.emitter.emit_start(self.segment_type, {"tool_name": tool}, self._format)

    def _show(self) -> None:
        scanner = self._scanner
        start = max(scanner.pos, self._shown - scanner.base)
        if self.is_ended:
            self._show_to(self.end_offset - scanner.base)
        else:
            match = self._parameters.end.pattern.search(scanner.buf, start)
            self._show_to(match.start() if match else len(scanner.buf))

    def _show_to(self, end: int) -> None:
        scanner, emitter = self._scanner, self.context.emitter
        start = max(0, self._shown - scanner.base)
        if start < end:
            emitter.events.append(SegmentContent(emitter.segment_id, scanner.buf[start:end], self.segment_type))
            self._shown = scanner.base + end

    def _end(self, status: str | None = None) -> None:
        self.context.emitter.emit_end(status, None, self.is_mended and status is None)
        self.context.transition_to("text")

    def finalize(self) -> None:
        """Without the tool's closer the call is truncated."""
        self.finish()
        if self.is_ended:
            self._show()
            self._end()
        else:
            self._show_to(len(self._scanner.buf))
            self._end("truncated")
