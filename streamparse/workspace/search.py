"""The search of `search_files` where there is no ripgrep: a process of its own, since a pattern may take for ever.

It reads `{"pattern": …, "ignore_case": …, "files": […]}` and writes `path:line:text` for each line that matches.
"""

from __future__ import annotations

import json
import os
import re
import sys

_LONGEST_LINE = 400
_LARGEST = 5_000_000


def main() -> int:
    """Search; 0 if something was found, 1 if not, 2 if the pattern is none."""
    asked = json.load(sys.stdin)
    try:
        pattern = re.compile(asked["pattern"], re.IGNORECASE if asked["ignore_case"] else 0)
    except re.error as error:
        print(f"not a regular expression: {error}")
        return 2
    is_found = False
    for path in asked["files"]:
        for number, line in enumerate(_lines(path), 1):
            if pattern.search(line):
                is_found = True
                sys.stdout.write(f"{path}:{number}:{line[:_LONGEST_LINE]}\n")
    return 0 if is_found else 1


def _lines(path: str) -> list[str]:
    """The lines of a text; none of what is binary, too large, or no regular file any more."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError:
        return []
    return [] if b"\0" in data or len(data) > _LARGEST else data.decode("utf-8", "replace").splitlines()


if __name__ == "__main__":
    sys.exit(main())
