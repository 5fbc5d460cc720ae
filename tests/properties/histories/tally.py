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


def table(columns: Mapping[str, Mapping[str, Counts]]) -> list[str]:
    """Lines of Markdown, a column for each tool and a row for each perturbation that the first of them was tried on."""
    lines = [f"| perturbation | tried | {' | '.join(columns)} |", "|---|---|" + "---|" * len(columns)]
    first = next(iter(columns.values()))
    for kind, counts in first.items():
        cells = [_cell(rows[kind]) if kind in rows else "" for rows in columns.values()]
        lines.append(f"| {kind} | {counts.total()} | {' | '.join(cells)} |")
    return lines


def _cell(counts: Counts) -> str:
    return " / ".join(str(counts[verdict]) for verdict in Verdict)
