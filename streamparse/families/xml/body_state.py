"""A tool with one argument that is its body: a file's content, a patch, a command.

    <tool name="write_file">
      <arg name="path">a.py</arg>                       write_file {"tool_name": "write_file", "path": "a.py"}
      <arg name="content">print(1)</arg>                `print(1)`
      <arg name="mode">x</arg>                          END {"late": {"mode": "x"}}
    </tool>

Arguments stand in `<arg>` tags or in tags of their own names, inside `<arguments>` or not. Only the body is shown;
other text between the tags is swallowed, and so are comments. Where a value ends is the matter of `reader.py`, when
START comes and what is late that of `calls/body_call.py`.

A body may stand between raw markers, for content that holds closers of its own:

    <arg name="content">__START_CONTENT__
    print("</arg></tool>")
    __END_CONTENT__</arg>               `print("</arg></tool>")` and the line break behind it

The start marker counts as the first thing in the body, the end marker when the argument's closer follows. From the
first closer that fits, text is held: an end marker further on says that it was data; without one, that closer was the
end.
"""

from __future__ import annotations

from typing import ClassVar

from streamparse.arguments import ArgumentsError, Signature
from streamparse.config import BODIES
from streamparse.core.context import ParserContext
from streamparse.core.entities import decode_entities
from streamparse.core.markers import compile_marker
from streamparse.core.state import NEED_MORE, BaseState, Progress
from streamparse.events import SegmentType
from streamparse.families.calls.body_call import WAITED_FOR, TextBodyCall
from streamparse.families.xml.decoder import XML_ARGUMENTS, is_ambiguous
from streamparse.families.xml.grammar import RawMarkers
from streamparse.families.xml.reader import ArgumentReader


class XmlBodyCall(TextBodyCall):
    """Is told what the reader finds."""

    def __init__(self, context: ParserContext, kind: str) -> None:
        opening = context.opening
        spec = context.tools.get((opening.tool_name or "").lower())
        body = (spec.body if spec else None) or BODIES[kind]
        # A file or a patch without a body is an empty one.
        super().__init__(context, opening.format, kind, body, opening.metadata, needs_body=kind == SegmentType.RUN_BASH)
        self.signature = Signature.of(spec, context.config)
        #: Arguments with tags in them: the text, and whether it stood in a tag of the argument's own name.
        self._written: dict[str, tuple[str, bool]] = {}

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        may_nest = "<" in raw and name not in WAITED_FOR[self.kind]
        has_parts = may_nest and self._has_parts(raw)
        if is_unclosed and is_ambiguous(raw, has_parts, self.signature, is_direct=self._is_direct):
            self.report(f"{name} is not closed")
            return
        if may_nest:
            self._written.setdefault(name, (raw, self._is_direct))
        self.give(name, raw if has_parts else decode_entities(raw), raw)

    def _has_parts(self, raw: str) -> bool:
        """Whether the value is more than a text."""
        try:
            value = XML_ARGUMENTS.decode_written(self._name, raw, self.signature, is_direct=self._is_direct)
        except ArgumentsError as error:
            self.report(str(error))
            return True
        return not isinstance(value, str)

    def _emit_end(self, status: str | None, error: str | None, *, repaired: bool) -> None:
        self._emitter.emit_end(status, error, repaired, self.late, self._written or None)


class BodyToolState(BaseState):
    """The base of write_file, patch_file and run_bash as tools. `segment_type` is the kind of the tool."""

    #: The raw markers around a body, if it may have any.
    raw: ClassVar[RawMarkers | None] = None

    _call: XmlBodyCall
    _reader: ArgumentReader

    def _begin(self) -> Progress:
        context, opening = self.context, self.opening
        call = self._call = XmlBodyCall(context, self.segment_type)
        self._reader = ArgumentReader(
            context.scanner,
            opening.closer,
            call.signature.schema,
            context.config.limits,
            context.searched,
            body=call.body,
            raw=self.raw,
        )
        call.start_if_ready()
        self._phase = "_in_arguments"
        return self._end() if opening.is_empty else self._in_arguments()

    def _in_arguments(self) -> Progress:
        reader, call = self._reader, self._call
        reader.read(call)
        if reader.is_ended:
            return self._end()
        if reader.is_in_body and call.is_plain and reader.triggers is not None:
            self.triggers = reader.triggers + call.triggers
        return NEED_MORE

    def _end(self, *, is_cut: bool = False) -> Progress:
        self._call.end(is_cut=is_cut, repaired=self._reader.is_repaired and not is_cut)
        self.context.transition_to("text")
        return NEED_MORE

    def _skip(self) -> Progress:
        """The path did not come in time, and the call is lost: swallow the rest of it."""
        scanner = self.context.scanner
        match = compile_marker(self.opening.closer).pattern.search(scanner.buf, scanner.pos)
        scanner.pos = match.start() if match else len(scanner.buf)
        if match is None or match.lastindex is None:
            scanner.wait_past_blanks()
            return NEED_MORE
        scanner.pos = match.end()
        return self._end()

    def on_limit(self) -> None:
        """What was waited for did not come in time: a closer that fits, or the path."""
        scanner = self.context.scanner
        if scanner.mark >= 0:
            self._reader.pass_limit(self._call)
            if self._reader.is_ended:
                self._end()
            return
        if not compile_marker(self.opening.closer).pattern.match(scanner.buf, scanner.pos, scanner.end):
            self._reader.cut(self._call)
        self._call.start()
        self._phase = "_skip"

    def finalize(self) -> None:
        """The tool's closer never came. A complete argument counts; of an incomplete one, only the body."""
        scanner = self.context.scanner
        if self._phase == "_skip":
            scanner.pos = len(scanner.buf)
        else:
            self._reader.finish(self._call)
        self._end(is_cut=not self._reader.is_ended)
