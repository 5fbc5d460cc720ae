"""The search of `search.py` where there is no ripgrep: a process of its own, since a pattern may take for ever.

It reads `{"pattern": …, "ignore_case": …, "files": […], "most": 201}` and writes a path, a NUL, the number of a line, a
colon and a line feed for each line that matches. It stands by itself: nothing of this package is imported.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
from typing import IO

#: What was a file may have become something that has no end.
_LARGEST = 10_000_000


def main(source: IO[str], target: IO[str]) -> int:
    """Search; 0 if something was found, 1 if not, 2 if the pattern is none."""
    asked = json.load(source)
    try:
        pattern = re.compile(asked["pattern"], re.IGNORECASE if asked["ignore_case"] else 0)
    except re.error as error:
        target.write(f"not a regular expression: {error}\n")
        return 2
    found = 0
    for path in asked["files"]:
        for number, line in enumerate(_lines(path), 1):
            if pattern.search(line):
                found += 1
                target.write(f"{path}\0{number}:\n")
                if found == asked["most"]:
                    return 0
    return 0 if found else 1


def _lines(path: str) -> list[str]:
    """The lines of a file; none of what is no regular file any more."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            data = file.read(_LARGEST)
    except OSError:
        return []
    codec = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    *lines, last = data.decode(codec, "replace").split("\n")
    return [line.removesuffix("\r") for line in (*lines, *([last] if last else ()))]


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.exit(main(sys.stdin, sys.stdout))
