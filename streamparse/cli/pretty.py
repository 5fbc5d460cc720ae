"""`--output pretty`: every segment in a panel that grows as its text comes. The only module that knows rich.

On a terminal the open segment is redrawn at the bottom by a thread of this module, a few times a second and only if
there is news: taking a token costs an append, not a rendering. At its END the panel is printed for good, and the next
one grows below. A panel taller than the screen shows its last lines while it grows. Anywhere else (a file, a pipe, a
dumb terminal) each segment is printed once, when it ends.

What the model wrote gets into rich as `Text` only, and escaped: markup is interpreted in `str` alone.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from shutil import get_terminal_size
from threading import Event, RLock, Thread
from typing import Any, TextIO, cast

from attrs import Factory, define, evolve
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.panel import Panel
from rich.syntax import Syntax
from rich.text import Text

from streamparse.cli import captions
from streamparse.cli.escape import visible, visible_line
from streamparse.events import SegmentEnd, SegmentEvent, SegmentStart, SegmentType
from streamparse.invocations import ToolInvocation

_FRAMES_PER_SECOND = 15
_WIDEST = 120  # longer lines are hard to read

_COLOURS: dict[str, str] = {
    SegmentType.REASONING: "bright_black",
    SegmentType.WRITE_FILE: "green",
    SegmentType.PATCH_FILE: "yellow",
    SegmentType.RUN_BASH: "magenta",
    SegmentType.TOOL_CALL: "cyan",
}
_PATCH_COLOURS = {"+": "green", "-": "red", "@": "cyan"}

#: Lexers that are in everyone's hands: the model chooses the path, so it must not choose among hundreds.
_LEXERS = {
    ".py": "python", ".js": "javascript", ".ts": "typescript", ".json": "json", ".html": "html", ".css": "css",
    ".sh": "bash", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".rs": "rust", ".go": "go", ".c": "c",
}  # fmt: skip
_LONGEST_HIGHLIGHTED = 50_000


@define
class _Segment:
    """What is known of a segment so far."""

    start: SegmentStart
    pieces: list[str] = Factory(list)
    size: int = 0
    is_blank: bool = True
    end: SegmentEnd | None = None
    invocation: ToolInvocation | None = None

    @property
    def is_prose(self) -> bool:
        return self.start.segment_type == SegmentType.TEXT

    @property
    def is_worth_a_line(self) -> bool:
        """Blank lines between two calls are text, too, but there is nothing to see."""
        return not (self.is_prose and self.is_blank)

    def add(self, delta: str) -> None:
        self.pieces.append(delta)
        self.size += len(delta)
        self.is_blank = self.is_blank and delta.isspace()

    def tail(self, length: int) -> str:
        """The last part of the text, at least `length` characters of it if there are as many.

        It begins at a multiple of `length`, so that its lines do not break elsewhere with every token.
        """
        wanted = self.size - max(0, self.size // length - 1) * length
        found: list[str] = []
        for piece in reversed(self.pieces):
            if wanted <= 0:
                break
            found.append(piece[-wanted:])
            wanted -= len(piece)
        return "".join(reversed(found))


class PrettyView:
    """Shows segments as panels on `file`."""

    is_sequential = True

    def __init__(self, file: TextIO) -> None:
        # Where there is no terminal, no escape sequence is written, whatever the environment says (FORCE_COLOR, …).
        is_terminal = file.isatty()
        self._console = _Console(
            file=file,
            force_terminal=is_terminal,
            force_interactive=None if is_terminal else False,
            markup=False,
            emoji=False,
            highlight=False,
        )
        if self._console.is_interactive:
            self._console.file = cast(TextIO, _WholeFrames(file))
        elif self._console.is_dumb_terminal:
            self._console.size = get_terminal_size()  # rich takes any such terminal for one of 80 columns
        self._segment: _Segment | None = None
        self._is_first = True
        self._screen = _Screen(self._console, self)

    def __enter__(self) -> PrettyView:
        self._screen.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.flush()
        finally:
            self._screen.stop()

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        """Take the next item."""
        if isinstance(item, ToolInvocation):
            if self._segment is not None:
                self._segment.invocation = item
            self.flush()
            return
        self.flush()  # what has ended, and got no invocation
        if isinstance(item, SegmentStart):
            self._segment = _Segment(item)
        elif self._segment is not None and isinstance(item, SegmentEnd):
            self._segment.end = item
            if item.reasoning:  # it was shown as text; what stays on the screen is what it was
                self._segment.start = evolve(self._segment.start, segment_type=SegmentType.REASONING)
                self._segment.end = evolve(item, reasoning=False)
        elif self._segment is not None:
            self._segment.add(item.delta)
        self._screen.has_news = True

    def flush(self) -> None:
        """Print the panel that has ended; the open one is on the screen with the next frame."""
        segment = self._segment
        if segment is None or segment.end is None:
            return
        panel = _finished(segment, segment.end, self._console)
        with self._screen.lock:  # no frame in between: the panel stays where it is
            self._segment = None
            if segment.is_worth_a_line:
                is_first, self._is_first = self._is_first, False
                self._console.print(panel if is_first else Group(Text(), panel), width=_WIDEST)

    def say(self, line: str) -> None:
        """Print a remark."""
        self._console.print(Text(f"\n{line}", style="dim"), width=_WIDEST)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The open segment as it is now, at most as tall as the screen."""
        segment = self._segment
        if segment is None or not segment.is_worth_a_line:
            yield Text()  # the line the cursor is in; with nothing at all, rich 13.7 leaves an empty line behind
        else:
            if not self._is_first:
                yield Text()
            yield _growing(segment, console, options)


