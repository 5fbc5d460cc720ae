"""From what the steps of a plan say of each other to a graph without cycles.

    a, b depends on a, b again          the second is renamed `b-2`, and reported
    c depends on x                      dropped and reported: no step has that id
    a on b, b on c, c on a              the last edge closes the cycle: dropped and reported, with the way round it

In a sequential plan, a step that is left with none waits for the step before it, unless that has to wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import pairwise

from attrs import evolve

from streamparse.plans.plan import Mode, PlanProblem, PlanStep

#: No one reads a longer way round a cycle; and a thousand of them would fill the memory.
_LONGEST_PATH = 64


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
    edges: dict[str, list[str]] = {step.id: [] for step in steps}
    for step, names in zip(steps, wanted, strict=True):
        for name in dict.fromkeys(names):
            if name in edges:
                edges[step.id].append(name)
            else:
                message = f"{step.id!r} depends on {name!r}, which is no step of this plan: dropped"
                problems.append(PlanProblem("unknown_dependency", message, step.id))
    problems += _break_cycles(edges)
    if mode == "sequential":
        _chain(edges)
    return [evolve(step, depends_on=tuple(edges[step.id])) for step in steps], problems


def _break_cycles(edges: dict[str, list[str]]) -> list[PlanProblem]:
    """Drop every edge that leads back to a step on the way to it. Each edge is looked at once."""
    problems: list[PlanProblem] = []
    dropped: set[tuple[str, str]] = set()
    done: set[str] = set()
    for first in edges:
        if first in done:
            continue
        way: dict[str, int] = {first: 0}  # the steps from `first` on, each waiting for the next, and their places
        names = [first]
        waiting = [list(reversed(edges[first]))]
        while names:
            step = names[-1]
            if not waiting[-1]:
                done.add(step)
                del way[step]
                names.pop()
                waiting.pop()
                continue
            name = waiting[-1].pop()
            if name in way:
                dropped.add((step, name))
                problems.append(_cycle(step, names, way[name]))
            elif name not in done:
                way[name] = len(names)
                names.append(name)
                waiting.append(list(reversed(edges[name])))
    for step in {step for step, _ in dropped}:
        edges[step] = [name for name in edges[step] if (step, name) not in dropped]
    return problems


def _cycle(step: str, names: list[str], start: int) -> PlanProblem:
    """That `step`, the last of `names`, depends on the one at `start`. Of a long way, only both ends are told."""
    round_about = (
        names[start:] if len(names) - start <= _LONGEST_PATH else [*names[start : start + 8], "…", *names[-8:]]
    )
    path = (step, *round_about)
    message = f"{' -> '.join(path)} is a cycle: that {step!r} depends on {names[start]!r} is dropped"
    return PlanProblem("cycle", message, step, path)


def _chain(edges: dict[str, list[str]]) -> None:
    """Let each step that waits for none wait for the one before it, unless that has to come later."""
    places = {step: place for place, step in enumerate(_in_order(edges))}
    for before, step in pairwise(list(edges)):
        if not edges[step] and places[before] < places[step]:
            edges[step].append(before)


def _in_order(edges: dict[str, list[str]]) -> list[str]:
    """All steps, each behind those it waits for, and else as they were written."""
    written = {step: place for place, step in enumerate(edges)}
    sorter = TopologicalSorter(edges)
    sorter.prepare()
    ready = [(written[step], step) for step in sorter.get_ready()]
    heapify(ready)
    order: list[str] = []
    while ready:
        _, step = heappop(ready)
        order.append(step)
        sorter.done(step)
        for following in sorter.get_ready():
            heappush(ready, (written[following], following))
    return order
