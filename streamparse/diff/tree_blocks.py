"""SEARCH/REPLACE blocks for several files of a tree: a stream for each file, which is left when another is named.

src/a.py                    TreeBlocks: `file_names.py` says what stands before a block
------- SEARCH              FileBlocks: the blocks that follow, applied to the text of that file
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from streamparse.diff.block import SearchBlock
from streamparse.diff.block_paths import names_in_marker
from streamparse.diff.file_names import FileNames, Names
from streamparse.diff.hints import MIXED
from streamparse.diff.lines import LineFeed, body_of, is_blank
from streamparse.diff.markers import Kind, Marker
from streamparse.diff.match import find_plainly
from streamparse.diff.name_forms import is_word_of
from streamparse.diff.result import DiffResult, Failure, FailureReason, FileAction
from streamparse.diff.search_replace import SearchReplaceStream
from streamparse.diff.tree_edits import EditOptions, TreeEdits
from streamparse.diff.tree_file import TreeFile
from streamparse.diff.tree_files import TreeFiles, path_of_new, plain_path

_UNNAMED = (
    "The block does not say which file it is for. Write the path of the file in backticks on a line of its own before "
    "it."
)


@frozen
class Choice:
    """The file that a block is for, by what stands before the block; and why it cannot be, if so."""

    #: One without a path, where no file is certain.
    file: TreeFile
    refusal: str = ""
    #: Other files of which the text before the block speaks: it may be for one of these, if they have its old lines.
    rivals: Sequence[TreeFile] = ()
    #: The path that is written, if it is only the end of that of the file: `a.py` for `src/a.py`.
    end_of_path: str = ""


def _one_of(paths: Iterable[str]) -> str:
    listed = " or ".join(f"`{path}`" for path in dict.fromkeys(paths))
    return f"The block may be for {listed}. Write the path of one in backticks on a line of its own before it."


def _paths(files: Iterable[TreeFile]) -> list[str]:
    return [file.path for file in files]


class FileBlocks(SearchReplaceStream):
    """The blocks for one file, until another is named; whoever reads the lines behind that gives them to its stream.

    `number` is that of the last block before, for whichever file it was, and `last_marker` what it began with.
    """

    def __init__(self, tree: TreeBlocks, choice: Choice, number: int, last_marker: str) -> None:
        file, options = choice.file, tree.options
        super().__init__(
            tree.files.index(file, file.text or ""),
            path=file.path or None,
            threshold=options.threshold,
            anchor_similarity=options.anchor_similarity,
            fix_markers=options.fix_markers,
        )
        if file.results:
            self._ledger.is_python = False  # the diff comes back to it: then it is checked once, at the end
        self._ledger.told = file.told
        self._ledger.made = file.made
        self._tree = tree
        self._feed = tree.feed
        self.number = self._first = number
        self._last_marker = last_marker
        self._names = None  # the tree looks at them
        self.file = file
        #: What was chosen for the next block: this file, and perhaps others that may be meant.
        self.choice = choice

    def follower(self, choice: Choice) -> FileBlocks:
        """The stream for the blocks that follow, which are for another file."""
        return FileBlocks(self._tree, choice, self.number, self._last_marker)

    @property
    def is_begun(self) -> bool:
        """Whether there are blocks."""
        return self.number > self._first

    @property
    def is_open(self) -> bool:
        """Whether there are blocks, and there may be more."""
        return self.is_begun and self._result is None

    @property
    def makes_file(self) -> bool:
        """Whether it has written the first lines of a file that had none: the next block is about these lines."""
        return not self._index.lines and self._ledger.is_edited

    def _read(self, line: str, body: str, marker: Marker) -> None:
        # Lines that are read again, behind a bad marker, may name the next file.
        stream = self._tree.stream
        if stream is self:
            super()._read(line, body, marker)
        else:
            stream._read(line, body, marker)

    def _read_outside(self, line: str, marker: Marker) -> None:
        SearchReplaceStream._read_outside(self._tree.stream_behind(line, marker), line, marker)

    def _meet_patch(self) -> None:
        self._tree.has_patch = True  # whichever file it is for

    def _report_text(self) -> None:
        if self._tree.stream is self:  # and not that of a file that the very last line is for
            super()._report_text()

    def _start(self, line: str, marker: Marker) -> SearchBlock:
        if not self.is_begun:
            self._tree.start(self.file, FileAction.CREATED if self.file.text is None else FileAction.CHANGED)
        return super()._start(line, marker)

    def _stray(self, block: SearchBlock) -> Failure | None:
        path = self.choice.end_of_path
        if path and all(map(is_blank, block.old)):
            sentence = (
                f"There is no file {path}. The path of {self.file.path} ends so, but no old lines show that it is "
                f"meant. Write its whole path, or ./{path} for a new file."
            )
            return block.failure(FailureReason.NO_FILE, sentence)
        found = [file for file in self.choice.rivals if block.old and self._has_lines(file, block.old)]
        if not found or block.match is None:
            return None
        return block.failure(FailureReason.AMBIGUOUS, _one_of(_paths([self.file, *found])))

    def _has_lines(self, file: TreeFile, lines: list[str]) -> bool:
        """Whether another file, as it is now, has these old lines."""
        return find_plainly(self._tree.files.index(file, file.text or ""), lines) is not None


class TreeBlocks(TreeEdits):
    """SEARCH/REPLACE blocks, each for the file that is named before it or before an earlier one."""

    noun = SearchBlock.noun

    def __init__(self, files: TreeFiles, feed: LineFeed, options: EditOptions) -> None:
        super().__init__(files, feed, options)
        self._names = self._names_in_text()
        self.stream: FileBlocks = FileBlocks(self, Choice(files.at(""), _UNNAMED), 0, "")
        self.has_patch = False
        self._belong()

    def line(self, line: str) -> None:
        """The next line, with its ending."""
        self.stream.line(line)

    def finish(self, rest: str, *, accept_truncated: bool, complete: bool) -> None:
        """There is no more but `rest`, a line without its ending or nothing."""
        stream = self.stream
        result = stream.end(rest, accept_truncated=accept_truncated, complete=complete)
        while stream is not self.stream:  # what was read again, behind a bad marker, is for another file
            stream = self.stream
            result = stream.end("", accept_truncated=accept_truncated, complete=complete)
        self._keep(stream, result)
        self.refuse_whole(stream.file, [MIXED] * self.has_patch)

    def next_number(self) -> int:
        """The number of the next block."""
        self.stream.number += 1
        return self.stream.number

    @property
    def open_part(self) -> tuple[TreeFile, FileBlocks] | None:
        """The file that is being edited, and what edits it."""
        return (self.stream.file, self.stream) if self.stream.is_open else None

    def stream_behind(self, line: str, marker: Marker) -> FileBlocks:
        """The stream that reads this line, which is outside of all blocks."""
        if marker.kind is not Kind.START and not marker.may_start:
            self._names.add(line)
            return self.stream
        names = self._names.take()
        choice = self._choose(names)
        if marker.may_start:
            choice = self._choose_behind(body_of(line), choice, names)
        is_another = choice.file is not self.stream.file or self.stream.makes_file
        if is_another:
            self._leave()
            self.stream = self.stream.follower(choice)
        self.stream.choice = choice
        if is_another or not choice.file.path:
            self._belong()
        return self.stream

    def _choose(self, names: Names) -> Choice:
        """The file that the names before a block mean."""
        current = self.stream.file
        if names.either:
            return self._no_choice([*names.own, *names.either])
        own = [self._named(name) for name in names.own]
        if own:
            return next((one for one in own if not one.refusal), own[0])
        spoken_of = {one.file: one for one in map(self._named, names.spoken_of) if not one.refusal}
        if len(spoken_of) == 1 or current in spoken_of:
            return spoken_of[current if current in spoken_of else next(iter(spoken_of))]
        if spoken_of:
            return self._no_choice(_paths(spoken_of))
        if names.above:
            return self._named(names.above)
        if names.missing:
            return self._choose_missing(names.missing)
        mentioned = dict.fromkeys(self._named(name).file for name in names.mentioned)
        rivals = [file for file in mentioned if file.text is not None and file is not current]
        return Choice(current, "" if current.path else _UNNAMED, rivals)

    def _choose_behind(self, body: str, choice: Choice, names: Names) -> Choice:
        """The file that is named in the first marker, as in `<<<<<<< SEARCH src/a.py`, if one is."""
        said = names_in_marker(body, self._names_in_text())
        if not (said.own or said.either or said.spoken_of or said.missing):
            return choice
        told = self._choose(said)
        if names.own and told.file is not choice.file and told.file.path and choice.file.path:
            return self._no_choice(_paths([choice.file, told.file]))
        return told

    def _no_choice(self, paths: Iterable[str]) -> Choice:
        """No file, as each of these may be meant."""
        return Choice(self.files.at(""), _one_of(paths))

    def _names_in_text(self) -> FileNames:
        return FileNames(
            lambda name: not self._named(name).refusal,
            lambda word: is_word_of(self.stream.file.text or "", word),
            self.files.names_with_blanks,
        )

    def _named(self, name: str) -> Choice:
        """The file that is meant by that path, which with `./` begins at the root of the tree."""
        file, refusal = self.files.find(name, is_exact=name.startswith("./"))
        is_end = not refusal and len(file.path) > len(plain_path(name))
        return Choice(file, refusal, end_of_path=path_of_new(name) if is_end else "")

    def _choose_missing(self, names: Sequence[str]) -> Choice:
        """A file that is not there, of which the line before a block speaks: the block may make it."""
        choice, *others = map(self._named, names)
        if any(other.file is not choice.file for other in others):
            return self._no_choice(_paths([choice.file, *(other.file for other in others)]))
        current = self.stream.file
        if not (choice.refusal and current.path):
            return choice
        other = f" If the block is for {current.path}, write that path in backticks on a line of its own before it."
        return evolve(choice, refusal=choice.refusal + other)

    def _belong(self) -> None:
        """Say which file the stream is for, and why it cannot be edited, if so."""
        file = self.stream.file
        is_missing = file.text is None and bool(file.path) and not self.files.refusal(file.path)
        self.stream.belong_to(file.path, self.stream.choice.refusal, is_missing=is_missing)

    def _leave(self) -> None:
        """Another file is named: the blocks for this one are all there."""
        if self.stream.is_begun:
            self._keep(self.stream, self.stream.end(""))

    def _keep(self, stream: FileBlocks, result: DiffResult) -> None:
        """What has come of the blocks for a file is there for whatever follows."""
        self.events += result.events
        if stream.is_begun:
            stream.file.add(result)
            if stream.file.text is not None or stream.makes_file:
                stream.file.set(result.content, 0)
