"""Section: the part of a patch that is about one file, as far as its header has said what becomes of that.

diff --git a/a.py b/b.py        is_git, with both names
similarity index 90%            is_similar: hunks must follow
rename from a.py                old_path
rename to b.py                  new_path, moved_to
--- a/a.py                      is_headed
+++ b/b.py                      is_named
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from streamparse.diff.header_names import NOWHERE, PREFIXES, is_unreadable, path_in


@define
class Section:
    """The part of a patch that is about one file."""

    old_path: str = ""
    new_path: str = ""
    is_new: bool = False
    is_deleted: bool = False
    #: Whether the new file is made of the old one, which stays.
    is_copy: bool = False
    #: Where the file goes, if the patch says that it is moved: two names alone may be those of two versions.
    moved_to: str = ""
    has_hunks: bool = False
    is_git: bool = False
    #: What names begin with: without these, git writes the same name twice.
    prefixes: Sequence[str] = PREFIXES
    #: Whether its new name is in quotes, with every backslash doubled: one that is left is part of the name.
    is_quoted: bool = False
    #: Both names, as the line with `diff --git` has them.
    names: str = ""
    is_directed: bool = False
    #: Whether a line with `---` has named the old file.
    is_headed: bool = False
    #: Whether hunks must follow: both names are there, so that the next `---` is about another file, or a part of the
    #: file is changed while it is moved.
    is_named: bool = False
    is_similar: bool = False
    #: 0o644 or 0o755, if the patch says so.
    mode: int | None = None
    #: Whether it is about a symbolic link or a submodule.
    is_link: bool = False
    #: Which of several patches in one text it belongs to.
    patch: int = 0
    #: Whether its header says that the lines of the file become others, by git's names for the two texts.
    is_altered: bool = False
    #: Whether it says that the file is binary: what becomes of it cannot be told in lines.
    is_binary: bool = False
    #: Whether a new file may be empty: the header names the text, or the patch says where it ends.
    may_be_empty: bool = False
    #: A line of its header whose name is missing, or cannot be read.
    bad_line: str = ""
    #: Whether the text ends within its header, as far as that has come.
    ends_text: bool = False
    #: Whether the text ends with `*** Delete File:` or `*** Move to:` and a name, without a line break.
    ends_in_name: bool = False
    #: A line of a new file before all those with a `+`, which has lost its own: there is no context.
    unmarked: str = ""

    def read_old_name(self, line: str) -> None:
        """`--- a/x`."""
        if not self.is_renamed:
            self.old_path = path_in(line[4:], self.prefixes)
        self.is_new = self.is_new or self.old_path == NOWHERE
        self.is_headed = True

    def read_new_name(self, line: str) -> None:
        """`+++ b/x`."""
        if not self.is_renamed:
            self.new_path = path_in(line[4:], self.prefixes)
            self.is_quoted = line.startswith('+++ "')
        self.is_deleted = self.is_deleted or self.new_path == NOWHERE
        self.is_named = True

    def has_new_name(self, line: str) -> bool:
        """Whether `+++ y` is that; behind `*** Add File: x` alone it is the line `++ y`, unless it is `b/x`."""
        is_prefixed = line[4:] != self.new_path and path_in(line[4:]) == self.new_path
        return self.is_headed or not self.is_directed or is_prefixed

    def check_name(self, line: str) -> None:
        """The line is one of its header, and names a file."""
        if is_unreadable(line):
            self.bad_line = self.bad_line or line

    @property
    def is_renamed(self) -> bool:
        """Whether the lines about that have said both names, without any prefix."""
        return bool(self.moved_to) or self.is_copy

    @property
    def is_changed(self) -> bool:
        """Whether git's header says that lines of the file are changed: by two texts, or by two names for one file."""
        is_unexplained = self.is_git and self.old_path != self.new_path and not self.is_renamed
        return self.is_similar or self.is_altered or is_unexplained

    @property
    def path(self) -> str:
        """The name of the file: the new one, unless it is removed; empty if it is not there yet."""
        path = self.old_path if self.new_path in ("", NOWHERE) else self.new_path
        return "" if path == NOWHERE else path
