"""ParserContext: what the states of one stream share, and the only place where one state becomes another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from re import Pattern
from typing import TypeAlias

from streamparse.config import ParserConfig, ToolSpec
from streamparse.core.emitter import EventEmitter
from streamparse.core.markers import Marker, Markers
from streamparse.core.open_plans import OpenPlans
from streamparse.core.opening import Opener, Opening
from streamparse.core.registry import ToolStateRegistry
from streamparse.core.scanner import NO_LIMIT, StreamScanner
from streamparse.core.state import BaseState, ProseState
from streamparse.errors import StateContractError
from streamparse.families.calls.ends import CallEnds
from streamparse.families.calls.grammar import Calls

#: The states a format has for tools, by name in lower case; `""` is the one for any other tool.
ToolStates: TypeAlias = Mapping[str, type[BaseState]]

_NOTHING = Opening("", ())


class ParserContext:
    """Scanner, emitter, configuration, and the current state.

    `openers` are what the formats in use look for in text, `tool_states` the states each of them has for tools; states
    that the user registered take precedence. `prose` is the state to come back to when a block has ended: text, or the
    reasoning that the block stood in. `opener` and `opening` say how the current block began.
    """

    __slots__ = (
        "_call_ends",
        "_outer",
        "_tool_names",
        "compiled",
        "config",
        "emitter",
        "head_offsets",
        "is_settled",
        "line_opener",
        "misses",
        "opener",
        "openers",
        "opening",
        "plans",
        "prose",
        "registry",
        "reply_opener",
        "scanner",
        "span_ends",
        "state",
        "tool_states",
        "tools",
        "when_settled",
    )

    def __init__(
        self,
        config: ParserConfig,
        registry: ToolStateRegistry,
        text_state: type[ProseState],
        openers: Sequence[Opener],
        tool_states: Mapping[str, ToolStates],
        tools: Mapping[str, ToolSpec],
    ) -> None:
        self.config = config
        self.registry = registry
        self.openers = openers
        self.tool_states = tool_states
        self.tools = tools
        self.scanner = StreamScanner()
        self.emitter = EventEmitter(config)
        self.plans = OpenPlans(self.emitter)
        self.opener: Opener | None = None
        #: What ends a code span even in the middle of a line: tokens that no text has, so a stray backtick hides none.
        self.span_ends: tuple[Marker, ...] = ()
        #: What reads the beginning of a line, if that matters (`code="text"`, calls without markers) …
        self.line_opener: Opener | None = None
        #: … and that of the reply, if it is not like any other line. Behind reasoning it begins anew.
        self.reply_opener: Opener | None = None
        self.opening = _NOTHING
        #: Whether the formats are those that were chosen, not all that might be meant (`auto`).
        self.is_settled = True
        #: What counts besides, once they are settled: it is too common to tell by itself.
        self.when_settled: Sequence[Opener] = ()
        #: What reasoning with these closers looks for. To find that out takes longer than most reasoning.
        self.compiled: dict[tuple[Marker, ...], Markers] = {}
        #: Up to which offset of the stream a pattern is known not to match: held text is not searched twice.
        self.misses: dict[Pattern[str], int] = {}
        #: The offset before which a character is known not to occur: text is not searched twice for one that is rare.
        self.head_offsets: dict[str, int] = {}
        self._outer: list[ProseState] = []
        self._call_ends: dict[tuple[Calls, str], CallEnds] = {}
        self._tool_names: list[str] | None = None  # sorted, once they are asked for
        self.prose: ProseState = text_state(self)
        self.state: BaseState = self.prose

    # -- transitions --------------------------------------------------------------------------------------------------

    def transition_to(self, name: str) -> None:
        """Go back to the prose around a block that has ended: "text" is the one transition asked for by name."""
        if name != "text":
            raise self.contract_error(f"asked for the unknown state {name!r}; a block ends with transition_to('text')")
        emitter, scanner = self.emitter, self.scanner
        if emitter.segment_id and not emitter.is_prose:
            raise self.contract_error("went back to text with its segment open: call emitter.emit_end() first")
        if scanner.mark >= 0 or scanner.limit != NO_LIMIT:
            raise self.contract_error("went back to text with text held or a limit set on the scanner")
        self.state = self.prose

    def enter(self, opener: Opener) -> None:
        """Let the state of `opener` read on, from the marker's first character."""
        assert opener.state is not None  # prose swallows those itself
        self.opener = opener
        self.state = opener.state(self)

    def open(self, state: type[BaseState], opening: Opening) -> None:
        """Let `state` read the block that `opening` began."""
        self.opening = opening
        self.state = state(self)

    def open_tool(self, opening: Opening) -> None:
        """Let the state for the tool read its body."""
        state = self.tool_state(opening.tag if opening.tool_name is None else opening.tool_name, opening.format)
        if opening.tool_name is not None and state.as_tool is not None:
            state = state.as_tool
        if self.emitter.segment_id:
            self.emitter.emit_end()  # a block has begun, even if its START must wait: the prose before it is complete
        self.settle(opening.format)
        self.opening = opening
        self.state = state(self)

    def tool_state(self, name: str, format: str) -> type[BaseState]:
        """The state for the tool `name`: what the user registered, else the format's own, else its generic one."""
        name = name.lower()
        states = self.tool_states[format]
        state = self.registry.get(name) or states.get(name)
        if state is None:
            kind = self.tools[name].kind if name in self.tools else None
            state = (kind and states.get(kind)) or states[""]
        return state

    def has_tool_beginning(self, text: str) -> bool:
        """Whether the name of a declared tool begins with `text`; case does not matter."""
        if self._tool_names is None:
            self._tool_names = sorted(self.tools)
        text = text.lower()
        index = bisect_left(self._tool_names, text)
        return index < len(self._tool_names) and self._tool_names[index].startswith(text)

    def call_ends(self, calls: Calls, format: str) -> CallEnds:
        """What shows that one of `calls` has ended, though its JSON has not: what no JSON has, or the next call."""
        key = calls, format
        ends = self._call_ends.get(key)
        if ends is None:
            own = (o.marker for o in self.openers if o.format == format and isinstance(o.options, Calls))
            ends = self._call_ends[key] = CallEnds(calls, tuple(own), self.span_ends)
        return ends

    def settle(self, format: str) -> None:
        """A call of `format` was recognised: where the format was to be found out, it is this one from now on.

        Or one of those that write calls in the same way: which of them is not known.
        """
        if self.is_settled:
            return
        self.is_settled = True
        found = self.opener
        assert found is not None  # it led to the call
        alike = {o.format for o in self.openers if o.state is found.state and o.marker == found.marker}
        openers = [o for o in (*self.openers, *self.when_settled) if o.format in (format, "", *alike)]
        self.openers = openers
        self.span_ends = tuple(dict.fromkeys(o.marker for o in openers if o.is_common and o.state is None))
        self.compiled.clear()
        for prose in (*self._outer, self.prose):
            prose.look_again()

    # -- prose --------------------------------------------------------------------------------------------------------

    def enter_prose(self, prose: ProseState) -> None:
        """Blocks from now on stand in `prose`."""
        self._outer.append(self.prose)
        self.prose = prose

    def leave_prose(self) -> None:
        """Go back to the prose around this one."""
        was_aside = self.prose.is_aside
        self.prose = self._outer.pop()
        self.transition_to("text")
        if self.reply_opener is not None and was_aside and not self._outer:
            self.enter(self.reply_opener)

    def begin_line(self) -> None:
        """Prose stands at the beginning of a line; that is read first, where it matters."""
        if self.line_opener is not None and (not self.prose.is_aside or self.config.tools_in_reasoning):
            self.enter(self.line_opener)

    def begin_reply(self) -> None:
        """Prose stands at the beginning of the reply."""
        if self.reply_opener is not None:
            self.enter(self.reply_opener)
        else:
            self.begin_line()

    def contract_error(self, what: str) -> StateContractError:
        """The error for a state that broke the contract."""
        error = StateContractError(
            f"{type(self.state).__name__} {what} (at offset {self.scanner.offset} of the stream)"
        )
        error.is_located = True
        return error
