r"""What the segment of a native call shows: one class for each way its arguments come.

    JsonCall    {"query": "cats"}                       tool_call, the JSON text as it came
    BodyCall    {"path": "a.py", "content": "a\nb"}     write_file {"path": "a.py"}, the content, decoded as it comes
    TextCall    *** Begin Patch …                       the text is the body, or `{"input": "…"}` of a tool_call

Each is given pieces of the arguments, cut anywhere, and in the end whether something is missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from streamparse.arguments import is_same
from streamparse.arguments.json_text import JsonTextError, read_json
from streamparse.config import Limits
from streamparse.core.markers import skip_blanks
from streamparse.events import RESERVED_METADATA, SegmentContent, SegmentEnd, SegmentType
from streamparse.families.json.fields import JsonFields
from streamparse.families.json.reader import JsonReader
from streamparse.parser import StreamingParser

FORMAT = "native"
_CALL = SegmentType.TOOL_CALL.value


class NativeCall:
    """A call that is under way."""

    #: Whether nothing can be missing.
    is_complete = False
    #: Whether nothing that may come can make it right.
    is_broken = False
    #: Whether there are no arguments so far.
    is_empty = True

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        self._parser = parser
        self._emitter = parser.emitter
        self._segment_type = segment_type
        self._metadata = metadata
        self._segment_id = ""

    def note(self, **metadata: str) -> None:
        """More is known of the call; what comes behind START cannot be shown any more."""
        if not self._segment_id:
            self._metadata = {**self._metadata, **metadata}

    def feed(self, piece: str) -> None:
        """Take the next piece of the arguments, which is not empty."""
        raise NotImplementedError

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """No more comes. `is_cut`: its end was not seen; `error`: the call is malformed, whatever it holds."""
        raise NotImplementedError

    def _start(self) -> None:
        """A segment begins; text before it is settled, even if the call began long ago."""
        self._parser.interrupt()
        self._segment_id = self._emitter.start_beside(self._segment_type, self._metadata, FORMAT)

    def _show(self, text: str) -> None:
        if text:
            self._emitter.events.append(SegmentContent(self._segment_id, text, self._segment_type))

    def _end(self, is_cut: bool, error: str | None, late: Mapping[str, Any] | None = None) -> None:
        status = "truncated" if is_cut else "malformed" if error else None
        reason = error if status == "malformed" else None
        self._emitter.events.append(
            SegmentEnd(self._segment_id, status, reason, late=late or None, segment_type=self._segment_type)
        )


class JsonCall(NativeCall):
    """The arguments are shown as the JSON text they are."""

    def __init__(self, parser: StreamingParser, metadata: Mapping[str, Any]) -> None:
        super().__init__(parser, _CALL, metadata)
        self._reader: JsonReader | None = None
        self._start()

    def feed(self, piece: str) -> None:
        """Show the piece, and follow the brackets in it."""
        self._show(piece)
        if self.is_complete:
            return  # blanks; or junk, of which whoever decodes the call will complain
        pos = 0
        if self._reader is None:
            pos = skip_blanks(piece, 0)
            if pos == len(piece):
                return
            self.is_empty = False
            self._reader = JsonReader(depth=1)
            if piece[pos] != "{":  # no object: it is never right, so nothing that it lacks matters
                self.is_complete = True
                return
            pos += 1
        self._reader.read(piece, pos, len(piece))
        self.is_complete = self._reader.is_done

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """What the text is worth is seen when it is decoded."""
        self._end(is_cut, error)


class BodyCall(NativeCall):
    """One argument is a file, a patch or a command, and is shown decoded; the others are metadata, or late.

    START comes as soon as the path is known, if there has to be one; until then the body is held.
    """

    def __init__(
        self,
        parser: StreamingParser,
        segment_type: str,
        metadata: Mapping[str, Any],
        body: str,
        limits: Limits,
        *,
        needs_path: bool,
    ) -> None:
        super().__init__(parser, segment_type, metadata)
        self._fields = JsonFields(body, limits.max_arguments, self._take)
        self._body = body
        self._limits = limits
        self._needs_path = needs_path
        self._known: dict[str, Any] = {}
        self._late: dict[str, Any] = {}
        self._held: list[str] = []  # of the body, before START
        self._total = 0  # of the arguments
        self._problem: str | None = None
        self._is_over = False  # the limit was passed: nothing more is shown
        self._is_plain = False  # a piece without quotes and backslashes is shown as it is
        if not needs_path:
            self._start()

    def feed(self, piece: str) -> None:
        """Show what became certain of the body."""
        self._total += len(piece)
        if self._is_plain and '"' not in piece and "\\" not in piece:
            self._emitter.events.append(SegmentContent(self._segment_id, piece, self._segment_type))
        elif not self._segment_id:
            self._read_before_start(piece)
        else:
            self._read(piece)

    def _read_before_start(self, piece: str) -> None:
        """The path must come before the limit, whatever the chunking. Else the rest is read, but not shown."""
        allowed = self._limits.max_held - (self._total - len(piece))
        self._read(piece[:allowed])
        if len(piece) > allowed:
            if not self._segment_id:
                self._is_over = True
                self._complain("path did not come in time")
                self._begin()
            self._read(piece[allowed:])

    def _read(self, piece: str) -> None:
        fields = self._fields
        text = fields.feed(piece)
        if text and not self._is_over:
            if self._segment_id:
                self._show(text)
            else:
                self._held.append(text)
        self.is_empty = fields.is_empty
        self.is_broken = fields.error is not None
        self.is_complete = fields.is_done and not self.is_broken
        self._is_plain = fields.is_streaming and bool(self._segment_id) and not self._is_over

    def _take(self, name: str, raw: str) -> str | None:
        """A field that is complete; what makes it no JSON."""
        if self._is_over:
            return None
        try:
            value = read_json(raw, self._limits.max_depth - 1)  # it stands in an object
        except JsonTextError as error:
            return f"the arguments are not JSON: {error}"
        given = self._known if name in self._known else self._late
        if name == self._body:
            self._complain(f"{name} is given twice" if self._fields.has_streamed else f"{name} must be a string")
        elif name == "path" and self._needs_path and not isinstance(value, str):
            self._complain("path must be a string")
        elif name in given:
            if not is_same(given[name], value):
                self._complain(f"{name} is given twice")
        elif self._segment_id or name in RESERVED_METADATA:
            self._late[name] = value
        else:
            self._known[name] = value
            if name == "path":
                self._begin()
        return None

    def _complain(self, problem: str) -> None:
        self._problem = self._problem or problem

    def _begin(self) -> None:
        self._metadata = {**self._metadata, **self._known}
        self._start()
        self._show("".join(self._held))
        self._held.clear()

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """A body or path that did not come is missed only where all has come."""
        problem = error or self._problem or self._fields.error
        if problem is None and self._total > self._limits.max_arguments:
            problem = f"the arguments are longer than {self._limits.max_arguments} characters"
        if problem is None and not self._segment_id:
            problem = "path is missing"
        elif problem is None and not self._fields.has_streamed:
            problem = f"{self._body} is missing"
        if not self._segment_id:
            self._begin()
        self._end(is_cut, problem, self._late)


class TextCall(NativeCall):
    """The input is text and no JSON: it is the body, or, of any other tool, an argument called `input`."""

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        super().__init__(parser, segment_type, metadata)
        self._is_wrapped = segment_type == _CALL
        self._start()
        if self._is_wrapped:
            self._show('{"input": "')

    def feed(self, piece: str) -> None:
        """Show the piece, in a call's JSON escaped."""
        self.is_empty = False
        self._show(json.dumps(piece, ensure_ascii=False)[1:-1] if self._is_wrapped else piece)

    def end(self, *, is_cut: bool, error: str | None = None) -> None:
        """JSON is closed only if all of the text has come."""
        if self._is_wrapped and not is_cut:
            self._show('"}')
        self._end(is_cut, error)
