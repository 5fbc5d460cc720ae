"""list_files and search_files: what is under a root, without what `.gitignore` names.

    Listing(root).tools()

No symbolic link is followed, and no path leads out of the root. ripgrep searches where it is installed; else a process
of Python does, which can be ended if the pattern takes it too long.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pathspec

from streamparse.directory.folder import Folder
from streamparse.directory.paths import is_reserved, names_of
from streamparse.errors import TreeError
from streamparse.presenter.tool import Tool, ToolError
from streamparse.workspace.process import run_process

#: How many paths, and how many lines, are given at most.
MOST_PATHS = 1_000
MOST_MATCHES = 200
_LONGEST_LINE = 400
_SECONDS = 20.0


class Listing:
    """What is under `root`, as tools."""

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._root = Path(root).resolve()

    def tools(self) -> list[Tool]:
        """The two tools."""
        return [Tool.of(self.list_files, is_read_only=True), Tool.of(self.search_files, is_read_only=True)]

    def list_files(self, path: str = "", recursive: bool = True) -> str:
        """List the files in a folder; folders end with a slash. What .gitignore names is left out."""
        found: list[str] = []
        for name in self._walk(path, is_recursive=recursive):
            if len(found) == MOST_PATHS:
                found.append(f"[more than {MOST_PATHS}: name a folder]")
                break
            found.append(name)
        return "\n".join(found) or "[the folder is empty]"

    async def search_files(self, pattern: str, path: str = "", ignore_case: bool = False) -> str:
        """Search files for a regular expression. Each line that matches comes as path:line:text."""
        self._check(path)
        rg = shutil.which("rg")
        if rg is not None:
            command = [
                rg, "--no-config", "--line-number", "--no-heading", "--with-filename", "--color=never", "--sort=path",
                "--hidden", "--glob=!.git", "--no-require-git", f"--max-columns={_LONGEST_LINE}",
                "--max-columns-preview", *(["--ignore-case"] if ignore_case else []), "-e", pattern, "--", path or ".",
            ]  # fmt: skip
            asked = b""
        else:
            command = [sys.executable, "-I", str(Path(__file__).with_name("search.py"))]
            files = [name for name in self._walk(path) if not name.endswith("/")]
            asked = json.dumps({"pattern": pattern, "ignore_case": ignore_case, "files": files}).encode()
        done = await run_process(command, cwd=self._root, timeout=_SECONDS, limit=1_000_000, stdin=asked)
        if done.is_late:
            raise ToolError(f"The search took longer than {_SECONDS:g} seconds: name a folder, or a simpler pattern.")
        if done.code not in (0, 1):
            raise ToolError(f"The search failed: {done.output.strip()}")
        lines = [line.removeprefix("./") for line in done.output.splitlines()]
        more = [f"[more than {MOST_MATCHES} lines match]"] if len(lines) > MOST_MATCHES else []
        return "\n".join([*lines[:MOST_MATCHES], *more]) or "[nothing matches]"

    def _check(self, path: str) -> list[str]:
        """The names that lead to a folder or a file of the root."""
        if path in ("", ".", "./"):
            return []
        try:
            names = names_of(path.rstrip("/"))
            with Folder.at(str(self._root)) as root:
                status = root.find(names)
        except (TreeError, OSError) as error:
            raise ToolError(str(error)) from error
        if status is None:
            raise ToolError(f"There is no {path}.")
        if stat.S_ISLNK(status.st_mode):
            raise ToolError(f"{path} is a symbolic link, and no path leads through one.")
        return names

    def _walk(self, path: str, *, is_recursive: bool = True) -> Iterator[str]:
        """The paths below, sorted; a folder before what is in it."""
        names = self._check(path)
        ignored: list[tuple[str, pathspec.GitIgnoreSpec]] = []
        try:
            with Folder.at(str(self._root)) as root:
                prefix = ""
                for depth in range(len(names)):
                    with root.below(names[:depth]) as folder:
                        ignored += _ignored_in(folder, prefix)
                    prefix += f"{names[depth]}/"
                with root.below(names) as folder:
                    yield from _walk(folder, prefix, ignored, is_recursive=is_recursive)
        except NotADirectoryError:
            yield "/".join(names)
        except (TreeError, OSError) as error:
            raise ToolError(str(error)) from error


def _walk(
    folder: Folder, prefix: str, ignored: list[tuple[str, pathspec.GitIgnoreSpec]], *, is_recursive: bool
) -> Iterator[str]:
    ignored = [*ignored, *_ignored_in(folder, prefix)]
    for name in sorted(folder.names()):
        status = folder.status(name)
        if status is None or is_reserved(name):
            continue
        is_folder = stat.S_ISDIR(status.st_mode)
        path = f"{prefix}{name}{'/' if is_folder else ''}"
        if _is_ignored(path, ignored):
            continue
        yield path
        if is_folder and is_recursive:
            with folder.folder(name) as inner:
                yield from _walk(inner, path, ignored, is_recursive=True)


def _ignored_in(folder: Folder, prefix: str) -> list[tuple[str, pathspec.GitIgnoreSpec]]:
    try:
        data, _ = folder.read(".gitignore")
    except (OSError, TreeError):
        return []
    return [(prefix, pathspec.GitIgnoreSpec.from_lines(data.decode("utf-8", "replace").splitlines()))]


def _is_ignored(path: str, ignored: list[tuple[str, pathspec.GitIgnoreSpec]]) -> bool:
    """What the innermost `.gitignore` says that says something about the path."""
    for prefix, spec in reversed(ignored):
        said = spec.check_file(path[len(prefix) :]).include
        if said is not None:
            return said
    return False
