"""What is written is read again, before it is given out: by the stream that reads what models write.

    <function=f><parameter=a>x</parameter></function>       f {"a": "x"}: given out
    <function=f><parameter=a></parameter></function>…       the value holds the end of the call: refused

A format without escapes cannot express every text. No list of markers tells which; the reader does. So a call that is
rendered is one complete call with these arguments, or it is a RenderError: data of a call never becomes another call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from streamparse import deferred
from streamparse.arguments.json_text import to_json
from streamparse.config import ParserConfig, Tools
from streamparse.errors import RenderError
from streamparse.events import SegmentStart, SegmentType

if TYPE_CHECKING:
    from streamparse.formats.format import Format

_CONFIG = ParserConfig(reasoning="closed")


def check_read_back(format: Format, text: str, name: str, arguments: Mapping[str, Any], tools: Tools) -> None:
    """Raise RenderError unless `text` is read as this one call, with these tools."""
    handler_class = deferred.load("streamparse.handler", "StreamingResponseHandler")
    handler = handler_class(format.name, config=_CONFIG, tools=tools)
    events = [*handler.feed(text), *handler.finalize()]
    calls = handler.invocations
    kinds = {event.segment_id: event.segment_type for event in events if isinstance(event, SegmentStart)}
    body = tools.body_of(name)
    kind = body.kind if body else SegmentType.TOOL_CALL.value
    if len(calls) != 1 or not calls[0].is_complete or calls[0].repaired or kinds[calls[0].id] != kind:
        raise RenderError(f"the call of {name} would be read differently: it holds what ends a call, or begins one")
    if calls[0].name != name:
        raise RenderError(f"the name {name!r} is read as {calls[0].name!r}")
    found = calls[0].arguments
    for key in (*arguments, *found):
        if key not in found or key not in arguments or not _is_same(found[key], arguments[key]):
            raise RenderError(f"{key!r} would be read differently in this format")


def _is_same(found: Any, given: Any) -> bool:
    return found is given or to_json(found) == to_json(given)
