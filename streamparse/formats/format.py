"""Format: a model's way of writing calls and reasoning, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import field, frozen

from streamparse.arguments import ArgumentDecoder
from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.context import ToolStates
from streamparse.core.markers import Marker
from streamparse.core.opening import Opener
from streamparse.core.registry import ToolStateRegistry


@frozen
class Setup:
    """What a format may look at when it says what to look for."""

    config: ParserConfig
    registry: ToolStateRegistry
    tools: Mapping[str, ToolSpec]


@frozen
class Reasoning:
    """How a format marks reasoning."""

    #: What begins it in text, and closers that stand alone, which are swallowed.
    openers: Sequence[Opener] = ()
    #: Where the prompt has begun it already: the marker it has written, and the one that ends it.
    implied_opener: Marker = ()
    implied_closer: Marker = ()
    #: Whether that is so for the models of this format.
    starts_open: bool = False


@frozen
class Format:
    """Openers and the states that read what they open, states for tools, and the markers around reasoning."""

    name: str
    #: The openers of calls.
    openers: Callable[[Setup], Sequence[Opener]]
    #: States for tools by name; `""` is for all others.
    tool_states: ToolStates = field(factory=dict)
    reasoning: Reasoning = field(factory=Reasoning)
    #: How the arguments of a call are written.
    arguments: ArgumentDecoder | None = None
    aliases: tuple[str, ...] = ()
