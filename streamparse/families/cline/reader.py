"""ClineReader: where the parameters of a call begin and end, and where the call does.

    <write_to_file>
    <path>a.md</path>                   ends at its first closer
    <content>…</content>                raw: ends at a closer with the tool's closer behind it, or with a parameter that
    </write_to_file>                    was not given yet; all else is content, whole calls too

Between parameters other text means nothing, and neither does what stands in a tag that is no parameter: `<foo>` and all
up to `</foo>`, if that comes before the tool's closer.

What is missing is mended where its place is certain. In a parameter that is not raw the tool's closer may be data, and
so may the opener of another parameter. They are held, with all behind them, until the closer of the parameter says that
they were; the end of the stream says that the parameter ended there, and is `unclosed`; so does the limit of a closer,
while an opener is data then. In a raw value the tool's closer is data if anything follows it; what is still open when
the stream ends, ended with it if it is the last thing there, and not that of a nested call: a file that was cut off
behind an example must not look complete.

It reads from a scanner, in any number of pieces, and the same code reads a text that is complete: the states that
stream calls and the decoder of their arguments both use it. A sink is told what it finds. Looking ahead is done once
for every part of the text: which closers were seen on the way is remembered, so a thousand tags without closers cost as
much as one.

    _between ──<path>──► _in_value ──</path>──────────────► _between ──</tool>──► the end
       │  ▲                      └─</tool>, <other>─► _held ──</path>: data──► _between (_in_held_closer: as below)
       │  │                                             └──never: it ended there──► _between
       │  └──its closer first: skipped──┐
       ├──<foo>, which is no parameter──► _ahead (and _in_closer_ahead, in a closing tag that is cut behind its name)
       │
       └──<content>──► _in_raw ──</content>──► _behind_closer ──the right thing follows──► _between
                        │  ▲                        └──anything else: data──► _in_raw
                        │  └── _in_closer: `</content` and blanks, shown in any case, not settled before its `>`
                        └──<tool>──► _in_tag ──► _behind_opener: is it a nested call? ──► _in_raw
"""

from __future__ import annotations

import re
from bisect import bisect_left
from re import Match
from typing import Any

from streamparse.arguments.json_strings import end_of
from streamparse.arguments.sink import DIRECT_TAG, Sink, never_closed
from streamparse.core.markers import BLANK_CHARACTERS, Markers, skip_blanks
from streamparse.core.scanner import Searched, StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.cline.grammar import CLOSE, CLOSERS, END, NESTED, OPEN, ClineTool

_NOTHING = "nothing"
_REST_OF_TAG = re.compile(r"[^ \t\r\n<>/]{0,256}+>?")


def _name_of(closer: str) -> str:
    return closer[2:].rstrip(f"{BLANK_CHARACTERS}>")


