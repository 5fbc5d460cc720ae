"""New lines of a block or of `str_replace` that are dressed as no old line is: with that they are no text of the file.

```js               1 | a();               a();               a();
a();                2 | c();            -  b();             =======
```                                     +  c();             c();

`dressing.py` and `numbering.py` know what old lines have around them or in front of them, and take the same off new
ones. What only new lines have is not taken off, as it may be meant: then the file has something like it already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from attrs import frozen

from streamparse.diff import block_hints
from streamparse.diff.change import Change
from streamparse.diff.dressing import FENCE, is_fence
from streamparse.diff.indent import indent_of
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import filled_of, is_blank
from streamparse.diff.numbering import numberings
from streamparse.diff.result import Failure

#: What files are called that have fences, lists and signs of a patch in them.
_MARKUP = re.compile(r"readme|.*\.(?:md|markdown|mdx|mdc|qmd|rmd|adoc|rst|txt|diff|patch)")
#: What the names of files end with that have numbers at the beginning of their lines.
_NUMBERED = (".csv", ".tsv", ".yaml", ".yml", ".md")
#: What lines are like that a fence of that sign begins or ends with: a line of `~` may be under a title.
_FENCES = {sign: re.compile(rf"[ \t]*{sign}{{3,}}[^`\n]*") for sign in "`~"}
#: A line under a title, or a separator.
_EQUALS = re.compile(r"[ \t]*={3,}[ \t]*")
#: What lines begin with that are looked at here.
_BEGINNING = re.compile(r"^[ \t]*(?:`{3}|~{3}|={3}|\+|\d)", re.MULTILINE)
#: A line of a diff that is added.
_ADDED = re.compile(r"\+.*")


@frozen
class NewLines:
    """New lines and the old ones in whose place they come, as they are written, without their endings."""

    old: Sequence[str]
    new: Sequence[str]
    #: The numbers of the lines of that place, from 1, and of the one behind it.
    numbers: range
    #: The name of the file, in small letters; "" if it is not known.
    name: str
    #: Whether something may be around the lines that is none of the text, as in a reply, but hardly in an argument.
    may_be_wrapped: bool
    index: FileIndex

    @property
    def may_be_dressed(self) -> bool:
        """Whether a line begins as such lines do: of most new lines none does, which takes no time to see."""
        return _BEGINNING.search("\n".join(self.new)) is not None

    def hint(self) -> Callable[[Change], Failure] | None:
        """What is to be said if they are dressed; None if they are not."""
        if self.may_be_wrapped and not self._is_markup:
            fence = fence_around(self.new)
            if fence and not self.index.has_line_like(_FENCES[fence], self.old):
                return block_hints.new_fence
            if self._is_diff():
                return block_hints.new_signs
        return block_hints.new_numbers if self._is_numbered() else None

    def second_separator(self, separators: Sequence[int]) -> str | None:
        """One of these new lines, which look like separators, that is no text, either: it belongs to no title."""
        strange = [self.new[at] for at in separators if not self._is_of_title(at, separators)]
        return strange[0].strip() if strange and not self.index.has_line_like(_EQUALS, self.old) else None

    def _is_of_title(self, at: int, separators: Sequence[int]) -> bool:
        """Whether the line is under a title, which is of its length outside of markup, or over one that is in two."""
        above = self.new[at - 1] if at else ""
        if not self._is_markup:
            return _is_underline(above, self.new[at])
        return not is_blank(above) or (at + 2 in separators and not is_blank(self.new[at + 1]))

    @property
    def _is_markup(self) -> bool:
        return _MARKUP.fullmatch(self.name) is not None

    def _is_diff(self) -> bool:
        """Whether every line has the sign of a diff: those that stay are old lines behind it."""
        new = filled_of(self.new)
        if not any(line[0] == "+" for line in new) or not all(line[0] in "+- " for line in new):
            return False
        has_context = any(line[0] == " " for line in new)
        if has_context and not all(line[0] == "+" or line[1:] in self.old for line in new):
            return False
        return not self.index.has_line_like(_ADDED, self.old)

    def _is_numbered(self) -> bool:
        """Whether every line has a number, and these are numbers of lines, from one of that place on."""
        new = filled_of(self.new)
        numbering = next(iter(numberings(new)), None)
        if numbering is None or numbering.first not in self.numbers or self.name.endswith(_NUMBERED):
            return False
        if numbering.sign in ":\t" and (not self.old or len(new) == 1 or self._has_keys(new)):
            return False  # a new file, too, may well have numbers before such a sign
        numbered = re.compile(rf"[ \t]*\d+[ \t]*{re.escape(numbering.sign)}.*")
        return not self.index.has_line_like(numbered, self.old)

    def _has_keys(self, new: Sequence[str]) -> bool:
        """Whether the first number is indented, and just as the first old line is: so is a key."""
        indent = indent_of(new[0])
        return indent != "" and [indent_of(line) for line in filled_of(self.old)[:1]] == [indent]


def fence_around(lines: Sequence[str]) -> str:
    """The sign of a fence that is around all lines, blank ones at the ends aside, or has only one end; else ""."""
    filled = filled_of(lines)
    if not any(is_fence(line) for line in (*filled[:1], *filled[-1:])):
        return ""
    opened: int | None = None
    for at, line in enumerate(filled):
        if opened is None and is_fence(line) and not (at and _is_underline(filled[at - 1], line)):
            opened = at
        elif opened is not None and _closes(filled[opened], line):
            if opened == 0 and at == len(filled) - 1:
                return line.strip()[0]
            opened = None
    return filled[opened].strip()[0] if opened is not None and opened in (0, len(filled) - 1) else ""


def _closes(first: str, line: str) -> bool:
    """Whether the line closes the fence which that one opens: it has no fewer of the same characters."""
    opening = FENCE.fullmatch(first)
    assert opening is not None
    return is_fence(line, is_closing=True) and line.strip().startswith(opening[1])


def _is_underline(title: str, line: str) -> bool:
    """Whether the line is under a title of just its length, as Markdown and reStructuredText have it."""
    return title[:1].strip() != "" and len(title) == len(line)
