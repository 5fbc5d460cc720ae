"""Search: which lines of some files match a regular expression.

    await Search(root, "def main", ignore_case=False, watch=Watch(20)).run(["a.py"])        [("a.py", 7)]

ripgrep looks for them where it is installed; else a process of Python does (`finder.py`), since a pattern may take for
ever. Both say the path and the number of each line; lines end with a line feed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from streamparse.presenter.tool import ToolError
from streamparse.workspace.process import run_process
from streamparse.workspace.program import find_program
from streamparse.workspace.watch import Watch

#: How many lines are looked for; one more says that there are more.
MOST_MATCHES = 200
#: How many characters of paths are given to one process of ripgrep, and are taken from one.
_BATCH = 200_000
_MOST_OUTPUT = 10_000_000

#: The path of a file, and the number of a line.
Place: TypeAlias = tuple[str, int]


class Search:
    """See the module."""

    def __init__(self, root: Path, pattern: str, *, ignore_case: bool, watch: Watch) -> None:
        if "\0" in pattern:
            raise ToolError("A pattern cannot have a NUL character in it.")
        self._root = root
        self._pattern, self._ignore_case = pattern, ignore_case
        self._watch = watch

    async def run(self, files: list[str]) -> list[Place]:
        """The lines that match, in the order of the files; all of them, or more than `MOST_MATCHES`."""
        rg = find_program("rg", self._root)
        found: list[Place] = []
        for batch in _batches(files, sys.maxsize if rg is None else _BATCH):
            output = await (self._with_python(batch) if rg is None else self._with_rg(rg, batch))
            asked = set(batch)  # nothing else is believed
            found += [place for place in _places(output) if place[0] in asked]
            if len(found) > MOST_MATCHES:
                break
        return found

    async def _with_rg(self, rg: str, files: list[str]) -> str:
        # `--text`: what is binary is for the reader of the lines to see; `./`: a file may be called `-`.
        return await self._run([
            rg, "--no-config", "--no-messages", "--text", "--line-number", "--no-heading", "--with-filename", "--null",
            "--color=never", "--crlf", "--max-columns=1", f"--max-count={MOST_MATCHES + 1}", "--sort=path",
            "--ignore-case" if self._ignore_case else "--case-sensitive", f"--regexp={self._pattern}", "--",
            *(f"./{file}" for file in files),
        ])  # fmt: skip

    async def _with_python(self, files: list[str]) -> str:
        asked = {"pattern": self._pattern, "ignore_case": self._ignore_case, "files": files, "most": MOST_MATCHES + 1}
        finder = Path(__file__).with_name("finder.py")
        return await self._run([sys.executable, "-I", str(finder)], json.dumps(asked).encode())

    async def _run(self, command: list[str], asked: bytes = b"") -> str:
        try:
            seconds = self._watch.seconds_left
            done = await run_process(command, cwd=self._root, timeout=seconds, limit=_MOST_OUTPUT, stdin=asked)
        except (OSError, ValueError) as error:  # a pattern that is too long, or no text
            raise ToolError("The search could not be started: the pattern is too long, or no text.") from error
        if done.is_late:
            raise ToolError("The search took too long: name a folder, or a simpler pattern.")
        if done.code not in (0, 1) and "\0" not in done.output and done.output.strip():
            raise ToolError(f"The search failed: {done.output.strip()}")
        return done.output


def _batches(files: list[str], most: int) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for file in files:
        if batch and size + len(file) > most:
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += len(file)
    if batch:
        yield batch


def _places(output: str) -> list[Place]:
    """What was found, from a path, a NUL, a number, a colon, anything and a line feed for each line that matches."""
    found: list[Place] = []
    path, *others = output.split("\0")
    for other in others:
        line, _, next_path = other.partition("\n")
        number = line.partition(":")[0]
        if number.isdecimal():
            found.append((path.removeprefix("./"), int(number)))
        path = next_path
    return found
