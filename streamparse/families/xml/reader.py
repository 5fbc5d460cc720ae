"""XmlReader: where the arguments of a call begin and end, and where the call does. The one reader of this grammar.

    _between ──`<arg name="a">`, `<path>`──► _in_value, until the value ends: `closers.py`
     │ ▲ ▲ │                                     ▲
     │ │ │ └─a tag with more in it─► _in_tag ────┤ (a body: _before_raw, if it may have raw markers, _before_body)
     │ │ └──── it is no tag ────────────┘        │
     │ ├─`-->`──── _in_comment ◄─`<!--`          │
     │ └─`</note>`─ _in_undeclared ◄─`<note>`─── _between, _in_tag
     │                 ├─► _in_inner_tag: `<note` or `<arg` in it
     │                 └─► _held_undeclared: `</tool>` in it
     └──► `</tool>`: the end

A tag that no one has declared is an argument, too, up to its own closer; but not if an argument that the tool is known
to have begins in it: then it stands around the arguments, and means nothing. A `</tool>` in it is held like one in any
other value. What is commented out is no argument, whether the comment ends or not.

It reads from a scanner, in any number of pieces, and the same code reads a text that is complete: the states that
stream calls and the decoder of their arguments both use it. A sink is told what it finds.
"""

from __future__ import annotations

import re
from re import Match

from streamparse.arguments.sink import ARG_TAG, DIRECT_TAG, Sink, never_closed
from streamparse.core.markers import compile_markers, skip_blanks
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.xml.closers import ValueEnds
from streamparse.families.xml.grammar import (
    ANY_CLOSER,
    ARG,
    CLOSE,
    COMMENT,
    DIRECT_NAMES,
    END,
    OPEN,
    RAW,
    TAG,
    closed_tag,
    last_tag,
    value_patterns,
)

#: The phases in which a closing tag is read.
_CLOSER_PHASES = ("_behind_raw_end", "_in_closer", "_behind_closer")
#: A whole argument in a tag of its own name, with no other tag in it; and what is none.
_ELEMENT = re.compile(r"[ \t\r\n]*+<([A-Za-z_][A-Za-z0-9_.:-]{0,255}+)>([^<]*+)</\1>")
_SHORT = len("<limit>5</limit>")  # what is shorter is mostly the piece of one
_CLOSERS = compile_markers({CLOSE: [ANY_CLOSER]})
_NOTHING = re.compile("(?!)")
_KNOWN_TAGS = DIRECT_NAMES | {"arg", "arguments"}


