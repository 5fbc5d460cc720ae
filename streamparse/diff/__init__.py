"""Edits to a file while a model is still writing them: SEARCH/REPLACE blocks, unified diffs, `*** Begin Patch` blocks.

    result = apply_to_tree("path/to/project", text, write=True)      a diff of any kind that names its files
    result = apply_patch(original, text)                             a patch for one text
    result = apply_search_replace(original, text)                    SEARCH/REPLACE blocks for one text
    result = str_replace(original, old, new)                         an edit as tools of models have it
    result.ok, result.message                                        what was not applied, in words for the model

    stream = DiffStream(original)                                    the same while the model writes: TreeStream for a
    for delta in deltas:                                             tree, PatchStream and SearchReplaceStream for one
        for event in stream.feed(delta): ...                         kind; block_started, matched, …, block_done, failed
        show(stream.preview)
    result = stream.finalize()                                       ok, content, edits, failures, and the last events

`complete=True` says that the model has finished by itself: else a patch without a line break at its end may be cut off,
and its last hunk is not applied. `detect` says which kind of diff a text is, `named_paths` which files it names.
Nothing is written anywhere but by `write=True` for a tree, and nothing is guessed: a block is applied in the one place
it fits, or it is a failure that says why. The numbers of lines are those of `split_lines`.
"""

# For maintainers: where things are.
#
# The way of a diff, from the call down:
#
#   apply_patch            PatchStream            edit_stream.py ─► lines (lines.py) ─► ledger.py: which block has which
#   apply_search_replace   SearchReplaceStream      lines of the file ─► events and DiffResult (result.py), or a failure
#   DiffStream             one of these two         in words (hints.py, block_hints.py, patch_hints.py;
#                          (detect.py, diff_stream.py)              nearest.py: what was near)
#   apply_to_tree          TreeStream             tree.py ─► tree_patch.py or tree_blocks.py (tree_edits.py: what these
#                                                   share): such a stream for each file (tree_files.py, tree_file.py,
#                                                   tree_source.py)
#   str_replace                                   str_replace.py: a text, or a block, without a stream;
#                                                   text_lines.py: are whole lines meant?
#
#   a patch    patch.py ─► patch_reader.py (hunk_header.py: `@@`) ─► file_sections.py: is it for this file? ─► hunk.py
#              ─► hunk_placer.py ─► hunk_finder.py ─► match.py ─► hunk_text.py: the new lines. At the end,
#              patch_ending.py, hunk_cut.py: was it cut off?
#   blocks     search_replace.py ─► markers.py ─► block.py ─► separators.py ─► match.py ─► replacement.py: the new lines
#
# Where to look if something is wrong (a block and a hunk are both a change, `change.py`):
#
#   a line is read as something else    patch_reader.py, patch_line.py, bare_hunk.py (no `@@`), hunk_prose.py,
#                                       lost_mark.py (no `+`, or no `-`), margin.py (indented as a whole); markers.py,
#                                       separators.py, loose.py (almost one), patch_outside.py (a patch beside blocks)
#   what a header says about a file     section.py, git_header.py; header_names.py: how names are written
#   a part is for another file          file_sections.py, same_path.py; before blocks file_names.py, name_forms.py (how
#                                       they are written there), announcements.py (what is said of them), and
#                                       block_paths.py (for a single file)
#   old lines are found, or not         match.py, in what index.py, table.py, packed.py make of the file, and place.py;
#                                       alike.py, similarity.py, words.py: only similar; dressing.py: in a fence, as
#                                       HTML, with `...`; typography.py: with other quotes and dashes; context.py,
#                                       all_but_one.py: one line of context is wrong
#   a hunk is in the wrong place        hunk_placer.py, numbers.py, at_number.py, headings.py (`@@ def f():`)
#   numbers in front of lines           numbering.py
#   which lines are new                 alignment.py; hunk_lines.py
#   how deep a new line is              reindent.py, with the lines of a change as change_rows.py has them; indent.py:
#                                       the rule that old lines show; reference.py: which way;
#                                       evidence.py, resemblance.py: no rule; reindent_doubt.py: not certain;
#                                       around.py, structure.py: what lines of the file show; early_indentation.py:
#                                       while a block comes
#   it is written as other blocks are   ways.py: with line numbers, for HTML, with another indentation or `\r`
#   a block has no lines of the file,   ledger.py; equal_changes.py: there are several places; contested_lines.py:
#   or others than it should            several blocks wait for them
#   it may be meant elsewhere, or was   elsewhere.py; earlier_parts.py: by the patch itself; repeated.py: it is given
#   made before                         twice, or builds on another
#   blank lines                         replacement.py, blank_lines.py
#   it must not be applied              `objection` of block.py; new_dressing.py: what only new lines have around them;
#                                       hunk_doubt.py, hunk_gaps.py; placeholder.py, python.py
#   which files are named               named_paths.py
#   a tree on a disk                    `streamparse.directory`

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
