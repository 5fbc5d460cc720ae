r"""What the segment of a native call shows: one class for each way its arguments come.

    JsonCall    {"query": "cats"}                       tool_call, the JSON text as it came
    FieldsCall  {"path": "a.py", "content": "a\nb"}     write_file {"path": "a.py"}, the content, decoded as it comes
    TextCall    *** Begin Patch …                       the text is the body, or `{"input": "…"}` of a tool_call

Each is given pieces of the arguments, cut anywhere, and in the end whether something is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.arguments import Signature
from streamparse.config import BodyTool
from streamparse.core.markers import skip_blanks
from streamparse.core.raw_text import RawText
from streamparse.events import NATIVE, SegmentType
from streamparse.families.calls.live_call import NOTHING, CallSegment, LiveCall, LiveRecord
from streamparse.families.json.follower import JsonFollower
from streamparse.families.json.reader import JsonReader
from streamparse.parser import StreamingParser
from streamparse.providers.json_text import escaped

_CALL = SegmentType.TOOL_CALL.value


class NativeSegment(CallSegment):
    """The segment of a call, beside the text and perhaps beside other calls."""

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        super().__init__(parser.emitter, "", segment_type)
        self._parser = parser
        self.metadata = metadata

    def start(self, metadata: Mapping[str, Any] = NOTHING) -> None:
        """A segment begins; text before it is settled, even if the call began long ago."""
        self._parser.interrupt()
        self.id = self._emitter.start_beside(self.type, {**self.metadata, **metadata}, NATIVE)


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

    def end(self, cut: str | None, error: str | None, state: Mapping[str, Any] | None) -> None:
        """No more comes.

        `cut`: its end was not seen, for this reason (or for none), and then nothing else counts. `error`: the call is
        malformed, whatever it holds. `state` is what the provider wants back with it.
        """
        self._segment.cut = cut
        self._segment.state = state
        self._end(
            "truncated" if cut is not None else "malformed" if error else None, None if cut is not None else error
        )

    def _end(self, status: str | None, error: str | None) -> None:
        raise NotImplementedError


class JsonCall(NativeCall):
    """The arguments are shown as the JSON text they are."""

    def __init__(self, parser: StreamingParser, segment_type: str, metadata: Mapping[str, Any]) -> None:
        super().__init__(parser, segment_type, metadata)
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

    def _end(self, status: str | None, error: str | None) -> None:
        """What the text is worth is seen when it is decoded."""
        self._segment.end(status, error)


class FieldsCall(NativeCall):
    """One argument is a file, a patch or a command, and is shown decoded; the others are metadata, or late.

    START comes as soon as the path is known, if there has to be one; until then the body is held.
    """

    def __init__(
        self,
        parser: StreamingParser,
        tool: BodyTool,
        metadata: Mapping[str, Any],
        signature: Signature,
        *,
        keeps_raw: bool,
    ) -> None:
        super().__init__(parser, tool.kind, metadata)
        self._segment.raw_text = RawText(signature.limits.max_arguments) if keeps_raw else None
        record = LiveRecord(self._segment, tool, {}, signature)
        self._follower = JsonFollower(record, signature)
        self._call = LiveCall(record, self._follower, signature.limits)
        self._room = self._most = signature.limits.max_arguments

    def feed(self, piece: str) -> None:
        """Show what became certain of the body."""
        follower = self._follower
        self._room -= len(piece)
        self._call.feed(piece)
        self.is_empty = follower.is_empty
        self.is_broken = follower.is_broken
        self.is_complete = follower.is_done

    def _end(self, status: str | None, error: str | None) -> None:
        """A body or path that did not come is missed only where all has come."""
        if self._room < 0 and status != "truncated":
            status = "malformed"
            error = error or self._call.record.problem or f"the arguments are longer than {self._most} characters"
        self._call.end(status, error, repaired=False)


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
        self._segment.show(escaped(piece) if self._is_wrapped else piece)

    def _end(self, status: str | None, error: str | None) -> None:
        """JSON is closed only if all of the text has come."""
        if self._is_wrapped and status != "truncated":
            self._segment.show('"}')
        self._segment.end(status, error)
