"""`streamparse diff`: what a model's diff would change in a file or in a whole tree, or the change itself.

    streamparse diff app.py reply.txt              a unified diff of what would change
    streamparse diff app.py reply.txt --preview    the file as it would be
    streamparse diff app.py reply.txt --write      the file is changed, and a unified diff is shown
    streamparse diff reply.txt --root .            the same for all files that the diff names

PATCH is SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block, with prose around it or not; `-` is
standard input. What cannot be applied is said on standard error, and then nothing is written: in the words that
`TreeResult.message` has for a model, or for one file those of the tool `patch_file`. Files are read and written by
`Directory`: all of them or none, only if they are still what the diff was applied to, and in their own encoding.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from attrs import evolve, frozen

from streamparse.cli.endings import CommandError, WrongUsageError, standard_output
from streamparse.cli.escape import visible, visible_line
from streamparse.cli.source import open_source
from streamparse.cli.unified import difference, headers
from streamparse.diff import (
    DiffResult,
    Directory,
    Failure,
    FailureReason,
    FileAction,
    FileChange,
    FileResult,
    TreeError,
    apply_patch,
    apply_search_replace,
    apply_to_tree,
    detect,
    named_paths,
    patch_paths,
)
from streamparse.diff.detect import DiffKind
from streamparse.diff.name_forms import is_word_of
from streamparse.diff.named_paths import makes_file
from streamparse.diff.result import told_unwritten
from streamparse.diff.same_path import is_path_of, names_in, same_path
from streamparse.directory.encoding import UTF_8, Encoding, decode_patch

#: Texts that are shown one behind the other, each with the encoding of its file.
_Parts = Sequence[tuple[str, Encoding]]
#: So many other files of a diff are listed.
_LISTED = 5


@frozen
class DiffOptions:
    """What the command line says besides the names of files."""

    root: str | None = None
    only: bool = False
    write: bool = False
    preview: bool = False
    complete: bool = False
    encoding: str | None = None


def apply_diff(paths: Sequence[str], options: DiffOptions) -> None:
    """Do what the command says; raises CommandError if not all of it can be done."""
    if len(paths) != (2 if options.root is None else 1):
        raise WrongUsageError("give FILE and PATCH, or PATCH and --root DIR")
    if options.only and options.root is not None:
        raise WrongUsageError("--only is for FILE and PATCH")
    # The patch first: it may take minutes to come, and a file may change in the meantime.
    text = _read_patch(paths[-1], options.encoding)
    kind = detect(f"{text}\n")  # its last line need not have an end
    if kind is None:
        name = "standard input" if paths[-1] == "-" else paths[-1]
        is_swapped = options.root is None and _holds_diff(paths[0])
        order = f"; is it in {paths[0]}? The order is FILE PATCH" if is_swapped else ""
        raise CommandError(f"there is no diff in {name}: no SEARCH marker, no hunk, no `*** Begin Patch`{order}")
    try:
        if options.root is None:
            _apply_to_file(paths[0], text, kind, options)
        else:
            _apply_to_root(options.root, text, options)
    except TreeError as error:
        raise CommandError(str(error)) from error


def _holds_diff(path: str) -> bool:
    """Whether there is a diff in the file, which may have been given in the place of PATCH."""
    root, name = _located(path)
    try:
        return detect(f"{Directory(root).read(name) or ''}\n") is not None
    except TreeError:
        return False


def _read_patch(path: str, encoding: str | None) -> str:
    with open_source(path) as source:
        try:
            return decode_patch(b"".join(source), encoding)
        except TreeError as error:
            raise WrongUsageError(str(error)) from error


# --- a tree


def _apply_to_root(root: str, text: str, options: DiffOptions) -> None:
    directory = Directory(root, encoding=options.encoding)
    result = apply_to_tree(directory, text, complete=options.complete)
    if not result.ok:
        _tell(result.message)
        _tell_files(result.files, is_written=False)
        may_be_other = any(_may_be_other(directory, file.path, file.result, options) for file in result.files)
        raise _incomplete([file.result for file in result.files], options, "a file" if may_be_other else "")
    shown = [part for change in result.changes for part in _parts(directory, change.path, change, options)]
    try:
        _carry_out(directory, result.changes, result.files, shown, options)
    except TreeError as error:
        raise _unwritten(error, str(error)) from error


def _carry_out(
    directory: Directory,
    changes: Sequence[FileChange],
    files: Sequence[FileResult],
    shown: _Parts,
    options: DiffOptions,
) -> None:
    """Write, if that is asked for, and then show what changes, with a line for each file."""
    try:
        if options.write:
            directory.write(changes)
        elif changes:
            directory.check_journal()  # as writing them would
    except TreeError:
        _tell_files(files, is_written=False)
        raise
    try:
        _show(shown)
    finally:  # also if nobody reads the rest
        _tell_files(files, is_written=options.write)


def _unwritten(error: TreeError, told: str) -> CommandError:
    """What to say if nothing was written; without a reason of its own, the error says what has become of the files."""
    return CommandError(f"{told}, nothing was written" if error.reason else str(error))


def _tell_files(files: Sequence[FileResult], *, is_written: bool) -> None:
    for file in files:
        path, action = file.path or "(which file is not certain)", file.action.value
        if not is_written:
            is_done = file.action in (FileAction.FAILED, FileAction.UNCHANGED)
            action = f"{action if is_done else f'would be {action}':<16}"
        _tell(visible_line(f"{action:<9} {path if file.moved_to is None else f'{path} -> {file.moved_to}'}"))


# --- one file


def _apply_to_file(path: str, text: str, kind: DiffKind, options: DiffOptions) -> None:
    if os.path.isdir(path):
        raise CommandError(f"{path} is a directory: give PATCH and --root {path}")
    root, name = _located(path)
    try:
        directory = Directory(root, encoding=options.encoding)
        before = directory.read(name)
    except TreeError as error:
        raise CommandError(f"cannot read {path}: {error.reason}" if error.reason else str(error)) from error
    result = _applied(path, before, text, kind, options)
    after = None if result.is_deleted else result.content
    is_missing = result.ok and (after is None or not (result.edits or makes_file(text)))
    if before is None and (is_missing or any(one.reason is FailureReason.NOT_FOUND for one in result.failures)):
        raise CommandError(f"cannot {'remove' if after is None else 'change'} {path}: there is no such file")
    change = FileChange(name, before, after, mode=result.mode)
    unwritable = _unwritable(directory, path, change)
    shown = [] if unwritable else _parts(directory, name, evolve(change, path=_path_for_git(path)), options)
    if unwritable or not result.ok:
        result = evolve(result, ok=False, failures=(*result.failures, *unwritable))
        _show(shown)
        _tell(told_unwritten(visible_line(path), result))
        raise _incomplete([result], options, "FILE" if _may_be_other(directory, name, result, options) else "")
    _check_place(path, os.path.join(root, name), result)
    target = f"{_path_for_git(os.path.realpath(path))} (through {path})"
    file = FileResult(target if os.path.islink(path) else path, _action(directory, change), result, mode=result.mode)
    try:
        _carry_out(directory, [change], [file], shown, options)
    except TreeError as error:
        raise _unwritten(error, f"cannot write {path}: {error.reason}") from error


def _unwritable(directory: Directory, path: str, change: FileChange) -> list[Failure]:
    """Why the new text could not be written, if so."""
    try:
        directory.check(change)
    except TreeError as error:
        return [Failure(0, FailureReason.NO_FILE, "", f"cannot write {path}: {error.reason}", is_of_all=True)]
    return []


def _check_place(path: str, target: str, result: DiffResult) -> None:
    """Raises CommandError for what is only done with `--root`: `target` is the file, `path` how the user names it."""
    if result.moved_to is not None and not is_path_of(os.path.abspath(path), result.moved_to):
        # Where that is, from here, is not for a guess.
        raise CommandError(
            f"the patch moves the file to {result.moved_to}, "
            "which --root DIR does; or move it there first, and apply it then"
        )
    if result.is_deleted and os.path.islink(path):
        raise CommandError(f"cannot remove {path}: it is a symbolic link to {target}")


def _action(directory: Directory, change: FileChange) -> FileAction:
    """What is to become of the file, which is not moved."""
    if change.after is None:
        return FileAction.DELETED
    if change.before is None:
        return FileAction.CREATED
    is_same = change.after == change.before and not _changes_mode(directory, change.path, change)
    return FileAction.UNCHANGED if is_same else FileAction.CHANGED


def _changes_mode(directory: Directory, name: str, change: FileChange) -> bool:
    return change.mode is not None and bool(change.mode & 0o111) is not directory.is_executable(name)


def _located(path: str) -> tuple[str, str]:
    """The innermost folder that is there, and the path of the file from there. The user may name a file by a link."""
    root, name = os.path.split(os.path.realpath(path))
    while not os.path.lexists(root):
        root, last = os.path.split(root)
        name = f"{last}/{name}"
    return root, name


def _path_for_git(path: str) -> str:
    """The path from the working directory, if the file is in there, else from the root: git refuses `..` and `//`."""
    within = os.path.abspath(path).removeprefix(os.path.join(os.getcwd(), ""))
    return os.path.splitdrive(within)[1].lstrip(os.sep).replace(os.sep, "/")


def _applied(path: str, before: str | None, text: str, kind: DiffKind, options: DiffOptions) -> DiffResult:
    """What comes of the part of a diff that is for the file: all of it, if it names none."""
    original, complete = before or "", options.complete
    if kind == "search_replace":
        files = _files(path, before, text, complete)
        within = _name_in([file.path for file in files], path)
        own = {file.path for file in files if same_path(within, file.path)}
        # In the tree it has the name that the diff gives it: else the blocks would be for a file that is not there.
        name = own.pop() if len(own) == 1 else within
        files, path = files if name == path else _files(name, before, text, complete), within
        named = [file.path for file in files if same_path(path, file.path) or _is_name(file.path, original)]
        _check_others(path, named, named, only=options.only)
        if len(named) < 2:
            return apply_search_replace(original, text, path=path, complete=complete)
        return _own(path, files, named)
    names, known = patch_paths(text), named_paths(text)
    path = _name_in(known, path)
    _check_others(path, names, known, only=options.only)
    is_own = len(names) > 1 or not names or same_path(path, names[0])
    return apply_patch(original, text, path=path if is_own else names[0], complete=complete)  # it is moved there


def _files(path: str, before: str | None, text: str, complete: bool) -> Sequence[FileResult]:
    """What the blocks do to the file, and to others that they name."""
    return apply_to_tree({} if before is None else {path: before}, text, complete=complete).files


def _name_in(names: Sequence[str], path: str) -> str:
    """The path from the working directory, if the diff names the file so; else the path as the user writes it."""
    within = _path_for_git(path)
    return within if any(names_in(name) == names_in(within) for name in names) else path


def _is_name(name: str, original: str) -> bool:
    """Whether that names a file; a word in backticks that is in the text of the file may be what a block is about."""
    return bool(name) and ("/" in name or "." in name or not is_word_of(original, name))


def _check_others(path: str, names: Sequence[str], known: Sequence[str], *, only: bool) -> None:
    """Raises CommandError if a diff has a part for another file, unless the one for this file is wanted.

    `known` are all names, also those that files had before.
    """
    others = [name for name in names if not same_path(path, name)]
    if names and not any(same_path(path, name) for name in known):
        raise CommandError(f"the diff is not for {path}, but for {_listed(names)}")
    if len(names) > 1 and others and not only:
        raise CommandError(
            f"the diff is also for {_listed(others)}: --root DIR applies all of it, --only the part that is for {path}"
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_LISTED]) + (" and others" if len(names) > _LISTED else "")


def _own(path: str, files: Sequence[FileResult], named: Sequence[str]) -> DiffResult:
    """The result of the one file of several that is meant; all of them must be named."""
    own = [file for file in files if same_path(path, file.path)]
    if len(own) != 1 or len(named) < len(files):
        raise CommandError(f"which blocks of the diff are for {path} is not certain")
    return own[0].result


# --- what is shown


def _parts(directory: Directory, name: str, change: FileChange, options: DiffOptions) -> _Parts:
    """What is shown of the change, before it is made; `name` is the path of its file in the directory."""
    is_tree, encoding = options.root is not None, directory.encoding_of(change.copied_from or name)
    if options.preview and change.after is None:
        return []
    is_other = _changes_mode(directory, name, change)
    header = f"==> {visible_line(change.moved_to or change.path)} <==\n" if options.preview else headers(change)
    parts = [(header, UTF_8)] if is_tree or (is_other and not options.preview) else []
    return [*parts, (change.after or "" if options.preview else difference(change), encoding)]


def _show(parts: _Parts) -> None:
    """A terminal gets nothing that it would obey; a file or another program gets every byte.

    A part begins on a line of its own, and on a terminal so does what follows on standard error.
    """
    output, is_begun = standard_output(), False
    is_terminal = output.isatty() or not hasattr(output, "buffer")
    for text, encoding in parts:
        if is_terminal:
            output.write(visible("\n" * is_begun + text.replace("\r\n", "\n"), output.encoding))
        else:
            output.buffer.write(b"\n" * is_begun + encoding.show(text))
        is_begun = is_begun if not text else not text.endswith("\n")
    if is_terminal:
        output.write("\n" * is_begun)
    output.flush()


def _tell(text: str) -> None:
    if sys.stderr is not None:
        print(visible(text), file=sys.stderr)


def _may_be_other(directory: Directory, path: str, result: DiffResult, options: DiffOptions) -> bool:
    """Whether something failed that would not if the file were in another encoding, which only the user knows."""
    reasons = {failure.reason for failure in result.failures}
    if options.encoding is not None or not reasons & {FailureReason.NOT_FOUND, FailureReason.NO_FILE}:
        return False
    try:
        return "\0" in result.content or directory.encoding_of(path).is_assumed
    except TreeError:
        return False


def _incomplete(results: Sequence[DiffResult], options: DiffOptions, other: str) -> CommandError:
    """The last line; `other` is what may be in another encoding."""
    told = ["not everything could be applied" + (", nothing was written" if options.write else "")]
    # Whether a block is whole is certain: it has an end marker.
    if not options.complete and any(result.cut_off and result.noun == "hunk" for result in results):
        told.append("if nothing is missing at the end of PATCH, give --complete")
    if other:
        told.append(f"if {other} is in another encoding, give --encoding")
    return CommandError("; ".join(told))
