"""changes_of: what a call of write_file or patch_file would change, for a person to see before it does.

    changes_of(directory, call)        [FileChange("src/a.py", before="a = 1\\n", after="a = 2\\n")]

Nothing is written. A call that would be refused changes nothing.
"""

from __future__ import annotations

from streamparse.diff import DiffStream, FileChange, apply_to_tree, patch_paths
from streamparse.directory.directory import Directory
from streamparse.errors import TreeError
from streamparse.invocations import ToolInvocation


def changes_of(directory: Directory, call: ToolInvocation) -> list[FileChange]:
    """The files that would be other than they are."""
    path, content, patch = (call.arguments.get(name) for name in ("path", "content", "patch"))
    try:
        if call.name == "write_file" and isinstance(path, str) and isinstance(content, str):
            return [FileChange(path, directory.read(path), content)]
        if call.name == "patch_file" and isinstance(patch, str):
            if isinstance(path, str) and path and all(name == path for name in patch_paths(patch)):
                return _patched(directory, path, patch)
            return list(apply_to_tree(directory, patch).changes)
    except TreeError:
        pass  # the call will be refused, with the reason
    return []


def _patched(directory: Directory, path: str, patch: str) -> list[FileChange]:
    before = directory.read(path)
    stream = DiffStream(before or "", path=path)
    stream.feed(patch)
    result = stream.finalize()
    after = None if result.is_deleted else result.content
    return [FileChange(path, before, after, moved_to=result.moved_to)] if result.ok else []
