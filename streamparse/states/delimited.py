"""A body that is taken verbatim, up to the first closer of what opened it.

    <sql db="main">select 1</sql>       sql {"db": "main"} `select 1`
    :::note\nMind the gap.\n:::         note {} `\nMind the gap.`

The base for constructs of one's own. A subclass sets `segment_type`, may set `required`, and may override:

    metadata()      what START shows; the attributes of the tag, if nothing else is said
    decode(text)    what is shown for a piece of the body, with `undecided` and `decode_triggers` if pieces matter
    complete()      the closer was read: a sentence if something is wrong with the block, which then ends malformed

As `<tool name="sql" db="main">` the same state reads up to `</tool>`; a required attribute that is missing there makes
the call malformed. Without a `segment_type` the segment is called as what opened it.
"""

from __future__ import annotations

from typing import ClassVar

from streamparse.core.context import ParserContext
from streamparse.core.markers import CLOSER, compile_markers
from streamparse.core.raw_text import RawText
from streamparse.core.state import NEED_MORE, BaseState, Progress


class DelimitedState(BaseState):
    """START with the tag's attributes, CONTENT as it comes, END at the closer."""

    needs_segment_type = False
    #: What a call without a body lacks: `<run_bash/>` is malformed, "command is missing". Empty: nothing.
    needed_body: ClassVar[str] = ""
    #: Characters that `decode` may change or `undecided` may keep: chunks with one of them come through `run`.
    decode_triggers: str = ""
    #: Whether one line break (LF or CRLF) right behind the opening tag belongs to the tag.
    skips_break: ClassVar[bool] = False

    def undecided(self, text: str) -> int:
        """How many characters at the end of `text` cannot be decoded yet. They come again, with more behind them.

        It is not asked about text right before a possible closer: what `text` ends with there is all there is.
        """
        return 0

    def decode(self, text: str) -> str:
        """What is shown for `text`, which comes in pieces of any size: it must not matter where it is cut."""
        return text

    def complete(self) -> str | None:
        """All of the block was read: what is wrong with it, as a sentence; None if nothing is.

        It is called once, behind the last piece of the body, and not for a block that is cut off.
        """
        missing = [name for name in self.required if name not in self.opening.attributes]
        if self.opening.is_empty and self.needed_body and self.needed_body not in self.opening.attributes:
            missing.append(self.needed_body)
        return f"{missing[0]} is missing" if missing else None

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self._closer = compile_markers({CLOSER: (self.opening.closer, *self.opening.other_closers)})
        self._is_open = False
        self._is_in_body = False
        self._raw_text: RawText | None = None  # the block as it is written, if that is not how it is shown

    def run(self) -> Progress:
        """Show everything that cannot be part of the closer."""
        scanner, emitter = self.context.scanner, self.context.emitter
        if not self._is_open:
            self._is_open = True
            emitter.emit_start(self.segment_type or self.opening.tag, self.metadata(), self.opening.format)
            if self.opening.is_empty:
                self._end()
                return NEED_MORE
        if not self._is_in_body:
            start = scanner.offset
            if self.skips_break and not scanner.skip_break():
                return NEED_MORE
            self._begin_body(start)
        if self._raw_text is not None:
            self._raw_text.follow(scanner)
        buf, pos = scanner.buf, scanner.pos
        match = self._closer.pattern.search(buf, pos)
        if match is None:
            text = buf[pos:] if pos else buf
            kept = self.undecided(text)
            self._show(text[:-kept] if kept else text)
            scanner.pos = len(buf) - kept
            return NEED_MORE
        start = match.start()
        self._show(buf[pos:start])
        if match.lastindex is None:
            scanner.pos = start
            scanner.wait_past_blanks()
        else:
            if self._raw_text is not None:
                self._raw_text.end(scanner.base + start)
            scanner.pos = match.end()
            self._end()
        return NEED_MORE

    def _begin_body(self, start: int) -> None:
        """The body begins: with a line break at offset `start`, if the cursor stands no longer there."""
        scanner, config = self.context.scanner, self.context.config
        self._is_in_body = True
        is_decoded = type(self).decode is not DelimitedState.decode
        if self.decode_triggers or not is_decoded:
            self.triggers = self._closer.heads + self.decode_triggers
        # Whoever overrides decode and names no triggers wants to see everything.
        if config.invocations and (is_decoded or start < scanner.offset):
            self._raw_text = RawText(config.limits.max_arguments, start)

    def _show(self, text: str) -> None:
        text = self.decode(text)
        if self._raw_text is not None:
            self._raw_text.shown += len(text)
        self.context.emitter.emit_content(text)

    def _end(self) -> None:
        error = self.complete()
        self._emit_end("malformed" if error else None, error)

    def _emit_end(self, status: str | None, error: str | None = None) -> None:
        raw = None if self._raw_text is None else self._raw_text.text
        self.context.emitter.emit_end(status, error, raw=raw)
        self.context.transition_to("text")

    def finalize(self) -> None:
        """The closer never came: what looked like its beginning is content, and the segment is truncated."""
        scanner = self.context.scanner
        self._show(scanner.take(len(scanner.buf)))
        self._emit_end("truncated")
