"""XmlReader: where the arguments of a call begin and end, and where the call does. The one reader of this grammar.

    _between ──`<arg name="a">`, `<path>`──► _in_tag ──► (_before_value) ──► _in_value ◄──────────┐ it was data
       │ ▲  ▲                                    │                             │  │               │
       │ │  └──────────── it is no tag ──────────┘                    `</arg` │  │ `</tool>`     │
       │ │                                                                     ▼  ▼               │
       │ ├────────── a closer that fits ────── _behind_closer ◄── _in_closer   _held ─────────────┤
       │ │                                            └── perhaps ───────────────►│               │
       │ ├──────────────── that was the end of the value ─────────────────────────┘               │
       │ ├─`-->`── _in_comment ◄─`<!--`─┐                              or of the call             │
       │ └─`</note>`── _in_undeclared ◄─┴── _between, _in_tag
       └──► `</tool>`: the end                                  (_in_nested_tag, _in_inner_tag: tags inside of values)

An argument's closer counts only when blanks and then the next argument, `</arguments>` or `</tool>` follow; else it is
content. A `</tool>` in an open argument may be data (a file about this very format), or the end of a call whose
argument was never closed. It is held, with all behind it, until a closer that fits says that it was data; the limit or
the end of the stream say that the call ended there. A closer that does not fit is held, too, because it may have been
the end of the value after all:

- a tag behind it that no one knows: it counts if `</tool>` or (of what is not the body) the next argument comes before
  a closer that fits;
- anything else behind it: it counts if the next argument comes first, or nothing that fits. Of a body it is content at
  once: a body is shown as it comes, so if nothing fits later, the call is malformed.

Tags of the same name in a value are balanced, but for a body. A tag that no one has declared is an argument, too, up to
its own closer; but not if an argument that the tool is known to have begins in it: then it stands around the arguments,
and means nothing. One that is still open at `</tool>` ends there. What is commented out is no argument, whether the
comment ends or not.

It reads from a scanner, in any number of pieces, and the same code reads a text that is complete: the states that
stream calls and the decoder of their arguments both use it. A sink is told what it finds. Held text is searched once:
how far there is nothing that decides is remembered in `searched`, so a thousand such calls cost as much as one.
"""

from __future__ import annotations

import re
from re import Match, Pattern
from typing import Any

from streamparse.arguments.schema import Schema
from streamparse.config import Limits
from streamparse.core.markers import BLANK_CHARACTERS, Marker, Markers, skip_blanks
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.sink import ARG_TAG, DIRECT_TAG, Sink
from streamparse.families.xml.grammar import (
    ARGUMENTS,
    CLOSE,
    COMMENT,
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
    value_patterns,
)
from streamparse.families.xml.lexer import TagLexer

#: The phases in which a closing tag is read, and what matters in those that search.
_CLOSER_PHASES = ("_behind_raw_end", "_in_closer", "_behind_closer")
#: A whole argument in a tag of its own name, with no other tag in it; and what is none.
_ELEMENT = re.compile(r"[ \t\r\n]*+<([A-Za-z_][A-Za-z0-9_.:-]{0,255}+)>([^<]*+)</\1>")
_SHORTEST = len("<a></a>")
_OWN_TAGS = frozenset({"arg", "arguments"})
#: The usual opening tag of an argument.
_USUAL_TAG = re.compile(
    r"""<(?:[aA][rR][gG] name="([^"<>&]{0,256}+)"|(?![aA][rR][gG]>)[A-Za-z_][A-Za-z0-9_.:-]{0,255}+)>"""
)
_TRIGGERS = {"_between": "<", "_in_comment": "<-", "_in_undeclared": "<"}


