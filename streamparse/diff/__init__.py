"""Edits to a file while a model is still writing them: SEARCH/REPLACE blocks, unified diffs, `*** Begin Patch` blocks.

    stream = SearchReplaceStream(original)
    for delta in deltas:
        for event in stream.feed(delta): ...     # block_started, matched, replacement_delta, block_done, failed
        show(stream.preview)
    result = stream.finalize()                   # ok, content, edits, failures

`PatchStream` does the same for patches, and `detect` tells which of both a text is for.

Nothing is written anywhere, and nothing is guessed: a block is applied in the one place it fits, or it is a failure
that says why, in words for the model.

To read the code: `edit_stream.py` is what both streams share; `search_replace.py` reads the diff, `markers.py` knows
its markers; `patch.py` and `patch_reader.py` do so for patches. `match.py` finds old lines in the file (`index.py`),
`replacement.py` writes the new ones (`alignment.py`: which of them are old; `indent.py`), `ledger.py` keeps the books,
`hints.py` explains.
"""

from streamparse.diff.detect import detect
from streamparse.diff.patch import PatchStream, apply_patch, patch_paths
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
    "PatchStream",
    "SearchReplaceStream",
    "apply_patch",
    "apply_search_replace",
    "construct_new_file_content",
    "detect",
    "patch_paths",
]
