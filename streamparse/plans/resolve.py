"""From what the steps of a plan say of each other to a graph without cycles.

    a, b depends on a, b again          the second is renamed `b-2`, and reported
    c depends on x                      dropped and reported: no step has that id
    a on b, b on c, c on a              the last edge closes the cycle: dropped and reported, with the way round it

In a sequential plan, a step that names none waits for the step before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from streamparse.plans.plan import Mode, PlanProblem, PlanStep


def name_steps(steps: Iterable[PlanStep]) -> tuple[list[PlanStep], list[PlanProblem]]:
    """Steps with unique ids. One without an id is called after its place, `step_1`; an id that is taken is renamed."""
    steps = list(steps)
    problems: list[PlanProblem] = []
    names = _FreeNames(step.id for step in steps)
    seen: set[str] = set()
    named: list[PlanStep] = []
    for place, step in enumerate(steps, start=1):
        name = step.id
        if not name:
            name = names.find("step_", place)
        elif name in seen:
            name = names.find(f"{step.id}-", 2)
            message = f"the id {step.id!r} is used twice: the second step is called {name!r} now"
            problems.append(PlanProblem("duplicate_id", message, name))
        seen.add(name)
        named.append(evolve(step, id=name))
    return named, problems


class _FreeNames:
    """Names that no one has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}  # by beginning: all numbers below are taken

    def find(self, beginning: str, number: int) -> str:
        """A free name: the beginning, and this number or a greater one."""
        number = max(number, self._next.get(beginning, 0))
        while f"{beginning}{number}" in self._taken:
            number += 1
        self._next[beginning] = number + 1
        name = f"{beginning}{number}"
        self._taken.add(name)
        return name


def resolve(
    steps: Sequence[PlanStep], wanted: Sequence[Sequence[str]], mode: Mode
) -> tuple[list[PlanStep], list[PlanProblem]]:
    """The steps with the dependencies that are kept; `wanted` are those that each of them names."""
    problems: list[PlanProblem] = []
    graph = _Graph(step.id for step in steps)
    previous: str | None = None
    for step, names in zip(steps, wanted, strict=True):
        for name in dict.fromkeys(names):
            if name not in graph.edges:
                message = f"{step.id!r} depends on {name!r}, which is no step of this plan: dropped"
                problems.append(PlanProblem("unknown_dependency", message, step.id))
            else:
                problems += graph.add(step.id, name)
        if mode == "sequential" and previous is not None and not graph.edges[step.id]:
            problems += graph.add(step.id, previous)
        previous = step.id
    return [evolve(step, depends_on=tuple(graph.edges[step.id])) for step in steps], problems


class _Graph:
    """Who waits for whom; nobody ever waits for himself, not even by way of others."""

    def __init__(self, steps: Iterable[str]) -> None:
        self.edges: dict[str, list[str]] = {step: [] for step in steps}
        self._awaited: set[str] = set()  # those that someone waits for

    def add(self, step: str, name: str) -> list[PlanProblem]:
        """Let `step` wait for `name`; a problem, if that waits for it already."""
        path = self._path(name, step)
        if path is None:
            self.edges[step].append(name)
            self._awaited.add(name)
            return []
        way = (step, *path)
        message = f"{' -> '.join(way)} is a cycle: that {step!r} depends on {name!r} is dropped"
        return [PlanProblem("cycle", message, step, way)]

    def _path(self, start: str, goal: str) -> list[str] | None:
        """The way along dependencies from `start` to `goal`; None if there is none."""
        if goal != start and goal not in self._awaited:
            return None  # as in every plan that names only steps before
        came_from: dict[str, str | None] = {start: None}
        waiting = [start]
        while waiting:
            step = waiting.pop()
            if step == goal:
                path = [step]
                while (before := came_from[path[-1]]) is not None:
                    path.append(before)
                return path[::-1]
            for name in self.edges[step]:
                if name not in came_from:
                    came_from[name] = step
                    waiting.append(name)
        return None
