"""What a call is about: the files that it names, or the command that it would run.

    targets_of(call, spec)      Targets(paths=("src/a.py",))
                                Targets(paths=("a.py", "b.py"))          a patch for two files
                                Targets(command="make test")

Rules, the question to a person and the line that describes a call all ask here.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from streamparse.config import ToolSpec
from streamparse.diff import named_paths
from streamparse.events import SegmentType
from streamparse.invocations import ToolInvocation

#: Arguments by such names are paths, whatever the tool and however deep they lie in its arguments; by these, commands.
_PATH = re.compile(
    r"(?:.*[pP]ath|.*[fF]ile_?[nN]ame|(?:.*[_-])?(?:file|dir|directory|folder)|.*(?:File|Dir|Directory|Folder)"
    r"|cwd|root|source|destination)s?",
    re.DOTALL,
)
_COMMANDS = ("command", "cmd", "script")


@frozen
class Targets:
    """The paths as the call names them, each once; and the command line, if the tool runs one."""

    paths: tuple[str, ...] = ()
    command: str | None = None


def targets_of(call: ToolInvocation, spec: ToolSpec | None = None) -> Targets:
    """What the call is about. `spec` is the tool's declaration: it says what the arguments mean."""
    spec = spec or ToolSpec(call.name)
    body, arguments = spec.as_body, call.arguments
    paths = dict.fromkeys(_paths(arguments, None if body is None else body.path))
    if body is not None and body.kind == SegmentType.PATCH_FILE:
        paths |= dict.fromkeys(named_paths(_text(arguments.get(body.body))))
    if body is not None and body.kind == SegmentType.RUN_BASH:
        return Targets(tuple(paths), _command_line(arguments.get(body.body)) or "")
    named = [name for name in _COMMANDS if name in arguments]
    lines = (_command_line(arguments[name]) for name in named if not _is_choice(spec, name))
    return Targets(tuple(paths), next((line for line in lines if line is not None), None))


def _command_line(value: Any) -> str | None:
    """A command line, which may be given as the list of its words."""
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return shlex.join(value)
    return value if isinstance(value, str) else None


def _is_choice(spec: ToolSpec, name: str) -> bool:
    """Whether the tool lists the values of a parameter: `command` is then what an editor is to do, say."""
    schema = (spec.parameters.get("properties") or {}).get(name)
    return isinstance(schema, Mapping) and ("enum" in schema or "const" in schema)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _paths(arguments: dict[str, Any], more: str | None) -> Iterator[str]:
    """The texts in arguments that are paths by their names, or by the name `more`, in lists and objects as well.

    A nesting may be as deep as a model likes.
    """
    waiting: list[tuple[Any, bool]] = [(arguments, False)]
    while waiting:
        value, is_path = waiting.pop()
        if isinstance(value, str) and is_path:
            yield value
        elif isinstance(value, list):
            waiting += [(item, is_path) for item in reversed(value)]
        elif isinstance(value, dict):
            waiting += [
                (inner, name == more or _PATH.fullmatch(str(name)) is not None)
                for name, inner in reversed(value.items())
            ]
