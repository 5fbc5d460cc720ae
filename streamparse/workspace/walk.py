"""Walking through the folders under a root: no symbolic link is followed, and what `.gitignore` names is left out.

    for entry in walk(root, "src"):
        entry.path          "src/a.py", or "src/lib/" for a folder, which comes before what is in it

A path that is named counts even if it is ignored. What cannot be opened, or goes away meanwhile, is passed over; so is
`.git`.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from streamparse import deferred
from streamparse.directory.folder import Folder
from streamparse.directory.paths import is_reserved
from streamparse.errors import MissingExtraError, TreeError
from streamparse.presenter.printable import printable
from streamparse.presenter.tool import ToolError
from streamparse.workspace.root import Root

if TYPE_CHECKING:
    from streamparse.workspace.ignored import Ignored

#: Folders within folders that are opened.
DEEPEST = 100
#: A larger `.gitignore` is nobody's.
_LARGEST_RULES = 1_000_000


@frozen
class Entry:
    """One thing in a folder."""

    path: str
    is_folder: bool
    is_file: bool
    size: int


def no_rules() -> Ignored:
    """Nothing is left out. Raises MissingExtraError if there is nothing that could read a `.gitignore`."""
    try:
        rules: Ignored = deferred.load("streamparse.workspace.ignored", "Ignored")()
    except ModuleNotFoundError as error:
        raise MissingExtraError("agent", "pathspec") from error
    return rules


def walk(
    root: Root, path: str = "", *, is_recursive: bool = True, goes_on: Callable[[], bool] = lambda: True
) -> Iterator[Entry]:
    """What is below the path, sorted, or the file itself; nothing more when `goes_on` says no. Raises ToolError."""
    with root.telling():
        names = root.names(path)
        status = root.status(names) if names else None
        if names and status is None:
            raise ToolError(f"There is no {printable(path)}.")
        if status is not None and not stat.S_ISDIR(status.st_mode):
            yield Entry("/".join(names), False, stat.S_ISREG(status.st_mode), status.st_size)
            return
        with root.open() as top:
            rules = _rules_on_the_way(top, names)
            with top.below(names) as folder:
                yield from _walk(folder, "".join(f"{name}/" for name in names), rules, DEEPEST * is_recursive, goes_on)


def _walk(folder: Folder, prefix: str, rules: Ignored, depth: int, goes_on: Callable[[], bool]) -> Iterator[Entry]:
    rules = _with_rules_of(folder, prefix, rules)
    for name in sorted(folder.names()):
        if not goes_on():
            return
        status = folder.status(name)
        if status is None or is_reserved(name):
            continue
        is_folder = stat.S_ISDIR(status.st_mode)
        path = f"{prefix}{name}{'/' if is_folder else ''}"
        if rules.covers(path):
            continue
        yield Entry(path, is_folder, stat.S_ISREG(status.st_mode), status.st_size)
        if is_folder and depth:
            try:
                inner = folder.folder(name)
            except (OSError, TreeError):
                continue
            with inner:
                yield from _walk(inner, path, rules, depth - 1, goes_on)


def _rules_on_the_way(top: Folder, names: list[str]) -> Ignored:
    """The rules of the folders above the one that is named; none of those that would leave it out itself."""
    rules, prefix = no_rules(), ""
    for depth, name in enumerate(names):
        with top.below(names[:depth]) as folder:
            rules = _with_rules_of(folder, prefix, rules)
        prefix += f"{name}/"
        if rules.covers(prefix):
            rules = no_rules()
    return rules


def _with_rules_of(folder: Folder, prefix: str, rules: Ignored) -> Ignored:
    try:
        status = folder.status(".gitignore")
        if status is None or status.st_size > _LARGEST_RULES:
            return rules
        data, _ = folder.read(".gitignore")
    except (OSError, TreeError):
        return rules
    return rules.within(prefix, data.decode("utf-8", "replace"))
