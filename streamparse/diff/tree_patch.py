"""A patch for several files of a tree: one reader, and for each part of it a stream for the file that it is about.

diff --git a/a.py b/b.py        TreePatch: the reader tells it of a section, and it opens the file
rename from a.py
rename to b.py
@@ -1 +1 @@                     FilePatch: the hunks of the section, applied to the text of that file
"""

from __future__ import annotations

from streamparse.diff.earlier_parts import EarlierParts
from streamparse.diff.file_sections import FileSections
from streamparse.diff.hints import MIXED
from streamparse.diff.hunk import Hunk
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import LineFeed
from streamparse.diff.patch import PatchStream
from streamparse.diff.patch_ending import Ending
from streamparse.diff.patch_hints import UNEVEN
from streamparse.diff.patch_reader import PatchReader
from streamparse.diff.result import DiffResult, FileAction
from streamparse.diff.same_path import path_of_new, plain_path
from streamparse.diff.section import Section
from streamparse.diff.tree_edits import EditOptions, TreeEdits
from streamparse.diff.tree_file import TreeFile
from streamparse.diff.tree_files import TreeFiles, taken

_UNNAMED = (
    "The patch does not say which file this is for. Write its path before the hunks, in lines that begin with `---` "
    "and `+++`, or with `*** Update File:`."
)
_LINK = "The patch is about a symbolic link or a submodule, and only files can be changed. Leave it out."


class FilePatch(PatchStream):
    """One section of a patch; its hunks come from the reader of the whole patch."""

    def __init__(
        self,
        file: TreeFile,
        index: FileIndex,
        section: Section,
        reader: PatchReader,
        options: EditOptions,
        earlier: EarlierParts,
    ) -> None:
        super().__init__(index, threshold=options.threshold)
        self._placer.earlier = earlier
        self._ledger.take_path(section.moved_to or file.path)
        self._reader = reader
        self._sections = FileSections(None, [section])
        file.lend_to(self._ledger)
        self._has_text = True
        self.file = file
        self.section = section
        self.longer_path = ""  # of a file whose path begins with all of this one's, where that may be cut off

    def begin_end(self, ending: Ending) -> None:
        """The text ends within this section, or behind it."""
        self._ending, self._ledger.accepts_truncated = ending, ending.accepts_truncated

    def _close(self, rest: str) -> None:
        # A part with another behind it is not cut off.
        self._check(rest, self._ending or Ending())

    @property
    def _is_open(self) -> bool:
        return self._ending is not None and super()._is_open

    def _whole_name(self, section: Section) -> str:
        return self.longer_path or super()._whole_name(section)

    def _says_enough(self, section: Section) -> bool:
        return super()._says_enough(section) or section.is_copy


