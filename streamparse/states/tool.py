"""A tool without a state of its own.

    <tool name="q" mode="fast"><x>1</x></tool>      tool_call {"tool_name": "q", "mode": "fast"} `<x>1</x>`

The content is the raw inner XML, shown as it comes, up to the `</tool>` that ends the call: which one that is, is the
matter of `families/xml/reader.py`. All of the body is content, whatever it means, except what may be the closer.
"""

from __future__ import annotations

from streamparse.arguments.schema import ANY, Schema
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.sink import RawContent
from streamparse.families.xml.reader import ArgumentReader


class ToolState(BaseState):
    """START, the raw body, END."""

    segment_type = SegmentType.TOOL_CALL.value

    _content: RawContent
    _reader: ArgumentReader | None = None

    def run(self) -> Progress:
        """Read on, and show what cannot be the end."""
        self.triggers = None
        return self._begin() if self._reader is None else self._read_on(self._reader)

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
            keeps_text=False,
        )
        self._content = RawContent(context)
        return self._read_on(self._reader)

    def _read_on(self, reader: ArgumentReader) -> Progress:
        scanner, content = self.context.scanner, self._content
        reader.read(content)
        if reader.is_ended:
            return self._finish()
        if reader.doubt_offset >= 0:
            content.show(reader.doubt_offset - scanner.base)
            return NEED_MORE
        end = len(scanner.buf)
        if scanner.pos < end:
            match = reader.end.search(scanner.buf, scanner.pos)
            end = match.start() if match else end
        content.show(end)
        self.triggers = reader.triggers
        return NEED_MORE

    def _finish(self, status: str | None = None) -> Progress:
        reader, scanner = self._reader, self.context.scanner
        if reader is not None:
            self._content.show(reader.end_offset - scanner.base if reader.is_ended else len(scanner.buf))
        self.context.emitter.emit_end(status, None, reader is not None and reader.is_late)
        self.context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """No closer that fits came in time."""
        assert self._reader is not None  # it holds what the limit is for
        self._reader.pass_limit(self._content)
        if self._reader.is_ended:
            self._finish()

    def finalize(self) -> None:
        """Without a `</tool>` the call is truncated."""
        assert self._reader is not None  # a call without a body has ended
        self._reader.finish(self._content)
        self._finish(None if self._reader.is_ended else "truncated")
