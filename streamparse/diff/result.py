"""What comes of a diff: events while it is written, a `DiffResult` at its end.

The events of a block are `block_started`, then perhaps `matched` and `replacement_delta`*, and at last one of
`block_done`, `failed` and `truncated`. With the latter two it is not applied, and what was shown of it is taken out of
the preview. A block that may belong in several places is decided when everything is there, so its events come behind
those of later blocks. Over a tree, `file_started` says which file the blocks behind it are for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, StrEnum
from typing import Any

from attrs import field, fields, frozen

from streamparse.directory.file_change import FileChange

#: What is said of a diff that breaks off, unless more is known.
_CUT_OFF = "The diff breaks off. Write its last block to its end."
#: What is said behind the failures of a file that is not written because of them, if the diff has several parts.
_WHOLE = "Send {} again, with what was right and with this corrected."
#: What is said behind all failures of a tree.
_NOTHING = "None of the files was changed: send the whole diff again, with what was right and with this corrected."


@frozen
class Record:
    """What has a plain form that `json.dumps` takes."""

    def to_dict(self) -> dict[str, Any]:
        """Its fields by name, enums as their values and tuples as lists, and the same of all that is in it.

        A result has no `events`, `changes` and `noun`, but its `message` and `cut_off`. A failure has no `is_of_all`.
        """
        return {one.name: _plain(getattr(self, one.name)) for one in fields(type(self)) if one.repr is not False}


def _plain(value: object) -> object:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return value.value if isinstance(value, Enum) else value


class DiffEventType(StrEnum):
    """What can be said about a block, or about the file that the next ones are for.

    file_started          over a tree: the blocks that follow are for this file
    block_started         a block begins
    matched               its place in the file is known
    replacement_delta     some more of its new text
    block_done            it is complete, and applied, unless it was cut off and that is accepted
    failed                it is not applied, and what was shown of it is taken back
    truncated             the diff breaks off in the block, which is not applied
    """

    FILE_STARTED = "file_started"
    BLOCK_STARTED = "block_started"
    MATCHED = "matched"
    REPLACEMENT_DELTA = "replacement_delta"
    BLOCK_DONE = "block_done"
    FAILED = "failed"
    TRUNCATED = "truncated"


class Strategy(StrEnum):
    """How the place of a block was found: how far its old lines may differ from those of the file.

    exact       not at all, once line numbers, a fence or signs for HTML are taken off, which `fixes` says
    trimmed     in indentation and in blanks at the ends of lines
    condensed   also in blank lines, and in typographic quotes, dashes and blanks
    anchor      also in the lines between the first and the last, if these are alike to the degree `anchor_similarity`
    fuzzy       in any line, if all lines are alike to the degree `threshold`; or in one line of context of a hunk
    elided      lines in the middle are left out, with `...` in the old and in the new lines
    empty       there are no old lines, and the file is empty
    position    there are no old lines, and the header of the hunk says where it belongs
    """

    EXACT = "exact"
    TRIMMED = "trimmed"
    CONDENSED = "condensed"
    ANCHOR = "anchor"
    FUZZY = "fuzzy"
    ELIDED = "elided"
    EMPTY = "empty"
    POSITION = "position"


class EditStatus(StrEnum):
    """What became of a block that is not a failure.

    applied          its new text is in the content
    noop             it changes nothing, or is an earlier block once more
    truncated        the diff breaks off in it; its place may not be known. It is applied only with `accept_truncated`
    """

    APPLIED = "applied"
    NOOP = "noop"
    TRUNCATED = "truncated"


class FailureReason(StrEnum):
    """Why a block was not applied.

    not_found        the old lines are not in the file
    ambiguous        they are in several places, or several things may be meant
    overlap          another block changes the same lines
    bad_marker       a marker, a header or the text as a whole is not as it must be
    empty_search     there are no old lines, and the file is not empty
    indentation      the old lines are found, but how deep the new ones are in the file is not certain
    syntax           the file is Python, and would be so no more
    placeholder      a new line says that lines are left out
    no_file          over a tree: the file is not there, cannot be read or written, may not be touched, or is not named;
                     for a single file: the block is below the path of another one
    """

    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    OVERLAP = "overlap"
    BAD_MARKER = "bad_marker"
    EMPTY_SEARCH = "empty_search"
    INDENTATION = "indentation"
    SYNTAX = "syntax"
    PLACEHOLDER = "placeholder"
    NO_FILE = "no_file"


class FileAction(StrEnum):
    """What a diff does to one file of a tree, or would do if everything were applied.

    created          it makes the file; a copy is created, too
    changed          it changes its text, or only its mode
    deleted          it removes the file
    moved            it gives the file another path, and perhaps another text
    unchanged        there is nothing to change
    failed           something in it cannot be applied, and no file of the tree is changed
    """

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    MOVED = "moved"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@frozen
class Edit(Record):
    """A block that has its place: the lines `start_line` to `end_line` of the original, from 1, both included.

    A pure insertion lies before `start_line`, and `end_line` is one less. Both are None for a block that was cut
    off before its place was known. `fixes` says what was corrected in it: the markers of a block, what was wrong in the
    context of a hunk, and in both signs for HTML or of typography, line numbers, and a fence around the lines.
    """

    number: int
    start_line: int | None
    end_line: int | None
    strategy: Strategy | None
    similarity: float
    status: EditStatus
    replacement: str = ""
    fixes: tuple[str, ...] = ()


@frozen
class Candidate(Record):
    """The lines of the original that are nearest to a block that was not found.

    `line` is the first that differs: the original has `found` where the block has `expected`. If `found` is None, the
    original has no such line before `line`; if `expected` is None, the block leaves that line of the original out.
    """

    start_line: int
    end_line: int
    similarity: float
    line: int
    expected: str | None
    found: str | None


@frozen
class Failure(Record):
    """A block that was not applied.

    `block` is its text as written, `lines` are the line numbers in question (all places of an ambiguous block),
    `corrected` is the block with proper markers if those were the trouble (over a tree, behind the path that stood in
    its first marker), and `message` can be sent to the model as it is.
    """

    number: int
    reason: FailureReason
    block: str
    message: str
    lines: tuple[int, ...] = ()
    nearest: Candidate | None = None
    corrected: str | None = None
    #: Over a tree, the path of the file that the block is for.
    path: str | None = None
    #: Whether it is about the diff as a whole: then no block has its number.
    is_of_all: bool = field(default=False, repr=False)


@frozen
class DiffEvent(Record):
    """One event; `number` counts the blocks of the diff from 1. What does not apply is empty.

    Over a tree, `path` is the file. `file_started` has no number but 0, and `action` and `moved_to` are what the diff
    wants to be done to it, as far as that is known before its first block: it is `created` if it is not there and a
    block may make it, and `failed` if nothing can be done to it.
    """

    type: DiffEventType
    number: int
    start_line: int | None = None
    end_line: int | None = None
    delta: str = ""
    edit: Edit | None = None
    failure: Failure | None = None
    path: str | None = None
    action: FileAction | None = None
    moved_to: str | None = None


@frozen
class DiffResult(Record):
    """`content` is the original with every edit that succeeded; `ok` says whether that is all of them.

    `events` are those that came at the very end, or all of them if there was but one call. `is_deleted`: the patch
    removes the file, and `content` is empty. `moved_to` and `mode` (0o644 or 0o755): the patch also gives the file that
    path, and says whether it may be executed; to do so is up to the caller. `cut_off` says in words for the model what
    is missing if the diff breaks off, and is empty if it does not. `noun` is what `message` calls an edit: `block` or
    `hunk`.
    """

    ok: bool
    content: str
    edits: tuple[Edit, ...] = ()
    failures: tuple[Failure, ...] = ()
    events: tuple[DiffEvent, ...] = field(default=(), repr=False)
    is_deleted: bool = False
    moved_to: str | None = None
    mode: int | None = None
    #: What its parts are called in sentences: "block" or "hunk".
    noun: str = field(default="block", repr=False)
    #: If the diff breaks off: what is missing, in a sentence for the model.
    cut_off: str = ""

    @property
    def message(self) -> str:
        """Everything that was not applied, a line for each, in words for the model; empty if all was."""
        return "\n".join(_complaints([("", self)]))

    def to_dict(self) -> dict[str, Any]:
        """Its fields, but for `events` and the like, and its `message`."""
        return {**super().to_dict(), "message": self.message}

    @property
    def numbers(self) -> list[int]:
        """The numbers of its blocks, applied or not, in order."""
        failed = (failure.number for failure in self.failures if not failure.is_of_all)
        return sorted({*(edit.number for edit in self.edits), *failed})


@frozen
class FileResult(Record):
    """What a diff does to one file of a tree, all of its sections together.

    `path` is where the file was, or is made; empty if the diff does not name it. `result` has its content, and the
    edits and failures of all sections, which are counted through the whole diff. The lines of a later section are those
    of the result of the earlier one.
    """

    path: str
    action: FileAction
    result: DiffResult
    moved_to: str | None = None
    #: 0o644 or 0o755, if the diff says so.
    mode: int | None = None


@frozen
class TreeResult(Record):
    """`files` are all that the diff is about, in the order in which it names them first.

    Only if `ok` there are `changes`, one for each file that is to be other than it was. `events` are those that came at
    the very end, or all of them if there was but one call.
    """

    ok: bool
    files: tuple[FileResult, ...] = ()
    changes: tuple[FileChange, ...] = field(default=(), repr=False)
    events: tuple[DiffEvent, ...] = field(default=(), repr=False)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Those of all files, in the order of the files."""
        return tuple(failure for file in self.files for failure in file.result.failures)

    @property
    def cut_off(self) -> str:
        """If the diff breaks off: what is missing, in a sentence for the model."""
        return next((file.result.cut_off for file in self.files if file.result.cut_off), "")

    @property
    def message(self) -> str:
        """Everything that was not applied, a line for each, in words for the model; empty if all was."""
        sentences = _complaints([(file.path, file.result) for file in self.files])
        return "\n".join([*sentences, _NOTHING]) if sentences else ""

    def to_dict(self) -> dict[str, Any]:
        """Its fields, but for `events` and the like, and its `message` and `cut_off`."""
        return {**super().to_dict(), "message": self.message, "cut_off": self.cut_off}


