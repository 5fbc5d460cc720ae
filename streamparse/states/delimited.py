"""A body that is taken verbatim, up to the first closer of the tag that opened it.

    <sql db="main">select 1</sql>       sql {"db": "main"} `select 1`

The base for tags of one's own: a subclass sets `segment_type`, and may override the three small hooks.
"""

from __future__ import annotations

from typing import Any

from streamparse.core.context import ParserContext
from streamparse.core.markers import compile_closer
from streamparse.core.state import NEED_MORE, BaseState


class DelimitedState(BaseState):
    """START with the tag's attributes, CONTENT as it comes, END at the closer."""

    #: Characters that `decode` may change, or that `undecided` may keep: they always come through `run`.
    decode_triggers: str = ""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._closer = compile_closer(self.opening.tag)
        self._is_open = False

    # -- hooks --------------------------------------------------------------------------------------------------------

    def metadata(self) -> dict[str, Any]:
        """What START shows; by default the tag's attributes, and the tool's name if the tag is `<tool name=…>`."""
        return self.opening.metadata

    def undecided(self, text: str) -> int:
        """How many characters at the end of `text` cannot be decoded yet."""
        return 0

    def decode(self, text: str) -> str:
        """What is shown for `text`."""
        return text

    # -- the contract -------------------------------------------------------------------------------------------------

    def run(self) -> bool:
        """Show everything that cannot be part of the closer."""
        scanner, emitter = self.context.scanner, self.context.emitter
        if not self._is_open:
            self._is_open = True
            self.triggers = self._closer.heads + self.decode_triggers
            emitter.emit_start(self.segment_type, self.metadata(), self.opening.format)
            if self.opening.is_empty:
                self._end()
                return NEED_MORE
        buf, pos = scanner.buf, scanner.pos
        match = self._closer.pattern.search(buf, pos)
        if match is None:
            text = buf[pos:] if pos else buf
            kept = self.undecided(text)
            emitter.emit_content(self.decode(text[:-kept] if kept else text))
            scanner.pos = len(buf) - kept
            return NEED_MORE
        start = match.start()
        emitter.emit_content(self.decode(buf[pos:start]))
        if match.lastindex is None:
            scanner.pos = start
            scanner.wait_past_blanks()
        else:
            scanner.pos = match.end()
            self._end()
        return NEED_MORE

    def _end(self) -> None:
        self.context.emitter.emit_end()
        self.context.transition_to("text")

    def finalize(self) -> None:
        """The closer never came: what looked like its beginning is content, and the segment is truncated."""
        scanner, emitter = self.context.scanner, self.context.emitter
        emitter.emit_content(self.decode(scanner.take(len(scanner.buf))))
        emitter.emit_end("truncated")
        self.context.transition_to("text")
