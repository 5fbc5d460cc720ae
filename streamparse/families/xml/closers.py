"""ValueEnds: where a value ends that stands in an `<arg>`, or in a tag that the tool is known to have.

    _in_value ──`</arg`───────────────────► _in_closer ──► _behind_closer ──it fits──► _between, or the end
     ▲  │ │ └─the end marker of a raw body─► _behind_raw_end ──► _in_closer  │                 ▲
     │  │ └───`<arg`──► _in_nested_tag ──► _in_value                         │ perhaps         │
     │  └─────`</tool>`: perhaps─────────────────────────────► _held ◄───────┘                 │
     └────────it was data──────────────────────────────────────┘ └──that was the end───────────┘

An argument's closer counts only when blanks and then the next argument, `</arguments>` or `</tool>` follow; else it is
content. A `</tool>` in an open argument may be data (a file about this very format), or the end of a call whose
argument was never closed. It is held, with all behind it, until a closer that fits says that it was data; the limit or
the end of the stream say that the call ended there, and that the argument is `unclosed`. A closer that does not fit is
held, too, because it may have been the end of the value after all:

- a tag behind it that no one knows: it counts if `</tool>` or (of what is not the body) the next argument comes before
  a closer that fits;
- anything else behind it: it counts if the next argument comes first, or nothing that fits. Of a body it is content at
  once: a body is shown as it comes, so if nothing fits later, the call is malformed.

Tags of the same name in a value are balanced, but for a body. Held text is searched once: how far there is nothing that
decides is remembered in `searched`, so a thousand such calls cost as much as one.
"""

from __future__ import annotations

from re import Match
from typing import Any

from streamparse.arguments.schema import Schema
from streamparse.arguments.sink import Sink, never_closed
from streamparse.config import Limits
from streamparse.core.markers import BLANK_CHARACTERS, Marker, Markers
from streamparse.core.scanner import Searched, StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.xml.grammar import (
    ARGUMENTS,
    CLOSE,
    DIRECT_NAMES,
    END,
    FIT,
    NOTHING,
    OPEN,
    RAW,
    TAGGED,
    RawMarkers,
    ValuePatterns,
    call_patterns,
    closed_tag,
    last_tag,
)
from streamparse.families.xml.lexer import TagLexer


