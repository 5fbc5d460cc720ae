"""The lines of a patch, as models write them, become hunks.

    diff --git a/a.py b/a.py            *** Begin Patch
    --- a/a.py                          *** Update File: a.py
    +++ b/a.py                          @@ def f():
    @@ -1,2 +1,2 @@                      context
     context                            -old
    -old                                +new
    +new                                *** End Patch

`--- /dev/null` and `*** Add File:` make a file, `+++ /dev/null` and `*** Delete File:` remove one. Counts may be
wrong, and file headers, numbers and `@@` may be missing: text of nothing but context, `-` and `+` lines is a hunk, too.
What belongs to neither a header nor a hunk is ignored: prose, fences, and what stands in mails around their patches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from streamparse.diff.bare_hunk import BareHunk
from streamparse.diff.dressing import is_fence
from streamparse.diff.git_header import GIT, git_section, read_git_header
from streamparse.diff.header_names import path_in
from streamparse.diff.hunk import Hunk
from streamparse.diff.hunk_header import GluedHeading
from streamparse.diff.hunk_lines import Line
from streamparse.diff.hunk_prose import is_program, may_sign
from streamparse.diff.lines import LineFeed, body_of, is_blank
from streamparse.diff.margin import Margin
from streamparse.diff.markers import Kind, classify
from streamparse.diff.patch_ending import Ending, announces_more, begins_file, is_header_line
from streamparse.diff.patch_line import BINARY, COMMIT, DIRECTIVE, HUNK, NO_NEWLINE, begins_patch
from streamparse.diff.section import Section

#: Words that make a file or remove it, in front of `File:`. All others change it.
_ADD, _DELETE = ("add", "create", "new"), ("delete", "remove")
#: What begins the lines of a header with a name in quotes, but for the first of git's.
_NAMING = ('--- "', '+++ "', 'rename from "', 'rename to "', 'copy from "', 'copy to "')


class PatchReader:
    """Calls `on_section` for every file, `on_hunk` when a hunk begins, and `on_hunk_end` when it is complete."""

    def __init__(
        self,
        on_section: Callable[[Section], None],
        on_hunk: Callable[[Hunk], None],
        on_hunk_end: Callable[[Hunk], None],
    ) -> None:
        self._on_section = on_section
        self._on_hunk = on_hunk
        self._on_hunk_end = on_hunk_end
        self._section: Section | None = None
        self._is_reported = False
        self._has_prose = False  # behind the header of the section
        self.hunk: Hunk | None = None
        self._number = 0  # of the last hunk
        self._patch = 0  # of several in one text
        self._endings: Counter[str] = Counter()  # of the lines of all hunks so far
        self._held: list[str] = []
        self._glued = GluedHeading()
        self._is_glued = False  # whether headings of the section have no blank behind `@@`
        self._bare = BareHunk()
        self._margin = Margin()
        #: Whether a SEARCH/REPLACE block begins somewhere: then not all of the text is a patch.
        self.has_blocks = False
        self._is_in_block = False  # one that ends a hunk
        #: Whether some lines of a patch that is indented as a whole are not.
        self.is_uneven = False
        self._is_in_letter = False  # the text of a mail, which has its patch behind it
        #: Whether `*** Begin Patch` has come, and `*** End Patch` has not.
        self.is_enveloped = False

    def add(self, line: str) -> None:
        """The next line, with its ending."""
        if self._is_in_block or _begins_block(line, self.hunk):
            self.has_blocks = True
            if self._skips_block(line):
                return
        margin = self._margin
        if self.hunk is not None and not margin.is_used:
            self._add(line)
            return
        if margin.ends_before(line):
            self._leave_margin(line)
        if margin.is_idle and not self._may_have_margin(line):
            self.is_uneven = self.is_uneven or (margin.is_used and begins_patch(body_of(line)))
            self._add(line)
            return
        lines = margin.add(line)
        if margin.blanks and self.hunk is None:
            self._bare.drop()  # what is before it is prose
        for one in lines:
            self._add(one)

    def _skips_block(self, line: str) -> bool:
        """Whether the line is one of a block behind a hunk, up to its end marker: nothing of that is in the hunk."""
        if self.hunk is None and not self._is_in_block:
            return False
        self._release()
        self.end_hunk()
        self._is_in_block = classify(body_of(line)).kind is not Kind.END
        return True

    def _may_have_margin(self, line: str) -> bool:
        """Whether a patch that is indented as a whole may begin with this line: no other one has begun before."""
        if line[0] not in " \t" or self.hunk is not None or self._is_in_letter:
            return False
        return not self._bare.has_changes and (self._section is None or self._margin.is_used)

    def _leave_margin(self, line: str) -> None:
        """The first line that is not indented as a patch is: it is behind that patch, or has lost its blanks."""
        hunk = self.hunk
        self.is_uneven = self.is_uneven or (hunk is not None and not hunk.is_full and line[0] in " \t+-@*\\")
        self.end_hunk()

    def _add(self, line: str) -> None:
        body, held = body_of(line), self._held
        if self._waits_behind_heading(body):
            held.append(line)
        elif held := self._held:
            held.append(line)
            if held[0].startswith("+++ "):
                # The name of `*** Add File: x` once more, if a hunk follows, or else the line `++ x`.
                assert self._section is not None
                self._section.is_headed = self._begins_hunk(body)
                self._release()
            elif not held[0].startswith("--- "):
                self._decide_signature()
            elif len(held) == 2 and not body.startswith("+++ "):
                self._release()
            elif len(held) == 3:
                self._decide()
        elif self._may_be_header(body):
            held.append(line)
        else:
            self._read(line, body)

    def _waits_behind_heading(self, body: str) -> bool:
        """Whether that line or one that is held is `@@def f():`, and the next one shows if a hunk begins so."""
        if self.hunk is not None or self._is_in_letter:
            return False
        is_held = bool(self._held) and self._held[0].startswith("@@")
        is_shown = self._glued.is_shown_by(body)
        waits = self._glued.is_open and (is_held or body.startswith("@@")) and not self._begins_hunk(body)
        if is_held and not waits:
            self._is_glued = is_shown
            self._release()
            self._is_glued = is_shown and not body.startswith("@@")
        return waits

    def next_number(self) -> int:
        """The number of the next hunk, or of what is said of the patch as if it were one."""
        self._number += 1
        return self._number

    def close(self, rest: str, *, is_complete: bool, accepts_truncated: bool) -> tuple[str, Ending]:
        """There is no more but `rest`, a line without its ending or nothing; `finish` comes next.

        Returns that line without the blanks before all lines of the patch, and how the text ends.
        """
        shown = self._margin.without_blanks(rest) if self._margin.blanks else rest
        announces = not is_complete and announces_more(shown, self.hunk)
        ending = Ending(is_complete, accepts_truncated, announces)
        if rest and not ending.announces:
            self.add(rest)
        self.flush()
        return shown, ending

    def flush(self) -> None:
        """There are no more lines: those that wait for the next one are read, and so is a header without hunks."""
        for line in self._margin.finish():
            self._add(line)
        bodies = [body_of(line) for line in self._held]
        if self.hunk is not None and bodies and begins_file(bodies, self.hunk):
            self.end_hunk()
        self._release()
        if self._section is not None and not self._is_reported:
            self._section.ends_text = not self._has_prose
            self._report_section()

    def finish(self) -> None:
        """There are no more lines, and all of them are read: the last hunk is complete."""
        self.flush()
        self._read_bare()
        if self.is_enveloped and self.hunk is not None and self.hunk.drop_end_of_patch():
            self.is_enveloped = False
        self.end_hunk()

    def _may_be_header(self, body: str) -> bool:
        """Whether the next line shows what it is.

        That is `---` in a hunk, `-- ` behind one, or `+++ x` right behind `*** Add File: x`.
        """
        if self.hunk is not None:
            may_end = self.hunk.left == (0, 0) and may_sign(body)
            return may_end or (not self.is_enveloped and body.startswith("--- "))
        section = self._section
        if section is None or not section.is_directed or section.is_headed or self._is_reported:
            return False
        return body == f"+++ {section.new_path}"

    def _decide_signature(self) -> None:
        """`-- ` behind all lines of a hunk ends a mail if a program has signed it, or else it is to be removed."""
        (first, second), self._held = self._held, []
        if is_program(body_of(second)):
            self._end_patch()
        self._read(first, body_of(first))
        self._add(second)

    def _end_patch(self) -> None:
        """What comes is another of several patches, or the text before it."""
        self.end_hunk()
        self._end_section()
        self._patch += 1

    def _release(self) -> None:
        """Reads the lines that have waited for the next one."""
        held, self._held = self._held, []
        for line in held:
            self._read(line, body_of(line))

    def _decide(self) -> None:
        """`--- x`, `+++ y` and a third line: a header, unless exactly these two are missing in the hunk."""
        hunk = self.hunk
        names = [path_in(line[4:]) for line in self._held[:2]]
        is_certain = names[0] == names[1] and self._held[0].startswith("--- a/")
        if HUNK.fullmatch(body_of(self._held[2])) and (hunk is None or hunk.left != (1, 1) or is_certain):
            self.end_hunk()
        self._release()

    def _read(self, line: str, body: str) -> None:
        hunk = self.hunk
        if hunk is not None and body.startswith((" ", "+", "-")):
            self._read_hunk(hunk, line, body)
        elif body.startswith(GIT):
            self.end_hunk()
            self._is_in_letter = False
            self._begin_section(section := git_section(body.removeprefix(GIT)))
            section.check_name(body)
        elif match := COMMIT.fullmatch(body):
            self._end_patch()
            self._is_in_letter = match[1] == "From"
        elif self._is_in_letter:
            pass
        elif match := DIRECTIVE.fullmatch(body if hunk is not None else body.lstrip(" ")):
            self._direct(match[1].lower(), match[2].strip().strip("`\"'"), line)
        elif self._begins_hunk(body):
            self._read_bare()
            self._begin_hunk(line, body)
        elif hunk is None or (hunk.left == (0, 0) and BINARY.fullmatch(body)):
            self.end_hunk()
            self._read_header(line, body)
        else:
            self._read_hunk(hunk, line, body)

    def _begins_hunk(self, body: str) -> bool:
        if HUNK.fullmatch(body) or (self._is_glued and body.startswith("@@")):
            return True
        section = self._section
        if not body.startswith("@@") or section is None:
            return False
        # `@@def f():`. Right behind `---` and `+++`, too; later on that may be context without its blank, as of Ruby.
        return section.is_directed or (section.is_named and not self._is_reported)

    def _direct(self, name: str, path: str, line: str) -> None:
        if name == "end of file" and self.hunk is not None:
            self.hunk.is_at_end = True
            self.hunk.written.append(line)
            return
        if name != "move to":
            self.end_hunk()
        if name == "begin patch":
            self.is_enveloped = True
            self._begin_bare()
        elif name == "end patch":
            self._read_bare()
            self.end_hunk()
            self.is_enveloped = False
            self._end_section()
        elif name == "move to" and self._section is not None:
            self._section.new_path = self._section.moved_to = path
            self._section.ends_in_name = line == body_of(line)
            self._section.bad_line = self._section.bad_line if path else line.strip()
        elif name.endswith(" file") and path:
            verb = name.removesuffix(" file")
            section = Section(path, path, verb in _ADD, verb in _DELETE, is_directed=True)
            section.may_be_empty = self.is_enveloped
            section.ends_in_name = section.is_deleted and line == body_of(line)
            self._begin_section(section)

    def _begin_section(self, section: Section) -> None:
        self._end_section()
        section.patch = self._patch
        self._section, self._is_reported, self._has_prose, self._is_glued = section, False, False, False

    def _end_section(self) -> None:
        self._report_section()
        self._section = None
        self._bare.drop()

    def _report_section(self) -> None:
        if self._section is not None and not self._is_reported:
            self._is_reported = True
            self._on_section(self._section)

    def _read_header(self, line: str, body: str) -> None:
        section = self._section
        if match := BINARY.fullmatch(body):
            if (section is None or self._is_reported) and match[1]:
                self._begin_section(section := Section(path_in(match[1]), path_in(match[2])))
            if section is not None:
                section.is_binary = True
        elif body.startswith("--- "):
            if section is None or self._is_reported or section.is_named:
                self._begin_section(section := Section())
            section.read_old_name(body)
        elif section is None or self._is_reported:
            self._keep_bare(line, body)
        elif body.startswith("+++ ") and section.has_new_name(body):
            section.read_new_name(body)
        elif (section.is_named or section.is_directed) and body[:1] in (" ", "+", "-"):
            # A file without any `@@`: its first line begins the hunk.
            self._begin_hunk("", "")
            self._read(line, body)
        elif section.is_git and is_header_line(body):
            read_git_header(section, body)
        elif not is_blank(body):
            self._has_prose = True
            if section.is_new and not section.is_git and not is_fence(body):
                section.unmarked = section.unmarked or body
        if body.startswith(_NAMING) and section is not None and not self._is_reported:
            section.check_name(body)

    def _begin_bare(self) -> None:
        """Lines that follow may be a hunk without any header, if there was no hunk before."""
        if self._number:
            self._bare.drop()
        else:
            self._bare.begin()

    def _keep_bare(self, line: str, body: str) -> None:
        """A line before any header."""
        if is_fence(body):
            self._read_bare()
            self.end_hunk()
            self._begin_bare()
        else:
            self._bare.add(line, body)

    def _read_bare(self) -> None:
        """The lines before the first header are a hunk, unless they are a list in prose."""
        if lines := self._bare.take():
            self._begin_hunk("", "")
        for line in lines:
            self._read(line, body_of(line))

    def _begin_hunk(self, line: str, header: str) -> None:
        if self.hunk is not None and _is_anchor(self.hunk):
            # `@@ class A:` and `@@ def f():` in a row, or with blank lines between them
            self.hunk.lines.clear()
            self.hunk.read_header(header)
            self.hunk.written.append(line)
            return
        self.end_hunk()
        if self._section is not None:
            self._section.has_hunks = True
            if not self.is_enveloped:
                self._section.unmarked = ""  # prose
        self._report_section()
        self._bare.drop()
        self.hunk = Hunk(self.next_number(), header)
        self.hunk.is_enveloped = self.is_enveloped
        if self._section is not None:
            self.hunk.is_directed, self.hunk.makes_file = self._section.is_directed, self._section.is_new
        self._endings[line[len(header) :]] += 1
        self.hunk.written.append(line)
        self._on_hunk(self.hunk)

    def _read_hunk(self, hunk: Hunk, line: str, body: str) -> None:
        ending = line[len(body) :].removesuffix("\r")  # at the end of the text, that is half of one
        self._endings[ending] += 1
        if NO_NEWLINE.fullmatch(body):
            if hunk.lines:
                last = hunk.lines[-1]
                hunk.end_file(last)
                if last.ending == "\r\n" and ending != "\r\n" and "\n" in self._endings:
                    last.ending = "\r"  # the patch itself has plain newlines, so this is from the file
                    self._endings["\r\n"] -= 1
        elif body and body[0] in " +-":
            hunk.add(Line(body[0], body[1:], ending))
        elif not body and self._section is not None and self._section.is_new:
            # There is no context in a new file. At its end, a blank line is no part of it unless it was announced.
            hunk.add(Line("+", body, ending, is_doubtful=True))
        else:
            hunk.add(Line(" ", body, ending, is_doubtful=True))
        hunk.written.append(line)

    def end_hunk(self) -> None:
        """The hunk, if there is one, has no more lines."""
        hunk, self.hunk = self.hunk, None
        if hunk is not None:
            hunk.endings = frozenset([ending for ending, count in self._endings.items() if count])
            hunk.finish()
            self._on_hunk_end(hunk)


def _is_anchor(hunk: Hunk) -> bool:
    """Whether nothing but its header is there, or headings and blank lines: the next `@@` says more of its place."""
    has_only_headings = bool(hunk.headings) and hunk.numbers is None
    return not hunk.lines or (has_only_headings and hunk.is_empty)


def parts_of(text: str) -> tuple[list[Section], list[Hunk]]:
    """The files and the hunks of a whole text, each in order."""
    sections: list[Section] = []
    hunks: list[Hunk] = []
    reader, feed = PatchReader(sections.append, hunks.append, lambda hunk: None), LineFeed()
    for line in filter(None, [*feed.feed(text), feed.finish()]):
        reader.add(line)
    reader.finish()
    return sections, hunks


def _begins_block(line: str, hunk: Hunk | None) -> bool:
    """Whether a line of a patch, in that hunk, begins a SEARCH/REPLACE block; with a sign it belongs to a hunk."""
    signs = ("<", "-") if hunk is None else "<"
    return line.startswith(signs) and classify(body_of(line)).kind is Kind.START
