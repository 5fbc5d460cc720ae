"""The demo without the extra `cli`: segments one below the other, as they come, between lines in brackets.

[write_file src/a.py]
print("hi")
[complete] write_file(path="src/a.py", content=[1 line])
"""

from __future__ import annotations

from typing import TextIO

from streamparse.cli import captions
from streamparse.cli.escape import visible
from streamparse.events import SegmentEnd, SegmentEvent, SegmentStart, SegmentType
from streamparse.invocations import ToolInvocation


class PlainView:
    """Writes text as it comes. Newlines wait for what is behind them, so that none are left over at an end."""

    is_sequential = True

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._gap = ""  # what sets the next segment apart from what is above
        self._newlines = ""
        self._is_empty = True
        self._end: SegmentEnd | None = None

    def __enter__(self) -> PlainView:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        """Write the item."""
        if isinstance(item, ToolInvocation):
            self._finish(item)
            return
        self._finish()
        if isinstance(item, SegmentStart):
            self._newlines, self._is_empty = "", True
            if item.segment_type != SegmentType.TEXT:
                self._write_apart(f"[{captions.title(item)}]\n")
        elif isinstance(item, SegmentEnd):
            self._end = item
        else:
            self._add(item.delta)

    def flush(self) -> None:
        """Let everything so far be seen."""
        self._finish()
        self._file.flush()

    def say(self, line: str) -> None:
        """Write a remark."""
        self._file.write(f"\n{line}\n")

    def _write_apart(self, text: str) -> None:
        self._file.write(self._gap + text)
        self._gap = ""

    def _add(self, delta: str) -> None:
        text = self._newlines + delta
        body = text.rstrip("\n")
        self._newlines = text[len(body) :]
        if self._is_empty:
            body = body.lstrip("\n")
        if body:
            self._write_apart(visible(body))
            self._is_empty = False

    def _finish(self, invocation: ToolInvocation | None = None) -> None:
        end, self._end = self._end, None
        if end is None:
            return
        if not self._is_empty:
            self._file.write("\n")
        status = captions.status(end, invocation)
        if invocation is not None:
            self._file.write(f"[{status}] {captions.call(end.segment_type, invocation)}\n")
        elif status != "complete":
            self._file.write(f"[{status}]\n")
        if not (self._is_empty and end.segment_type == SegmentType.TEXT):
            self._gap = "\n"
