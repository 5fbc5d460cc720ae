"""How often a tool was right, told something else, refused and wrong: a row for each perturbation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tests.properties.histories.perturbed import Perturbation
from tests.properties.histories.repository import FileEdit
from tests.properties.histories.verdict import Case, Verdict

Counts = Counter[Verdict]


def cases(
    kind: str, perturb: Perturbation, edits: Iterable[FileEdit], times: int = 1
) -> Iterator[tuple[FileEdit, Case]]:
    """Every edit so many times; what is chosen for one depends on nothing but its name."""
    for edit in edits:
        for number in range(times):
            case = perturb(random.Random(f"{edit.commit}:{edit.path}: {kind} {number}"), edit)
            if case is not None:
                yield edit, case


def table(rows: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Lines of Markdown: counts by the value of a verdict."""
    lines = [f"| perturbation | tried | {' | '.join(Verdict)} |", "|---|" + "---|" * (len(Verdict) + 1)]
    for kind, counts in rows.items():
        found = [counts.get(verdict.value, 0) for verdict in Verdict]
        lines.append(f"| {kind} | {sum(found)} | {' | '.join(map(str, found))} |")
    return lines
