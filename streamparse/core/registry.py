"""ToolStateRegistry: which state reads which tool, where a user says so.

A format has states of its own, for write_file, patch_file and run_bash; what is registered here takes precedence.

A registered name serves `<tool name="my_tool">`; with `bare=True` also `<my_tool …>`. Names are case-insensitive on
both sides. There is one default registry, which `register_tool_state` fills; a parser works on its own copy, so
registering later never disturbs a stream in flight.
"""

from __future__ import annotations

import re

from attrs import frozen

from streamparse.core.state import BaseState
from streamparse.errors import RegistryError

_TAG_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
#: Tags with a meaning of their own: a tool of that name is reached as `<tool name="…">` only.
_RESERVED_TAGS = frozenset({"tool", "arg", "arguments", "think", "thinking"})


@frozen
class _Entry:
    state: type[BaseState]
    is_bare: bool


class ToolStateRegistry:
    """A mapping from tool names to state classes. Reading is safe from many threads: a change replaces the mapping."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    def register(self, name: str, state: type[BaseState], *, bare: bool = False, replace: bool = False) -> None:
        """Let `state` read the tool `name`; `bare` serves `<name …>` too, `replace` allows a name that is taken."""
        if not isinstance(name, str) or not name:
            raise RegistryError(f"a tool name must be a non-empty string, not {name!r}")
        if not (isinstance(state, type) and issubclass(state, BaseState)):
            raise RegistryError(f"{state!r} is not a state: pass a subclass of BaseState (the class, not an instance)")
        if bare and (not _TAG_NAME.fullmatch(name) or name.lower() in _RESERVED_TAGS):
            raise RegistryError(
                f"{name!r} cannot be a tag of its own: use ASCII letters, digits, _ . - and no reserved name"
            )
        key = name.lower()
        if key in self._entries and not replace:
            raise RegistryError(f"the tool {name!r} is registered already: pass replace=True to replace its state")
        self._entries = {**self._entries, key: _Entry(state, bare)}

    def unregister(self, name: str) -> None:
        """Forget `name`."""
        if name.lower() not in self._entries:
            raise RegistryError(f"the tool {name!r} is not registered; known: {', '.join(self.names())}")
        self._entries = {key: entry for key, entry in self._entries.items() if key != name.lower()}

    def get(self, name: str) -> type[BaseState] | None:
        """The state class for the tool `name`, or None."""
        entry = self._entries.get(name.lower())
        return entry.state if entry else None

    def names(self) -> tuple[str, ...]:
        """All names, in lower case and in the order of registration."""
        return tuple(self._entries)

    def bare_names(self) -> tuple[str, ...]:
        """The names that are tags of their own."""
        return tuple(key for key, entry in self._entries.items() if entry.is_bare)

    def copy(self) -> ToolStateRegistry:
        """An independent registry with the same entries; costs nothing, since mappings are never changed in place."""
        twin = ToolStateRegistry()
        twin._entries = self._entries
        return twin


#: The registry of everyone who does not bring one.
default_registry = ToolStateRegistry()


def register_tool_state(name: str, state: type[BaseState], *, bare: bool = False, replace: bool = False) -> None:
    """Register `state` for the tool `name` in the default registry: handlers made from now on know it."""
    default_registry.register(name, state, bare=bare, replace=replace)
