"""TaggedReader: where the parameters of a call begin and end, and where the call does. The one reader of this grammar.

    <function=f> <parameter=a>1</parameter> <parameter=b>2</parameter> </function>
    <invoke name="f"> {"a": 1} </invoke>                            models do that, too

How the tags are written is data, `grammar.py`. A parameter's closer counts only when the next parameter, the end of the
call or what stands in its place follow; else it is data. So it is held until that is known.

The end inside an open parameter may be data (a file about this very format), or the parameter was never closed. So it
is held, with all behind it: a closer that fits means that it was data. If the limit or the end of the stream come
first, the call ended there; what is behind it is unread again, and the state says what that means for the call.

Text where a parameter should stand makes the call malformed, and so does a key without a value.

    _at_first ──────► _between ──opener──► _inside ──closer──► _between ──end──► the end
       │               │    ▲               │   ▲                 └─neither──► _inside: it was data
      `{`       neither│    │opener      end│   │a closer that fits: data
       ▼               ▼    │               ▼   │
    _in_json ──►    _in_stray ──end──►     _held ──the limit──► the end

It reads from a scanner, in any number of pieces, and the same code reads a text that is complete: the state that
streams calls and the decoder of their arguments both use it. A sink is told what it finds.
"""

from __future__ import annotations

from collections.abc import Callable
from re import Match, Pattern

from streamparse.arguments.sink import Sink, ValueTag, never_closed
from streamparse.core.markers import Markers
from streamparse.core.scanner import NO_LIMIT, Searched, StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.json.reader import JsonReader
from streamparse.families.tagged.grammar import CLOSE, END, INSTEAD, OPEN, ORPHAN, QUOTED, Tags

STRAY = "there is text where a parameter should be"
_NOT_JSON = "the call is not JSON: it ends too early"
_NO_VALUE = "there is a key without a value"


