"""list_files and search_files: what is under a root, without what `.gitignore` names.

    Listing(root).tools()

`walk.py` finds the files, and `search.py` the lines that match. Of these it only knows the numbers: the lines are read
here, by descriptors of folders, so that nothing is shown that lies outside of the root.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby

from streamparse.directory.encoding import decode
from streamparse.errors import TreeError
from streamparse.presenter.printable import printable
from streamparse.presenter.tool import Tool
from streamparse.workspace.root import Root
from streamparse.workspace.search import MOST_MATCHES, Place, Search
from streamparse.workspace.walk import Entry, no_rules, walk
from streamparse.workspace.watch import Watch

#: How many paths are given at most, and how many characters of a line.
MOST_PATHS = 1_000
LONGEST_LINE = 400
#: Files with more bytes are not searched.
LARGEST = 5_000_000
#: How long it may take, in seconds.
SECONDS = 20.0


class Listing:
    """What is under `root`, as tools. Raises MissingExtraError without the extra `agent`."""

    def __init__(self, root: str | os.PathLike[str], *, seconds: float = SECONDS) -> None:
        no_rules()
        self._root = Root(root)
        self._seconds = seconds

    def tools(self) -> list[Tool]:
        """The two tools."""
        return [Tool.of(self.list_files, is_read_only=True), Tool.of(self.search_files, is_read_only=True)]

    async def list_files(self, path: str = "", recursive: bool = True) -> str:
        """List the files in a folder; folders end with a slash. What .gitignore names is left out."""
        watch = Watch(self._seconds)
        found = await watch.in_thread(lambda: self._list(path, recursive, watch))
        more = [f"[more than {MOST_PATHS}: name a folder]"] if len(found) > MOST_PATHS else []
        late = [f"[after {self._seconds:g} seconds not all was found: name a folder]"] if not watch.seconds_left else []
        return "\n".join([*found[:MOST_PATHS], *more, *late]) or "[the folder is empty]"

    def _list(self, path: str, is_recursive: bool, watch: Watch) -> list[str]:
        found: list[str] = []
        for entry in walk(self._root, path, is_recursive=is_recursive, goes_on=watch.goes_on):
            found.append(printable(entry.path))
            if len(found) > MOST_PATHS:
                break
        return found

    async def search_files(self, pattern: str, path: str = "", ignore_case: bool = False) -> str:
        """Search text files for a regular expression. Each line that matches comes as path:line:text."""
        watch = Watch(self._seconds)
        entries = await watch.in_thread(lambda: self._files(path, watch))
        files = [entry.path for entry in entries if entry.size <= LARGEST]
        found = await Search(self._root.path, pattern, ignore_case=ignore_case, watch=watch).run(files)
        lines = await watch.in_thread(lambda: list(self._lines(found[: MOST_MATCHES + 1])))
        notes: list[str] = []
        if len(found) > MOST_MATCHES:
            notes.append(f"[more than {MOST_MATCHES} lines match]")
        if len(files) < len(entries):
            notes.append(f"[{len(entries) - len(files)} files of more than {LARGEST} bytes were not searched]")
        return "\n".join([*lines[:MOST_MATCHES], *notes]) or "[nothing matches]"

    def _files(self, path: str, watch: Watch) -> list[Entry]:
        """All files that are to be searched. A path that is no text could not be told to a model."""
        return [
            entry
            for entry in walk(self._root, path, goes_on=watch.goes_on)
            if entry.is_file and not any("\ud800" <= character <= "\udfff" for character in entry.path)
        ]

    def _lines(self, found: list[Place]) -> Iterator[str]:
        """The lines that were found, as long as they can be read."""
        with self._root.open() as root:
            for path, places in groupby(found, key=lambda place: place[0]):
                *parents, name = path.split("/")
                try:
                    with root.below(parents) as folder:
                        lines = decode(folder.read(name)[0])[0].split("\n")
                except (OSError, TreeError):
                    continue
                if not any("\0" in line for line in lines):
                    for _, number in places:
                        if number <= len(lines):
                            yield f"{printable(path)}:{number}:{_told(lines[number - 1])}"


def _told(line: str) -> str:
    """A line of a file in one line, whatever some readers take for the end of one; not all of a very long one."""
    line = line.removesuffix("\r")
    cut = f"{line[:LONGEST_LINE]}…" if len(line) > LONGEST_LINE else line
    return "\t".join(map(printable, cut.split("\t")))