class ValueEnds:
    """Reads on in a value, which `reader.py` has opened.

    `end` is the closer of the call, `schema` says what the tool declares. `body` is the argument that may stand between
    `raw` markers, and that is shown as it comes. A sink that does not want the text of values says so: `keeps_text`.
    """

    _lexer: TagLexer
    _patterns: ValuePatterns
    _sink: Sink

    _phase = "_between"
    #: Whether the call has ended, and the offset at which its closer begins.
    is_ended = False
    end_offset = -1
    #: Whether something was missing; and whether that decided where the call ended.
    is_repaired = False
    is_late = False
    #: What is wrong with an argument without its closer, if only the limit or the end of the stream decided about it.
    unclosed: str | None = None
    #: Whether there is text between arguments.
    has_stray = False
    _is_behind = False  # an argument is closed, and nothing follows it so far: then all that comes matters
    #: Where a closer of the call begins that may be data; -1 if there is none.
    doubt_offset = -1
    #: The characters that matter to what comes next; None for all of them.
    triggers: str | None = None
    _is_open = False  # a value is being read …
    _name = ""  # … of this argument …
    _tag = ""  # … in this tag, in lower case
    _depth = 0  # of nested tags in it that balance
    _has_closer = False  # one that does not fit, and is content
    _closing = CLOSE  # the closing tag that is being read: the value's, also behind a raw marker, or ARGUMENTS
    _candidate = _candidate_end = -1  # its offsets, with that marker
    _held_kind: str | None = None  # why text is held, if because it may be the end …
    _fallback = -1  # … and the offset at which to go on if nothing decides

    def __init__(
        self,
        scanner: StreamScanner,
        end: Marker,
        schema: Schema,
        limits: Limits,
        searched: Searched,
        *,
        body: str | None = None,
        raw: RawMarkers | None = None,
        keeps_text: bool = True,
    ) -> None:
        self._scanner = scanner
        self._call = call_patterns(end)
        self._schema = schema
        self._limits = limits
        self._searched = searched
        self._end = end
        self._body = body
        self._raw = raw
        self._keeps_text = keeps_text
        #: The names of all arguments so far.
        self.given: set[str] = set()
        self._wrappers: list[str] = []  # undeclared tags around arguments that are open, the innermost last

    def _close(self, *, is_unclosed: bool = False) -> None:
        self._is_open = False
        self._is_behind = True
        self._phase = "_between"
        self._sink.close_value(is_unclosed=is_unclosed)

    def _note_stray(self) -> None:
        """There is something between arguments that is none."""
        self.has_stray = True
        self._is_behind = False

    def _drop(self) -> None:
        self._is_open = False
        self._phase = "_between"
        self._sink.drop_value()

    # -- in a value ---------------------------------------------------------------------------------------------------

    def _in_value(self) -> Progress:
        kind, match = self._find(self._patterns.nested if self._depth else self._patterns.inside)
        if match is None:
            return NEED_MORE
        scanner = self._scanner
        if kind == OPEN:
            self._take(match.end(), is_followed=False)
            self._begin_lexer(self._tag, match[0])
            self._phase = "_in_nested_tag"
        elif kind == CLOSE and self._depth:
            self._take(match.end(), is_followed=False)
            self._depth -= 1
        elif kind == CLOSE and not self._patterns.is_raw and self._patterns.fit.match(*self._rest()):
            scanner.pos = scanner.buf.index(">", match.end()) + 1
            self._close()
        else:
            scanner.hold()
            if kind == END:
                self._doubt_end(match)
            else:
                self._begin_closer(kind, match)
        return GO_ON

    def _begin_lexer(self, tag: str, head: str) -> None:
        required = ("name",) if tag == "arg" else ()
        self._lexer = TagLexer(required, self._limits.max_tag - len(head), allow_angle=False)

    def _in_nested_tag(self) -> Progress:
        """The rest of a tag of the same name inside a value."""
        scanner, lexer = self._scanner, self._lexer
        self._take(lexer.read(scanner.buf, scanner.pos, scanner.end), is_followed=False)
        if not lexer.is_done and not lexer.is_failed:
            return NEED_MORE
        if lexer.is_done and not lexer.is_empty:
            self._depth += 1
            if self._depth > self._limits.max_depth:
                self._sink.report(f"{self._name} is nested too deeply")
        self._phase = "_in_value"
        return GO_ON

    # -- a closer: does it count? -------------------------------------------------------------------------------------

    def _begin_closer(self, kind: str, match: Match[str]) -> None:
        """Read on in a closing tag, or behind the marker that stands before it. It is held."""
        self._closing = kind
        self._candidate = self._scanner.base + match.start()
        self._scanner.pos = match.end()
        self._phase = "_behind_raw_end" if kind == RAW else "_in_closer"

    def _behind_raw_end(self) -> Progress:
        """The end marker counts when the closer follows it."""
        scanner = self._scanner
        if not scanner.peek_past_blanks():
            return NEED_MORE
        match = self._patterns.closing.pattern.match(*self._rest())
        if match is None:
            return self._reject()
        if match.lastindex is None:
            return NEED_MORE
        scanner.pos = match.end()
        self._phase = "_in_closer"
        return GO_ON

    def _in_closer(self) -> Progress:
        """Up to its `>`."""
        mark = self._scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        if mark != ">":
            return self._reject()
        self._scanner.pos += 1
        self._candidate_end = self._scanner.offset
        self._phase = "_behind_closer"
        return GO_ON

    def _behind_closer(self) -> Progress:
        if not self._scanner.peek_past_blanks():
            return NEED_MORE
        following = self._patterns.following
        match = following.pattern.match(*self._rest())
        if match is not None and match.lastindex is None:
            self._wait_for_end()
            return NEED_MORE
        kind = following.kinds[match.lastindex or 0] if match else NOTHING
        if self._closing == ARGUMENTS:
            if kind != END or match is None:
                return self._reject()
            self._doubt_end(match)
        elif match is not None and self._fits(kind, match[0]):
            if self._patterns.is_raw and self._closing != RAW:
                self._hold_fitting()
            else:
                self._close_at_candidate()
        elif self._held_kind is None and not self._patterns.is_raw and (kind == TAGGED or self._name != self._body):
            self._hold_for(TAGGED if kind == TAGGED else NOTHING)
        else:
            self._has_closer = self._has_closer or (self._held_kind is None and not self._patterns.is_raw)
            return self._reject()
        return GO_ON

    def _fits(self, kind: str, following: str) -> bool:
        """Whether what stands behind a closer lets it count."""
        if kind == CLOSE:
            return self._wrappers[-1:] == [closed_tag(following)]
        return kind in (END, FIT) or (kind == TAGGED and self._is_next(following))

    def _is_known(self, tag: str) -> bool:
        """Whether a direct tag is an argument of this tool for certain."""
        return tag in DIRECT_NAMES or tag in self._schema.names

    def _is_next(self, text: str) -> bool:
        """Whether the tag that `text` ends with may be the next argument in the same form."""
        return self._tag != "arg" and self._is_known(last_tag(text))

    def _hold_fitting(self) -> None:
        """A closer that fits, in a raw body: it counts only if no end marker comes."""
        scanner = self._scanner
        self._take_before_candidate()
        scanner.hold()
        scanner.pos = self._candidate_end - scanner.base
        self._hold_for(FIT)

    def _close_at_candidate(self) -> None:
        """The value ends at the closer that was read."""
        text = self._take_before_candidate()
        if self._depth:
            self._balance(text)
        if self._depth:  # it is the closer of a tag that is nested in the value
            self._phase = "_in_value"
            return
        self._scanner.pos = self._candidate_end - self._scanner.base
        self._close()

    def _take_before_candidate(self) -> str:
        """All that is held before the closer that was read was data: take it, and go back to the closer."""
        scanner = self._scanner
        text = scanner.held()[: self._candidate - scanner.settled]
        if text:
            self._sink.take_held(text, is_followed=True)
        scanner.rollback()
        scanner.pos = self._candidate - scanner.base
        self._held_kind = None
        self.doubt_offset = -1
        return text

    def _balance(self, text: str) -> None:
        """Nested tags are not looked at in what is held: do so now."""
        nested = self._patterns.nested
        for match in nested.final.finditer(text):
            kind = nested.kinds[match.lastindex or 0]
            if kind == CLOSE:
                self._depth -= self._depth > 0
            elif kind == OPEN:
                self._begin_lexer(self._tag, match[0])
                self._lexer.read(text, match.end(), len(text))
                self._depth += self._lexer.is_done and not self._lexer.is_empty

    def _reject(self) -> Progress:
        """It does not count: what was read of it is content, unless it is held for another reason."""
        if self._held_kind is None:
            self._take_held()
            self._phase = "_in_value"
        else:
            self._phase = "_held"
        return GO_ON

    # -- what may be the end ------------------------------------------------------------------------------------------

    def _doubt_end(self, match: Match[str]) -> None:
        """A closer of the call in an open value: the end, unless a closer that fits comes."""
        self.doubt_offset = self._scanner.base + match.start() + match[0].rindex("<")
        self._scanner.pos = match.end()
        self._candidate_end = self._scanner.offset
        self._hold_for(END)

    def _hold_for(self, kind: str) -> None:
        """Search for what decides; if nothing does, what was read last is the end of the value, or of the call."""
        scanner = self._scanner
        scanner.limit = min(scanner.limit, scanner.settled + self._limits.max_held)
        self._held_kind = kind
        self._fallback = self._candidate_end
        self._phase = "_held"

    def _held(self) -> Progress:
        assert self._held_kind is not None  # else nothing is held
        scanner = self._scanner
        markers = self._patterns.held[self._held_kind]
        end = self._find_doubt() if self._held_kind == NOTHING and self.doubt_offset < 0 else scanner.end
        match = scanner.search_held(markers.pattern, end, self._searched)
        if match is None or match.lastindex is None:
            scanner.pos = match.start() if match else end
            self._wait_for_end()
            return NEED_MORE
        kind = markers.kinds[match.lastindex]
        if kind in (CLOSE, RAW):
            self._begin_closer(kind, match)
        elif kind == END or (self._is_argument(match[0]) and not 0 <= self.doubt_offset < scanner.base + match.start()):
            self._settle(is_decided=True)
        else:
            scanner.pos = match.end()
        return GO_ON

    def _is_argument(self, text: str) -> bool:
        """Whether what was found in held text begins the next argument."""
        return self._tag == "arg" or self._is_next(text)

    def _find_doubt(self) -> int:
        """Note the first closer of the call in what is held; up to which index there is none, nor a piece of one."""
        end = self._scanner.end
        match = self._scanner.search_held(self._call.end, end, self._searched)
        if match is None or match.lastindex is None:
            return match.start() if match else end
        self.doubt_offset = self._scanner.base + match.start()
        return end

    def _take_held(self) -> None:
        """What is held, up to the cursor, was data."""
        self._sink.take_held(self._scanner.held(), is_followed=False)
        self._scanner.release()

    def _give_up(self) -> None:
        """A tag in a value that is not all there is content."""
        self._take_held()
        self._phase = "_in_undeclared" if self._phase == "_in_inner_tag" else "_in_value"

    def _settle(self, *, is_decided: bool = False) -> None:
        """A `</tool>` that is held was the end of the call, a closer that of the argument. Text behind it is unread."""
        scanner, kind = self._scanner, self._held_kind
        scanner.rollback()
        scanner.pos = self._fallback - scanner.base
        self._held_kind = None
        if not is_decided and kind != TAGGED:
            self.unclosed = never_closed(self._name)
            self.is_late = self.is_repaired = True
        if kind == END:
            if self._has_closer:
                self.unclosed = f"{self._name} is closed, but neither an argument nor the end of the call follows"
                self._sink.report(self.unclosed)
            self.is_ended = True
            self.end_offset = self.doubt_offset
        self.doubt_offset = -1
        self._close(is_unclosed=kind == END)

    # -- steps --------------------------------------------------------------------------------------------------------

    def _rest(self) -> tuple[str, int, int]:
        scanner = self._scanner
        buf = scanner.buf
        size, allowed = len(buf), scanner.limit - scanner.base
        return buf, scanner.pos, size if size < allowed else allowed

    def _take(self, end: int, *, is_followed: bool) -> None:
        """Read up to index `end`: that belongs to the value."""
        self._sink.take(self._scanner.take(end), is_followed=is_followed)

    def _find(self, markers: Markers) -> tuple[Any, Match[str] | None]:
        """Take everything up to the next of `markers`; which it is, and None if it is not there yet."""
        # This runs for every chunk that has a `<`: `_rest` and `_take` are spelled out.
        scanner = self._scanner
        buf, pos, end = scanner.buf, scanner.pos, len(scanner.buf)
        if scanner.limit - scanner.base < end:
            end = scanner.limit - scanner.base
        match = markers.pattern.search(buf, pos, end)
        stop = scanner.pos = match.start() if match else end
        if self._is_open:
            if self._keeps_text:
                self._sink.take(buf[pos:stop], is_followed=match is not None)
        elif pos < stop and buf[pos:stop].strip(BLANK_CHARACTERS):
            self._note_stray()
        if match is not None and match.lastindex is not None:
            return markers.kinds[match.lastindex], match
        if self._is_open or not self._is_behind:
            self.triggers = markers.heads
        if match is not None and buf[-1] in BLANK_CHARACTERS:
            self._wait_for_end()
        return None, None

    def _wait_for_end(self) -> None:
        """If what is unread may be the end of the call, blanks alone do not decide."""
        buf, pos, end = self._rest()
        if end == len(buf) and self._call.end.match(buf, pos):
            self._scanner.wait_past_blanks()
