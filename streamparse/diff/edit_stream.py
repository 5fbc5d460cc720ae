"""EditStream: what the two streams of edits have in common, whatever the edits are written in.

feed(delta)         lines are put together, and the subclass reads them one by one
preview, result     what has come of them so far
finalize()          the same when there is no more
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod

from attrs import evolve

from streamparse.diff.index import FileIndex
from streamparse.diff.ledger import Ledger
from streamparse.diff.lines import LineFeed, check_text
from streamparse.diff.result import DiffEvent, DiffResult
from streamparse.diff.same_path import checked_path
from streamparse.errors import DiffError


class EditStream(ABC):
    """Edits `original`, a text or what is known of it already. Nothing is written anywhere; it is indexed once.

    `path` is that of the file: if it is Python, it must be so with all edits, which are only done at the end then.
    """

    def __init__(self, original: str | FileIndex, path: str | os.PathLike[str] | None = None) -> None:
        if not isinstance(original, FileIndex):
            check_text("text of the file", original)
            original = FileIndex(original)
        self._ledger = Ledger(original)
        self._ledger.take_path(checked_path(path))
        self._feed = LineFeed()
        self._is_complete = False  # nothing is missing at the end of the text
        self._result: DiffResult | None = None

    def feed(self, delta: str) -> list[DiffEvent]:
        """The next piece, cut anywhere; returns what is certain now."""
        for line in self._feed.feed(delta):
            self.line(line)
        self.show_beginning()
        return self.drain()

    def apply(self, text: str, *, is_final: bool, accept_truncated: bool, strict: bool, complete: bool) -> DiffResult:
        """All of it in one call; of a text that is still being written, `content` is the preview."""
        events = self.feed(text)
        if not is_final:
            return evolve(self.result, content=self.preview, events=tuple(events))
        result = self.finalize(accept_truncated=accept_truncated, strict=strict, complete=complete)
        return evolve(result, events=(*events, *result.events))

    @property
    def _index(self) -> FileIndex:
        """The file."""
        return self._ledger.index

    @property
    def preview(self) -> str:
        """The original with what is certain; while a block is being written, up to the end of its new lines so far."""
        return self._ledger.preview()

    @property
    def result(self) -> DiffResult:
        """What has come of it: after finalize of everything, before that of the edits that are complete."""
        return self._result if self._result is not None else self._ledger.result()

    @property
    def is_refused(self) -> bool:
        """Whether no block can be applied to the file."""
        return bool(self._ledger.refusal) and not self._ledger.is_missing

    @property
    def makes_text(self) -> bool:
        """Whether there is a text: that of the file, or one that the edits so far have made, if there is no file."""
        return bool(self._index.lines or self.preview or self._ledger.is_edited)

    def finalize(self, *, accept_truncated: bool = False, strict: bool = False, complete: bool = False) -> DiffResult:
        """There is no more; `events` of the result are the last ones.

        `accept_truncated` applies the last edit although the text breaks off in it, perhaps in the middle of a line.
        `complete` says that the text is whole, as that of a segment is whose END was complete: then a last line without
        its ending is no half line, and a count that is too high is only wrong. `strict` raises DiffError, with all
        failures, unless everything was applied. A second call changes nothing.
        """
        if self._result is None:
            self.end(self._feed.finish(), accept_truncated=accept_truncated, complete=complete)
        if strict and not self.result.ok:
            raise DiffError(self.result)
        return self.result

    def belong_to(self, path: str, refusal: str = "", *, is_missing: bool = False) -> None:
        """Over a tree, events and failures say which file it is. With a refusal, such as "There is no file a.py", no
        block is applied; but if the file is missing, and nothing else is wrong, a block without old lines makes it.
        """
        self._ledger.path, self._ledger.refusal, self._ledger.is_missing = path, refusal, is_missing

    def end(self, rest: str, *, accept_truncated: bool = False, complete: bool = False) -> DiffResult:
        """There is no more but `rest`, a line without its ending or nothing."""
        self._is_complete = complete
        self._ledger.accepts_truncated = accept_truncated
        self._close(rest)
        self._ledger.settle()
        self._result = self._conclude()
        return self._result

    @abstractmethod
    def line(self, line: str) -> None:
        """The next line, with its ending."""

    @abstractmethod
    def show_beginning(self) -> None:
        """The line that is being written, where it may be shown already."""

    @abstractmethod
    def _close(self, rest: str) -> None:
        """There is no more but `rest`, a line without its ending or nothing."""

    def _conclude(self) -> DiffResult:
        """The result of everything."""
        return self._ledger.result(events=self.drain())

    def drain(self) -> list[DiffEvent]:
        """The events since the last time."""
        events, self._ledger.events = self._ledger.events, []
        return events
