"""ToolStateRegistry: which state reads which tool, where a user says so, and which blocks there are besides tools.

A format has states of its own, for write_file, patch_file and run_bash; what is registered here takes precedence.

A registered name serves `<tool name="my_tool">`; with `bare=True` also `<my_tool …>`. Names are case-insensitive on
both sides. There is one default registry, which `register_tool_state` fills; a parser works on its own copy, so
registering later never disturbs a stream in flight.

A block is a construct that is no tag: `:::note … :::` is declared by its markers, and counts beside every format.
"""

from __future__ import annotations

import re

from attrs import frozen

from streamparse.config import BODIES
from streamparse.core.markers import BLANK_CHARACTERS
from streamparse.core.state import BaseState
from streamparse.errors import RegistryError, suggest
from streamparse.events import SegmentType

_TAG_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
#: Tags with a meaning of their own: a tool of that name is reached as `<tool name="…">` only.
_RESERVED_TAGS = frozenset({"tool", "arg", "arguments", "think", "thinking"})

_TYPES = frozenset(kind.value for kind in SegmentType)


@frozen
class MarkedBlock:
    """A block between two markers of its own; `state` reads what stands between them."""

    name: str
    opens: str
    closes: str
    #: Whether it counts only where a line begins.
    at_line: bool = False
    state: type[BaseState] | None = None


@frozen
class _Entry:
    state: type[BaseState]
    is_bare: bool


class ToolStateRegistry:
    """A mapping from tool names to state classes. Reading is safe from many threads: a change replaces the mapping."""

    __slots__ = ("_blocks", "_entries")

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._blocks: dict[str, MarkedBlock] = {}

    def register(self, name: str, state: type[BaseState], *, bare: bool = False, replace: bool = False) -> None:
        """Let `state` read the tool `name`; `bare` serves `<name …>` too, `replace` allows a name that is taken."""
        if not isinstance(name, str) or not name:
            raise RegistryError(f"a tool name must be a non-empty string, not {name!r}")
        if not (isinstance(state, type) and issubclass(state, BaseState)):
            raise RegistryError(f"{state!r} is not a state: pass a subclass of BaseState (the class, not an instance)")
        _check_state(state)
        if bare and (not _TAG_NAME.fullmatch(name) or name.lower() in _RESERVED_TAGS):
            raise RegistryError(
                f"{name!r} cannot be a tag of its own: use ASCII letters, digits, _ . - and no reserved name"
            )
        key = name.lower()
        if (key in self._entries or key in BODIES) and not replace:
            whose = "is registered already" if key in self._entries else "has a state of the library's own"
            raise RegistryError(f"the tool {name!r} {whose}: pass replace=True to replace it")
        self._entries = {**self._entries, key: _Entry(state, bare)}

    def register_block(
        self,
        name: str,
        *,
        opens: str,
        closes: str,
        at_line: bool = False,
        state: type[BaseState] | None = None,
        replace: bool = False,
    ) -> None:
        """Read what stands between `opens` and `closes` as segments of the type `name`, beside every format.

        `at_line` says that it counts only where a line begins. Both markers are found in this very case; a line break
        in one may be LF or CRLF. `state` is a subclass of DelimitedState for a body that is not shown as it is.
        """
        if not isinstance(name, str) or not name or name in _TYPES:
            raise RegistryError(f"a block needs a name of its own, a string that is no type of the library: {name!r}")
        for option, marker in (("opens", opens), ("closes", closes)):
            if not isinstance(marker, str) or not marker.strip(BLANK_CHARACTERS):
                raise RegistryError(f"{option} must be a marker that is more than blanks, not {marker!r}")
        if at_line and opens[0] in BLANK_CHARACTERS:
            raise RegistryError(f"opens={opens!r} begins with a blank: at_line=True says already where it stands")
        if state is not None and not (isinstance(state, type) and issubclass(state, BaseState)):
            raise RegistryError(f"{state!r} is not a state: pass a subclass of DelimitedState (the class)")
        if state is not None:
            _check_state(state)
        if name in self._blocks and not replace:
            raise RegistryError(f"the block {name!r} is registered already: pass replace=True to replace it")
        self._blocks = {**self._blocks, name: MarkedBlock(name, opens, closes, at_line, state)}

    @property
    def blocks(self) -> tuple[MarkedBlock, ...]:
        """All blocks, in the order of registration."""
        return tuple(self._blocks.values())

    def unregister(self, name: str) -> None:
        """Forget the tool or the block `name`."""
        if name in self._blocks:
            self._blocks = {key: block for key, block in self._blocks.items() if key != name}
            return
        if name.lower() not in self._entries:
            raise RegistryError(f"the tool {name!r} is not registered{suggest(name, (*self._entries, *self._blocks))}")
        self._entries = {key: entry for key, entry in self._entries.items() if key != name.lower()}

    def get(self, name: str) -> type[BaseState] | None:
        """The state class for the tool `name`, or None."""
        entry = self._entries.get(name.lower())
        return entry.state if entry else None

    def __contains__(self, name: str) -> bool:
        """Whether the tool `name` is registered."""
        return name.lower() in self._entries

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
        twin._blocks = self._blocks
        return twin


def _check_state(state: type[BaseState]) -> None:
    """Refuse a state that could only fail in the midst of a stream."""
    if state.run is BaseState.run and state._begin is BaseState._begin:
        raise RegistryError(f"{state.__name__} reads nothing: define run(), or _begin() if it reads in phases")
    if state.finalize is BaseState.finalize:
        raise RegistryError(f"{state.__name__} does not say what happens when the stream ends: define finalize()")
    if not state.segment_type and state.needs_segment_type:
        raise RegistryError(f"{state.__name__} does not say what its segments are called: set segment_type")


#: The registry of everyone who does not bring one.
default_registry = ToolStateRegistry()


def register_tool_state(name: str, state: type[BaseState], *, bare: bool = False, replace: bool = False) -> None:
    """Register `state` for the tool `name` in the default registry: handlers made from now on know it."""
    default_registry.register(name, state, bare=bare, replace=replace)


def register_block(
    name: str,
    *,
    opens: str,
    closes: str,
    at_line: bool = False,
    state: type[BaseState] | None = None,
    replace: bool = False,
) -> None:
    """Register a block by its markers in the default registry: `register_block("note", opens=":::note", closes=":::")`.

    Handlers made from now on know it, whatever their format; see `ToolStateRegistry.register_block`.
    """
    default_registry.register_block(name, opens=opens, closes=closes, at_line=at_line, state=state, replace=replace)
