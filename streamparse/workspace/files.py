"""read_file, write_file and patch_file: the files under a root, and none outside of it.

    Files(root).tools()

Files are reached as `streamparse.directory.directory` reaches them: no path leads out of the root, and none through a
symbolic link. A change is made as a whole or not at all. Only texts are read and changed, and none of more than
`LARGEST` bytes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Sequence
from itertools import chain

from streamparse.diff import (
    DiffStream,
    Directory,
    FileAction,
    FileChange,
    FileResult,
    apply_to_tree,
    patch_paths,
    split_lines,
)
from streamparse.diff.lines import batches_of, body_of
from streamparse.errors import TreeError
from streamparse.presenter.printable import printable
from streamparse.presenter.tool import Tool, ToolError
from streamparse.workspace.root import Root

#: How many lines and characters of a file are read at once, and how many characters of one line.
MOST_LINES = 2_000
MOST_CHARACTERS = 45_000
LONGEST_LINE = 2_000
#: Files with more bytes are neither read nor changed.
LARGEST = 100_000_000


class Files:
    """The files under `root`, as tools. Calls that come at the same time are done one after the other."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = Root(root)
        self._texts = _Texts(self._root)
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
        with self._root.telling():
            text = self._texts.read(path)
        if text is None:
            raise ToolError(f"There is no file {printable(path)}.")
        return _numbered(_plain(text), start_line, end_line)

    def write_file(self, path: str, content: str) -> str:
        """Write a whole text file, and the folders it needs. What was in it is replaced."""
        with self._root.telling(), self._turn:
            before = self._texts.read(path)
            if before == content:
                return f"{printable(path)} has that content already."
            self._texts.write([FileChange(path, before, content)])
        return (
            f"{'Created' if before is None else 'Changed'} {printable(path)}, {_count(split_lines(content), 'line')}."
        )

    def patch_file(self, patch: str, path: str = "") -> str:
        """Change files by SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block.

        `path` is the file, unless the patch names its files itself.
        """
        if not patch.strip():
            raise ToolError("Nothing was changed: the patch is empty.")
        named = patch_paths(patch)
        with self._root.telling(), self._turn:
            wanted = "/".join(self._root.names(path))
            if wanted and (not named or (len(named) == 1 and wanted.endswith(f"/{named[0]}"))):
                return self._patch_one(wanted, patch)
            return self._patch_tree(wanted, patch)

    def _patch_one(self, path: str, patch: str) -> str:
        """Apply a patch to the file, whatever the patch calls it."""
        before = self._texts.read(path)
        stream = DiffStream(before or "", path=path)
        stream.feed(patch)
        result = stream.finalize()
        if not result.ok:
            raise ToolError(f"Nothing was changed in {printable(path)}.\n{_plain(result.message)}")
        if result.moved_to is not None:
            raise ToolError(f"Nothing was changed: the patch moves a file, but does not call it {printable(path)}.")
        after = None if result.is_deleted else result.content
        self._texts.write([FileChange(path, before, after)])
        action = FileAction.DELETED if after is None else FileAction.CREATED if before is None else FileAction.CHANGED
        return _told([FileResult(path, action, result)])

    def _patch_tree(self, path: str, patch: str) -> str:
        """Apply a patch to the files that it names; if there is a `path`, it is one of them."""
        result = apply_to_tree(self._texts, patch)
        if not result.ok:
            raise ToolError(f"Nothing was changed.\n{_plain(result.message)}")
        about = dict.fromkeys(name for file in result.files for name in (file.path, file.moved_to) if name)
        if path and path not in about:
            names = ", ".join(map(printable, about))
            raise ToolError(f"Nothing was changed: the patch is for {names}, not for {printable(path)}.")
        self._texts.write(result.changes)
        return _told(result.files)


class _Texts:
    """The texts under a root, as a tree that a diff can be applied to: what is binary or too large is none."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._directory = Directory(root.path)
        self.paths = self._directory.paths
        self.write = self._directory.write

    def read(self, path: str) -> str | None:
        status = self._root.status(self._root.names(path) or [path])
        if status is not None and status.st_size > LARGEST:
            raise TreeError(f"cannot read {path}: it has {status.st_size} bytes, more than {LARGEST}; use a command")
        text = self._directory.read(path)
        if text is not None and "\0" in text:
            raise TreeError(f"cannot read {path}: it is a binary file")
        return text


def _plain(text: str) -> str:
    """The text for a model: bytes that are no text cannot be sent to one."""
    return text.encode("utf-8", "replace").decode("utf-8")


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
