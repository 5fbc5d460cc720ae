"""ParserContext: what the states of one stream share, and the only place where one state becomes another."""

from __future__ import annotations

from collections.abc import Iterable

from streamparse.config import ParserConfig, Tools
from streamparse.core.emitter import EventEmitter
from streamparse.core.grammar import Grammar
from streamparse.core.markers import BLANK_CHARACTERS, CLOSER, Marker, compile_markers
from streamparse.core.open_plans import OpenPlans
from streamparse.core.opening import Opener, Opening
from streamparse.core.registry import ToolStateRegistry
from streamparse.core.scanner import NO_LIMIT, Searched, StreamScanner
from streamparse.core.state import NEED_MORE, BaseState, ProseState
from streamparse.errors import StateContractError

_NOTHING = Opening("", ())
#: Why no call counts behind an argument that was never closed: it may be part of that argument.
BEHIND_UNCLOSED = "it stands behind an argument that was never closed"
#: No legal chain of states needs so many runs to settle a single character.
_RUNS_PER_CHECK = 16


class ParserContext:
    """Scanner, emitter, configuration, and the current state.

    `grammar` is what the formats in use look for, and the states they have for tools; states that the user registered
    take precedence. `prose` is the state to come back to when a block has ended: text, or the reasoning that the block
    stood in. `opener` and `opening` say how the current block began.
    """

    __slots__ = (
        "_opener",
        "_outer",
        "_plans",
        "config",
        "emitter",
        "grammar",
        "is_answer",
        "opening",
        "prose",
        "registry",
        "scanner",
        "searched",
        "state",
        "tools",
    )

    def __init__(
        self,
        config: ParserConfig,
        grammar: Grammar,
        text_state: type[ProseState],
        registry: ToolStateRegistry,
        tools: Tools,
    ) -> None:
        self.config = config
        self.grammar = grammar
        self.registry = registry
        self.tools = tools
        self.scanner = StreamScanner()
        self.emitter = EventEmitter(config)
        self._plans: OpenPlans | None = None
        self.opening = _NOTHING if grammar.first_opening is None else grammar.first_opening
        #: The offset before which a pattern is known not to match, or a character not to occur: no part of the stream
        #: is searched twice for what is rare, nor held text for what may never come.
        self.searched: Searched = {}
        self._opener: Opener | None = None
        self._outer: list[ProseState] | None = None  # most replies need none
        #: Whether the reasoning is known to be over, or not to be there: then no closer in text means anything.
        self.is_answer = config.reasoning == "closed"
        self.prose: ProseState = text_state.begin_answer(self) if self.is_answer else text_state(self)
        self.state: BaseState = self.prose
        if grammar.first_opener is not None:
            self.enter(grammar.first_opener)
        else:
            self.begin_reply()

    @property
    def opener(self) -> Opener:
        """What led to the block that is being read."""
        if self._opener is None:
            raise self.contract_error("asks for the opener of a block, and none has begun")
        return self._opener

    @property
    def plans(self) -> OpenPlans:
        """The plans that are open. Few streams have any."""
        if self._plans is None:
            self._plans = OpenPlans(self.emitter)
        return self._plans

    def hold(self) -> None:
        """Hold what is read from the cursor on, up to the limit of held text."""
        self.scanner.hold(limit=self.scanner.offset + self.config.limits.max_held)

    # -- data is never a call -----------------------------------------------------------------------------------------

    def judge_unclosed(self, problem: str | None, closers: Iterable[Marker] = ()) -> str | None:
        """Whether it is a `problem` that a call ended at its first closer, in an argument that was never closed.

        It is none if the reply ends there: with blanks, `closers` of the call, and what is swallowed in text. Else what
        stands behind the cursor may be part of the argument, so no call in it counts.
        """
        if problem is None:
            return None
        scanner = self.scanner
        if scanner.is_finished:
            swallowed = (o.marker for o in self.grammar.openers if o.state is None or o.is_closer)
            if compile_markers({CLOSER: (*closers, *swallowed)}).fills(scanner.buf, scanner.pos):
                return None
        self.distrust_rest()
        return problem

    def distrust_rest(self) -> None:
        """What stands behind the cursor may be data of a call that has ended: from now on no call is complete."""
        self.emitter.distrust = BEHIND_UNCLOSED

    # -- reading ------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run states until the current one needs more input."""
        scanner = self.scanner
        runs, settled = 0, -1
        while True:
            state, pos, is_held = self.state, scanner.pos, scanner.mark >= 0
            needs_more = state.run() is NEED_MORE
            if scanner.pos < pos and not is_held:
                raise self.contract_error("moved the cursor back: only rollback() may")
            if self.state is state and (needs_more or scanner.pos == pos or scanner.pos == len(scanner.buf)):
                if scanner.limit >= scanner.base + len(scanner.buf):
                    break
                scanner.blank_run = None
                state.on_limit()
            runs += 1
            if not runs % _RUNS_PER_CHECK:
                settled, before = scanner.settled, settled
                if settled <= before:
                    raise self.contract_error("makes no progress: it is run again and again, but settles nothing")

    def read(self, text: str) -> None:
        """Take in more of the stream, where no parser does that."""
        scanner = self.scanner
        if scanner.blank_run is not None:
            text = scanner.skip_blanks(text)
        if text:
            scanner.buf += text
            self.run()
            scanner.compact()

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
        if emitter.has_ended:
            emitter.has_ended = False
            if emitter.spans is not None:
                emitter.spans.leave()

    def enter(self, opener: Opener) -> None:
        """Let the state of `opener` read on, from the marker's first character."""
        assert opener.state is not None  # prose swallows those itself
        self._opener = opener
        if self.emitter.spans is not None:
            self.emitter.spans.enter()
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
        states = self.grammar.tool_states[format]
        state = self.registry.get(name) or states.get(name)
        if name in self.tools and name not in self.registry:
            tool = self.tools.body_of(name)  # which may be none although it has the name of one
            state = states.get(tool.kind) if tool else None
        return state or states[""]

    def settle(self, format: str) -> None:
        """A call of `format` was recognised: where the format was to be found out, it is known from now on."""
        if self.grammar.when_settled is None:
            return
        self.grammar = self.grammar.settle(format, self.opener)
        for prose in (*(self._outer or ()), self.prose):
            prose.look_again()

    # -- prose --------------------------------------------------------------------------------------------------------

    def show(self, text: str) -> None:
        """Show `text`, which is no block after all, as part of the prose that it stands in."""
        if text.strip(BLANK_CHARACTERS):
            self.prose.note_text()
        self.emitter.emit_prose(text, self.prose.segment_type)

    def enter_prose(self, prose: ProseState) -> None:
        """Blocks from now on stand in `prose`."""
        if self._outer is None:
            self._outer = []
        self._outer.append(self.prose)
        self.prose = prose

    def leave_prose(self) -> None:
        """Go back to the prose around this one."""
        was_aside = self.prose.is_aside
        assert self._outer is not None  # it was entered
        self.prose = self._outer.pop()
        self.transition_to("text")
        if self.grammar.reply_opener is not None and was_aside and not self._outer:
            self.enter(self.grammar.reply_opener)

    def begin_answer(self) -> None:
        """The reasoning is over: what is text from now on is the answer."""
        self.is_answer = True
        if self._outer:
            self._outer[0] = self._outer[0].begin_answer(self)
        else:
            self.replace_prose(self.prose.begin_answer(self))

    def replace_prose(self, prose: ProseState) -> None:
        """The prose that blocks stand in goes on as another."""
        if self.state is self.prose:
            self.state = prose
        self.prose = prose

    def end_implied(self) -> None:
        """Whatever the prompt has opened, what comes as text is the answer: the provider tells reasoning from it."""
        self.begin_answer()
        if self.prose.is_aside and self.prose.opening.is_implied:
            self.leave_prose()

    def begin_line(self) -> None:
        """Prose stands at the beginning of a line; that is read first, where it matters."""
        if self.grammar.line_opener is not None and (not self.prose.is_aside or self.config.tools_in_reasoning):
            self.enter(self.grammar.line_opener)

    def begin_reply(self) -> None:
        """Prose stands at the beginning of the reply."""
        if self.grammar.reply_opener is not None:
            self.enter(self.grammar.reply_opener)
        else:
            self.begin_line()

    def contract_error(self, what: str) -> StateContractError:
        """The error for a state that broke the contract."""
        error = StateContractError(
            f"{type(self.state).__name__} {what} (at offset {self.scanner.offset} of the stream)"
        )
        error.is_located = True
        return error
