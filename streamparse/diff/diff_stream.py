"""DiffStream: a diff of whatever kind, such as the content of a `patch_file` segment.

Until the text shows what it is, the detector keeps it; then the stream for its kind takes it over.
"""

from __future__ import annotations

import os

from attrs import evolve

from streamparse.diff.detect import Detector, DiffKind
from streamparse.diff.edit_stream import EditStream
from streamparse.diff.index import FileIndex
from streamparse.diff.lines import check_text
from streamparse.diff.match import ANCHOR_SIMILARITY
from streamparse.diff.patch import PatchStream
from streamparse.diff.result import DiffEvent, DiffResult
from streamparse.diff.search_replace import SearchReplaceStream
from streamparse.diff.tree import TreeStream
from streamparse.diff.tree_source import TreeLike
from streamparse.errors import DiffError


class DiffStream:
    """Edits `original` by SEARCH/REPLACE blocks or a patch, while they are being written.

    It is used like `SearchReplaceStream` and `PatchStream`, and takes the options of both; `kind` is None until it is
    known. Text without any diff in it is a failure.
    """

    def __init__(
        self,
        original: str,
        *,
        path: str | os.PathLike[str] | None = None,
        threshold: float = 1.0,
        anchor_similarity: float = ANCHOR_SIMILARITY,
        fix_markers: bool = False,
    ) -> None:
        check_text("text of the file", original)
        self._index = FileIndex(original)  # once, for a stream of either kind
        self._blocks = SearchReplaceStream(
            self._index, path=path, threshold=threshold, anchor_similarity=anchor_similarity, fix_markers=fix_markers
        )
        self._path = path
        self._threshold = threshold
        self._stream: EditStream | None = None
        self._detector = Detector()
        self._result: DiffResult | None = None

    @staticmethod
    def over(
        tree: TreeLike,
        *,
        threshold: float = 1.0,
        anchor_similarity: float = ANCHOR_SIMILARITY,
        fix_markers: bool = False,
    ) -> TreeStream:
        """The same for all files of a tree: the stream that gives each line of the diff to its file."""
        return TreeStream(tree, threshold=threshold, anchor_similarity=anchor_similarity, fix_markers=fix_markers)

    @property
    def kind(self) -> DiffKind | None:
        """`"search_replace"` or `"patch"`, once the text has shown it."""
        return self._detector.kind

    def feed(self, delta: str) -> list[DiffEvent]:
        """The next piece, cut anywhere; returns what is certain now."""
        if self._stream is not None:
            return self._stream.feed(delta)
        self._detector.feed(delta)
        return [] if self.kind is None else self._begin(self._detector.take())

    @property
    def preview(self) -> str:
        """The original with what is certain; while a block is being written, up to the end of its new lines so far."""
        return (self._stream or self._blocks).preview

    @property
    def result(self) -> DiffResult:
        """What has come of it: after finalize of everything, before that of the edits that are complete."""
        return self._result or (self._stream or self._blocks).result

    def finalize(self, *, accept_truncated: bool = False, strict: bool = False, complete: bool = False) -> DiffResult:
        """There is no more; `events` of the result are the last ones.

        `accept_truncated` applies the last edit although the text breaks off in it, perhaps in the middle of a line.
        `complete` says that the text is whole, as that of a segment is whose END was complete: then a last line without
        its ending is no half line, and a count that is too high is only wrong. `strict` raises DiffError, with all
        failures, unless everything was applied. A second call changes nothing.
        """
        if self._result is None:
            events = [] if self._stream is not None else self._begin(self._detector.finish())
            result = (self._stream or self._blocks).finalize(accept_truncated=accept_truncated, complete=complete)
            self._result = evolve(result, events=(*events, *result.events))
        if strict and not self._result.ok:
            raise DiffError(self._result)
        return self._result

    def _begin(self, text: str) -> list[DiffEvent]:
        """The kind is known, or there is no more: the stream for it reads what was kept."""
        self._stream = self._blocks
        if self.kind == "patch":
            self._stream = PatchStream(self._index, path=self._path, threshold=self._threshold)
        return self._stream.feed(text)
