"""What holds for all tests: the suite always gives the same answer, and `make fuzz` says how to get its again."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

from tests import cuts, seeds

#: How long an example takes depends on what else the machine does.
ANY_TIME = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}

settings.register_profile("suite", derandomize=True, database=None, **ANY_TIME)
settings.register_profile("fuzz", max_examples=seeds.times(100), database=None, print_blob=True, **ANY_TIME)
settings.load_profile("fuzz" if seeds.IS_FUZZ else "suite")

cuts.thin_out()
#: The suite makes and drops millions of small objects: looking for cycles among them so often costs a tenth of it.
gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if seeds.IS_FUZZ and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = seeds.SEED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if seeds.IS_FUZZ and terminalreporter.stats.get("failed"):
        terminalreporter.write_line(seeds.AGAIN)
