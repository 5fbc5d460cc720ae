"""Edits to a file while a model is still writing them: SEARCH/REPLACE blocks.

    stream = SearchReplaceStream(original)
    for delta in deltas:
        for event in stream.feed(delta): ...     # block_started, matched, replacement_delta, block_done, failed
        show(stream.preview)
    result = stream.finalize()                   # ok, content, edits, failures

Nothing is written anywhere, and nothing is guessed: a block is applied in the one place it fits, or it is a failure that
says why, in words for the model.

To read the code: `search_replace.py` reads the diff, `markers.py` knows its markers, `match.py` finds
old lines in the file (`index.py`), `replacement.py` writes the new ones, `ledger.py` keeps the books, `hints.py` explains.
"""

from streamparse.diff.result import (
    Candidate,
    DiffEvent,
    DiffEventType,
    DiffResult,
    Edit,
    EditStatus,
    Failure,
    FailureReason,
)
from streamparse.diff.search_replace import SearchReplaceStream, apply_search_replace, construct_new_file_content
from streamparse.errors import DiffError

__all__ = [
    "Candidate",
    "DiffError",
    "DiffEvent",
    "DiffEventType",
    "DiffResult",
    "Edit",
    "EditStatus",
    "Failure",
    "FailureReason",
    "SearchReplaceStream",
    "apply_search_replace",
    "construct_new_file_content",
]