class TreePatch(TreeEdits):
    """Unified diffs and `*** Begin Patch` blocks, for as many files as they name."""

    noun = Hunk.noun

    def __init__(self, files: TreeFiles, feed: LineFeed, options: EditOptions) -> None:
        super().__init__(files, feed, options)
        files.way_to_make = "with `*** Add File:` or `--- /dev/null`"
        self._reader = PatchReader(self._on_section, self._on_hunk, self._on_hunk_end)
        self.stream: FilePatch | None = None
        self._ending: Ending | None = None  # None: there may be more lines
        self._earlier: dict[tuple[TreeFile, int], EarlierParts] = {}  # by file and patch

    def line(self, line: str) -> None:
        """The next line, with its ending."""
        self._reader.add(line)

    def finish(self, rest: str, *, accept_truncated: bool, complete: bool) -> None:
        """There is no more but `rest`, a line without its ending or nothing."""
        shown, self._ending = self._reader.close(rest, is_complete=complete, accepts_truncated=accept_truncated)
        if self.stream is not None:
            self.stream.begin_end(self._ending)
        self._reader.finish()
        last = self.stream or self._begin_section(Section())
        self._end_section(last, shown)
        wrong = {MIXED: self._reader.has_blocks, UNEVEN: self._reader.is_uneven}
        self.refuse_whole(last.file, (sentence for sentence, is_true in wrong.items() if is_true))

    def next_number(self) -> int:
        """The number of the next hunk."""
        return self._reader.next_number()

    @property
    def open_part(self) -> tuple[TreeFile, FilePatch] | None:
        """The file that is being edited, and what edits it."""
        return None if self.stream is None else (self.stream.file, self.stream)

    # --- what the reader finds

    def _on_section(self, section: Section) -> None:
        if self.stream is not None:
            self._end_section(self.stream, "")
        self._begin_section(section)

    def _on_hunk(self, hunk: Hunk) -> None:
        (self.stream or self._begin_section(Section())).begin_hunk(hunk)

    def _on_hunk_end(self, hunk: Hunk) -> None:
        assert self.stream is not None
        self.stream.end_hunk(hunk)

    # --- from a section to a file and back

    def _begin_section(self, section: Section) -> FilePatch:
        file, text, refusal = self._open(section)
        earlier = self._earlier.setdefault((file, section.patch), EarlierParts())
        index = self.files.index(file, text or "")
        self.stream = stream = FilePatch(file, index, section, self._reader, self.options, earlier)
        stream.belong_to(file.path, refusal)
        if section.is_deleted and section.ends_in_name:
            stream.longer_path = self.files.longer_path(file.path)
        if self._ending is not None:
            stream.begin_end(self._ending)
        self.start(file, _action(section), section.moved_to or None)
        return stream

    def _open(self, section: Section) -> tuple[TreeFile, str | None, str]:
        """The file of the section, the text that its hunks are for, and why it may not be changed, if so."""
        if not (section.old_path if section.moved_to else section.path):
            return self.files.at(""), None, _UNNAMED
        file, text, refusal = self._made(section) if section.is_new or section.is_copy else self._found(section)
        if section.moved_to and not refusal:
            section.moved_to, refusal = self._free(section, section.moved_to, file)
        return file, text, _LINK if section.is_link else refusal

    def _made(self, section: Section) -> tuple[TreeFile, str | None, str]:
        """A file that is new, or made of another. That a new one is there already is for its stream to say."""
        path, refusal = self._free(section, section.path)
        file = self.files.at(path)
        if not section.is_copy:
            file.copied_from = None
            return file, file.text, self.files.hindrance(path)
        source, missing = self.files.source(section.old_path, section.patch)
        file.copied_from = source.path
        section.mode = source.mode if section.mode is None else section.mode
        return file, source.text, (missing if source.text is None else refusal)

    def _found(self, section: Section) -> tuple[TreeFile, str | None, str]:
        """A file that is there: of two names the new one, unless only the old one is known."""
        if leaving := self.files.displaced(plain_path(section.old_path), section.patch):
            return leaving, leaving.text, ""
        names = [section.old_path] if section.moved_to else [section.path, section.old_path]
        # Without any lines to compare, the name of another file must not do.
        is_exact, is_source = not section.has_hunks, section.is_deleted or bool(section.moved_to)
        found = [self.files.find(name, is_exact=is_exact, is_source=is_source) for name in dict.fromkeys(names) if name]
        file, refusal = next((one for one in found if not one[1]), found[0])
        return file, file.text, refusal

    def _free(self, section: Section, name: str, own: TreeFile | None = None) -> tuple[str, str]:
        """The path of a file that is to be made, and why it cannot be, unless it is the path of that very file."""
        path = plain_path(name) if section.is_git or section.is_quoted else path_of_new(name)
        file = self.files.at(path)
        is_taken = bool(file.text) if section.is_new else file.text is not None
        if is_taken and file is not own and not (section.is_git and self.files.displace(file, section.patch)):
            return path, taken(path)
        return path, self.files.hindrance(path)

    def _end_section(self, stream: FilePatch, rest: str) -> None:
        section, file = stream.section, stream.file
        self.stream = None
        ending = self._ending or Ending()
        result = stream.end(rest, accept_truncated=ending.accepts_truncated, complete=ending.is_complete)
        self.events += result.events
        file.add(result)
        if result.ok:
            self._settle(file, section, result)
        elif file.text is not None and not section.is_copy:
            file.set(result.content, section.patch)  # what was shown stays, though nothing is written

    def _settle(self, file: TreeFile, section: Section, result: DiffResult) -> None:
        """Let the next sections find what this one has made."""
        file.set(None if result.is_deleted else result.content, section.patch, section.mode)
        if result.moved_to is not None and section.moved_to != file.path:
            self.files.move(file, section.moved_to, section.patch)


def _action(section: Section) -> FileAction:
    """What the section wants to be done, by its header."""
    if section.is_new or section.is_copy:
        return FileAction.CREATED
    if section.is_deleted:
        return FileAction.DELETED
    return FileAction.MOVED if section.moved_to else FileAction.CHANGED
