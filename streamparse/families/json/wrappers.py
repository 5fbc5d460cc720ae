"""Wrappers: what calls in JSON stand in, the outermost first.

    [ CALL, CALL ]                                                  LIST
    {"tool_calls": [ CALL, CALL ], "id": "x"}                       OBJECT, LIST
    {"execution": {"mode": "parallel", "tools": [ CALL, CALL ]}}    OBJECT, PLAN, LIST

Of an object the keys are known that were seen in it: behind its list it may have others. A plan is one as soon as there
is a call in it: that is its first edge, and so it is for all plans around it. Its second edge is its own brace.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from streamparse.core.open_plans import OpenPlans
from streamparse.families.json.keys import JsonKeys, KeySet


class Kind(Enum):
    """What is open."""

    LIST = auto()
    OBJECT = auto()  #: a call, or a wrapper around a list of them
    FUNCTION = auto()  #: the object in a call that has its name and arguments
    PLAN = auto()  #: the object that has mode and calls of a plan


class Frame:
    """A list or an object that is open, with the keys it may have and those it has."""

    mode = ""  # of a plan
    is_begun = False  # of a plan: there was a call in it

    def __init__(self, kind: Kind, allowed: KeySet) -> None:
        self.kind = kind
        self.allowed = allowed
        self.seen: set[str] = set()

    @property
    def closer(self) -> str:
        """What closes it."""
        return "]" if self.kind is Kind.LIST else "}"


_LIST = Frame(Kind.LIST, KeySet(()))


class Wrappers:
    """A stack of `frames`, of which `plan_count` are plans."""

    def __init__(self, plans: OpenPlans, format: str) -> None:
        self._plans = plans
        self._format = format
        self.frames: list[Frame] = []
        self.plan_count = 0

    @property
    def closers(self) -> str:
        """What closes them, the outermost first."""
        return "".join([frame.closer for frame in self.frames])

    def open_list(self) -> None:
        """A list of calls begins."""
        self.frames.append(_LIST)

    def open_objects(self, objects: Sequence[Frame], mode: str, keys: JsonKeys) -> None:
        """It begins in a wrapper, or in a plan and the object around that."""
        objects[0].allowed = keys.of_wrapper  # from now on
        if objects[-1].kind is Kind.PLAN:
            objects[-1].mode = mode
            self.plan_count += 1
        self.frames += objects
        self.open_list()

    def begin_plans(self) -> None:
        """There is a call, so the plans around it are plans."""
        waiting: list[Frame] = []
        for frame in reversed(self.frames if self.plan_count else ()):
            if frame.is_begun:
                break
            if frame.kind is Kind.PLAN:
                waiting.append(frame)
        for plan in reversed(waiting):
            plan.is_begun = True
            self._plans.begin(plan.mode, self._format)

    def close(self) -> None:
        """The innermost has closed; if it is a plan, that has ended."""
        frame = self.frames.pop()
        if frame.kind is Kind.PLAN:
            self.plan_count -= 1
            if frame.is_begun:
                self._plans.end()

    def drop(self) -> None:
        """What should follow does not: the end of no plan is seen."""
        for frame in self.frames:
            if frame.is_begun:
                self._plans.drop()
        self.frames.clear()
