"""What comes of a diff: events while it is written, a `DiffResult` at its end.

The events of a block are `block_started`, then `matched`, `replacement_delta`* and `block_done`, or `failed`. A
block that may belong in several places is decided when everything is there, so its events come behind those of
later blocks. `failed` may also follow `matched`: the block broke off, and what was shown of it is taken out of the
preview.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import field, frozen


class DiffEventType(StrEnum):
    """What can be said about a block."""

    BLOCK_STARTED = "block_started"
    MATCHED = "matched"
    REPLACEMENT_DELTA = "replacement_delta"
    BLOCK_DONE = "block_done"
    FAILED = "failed"


class Strategy(StrEnum):
    """How the place of a block was found, the surest first; what each may differ in is told in `match.py`."""

    EXACT = "exact"
    TRIMMED = "trimmed"
    CONDENSED = "condensed"
    ANCHOR = "anchor"
    FUZZY = "fuzzy"
    #: Lines in the middle are left out, in SEARCH and in REPLACE.
    ELIDED = "elided"
    #: The file is empty, and so are the old lines.
    EMPTY = "empty"
    #: A hunk without old lines, of which its header says where it belongs.
    POSITION = "position"


class EditStatus(StrEnum):
    """What became of a block that is not a failure; one that is truncated may have no place."""

    APPLIED = "applied"
    NOOP = "noop"
    TRUNCATED = "truncated"


class FailureReason(StrEnum):
    """Why a block was not applied."""

    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    OVERLAP = "overlap"
    BAD_MARKER = "bad_marker"
    EMPTY_SEARCH = "empty_search"
    #: The old lines are found, but how deep the new ones are in the file is not certain.
    INDENTATION = "indentation"
    #: A new line says that lines are left out.
    PLACEHOLDER = "placeholder"


@frozen
class Edit:
    """A block that has its place: the lines `start_line` to `end_line` of the original, from 1, both included.

    A pure insertion lies before `start_line`, and `end_line` is one less. Both are None for a block that was cut
    off before its place was known. `fixes` says what was corrected in its markers.
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
class Candidate:
    """The lines of the original that are nearest to a block that was not found.

    `line` is the first that differs: the original has `found` where the block has `expected` (None: nothing there).
    """

    start_line: int
    end_line: int
    similarity: float
    line: int
    expected: str | None
    found: str | None


@frozen
class Failure:
    """A block that was not applied.

    `block` is its text as written, `lines` are the line numbers in question (all places of an ambiguous block),
    `corrected` is the block with proper markers if those were the trouble, and `message` can be sent to the model
    as it is.
    """

    number: int
    reason: FailureReason
    block: str
    message: str
    lines: tuple[int, ...] = ()
    nearest: Candidate | None = None
    corrected: str | None = None


@frozen
class DiffEvent:
    """One event; `number` counts the blocks of the diff from 1. What does not apply is empty."""

    type: DiffEventType
    number: int
    start_line: int | None = None
    end_line: int | None = None
    delta: str = ""
    edit: Edit | None = None
    failure: Failure | None = None


@frozen
class DiffResult:
    """`content` is the original with every edit that succeeded; `ok` says whether that is all of them.

    `events` are those that came at the very end, or all of them if there was but one call. `is_deleted`: the patch
    removes the file, and `content` is empty. `moved_to`: the patch also gives the file that path; to move it is up to
    the caller.
    """

    ok: bool
    content: str
    edits: tuple[Edit, ...] = ()
    failures: tuple[Failure, ...] = ()
    events: tuple[DiffEvent, ...] = field(default=(), repr=False)
    is_deleted: bool = False
    moved_to: str | None = None
