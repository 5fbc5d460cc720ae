"""What a diff does to one file of a tree, in texts: what was read, what is to be there instead.

FileChange("src/a.py", before="x = 1\n", after="x = 2\n")                              changed
FileChange("src/b.py", before=None, after="")                                          made
FileChange("src/c.py", before="x = 1\n", after=None)                                   removed
FileChange("src/d.py", before="x = 1\n", after="x = 2\n", moved_to="src/e.py")         moved, and changed on the way
FileChange("run.sh", before="ls\n", after="ls\n", mode=0o755)                          may be executed from now on
FileChange("src/f.py", None, "x = 3\n", copied_from="src/a.py")                        made of another, which stays
"""

from __future__ import annotations

from attrs import field, frozen
from attrs.validators import instance_of, optional


@frozen
class FileChange:
    """Paths are relative to the root of the tree, with `/` between their names."""

    path: str = field(validator=instance_of(str))
    #: The text that the change was worked out for; None if there was no file, or another change moves it away.
    before: str | None = field(validator=optional(instance_of(str)))
    #: The text that the file gets; None if it is removed.
    after: str | None = field(validator=optional(instance_of(str)))
    moved_to: str | None = field(default=None, validator=optional(instance_of(str)))
    #: 0o644 or 0o755, if the diff says so.
    mode: int | None = None
    #: The file of the tree of which it is a copy, changed or not: it is written in the encoding of that one.
    copied_from: str | None = None
