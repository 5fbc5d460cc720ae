"""read_file, write_file and patch_file: the files under a root, and none outside of it.

    Files(root).tools()

Files are reached as `streamparse.directory.directory` reaches them: no path leads out of the root, and none through a
symbolic link. A change is made as a whole or not at all.
"""

from __future__ import annotations

import os

from streamparse.diff import DiffStream, FileChange, TreeResult, apply_to_tree, patch_paths, split_lines
from streamparse.directory.directory import Directory
from streamparse.errors import TreeError
from streamparse.presenter.tool import Tool, ToolError

#: How many lines are read at once, if nobody says how many.
MOST_LINES = 2_000


class Files:
    """The files under `root`, as tools."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._directory = Directory(root)

    def tools(self) -> list[Tool]:
        """The three tools."""
        return [Tool.of(self.read_file, is_read_only=True), Tool.of(self.write_file), Tool.of(self.patch_file)]

    def read_file(self, path: str, start_line: int = 1, end_line: int | None = None) -> str:
        """Read a file. Each line comes with its number and a tab before it; both ends of a range are included."""
        lines = split_lines(self._text(path))
        if start_line < 1 or (end_line is not None and end_line < start_line):
            raise ToolError(f"There are no lines {start_line} to {end_line}: lines are counted from 1.")
        last = min(len(lines), start_line + MOST_LINES - 1 if end_line is None else end_line)
        numbered = "".join(f"{number}\t{lines[number - 1]}" for number in range(start_line, last + 1))
        if start_line > len(lines) > 0:
            return f"[the file has {len(lines)} lines]"
        if last < len(lines) and end_line is None:
            numbered += f"[lines {start_line} to {last} of {len(lines)}: give start_line to read on]"
        return numbered or "[the file is empty]"

    def write_file(self, path: str, content: str) -> str:
        """Write a whole file, and the folders it needs. What was in it is replaced."""
        before = self._read(path)
        if before == content:
            return f"{path} has that content already."
        self._write([FileChange(path, before, content)])
        return f"{'Created' if before is None else 'Changed'} {path}, {len(split_lines(content))} lines."

    def patch_file(self, patch: str, path: str = "") -> str:
        """Change files by SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block.

        `path` is the file, unless the patch names its files itself.
        """
        named = patch_paths(patch)
        if path and all(name == path for name in named):
            return self._patch_one(path, patch)
        try:
            result = apply_to_tree(self._directory, patch, write=True)
        except TreeError as error:
            raise ToolError(str(error)) from error
        if not result.ok:
            raise ToolError(f"Nothing was changed. {result.message}")
        return _summary(result)

    def _patch_one(self, path: str, patch: str) -> str:
        before = self._read(path)
        stream = DiffStream(before or "", path=path)
        stream.feed(patch)
        result = stream.finalize()
        if not result.ok:
            failures = " ".join(failure.message for failure in result.failures)
            raise ToolError(f"Nothing was changed in {path}. {failures or 'The patch breaks off.'}")
        after = None if result.is_deleted else result.content
        self._write([FileChange(path, before, after, moved_to=result.moved_to)])
        return f"{'Removed' if after is None else 'Changed'} {path}, {len(result.edits)} edits."

    def _text(self, path: str) -> str:
        text = self._read(path)
        if text is None:
            raise ToolError(f"There is no file {path}.")
        return text

    def _read(self, path: str) -> str | None:
        try:
            return self._directory.read(path)
        except TreeError as error:
            raise ToolError(str(error)) from error

    def _write(self, changes: list[FileChange]) -> None:
        try:
            self._directory.write(changes)
        except TreeError as error:
            raise ToolError(str(error)) from error


def _summary(result: TreeResult) -> str:
    return "\n".join(f"{file.action}: {file.path}" for file in result.files)
