"""What tests of all formats take from the corpus: the cases that are as the models write them, and calls of theirs."""

from __future__ import annotations

from tests.corpus.cases import load
from tests.formats.open.kit import THERE

TOPICS = ("calls", "reasoning")
CASES = [case for case in load() if case.format in THERE and case.topic in TOPICS]


def a_call(format: str) -> str:
    """The call for the weather, as a model of the format writes it."""
    (text,) = [case.text for case in CASES if (case.format, case.topic, case.name) == (format, "calls", "a call")]
    return text
