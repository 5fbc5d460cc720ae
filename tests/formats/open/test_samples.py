"""Every sample of the reference gives exactly its segments and invocations, however it is cut."""

from __future__ import annotations

import pytest

from streamparse import formats
from tests.formats.open.kit import NAMES, THERE, Case, check_case
from tests.formats.open.samples import CASES


@pytest.mark.parametrize("case", [case for case in CASES if case.format in THERE], ids=str)
def test_a_sample_gives_its_segments_and_calls(case: Case) -> None:
    check_case(case)


def test_every_format_has_samples() -> None:
    assert {case.format for case in CASES} == set(NAMES)
    titles = [str(case) for case in CASES]
    assert sorted(titles) == sorted(set(titles))


def test_every_name_of_the_issue_is_registered() -> None:
    assert [name for name in NAMES if name not in formats.names()] == []


def test_the_names_that_engines_use_are_aliases() -> None:
    assert formats.get("qwen25") is formats.get("hermes")