class _Console(Console):
    """Leaves it to the caller that the reader of the output went away; rich would exit."""

    def on_broken_pipe(self) -> None:
        raise


class _WholeFrames:
    """A terminal that gets each write in one piece: it draws nothing before the end mark, so no half frame flickers.

    (Mode 2026, synchronized output; a terminal that does not know it ignores the marks.) The cursor is left at the
    beginning of its line: at the end of a full one, the `^C` that a terminal echoes would begin another.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(f"\x1b[?2026h{text}\r\x1b[?2026l")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class _Screen:
    """Redraws the bottom of the terminal while there is news; does nothing where there is no terminal.

    rich can do so by itself, but it draws when nothing has changed, too, and also in the midst of a print.
    """

    def __init__(self, console: Console, renderable: RenderableType) -> None:
        self.lock = RLock()
        self.has_news = False
        self._is_used = console.is_interactive
        self._live = Live(
            renderable,
            console=console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            vertical_overflow="crop",
        )
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="streamparse-screen", daemon=True)

    def start(self) -> None:
        if self._is_used:
            self._live.start()
            self._thread.start()

    def stop(self) -> None:
        if self._is_used:
            self._is_over.set()
            try:
                self._thread.join()
            finally:
                self._live.stop()

    def _run(self) -> None:
        while not self._is_over.wait(1 / _FRAMES_PER_SECOND):
            with self.lock:
                if self.has_news:
                    self.has_news = False
                    try:
                        self._live.refresh()
                    except OSError:  # the terminal is gone; the next panel that is printed will say so
                        return


def _growing(segment: _Segment, console: Console, options: ConsoleOptions) -> RenderableType:
    width = min(options.max_width, _WIDEST)
    height = max(1, console.height - 5)  # a blank line, two borders, the mark of what is above, a free line below
    body = _body(segment, segment.tail(width * console.height), console)
    lines = list(body.wrap(console, width if segment.is_prose else max(1, width - 4), overflow="fold"))
    if len(lines) > height:
        lines = [Text(_sign("⋮", ":", console), style="dim"), *lines[-height:]]
    body = Text("\n").join(lines)
    return body if segment.is_prose else _panel(segment, body, Text("streaming", style="dim"), console)


def _finished(segment: _Segment, end: SegmentEnd, console: Console) -> RenderableType:
    body = _body(segment, "".join(segment.pieces), console)
    if segment.is_prose:
        return body
    _highlight(body, segment.start)
    status = Text(visible_line(captions.status(end, segment.invocation), console.encoding))
    if status.plain == "complete":
        status.stylize("dim")
    else:
        status.stylize("yellow" if status.plain.startswith("complete") else "bold red")
    if segment.invocation is None:
        return _panel(segment, body, None if status.plain == "complete" else status, console)
    call = captions.call(segment.start.segment_type, segment.invocation)
    line = Text(f"  {_sign('→', '->', console)} {visible_line(call, console.encoding)}", style="dim", no_wrap=True)
    _shorten(line, min(console.width, _WIDEST), console)
    return Group(_panel(segment, body, status, console), line)


def _panel(segment: _Segment, body: Text, status: Text | None, console: Console) -> Panel:
    width = min(console.width, _WIDEST)
    colour = _COLOURS.get(segment.start.segment_type, "blue")
    title = Text(visible_line(captions.title(segment.start), console.encoding), style=colour)
    for text in (title, status):
        if text is not None:
            _shorten(text, max(1, width - 6), console)
    return Panel(
        body,
        title=title,
        title_align="left",
        subtitle=status,
        subtitle_align="right",
        border_style=colour,
        padding=(0, 1),
        width=width,
    )


def _body(segment: _Segment, text: str, console: Console) -> Text:
    """The text, without the line breaks that only set tags apart."""
    text = text.strip("\n") if segment.is_prose else text.removeprefix("\n").rstrip("\n")
    body = Text(visible(text, console.encoding), overflow="fold")
    if segment.start.segment_type == SegmentType.REASONING:
        body.stylize("dim italic")
    elif segment.start.segment_type == SegmentType.PATCH_FILE:
        start = 0
        for line in body.plain.splitlines(keepends=True):
            if colour := _PATCH_COLOURS.get(line[0]):
                body.stylize(colour, start, start + len(line))
            start += len(line)
    return body


def _highlight(body: Text, start: SegmentStart) -> None:
    """Colour a finished file by its language. Only colours are taken over, so the text cannot change."""
    lexer = _LEXERS.get(PurePosixPath(str(start.metadata.get("path"))).suffix)
    if start.segment_type == SegmentType.WRITE_FILE and lexer and len(body) <= _LONGEST_HIGHLIGHTED:
        coloured = Syntax("", lexer, theme="ansi_dark", tab_size=0).highlight(body.plain)
        if coloured.plain.rstrip("\n") == body.plain:
            body.spans.extend(span for span in coloured.spans if span.end <= len(body))


def _shorten(line: Text, width: int, console: Console) -> None:
    line.truncate(width, overflow="ellipsis" if _sign("…", "", console) else "crop")


def _sign(sign: str, ascii_sign: str, console: Console) -> str:
    return sign if console.encoding.startswith("utf") else ascii_sign
