"""Edits to a file while a model is still writing them: SEARCH/REPLACE blocks, unified diffs, `*** Begin Patch` blocks.

    stream = DiffStream(original)
    for delta in deltas:
        for event in stream.feed(delta): ...     # block_started, matched, replacement_delta, block_done, failed
        show(stream.preview)
    result = stream.finalize()                   # ok, content, edits, failures

`DiffStream` finds out which kind of diff it is (`detect`); `SearchReplaceStream` and `PatchStream` are for one kind.
`apply_to_tree(tree, text)` and `TreeStream` are for a diff of any kind that names its files.
`str_replace` is an edit of one text, as tools of models have it.

Nothing is written anywhere but by `write=True` for a tree, and nothing is guessed: a block is applied in the one place
it fits, or it is a failure that says why, in words for the model. The numbers of lines are those of `split_lines`.

To read the code, follow a delta: `edit_stream.py` is what both streams share. `search_replace.py` makes blocks
(`block.py`) of the lines: `markers.py` knows their markers, `separators.py` which line separates, `loose.py` what was
only meant to be one. `patch.py` gets hunks (`hunk.py`, `headings.py`) from `patch_reader.py`. `match.py` finds the old
lines of both in the file (`index.py`, `table.py`, `packed.py`; `alike.py`, `similarity.py` and `words.py` if they are
only similar, `dressing.py` if they are in a fence or some are left out, `context.py` if one line of a hunk's context is
wrong) and gives places (`place.py`; `numbers.py`: what the numbers of hunks are worth). `replacement.py` and
`hunk_text.py` write the new lines there (`alignment.py`:
which of them are old; `indent.py`: how deep they are; `evidence.py` and `structure.py` where the old lines do not show
it; `blank_lines.py`: where blank lines may be meant otherwise; `placeholder.py`: which are no lines; `python.py`:
whether the file is Python still). `ledger.py` keeps the books about changes (`change.py`), `hints.py` says why one
failed (`nearest.py` what was near), and `result.py` is what comes of it. `str_replace.py` makes a block of its two
texts.

A tree: `tree.py` gives each line to `tree_patch.py` or `tree_blocks.py` (`tree_edits.py` is what these share), which
make the streams above for one file after another. `file_names.py` reads the names before blocks, `tree_files.py` knows
what has become of each file, and `tree_source.py` where texts come from. A tree on a disk is a
`streamparse.directory`.
"""

from streamparse.diff.detect import detect
from streamparse.diff.diff_stream import DiffStream
from streamparse.diff.lines import split_lines
from streamparse.diff.named_paths import named_paths, patch_paths
from streamparse.diff.patch import PatchStream, apply_patch
from streamparse.diff.result import (
    Candidate,
    DiffEvent,
    DiffEventType,
    DiffResult,
    Edit,
    EditStatus,
    Failure,
    FailureReason,
    FileAction,
    FileResult,
    Strategy,
    TreeResult,
)
from streamparse.diff.search_replace import SearchReplaceStream, apply_search_replace, construct_new_file_content
from streamparse.diff.str_replace import str_replace
from streamparse.diff.tree import TreeStream, apply_to_tree
from streamparse.directory.directory import Directory
from streamparse.directory.file_change import FileChange
from streamparse.errors import DiffError, TreeError

__all__ = [
    "Candidate",
    "DiffError",
    "DiffEvent",
    "DiffEventType",
    "DiffResult",
    "DiffStream",
    "Directory",
    "Edit",
    "EditStatus",
    "Failure",
    "FailureReason",
    "FileAction",
    "FileChange",
    "FileResult",
    "PatchStream",
    "SearchReplaceStream",
    "Strategy",
    "TreeError",
    "TreeResult",
    "TreeStream",
    "apply_patch",
    "apply_search_replace",
    "apply_to_tree",
    "construct_new_file_content",
    "detect",
    "named_paths",
    "patch_paths",
    "split_lines",
    "str_replace",
]
