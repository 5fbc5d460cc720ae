"""SEARCH/REPLACE blocks for several files of a tree: a stream for each file, which is left when another is named.

src/a.py                    TreeBlocks: `file_names.py` says what stands before a block
------- SEARCH              FileBlocks: the blocks that follow, applied to the text of that file
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import Factory, define, evolve, frozen

from streamparse.diff.block import SearchBlock
from streamparse.diff.block_paths import names_in_marker
from streamparse.diff.file_names import FileNames, Names
from streamparse.diff.hints import MIXED
from streamparse.diff.lines import LineFeed, body_of, is_blank
from streamparse.diff.markers import Kind, Marker
from streamparse.diff.match import Finder, Tolerance, find_plainly
from streamparse.diff.name_forms import is_word_of
from streamparse.diff.result import DiffResult, Failure, FailureReason, FileAction
from streamparse.diff.same_path import path_of_new, plain_path
from streamparse.diff.search_replace import SearchReplaceStream
from streamparse.diff.tree_edits import EditOptions, TreeEdits
from streamparse.diff.tree_file import TreeFile
from streamparse.diff.tree_files import TreeFiles

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
    #: Whether a sentence speaks of it, right above the block: its old lines say whether it or a rival is meant.
    is_in_sentence: bool = False
    #: Why a block without old lines cannot be for it, if so.
    only_with_lines: str = ""
    #: What is chosen instead if the block has no old lines, if anything.
    without_lines: Choice | None = None


def _not_new(path: str) -> str:
    """The sentence for a block without old lines, if nothing says that it makes that file."""
    return (
        f"The block has no old lines, and it is not certain that {path} is to be made of it. If it is, write "
        f"`File: {path}` on a line of its own before the block."
    )


def _one_of(paths: Iterable[str]) -> str:
    listed = " or ".join(f"`{path}`" for path in dict.fromkeys(paths))
    return f"The block may be for {listed}. Write the path of one in backticks on a line of its own before it."


@define
class _Waiting:
    """A block below a sentence, as far as it is read: its start marker, and the lines behind it."""

    choice: Choice
    line: str
    marker: Marker
    lines: list[tuple[str, Marker]] = Factory(list)

    @property
    def old(self) -> list[str]:
        """Its old lines, as far as they are there."""
        block = SearchBlock(0, self.marker, has_bom=False)
        block.lines = [(body, "") for line, _ in self.lines if not block.take_header(body := body_of(line))]
        return block.search(len(block.lines))


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
        file.lend_to(self._ledger)
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
        if self._tree.keeps(line, marker):
            return
        stream = self._tree.stream
        if stream is self:
            super()._read(line, body, marker)
        else:
            stream._read(line, body, marker)

    def _read_outside(self, line: str, marker: Marker) -> None:
        if stream := self._tree.stream_behind(line, marker):
            stream.begin(line, marker)

    def begin(self, line: str, marker: Marker) -> None:
        """Read a line outside of blocks, which is for this stream."""
        super()._read_outside(line, marker)

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
        if self.choice.only_with_lines and all(map(is_blank, block.old)):
            return block.failure(FailureReason.NO_FILE, self.choice.only_with_lines)
        if block.match is None or not block.old or not self.choice.rivals:
            return None
        is_plain = find_plainly(self._index, block.old) is not None
        found = [file for file in self.choice.rivals if self._tree.has_lines(file, block.old, is_plain=is_plain)]
        if not found:
            return None
        return block.failure(FailureReason.AMBIGUOUS, _one_of(_paths([self.file, *found])))

    def _last_line(self, line: str) -> None:
        super()._last_line(line)
        self._tree.release()

    def _close_block(self, block: SearchBlock) -> None:
        super()._close_block(block)
        self._tree.release()  # what was read again may be a block that waits for its file


class TreeBlocks(TreeEdits):
    """SEARCH/REPLACE blocks, each for the file that is named before it or before an earlier one."""

    noun = SearchBlock.noun

    def __init__(self, files: TreeFiles, feed: LineFeed, options: EditOptions) -> None:
        super().__init__(files, feed, options)
        files.way_to_make = "by a block with an empty SEARCH part"
        self._names = self._names_in_text()
        self.stream: FileBlocks = FileBlocks(self, Choice(files.at(""), _UNNAMED), 0, "")
        self.has_patch = False
        self._waiting: _Waiting | None = None
        self._belong()

    def line(self, line: str) -> None:
        """The next line, with its ending."""
        self.stream.line(line)

    def finish(self, rest: str, *, accept_truncated: bool, complete: bool) -> None:
        """There is no more but `rest`, a line without its ending or nothing."""
        self.release()
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

    def stream_behind(self, line: str, marker: Marker) -> FileBlocks | None:
        """The stream that reads this line, which is outside of all blocks; None: it is to wait."""
        if marker.kind is not Kind.START and not marker.may_start:
            self._names.add(line)
            return self.stream
        names = self._names.take()
        choice = self._choose(names)
        if names.alone and not (names.own or names.either or names.announced):
            choice = evolve(choice, without_lines=self._named(names.alone, names))
        if marker.may_start:
            choice = self._choose_behind(body_of(line), choice, names)
        elif choice.is_in_sentence or choice.without_lines:
            self._waiting = _Waiting(choice, line, marker)
            return None
        return self._go_to(choice)

    def _go_to(self, choice: Choice) -> FileBlocks:
        """The next block is for that file."""
        is_another = choice.file is not self.stream.file or self.stream.makes_file
        if is_another:
            self._leave()
            self.stream = self.stream.follower(choice)
        self.stream.choice = choice
        if is_another or not choice.file.path:
            self._belong()
        return self.stream

    def keeps(self, line: str, marker: Marker) -> bool:
        """Keep a line of a block whose old lines are to say for which file it is; False: that is known."""
        if self._waiting is not None and marker.kind in (Kind.START, Kind.SEPARATOR, Kind.END):
            self.release()
        if self._waiting is not None:
            self._waiting.lines.append((line, marker))
        return self._waiting is not None

    def release(self) -> None:
        """The old lines of a block that waits are there: read them."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return
        choice, old = waiting.choice, waiting.old
        if choice.without_lines and not old:
            choice = choice.without_lines
        files = (choice.file, *choice.rivals) if choice.is_in_sentence else ()
        # Only if no file has them plainly, one that has them as far as a block may differ is as good.
        for is_plain in (True, False):
            found = [file for file in files if self.has_lines(file, old, is_plain=is_plain)]
            if found and choice.file not in found:
                choice = Choice(found[0], rivals=[file for file in files if file is not found[0]])
            if found:
                break
        self._go_to(choice).begin(waiting.line, waiting.marker)
        for line, marker in waiting.lines:
            self.stream._read(line, body_of(line), marker)

    def has_lines(self, file: TreeFile, lines: list[str], *, is_plain: bool) -> bool:
        """Whether a file, as it is now, has these old lines; unless it must be plain, as far as a block may differ."""
        if all(map(is_blank, lines)) or not file.text:
            return False
        index = self.files.index(file, file.text)
        if is_plain:
            return find_plainly(index, lines) is not None
        return Finder(index, Tolerance(self.options.threshold, self.options.anchor_similarity)).find(lines) is not None

    def _choose(self, names: Names) -> Choice:
        """The file that the names before a block mean."""
        current = self.stream.file
        if names.either:
            return self._no_choice([*names.own, *names.either])
        own = [self._named(name, names) for name in names.own]
        if own:
            return next((one for one in own if not one.refusal), own[0])
        if names.announced:
            return self._choose_missing(names.announced, names)
        spoken_of = {one.file: one for one in map(self._named, names.spoken_of) if not one.refusal}
        before = self._named(names.above).file if names.above else current
        if len(spoken_of) == 1 or before in spoken_of:
            return self._choose_spoken_of(spoken_of.get(before) or next(iter(spoken_of.values())), before)
        if spoken_of:
            return self._no_choice(_paths(spoken_of))
        if names.above:
            return self._named(names.above)
        if names.missing:
            return self._choose_missing(names.missing, names)
        mentioned = dict.fromkeys(self._named(name).file for name in names.mentioned)
        rivals = [file for file in mentioned if file.text is not None and file is not current]
        return Choice(current, "" if current.path else _UNNAMED, rivals)

    def _choose_spoken_of(self, choice: Choice, before: TreeFile) -> Choice:
        """The file of which a sentence speaks, or the one that came before it: the old lines decide."""
        if choice.file is before or not before.text:
            return choice
        said = choice.only_with_lines if choice.file.text else _not_new(choice.file.path)
        return evolve(choice, rivals=(before,), is_in_sentence=True, only_with_lines=said)

    def _choose_behind(self, body: str, choice: Choice, names: Names) -> Choice:
        """The file that is named in the first marker, as in `<<<<<<< SEARCH src/a.py`, if one is."""
        said = names_in_marker(body, self._names_in_text())
        if not (said.own or said.either or said.spoken_of or said.missing):
            return choice
        told = self._choose(evolve(said, new=said.own))
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

    def _named(self, name: str, names: Names | None = None) -> Choice:
        """The file that is meant by that path, which with `./` begins at the root of the tree.

        If there is none, the names before the block say whether it may be made.
        """
        file, refusal = self.files.find(name, is_exact=name.startswith("./"))
        if refusal and names is not None and name not in names.new:
            return Choice(file, refusal, only_with_lines=_not_new(file.path))
        if refusal or len(file.path) <= len(plain_path(name)):
            return Choice(file, refusal)
        sentence = (
            f"There is no file {path_of_new(name)}. The path of {file.path} ends so, but no old lines show that it is "
            f"meant. Write its whole path, or ./{path_of_new(name)} for a new file."
        )
        return Choice(file, only_with_lines=sentence)

    def _choose_missing(self, missing: Sequence[str], names: Names) -> Choice:
        """A file that is not there, of which the line before a block speaks: the block may make it."""
        choice, *others = (self._named(name, names) for name in missing)
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
