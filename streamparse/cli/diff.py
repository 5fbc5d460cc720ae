"""`streamparse diff`: what a model's diff would change in a file or in a whole tree, or the change itself.

    streamparse diff app.py reply.txt              a unified diff of what would change
    streamparse diff app.py reply.txt --preview    the file as it would be
    streamparse diff app.py reply.txt --write      a unified diff, and the file is changed
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
from streamparse.diff.named_paths import makes_file
from streamparse.diff.result import told_unwritten
from streamparse.diff.same_path import is_path_of, same_path
from streamparse.directory.encoding import UTF_8, Encoding, decode_patch

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
        raise CommandError("there is no diff in it: no SEARCH marker, no hunk, no `*** Begin Patch`")
    try:
        if options.root is None:
            _apply_to_file(paths[0], text, options)
        else:
            _apply_to_root(options.root, text, options)
    except TreeError as error:
        raise CommandError(str(error)) from error


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
    for change in result.changes:
        _show_change(directory, change.path, change, options)
    if not result.ok:
        _tell(result.message)
    if result.ok and options.write:
        directory.write(result.changes)
    for file in result.files:
        _tell(visible_line(_summary(file, is_written=result.ok and options.write)))
    if not result.ok:
        raise _incomplete([file.result for file in result.files], options)


def _summary(file: FileResult, *, is_written: bool) -> str:
    path, action = file.path or "(no file is named)", file.action.value
    if not is_written:
        is_done = file.action in (FileAction.FAILED, FileAction.UNCHANGED)
        action = f"{action if is_done else f'would be {action}':<16}"
    return f"{action:<9} {path if file.moved_to is None else f'{path} -> {file.moved_to}'}"


# --- one file


def _apply_to_file(path: str, text: str, options: DiffOptions) -> None:
    root, name = _located(path)
    directory = Directory(root, encoding=options.encoding)
    before = directory.read(name)
    result = _applied(path, before, text, options)
    after = None if result.is_deleted else result.content
    is_missing = result.ok and (after is None or not (result.edits or makes_file(text)))
    if before is None and (is_missing or any(one.reason is FailureReason.NOT_FOUND for one in result.failures)):
        raise CommandError(f"cannot {'remove' if after is None else 'change'} {path}: there is no such file")
    change = FileChange(name, before, after, mode=result.mode)
    unwritable = _check(directory, change)
    if unwritable is None:
        _show_change(directory, name, evolve(change, path=_path_for_git(path)), options)
    if not result.ok:
        _tell(told_unwritten(visible_line(path), result))
    if unwritable is not None:
        raise unwritable
    if not result.ok:
        raise _incomplete([result], options)
    if result.moved_to is not None and not is_path_of(os.path.abspath(path), result.moved_to):
        # Where that is, from here, is not for a guess.
        raise CommandError(
            f"the patch moves the file to {result.moved_to}, "
            "which --root DIR does; or move it there first, and apply it then"
        )
    if after is None and os.path.islink(path):
        raise CommandError(f"cannot remove {path}: it is a symbolic link to {os.path.join(root, name)}")
    if options.write:
        directory.write([change])


def _check(directory: Directory, change: FileChange) -> TreeError | None:
    """Why the new text could not be written, before any of it is shown."""
    try:
        directory.check(change)
    except TreeError as error:
        return error
    return None


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


def _applied(path: str, before: str | None, text: str, options: DiffOptions) -> DiffResult:
    """What comes of the part of a diff that is for the file: all of it, if it names none."""
    original, complete = before or "", options.complete
    if detect(text) == "search_replace":
        named = [file.path for file in apply_to_tree({}, text).files if file.path]
        _check_others(path, named, named, only=options.only)
        if len(named) < 2:
            return apply_search_replace(original, text, path=path, complete=complete)
        return _own(path, apply_to_tree({} if before is None else {path: before}, text, complete=complete).files)
    names = patch_paths(text)
    _check_others(path, names, named_paths(text), only=options.only)
    is_own = len(names) > 1 or not names or same_path(path, names[0])
    return apply_patch(original, text, path=path if is_own else names[0], complete=complete)  # it is moved there


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


def _own(path: str, files: Sequence[FileResult]) -> DiffResult:
    """The result of the one file of several that is meant."""
    own = [file for file in files if same_path(path, file.path)]
    if len(own) != 1 or any(not file.path for file in files):
        raise CommandError(f"which blocks of the diff are for {path} is not certain")
    return own[0].result


# --- what is shown


def _show_change(directory: Directory, name: str, change: FileChange, options: DiffOptions) -> None:
    """Show the change; `name` is the path of its file in the directory."""
    is_tree, encoding = options.root is not None, directory.encoding_of(change.copied_from or name)
    if options.preview and change.after is None:
        return
    is_other = change.mode is not None and bool(change.mode & 0o111) is not directory.is_executable(name)
    if is_tree or (is_other and not options.preview):
        _show(f"==> {change.moved_to or change.path} <==\n" if options.preview else headers(change), UTF_8)
    _show(change.after or "" if options.preview else difference(change), encoding)


def _show(text: str, encoding: Encoding) -> None:
    """A terminal gets nothing that it would obey; a file or another program gets every byte."""
    output = standard_output()
    if output.isatty() or not hasattr(output, "buffer"):
        output.write(visible(text.replace("\r\n", "\n"), output.encoding))
        return
    output.flush()
    output.buffer.write(encoding.show(text))
    output.buffer.flush()


def _tell(text: str) -> None:
    if sys.stderr is not None:
        print(visible(text), file=sys.stderr)


def _incomplete(results: Sequence[DiffResult], options: DiffOptions) -> CommandError:
    written = ", nothing was written" if options.write else ""
    # Whether a block is whole is certain: it has an end marker.
    may_be_whole = not options.complete and any(result.cut_off and result.noun == "hunk" for result in results)
    advice = "; if nothing is missing at the end of PATCH, give --complete" if may_be_whole else ""
    return CommandError(f"not everything could be applied{written}{advice}")
