"""`streamparse diff FILE PATCH`: what a model's diff would change, or the change itself.

    streamparse diff app.py reply.txt              a unified diff of what would change
    streamparse diff app.py reply.txt --preview    the file as it would be
    streamparse diff app.py reply.txt --write      the same, and it is

PATCH is SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block, with prose around it or not; `-` is
standard input. What cannot be applied is said on standard error, in the words a model can be given, and then nothing
is written: the file is replaced as a whole, or not at all, and only if it is still what the diff was applied to. Its
bytes need not be UTF-8; those that are not touched stay as they are.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
import sys
import tempfile
from contextlib import suppress
from typing import TextIO

from streamparse.cli.endings import CommandError, standard_output
from streamparse.cli.escape import visible
from streamparse.cli.source import open_source
from streamparse.diff import DiffResult, apply_patch, apply_search_replace, detect, patch_paths
from streamparse.diff.lines import ending_of, split_lines
from streamparse.diff.patch import is_path_of, same_path
from streamparse.diff.patch_reader import NOWHERE

#: What git does not write as it is in the name of a file.
_UNPLAIN = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}


def apply_diff(path: str, patch: str, *, write: bool, preview: bool) -> None:
    """Do what the command says; raises CommandError if not all of it can be done."""
    # The patch first: it may take minutes to come, and the file may change in the meantime.
    text = _read_patch(patch)
    before = _read(path)
    original = _decoded(before or b"")
    result = _apply(path, original, text)
    _show(result.content if preview else _difference(path, original, result, is_new=before is None), standard_output())
    if not result.ok:
        _explain(result)
        raise CommandError(f"not everything could be applied{', nothing was written' if write else ''}")
    if result.moved_to is not None and not is_path_of(os.path.abspath(path), result.moved_to):
        # Where that is, from here, is not for a guess.
        raise CommandError(f"the patch moves the file to {result.moved_to}: move it there first, and apply it then")
    if write and (result.content != original or result.is_deleted or before is None):
        _write(path, before, result)


def _read_patch(path: str) -> str:
    with open_source(path) as source:
        return _decoded(b"".join(source))


def _read(path: str) -> bytes | None:
    """What is in the file, which may be called `-`; None if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from error


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


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


def _difference(path: str, original: str, result: DiffResult, *, is_new: bool) -> str:
    old = NOWHERE if is_new else _quoted(f"a/{path}")
    new = NOWHERE if result.is_deleted else _quoted(f"b/{path}")
    lines = difflib.unified_diff(split_lines(original), split_lines(result.content), old, new)
    return "".join(line if ending_of(line) else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _quoted(name: str) -> str:
    """The name as git writes it: one with control characters, quotes or backslashes in quotes, with these escaped."""
    return f'"{_UNPLAIN.sub(_escaped, name)}"' if _UNPLAIN.search(name) else name


def _escaped(match: re.Match[str]) -> str:
    return f"\\{_ESCAPES.get(match[0]) or format(ord(match[0]), '03o')}"


def _explain(result: DiffResult) -> None:
    if sys.stderr is None:
        return
    for failure in result.failures:
        print(visible(f"block {failure.number}: {failure.reason.value}: {failure.message}"), file=sys.stderr)
    for edit in result.edits:
        if edit.status == "truncated":
            print(f"block {edit.number}: truncated: the diff breaks off within it", file=sys.stderr)


def _write(path: str, before: bytes | None, result: DiffResult) -> None:
    """Replace the file in one step: whoever looks sees the old one or the new one."""
    target = os.path.realpath(path)
    try:
        if result.is_deleted:
            _check_unchanged(path, target, before)
            os.unlink(target)
            return
        folder = os.path.dirname(target)
        descriptor, temporary = tempfile.mkstemp(prefix=".streamparse-", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(result.content.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())
            _take_after(temporary, target)
            _check_unchanged(path, target, before)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error


def _check_unchanged(path: str, target: str, before: bytes | None) -> None:
    """Raises unless the file is as it was read, and may be written to: that its folder may be is not enough."""
    if os.path.exists(target) and not os.path.isfile(target):
        raise CommandError(f"cannot write {path}: it is not a regular file")
    now: bytes | None = None
    with suppress(FileNotFoundError), open(target, "r+b") as file:
        now = file.read()
    if now != before:
        raise CommandError(f"{path} has changed in the meantime, nothing was written")


def _take_after(temporary: str, target: str) -> None:
    """Give it the owner, the group and the mode of the file it replaces, or the mode of a new file."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        return
    for owner in (status.st_uid, -1):  # who may not give files away may still choose among their own groups
        with suppress(OSError, AttributeError):
            os.chown(temporary, owner, status.st_gid)
            break
    os.chmod(temporary, stat.S_IMODE(status.st_mode))
