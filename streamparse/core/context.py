"""ParserContext: what the states of one stream share, and the only place where one state becomes another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from re import Pattern

from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.emitter import EventEmitter
from streamparse.core.markers import Marker
from streamparse.core.registry import ToolStateRegistry
from streamparse.core.scanner import StreamScanner
from streamparse.core.state import BaseState, Opening, ProseState
from streamparse.errors import StateContractError

_NOTHING_OPENED = Opening("")


class ParserContext:
    """Scanner, emitter, configuration, and the current state.

    `openers` are the markers that end text, by the name of the state that reads what they open; `call_openers` those of
    them that begin calls; `states` gives the names their classes. All come from the formats in use. `prose` is the state to come back to when a block has
    ended: text, or the reasoning that a block stood in.
    """

    __slots__ = (
        "call_openers",
        "config",
        "emitter",
        "misses",
        "openers",
        "opening",
        "prose",
        "registry",
        "scanner",
        "state",
        "states",
        "tools",
        "usual_tag",
    )

    def __init__(
        self,
        config: ParserConfig,
        registry: ToolStateRegistry,
        text_state: type[ProseState],
        states: Mapping[str, type[BaseState]],
        openers: Mapping[str, Sequence[Marker]],
        call_openers: Mapping[str, Sequence[Marker]],
        tools: Mapping[str, ToolSpec],
    ) -> None:
        self.config = config
        self.registry = registry
        self.states = states
        self.openers = openers
        self.call_openers = call_openers
        self.tools = tools
        self.scanner = StreamScanner()
        self.emitter = EventEmitter(config)
        #: Up to this length a cut tag is looked at again as a whole with the next chunk.
        self.usual_tag = min(256, config.limits.max_tag)
        self.opening = _NOTHING_OPENED
        #: Up to which offset of the stream a pattern is known not to match: held text is not searched twice.
        self.misses: dict[Pattern[str], int] = {}
        self.prose: ProseState = text_state(self)
        self.state: BaseState = self.prose

    def transition_to(self, name: str) -> None:
        """Let the state `name` read on. "text" means the prose around the block that has ended."""
        if name == "text":
            if self.emitter.segment_id and not self.emitter.is_prose:
                raise StateContractError(
                    f"{type(self.state).__name__} went back to text with its segment open: call emit_end() first "
                    f"(at offset {self.scanner.offset} of the stream)"
                )
            self.state = self.prose
        elif state := self.states.get(name):
            self.state = state(self)
        else:
            raise StateContractError(
                f"{type(self.state).__name__} asked for the unknown state {name!r} at offset {self.scanner.offset}; "
                f"known: {', '.join(['text', *self.states])}"
            )

    def open_tool(self, opening: Opening) -> None:
        """Let the state that is registered for the tool read its body; the generic one if none is."""
        self.opening = opening
        name = (opening.tag if opening.tool_name is None else opening.tool_name).lower()
        state = self.registry.get(name)
        if state is None and name in self.tools and (kind := self.tools[name].kind):
            state = self.registry.get(kind)
        self.state = (state or self.states["tool"])(self)

    def open(self, name: str, opening: Opening) -> None:
        """Let the state `name` read the block that `opening` began."""
        self.opening = opening
        self.transition_to(name)
