"""A plan of several tools: the prose between its tags, with the tools in it.

    <multi_tool_use mode="parallel">    plan {"plan_id": "plan_1", "plan_mode": "parallel", "edge": "start", …}
      <tool name="f">…</tool>           tool_call {"plan_id": "plan_1", "tool_name": "f"}
      <sequential>…</sequential>        a plan in the plan: "parent": "plan_1"
    </multi_tool_use>                   plan {…, "edge": "end"}

Blanks with nothing but tools and tags around them are swallowed, other text is text. The closer of an outer plan ends
the inner ones, too, which then have no second edge.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.markers import CLOSER, Marker, Markers, closer, compile_markers, skip_blanks
from streamparse.core.opening import Opener
from streamparse.core.state import NEED_MORE
from streamparse.states.text import TextState


class PlanState(TextState):
    """Prose in a plan. The opener's options are the name of its tag, and the mode."""

    def __init__(self, context: ParserContext) -> None:
        assert context.opener is not None  # it led here
        self._opener = context.opener
        self._tag, self._mode = self._opener.options
        outer = context.prose
        self._tags: frozenset[str] = frozenset((self._tag,))
        if isinstance(outer, PlanState):
            self._tags |= outer._tags
        self.closers: tuple[Marker, ...] = tuple(closer(tag) for tag in sorted(self._tags))
        self._is_begun = False
        self._is_gap = True  # nothing but blanks since the last tag or tool
        super().__init__(context)

    def _markers(self) -> Markers:
        return compile_markers({CLOSER: self.closers, **{opener: [opener.marker] for opener in self.context.openers}})

    def run(self) -> bool | None:
        """The first time the edge, then as all prose, save for blanks between tools."""
        if not self._is_begun:
            self._begin()
        if self._is_gap and not self._pass_gap():
            return NEED_MORE
        return super().run()

    def _begin(self) -> None:
        scanner = self.context.scanner
        scanner.pos = scanner.buf.index(">", scanner.pos) + 1
        self._is_begun = True
        self.context.enter_prose(self)
        self.context.settle(self._opener.format)
        self.context.plans.begin(self._mode, self._opener.format)

    def _pass_gap(self) -> bool:
        """Blanks are set aside if a tag follows them; False if that is not known yet."""
        scanner = self.context.scanner
        buf, start = scanner.buf, skip_blanks(scanner.buf, scanner.pos)
        self.triggers = None
        if not scanner.is_finished:
            match = self._compiled.pattern.match(buf, start)
            if start == len(buf) or (match and match.lastindex is None):
                scanner.wait_past_blanks()
                return False
            if match:
                self.context.emitter.gap += scanner.take(start)
                return True
        self._is_gap = False
        self.triggers = self._heads
        return True

    def _hand_over(self, opener: Opener) -> None:
        self._is_gap = True
        super()._hand_over(opener)

    def _close(self) -> None:
        """A closer was read: this plan's, or that of one around it."""
        context = self.context
        buf, pos = context.scanner.buf, context.scanner.pos
        tag = buf[buf.rindex("</", 0, pos) + 2 : pos - 1].rstrip().lower()
        while isinstance(context.prose, PlanState) and context.prose._tag != tag:
            context.plans.drop()
            context.leave_prose()
        context.plans.end()
        context.leave_prose()
