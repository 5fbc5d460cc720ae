"""PlanData: the plans of a reply as data for a client, when one begins, and when it is whole or was cut off.

    {"mode": "parallel", "isComplete": true, "problems": [], "steps": [
        {"id": "a", "dependsOn": [], "toolName": "read_file", "toolCallId": "call_…"}]}

A plan that stands in another is a step of it, with its own data in `plan`.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import define, field

from streamparse.events import SegmentStart
from streamparse.invocations import ToolInvocation
from streamparse.plans import PlanBuilder, ToolPlan
from streamparse.plans.build import is_edge
from streamparse.segment import Segment

#: The id of a plan, and what is told of it.
ToldPlan: TypeAlias = tuple[str, dict[str, Any]]


@define
class PlanData:
    """Tell it the edges and the calls of a reply; `end` when there are no more."""

    _builder: PlanBuilder | None = None
    _call_ids: dict[str, str] = field(factory=dict)

    def feed_edge(self, segment: Segment) -> list[ToldPlan] | None:
        """What the edge of a plan tells; None if the segment is none."""
        edge = SegmentStart(segment.id, segment.type, segment.metadata)
        if not is_edge(edge):
            return None
        if self._builder is None:
            self._builder = PlanBuilder(invocations=True)
        plan, metadata = self._builder.feed(edge), segment.metadata
        if plan is None and metadata["edge"] == "start" and metadata["parent"] is None:
            plan = ToolPlan(metadata["plan_id"], metadata["plan_mode"], is_complete=False)
        return [self._told(plan)] if plan is not None else []

    def feed_call(self, invocation: ToolInvocation, call_id: str) -> None:
        """A call, which may be a step of a plan, and its id for the client."""
        if self._builder is not None:
            self._call_ids[invocation.id] = call_id
            self._builder.feed(invocation)

    def end(self) -> list[ToldPlan]:
        """The reply is over: the plans that were cut off."""
        plans = self._builder.finalize() if self._builder is not None else []
        return [self._told(plan) for plan in plans if not plan.is_complete]

    def _told(self, plan: ToolPlan) -> ToldPlan:
        return plan.id, self._data(plan)

    def _data(self, plan: ToolPlan) -> dict[str, Any]:
        steps: list[dict[str, Any]] = []
        for step in plan.steps:
            told: dict[str, Any] = {"id": step.id, "dependsOn": list(step.depends_on)}
            if step.plan is not None:
                told["plan"] = self._data(step.plan)
            if step.invocation is not None:
                told |= {"toolName": step.name, "toolCallId": self._call_ids[step.invocation.id]}
            steps.append(told)
        problems = [problem.message for problem in plan.problems]
        return {"mode": plan.mode, "isComplete": plan.is_complete, "steps": steps, "problems": problems}
