"""Plans of several tools: what may run together, and what must wait for what.

    <multi_tool_use mode="parallel">
      <tool name="fetch"><toolId>a</toolId><url>…</url></tool>
      <tool name="parse"><toolId>b</toolId><dependsOn>a</dependsOn></tool>
    </multi_tool_use>

    for plan in build_plans(text):          # or events, of any format
        for batch in plan.order():          # [[a], [b]]
            ...

`plan.py` says what a plan is, `resolve.py` how its dependencies become a graph without cycles, `build.py` how plans are
collected from events.
"""

from streamparse.errors import PlanError
from streamparse.plans.build import PlanBuilder, build_plans
from streamparse.plans.plan import PlanProblem, PlanStep, ToolPlan

__all__ = ["PlanBuilder", "PlanError", "PlanProblem", "PlanStep", "ToolPlan", "build_plans"]
