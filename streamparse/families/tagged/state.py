"""A call whose parameters stand in tags.

    <function=f> <parameter=a>1</parameter> <parameter=b>2</parameter> </function>
                 └ content, as it is written ─────────────────────┘
    <invoke name="f"> {"a": 1} </invoke>                            models do that, too

How the tags are written is data, `grammar.py`. The content is all that stands between the head of the call
and its closer, without the blanks at its ends; it is shown as it comes, save what may be the end of the call.

The end inside an open parameter may be data (a file about this very format), or the parameter was never closed. So it
is held, with all behind it, until one of two things is certain: a closer that fits means it was data; another call
that begins, the limit, or a stream that ends with nothing but closers behind it mean that the call ended there,
repaired, and what is behind it is parsed on. If the stream ends with anything else, it was cut off inside the value.

Text where a parameter should stand makes the call malformed, and so does a key without a value.

    _in_arguments ──► _at_first ──► _between ──opener──► _inside ──closer──► _between ──end──► _behind_call
                          │            │  ▲                │  ▲                 └─neither──► _inside: it was data
                         `{`           │  │             end│  │closer that fits: data
                          ▼            │  └─ opener ─┐     ▼  │
                       _in_json        └► _at_stray ─┴► _held ┘──the next call, the limit──► _behind_call
                          │               _in_stray
                          └──value complete──► _between
"""

from __future__ import annotations

from functools import lru_cache
from re import Match

from streamparse.core.markers import Markers, compile_markers
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.grammar import Calls, Head
from streamparse.families.calls.shown import Shown
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.json.reader import JsonReader
from streamparse.families.tagged.grammar import CALL, CLOSE, END, INSTEAD, ORPHAN, QUOTED, Tags

_NOT_JSON = "the call is not JSON: it ends too early"
_STRAY = "there is text where a parameter should be"
_NO_VALUE = "there is a key without a value"


@lru_cache(maxsize=128)
def _held_markers(calls: Calls, is_quoted: bool) -> Markers:
    """What decides about the end of a call that stands in an open parameter."""
    tags = calls.get_options(Tags)
    # A value in quotes may hold whole calls: only the closer behind its quote ends it.
    return tags.fits([] if is_quoted else calls.nested(tags.open), is_quoted=is_quoted)


