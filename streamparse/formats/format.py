"""Format: what a model's way of writing blocks consists of, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import field, frozen

from streamparse.core.markers import Marker
from streamparse.core.registry import ToolStateRegistry
from streamparse.core.state import BaseState


@frozen
class Format:
    """Openers, the states that read what they open, and the markers around reasoning.

    Openers are given by the name of the state that takes over at their first character. Those of calls may depend on the
    registry, because a user may register tags of their own.
    """

    name: str
    states: Mapping[str, type[BaseState]]
    call_openers: Callable[[ToolStateRegistry], Mapping[str, Sequence[Marker]]]
    reasoning_openers: Mapping[str, Sequence[Marker]] = field(factory=dict)
    #: Closing markers of reasoning where none is open: recognised and not shown.
    stray_closers: Sequence[Marker] = ()
    #: Whether the prompt of such a model has already opened the reasoning.
    starts_in_reasoning: bool = False
    aliases: tuple[str, ...] = ()
