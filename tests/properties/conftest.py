"""`make fuzz` ends with a table: what became of perturbed diffs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests import seeds
from tests.properties.histories.kinds import KINDS
from tests.properties.histories.tally import table
from tests.properties.histories.trees import TREE_KINDS
from tests.properties.histories.verdict import Verdict


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.stats.get(outcome, [])]
    told = [value for report in reports for name, value in report.user_properties if name == "verdicts"]
    if seeds.IS_FUZZ and told:
        found = {kind: Counter({Verdict(name): count for name, count in counts.items()}) for kind, counts in told}
        rows = {kind: found[kind] for kind in dict.fromkeys([*TREE_KINDS, *KINDS, *found]) if kind in found}
        terminalreporter.write_line("")
        for line in table({" / ".join(Verdict): rows}):
            terminalreporter.write_line(line)
