"""An old text of `str_replace` that is in the file to the letter, where whole lines may be meant.

    old  "'a',\\n"         in the file  "    'a',\\n"       new  ""          it begins within the indentation
    old  "    'a',\\n"     in the file  "    'a',\\n"       new  "    'b',"  only the old one has the break at its end

Tools and models trim texts, and think in lines: to the letter, the next line would be deeper, or in the same line.
What is said here is what the two texts show; how the same lines are as a block is for `str_replace.py` to find out.
"""

from __future__ import annotations

from itertools import takewhile

from attrs import frozen

from streamparse.diff.indent import indent_of
from streamparse.diff.lines import BLANKS, bodies_of, ending_of, filled_of, is_blank, split_lines


@frozen
class TextPlace:
    """A place of the old text: what is `before` it on its first line, and `behind` it on its last one."""

    before: str
    old: str
    behind: str
    #: The next line.
    following: str
    #: What ends lines of the file.
    newline: str

    @property
    def begins_in_indentation(self) -> bool:
        """Whether some of the blanks before its first line are part of it, and some are not."""
        return bool(self.before) and is_blank(self.before) and not is_blank(split_lines(self.old, self.newline)[0])

    @property
    def lines(self) -> list[str]:
        """The lines of the old text, the last one up to its end."""
        return split_lines(self.old + self.behind, self.newline)

    @property
    def is_shifted(self) -> bool:
        """Whether it is one line, with blanks before it, but not as many as in the file."""
        return self.begins_in_indentation and bool(indent_of(self.old)) and not self._others(self.old)

    def with_breaks(self, new: str) -> str | None:
        """The new text, and the breaks at its ends that only the old one has, if this is whole lines; None: doubt."""
        begins_line = is_blank(self.before)
        head = "" if begins_line else _first_break(self.old)
        tail = ending_of(self.old) if begins_line or head else ""
        inner = self.old[len(head) : len(self.old) - len(tail)]
        if is_blank(inner):
            return new  # it is about nothing but blanks and breaks
        if not new:
            return tail if head else new
        lacks_tail = bool(tail) and not ending_of(new)
        lacks_head = bool(head) and not _first_break(new) and (bool(tail) or is_blank(self.behind))
        whole = f"{head * lacks_head}{new}{tail * lacks_tail}"
        if whole == new:
            return new
        if whole == self.old:
            # Nothing would be new: to take the last break of the file, or a blank line, joins nothing.
            return new if not lacks_head and is_blank(self.following) else None
        is_blank_instead = (lacks_head and len(indent_of(new)) < 2) or (lacks_tail and new[-1] in BLANKS)
        if is_blank_instead and new.strip() == inner.strip():
            return new  # nothing else is new
        is_doubtful = (lacks_tail and (new[-1] in BLANKS or bool(ending_of(inner)))) or (
            lacks_head and indent_of(new) != indent_of(inner)
        )
        return None if is_doubtful else whole

    def is_literal(self, new: str) -> bool:
        """Whether the new text, where it begins within the indentation, is written to stand just there."""
        if is_blank(new):
            return not is_blank(self.behind)
        return indent_of(new) == indent_of(self.old) and self._may_be_as_deep(new)

    def is_whole(self, new: str) -> bool:
        """Whether the new text has all of the indentation, of which the old one has not, and something else is new."""
        return indent_of(new) == self._depth and self._may_be_as_deep(new) and new.split() != self.old.split()

    def shows_depths(self, new: str) -> bool:
        """Whether there is nothing behind the first new line that may have lost something, which old ones have not."""
        return not self.begins_in_indentation or not self._others(new) or bool(self._others(self.old))

    def _may_be_as_deep(self, new: str) -> bool:
        """Whether only the first line may have lost something: others would be deeper, or are so to the letter."""
        others, old_others = self._others(new), self._others(self.old)
        if not old_others:
            return all(indent_of(line).startswith(self._depth) for line in others)
        first, first_old = (bodies_of(split_lines(text, self.newline)[:1]) for text in (new, self.old))
        added, trimmed = set(others).difference(old_others), indent_of(self.old)
        if (first != first_old and set(first) <= set(old_others)) or (trimmed and trimmed in map(indent_of, added)):
            return False  # a later old line comes first, or a new one has perhaps lost as much as the first
        return not added or any(map(indent_of, others + old_others))

    @property
    def _depth(self) -> str:
        """The indentation of the first line, all of it."""
        return self.before + indent_of(self.old)

    def _others(self, text: str) -> list[str]:
        """The lines that are not blank, but for the first."""
        return filled_of(bodies_of(split_lines(text, self.newline)[1:]))


def _first_break(text: str) -> str:
    """The end of a line with which the text begins."""
    return "".join(takewhile(lambda character: character in "\r\n", text[:2]))
