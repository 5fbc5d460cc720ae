"""Schedule: which calls may go now, and which never will, because one that they wait for has failed.

    schedule = Schedule(steps_of(plan))
    schedule.next()                    # 0: the first step that waits for nothing
    schedule.end(0, is_ok=False)       # [(2, 0)]: step 2 waited for it

A call by itself is a plan of one step. A plan within a plan begins when what it waits for is done, and is done when all
of its steps are.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from attrs import frozen

from streamparse.invocations import ToolInvocation
from streamparse.plans import ToolPlan


@frozen
class Step:
    """A call, and the numbers of the steps that must be done before it.

    `obstacle` is why it can never run, as the rest of a sentence: the end of its plan, or of one around that, did not
    come, or it is to wait for something that is no step, or for itself.
    """

    call: ToolInvocation
    waits_for: tuple[int, ...] = ()
    obstacle: str = ""


def steps_of(plan: ToolPlan) -> list[Step]:
    """All calls of a plan, and of the plans in it, in the order they were written."""
    steps: list[Step] = []
    _add_steps(plan, (), steps, "")
    return steps


def _add_steps(plan: ToolPlan, before: tuple[int, ...], steps: list[Step], obstacle: str) -> list[int]:
    """Add the steps of a plan that waits for the steps `before`; returns the numbers of those that it added."""
    ends: dict[str, tuple[int, ...]] = {}  # what a step of the plan stands for
    added: list[int] = []
    obstacle = obstacle or ("" if plan.is_complete else "its plan was cut off")
    # These dependencies were dropped so that there is a graph. But who has lost one was not meant to go without it.
    dropped = {
        one.step: f"{' -> '.join(one.path)} is a cycle" if one.path else one.message.removesuffix(": dropped")
        for one in plan.problems
        if one.kind in ("unknown_dependency", "cycle")
    }
    for batch in plan.order():
        for step in batch:
            waits_for = (*before, *(number for name in step.depends_on for number in ends[name]))
            if step.plan is not None:
                numbers = _add_steps(step.plan, waits_for, steps, obstacle)
            else:
                assert step.invocation is not None
                numbers = [len(steps)]
                steps.append(Step(step.invocation, waits_for, obstacle or dropped.get(step.id, "")))
            ends[step.id] = tuple(numbers) or waits_for  # a plan without steps is done when it may begin
            added += numbers
    return added


class Schedule:
    """Keeps the books about the steps of a plan; it runs nothing itself."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._left = [len(set(step.waits_for)) for step in steps]
        self._waiting: list[list[int]] = [[] for _ in steps]
        for number, step in enumerate(steps):
            for other in set(step.waits_for):
                self._waiting[other].append(number)
        self._ready = [number for number, left in enumerate(self._left) if not left]
        heapify(self._ready)
        self._is_settled = [False] * len(steps)  # it was given, or it never will
        #: How many steps were neither given nor skipped.
        self.undecided = len(steps)
        #: How many steps were given and have not ended.
        self.going = 0

    def next(self) -> int | None:
        """The first step that may go now; None if none may. It is not given twice."""
        if not self._ready:
            return None
        number = heappop(self._ready)
        self._settle(number)
        self.going += 1
        return number

    def _settle(self, number: int) -> None:
        self._is_settled[number] = True
        self.undecided -= 1

    def end(self, number: int, *, is_ok: bool) -> list[tuple[int, int]]:
        """A step is done. If it failed, those that will never go now, each with the step that it waited for."""
        self.going -= 1
        if is_ok:
            for other in self._waiting[number]:
                self._left[other] -= 1
                if not self._left[other] and not self._is_settled[other]:
                    heappush(self._ready, other)
            return []
        skipped: list[tuple[int, int]] = []
        failed = [number]
        for culprit in failed:
            for other in self._waiting[culprit]:
                if not self._is_settled[other]:
                    self._settle(other)
                    skipped.append((other, culprit))
                    failed.append(other)
        return skipped
