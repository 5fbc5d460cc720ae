"""What write_file and patch_file change, worked out before anything is written.

    written(texts, "a.py", "x = 2\\n")      [FileChange("a.py", before="x = 1\\n", after="x = 2\\n")]
    patched(texts, "", patch).changes       the same for each file that the patch is about
    changes_of(texts, call)                 the same of a call, for a person to see before it runs

The tools (`files.py`) make these very changes, so what a person was shown is what is done.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.diff import (
    DiffStream,
    FileAction,
    FileChange,
    FileResult,
    TreeResult,
    apply_to_tree,
    named_paths,
    patch_paths,
)
from streamparse.diff.named_paths import makes_file
from streamparse.diff.result import told_unwritten
from streamparse.diff.same_path import path_of_new
from streamparse.invocations import ToolInvocation
from streamparse.presenter.printable import printable
from streamparse.presenter.sendable import sendable
from streamparse.presenter.tool import ToolError
from streamparse.workspace.texts import Texts


def changes_of(texts: Texts, call: ToolInvocation) -> Sequence[FileChange]:
    """What a call of write_file or patch_file would change; nothing if it would be refused, or is another call."""
    path, content, patch = (call.arguments.get(name) for name in ("path", "content", "patch"))
    try:
        with texts.root.telling():
            if call.name == "write_file" and isinstance(path, str) and isinstance(content, str):
                return written(texts, path, content)
            if call.name == "patch_file" and isinstance(patch, str) and isinstance(path or "", str):
                return patched(texts, path or "", patch).changes
    except ToolError:
        pass  # the call will be refused, with the reason
    return ()


def written(texts: Texts, path: str, content: str) -> list[FileChange]:
    """The change that makes `content` the text of the file; none if it is that already. Raises TreeError."""
    before = texts.read(path)
    return [] if before == content else [FileChange(path, before, content)]


def patched(texts: Texts, path: str, patch: str) -> TreeResult:
    """What a patch does, all of it: raises ToolError or TreeError if something in it cannot be done.

    `path` is the file that it is for, which the patch need not name; or it is empty, and the patch names its files by
    their whole paths.
    """
    if not patch.strip():
        raise ToolError("Nothing was changed: the patch is empty.")
    wanted, named = "/".join(texts.root.names(path)), patch_paths(patch)
    if wanted and (not named or (len(named) == 1 and wanted.endswith(f"/{named[0]}"))):
        return _patched_file(texts, wanted, patch)
    result = apply_to_tree(texts, patch)
    if not result.ok:
        raise ToolError(f"Nothing was changed.\n{sendable(result.message)}")
    about = dict.fromkeys(name for file in result.files for name in (file.path, file.moved_to) if name)
    allowed = {wanted, *map(path_of_new, named_paths(patch))}
    if other := next((name for name in about if name not in allowed), None):
        # What may be changed is decided by the paths in the patch, of which one may be the end of another's.
        raise ToolError(f"Nothing was changed: write the whole path, {printable(other)}, in the patch.")
    if wanted and wanted not in about:
        names = ", ".join(map(printable, about))
        raise ToolError(f"Nothing was changed: the patch is for {names}, not for {printable(wanted)}.")
    return result


def _patched_file(texts: Texts, path: str, patch: str) -> TreeResult:
    """A patch for one file, which it need not name."""
    before = texts.read(path)
    stream = DiffStream(before or "", path=path)
    stream.feed(patch)
    result = stream.finalize()
    if not result.ok:
        raise ToolError(sendable(told_unwritten(printable(path), result)))
    if result.moved_to is not None:
        raise ToolError(f"Nothing was changed: the patch moves a file, but does not call it {printable(path)}.")
    if before is None and not (result.edits or makes_file(patch)):
        raise ToolError(f"Nothing was changed: there is no file {printable(path)}.")
    after = None if result.is_deleted else result.content
    action = FileAction.DELETED if after is None else FileAction.CREATED if before is None else FileAction.CHANGED
    file = FileResult(path, action, result, mode=result.mode)
    return TreeResult(True, (file,), (FileChange(path, before, after, mode=result.mode),))
