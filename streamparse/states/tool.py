"""A tool without a state of its own.

    <tool name="q" mode="fast"><x>1</x></tool>      tool_call {"tool_name": "q", "mode": "fast"} `<x>1</x>`

The content is the raw inner XML, shown as it comes, up to the `</tool>` that ends the call: which one that is, is the
matter of `families/xml/reader.py`. All of the body is content, whatever it means, except what may be the closer.
"""

from __future__ import annotations

from streamparse.arguments.schema import ANY, Schema
from streamparse.events import RESERVED_METADATA, SegmentType
from streamparse.families.calls.read_state import WholeCallState
from streamparse.families.xml.reader import XmlReader


class ToolState(WholeCallState):
    """START, the raw body, END."""

    segment_type = SegmentType.TOOL_CALL.value

    def _open(self) -> XmlReader | None:
        context, opening = self.context, self.opening
        context.emitter.emit_start(self.segment_type, self.metadata(), opening.format)
        if opening.is_empty:
            return None
        self._tool, self._in_tag = opening.tool_name or "", opening.metadata.keys() - RESERVED_METADATA
        spec = context.tools.get(self._tool.lower())
        schema = ANY if spec is None else Schema.of(spec.parameters)
        limits = context.config.limits
        return XmlReader(context.scanner, opening.closer, schema, limits, context.searched, keeps_text=False)
