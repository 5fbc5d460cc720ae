"""What models do besides the samples gives exactly these segments and invocations, however it is cut."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.formats.kit import check
from tests.formats.open.kit import NAMES, THERE, TOOLS, Case, check_case
from tests.formats.open.quirks import CASES, ODD


@pytest.mark.parametrize("case", [case for case in CASES if case.format in THERE], ids=str)
def test_a_quirk_gives_its_segments_and_calls(case: Case) -> None:
    check_case(case)


@pytest.mark.parametrize(("format", "text"), [row for row in ODD if row[0] in THERE])
def test_what_is_out_of_order_does_not_depend_on_its_cuts(format: str, text: str) -> None:
    check(text, format, is_wild=True, tools=TOOLS)


def test_every_format_has_at_least_two() -> None:
    count = Counter(case.format for case in CASES)
    assert [name for name in NAMES if count[name] < 2] == []
    titles = [str(case) for case in CASES]
    assert sorted(titles) == sorted(set(titles))
