"""OpenPlans: the plans that are open, the innermost last, and the edges that tell of them.

    plan {"plan_id": "plan_1", "plan_mode": "parallel", "edge": "start", "parent": null}
    tool_call {"plan_id": "plan_1", "tool_name": "f"}
    plan {"plan_id": "plan_1", "plan_mode": "parallel", "edge": "end", "parent": null}

An edge is a segment without content. Whatever starts between the two says which plan it stands in. A plan without its
second edge was cut off.
"""

from __future__ import annotations

from typing import Any

from streamparse.core.emitter import EventEmitter
from streamparse.events import PLAN

#: How the steps of a plan may run.
MODES = ("parallel", "sequential")


class OpenPlans:
    """Begins and ends plans; their ids count from `plan_1`."""

    __slots__ = ("_count", "_emitter", "_open")

    def __init__(self, emitter: EventEmitter) -> None:
        self._emitter = emitter
        self._count = 0
        self._open: list[tuple[dict[str, Any], str]] = []  # metadata and format

    @property
    def is_open(self) -> bool:
        """Whether there is any."""
        return bool(self._open)

    def begin(self, mode: str, format: str) -> None:
        """A plan begins; it stands in the one that is open."""
        self._count += 1
        parent = self._open[-1][0]["plan_id"] if self._open else None
        plan = {"plan_id": f"plan_{self._count}", "plan_mode": mode, "parent": parent}
        self._emit(plan, "start", format)
        self._open.append((plan, format))
        self._emitter.within = {"plan_id": plan["plan_id"]}

    def end(self) -> None:
        """The innermost plan ends."""
        plan, format = self._open[-1]
        self._emit(plan, "end", format)
        self.drop()

    def drop(self) -> None:
        """The innermost plan is left, and its end was not seen."""
        self._open.pop()
        self._emitter.within = {"plan_id": self._open[-1][0]["plan_id"]} if self._open else {}

    def _emit(self, plan: dict[str, Any], edge: str, format: str) -> None:
        self._emitter.emit_start(PLAN, {**plan, "edge": edge}, format)
        self._emitter.emit_end()
