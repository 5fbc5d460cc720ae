"""A tool without a state of its own.

    <tool name="q" mode="fast"><x>1</x></tool>      tool_call {"tool_name": "q", "mode": "fast"} `<x>1</x>`

The content is the raw inner XML, shown as it comes, up to the `</tool>` that ends the call: which one that is, is the
matter of `families/xml/reader.py`. All of the body is content, whatever it means, except what may be the closer.
"""

from __future__ import annotations

from streamparse.arguments.schema import ANY, Schema
from streamparse.core.markers import compile_marker
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.sink import RawContent
from streamparse.families.xml.reader import ArgumentReader


class ToolState(BaseState):
    """START, the raw body, END."""

    segment_type = SegmentType.TOOL_CALL.value

    _content: RawContent
    _reader: ArgumentReader

    def _begin(self) -> Progress:
        context, opening = self.context, self.opening
        context.emitter.emit_start(self.segment_type, self.metadata(), opening.format)
        if opening.is_empty:
            return self._finish()
        spec = context.tools.get((opening.tool_name or "").lower())
        self._reader = ArgumentReader(
            context.scanner,
            opening.closer,
            ANY if spec is None else Schema.of(spec.parameters),
            context.config.limits,
            context.searched,
        )
        self._content = RawContent(context)
        self._phase = "_in_arguments"
        return self._in_arguments()

    def _in_arguments(self) -> Progress:
        reader, scanner = self._reader, self.context.scanner
        reader.read(self._content)
        if reader.is_ended:
            return self._finish()
        if reader.doubt_offset >= 0:
            self._content.show(reader.doubt_offset - scanner.base)
            return NEED_MORE
        start = max(scanner.pos, self._content.index)
        match = compile_marker(self.opening.closer).pattern.search(scanner.buf, start)
        self._content.show(match.start() if match else len(scanner.buf))
        self.triggers = reader.triggers
        return NEED_MORE

    def _finish(self, status: str | None = None) -> Progress:
        repaired = False
        if not self.opening.is_empty:
            reader, scanner = self._reader, self.context.scanner
            self._content.show(reader.end_offset - scanner.base if reader.is_ended else len(scanner.buf))
            repaired = reader.is_late
        self.context.emitter.emit_end(status, None, repaired)
        self.context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """No closer that fits came in time."""
        self._reader.pass_limit(self._content)
        if self._reader.is_ended:
            self._finish()

    def finalize(self) -> None:
        """Without a `</tool>` the call is truncated."""
        self._reader.finish(self._content)
        self._finish(None if self._reader.is_ended else "truncated")