class XmlReader:
    """Reads on from the scanner's cursor, behind the opening tag of the call.

    `end` is the closer of the call, `schema` says what the tool declares. `body` is the argument that may stand between
    `raw` markers, and that is shown as it comes. A sink that does not want the text of values says so: `keeps_text`.
    """

    _lexer: TagLexer
    _patterns: ValuePatterns
    _sink: Sink

    def __init__(
        self,
        scanner: StreamScanner,
        end: Marker,
        schema: Schema,
        limits: Limits,
        searched: dict[Pattern[str] | str, int],
        *,
        body: str | None = None,
        raw: RawMarkers | None = None,
        keeps_text: bool = True,
    ) -> None:
        self._scanner = scanner
        self._end = end
        self._call = call_patterns(end)
        self._schema = schema
        self._limits = limits
        self._searched = searched
        self._body = body
        self._raw = raw
        self._keeps_text = keeps_text
        self.end = self._call.end  # the closer of the call alone
        self._phase = "_between"
        #: Whether the call has ended, and the offset at which its closer begins.
        self.is_ended = False
        self.end_offset = -1
        #: Whether something was missing; and whether that decided where the call ended.
        self.is_repaired = False
        self.is_late = False
        #: Whether there is text between arguments.
        self.has_stray = False
        #: Where a closer of the call begins that may be data; -1 if there is none.
        self.doubt_offset = -1
        self._wrappers: list[str] = []  # undeclared tags around arguments that are open, the innermost last
        self._is_open = False  # a value is being read …
        self._name = ""  # … of this argument …
        self._tag = ""  # … in this tag, in lower case
        self._depth = 0  # of nested tags in it that balance
        self._has_closer = False  # one that does not fit, and is content
        self._inner_tag = ""  # in it, which is held until it is all there
        self._closing = CLOSE  # the closing tag that is being read: the value's, also behind a raw marker, or ARGUMENTS
        self._candidate = self._candidate_end = -1  # its offsets, with that marker
        self._held_kind: str | None = None  # why text is held, if because it may be the end …
        self._fallback = -1  # … and the offset at which to go on if nothing decides

    def read(self, sink: Sink) -> None:
        """Read as far as possible, and tell `sink`. Not to be called when the call has ended."""
        self._sink = sink
        self._run()
        del self._sink  # it may well be who owns this reader: no cycle is left behind

    def read_all(self, sink: Sink) -> None:
        """Read a text to which nothing will be added."""
        scanner = self._scanner
        self.read(sink)
        while scanner.limit < scanner.base + len(scanner.buf):
            self.pass_limit(sink)
            if self.is_ended:
                return
            self.read(sink)
        if not self.is_ended:
            self.finish(sink)

    def _run(self) -> None:
        while getattr(self, self._phase)() is GO_ON:
            pass

    # -- what a state asks --------------------------------------------------------------------------------------------

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        if self._phase == "_in_value":
            return (self._patterns.nested if self._depth else self._patterns.inside).heads
        return _TRIGGERS.get(self._phase)

    @property
    def is_waiting(self) -> bool:
        """Whether text is held, up to a limit."""
        return self._scanner.mark >= 0

    def pass_limit(self, sink: Sink) -> None:
        """What is held was not decided in time."""
        self._sink = sink
        if self._held_kind is not None:
            self._settle()
        else:
            self._give_up()
        del self._sink

    def finish(self, sink: Sink) -> None:
        """No more input: what is held is decided. A closer that was waiting for what follows counts."""
        self._sink = sink
        scanner = self._scanner
        while scanner.mark >= 0 and not self.is_ended:
            is_closer = self._phase == "_behind_closer" and self._closing == CLOSE and self._held_kind is None
            if is_closer or (self._phase in _CLOSER_PHASES and self._closing == RAW):
                self._close_at_candidate()
                scanner.pos = len(scanner.buf)  # at most a piece of a tag is left
            elif self._held_kind is not None:
                self._settle()
            else:
                self._give_up()
            if not self.is_ended:
                self._run()
        if not self.is_ended:
            if self._is_open:
                self._take(scanner.end, is_followed=True)
                self._drop()
            scanner.pos = len(scanner.buf)
        del self._sink

    def cut(self, sink: Sink) -> None:
        """Nothing more is wanted of the call. What could not be decided belongs to a value that is open, if it is not
        the closer of the call.
        """
        self._sink = sink
        if self._is_open:
            buf, pos, end = self._rest()
            if not self.end.match(buf, pos, end):
                self._take(end, is_followed=True)
            self._drop()
        del self._sink

    # -- between arguments --------------------------------------------------------------------------------------------

    def _between(self) -> Progress:
        """Pass everything up to the next tag."""
        scanner = self._scanner
        if len(scanner.buf) - scanner.pos > _SHORTEST:
            self._read_elements()
        kind, match = self._find(self._call.between)
        if match is None:
            return NEED_MORE
        scanner.pos = match.end()
        if kind == END:
            return self._end_call(match.start())
        if kind == COMMENT:
            self._phase = "_in_comment"
        elif kind == CLOSE and self._wrappers[-1:] == [closed_tag(match[0])]:
            self._wrappers.pop()
        elif kind == CLOSE:
            self.has_stray = True
        elif kind == OPEN:
            self._tag = match[0][1:]
            if not self._open_usual(match.start()):
                self._begin_lexer(self._tag.lower(), match[0])
                self._phase = "_in_tag"
        return GO_ON

    def _read_elements(self) -> None:
        """The usual arguments in tags that no one has declared are read in one step each: `<limit>5</limit>`."""
        scanner, sink = self._scanner, self._sink
        buf, pos, end = self._rest()
        while match := _ELEMENT.match(buf, pos, end):
            tag = match[1].lower()
            is_other = tag in _OWN_TAGS or self._is_known(tag) or self.end.match(buf, match.end(2))
            if is_other or len(tag) + len("<>") > self._limits.max_tag:
                break
            pos = scanner.pos = match.end()
            sink.open_value(match[1], DIRECT_TAG)
            sink.take(match[2], is_followed=True)
            sink.close_value()

    def _open_usual(self, start: int) -> bool:
        """The usual tag is all there, and has nothing in it to decode: it needs no lexer."""
        scanner = self._scanner
        match = _USUAL_TAG.match(scanner.buf, start, scanner.end)
        if match is None or match.end() - start > self._limits.max_tag:
            return False
        scanner.pos = match.end()
        self._open_tag(match[1], is_empty=False)
        return True

    def _in_comment(self) -> Progress:
        scanner = self._scanner
        markers = self._call.in_comment
        match = markers.pattern.search(*self._rest())
        if match is None or match.lastindex is None:
            scanner.pos = match.start() if match else scanner.end
            self._wait_for_end()
            return NEED_MORE
        scanner.pos = match.end()
        if markers.kinds[match.lastindex] == END:
            return self._end_call(match.start())
        self._phase = "_between"
        return GO_ON

    def _begin_lexer(self, tag: str, head: str) -> None:
        required = ("name",) if tag == "arg" else ()
        self._lexer = TagLexer(required, self._limits.max_tag - len(head), allow_angle=False)

    def _in_tag(self) -> Progress:
        scanner, lexer = self._scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            self.has_stray = True
            self._phase = "_between"
            return GO_ON
        if not lexer.is_done:
            return NEED_MORE
        self._open_tag(lexer.attributes.get("name"), is_empty=lexer.is_empty)
        return GO_ON

    def _open_tag(self, attribute: str | None, *, is_empty: bool) -> None:
        """A tag is complete, with this attribute for a name if it is an `<arg>`."""
        written, self._tag = self._tag, self._tag.lower()
        self._phase = "_between"
        if self._tag == "arg":
            assert attribute is not None  # else it is none
            self._open(attribute, is_direct=False, is_empty=is_empty)
        elif self._tag != "arguments":
            self._open(self._spell(written), is_direct=True, is_empty=is_empty)

    def _spell(self, tag: str) -> str:
        """A direct tag as the name of an argument: as the tool declares it, or in lower case where it has that one."""
        name = self._schema.spell(tag)
        is_own = self._body is not None and self._tag in DIRECT_NAMES and self._tag not in self._schema.names
        return self._tag if is_own else name

    # -- a value begins and ends --------------------------------------------------------------------------------------

    def _open(self, name: str, *, is_direct: bool, is_empty: bool) -> None:
        self._name = name
        self._is_open = True
        self._depth = 0
        self._has_closer = False
        self._sink.open_value(name, DIRECT_TAG if is_direct else ARG_TAG)
        if is_empty:
            self._close()
        elif is_direct and not self._is_known(self._tag):
            self._phase = "_in_undeclared"
            self._read_usual(None)
        else:
            is_body = name == self._body
            self._patterns = value_patterns(self._tag, self._end, is_body=is_body)
            self._phase = "_before_value" if is_body and self._raw is not None else "_in_value"
            if not is_body:
                self._read_usual(self._patterns.fit)

    def _read_usual(self, fit: Pattern[str] | None) -> None:
        """The usual value is all there, with no tag in it but its closer, which fits: it is read in one step."""
        buf, pos, end = self._rest()
        start = buf.find("<", pos, end)
        if start < 0 or not buf.startswith(f"</{self._tag}>", start, end):
            return
        if fit.match(buf, start, end) if fit else not self.end.match(buf, start, end):
            self._take(start, is_followed=True)
            self._scanner.pos = start + len(self._tag) + len("</>")
            self._close()

    def _close(self, *, is_unclosed: bool = False) -> None:
        self._is_open = False
        self._phase = "_between"
        self._sink.close_value(is_unclosed=is_unclosed)

    def _drop(self) -> None:
        self._is_open = False
        self._phase = "_between"
        self._sink.drop_value()

    def _end_call(self, start: int) -> Progress:
        """The call ends with the closer that begins at index `start`."""
        self.is_ended = True
        self.end_offset = self._scanner.base + start
        return NEED_MORE

    # -- in a value ---------------------------------------------------------------------------------------------------

    def _before_value(self) -> Progress:
        """A raw start marker may come, blanks before it."""
        assert self._raw is not None  # else it is not waited for
        buf, pos, end = self._rest()
        start = skip_blanks(buf, pos, end)
        match = self._raw.start.pattern.match(buf, start, end)
        if start == end or (match and match.lastindex is None):
            self._scanner.wait_past_blanks()
            return NEED_MORE
        self._phase = "_in_value"
        if match:
            self._scanner.pos = match.end()
            self._patterns = value_patterns(self._tag, self._end, is_body=True, raw_end=self._raw.end)
            self._phase = "_behind_start_marker"
        return GO_ON

    def _behind_start_marker(self) -> Progress:
        """One line break belongs to the marker."""
        buf, pos, end = self._rest()
        if pos == end or (buf[pos] == "\r" and pos + 1 == end):
            return NEED_MORE
        if buf[pos] == "\n":
            self._scanner.pos += 1
        elif buf[pos : pos + 2] == "\r\n":
            self._scanner.pos += 2
        self._phase = "_in_value"
        return GO_ON

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
            self._count(is_certain=self._closing == RAW or not self._patterns.is_raw)
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

    def _is_wrapped(self, name: str) -> bool:
        """Whether the tool is known to have the argument `name`: then an undeclared tag around it is no argument."""
        return name in self._schema.names or (self._body is not None and name in DIRECT_NAMES)

    def _is_next(self, text: str) -> bool:
        """Whether the tag that `text` ends with may be the next argument in the same form."""
        return self._tag != "arg" and self._is_known(last_tag(text))

    def _count(self, *, is_certain: bool) -> None:
        """A closer that fits. In a raw body it counts only if no end marker comes."""
        if is_certain:
            self._close_at_candidate()
            return
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
        self.doubt_offset = self._scanner.base + match.start()
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
        scanner, searched = self._scanner, self._searched
        markers = self._patterns.held[self._held_kind]
        end = self._find_doubt() if self._held_kind == NOTHING and self.doubt_offset < 0 else scanner.end
        start = min(end, max(scanner.pos, searched.get(markers.pattern, 0) - scanner.base))
        match = markers.pattern.search(scanner.buf, start, end)
        if match is None or match.lastindex is None:
            scanner.pos = match.start() if match else end
            searched[markers.pattern] = scanner.offset
            self._wait_for_end()
            return NEED_MORE
        kind = markers.kinds[match.lastindex]
        if kind in (CLOSE, RAW):
            self._begin_closer(kind, match)
        elif kind == END or self._tag == "arg" or self._is_next(match[0]):
            self._settle(is_decided=not 0 <= self.doubt_offset < scanner.base + match.start())
        else:
            scanner.pos = match.end()
        return GO_ON

    def _find_doubt(self) -> int:
        """Note the first closer of the call in what is held; up to which index there is none, nor a piece of one."""
        scanner, searched, pattern = self._scanner, self._searched, self._call.end
        end = scanner.end
        start = min(end, max(scanner.pos, searched.get(pattern, 0) - scanner.base))
        match = pattern.search(scanner.buf, start, end)
        if match is not None and match.lastindex is not None:
            self.doubt_offset = scanner.base + match.start()
            return end
        stop = match.start() if match else end
        searched[pattern] = scanner.base + stop
        return stop

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
        is_late = kind == END or (kind == NOTHING and not is_decided)
        self.is_late = self.is_late or is_late
        self.is_repaired = self.is_repaired or is_late
        if kind == END:
            if self._has_closer:
                self._sink.report(f"{self._name} is closed, but neither an argument nor the end of the call follows")
            self.is_ended = True
            self.end_offset = self.doubt_offset
        self.doubt_offset = -1
        self._close(is_unclosed=kind == END)

    # -- in a tag that no one has declared ----------------------------------------------------------------------------

    def _in_undeclared(self) -> Progress:
        kind, match = self._find(self._call.undeclared)
        if match is None:
            return NEED_MORE
        scanner = self._scanner
        if kind == END:
            self._close(is_unclosed=True)
            self.is_repaired = True
            scanner.pos = match.end()
            return self._end_call(match.start() + match[0].rindex("<"))
        if kind == CLOSE:
            is_own = closed_tag(match[0]) == self._tag
            if is_own and not self._depth:
                scanner.pos = match.end()
                self._close()
            else:
                self._take(match.end(), is_followed=False)
                self._depth -= is_own
            return GO_ON
        name = last_tag(match[0])
        if self._is_wrapped(name):
            self._drop_wrapper()
        elif name in (self._tag, "arg"):
            scanner.hold()
            scanner.pos = match.end()
            self._inner_tag = name
            self._begin_lexer(name, match[0])
            self._phase = "_in_inner_tag"
        else:
            self._take(match.end(), is_followed=False)
        return GO_ON

    def _drop_wrapper(self) -> None:
        """It is no argument; its closer may stand behind those of the arguments in it."""
        if len(self._wrappers) < self._limits.max_depth:
            self._wrappers.append(self._tag)
        self._drop()

    def _in_inner_tag(self) -> Progress:
        """A tag of the same name, which must balance, or an `<arg>`, which may be a known argument: it is held."""
        scanner, lexer = self._scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if not lexer.is_done and not lexer.is_failed:
            return NEED_MORE
        if lexer.is_done and self._inner_tag == "arg" and self._is_wrapped(lexer.attributes["name"].lower()):
            scanner.rollback()
            self._drop_wrapper()
            return GO_ON
        self._depth += lexer.is_done and not lexer.is_empty and self._inner_tag == self._tag
        self._take_held()
        self._phase = "_in_undeclared"
        return GO_ON

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
        elif pos < stop and not self.has_stray:
            self.has_stray = bool(buf[pos:stop].strip(BLANK_CHARACTERS))
        if match is None:
            return None, None
        if match.lastindex is None:
            if buf[-1] in BLANK_CHARACTERS:
                self._wait_for_end()
            return None, None
        return markers.kinds[match.lastindex], match

    def _wait_for_end(self) -> None:
        """If what is unread may be the end of the call, blanks alone do not decide."""
        buf, pos, end = self._rest()
        if end == len(buf) and self._call.end.match(buf, pos):
            self._scanner.wait_past_blanks()
