"""EventEmitter: the events of the current feed, and the segment that is open.

It keeps the order of events legal: `(START CONTENT* END)*`. Prose opens its segment by itself with its first
character and is closed by whatever starts next, so contiguous text is one segment and an empty one never exists.

Calls of a provider's own interface stand beside the text and may run in parallel: they are started here, because ids
and the end of prose are the emitter's, and from then on known by their id to whoever started them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from streamparse.config import ParserConfig
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.core.raw_text import RawText
from streamparse.core.spans import Spans
from streamparse.errors import StateContractError
from streamparse.events import AnyEvent, SegmentContent, SegmentEnd, SegmentStart, SegmentType, TagKind

#: What blocks say of what they stand in, where that is nothing: one for all, since most streams have no more. It is
#: replaced and never changed; a mapping that cannot be changed could not be copied either, and handlers can.
_NOTHING: Mapping[str, Any] = {}


_CALL = SegmentType.TOOL_CALL.value


class LiveSegment(Protocol):
    """A call that is open, and is shown as what it does; it emits its events itself."""

    #: The call as it is written, if someone wants to know.
    raw_text: RawText | None

    @property
    def triggers(self) -> str | None:
        """The characters that matter, where all else is content as it is; None for all of them."""

    def feed(self, text: str) -> None:
        """More of the call's own content."""

    def end(self, status: str | None, error: str | None, repaired: bool, call_id: str | None) -> None:
        """The call is over."""

    def give_up(self, text: str) -> SegmentStart | None:
        """It cannot be read from `text` on: START of a call like any other, if nothing was read of this one."""


