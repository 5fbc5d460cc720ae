"""ToolPlan: the steps of a plan, what each must wait for, and what was wrong with it.

    {"type": "TOOL_PLAN", "id": "plan_1", "mode": "parallel", "is_complete": true, "problems": [],
     "steps": [{"id": "a", "name": "fetch", "params": {}, "depends_on": [], "is_complete": true}]}

That is its wire form, `to_dict()`; `from_dict` is the inverse. What is None is left out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import Any, ClassVar, Literal, TypeAlias

from attrs import asdict, field, frozen

from streamparse.invocations import ToolInvocation
from streamparse.wire import read_record, without_none

Mode: TypeAlias = Literal["parallel", "sequential"]
#: duplicate_id, unknown_dependency and cycle are mended; truncated and malformed are for the caller to decide about.
ProblemKind: TypeAlias = Literal["duplicate_id", "unknown_dependency", "cycle", "truncated", "malformed"]


@frozen
class PlanProblem:
    """Something that was wrong. `message` is a sentence for a person or the model.

    `step` is the id of the step it is about, None if it is the plan; `path` is the way round a cycle, from the step
    whose dependency was dropped back to it (of a long one its two ends, with `…` between them).
    """

    kind: ProblemKind
    message: str
    step: str | None = None
    path: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The wire form."""
        return without_none(asdict(self, recurse=False) | {"path": list(self.path)})


@frozen
class PlanStep:
    """A tool, or a plan in the plan, and the ids of the steps it must wait for.

    `invocation` is the call itself; a step that is a plan has none, and `plan` instead. Only a step that `is_complete`
    may be run: its end was seen, and all of it was understood.
    """

    id: str
    name: str
    params: dict[str, Any] = field(factory=dict, hash=False)
    depends_on: tuple[str, ...] = ()
    invocation: ToolInvocation | None = field(default=None, repr=False)
    plan: ToolPlan | None = field(default=None, repr=False)
    is_complete: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The wire form, with that of the call or of the plan."""
        data = asdict(self, recurse=False) | {"depends_on": list(self.depends_on)}
        data["invocation"] = self.invocation and self.invocation.to_dict()
        data["plan"] = self.plan and self.plan.to_dict()
        return without_none(data)


@frozen
class ToolPlan:
    """Several steps, in the order they were written. `parent` is the id of the plan it stands in."""

    type: ClassVar[Literal["TOOL_PLAN"]] = "TOOL_PLAN"

    id: str
    mode: Mode
    steps: tuple[PlanStep, ...] = ()
    problems: tuple[PlanProblem, ...] = ()
    parent: str | None = None
    #: Whether its end was seen. Of a plan that was cut off, the steps so far are there.
    is_complete: bool = True

    def order(self) -> list[list[PlanStep]]:
        """Batches: the steps of one may run together, when those of all before it are done."""
        steps = {step.id: step for step in self.steps}
        places = {step.id: place for place, step in enumerate(self.steps)}
        sorter = TopologicalSorter({step.id: step.depends_on for step in self.steps})
        sorter.prepare()
        batches: list[list[PlanStep]] = []
        while sorter.is_active():
            ready = sorted(sorter.get_ready(), key=places.__getitem__)
            batches.append([steps[name] for name in ready])
            sorter.done(*ready)
        return batches

    def to_dict(self) -> dict[str, Any]:
        """The wire form, ready for `json.dumps`."""
        data = {"type": self.type, **asdict(self, recurse=False)}
        data["steps"] = [step.to_dict() for step in self.steps]
        data["problems"] = [problem.to_dict() for problem in self.problems]
        return without_none(data)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ToolPlan:
        """The inverse of `to_dict`. Raises ValueError for anything else."""
        return read_record(cls, data)
