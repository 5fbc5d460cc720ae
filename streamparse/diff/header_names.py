"""The names of files as the headers of patches write them.

--- a/src/a.py␉2024-01-01 10:00        src/a.py: without a prefix, and what stands behind it
+++ "b/caf\\303\\251.py"                café.py: git quotes what is not plain, and writes the bytes
+++ /dev/null                          no file
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: A time or a revision behind a path. Blanks are looked at from the first of them alone, or many would take time with
#: the square of their number.
_TIME = re.compile(
    r"(?<![ \t])[ \t]++(?:\d{4}-\d\d-\d\d[ \tT].*|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*\d\d:.*|\((?:revision|working).*\))"
)
_ESCAPE = re.compile(r"((?:\\[0-7]{3})+)|\\(.)")
_CONTROLS = dict(zip("abtnvfr", "\a\b\t\n\v\f\r", strict=True))
_ESCAPED = {*_CONTROLS, '"', "\\"}
#: The name of no file.
NOWHERE = "/dev/null"
#: What stands before names if nothing else is asked of git.
PREFIXES = ("a/", "b/")
#: Longer than any two paths: what repeats itself in a line takes time with the square of its length.
LONGEST = 10_000


def path_in(text: str, prefixes: Sequence[str] = PREFIXES) -> str:
    """The path in a `---` or `+++` line, without its prefix and what stands behind it.

    Programs write a tab behind a name with blanks in it: then those before the tab belong to it.
    """
    name, tab, _ = text.partition("\t")
    if not tab:
        name = (_TIME.sub("", name) if len(name) <= LONGEST else name).strip()
    return without_prefix(name, prefixes)


def without_prefix(path: str, prefixes: Sequence[str]) -> str:
    """The name, which may be in quotes, without the first of these that it begins with."""
    path = unquoted(path)
    return next((path.removeprefix(prefix) for prefix in prefixes if path.startswith(prefix)), path)


def unquoted(path: str) -> str:
    """git quotes names that are not plain, and writes their bytes as `\\303\\244`."""
    return _ESCAPE.sub(_unescaped, path[1:].removesuffix('"')) if path.startswith('"') else path


def is_unreadable(name: str) -> bool:
    """Whether the name is in quotes and has an escape that git does not write: nobody knows which file that is."""
    return '"' in name and any(match[2] and match[2] not in _ESCAPED for match in _ESCAPE.finditer(name))


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return _CONTROLS.get(match[2], match[2])
    return bytes(int(code, 8) & 255 for code in match[1].split("\\")[1:]).decode("utf-8", "surrogateescape")
