"""Plans from events: the edges say where a plan begins and ends, the calls between them are its steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import define, field

from streamparse.config import ParserConfig, ToolSpec
from streamparse.errors import PlanError
from streamparse.events import PLAN, SegmentEvent, SegmentEventType
from streamparse.handler import StreamingResponseHandler
from streamparse.invocations import AnyItem, ToolInvocation, ToolInvocationAdapter
from streamparse.plans.plan import Mode, PlanProblem, PlanStep, ToolPlan
from streamparse.plans.resolve import name_steps, resolve


@define(eq=False)
class _OpenPlan:
    """A plan that is being collected."""

    id: str
    mode: Mode
    parent: str | None
    steps: list[PlanStep] = field(factory=list)
    wanted: list[tuple[str, ...]] = field(factory=list)  # what each of them depends on
    problems: list[PlanProblem] = field(factory=list)

    def add(self, step: PlanStep, depends_on: tuple[str, ...]) -> None:
        self.steps.append(step)
        self.wanted.append(depends_on)

    def close(self, *, is_complete: bool) -> ToolPlan:
        steps, renamed = name_steps(self.steps)
        steps, dropped = resolve(steps, self.wanted, self.mode)
        problems = [*renamed, *dropped]
        for step in steps:
            call = step.invocation
            if call is not None and call.status != "complete":
                message = f"the step {step.id!r} is {call.status}: {call.error}"
                problems.append(PlanProblem(call.status, message, step.id))
        if not is_complete:
            problems.append(PlanProblem("truncated", f"{self.id} was cut off: its end did not come"))
        return ToolPlan(self.id, self.mode, tuple(steps), tuple(problems), self.parent, is_complete)


class PlanBuilder:
    """Collects plans. Feed it events; `plans` are those that have ended, the outermost only, in their order.

    `problems` are those of all plans, also of plans in plans.
    `tools`, `config` and `format` are as for `ToolInvocationAdapter`. Calls outside of plans are nobody's steps. If the
    items have invocations among them, say so with `invocations`: then the steps are these.
    """

    def __init__(
        self,
        tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
        *,
        config: ParserConfig | None = None,
        format: str = "xml",
        invocations: bool = False,
    ) -> None:
        self._adapter = None if invocations else ToolInvocationAdapter(tools, config=config, format=format)
        self._open: list[_OpenPlan] = []
        self.plans: list[ToolPlan] = []
        self.problems: list[PlanProblem] = []

    def feed(self, event: SegmentEvent | AnyItem) -> ToolPlan | None:
        """Take in an event; the end of an outermost plan gives the plan. Other items of a stream are ignored."""
        if event.type is SegmentEventType.START and is_edge(event):
            return self._take_edge(event.metadata)
        if self._adapter is not None:
            invocation = self._adapter.feed(event)
        else:
            invocation = event if isinstance(event, ToolInvocation) else None
        if invocation is not None:
            self._take_call(invocation)
        return None

    def finalize(self) -> list[ToolPlan]:
        """No more events: plans that are open were cut off. All plans."""
        for invocation in self._adapter.finalize() if self._adapter is not None else ():
            self._take_call(invocation)
        while self._open:
            self._close(is_complete=False)
        return self.plans

    def _take_edge(self, edge: Mapping[str, Any]) -> ToolPlan | None:
        if edge["edge"] == "start":
            while self._open and self._open[-1].id != edge["parent"]:
                self._close(is_complete=False)  # it broke off without its second edge
            self._open.append(_OpenPlan(edge["plan_id"], edge["plan_mode"], edge["parent"]))
            return None
        while self._open and self._open[-1].id != edge["plan_id"]:
            self._close(is_complete=False)
        return self._close(is_complete=True) if self._open else None

    def _take_call(self, call: ToolInvocation) -> None:
        plan = next((plan for plan in reversed(self._open) if plan.id == call.plan_id), None)
        if plan is not None:
            step = PlanStep(
                call.step_id or "", call.name, call.arguments, invocation=call, is_complete=call.is_complete
            )
            plan.add(step, call.depends_on or ())

    def _close(self, *, is_complete: bool) -> ToolPlan | None:
        """The innermost plan ends: it is a step of the one around it, or else done."""
        plan = self._open.pop().close(is_complete=is_complete)
        self.problems += plan.problems
        if self._open:
            is_whole = plan.is_complete and all(step.is_complete for step in plan.steps)
            self._open[-1].add(PlanStep(plan.id, "", plan=plan, is_complete=is_whole), ())
            return None
        self.plans.append(plan)
        return plan


def is_edge(event: SegmentEvent) -> bool:
    """Someone else may have segments of that type."""
    return event.segment_type == PLAN and event.metadata.keys() >= {"plan_id", "plan_mode", "edge", "parent"}


def build_plans(
    source: str | Iterable[SegmentEvent],
    format: str | Sequence[str] = "xml",
    *,
    tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
    config: ParserConfig | None = None,
    strict: bool = False,
) -> list[ToolPlan]:
    """The plans in a text or in events. With `strict`, PlanError if there is any problem with them."""
    tools = list(tools)
    if isinstance(source, str):
        handler = StreamingResponseHandler(format, tools=tools, config=config)
        source = handler.feed(source) + handler.finalize()
    elif isinstance(source, bytes):
        raise TypeError("build_plans() takes text or events, not bytes")
    builder = PlanBuilder(tools, config=config, format=format if isinstance(format, str) else format[0])
    for event in source:
        builder.feed(event)
    plans = builder.finalize()
    if strict and builder.problems:
        raise PlanError(builder.problems)
    return plans
