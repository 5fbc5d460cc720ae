"""CodeWatch: whether a call stands in Markdown code or in a quote, told from the prose around it.

    ```xml                              the fence is open, so the call behind it is fenced
    <run_bash>ls</run_bash>
    ```                                 and closed again: calls from here on are not
    > <run_bash>ls</run_bash>           fenced, too: its line is a quote
    So: ```                             and so is what stands behind a run at the end of a line
    <run_bash>ls</run_bash>```          up to the next run of its length

Calls in fenced blocks are read, because models do put real calls there; in code spans those behind a stray backtick,
and with `code="parse"` all. But a program may want to ask before it runs one. What counts as a fence, a span or a quote
is told in `states/code.py`; here only the prose is seen that is shown, in which a call is one character of the line
that it stands in.
"""

from __future__ import annotations

import re

from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.events import SegmentContent, SegmentEvent, SegmentStart, SegmentType

_PROSE = frozenset((SegmentType.TEXT.value, SegmentType.REASONING.value))
#: So many deltas wait to be read together: that costs less, and no more of the prose is kept.
MOST_UNREAD = 64
#: Line breaks, runs of a character that fences are made of, and all else.
_PARTS = re.compile(r"[\r\n]|`++|~++|[^\r\n`~]++")
#: What may stand between a longer run of backticks and the end of its line, if the span goes on in the next.
_INFO = re.compile(r"[\w+#.-]*+([ \t]?+)[ \t]*+")
_MORE = "<"


class CodeWatch:
    """Reads the prose of one reply. What comes is put into `deltas`, if it is of the segment `segment_id`."""

    __slots__ = (
        "_behind",
        "_fence",
        "_info",
        "_is_closing",
        "_is_first",
        "_is_quote",
        "_lines",
        "_span",
        "_type",
        "deltas",
        "segment_id",
    )

    def __init__(self) -> None:
        self.segment_id = ""
        self.deltas: list[str] = []
        self._type = ""
        self._begin()

    def _begin(self) -> None:
        self.deltas.clear()
        self._fence = ""  # the run that has opened the block
        self._lines = 0  # the length of the run that has opened a span of several lines
        self._begin_line()

    def _begin_line(self) -> None:
        self._is_first = True  # nothing but blanks stands on the line
        self._is_quote = False  # it begins with `>`
        self._info = ""  # the run that opens a block, if the rest of the line fits
        self._is_closing = False  # what stands on the line closes the block, if nothing follows
        self._span = 0  # the length of the run that has opened a span
        self._behind = ""  # what stands behind that run: a word or none, a blank behind that, or anything else

    def start(self, start: SegmentStart) -> None:
        """A segment begins that is no call. Code goes on behind a call, but not from text to reasoning or back."""
        if start.segment_type in _PROSE:
            self.segment_id = start.segment_id
            if self._type != start.segment_type:
                self._type = start.segment_type
                self._begin()

    def takes(self, event: SegmentEvent) -> bool:
        """Whether the event is more of the prose, which is noted, and nothing else."""
        if event.segment_id != self.segment_id or event.__class__ is not SegmentContent:
            return False
        deltas = self.deltas
        deltas.append(event.delta)
        if len(deltas) == MOST_UNREAD:
            self.read()
        return True

    def is_code(self) -> bool:
        """Whether a call that stands here stands in code, or in a quote."""
        self.read()
        for run in self.deltas:  # it does not go on
            self._read_run(run)
        self.deltas.clear()
        self._is_first = self._is_closing = False
        self._behind = _MORE
        return bool(self._fence or self._lines or self._info or self._span or self._is_quote)

    def read(self) -> None:
        """Read what has come, but for a run that may go on."""
        text = "".join(self.deltas)
        self.deltas.clear()
        if text.endswith(("`", "~")):
            settled = text.rstrip(text[-1])
            self.deltas.append(text[len(settled) :])
            text = settled
        for part in _PARTS.findall(text):
            if part in "\r\n":
                self._end_line()
            elif part[0] in "`~":
                self._read_run(part)
            else:
                self._read_text(part)

    def _read_text(self, text: str) -> None:
        if shown := text.strip(BLANK_CHARACTERS):
            self._is_quote = self._is_quote or (self._is_first and shown[0] == ">")
            self._is_first = self._is_closing = False
        if self._span:
            match = _INFO.fullmatch(self._behind + text)
            self._behind = match[1] if match else _MORE

    def _end_line(self) -> None:
        if self._info:
            self._fence = self._info
        elif self._is_closing:
            self._fence = ""
        elif self._span > 2 and not self._is_quote and self._behind != _MORE:
            self._lines = self._span
        self._begin_line()

    def _read_run(self, run: str) -> None:
        is_first, self._is_first = self._is_first, False
        if self._fence:
            self._is_closing = is_first and run.startswith(self._fence)
        elif self._lines:
            self._lines = 0 if run == "`" * self._lines else self._lines
        elif is_first and len(run) > 2:
            self._info = run
        elif run[0] == "`":
            self._read_ticks(len(run))
        else:
            self._behind = _MORE

    def _read_ticks(self, size: int) -> None:
        opened = self._span
        if self._info.startswith("`"):  # no block begins with a line that has more of them
            opened, self._info = len(self._info), ""
        if opened == size:
            self._span = 0
        elif not self._span:
            self._span = size
            self._behind = ""
        else:
            self._behind = _MORE