def _complaints(results: Sequence[tuple[str, DiffResult]]) -> list[str]:
    """What was not applied, each behind its path and, among several blocks, its number; what is about a file once."""
    has_several = sum(len(result.numbers) for _, result in results) > 1
    sentences: dict[str, None] = {}
    for path, result in results:
        places = _places_of(result, path)
        for failure in result.failures:
            is_about_file = failure.is_of_all or failure.reason is FailureReason.NO_FILE or len(places) == 1
            has_number = has_several and not failure.is_of_all
            place = path if path and is_about_file else places[failure.number] if has_number else ""
            sentences[_told(place, failure.message)] = None
        is_cut = not result.failures or any(edit.status is EditStatus.TRUNCATED for edit in result.edits)
        if is_cut and not result.ok:
            sentences[_told(path, result.cut_off or _CUT_OFF)] = None
    return list(sentences)


def told_unwritten(path: str, result: DiffResult) -> str:
    """What was not applied, for a model whose edits of one file are made all or none; `path` as it is to be shown."""
    again = [_WHOLE.format("all blocks" if result.noun == "block" else "the whole patch")]
    again = again if len(result.numbers) > 1 else []
    return "\n".join([f"Nothing was changed in {path}.", result.message, *again])


def _places_of(result: DiffResult, path: str) -> dict[int, str]:
    """What each block is called, by its number in the diff: of a file of a tree, by how many of that file there are."""
    if not path:
        return {number: f"{result.noun} {number}" for number in result.numbers}
    return {number: f"{result.noun} {count} of {path}" for count, number in enumerate(result.numbers, 1)}


def _told(place: str, sentence: str) -> str:
    """The sentence behind what it is about, unless it begins with that, as `cannot read a.py: …` does."""
    begins_so = re.match(rf"(?:cannot \w+ )?{re.escape(place)}(?: is\b|:)", sentence)
    return sentence if not place or begins_so else f"{place}: {sentence}"
