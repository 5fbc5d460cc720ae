"""read_file, write_file and patch_file: the files under a root, and none outside of it.

    Files(root).tools()

`texts.py` is how files are reached, and `edits.py` works out what a call changes in them. A change is made as a whole
or not at all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from itertools import chain

from streamparse.diff import FileResult, split_lines
from streamparse.diff.lines import batches_of, body_of
from streamparse.presenter.printable import printable
from streamparse.presenter.sendable import sendable
from streamparse.presenter.tool import Tool, ToolError
from streamparse.workspace.edits import patched, written
from streamparse.workspace.texts import Texts

#: How many lines and characters of a file are read at once, and how many characters of one line.
MOST_LINES = 2_000
MOST_CHARACTERS = 45_000
LONGEST_LINE = 2_000


class Files:
    """The files under `root`, as tools. Calls that come at the same time are done one after the other."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._texts = Texts(root)
        self._turn = threading.Lock()

    def tools(self) -> list[Tool]:
        """The three tools."""
        return [Tool.of(self.read_file, is_read_only=True), Tool.of(self.write_file), Tool.of(self.patch_file)]

    def read_file(self, path: str, start_line: int = 1, end_line: int | None = None) -> str:
        """Read a text file. Each line comes with its number and a tab before it; both ends of a range are included."""
        if start_line < 1:
            raise ToolError(f"There is no line {start_line}: lines are counted from 1.")
        if end_line is not None and end_line < start_line:
            raise ToolError(f"There are no lines from {start_line} to {end_line}.")
        with self._texts.root.telling():
            text = self._texts.read(path)
        if text is None:
            raise ToolError(f"There is no file {printable(path)}.")
        return _numbered(sendable(text), start_line, end_line)

    def write_file(self, path: str, content: str) -> str:
        """Write a whole text file, and the folders it needs. What was in it is replaced."""
        with self._texts.root.telling(), self._turn:
            changes = written(self._texts, path, content)
            self._texts.write(changes)
        if not changes:
            return f"{printable(path)} has that content already."
        action = "Created" if changes[0].before is None else "Changed"
        return f"{action} {printable(path)}, {_count(split_lines(content), 'line')}."

    def patch_file(self, patch: str, path: str = "") -> str:
        """Change files by SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block.

        `path` is the file, unless the patch names its files itself.
        """
        with self._texts.root.telling(), self._turn:
            result = patched(self._texts, path, patch)
            self._texts.write(result.changes)
        return _told(result.files)


def _numbered(text: str, start: int, end: int | None) -> str:
    """The lines of a range, each with its number, as many as there is room for; and what is to be said about it."""
    shown_lines: list[str] = []
    room, number = MOST_CHARACTERS, 0
    is_full = False
    for number, line in enumerate(_lines(text), 1):
        if number < start or is_full or (end is not None and number > end):
            continue
        told = f"{number}\t{_cut(line)}"
        room -= len(told)
        is_full = len(shown_lines) == MOST_LINES or (room < 0 and bool(shown_lines))
        if not is_full:
            shown_lines.append(told)
    last = start + len(shown_lines) - 1
    if not number:
        return "[the file is empty]"
    if not shown_lines:
        return f"[the file has {number} lines]"
    if last < (number if end is None else min(end, number)):
        shown_lines.append(f"[lines {start} to {last} of {number}: give start_line={last + 1} to read on]\n")
    return "".join(shown_lines)


def _lines(text: str) -> Iterable[str]:
    return chain.from_iterable(batches_of(text))


def _cut(line: str) -> str:
    """The line; of a very long one the beginning. It ends with a line break, so that what follows is not part of it."""
    body = body_of(line)
    if len(body) > LONGEST_LINE:
        return f"{body[:LONGEST_LINE]}[… {len(body) - LONGEST_LINE} characters more in this line]\n"
    return line if line.endswith("\n") else f"{body}\n"


def _told(files: Sequence[FileResult]) -> str:
    """What was done, a line for each file."""
    lines: list[str] = []
    for file in files:
        target = f" to {printable(file.moved_to)}" if file.moved_to else ""
        edits = f", {_count(file.result.edits, 'edit')}" if file.result.edits else ""
        lines.append(f"{file.action.capitalize()} {printable(file.path)}{target}{edits}.")
    return "\n".join(lines)


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