class XmlReader(ValueEnds):
    """Reads on from the scanner's cursor, behind the opening tag of the call."""

    #: No more input came, and nothing but the closer of the call is missing behind an argument.
    is_whole = False
    _inner_tag = ""  # in a tag that no one has declared, and held until it is all there

    def read(self, sink: Sink) -> None:
        """Read as far as possible, and tell `sink`. Not to be called when the call has ended."""
        self._sink = sink
        self.triggers = None
        while getattr(self, self._phase)() is GO_ON:
            pass

    def read_all(self, sink: Sink) -> None:
        """Read a text to which nothing will be added."""
        self._sink = sink
        self._read_elements()
        self.read_to_limits(sink)
        if not self.is_ended:
            self.finish(sink)

    def read_to_limits(self, sink: Sink) -> None:
        """Read as far as possible, where no one else asks whether the limit of what is held is passed."""
        scanner = self._scanner
        self.read(sink)
        while scanner.limit < scanner.base + len(scanner.buf):
            self.pass_limit(sink)
            if self.is_ended:
                return
            self.read(sink)

    # -- what a state asks --------------------------------------------------------------------------------------------

    @property
    def end(self) -> re.Pattern[str]:
        """The closer of the call alone; there is none in an undeclared tag of the same name, which it closes."""
        is_own = self._phase == "_in_undeclared" and self._call.end.match(f"</{self._tag}>")
        return _NOTHING if is_own else self._call.end

    @property
    def is_between(self) -> bool:
        """Whether it is between two arguments, and holds nothing."""
        return self._phase == "_between" and self._scanner.mark < 0

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

    def finish(self, sink: Sink) -> None:
        """No more input: what is held is decided. A closer that was waiting for what follows counts."""
        self._sink = sink
        scanner = self._scanner
        is_cut = False
        while scanner.mark >= 0 and not self.is_ended:
            is_closer = self._phase == "_behind_closer" and self._closing == CLOSE and self._held_kind is None
            if is_closer or (self._phase in _CLOSER_PHASES and self._closing == RAW):
                is_closed = self._phase == "_behind_closer" and self._patterns.is_raw == (self._closing == RAW)
                is_cut = not is_closed or scanner.pos < len(scanner.buf)
                self._close_at_candidate()
                scanner.pos = len(scanner.buf)  # at most a piece of a tag is left
            else:
                self.pass_limit(sink)
            if not self.is_ended:
                self.read(sink)
        if not self.is_ended:
            is_cut = is_cut or self._phase != "_between" or scanner.pos < len(scanner.buf)
            self.is_whole = self._is_behind and not is_cut and self.unclosed is None
            if self._is_open:
                self._take_rest(scanner.end)
            scanner.pos = len(scanner.buf)

    def cut(self, sink: Sink) -> None:
        """Nothing more is wanted of the call. What could not be decided belongs to a value that is open, if it is not
        the closer of the call.
        """
        self._sink = sink
        if self._is_open:
            buf, pos, end = self._rest()
            self._take_rest(pos if self.end.match(buf, pos, end) else end)

    def _take_rest(self, end: int) -> None:
        """The open value goes up to index `end`, with blanks that waited for a raw marker, and is cut there."""
        if self._phase == "_before_raw":
            self._scanner.skip_break()
        self._take(end, is_followed=True)
        self._drop()

    # -- between arguments --------------------------------------------------------------------------------------------

    def _between(self) -> Progress:
        """Pass everything up to the next tag."""
        scanner = self._scanner
        if len(scanner.buf) - scanner.pos >= _SHORT:
            self._read_elements()
        kind, match = self._find(self._call.between)
        if match is None:
            return NEED_MORE
        scanner.pos = match.end()
        if kind == TAG:  # the usual one, with nothing in it: it needs no lexer
            self._open_tag(match[0][1:-1], None, len(match[0]))
        elif kind == ARG:
            self._open_tag("arg", match[0][len('<arg name="') : -2], len(match[0]))
        elif kind == END:
            return self._end_call(match.start())
        elif kind == OPEN:
            self._tag = match[0][1:]
            self._begin_lexer(self._tag.lower(), match[0])
            self._phase = "_in_tag"
        elif kind == COMMENT:
            self._phase = "_in_comment"
        elif kind == CLOSE and self._wrappers[-1:] == [closed_tag(match[0])]:
            self._wrappers.pop()
        elif kind == CLOSE:
            self._note_stray()
        return GO_ON

    def _read_elements(self) -> None:
        """The usual arguments in tags that no one has declared are read in one step each: `<limit>5</limit>`."""
        scanner, sink, names = self._scanner, self._sink, self._schema.names
        buf, pos, end = self._rest()
        while match := _ELEMENT.match(buf, pos, end):
            tag = match[1].lower()
            if tag in _KNOWN_TAGS or tag in names or len(tag) + len("<>") > self._limits.max_tag:
                break
            if self._call.end.match(buf, match.end(2)):
                break
            pos = scanner.pos = match.end()
            self._is_behind = True
            self.given.add(match[1])
            if self._keeps_text:
                sink.open_value(match[1], DIRECT_TAG)
                sink.take(match[2], is_followed=True)
                sink.close_value()

    def _in_comment(self) -> Progress:
        scanner = self._scanner
        markers = self._call.in_comment
        match = markers.pattern.search(*self._rest())
        if match is None or match.lastindex is None:
            scanner.pos = match.start() if match else scanner.end
            self.triggers = markers.heads
            self._wait_for_end()
            return NEED_MORE
        scanner.pos = match.end()
        if markers.kinds[match.lastindex] == END:
            self.unclosed = never_closed("a comment")
            return self._end_call(match.start())
        self._phase = "_between"
        return GO_ON

    def _in_tag(self) -> Progress:
        scanner, lexer = self._scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            self._note_stray()
            self._phase = "_between"
            return GO_ON
        if not lexer.is_done:
            return NEED_MORE
        name = lexer.attributes["name"] if self._tag.lower() == "arg" else None
        self._open_tag(self._tag, name, is_empty=lexer.is_empty)
        return GO_ON

    def _open_tag(self, written: str, name: str | None, length: int = 0, *, is_empty: bool = False) -> None:
        """A tag is complete; `name` is that of an `<arg>`. One without a name, or that is too long, is none."""
        self._phase = "_between"
        tag = self._tag = written.lower()
        if length > self._limits.max_tag or (tag == "arg" and name is None):
            self._note_stray()
        elif name is not None:
            self._open(name, is_direct=False, is_empty=is_empty)
        elif tag != "arguments":
            self._open(self._spell(written), is_direct=True, is_empty=is_empty)

    def _spell(self, tag: str) -> str:
        """A direct tag as the name of an argument: as the tool declares it, or in lower case where it has that one."""
        is_own = self._body is not None and self._tag in DIRECT_NAMES and self._tag not in self._schema.names
        return self._tag if is_own else self._schema.spell(tag)

    # -- a value begins -----------------------------------------------------------------------------------------------

    def _open(self, name: str, *, is_direct: bool, is_empty: bool) -> None:
        self._name = name
        self.given.add(name)
        self._is_open = True
        self._depth = 0
        self._has_closer = False
        self._sink.open_value(name, DIRECT_TAG if is_direct else ARG_TAG)
        if is_empty:
            self._close()
        elif is_direct and not self._is_known(self._tag):
            self._phase = "_in_undeclared"
        else:
            is_body = name == self._body
            self._patterns = value_patterns(self._tag, self._end, is_body=is_body)
            self._phase = "_in_value"
            if is_body:
                self._phase = "_before_body" if self._raw is None else "_before_raw"

    def _end_call(self, start: int) -> Progress:
        """The call ends with the closer that begins at index `start`."""
        self.is_ended = True
        self.end_offset = self._scanner.base + start
        return NEED_MORE

    def _before_raw(self) -> Progress:
        """A raw start marker may come, blanks before it."""
        assert self._raw is not None  # else it is not waited for
        buf, pos, end = self._rest()
        start = skip_blanks(buf, pos, end)
        match = self._raw.start.pattern.match(buf, start, end)
        if start == end or (match and match.lastindex is None):
            self._scanner.wait_past_blanks()
            return NEED_MORE
        if match:
            self._scanner.pos = match.end()
            self._patterns = value_patterns(self._tag, self._end, is_body=True, raw_end=self._raw.end)
        self._phase = "_before_body"
        return GO_ON

    def _before_body(self) -> Progress:
        """One line break belongs to the tag, or to the raw start marker."""
        if not self._scanner.skip_break():
            return NEED_MORE
        self._phase = "_in_value"
        return GO_ON

    # -- in a tag that no one has declared ----------------------------------------------------------------------------

    def _in_undeclared(self) -> Progress:
        kind, match = self._find(self._call.undeclared)
        if match is None:
            return NEED_MORE
        scanner = self._scanner
        is_own = closed_tag(match[0][match[0].rindex("<") :]) == self._tag
        if kind == END and not is_own:
            scanner.hold()
            self._doubt_end(match)
            self._phase = "_held_undeclared"
            return GO_ON
        if kind in (CLOSE, END):
            if is_own and not self._depth:
                scanner.pos = match.end()
                self._close()
                self._is_behind = kind == CLOSE  # `</tool>` may have been meant for the call
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

    def _held_undeclared(self) -> Progress:
        """The end of the call in such a tag is held: the closer of the tag says that it was data.

        Which closers there are in text that was held before is known, so nothing is searched twice in vain.
        """
        scanner, searched, key = self._scanner, self._searched, f"</{self._tag}"
        if searched.get(key, -1) < scanner.offset:  # the last one that was found
            scanner.pos = min(scanner.end, max(scanner.pos, searched.get(_CLOSERS.pattern, 0) - scanner.base))
        match = _CLOSERS.pattern.search(*self._rest())
        if match is None or match.lastindex is None:
            scanner.pos = match.start() if match else scanner.end
            searched[_CLOSERS.pattern] = max(scanner.offset, searched.get(_CLOSERS.pattern, 0))
            self._wait_for_end()
            return NEED_MORE
        name = closed_tag(match[0])
        if name == self._tag:
            self._pass_end(match)
        else:
            scanner.pos = match.end()
            searched[f"</{name}"] = max(scanner.base + match.start(), searched.get(f"</{name}", -1))
        return GO_ON

    def _pass_end(self, closer: Match[str]) -> None:
        """What is held was data, up to the closer of the tag, or of one of the same name in it."""
        self._scanner.pos = closer.end() if self._depth else closer.start()
        self._take_held()
        self._held_kind = None
        self.doubt_offset = -1
        if self._depth:
            self._depth -= 1
            self._phase = "_in_undeclared"
        else:
            self._scanner.pos = closer.end()
            self._close()

    def _is_wrapped(self, name: str) -> bool:
        """Whether the tool is known to have the argument `name`: then an undeclared tag around it is no argument."""
        return name in self._schema.names or (self._body is not None and name in DIRECT_NAMES)

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
