"""Paths of a tree, as a model writes them: the names on the way from the root, and never out of it.

    names_of("src/./a.py")   is  ["src", "a.py"]
    names_of("../a.py")      raises TreeError, as do /etc/passwd, C:\\\\a.py, ~/a.py and .git/hooks/pre-commit

This looks at the path alone. That none of the names is a symbolic link is for `folder.py` to see, when it is opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from streamparse.errors import TreeError, shorten

#: The folder in the root that `journal.py` keeps while it writes.
JOURNAL = ".streamparse-journal"

#: What begins a path that counts from elsewhere: a drive, the address of a resource (`//` in it may be `/` by now), the
#: home of a user.
_ELSEWHERE = re.compile(r"[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*:[/\\]|~[/\\]|~\Z")
#: No path has so many names; the folders on the way are opened one by one, for each of them.
DEEPEST = 200
#: Nor has any, or a name in it, so many bytes: the system would not find the file by its path, or not at all.
_LONGEST, _LONGEST_NAME = 3_000, 255
_SEPARATORS = re.compile(r"[/\\]")
#: What the file systems of macOS leave out of names: `.g\u200cit` is `.git` there.
_IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
#: Names that no change may touch; Windows also knows the first by a short name.
_RESERVED = {".git", "git~1", JOURNAL}


def names_of(path: str) -> list[str]:
    """The names of the folders on the way, and of the file; raises TreeError for what is no path within the root."""
    check_path(path)
    reason = _objection(path)
    if reason:
        raise TreeError(f"{shorten(path) or 'an empty path'} is not in this tree: {reason}")
    return [name for name in path.split("/") if name not in ("", ".")]


def check_path(path: object) -> None:
    """Raises TypeError for what is no path of a tree."""
    if not isinstance(path, str):
        raise TypeError(f"a path in a tree must be a str with `/` between its names, not {type(path).__name__}")


def parents_of(path: str) -> Iterator[str]:
    """The folders on the way to a path without `.` and empty names, the outermost first."""
    names = path.split("/")
    return ("/".join(names[:count]) for count in range(1, len(names)))


def _objection(path: str) -> str:
    """Why the path is refused; empty if it is not."""
    if "\0" in path:
        return "it has a NUL in it"
    if path[:1] in ("/", "\\") or _ELSEWHERE.match(path):
        return "paths begin at the root of the tree"
    # A backslash is part of a name here and separates names elsewhere; what climbs nowhere climbs in neither reading.
    names = _SEPARATORS.split(path)
    if len(names) > DEEPEST:
        return f"it has more than {DEEPEST} names"
    if ".." in names:
        return "`..` may lead out of it"
    if names[-1] in ("", "."):
        return "it names a folder"
    if any(is_reserved(name) for name in names):
        return f"what is in .git and {JOURNAL} is not for edits"
    if os.sep != "/" and os.sep in path:
        return "write `/` between names"
    try:
        size, *sizes = (len(os.fsencode(name)) for name in (path, *path.split("/")))
    except UnicodeEncodeError:
        return "it cannot be the name of a file here"
    if size > _LONGEST:
        return f"it has more than {_LONGEST} bytes"
    return f"a name in it has more than {_LONGEST_NAME} bytes" if max(sizes) > _LONGEST_NAME else ""


def is_reserved(name: str) -> bool:
    """Whether some file system takes the name for a reserved one: by case, by ends of names, by streams of a file."""
    return _IGNORED.sub("", name).partition(":")[0].rstrip(" .").casefold() in _RESERVED
