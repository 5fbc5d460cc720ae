"""JsonPlans: the plans that calls in JSON stand in, told apart by the brackets around them.

{"execution": {"mode": "parallel", "tools": [       a plan may begin: nothing is said of it yet
    {"name": "f", "arguments": {}}                  there is a call, so it is one: its first edge
]}                                                  its second edge
"""

from __future__ import annotations

from itertools import takewhile

from attrs import define

from streamparse.core.open_plans import OpenPlans


@define
class _Plan:
    mode: str
    size: int  # of what is open around its calls, without the list: it ends when less is
    is_begun: bool = False


class JsonPlans:
    """Those of one candidate, the outermost first. True if there are any."""

    def __init__(self, plans: OpenPlans, format: str) -> None:
        self._plans = plans
        self._format = format
        self._open: list[_Plan] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def open(self, mode: str, size: int) -> None:
        """The list of a plan's calls begins, in `size` brackets."""
        self._open.append(_Plan(mode, size))

    def begin(self) -> None:
        """There is a call in the innermost plan, so it is one, and so are those around it."""
        waiting = list(takewhile(lambda plan: not plan.is_begun, reversed(self._open)))
        for plan in reversed(waiting):
            plan.is_begun = True
            self._plans.begin(plan.mode, self._format)

    def ends_at(self, size: int) -> bool:
        """Whether the innermost plan ends with the next bracket that closes, of `size` that are open."""
        return bool(self._open) and self._open[-1].size == size

    def close(self, size: int) -> None:
        """So many brackets are open now: if that is less than the innermost plan has, it has ended."""
        if self._open and size < self._open[-1].size and self._open.pop().is_begun:
            self._plans.end()

    def drop(self) -> None:
        """What should follow does not: the end of no plan is seen."""
        for plan in self._open:
            if plan.is_begun:
                self._plans.drop()
        self._open.clear()
