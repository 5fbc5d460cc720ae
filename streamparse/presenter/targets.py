"""What a call is about: the files that it names, or the command that it would run.

    targets_of(call, spec)      Targets(paths=("src/a.py",))
                                Targets(paths=("a.py", "b.py"))          a patch for two files
                                Targets(command="make test")

Rules, the question to a person and the line that describes a call all ask here.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from streamparse.config import ToolSpec
from streamparse.diff import patch_paths
from streamparse.events import SegmentType
from streamparse.invocations import ToolInvocation

#: Arguments by these names are paths, whatever the tool, and by these a command.
_PATHS = frozenset({
    "path", "paths", "file", "files", "file_path", "filepath", "filename", "target_file", "directory", "dir", "folder",
    "cwd", "root", "source", "destination",
})  # fmt: skip
_COMMANDS = ("command", "cmd", "script")


@frozen
class Targets:
    """The paths as the call names them, each once; and the command, if the tool runs one."""

    paths: tuple[str, ...] = ()
    command: str | None = None


def targets_of(call: ToolInvocation, spec: ToolSpec | None = None) -> Targets:
    """What the call is about. `spec` is the tool's declaration: it says what the arguments mean."""
    arguments = call.arguments
    body = (spec or ToolSpec(call.name)).as_body
    if body is not None and body.kind == SegmentType.RUN_BASH:
        return Targets(command=_text(arguments.get(body.body)))
    command = next((arguments[name] for name in _COMMANDS if isinstance(arguments.get(name), str)), None)
    paths: dict[str, None] = {}
    for name, value in arguments.items():
        if name in _PATHS or (body is not None and name == body.path):
            paths |= dict.fromkeys(_texts(value))
    if body is not None and body.kind == SegmentType.PATCH_FILE:
        paths |= dict.fromkeys(patch_paths(_text(arguments.get(body.body))))
    return Targets(tuple(paths), command)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    """The texts in an argument: itself, those of a list, and the paths of objects in it."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for name in value.keys() & _PATHS for text in _texts(value[name])]
    return [text for item in value for text in _texts(item)] if isinstance(value, list) else []
