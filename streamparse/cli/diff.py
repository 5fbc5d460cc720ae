"""`streamparse diff FILE PATCH`: what a model's diff would change, or the change itself.

    streamparse diff app.py reply.txt              a unified diff of what would change
    streamparse diff app.py reply.txt --preview    the file as it would be
    streamparse diff app.py reply.txt --write      the same, and it is

PATCH is SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block, with prose around it or not; `-` is
standard input. What cannot be applied is said on standard error, in the words a model can be given, and then nothing
is written: the file is replaced as a whole, or not at all. Its bytes need not be UTF-8; those that are not touched
stay as they are.
"""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from contextlib import suppress
from typing import TextIO

from streamparse.cli.endings import CommandError, standard_output
from streamparse.cli.escape import visible
from streamparse.cli.source import open_source
from streamparse.diff import DiffResult, apply_patch, apply_search_replace, detect, patch_paths
from streamparse.diff.lines import ending_of, split_lines
from streamparse.diff.patch import same_path


def apply_diff(path: str, patch: str, *, write: bool, preview: bool) -> None:
    """Do what the command says; raises CommandError if not all of it can be done."""
    is_there = os.path.lexists(path)
    original = _read(path) if is_there else ""
    result = _apply(path, original, _read(patch))
    _show(result.content if preview else _difference(path, original, result), standard_output())
    if not result.ok:
        _explain(result)
        raise CommandError(f"not everything could be applied{', nothing was written' if write else ''}")
    if result.moved_to is not None and not same_path(path, result.moved_to):
        # Where that is, from here, is not for a guess.
        raise CommandError(f"the patch moves the file to {result.moved_to}: move it there first, and apply it then")
    if write and (result.content != original or result.is_deleted or not is_there):
        _write(path, result)


def _read(path: str) -> str:
    with open_source(path) as source:
        return b"".join(source).decode("utf-8", "surrogateescape")


def _apply(path: str, original: str, text: str) -> DiffResult:
    kind = detect(text)
    if kind is None:
        raise CommandError("there is no diff in it: no SEARCH marker, no hunk, no `*** Begin Patch`")
    if kind == "search_replace":
        return apply_search_replace(original, text)
    # The user says which file it is: a patch for one file is for this one, whatever it calls it.
    paths = patch_paths(text)
    is_named = any(same_path(path, other) for other in paths) or len(paths) > 1
    result = apply_patch(original, text, path=path if is_named else None)
    if result.is_deleted and not is_named:
        raise CommandError(f"the patch removes {', '.join(paths) or 'a file'}, which is not this file")
    return result


def _show(text: str, output: TextIO) -> None:
    """A terminal gets nothing that it would obey; a file or another program gets every byte."""
    if output.isatty() or not hasattr(output, "buffer"):
        output.write(visible(text.replace("\r\n", "\n"), output.encoding))
        return
    output.flush()
    output.buffer.write(text.encode("utf-8", "surrogateescape"))
    output.buffer.flush()


def _difference(path: str, original: str, result: DiffResult) -> str:
    new = "/dev/null" if result.is_deleted else f"b/{path}"
    lines = difflib.unified_diff(split_lines(original), split_lines(result.content), f"a/{path}", new)
    return "".join(line if ending_of(line) else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _explain(result: DiffResult) -> None:
    if sys.stderr is None:
        return
    for failure in result.failures:
        print(visible(f"block {failure.number}: {failure.reason.value}: {failure.message}"), file=sys.stderr)
    for edit in result.edits:
        if edit.status == "truncated":
            print(f"block {edit.number}: truncated: the diff breaks off within it", file=sys.stderr)


def _write(path: str, result: DiffResult) -> None:
    """Replace the file in one step: whoever looks sees the old one or the new one."""
    target = os.path.realpath(path)
    try:
        if result.is_deleted:
            os.unlink(target)
            return
        folder = os.path.dirname(target)
        descriptor, temporary = tempfile.mkstemp(prefix=".streamparse-", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(result.content.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, _mode_of(target))
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error


def _mode_of(path: str) -> int:
    with suppress(OSError):
        return os.stat(path).st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
