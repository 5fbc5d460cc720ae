"""A plan of several tools: the prose between its tags, with the tools in it.

    <multi_tool_use mode="parallel">    plan {"plan_id": "plan_1", "plan_mode": "parallel", "edge": "start", …}
      <tool name="f">…</tool>           tool_call {"plan_id": "plan_1", "tool_name": "f"}
      <sequential>…</sequential>        a plan in the plan: "parent": "plan_1"
    </multi_tool_use>                   plan {…, "edge": "end"}

Blanks with nothing but tools and tags around them are swallowed, other text is text. The closer of an outer plan ends
the inner ones, too, which then have no second edge.
"""

from __future__ import annotations

from attrs import frozen

from streamparse.core.context import ParserContext
from streamparse.core.markers import Marker, close_tag
from streamparse.core.opening import Options, Sought
from streamparse.core.state import Progress
from streamparse.states.text import TextState


@frozen
class PlanTag(Options):
    """The name of the tag that opens a plan, and the mode of the plan."""

    tag: str
    mode: str


class PlanState(TextState):
    """Prose in a plan."""

    def __init__(self, context: ParserContext) -> None:
        self._opener = context.opener
        plan = self._opener.get_options(PlanTag)
        self._tag, self._mode = plan.tag, plan.mode
        outer = context.prose
        self._tags: frozenset[str] = frozenset((self._tag,))
        if isinstance(outer, PlanState):
            self._tags |= outer._tags
        self.closers: tuple[Marker, ...] = tuple(close_tag(tag) for tag in sorted(self._tags))
        self._is_begun = False
        super().__init__(context)

    def _seek(self) -> Sought:
        return self.context.grammar.prose(self.closers)

    def run(self) -> Progress:
        """The first time the edge, then as all prose."""
        if not self._is_begun:
            self._begin_plan()
        return super().run()

    def pause(self, status: str | None = None) -> None:
        """Blanks that nothing follows are text, too."""
        scanner, emitter = self.context.scanner, self.context.emitter
        emitter.emit_prose(scanner.take(len(scanner.buf)), self.segment_type)
        emitter.end_gap(self.segment_type)
        super().pause(status)

    def _begin_plan(self) -> None:
        scanner = self.context.scanner
        scanner.pos = scanner.buf.index(">", scanner.pos) + 1
        self._is_begun = True
        self.context.enter_prose(self)
        self.context.settle(self._opener.format)
        self.context.plans.begin(self._mode, self._opener.format)

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