class ClineReader:
    """Reads on from the scanner's cursor, behind the tool's opener."""

    #: Where a closer of the call is held because it may be data; -1 if none is.
    doubt_offset = -1
    #: What is wrong with a parameter without its closer, if that is why the call ended where it did.
    unclosed: str | None = None

    _is_behind = False  # a parameter is closed, and nothing but blanks follows it so far: then all that comes matters
    _sink: Sink
    #: Of a tag in a raw value: what was read of its name, and whether it may be the first parameter of a nested call.
    _tag: str
    _may_count: bool
    #: A closing tag that is cut behind its name, looking ahead, and its offset; of one in held text the offset alone.
    _half: tuple[str, int]
    _half_closer: int

    def __init__(
        self,
        parameters: ClineTool,
        scanner: StreamScanner,
        max_held: int,
        searched: Searched,
    ) -> None:
        self._parameters = parameters
        self._scanner = scanner
        self._max_held = max_held
        self._searched = searched
        #: Whether the tool's closer was found, and the offset where it begins.
        self.is_ended = False
        self.end_offset = -1
        #: Whether something was missing.
        self.is_repaired = False
        self.end = parameters.end.pattern
        self._name = ""  # of the parameter whose value is being read, if any
        #: The names of all parameters so far.
        self.given: set[str] = set()
        self._depth = 0  # of calls of the same tool in a raw value
        self._sought = ""  # the name whose closer is looked for ahead
        #: How far it was looked ahead, to the tool's closer, and where the closers before it stand.
        self._seen_to = -1
        self._next_end = -1  # where the tool's closer stands that was found in held text, also if that is unread again
        self._seen: dict[str, list[tuple[int, int]]] = {}
        self._phase = "_between"

    def read(self, sink: Sink) -> None:
        """Read as far as possible, and tell `sink`. Not to be called when the call has ended."""
        self._sink = sink
        while getattr(self, self._phase)() is GO_ON:
            pass
        del self._sink  # it may well be who owns this reader: no cycle is left behind

    def _take(self, end: int, *, is_followed: bool) -> None:
        """Read up to index `end`: that belongs to the value, if one is open. `is_followed`: a tag may come next."""
        if self._name:
            self._sink.take(self._scanner.take(end), is_followed=is_followed)
        else:
            if self._is_behind and self._scanner.buf[self._scanner.pos : end].strip(BLANK_CHARACTERS):
                self._is_behind = False
            self._scanner.pos = end

    def _take_held(self, *, is_followed: bool) -> None:
        """What is held, up to the cursor, belongs to the value, if one is open."""
        if self._name:
            self._sink.take_held(self._scanner.held(), is_followed=is_followed)
        self._scanner.release()

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""
        is_plain = self._phase in ("_between", "_in_raw", "_in_value") and not self._is_behind
        return "<" if is_plain else None

    @property
    def is_late(self) -> bool:
        """What is missing decides where the call ends."""
        return self.is_repaired

    @property
    def is_between(self) -> bool:
        """Whether it is between two arguments, and holds nothing."""
        return self._phase == "_between" and self._scanner.mark < 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing but the tool's closer is missing behind a parameter, if no more input comes."""
        return self._phase == "_between" and self._is_behind and self.unclosed is None

    @property
    def is_waiting(self) -> bool:
        """Whether text is held, up to a limit. `_ahead` heeds its own within a run."""
        return self._phase in ("_held", "_in_held_closer")

    def pass_limit(self, sink: Sink) -> None:
        """No closer of the parameter came in time: what is held is data, if the call has not ended in it."""
        self._sink = sink
        if self.doubt_offset < 0:
            self._take_held(is_followed=False)
            self._phase = "_in_value"
        else:
            self._end_held()
        del self._sink

    def _end_held(self) -> None:
        """The parameter ended before what is held, which is unread again: the tool's closer, or an opener."""
        self._scanner.rollback()
        self.doubt_offset = -1
        self.is_repaired = True
        self.unclosed = self.unclosed or never_closed(self._name)
        self._close()

    # -- between parameters -------------------------------------------------------------------------------------------

    def _between(self) -> Progress:
        kind, match = self._find(self._parameters.between)
        if match is None:
            return NEED_MORE
        self._scanner.pos = match.end()
        if kind == END:
            self._end_at(match.start())
            return NEED_MORE
        self._is_behind = False
        name = match[0][1:-1]
        if self._parameters.is_declared(name):
            self._open(name)
        elif self._parameters.is_child(name):
            self._look_ahead(name, match.start())
        return GO_ON

    def _open(self, name: str) -> None:
        self._name = name
        self.given.add(name)
        self._depth = 0
        is_raw = name in self._parameters.raw
        self._phase = "_in_raw" if is_raw else "_in_value"
        self._sink.open_value(name, DIRECT_TAG)

    def _close(self) -> None:
        self._phase = "_between"
        self._is_behind = True
        self._sink.close_value()
        self._name = ""

    def _end_at(self, index: int) -> None:
        self.is_ended = True
        self.end_offset = self._scanner.base + index

    def _in_closer(self) -> Progress:
        """Behind `</name` and blanks, which are held: a closer of the value only if `>` follows."""
        scanner = self._scanner
        following = scanner.peek_past_blanks()
        if not following:
            return NEED_MORE
        is_raw = self._name in self._parameters.raw
        if following != ">":
            self._take_held(is_followed=True)
            self._phase = "_in_raw" if is_raw else "_in_value"
            return GO_ON
        scanner.pos += 1
        if is_raw and self._depth:  # of a nested call
            self._take_held(is_followed=False)
            self._phase = "_in_raw"
        elif is_raw:
            self._phase = "_behind_closer"
        else:
            scanner.release()
            self._close()
        return GO_ON

    # -- in a value that is not raw -----------------------------------------------------------------------------------

    def _in_value(self) -> Progress:
        kind, match = self._find(self._parameters.inside(self._name))
        if match is None:
            return NEED_MORE
        scanner = self._scanner
        if kind == CLOSE:
            scanner.pos = match.end()
            self._close()
        elif kind == OPEN and not self._parameters.is_declared(match[0][1:-1]):
            self._take(match.end(), is_followed=False)
        else:
            if kind == END:
                self.doubt_offset = scanner.offset
            scanner.hold(limit=scanner.offset + self._max_held)
            scanner.pos = match.end()
            self._phase = "_held"
        return GO_ON

    def _held(self) -> Progress:
        """What may be the end of the value is held: if the closer of the value comes, it was data."""
        scanner = self._scanner
        end = self._find_doubt() if self.doubt_offset < 0 else scanner.end
        match = scanner.search_held(self._parameters.closer(self._name).pattern, end, self._searched)
        if match is not None and match.lastindex is not None:
            scanner.pos = match.end()
            self._close_held(scanner.base + match.start())
            return GO_ON
        scanner.pos = match.start() if match else end
        if match is not None and self.doubt_offset < 0 and scanner.buf[end - 1] in BLANK_CHARACTERS:
            self._half_closer = scanner.offset
            scanner.pos = end
            self._phase = "_in_held_closer"
            return GO_ON
        return NEED_MORE if scanner.pos == scanner.end else self._wait()

    def _in_held_closer(self) -> Progress:
        """Behind `</name` and blanks, which are shown: so they are read, and not set aside."""
        following = self._scanner.peek_past_blanks()
        if not following:
            return NEED_MORE
        self._phase = "_held"
        if following == ">":
            self._scanner.pos += 1
            self._close_held(self._half_closer)
        return GO_ON

    def _close_held(self, start: int) -> None:
        """What is held was data, up to the closer of the value that begins at offset `start`."""
        scanner = self._scanner
        self._sink.take_held(scanner.held()[: start - scanner.settled], is_followed=True)
        scanner.release()
        self.doubt_offset = -1
        self._close()

    def _find_doubt(self) -> int:
        """Note the first closer of the tool in what is held; up to which index there is none, nor a piece of one."""
        scanner = self._scanner
        end = scanner.end
        if self._next_end < scanner.offset:
            match = scanner.search_held(self.end, end, self._searched)
            if match is None or match.lastindex is None:
                return match.start() if match else end
            self._next_end = scanner.base + match.start()
        self.doubt_offset = self._next_end
        return end

    # -- in a raw value -----------------------------------------------------------------------------------------------

    def _in_raw(self) -> Progress:
        kind, match = self._find(self._parameters.inside(self._name))
        if match is None:
            return NEED_MORE
        if kind == CLOSE and self._depth:
            self._take(match.end(), is_followed=False)  # of a nested call
        elif kind == CLOSE:
            self._scanner.hold()
            self._scanner.pos = match.end()
            self._phase = "_behind_closer"
        elif kind == END:
            return self._pass_end(match)
        else:
            self._read_tag(may_count=False)
        return GO_ON

    def _pass_end(self, match: Match[str]) -> Progress:
        """The tool's closer in the value: that of a nested call, or data if anything but blanks follows it."""
        scanner = self._scanner
        if not self._depth and skip_blanks(scanner.buf, match.end(), scanner.end) == scanner.end:
            return self._wait()
        self._depth -= self._depth > 0
        self._take(match.end(), is_followed=False)
        return GO_ON

    def _behind_closer(self) -> Progress:
        """Behind a closer of the value, which is held: it counts if the right thing follows."""
        scanner, markers = self._scanner, self._parameters.between
        if not scanner.peek_past_blanks():
            return NEED_MORE
        match = markers.pattern.match(scanner.buf, scanner.pos, scanner.end)
        kind = markers.kinds[match.lastindex or 0] if match else ""
        if kind is None and self._may_follow(scanner.buf[scanner.pos + 1 : scanner.end]):
            return self._wait()
        if kind == END or (kind == OPEN and match and self._is_next(match[0][1:-1])):
            scanner.release()
            self._close()
            return GO_ON
        self._take_held(is_followed=True)
        self._phase = "_in_raw"
        return GO_ON

    def _may_follow(self, beginning: str) -> bool:
        """Whether a tag that begins so may make a closer before it count."""
        if not beginning or beginning[0] == "/":
            return True
        return self._parameters.has_beginning(beginning, but=self.given)

    def _is_next(self, name: str) -> bool:
        return self._parameters.is_declared(name) and name not in self.given

    def _behind_opener(self) -> Progress:
        """Behind the tool's opener in the value: with a parameter behind it, it is a nested call."""
        scanner = self._scanner
        self._take(skip_blanks(scanner.buf, scanner.pos, scanner.end), is_followed=False)
        beginning = scanner.buf[scanner.pos : min(scanner.pos + 2, scanner.end)]
        if beginning in ("", "<"):
            return NEED_MORE
        self._phase = "_in_raw"
        if beginning[0] == "<" and beginning != "</":
            self._read_tag(may_count=True)
        return GO_ON

    def _read_tag(self, *, may_count: bool) -> None:
        """A tag in the value: data, whatever it says. `may_count`: it may be the first parameter of a nested call."""
        self._take(self._scanner.pos + 1, is_followed=False)
        self._tag = ""
        self._may_count = may_count
        self._phase = "_in_tag"

    def _in_tag(self) -> Progress:
        scanner, parameters = self._scanner, self._parameters
        end = end_of(_REST_OF_TAG, scanner.buf, scanner.pos, scanner.end)
        self._tag += scanner.buf[scanner.pos : end]
        self._take(end, is_followed=False)
        tag = self._tag
        self._phase = "_in_raw"
        if tag == f"{parameters.tool}>":
            self._phase = "_behind_opener"
        elif tag.endswith(">"):
            self._depth += self._may_count and parameters.is_declared(tag[:-1])
        elif end == scanner.end and self._is_beginning(tag):
            self._phase = "_in_tag"
            return NEED_MORE
        return GO_ON

    def _is_beginning(self, tag: str) -> bool:
        """Whether a tag that begins so may say something."""
        parameters = self._parameters
        return parameters.tool.startswith(tag) or (self._may_count and parameters.has_beginning(tag))

    # -- looking ahead ------------------------------------------------------------------------------------------------

    def _look_ahead(self, name: str, index: int) -> None:
        """Find out which comes first behind index `index`, where a tag stands: the closer of `name` or the tool's."""
        scanner = self._scanner
        self._sought = name
        start = scanner.base + index
        if start < self._seen_to:
            places = self._seen.get(name, ())
            found = bisect_left(places, (start, 0))
            if found == len(places):
                self._miss(index)
            else:
                self._hit(places[found][1] - scanner.base)
            return
        self._seen.clear()
        scanner.hold(index, start + self._max_held)
        scanner.pos = index + 1
        self._phase = "_ahead"

    def _ahead(self) -> Progress:
        scanner = self._scanner
        end = scanner.end
        match = CLOSERS.pattern.search(scanner.buf, scanner.pos, end)
        if match is not None and match.lastindex is not None:
            self._pass_closer(_name_of(match[0]), scanner.base + match.start(), match.end())
            return GO_ON
        scanner.pos = end
        if match is not None:
            if scanner.buf[end - 1] in BLANK_CHARACTERS and _name_of(match[0]) != self._parameters.tool:
                self._half = match[0], scanner.base + match.start()
                self._phase = "_in_closer_ahead"
                return GO_ON
            scanner.pos = match.start()
        if end < len(scanner.buf):
            return self._give_up()
        return NEED_MORE if match is None else self._wait()

    def _in_closer_ahead(self) -> Progress:
        """Behind `</name` and blanks."""
        scanner = self._scanner
        following = scanner.peek_past_blanks()
        if not following:
            return self._give_up() if scanner.end < len(scanner.buf) else NEED_MORE
        self._phase = "_ahead"
        if following == ">":
            name, start = self._half
            self._pass_closer(_name_of(name), start, scanner.pos + 1)
        return GO_ON

    def _pass_closer(self, name: str, start: int, end: int) -> None:
        """A closer, from offset `start` to index `end`: one of the two that decide, or another."""
        scanner = self._scanner
        is_held = scanner.mark >= 0
        scanner.pos = end
        if name == self._sought:
            self._hit(end)
        elif name != self._parameters.tool:
            if is_held:
                self._seen.setdefault(name, []).append((start, scanner.base + end))
        elif is_held:
            self._seen_to = start
            scanner.rollback()
            self._miss(scanner.pos)
        else:
            scanner.pos = start - scanner.base
            self._phase = "_between"

    def _hit(self, end: int) -> None:
        """The closer that was looked for comes first, up to index `end`: what it closes is skipped."""
        scanner = self._scanner
        scanner.pos = end
        if scanner.mark >= 0:
            scanner.release()
        self._phase = "_between"

    def _miss(self, index: int) -> None:
        """The tool's closer comes first: go on behind the tag at `index`."""
        self._scanner.pos = index + len(f"<{self._sought}>")
        self._phase = "_between"

    def _give_up(self) -> Progress:
        """Neither came in time: what is no parameter stays unread."""
        if self._scanner.mark >= 0:
            self._scanner.release()
            return GO_ON
        return NEED_MORE

    # -- steps --------------------------------------------------------------------------------------------------------

    def _find(self, markers: Markers) -> tuple[Any, Match[str] | None]:
        """Take everything up to the next of `markers`; which it is, and None if it is not there yet."""
        scanner = self._scanner
        buf, start, end = scanner.buf, scanner.pos, scanner.end
        while (match := markers.pattern.search(buf, start, end)) is not None:
            kind = markers.kinds[match.lastindex or 0]
            if kind is None:
                kind = self._cut_kind(buf[match.start() + 1 : end])
            if kind != _NOTHING:
                self._take(match.start(), is_followed=True)
                if kind is not None:
                    return kind, match
                self._wait_in_tag()
                return None, None
            start = match.start() + 1
        self._take(end, is_followed=False)
        return None, None

    def _cut_kind(self, beginning: str) -> str | None:
        """What a tag is that is cut off like this; None if that depends on the rest of it."""
        if not beginning or beginning[0] == "/" or not self._name:
            return None
        if self._phase == "_in_raw":
            return NESTED  # the beginning of the tool's opener: that is data, too
        return None if self._parameters.has_beginning(beginning) else _NOTHING

    def _wait_in_tag(self) -> None:
        """The text ends in a tag, at whose beginning the cursor stands."""
        scanner = self._scanner
        end = scanner.end
        is_end = self._parameters.end.pattern.match(scanner.buf, scanner.pos, end)
        if is_end or scanner.buf[end - 1] not in BLANK_CHARACTERS:
            self._wait()
            return
        # What is content in any case is not set aside: it is read, so that it can be shown, but it is not settled.
        scanner.hold()
        scanner.pos = end
        self._phase = "_in_closer"

    def _wait(self) -> Progress:
        scanner = self._scanner
        if scanner.end == len(scanner.buf):
            scanner.wait_past_blanks()
        return NEED_MORE

    # -- the end of the stream ----------------------------------------------------------------------------------------

    def finish(self, sink: Sink) -> None:
        """No more input: the call is not complete, unless a raw value ends with the tool's closer."""
        self._sink = sink
        self._finish()
        del self._sink

    def cut(self, sink: Sink) -> None:
        """Nothing more is wanted of the call: what could not be decided belongs to the value that is open, if any."""
        self._sink = sink
        self._settle()
        if not self._parameters.end.pattern.match(self._scanner.buf, self._scanner.pos, self._scanner.end):
            self._take(self._scanner.end, is_followed=False)
        self._drop()
        del self._sink

    def _drop(self) -> None:
        if self._name:
            self._name = ""
            self._sink.drop_value()

    def _finish(self) -> None:
        scanner = self._scanner
        while self._phase == "_held" and self.doubt_offset >= 0:
            self._end_held()
            while getattr(self, self._phase)() is GO_ON:
                pass
        if self.is_ended:
            return
        match = None
        if self._phase == "_in_raw" and not self._depth:
            match = self._parameters.end.final.match(scanner.buf, scanner.pos, scanner.end)
        if match is None or skip_blanks(scanner.buf, match.end(), scanner.end) < scanner.end:
            self._settle()
            self._take(scanner.end, is_followed=False)
            self._drop()
            return
        self._close()
        scanner.pos = match.end()
        self.is_repaired = True
        self._end_at(match.start())

    def _settle(self) -> None:
        """Decide about what is held: a closer that was waiting for what follows counts, other text is data."""
        scanner = self._scanner
        if self._phase == "_behind_closer":
            scanner.release()
            self._close()
        elif scanner.mark >= 0:
            scanner.pos = scanner.end if self._phase == "_ahead" else scanner.pos
            self._take_held(is_followed=False)
            self._phase = "_in_raw"