class TaggedCallState(MarkedCallState):
    """Follows parameter after parameter."""

    _content: Shown
    _tags: Tags
    _otherwise: str  # what to do if neither a parameter nor the end follows
    _is_quoted = False
    _problem: str | None
    _json: JsonReader
    _fallback: int  # the offset of what is held: where the call ended, if nothing decides

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        self._tags = self._calls.get_options(Tags)
        self._content = Shown(self.context)
        self._problem = None
        self._otherwise = "_at_stray"

    # -- phases -------------------------------------------------------------------------------------------------------

    def _in_arguments(self) -> Progress:
        """The last character of the head, if it is left; then blanks, which are not content."""
        scanner, empty = self.context.scanner, self._tags.empty
        self._phase = "_at_first"
        if empty and scanner.buf.startswith(empty, scanner.pos):
            scanner.pos += len(empty)
            return self._end_call()
        scanner.pos += bool(empty)
        return GO_ON

    def _at_first(self) -> Progress:
        mark = self.context.scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        self._content.skip()
        self._phase = "_between"
        if mark in ("{", '"'):  # an object, or a string of one
            self._json = JsonReader(self._tags.ends)
            self._phase = "_in_json"
        return GO_ON

    def _in_json(self) -> Progress:
        scanner, reader = self.context.scanner, self._json
        self._read(reader.read(scanner.buf, scanner.pos, len(scanner.buf)))
        if reader.is_ended:
            return self._end_call("malformed", _NOT_JSON)
        self.triggers = reader.triggers
        self._phase = "_between" if reader.is_done else self._phase
        return GO_ON if reader.is_done else NEED_MORE

    def _between(self) -> Progress:
        """The next parameter or the end of the call may come, blanks before it."""
        scanner, markers = self.context.scanner, self._tags.following
        self.triggers = None
        start = self._tags.skip_gap(scanner.buf, scanner.pos)
        match = markers.pattern.match(scanner.buf, start)
        if start == len(scanner.buf):
            scanner.wait_past_blanks()
            return NEED_MORE
        if match is None:
            self._phase = self._otherwise
            return GO_ON
        if match.lastindex is None:
            return self._wait(start, scanner.pos)
        kind = markers.kinds[match.lastindex]
        if kind == END:
            scanner.pos = start  # what stands before it belongs to it
        return self._go_on(kind, match.end())

    def _go_on(self, kind: str, end: int) -> Progress:
        """Read what was found: a parameter's opener, which ends at `end`, or the end of the call, which is left."""
        if kind in (END, INSTEAD):
            return self._finish(repaired=kind == INSTEAD)
        self._read(end)
        if kind == ORPHAN:
            self._problem = self._problem or _NO_VALUE
            self._phase = "_in_stray"
        else:
            self._is_quoted = kind == QUOTED
            self._otherwise = self._phase = "_inside"
        return GO_ON

    def _inside(self) -> Progress:
        """A parameter is open: the end of the call may be data."""
        scanner = self.context.scanner
        kind, match = self._find(self._tags.inside_quotes if self._is_quoted else self._tags.inside)
        if match is None:
            return NEED_MORE
        if kind == CLOSE:
            self._read(match.end())
            self._phase = "_between"
        else:
            self.context.hold()
            self._fallback = scanner.offset
            self._phase = "_held"
        return GO_ON

    def _held(self) -> Progress:
        scanner, searched = self.context.scanner, self.context.searched
        markers = _held_markers(self._calls, self._is_quoted)
        end = scanner.end
        # Held text is searched once, so a thousand such calls in a row cost as much as one.
        start = min(end, max(scanner.pos, searched.get(markers.pattern, 0) - scanner.base))
        match = markers.pattern.search(scanner.buf, start, end)
        if match is None or match.lastindex is None:
            scanner.pos = match.start() if match else end
            searched[markers.pattern] = scanner.offset
            if end == len(scanner.buf):
                scanner.wait_past_blanks()
            return NEED_MORE
        if markers.kinds[match.lastindex or 0] == CALL:
            self.on_limit()  # another call begins: this one has ended, and its parameter was never closed
            return GO_ON
        self._show_held(match.start())
        self._phase = "_inside"
        return GO_ON

    def _at_stray(self) -> Progress:
        """Neither a parameter nor the end: search for the next of them."""
        self._problem = _STRAY
        self._phase = "_in_stray"
        return GO_ON

    def _in_stray(self) -> Progress:
        kind, match = self._find(self._tags.following)
        return NEED_MORE if match is None else self._go_on(kind, match.end())

    def _find(self, markers: Markers) -> tuple[str, Match[str] | None]:
        """Read everything up to the next of `markers`; which it is, and None if it is not there yet."""
        scanner = self.context.scanner
        match = markers.pattern.search(scanner.buf, scanner.pos)
        if match is None:
            self._read(len(scanner.buf))
            self.triggers = markers.heads
            return "", None
        if match.lastindex is None:
            self._wait(match.start(), match.start())
            return "", None
        self._read(match.start())
        return markers.kinds[match.lastindex], match

    # -- showing ------------------------------------------------------------------------------------------------------

    def _read(self, end: int) -> None:
        """Show everything up to index `end`, and go on there."""
        self._content.show(end)
        self.context.scanner.pos = end

    def _show_held(self, end: int) -> None:
        """What is held is content, up to index `end`; go on there."""
        scanner = self.context.scanner
        scanner.pos = end
        self._content.show_held()
        self._content.show(end)
        scanner.release()

    def _wait(self, start: int, content: int) -> Progress:
        """The buffer ends inside a marker that begins at `start`; all before index `content` is certain.

        Only what may be the end of the call is not shown, nor what stands before it and would belong to it. That may
        begin inside of another marker.
        """
        scanner = self.context.scanner
        end = self._tags.ends.pattern.search(scanner.buf, start)
        if end is None or end.start() > start:
            self._content.show(end.start() if end else len(scanner.buf))
            scanner.pos = start
        else:
            self._read(content)
            scanner.wait_past_blanks()
        return NEED_MORE

    # -- the end ------------------------------------------------------------------------------------------------------

    def _finish(self, *, repaired: bool) -> Progress:
        if self._problem:
            return self._end_call("malformed", self._problem)
        return self._end_call(repaired=repaired)

    def on_limit(self) -> None:
        """No closer that fits came in time: the call ended at what is held, and what is behind it is unread again."""
        scanner = self.context.scanner
        scanner.rollback()
        scanner.pos = self._fallback - scanner.base
        self._finish(repaired=True)

    def finalize(self) -> None:
        """Without its end the call is truncated. What stands behind one that was held may be calls again."""
        scanner = self.context.scanner
        while scanner.mark >= 0:
            self._settle_held()
        if self.context.emitter.segment_id:
            self._read(len(scanner.buf))
        super().finalize()

    def _settle_held(self) -> None:
        """No more input: what is held is the end of the call if only closers and tokens follow it, else data."""
        scanner, tags = self.context.scanner, self._tags
        scanner.pos = len(scanner.buf)
        swallowed = [opener.marker for opener in self.context.grammar.openers if opener.state is None]
        # A call that is malformed already does no harm: then it is better not to swallow the reply.
        if self._problem or compile_markers({END: [tags.end, *tags.outer, *swallowed]}).fills(scanner.held()):
            self.on_limit()
            self.run()
        else:
            self._show_held(scanner.pos)