class TaggedReader:
    """Reads on from the scanner's cursor, behind the head of the call.

    It ends with the cursor at the end of the call, which is left unread. A sink that wants neither keys nor texts says
    so: `keeps_text`. How far held text was searched is remembered in `searched`, so a thousand such calls cost as much
    as one.
    """

    #: Whether the call has ended, and whether something was missing that decided where.
    is_ended = False
    is_repaired = False
    #: What is wrong with a parameter without its closer, if that is why the call ended where it did.
    unclosed: str | None = None
    #: What is wrong with the call.
    problem: str | None = None
    #: The characters that matter to what comes next; None for all of them.
    triggers: str | None = None
    #: Whether a chunk that has one of them matters after all; None if each does.
    look_closer: Callable[[str], object] | None = None
    #: Up to this index of the buffer all is content of the call, whether it is read or not.
    content_end = 0

    _phase = "_at_first"
    _is_quoted = False
    _opener: Match[str]  # of the parameter that was opened last
    _end: int  # up to where in the buffer it may look
    _json: JsonReader
    _sink: Sink

    def __init__(
        self,
        scanner: StreamScanner,
        tags: Tags,
        max_held: int,
        searched: Searched,
        *,
        keeps_text: bool = True,
    ) -> None:
        self._scanner = scanner
        self._tags = tags
        self._max_held = max_held
        self._searched = searched
        self._keeps_text = keeps_text
        self._names_keys = keeps_text or tags.is_nested
        self._keys: list[str] = []  # of the parameter that is open, and of the parts of its value that are
        self._openers: list[str] = []  # of all parameters so far, as they are written

    def read(self, sink: Sink) -> None:
        """Read as far as possible, and tell `sink`. Not to be called when the call has ended."""
        self._sink = sink
        scanner = self._scanner
        self._end = len(scanner.buf) if scanner.limit == NO_LIMIT else scanner.end
        self.triggers = None
        while getattr(self, self._phase)() is GO_ON:
            pass

    def read_all(self, sink: Sink) -> None:
        """Read a text to which nothing will be added."""
        scanner = self._scanner
        self.read(sink)
        if not self.is_ended and scanner.limit < len(scanner.buf):
            self.pass_limit(sink)
        if not self.is_ended:
            self.finish(sink)

    @property
    def end(self) -> Pattern[str]:
        """The closer of the call alone, or of what is around it."""
        return self._tags.closers.pattern

    @property
    def is_waiting(self) -> bool:
        """Whether the end of the call is held, up to a limit."""
        return self._phase == "_held"

    @property
    def is_whole(self) -> bool:
        """Whether there are parameters, and nothing is missing but the end of the call, if nothing more comes."""
        scanner = self._scanner
        is_over = self._phase == "_between" and bool(self._openers) and self.problem is None
        return is_over and self._tags.skip_gap(scanner.buf, scanner.pos, scanner.end) == scanner.end

    @property
    def given(self) -> set[str]:
        """The names of all parameters so far."""
        return {name for opener in self._openers for _, _, name, _ in self._tags.find_openers(opener)}

    # -- between parameters -------------------------------------------------------------------------------------------

    def _at_first(self) -> Progress:
        mark = self._scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        self._phase = "_between"
        if mark in ("{", '"'):  # an object, or a string of one
            self._json = JsonReader(self._tags.ends)
            self._phase = "_in_json"
            return GO_ON
        return self._between()

    def _in_json(self) -> Progress:
        scanner, reader = self._scanner, self._json
        scanner.pos = self.content_end = reader.read(scanner.buf, scanner.pos, self._end)
        if reader.is_ended:
            self._report(_NOT_JSON)
            return self._end_call()
        if not reader.is_done:
            self.triggers, self.look_closer = reader.triggers, reader.look_closer
            return NEED_MORE
        self._phase = "_between"
        return GO_ON

    def _between(self) -> Progress:
        """The next parameter or the end of the call may come. If a closer is held, that decides whether it counts."""
        start, match = self._look_behind(self._scanner.pos)
        if start == self._end or (match is not None and match.lastindex is None):
            return self._wait_behind(start)
        if match is None:
            self._go_astray()
            return GO_ON
        if self._keys:
            self._scanner.release()
            self._close()
        return self._pass(match)

    def _look_behind(self, pos: int) -> tuple[int, Match[str] | None]:
        """What stands behind index `pos`, and the gap there; and where that is."""
        buf, end, following = self._scanner.buf, self._end, self._tags.following
        if pos < end and buf[pos] not in following.heads:
            pos = self._tags.skip_gap(buf, pos, end)
        return pos, following.pattern.match(buf, pos, end) if pos < end else None

    def _wait_behind(self, start: int) -> Progress:
        """What stands behind the cursor and the gap there, at index `start`, is not all there."""
        scanner = self._scanner
        if start < self._end:
            return self._wait(start, scanner.pos)
        self.content_end = scanner.pos
        scanner.wait_past_blanks()
        return NEED_MORE

    def _pass(self, match: Match[str]) -> Progress:
        """Go on with what stands behind the cursor, and the gap there."""
        scanner = self._scanner
        kind = self._tags.following.kinds[match.lastindex or 0]
        self.content_end = scanner.pos
        if kind == END:
            scanner.pos = match.start()  # what stands before it belongs to it
        return self._go_on(kind, match)

    def _go_astray(self) -> None:
        """Neither follows: the closer was data; or, if none is held, there is text that should not be there."""
        if self._keys:
            self._take_held(is_followed=False)
            self._phase = "_inside"
        else:
            self._report(STRAY)
            self._phase = "_in_stray"

    def _in_stray(self) -> Progress:
        """Search for the next parameter, or the end."""
        kind, match = self._find(self._tags.following)
        if match is None:
            return NEED_MORE
        self.content_end = match.start()
        return self._go_on(kind, match)

    def _go_on(self, kind: str, match: Match[str]) -> Progress:
        """Read what was found: a parameter's opener, or the end of the call, which is left."""
        if kind in (END, INSTEAD):
            self.is_repaired = kind == INSTEAD
            return self._end_call()
        if kind == ORPHAN:
            self._scanner.pos = match.end()
            self._report(_NO_VALUE)
            self._phase = "_in_stray"
        else:
            self._open(match, is_quoted=kind == QUOTED)
        return GO_ON

    def _open(self, match: Match[str], *, is_quoted: bool) -> None:
        """A parameter, or a part of a value."""
        scanner = self._scanner
        key = ""
        if self._names_keys:
            key, attributes = self._tags.read_opener(match)
            if self._keeps_text:
                self._sink.open_value(key, ValueTag(False, attributes, is_quoted))
        if not self._keys:
            self._openers.append(match[0])
        self._keys.append(key)
        self._opener = match
        self._is_quoted = is_quoted
        self._phase = "_inside"
        scanner.pos = match.end()

    # -- in a parameter -----------------------------------------------------------------------------------------------

    def _inside(self) -> Progress:
        """A parameter is open: the end of the call may be data."""
        scanner = self._scanner
        kind, match = self._find(self._tags.inside[self._is_quoted])
        if match is None:
            return NEED_MORE
        if kind == OPEN:
            self._open(match, is_quoted=False)
        elif kind != CLOSE:
            scanner.hold(limit=scanner.offset + self._max_held)
            self._phase = "_held"
        elif self._tags.is_nested:
            self._close_named(match)
        else:
            return self._judge_closer(match.end())
        return GO_ON

    def _judge_closer(self, end: int) -> Progress:
        """A closer, up to index `end`: what is behind it decides; if that is not all there, it is held."""
        scanner = self._scanner
        start, match = self._look_behind(end)
        if match is None and start < self._end:
            self._take(end, is_followed=False)
            return GO_ON
        if match is None or match.lastindex is None:
            scanner.hold()
            scanner.pos = end
            self._phase = "_between"
            return self._wait_behind(start)
        scanner.pos = end
        self._close()
        return self._pass(match)

    def _close_named(self, match: Match[str]) -> None:
        """A closer of a value, or of a part of one, which counts whatever follows."""
        scanner = self._scanner
        key = self._tags.name_of(match)
        scanner.pos = match.end()
        if key == self._keys[-1]:
            self._close()
        else:
            self._report(f"{key} is closed, but it is not open")

    def _held(self) -> Progress:
        """The end of the call is held: what decides about it?"""
        scanner, searched, markers = self._scanner, self._searched, self._tags.held[self._is_quoted]
        end = scanner.end
        match = scanner.search_held(markers.pattern, end, searched)
        if match is None or match.lastindex is None:
            self.content_end = scanner.settled - scanner.base  # what is held may not be in the buffer any more
            scanner.pos = match.start() if match else end
            if end == len(scanner.buf):
                scanner.wait_past_blanks()
            return NEED_MORE
        searched[markers.pattern] = scanner.base + match.start()
        self._phase = "_inside"
        if self._tags.is_nested:
            self._pass_end()
        else:
            scanner.pos = match.start()
            self._take_held(is_followed=True)
        return GO_ON

    def _pass_end(self) -> None:
        """What is held begins with an end of the call that is data; behind it there may be parts of the value."""
        scanner = self._scanner
        scanner.rollback()
        self._end = scanner.end
        end = self._tags.closers.pattern.match(scanner.buf, scanner.pos, self._end)
        assert end is not None  # it was found there
        self._take(end.end(), is_followed=False)

    # -- steps --------------------------------------------------------------------------------------------------------

    def _find(self, markers: Markers) -> tuple[str, Match[str] | None]:
        """Read everything up to the next of `markers`; which it is, and None if it is not there yet."""
        scanner, search = self._scanner, markers.pattern.search
        match = search(scanner.buf, scanner.pos, self._end)
        start = match.start() if match else self._end
        if self._keeps_text:
            self._take(start, is_followed=match is not None)
        else:
            scanner.pos = start
        if match is None:
            self.content_end = start
            self.triggers, self.look_closer = markers.heads, search
        elif match.lastindex is None:
            self._wait(start, start)
        else:
            return markers.kinds[match.lastindex], match
        return "", None

    def _wait(self, start: int, content: int) -> Progress:
        """The text ends inside a marker that begins at `start`; all before index `content` is certain.

        Only what may be the end of the call is no content, nor what stands before it and would belong to it. That may
        begin inside of another marker.
        """
        scanner = self._scanner
        end = self._tags.ends.pattern.search(scanner.buf, start, self._end)
        if end is None or end.start() > start:
            self.content_end = end.start() if end else self._end
            scanner.pos = start
        else:
            self.content_end = content
            scanner.wait_past_blanks()
        return NEED_MORE

    def _take(self, end: int, *, is_followed: bool) -> None:
        """Read up to index `end`: that belongs to the value, if one is open."""
        scanner = self._scanner
        if self._keys and self._keeps_text:
            self._sink.take(scanner.buf[scanner.pos : end], is_followed=is_followed)
        scanner.pos = end

    def _take_held(self, *, is_followed: bool) -> None:
        """What is held belongs to the value, up to the cursor."""
        self._sink.take_held(self._scanner.held() if self._keeps_text else "", is_followed=is_followed)
        self._scanner.release()
        self._end = self._scanner.end

    def _close(self, *, is_unclosed: bool = False) -> None:
        self._keys.pop()
        self._phase = "_inside" if self._keys else "_between"
        self._sink.close_value(is_unclosed=is_unclosed)

    def _report(self, problem: str) -> None:
        self.problem = self.problem or problem
        self._sink.report(problem)

    # -- the end ------------------------------------------------------------------------------------------------------

    def _end_call(self) -> Progress:
        self.is_ended = True
        return NEED_MORE

    def pass_limit(self, sink: Sink) -> None:
        """No closer that fits came in time: the call ended at what is held; what is behind it is unread again."""
        self._sink = sink
        self._scanner.rollback()
        self.content_end = self._scanner.pos
        self.is_repaired = True
        self.unclosed = never_closed(self._keys[0] or self._tags.read_opener(self._opener)[0])
        self._close(is_unclosed=True)
        self._end_call()

    def finish(self, sink: Sink) -> None:
        """No more input. A closer that was waiting for what follows counts."""
        scanner = self._scanner
        if self._phase == "_held":
            self.pass_limit(sink)
            return
        if scanner.mark < 0:
            self._sink = sink
            self._take(scanner.end, is_followed=False)
        self.cut(sink)
        scanner.pos = scanner.end

    def cut(self, sink: Sink) -> None:
        """Nothing more is wanted of the call: what could not be decided is left out."""
        self._sink = sink
        if self._scanner.mark >= 0:
            self._scanner.release()
            if self._phase == "_between":
                self._close()
        if self._keys:
            self._keys.clear()
            sink.drop_value()
