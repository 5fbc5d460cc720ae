"""Block: what all blocks have in common.

A block is made once and then updated in place: whoever holds it sees it grow. `partial` says whether more may come, and
stays true for a call that was cut off; `status` is None until the end, then `complete`, `truncated` or `malformed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.events import SegmentEnd
from streamparse.invocations.invocation import Status
from streamparse.wire import read_record

#: Which class has blocks of which type; that of all other types, which says its type itself, stands at None.
_CLASSES: dict[str | None, type[Block]] = {}


class Block:
    """A piece of a reply. Two blocks are equal if they show the same."""

    __slots__ = ("deltas", "is_visible", "order", "partial")

    type: str
    status: Status | None

    def __init_subclass__(cls) -> None:
        kind = cls.__dict__.get("type")
        if kind is not None:
            _CLASSES[kind if isinstance(kind, str) else None] = cls

    def __init__(self, partial: bool, *, is_visible: bool) -> None:
        self.partial = partial
        #: Whether it is listed: there is something to show.
        self.is_visible = is_visible
        #: Its place among the segments of the stream: blocks are listed in this order.
        self.order = 0
        #: Content that came last is put here, and nothing else is done with it …
        self.deltas: list[str] = []

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for `json.dumps`, as it is now."""
        raise NotImplementedError

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Block:
        """A block that shows what `data` says: the inverse of `to_dict`. Raises ValueError for anything else."""
        kind = data.get("type") if isinstance(data, Mapping) else None
        if not isinstance(kind, str):
            raise ValueError(f"not the wire form of a block: {data!r}")
        return read_record(_CLASSES.get(kind) or _CLASSES[None], data)

    # -- for the builder ----------------------------------------------------------------------------------------------

    def join(self) -> None:
        """… until there are so many that they are better kept as one text."""
        raise NotImplementedError

    def end(self, event: SegmentEnd) -> None:
        """No more comes."""
        raise NotImplementedError

    # -- for everyone -------------------------------------------------------------------------------------------------

    def _shown(self) -> tuple[object, ...]:
        """What makes a block equal to another of its class."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Block) or other.__class__ is not self.__class__:
            return NotImplemented
        return self._shown() == other._shown()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items() if name != "type")
        return f"{type(self).__name__}({fields})"
