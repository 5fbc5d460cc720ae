"""A block between sentinels, with a JSON header.

    [[SEG_START {"type": "write_file", "path": "/a.py"}]]print(1)[[SEG_END]]     write_file {"path": "/a.py"} `print(1)`
    [[SEG_START {"type": "tool_call", "tool_name": "f", "arguments": {"a": 1}}]][[SEG_END]]
    [[SEG_START {"type": "tool_call", "tool_name": "f"}]]{"a": 1}[[SEG_END]]     the same call

The type is one of the library's or that of a registered state; all other fields of the header are metadata. `]]` in a
string of the header is data, because the header ends where its JSON does. A header that is none, or of a type no one
knows, is text. The body is verbatim.
"""

from __future__ import annotations

from typing import Any

from streamparse.arguments.json_text import JsonTextError, read_json
from streamparse.core.context import ParserContext
from streamparse.core.markers import exact
from streamparse.core.opening import Opening
from streamparse.core.state import GO_ON, NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.body_call import WAITED_FOR
from streamparse.families.json.lexer import JsonLexer
from streamparse.states.delimited import DelimitedState

START, END = "[[SEG_START", "[[SEG_END]]"
_CLOSE = "]]"

_TYPES = frozenset(kind.value for kind in SegmentType)
#: What a segment of a type needs in its header.
_REQUIRED = {**WAITED_FOR, SegmentType.TOOL_CALL: ("tool_name",)}


class SentinelState(DelimitedState):
    """The body, up to `[[SEG_END]]`. Its type is the one in the header."""

    def metadata(self) -> dict[str, Any]:
        """The header, but for its type."""
        return dict(self.opening.attributes)

    def complete(self) -> str | None:
        """What a block of its type needs is in the header."""
        missing = [name for name in _REQUIRED.get(self.opening.tag, ()) if name not in self.opening.attributes]
        return f"{missing[0]} is missing" if missing else None


class SentinelInitState(BaseState):
    """Reads the header."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._lexer = JsonLexer()
        self._start = self._begins = self._ends = 0  # offsets: of the sentinel, and of the header in it

    def _begin(self) -> Progress:
        scanner = self.context.scanner
        self._start = scanner.offset
        scanner.hold(limit=scanner.offset + self.context.config.limits.max_tag)
        scanner.pos += len(START)
        self._phase = "_before_header"
        return GO_ON

    def _before_header(self) -> Progress:
        mark = self.context.scanner.peek_past_blanks()
        if mark == "{":
            self._begins = self.context.scanner.offset
            self._phase = "_in_header"
        elif mark:
            return self._give_back()
        return GO_ON if mark else NEED_MORE

    def _in_header(self) -> Progress:
        scanner, lexer = self.context.scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            return self._give_back()
        self._ends = scanner.offset
        self._phase = "_behind_header" if lexer.is_done else self._phase
        return GO_ON if lexer.is_done else NEED_MORE

    def _behind_header(self) -> Progress:
        scanner = self.context.scanner
        scanner.peek_past_blanks()
        following = scanner.buf[scanner.pos : min(scanner.end, scanner.pos + len(_CLOSE))]
        if not _CLOSE.startswith(following):
            return self._give_back()
        if following != _CLOSE:
            return NEED_MORE
        scanner.pos += len(_CLOSE)
        text = scanner.held()[self._begins - self._start : self._ends - self._start]
        opening = self._opening(_read_header(text, self.context.config.limits.max_depth))
        if opening is None:
            return self._give_back()
        scanner.release()
        self.context.settle(opening.format)
        self.context.open(SentinelState, opening)
        return NEED_MORE

    def _opening(self, header: dict[str, Any]) -> Opening | None:
        kind = header.pop("type", None)
        if not isinstance(kind, str) or not self._is_known(kind):
            return None
        if any(name in header and not isinstance(header[name], str) for name in _REQUIRED.get(kind, ())):
            return None
        return Opening(kind, exact(END), None, header, format=self.context.opener.format)

    def _is_known(self, kind: str) -> bool:
        registry = self.context.registry
        states = (registry.get(name) for name in registry.names())
        return kind in _TYPES or (kind != "" and any(state and state.segment_type == kind for state in states))

    def _give_back(self) -> Progress:
        """It is no header: what was read of it is text, and prose reads on behind it."""
        context, scanner = self.context, self.context.scanner
        text = scanner.held()
        scanner.release()
        context.show(text)
        context.transition_to("text")
        return NEED_MORE

    def on_limit(self) -> None:
        """No header is that long."""
        self._give_back()

    def finalize(self) -> None:
        """A header that is cut off is text."""
        scanner = self.context.scanner
        scanner.pos = len(scanner.buf)
        self._give_back()


def _read_header(text: str, max_depth: int) -> dict[str, Any]:
    """The fields of the header; none if it is no JSON after all, which the lexer takes loosely."""
    try:
        header = read_json(text, max_depth)
    except JsonTextError:
        return {}
    return header if isinstance(header, dict) else {}