class EventEmitter:
    """Collects events.

    `segment_id` and `segment_type` are those of the open segment, empty strings if none is; `is_prose` says that it
    ends by itself when another starts.
    """

    __slots__ = (
        "_count",
        "_factory",
        "_gap",
        "_prefix",
        "cut",
        "distrust",
        "events",
        "follow",
        "has_ended",
        "is_mended",
        "is_prose",
        "live",
        "segment_id",
        "segment_type",
        "spans",
        "state",
        "within",
    )

    def __init__(self, config: ParserConfig) -> None:
        self.events: list[AnyEvent] = []
        self.segment_id = ""
        self.segment_type = ""
        self.is_prose = False
        #: The stream broke off, for this reason, or for one that nobody told if it is empty: no block that ends from
        #: now on is complete. None if it goes on.
        self.cut: str | None = None
        #: Why no block that ends from now on is complete, although all of it is there; None if it may be.
        self.distrust: str | None = None
        #: Whether blocks that end from now on are such only because the stream ends here: they are repaired.
        self.is_mended = False
        #: What must go back to the provider with the prose that ends next.
        self.state: Mapping[str, Any] | None = None
        #: What every block that starts now says of what it stands in, besides its own metadata.
        self.within = _NOTHING
        #: Whether a block has ended since the prose was last left.
        self.has_ended = False
        #: Where segments of blocks stand in the stream, if someone wants to know.
        self.spans: Spans | None = None
        #: What shows a call as what it does, asked with its metadata and its format; it gives None for most calls.
        self.follow: Callable[[EventEmitter, Mapping[str, Any], str], LiveSegment | None] | None = None
        #: The open segment, if it is such a call.
        self.live: LiveSegment | None = None
        self._gap: list[str] | None = None  # blanks between those blocks, which are text only if text follows
        self._count = 0
        self._prefix = config.segment_id_prefix
        self._factory = config.segment_id_factory

    def emit_start(
        self, segment_type: str, metadata: Mapping[str, Any], format: str = "", is_prose: bool = False
    ) -> None:
        """Open a segment; open prose ends before it. A segment that is prose itself ends when the next one starts."""
        if self.segment_id:
            if not self.is_prose:
                raise StateContractError(f"START of {segment_type!r} while {self.segment_type!r} is open: END it first")
            self.emit_end()
        if not segment_type:
            raise StateContractError("START without a segment type: set segment_type in the state's class")
        self.segment_id = self._new_id()
        self.segment_type = segment_type
        self.is_prose = is_prose
        self._gap = None
        if self.spans is not None and not is_prose:
            self.spans.start(self.segment_id)
        if self.within and not is_prose:
            metadata = {**self.within, **metadata}
        if segment_type == _CALL and self.follow is not None:
            self.live = self.follow(self, metadata, format)
            if self.live is not None:
                return
        self.events.append(SegmentStart(self.segment_id, segment_type, metadata, format))

    def start_beside(
        self, segment_type: str, metadata: Mapping[str, Any], format: str, *, ends_prose: bool = True
    ) -> str:
        """Start a segment that is not the open one, and return its id; as a rule open prose ends before it."""
        if ends_prose and self.segment_id and self.is_prose:
            self.emit_end()
        segment_id = self._new_id()
        self.events.append(SegmentStart(segment_id, segment_type, metadata, format))
        return segment_id

    def emit_content(self, delta: str) -> None:
        """More of the open segment; an empty delta is no event."""
        if delta:
            if not self.segment_id:
                raise StateContractError("CONTENT without an open segment: emit a START first")
            if self.live is not None:
                self.live.feed(delta)
            else:
                self.events.append(SegmentContent(self.segment_id, delta, self.segment_type))

    def emit_broken(self, delta: str) -> None:
        """More of a call that turned out to be malformed, which is none of its arguments."""
        if self.live is not None:
            start = self.live.give_up(delta)
            if start is None:
                return  # something of it was shown already
            self.live = None
            self.segment_type = start.segment_type
            self.events.append(start)
        self.emit_content(delta)

    def emit_prose(self, delta: str, segment_type: str = SegmentType.TEXT.value) -> None:
        """More of the prose around the blocks; its segment is opened if it is not."""
        if delta:
            if self.segment_id and not self.is_prose:
                raise StateContractError(f"prose while {self.segment_type!r} is open: END it first")
            if self.within and not self.segment_id:
                # Blanks between blocks that stand in something are text only if text follows.
                self._gap = self._gap or []
                self._gap.append(delta)
                if not delta.strip(BLANK_CHARACTERS):
                    return
                delta = self._take_gap()
            if self.segment_type != segment_type:
                self.emit_start(segment_type, {}, "", True)
            self.events.append(SegmentContent(self.segment_id, delta, self.segment_type))

    def end_gap(self, segment_type: str) -> None:
        """Nothing follows: blanks that are waiting are text."""
        if self._gap:
            gap = self._take_gap()
            self.emit_start(segment_type, {}, "", True)
            self.emit_content(gap)

    def _take_gap(self) -> str:
        gap = "".join(self._gap or ())
        self._gap = None
        return gap

    def emit_end(
        self,
        status: str | None = None,
        error: str | None = None,
        repaired: bool = False,
        late: Mapping[str, Any] | None = None,
        written: Mapping[str, TagKind] | None = None,
        call_id: str | None = None,
        raw: Callable[[str], str] | None = None,
        *,
        reasoning: bool = False,
    ) -> None:
        """Close the open segment; `reasoning`: it was text, and turns out to be reasoning."""
        if not self.segment_id:
            raise StateContractError("END without an open segment: emit a START first")
        if not self.is_prose:
            self.has_ended = True
            if self.spans is not None:
                self.spans.end()
        if self.cut is not None and status is None and not self.is_prose:
            status, repaired = "truncated", False
        elif self.distrust is not None and status is None and not self.is_prose:
            status, error, repaired = "malformed", self.distrust, False
        elif self.is_mended and status is None and not self.is_prose:
            repaired = True
        if status == "truncated" and self.cut:
            error = error or self.cut
        if self.live is not None:
            live, self.live = self.live, None
            live.end(status, error, repaired, call_id)
        else:
            state = None
            if self.state is not None and self.is_prose:
                state, self.state = self.state, None
            self.events.append(
                SegmentEnd(
                    *(self.segment_id, status, error, repaired, late or None, self.segment_type, written, call_id),
                    state=state,
                    raw=raw,
                    reasoning=reasoning,
                )
            )
        self.segment_id = self.segment_type = ""

    def drain(self) -> list[AnyEvent]:
        """The events so far, which are the caller's from now on."""
        events = self.events
        self.events = []
        return events

    def _new_id(self) -> str:
        self._count += 1
        return self._made_id(self._factory) if self._factory else f"{self._prefix}{self._count}"

    def _made_id(self, factory: Callable[[int], str]) -> str:
        made = factory(self._count)
        if not isinstance(made, str) or not made:
            raise TypeError(f"segment_id_factory must return a non-empty string, not {made!r}")
        return made
