"""A diff for a whole working tree: `apply_to_tree`, and `TreeStream` while it is being written.

    texts = {"src/a.py": "x = 1\\n"}
    apply_to_tree(texts, "src/a.py\\n------- SEARCH\\nx = 1\\n=======\\nx = 2\\n+++++++ REPLACE\\n", write=True)
    texts                                                                  # {"src/a.py": "x = 2\\n"}

Until the text shows what kind of diff it is, the detector keeps it; then `tree_patch.py` or `tree_blocks.py` gives
each line to the stream of its file. `tree_files.py` says what has become of each file so far, `tree_source.py` what a
tree may be.
"""

from __future__ import annotations

from attrs import evolve

from streamparse.diff.detect import Detector, DiffKind
from streamparse.diff.lines import LineFeed
from streamparse.diff.match import ANCHOR_SIMILARITY, Tolerance
from streamparse.diff.result import DiffEvent, TreeResult
from streamparse.diff.tree_blocks import TreeBlocks
from streamparse.diff.tree_edits import EditOptions, TreeEdits
from streamparse.diff.tree_file import OpenPart
from streamparse.diff.tree_files import TreeFiles
from streamparse.diff.tree_patch import TreePatch
from streamparse.diff.tree_source import TreeLike, tree_of, writable
from streamparse.errors import DiffError


class TreeStream:
    """Edits the files of a tree while the diff is being written; used like `DiffStream`.

    `tree` is a directory, a mapping from paths to texts, or a callable that gives the text of a path, or None. The
    events say which file they are about; `file_started` comes before the first block for a file, and whenever the diff
    goes on with another one. Nothing is written before `finalize`.
    """

    def __init__(
        self,
        tree: TreeLike,
        *,
        threshold: float = 1.0,
        anchor_similarity: float = ANCHOR_SIMILARITY,
        fix_markers: bool = False,
    ) -> None:
        Tolerance(threshold, anchor_similarity)  # says what is wrong with them at once
        self._tree = tree_of(tree)
        self._files = TreeFiles(self._tree)
        self._options = EditOptions(threshold, anchor_similarity, fix_markers)
        self._feed = LineFeed()
        self._detector = Detector()
        self._edits: TreeEdits | None = None
        self._result: TreeResult | None = None
        self._is_written = False

    @property
    def kind(self) -> DiffKind | None:
        """`"search_replace"` or `"patch"`, once the text has shown it."""
        return self._detector.kind

    def feed(self, delta: str) -> list[DiffEvent]:
        """The next piece, cut anywhere; returns what is certain now."""
        if self._edits is not None:
            return self._read(self._edits, delta)
        self._detector.feed(delta)
        return [] if self.kind is None else self._begin(self._detector.take())

    @property
    def preview(self) -> dict[str, str | None]:
        """What is at each path that an event has named so far, as far as that is certain: every block that is applied.

        None: there is no file, because it is removed, moved away, or not made yet. A file is moved when its part of the
        diff has ended: until then its text is at the old path.
        """
        return self._files.texts(self._open_part)

    @property
    def result(self) -> TreeResult:
        """What has come of it: after finalize of everything, before that of the edits that are complete."""
        return self._result if self._result is not None else self._collect()

    def finalize(
        self, *, write: bool = False, accept_truncated: bool = False, strict: bool = False, complete: bool = False
    ) -> TreeResult:
        """There is no more; `events` of the result are the last ones.

        `accept_truncated` applies the last edit although the text breaks off in it, perhaps in the middle of a line.
        `complete` says that the text is whole, as that of a segment is whose END was complete. `write` changes the
        tree, if everything can be applied: all files, or none and an error. `strict` raises DiffError, with all
        failures, unless everything was applied. A later call gives the same result, and with `write` it writes that if
        it is not written yet.
        """
        target = writable(self._tree) if write else None
        if self._result is None:
            events = [] if self._edits is not None else self._begin(self._detector.finish())
            assert self._edits is not None
            self._edits.finish(self._feed.finish(), accept_truncated=accept_truncated, complete=complete)
            self._result = evolve(self._collect(), events=(*events, *self._edits.drain()))
        if target is not None and self._result.ok and not self._is_written:
            target.write(self._result.changes)
            self._is_written = True
        if strict and not self._result.ok:
            raise DiffError(self._result)
        return self._result

    def _begin(self, text: str) -> list[DiffEvent]:
        """The kind is known, or there is no more: what was kept is read."""
        kind = TreePatch if self.kind == "patch" else TreeBlocks
        self._edits = kind(self._files, self._feed, self._options)
        return self._read(self._edits, text)

    def _read(self, edits: TreeEdits, delta: str) -> list[DiffEvent]:
        for line in self._feed.feed(delta):
            edits.line(line)
        edits.show_beginning()
        return edits.drain()

    def _collect(self) -> TreeResult:
        part = self._open_part
        files = tuple(self._files.results(part))
        is_ok = all(file.result.ok for file in files)
        return TreeResult(is_ok, files, tuple(self._files.changes(part)) if is_ok else ())

    @property
    def _open_part(self) -> OpenPart:
        return None if self._edits is None else self._edits.open_part


def apply_to_tree(
    tree: TreeLike,
    text: str,
    *,
    write: bool = False,
    threshold: float = 1.0,
    strict: bool = False,
    anchor_similarity: float = ANCHOR_SIMILARITY,
    fix_markers: bool = False,
    accept_truncated: bool = False,
    complete: bool = False,
) -> TreeResult:
    """Apply a diff of any kind to all files that it names; with `write`, all of them or none.

    `tree` is a directory, a mapping from paths to texts, a callable that gives the text of a path, or None, or an
    object with such a `read`. Without `write` it is only read, and `changes` of the result says what would be written;
    a character that the encoding of its file does not have is a failure in any case. `strict` raises DiffError, with
    all failures, unless everything was applied. See `SearchReplaceStream` for the other options.
    """
    stream = TreeStream(tree, threshold=threshold, anchor_similarity=anchor_similarity, fix_markers=fix_markers)
    events = stream.feed(text)
    result = stream.finalize(write=write, accept_truncated=accept_truncated, strict=strict, complete=complete)
    return evolve(result, events=(*events, *result.events))
