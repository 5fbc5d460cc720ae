"""One file of a tree while a diff is applied to it, wherever it goes.

    a.py  "x = 1\\n"  ->  "x = 2\\n"  ->  moved to b.py        one TreeFile: its origin is a.py, its path is b.py now

The parts of the diff for the file are applied one after another, each to what the one before has made of it.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import Factory, define, evolve, frozen

from streamparse.diff.edit_stream import EditStream
from streamparse.diff.index import FileIndex
from streamparse.diff.ledger import Ledger
from streamparse.diff.repeated import MadeEdits
from streamparse.diff.result import DiffResult, FileAction, FileResult
from streamparse.directory.file_change import FileChange


@define(eq=False)
class TreeFile:
    """A file, wherever it goes; or a path at which there is none."""

    #: Where it was when the diff first named it, and where it is now.
    origin: str
    path: str
    #: Its text now; None if there is no file.
    text: str | None
    #: Its text when the diff first named it; None if there was no file.
    first_text: str | None
    mode: int | None = None
    #: The file of the tree of which the diff has made it.
    copied_from: str | None = None
    #: What became of each part of the diff for it; only the last still has its content.
    results: list[DiffResult] = Factory(list)
    #: How many blocks there were for it.
    told: int = 0
    #: The edits that were made to it.
    made: MadeEdits = Factory(MadeEdits)
    #: The first text that a part has made of it, if that is not empty.
    made_text: str = ""
    #: Its text and mode before the last patch that changed it, and which one that was.
    patch: int | None = None
    text_before: str | None = None
    mode_before: int | None = None
    _index: FileIndex = Factory(lambda: FileIndex(""))

    @property
    def source(self) -> str | None:
        """The file of the tree that it comes from, if there is one: what it was, or what it is a copy of."""
        return self.copied_from or (None if self.first_text is None else self.origin)

    def add(self, result: DiffResult) -> None:
        """What became of one more part of the diff."""
        self.results[-1:] = [evolve(last, content="") for last in self.results[-1:]]
        self.results.append(result)
        self.told += len(result.numbers)
        self.made_text = self.made_text or result.content

    def lend_to(self, ledger: Ledger) -> None:
        """What the parts of the diff so far have shown of the file, for the next one."""
        ledger.told, ledger.made = self.told, self.made
        if self.results:
            ledger.is_python = False  # the diff comes back to the file: then it is checked once, at the end

    def index(self, text: str) -> FileIndex:
        """What is known of a text for this path: all parts of the diff share the budgets, and what is found out."""
        if self._index.original != text:
            self._index = self._index.successor(text)
        return self._index

    def forget(self) -> None:
        """Keep nothing of its text but the budgets."""
        self._index = self._index.successor("")

    def before(self, patch: int) -> tuple[str | None, int | None]:
        """Its text and mode when that patch, the last one so far, began."""
        return (self.text_before, self.mode_before) if self.patch == patch else (self.text, self.mode)

    def set(self, text: str | None, patch: int, mode: int | None = None) -> None:
        """What a part of that patch has made of it."""
        (self.text_before, self.mode_before), self.patch = self.before(patch), patch
        self.text, self.mode = text, self.mode if mode is None else mode
        if text != self._index.original:
            self.forget()

    @property
    def result(self) -> FileResult:
        """What all parts of the diff for it come to, of which there must be one."""
        return FileResult(self.origin, self._action, _joined(self.results), self._moved_to, self.mode)

    @property
    def is_ok(self) -> bool:
        """Whether all parts of the diff for it could be applied."""
        return all(result.ok for result in self.results)

    @property
    def _moved_to(self) -> str | None:
        return self.path if self.path != self.origin else None

    @property
    def _action(self) -> FileAction:
        if not self.is_ok:
            return FileAction.FAILED
        if self.text is None:
            return FileAction.UNCHANGED if self.first_text is None else FileAction.DELETED
        if self.first_text is None:
            return FileAction.CREATED
        if self._moved_to is not None:
            return FileAction.MOVED
        return FileAction.UNCHANGED if self.text == self.first_text and self.mode is None else FileAction.CHANGED

    @property
    def change(self) -> FileChange | None:
        """What is to be done to it; None if it is what it was."""
        if self.text is None:
            return None if self.first_text is None else FileChange(self.origin, self.first_text, None)
        if self.first_text is None:
            return FileChange(self.path, None, self.text, None, self.mode, self.copied_from)
        if self.text == self.first_text and self._moved_to is None and self.mode is None:
            return None
        return FileChange(self.origin, self.first_text, self.text, self._moved_to, self.mode, self.copied_from)


@frozen
class Source:
    """What a copy is made of: a text, its mode if that is known, and the file of the tree that it comes from."""

    text: str | None
    mode: int | None
    path: str | None


#: A file of which a part of the diff has not ended, and what edits it.
OpenPart: TypeAlias = tuple[TreeFile, EditStream] | None


def _joined(results: list[DiffResult]) -> DiffResult:
    """One result for all parts of the diff for a file: the edits of all, and the content of the last."""
    last = results[-1]
    return DiffResult(
        ok=all(result.ok for result in results),
        content=last.content,
        edits=tuple(edit for result in results for edit in result.edits),
        failures=tuple(failure for result in results for failure in result.failures),
        is_deleted=last.is_deleted,
        moved_to=next((result.moved_to for result in reversed(results) if result.moved_to), None),
        mode=next((result.mode for result in reversed(results) if result.mode is not None), None),
        noun=last.noun,
        cut_off=next((result.cut_off for result in results if result.cut_off), ""),
    )
