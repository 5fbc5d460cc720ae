"""Whether two paths name the same file, as far as paths tell.

src/a.py    a.py            perhaps: one is the end of the other, name by name
src/a.py    ./src\\a.py      certainly
src/a.py    lib/a.py        no
"""

from __future__ import annotations

import os


def checked_path(path: str | os.PathLike[str] | None) -> str | None:
    """The path as text; raises ValueError for one that names nothing, TypeError for bytes and the like."""
    text = None if path is None else os.fspath(path)
    if not isinstance(text, str | None):
        raise TypeError(f"path must be a str or a path object, not {type(text).__name__}")
    if text == "":
        raise ValueError("path must name a file, or be None for a patch about one file")
    return text


def same_path(one: str, other: str) -> bool:
    """Whether both may name the same file: one is the end of the other."""
    return likeness(one, other) > 0


def is_path_of(path: str, name: str) -> bool:
    """Whether `path` ends with all of `name`."""
    names = names_in(name)
    return bool(names) and names_in(path)[-len(names) :] == names


def likeness(one: str, other: str) -> int:
    """How well two paths name the same file: by how many names they end alike, and most if that is all of both."""
    names, others = names_in(one), names_in(other)
    size = min(len(names), len(others))
    return 2 * size + (len(names) == len(others)) if size and names[-size:] == others[-size:] else 0


def names_in(path: str) -> list[str]:
    """The names of the folders on the way, and of the file."""
    return [name for name in path.replace("\\", "/").split("/") if name not in ("", ".")]


def plain_path(name: str) -> str:
    """The path without `./` and `//` in it; one that ends with `/` still does, as no file is meant by it."""
    first, *names = name.split("/")
    end = "/" if names and not names[-1] else ""
    return "/".join([first, *(one for one in names if one not in ("", "."))]).removeprefix("./") + end


def path_of_new(name: str) -> str:
    """The same with `/` for backslashes, which stand between names where they are in no name that is there."""
    return plain_path(name.replace("\\", "/"))
