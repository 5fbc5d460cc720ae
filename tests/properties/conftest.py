"""`make fuzz` ends with a table: what became of perturbed diffs."""

from __future__ import annotations

import pytest

from tests import seeds
from tests.properties.histories.tally import table


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.stats.get(outcome, [])]
    rows = dict(value for report in reports for name, value in report.user_properties if name == "verdicts")
    if seeds.IS_FUZZ and rows:
        terminalreporter.write_line("")
        for line in table(rows):
            terminalreporter.write_line(line)
