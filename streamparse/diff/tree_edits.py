"""TreeEdits: what patches and blocks for a tree have in common, whatever they are written in.

    a.py, some blocks        a stream for a.py
    b.py, some blocks        one for b.py; that for a.py ends, and TreeFile has its new text
    a.py, some blocks        another one for a.py: it is applied to that text

So each part of a diff that is about one file has a stream of its own, which ends when the next part begins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from attrs import frozen

from streamparse.diff.edit_stream import EditStream
from streamparse.diff.hints import together_no_python
from streamparse.diff.lines import LineFeed
from streamparse.diff.python import LONGEST, SyntaxFlaw, flaw, is_python
from streamparse.diff.result import DiffEvent, DiffEventType, DiffResult, Failure, FailureReason, FileAction
from streamparse.diff.tree_file import OpenPart, TreeFile
from streamparse.diff.tree_files import TreeFiles


@frozen
class EditOptions:
    """How the blocks and hunks for each of the files are applied."""

    threshold: float
    anchor_similarity: float
    fix_markers: bool


class TreeEdits(ABC):
    """Takes the lines of a diff, and gives each to the stream of its file. `feed` has the one being written."""

    #: What the parts of the diff are called.
    noun: ClassVar[str]
    #: Edits the file that the diff is about now.
    stream: EditStream | None = None

    def __init__(self, files: TreeFiles, feed: LineFeed, options: EditOptions) -> None:
        self.files = files
        self.feed = feed
        self.options = options
        self.events: list[DiffEvent] = []
        self._started: str | None = None  # the path of the file that the last events are about

    @abstractmethod
    def line(self, line: str) -> None:
        """The next line, with its ending."""

    @abstractmethod
    def finish(self, rest: str, *, accept_truncated: bool, complete: bool) -> None:
        """There is no more but `rest`, a line without its ending or nothing."""

    @abstractmethod
    def next_number(self) -> int:
        """The number of the next part of the diff, or of what is said of all of it as if it were one."""

    @property
    @abstractmethod
    def open_part(self) -> OpenPart:
        """The file that is being edited, and what edits it; None before the first block, and behind the last."""

    def show_beginning(self) -> None:
        """The line that is being written, where it may be shown already."""
        if self.stream is not None:
            self.stream.show_beginning()

    def start(self, file: TreeFile, action: FileAction, moved_to: str | None = None) -> None:
        """The next blocks are for this file, and an event says so: `failed` if none of them can be applied."""
        self.files.name(file)
        if self.stream is not None and self.stream.is_refused:
            action = FileAction.FAILED
        self._started = file.path
        self.events.append(DiffEvent(DiffEventType.FILE_STARTED, 0, path=file.path, action=action, moved_to=moved_to))

    def drain(self) -> list[DiffEvent]:
        """The events since the last time; those of the file that is being edited are the last."""
        if self.stream is not None:
            self.events += self.stream.drain()
        events, self.events = self.events, []
        return events

    def refuse_whole(self, file: TreeFile, sentences: Iterable[str]) -> None:
        """All parts are applied: say what is wrong with whole files, and at `file` what is wrong with the text.

        Two files are at one path, say, or two parts together leave no Python: each part alone was right. What would
        fail when it is written is a failure also if it is not to be written.
        """
        for one, sentence in list(self.files.crowded()):
            self._refuse(one, sentence)
        for one in list(self.files.revisited()):
            if found := _flaw(one):
                self._refuse(one, together_no_python(self.noun, found), FailureReason.SYNTAX)
        for sentence in sentences:
            self._refuse(file, sentence, FailureReason.BAD_MARKER)
        for one, sentence in list(self.files.unwritable()):
            self._refuse(one, sentence)

    def _refuse(self, file: TreeFile, sentence: str, reason: FailureReason = FailureReason.NO_FILE) -> None:
        """One more failure of the file, as if it were that of one more block."""
        if file.path != self._started:
            self.start(file, FileAction.FAILED)
        self.files.name(file)
        number = self.next_number()
        failure = Failure(number, reason, "", sentence, path=file.path, is_of_all=True)
        file.add(DiffResult(ok=False, content=file.text or "", failures=(failure,), noun=self.noun))
        self.events.append(DiffEvent(DiffEventType.FAILED, number, failure=failure, path=file.path))


def _flaw(file: TreeFile) -> SyntaxFlaw | None:
    """Why a file that was Python, or that its first part has made so, is none any more. An empty one is none yet."""
    first = file.first_text or file.made_text
    if not is_python(file.path) or len(first) > LONGEST:
        return None
    return None if flaw(first) else flaw(file.text or "")
