"""What a writer is about to do to a tree, in a form that is kept on the disk until it is done.

    Step(old="a.py", new="b/c.py", …)    the file a.py goes, and a new file comes to b/c.py
    Plan([step], emptied=[], made=["b"])  for which the folder b is made

The manifest is JSON. It is found in a tree that anybody may have filled, so reading it checks every path in it.
"""

from __future__ import annotations

import json
import os

from attrs import field, frozen

from streamparse.diff.paths import names_of
from streamparse.errors import TreeError

#: What tells a file from any other, and from itself after a change: its inode, its size, the time of its last change.
Mark = tuple[int, int, int]


def mark_of(status: os.stat_result) -> Mark:
    """The mark of the file with that status."""
    return status.st_ino, status.st_size, status.st_mtime_ns


@frozen
class Step:
    """One file: the old one goes, a new one comes, or both."""

    old: str | None
    new: str | None
    old_mark: Mark | None
    new_mark: Mark | None

    @property
    def is_in_place(self) -> bool:
        """Whether the new file takes the place of the old one."""
        return self.old == self.new


@frozen
class Plan:
    """All that one writer does."""

    steps: list[Step]
    #: Folders that go if nothing is left in them, the innermost first, and their modes.
    emptied: list[tuple[str, int]] = field(factory=list)
    #: Folders that are made, the outermost first.
    made: list[str] = field(factory=list)

    @property
    def paths(self) -> list[str]:
        """Every path that comes or goes."""
        files = [path for step in self.steps for path in (step.old, step.new) if path is not None]
        return [*files, *self.made, *(path for path, _ in self.emptied)]

    def to_json(self) -> bytes:
        """The manifest."""
        steps = [[step.old, step.new, step.old_mark, step.new_mark] for step in self.steps]
        return json.dumps({"steps": steps, "emptied": self.emptied, "made": self.made}).encode("ascii")

    @classmethod
    def from_json(cls, data: bytes) -> Plan:
        """What `to_json` wrote; raises TreeError for anything else, and for paths out of the tree."""
        try:
            found = json.loads(data)
            steps = [Step(old, new, _mark(was), _mark(comes)) for old, new, was, comes in found["steps"]]
            emptied = [(path, int(mode)) for path, mode in found["emptied"]]
            plan = cls(steps, emptied, list(found["made"]))
            for path in plan.paths:
                names_of(path)
        except (ValueError, TypeError, KeyError) as error:
            raise TreeError("its manifest was not written by this program") from error
        return plan


def _mark(found: list[int] | None) -> Mark | None:
    if found is None:
        return None
    inode, size, time = found
    return int(inode), int(size), int(time)
