r"""What the segment of a native call shows: one class for each way its arguments come.

    JsonCall    {"query": "cats"}                       tool_call, the JSON text as it came
    FieldsCall  {"path": "a.py", "content": "a\nb"}     write_file {"path": "a.py"}, the content, decoded as it comes
    TextCall    *** Begin Patch …                       the text is the body, or `{"input": "…"}` of a tool_call

Each is given pieces of the arguments, cut anywhere, and in the end whether something is missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from streamparse.arguments.json_strings import WHOLE_TEXT, decode_string
from streamparse.arguments.json_text import read_json
from streamparse.config import Limits
from streamparse.core.markers import skip_blanks
from streamparse.core.scanner import NO_LIMIT, StreamScanner
from streamparse.events import SegmentContent, SegmentEnd, SegmentType
from streamparse.families.calls.body_call import WAITED_FOR, BodyCall
from streamparse.families.calls.sink import ValueTag
from streamparse.families.json.fields import JsonFields
from streamparse.families.json.reader import JsonReader
from streamparse.parser import StreamingParser

FORMAT = "native"
_CALL = SegmentType.TOOL_CALL.value


class NativeSegment:
    """The segment of a call, beside the text and perhaps beside other calls."""

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        self._parser = parser
        self._emitter = parser.emitter
        self.type = segment_type
        self.metadata = metadata
        self.id = ""

    def start(self) -> None:
        """A segment begins; text before it is settled, even if the call began long ago."""
        self._parser.interrupt()
        self.id = self._emitter.start_beside(self.type, self.metadata, FORMAT)

    def show(self, text: str) -> None:
        """More of its content."""
        if text:
            self._emitter.events.append(SegmentContent(self.id, text, self.type))

    def end(self, is_cut: bool, error: str | None, late: Mapping[str, Any] | None = None) -> None:
        """It is over. `is_cut`: its end was not seen."""
        status = "truncated" if is_cut else "malformed" if error else None
        reason = error if status == "malformed" else None
        self._emitter.events.append(SegmentEnd(self.id, status, reason, late=late or None, segment_type=self.type))


class NativeCall:
    """A call that is under way."""

    #: Whether nothing can be missing.
    is_complete = False
    #: Whether nothing that may come can make it right.
    is_broken = False
    #: Whether there are no arguments so far.
    is_empty = True

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        self._segment = NativeSegment(parser, segment_type, metadata)

    def note(self, **metadata: str) -> None:
        """More is known of the call; what comes behind START cannot be shown any more."""
        if not self._segment.id:
            self._segment.metadata = {**self._segment.metadata, **metadata}

    def feed(self, piece: str) -> None:
        """Take the next piece of the arguments, which is not empty."""
        raise NotImplementedError

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """No more comes. `is_cut`: its end was not seen; `error`: the call is malformed, whatever it holds."""
        raise NotImplementedError


class JsonCall(NativeCall):
    """The arguments are shown as the JSON text they are."""

    def __init__(self, parser: StreamingParser, metadata: Mapping[str, Any]) -> None:
        super().__init__(parser, _CALL, metadata)
        self._reader = JsonReader()
        self._segment.start()

    def feed(self, piece: str) -> None:
        """Show the piece, and follow the brackets in it."""
        self._segment.show(piece)
        if self.is_complete:
            return  # blanks; or junk, of which whoever decodes the call will complain
        pos = skip_blanks(piece, 0) if self.is_empty else 0
        if pos == len(piece):
            return
        # What is no object is never right, so nothing that it lacks matters.
        is_wrong = self.is_empty and piece[pos] != "{"
        self.is_empty = False
        self._reader.read(piece, pos, len(piece))
        self.is_complete = is_wrong or self._reader.is_done

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """What the text is worth is seen when it is decoded."""
        self._segment.end(is_cut, error)


class _Record(BodyCall):
    """What is known of a call with a body; its segment is that of a native call."""

    #: What START waits for did not come in time: nothing more is shown.
    is_lost = False

    def __init__(self, segment: NativeSegment, scanner: StreamScanner, body: str, limits: Limits) -> None:
        super().__init__(segment.type, body, {}, limits.max_arguments)
        self._segment = segment
        self._scanner = scanner
        self._max_depth = limits.max_depth - 1  # of a value: it stands in an object

    def _emit_start(self) -> None:
        self._scanner.limit = NO_LIMIT
        self._segment.metadata = {**self._segment.metadata, **self.metadata}
        self._segment.start()

    def _emit_content(self, text: str) -> None:
        self._segment.show(text)

    def _emit_end(self, status: str | None, error: str | None, *, repaired: bool) -> None:
        self._segment.end(status == "truncated", error, self.late)

    def lose(self) -> None:
        """START, without what it waits for; the rest of the call is not wanted."""
        self.drop_value()
        self.is_lost = True
        self.start()

    def open_value(self, name: str, tag: ValueTag) -> None:
        """The body, or another argument, while they are wanted."""
        if not self.is_lost:
            super().open_value(name, tag)

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        value = read_json(raw, self._max_depth)
        if name in WAITED_FOR[self.kind] and not isinstance(value, str):
            self.report(f"{name} must be a string")
        else:
            self.give(name, value)


class FieldsCall(NativeCall):
    """One argument is a file, a patch or a command, and is shown decoded; the others are metadata, or late.

    START comes as soon as the path is known, if there has to be one; until then the body is held.
    """

    def __init__(
        self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any], body: str, limits: Limits
    ) -> None:
        super().__init__(parser, segment_type, metadata)
        self._limits = limits
        self._total = 0  # of the arguments
        self._is_plain = False  # a piece of whole characters and escapes is the body
        self._scanner = StreamScanner()
        self._scanner.limit = limits.max_held
        self._record = _Record(self._segment, self._scanner, body, limits)
        self._fields = JsonFields(self._scanner, self._record, body)
        self._record.start_if_ready()

    def feed(self, piece: str) -> None:
        """Show what became certain of the body. The path must come before the limit: else nothing is shown."""
        self._total += len(piece)
        if self._is_plain and (('"' not in piece and "\\" not in piece) or WHOLE_TEXT.fullmatch(piece)):
            self._segment.show(decode_string(piece) or "")  # as nearly always
            return
        fields, record, scanner = self._fields, self._record, self._scanner
        scanner.buf += piece
        fields.read()
        if self._total > self._limits.max_held and not record.is_started:
            record.lose()
            fields.read()
        scanner.compact()
        self.is_empty = self.is_empty and fields.is_empty
        self.is_broken = fields.error is not None
        self.is_complete = fields.is_done and not self.is_broken
        self._is_plain = fields.is_plain and record.is_plain

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """A body or path that did not come is missed only where all has come."""
        record, limit = self._record, self._limits.max_arguments
        too_long = f"the arguments are longer than {limit} characters" if self._total > limit else None
        for problem in (error, self._fields.error, too_long):
            if problem is not None:
                record.report(problem)
        record.end(is_cut=is_cut)


class TextCall(NativeCall):
    """The input is text and no JSON: it is the body, or, of any other tool, an argument called `input`."""

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        super().__init__(parser, segment_type, metadata)
        self._is_wrapped = segment_type == _CALL
        self._segment.start()
        if self._is_wrapped:
            self._segment.show('{"input": "')

    def feed(self, piece: str) -> None:
        """Show the piece, in a call's JSON escaped."""
        self.is_empty = False
        self._segment.show(json.dumps(piece, ensure_ascii=False)[1:-1] if self._is_wrapped else piece)

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """JSON is closed only if all of the text has come."""
        if self._is_wrapped and not is_cut:
            self._segment.show('"}')
        self._segment.end(is_cut, error)
