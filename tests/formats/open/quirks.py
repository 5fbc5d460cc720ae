"""What tests of all formats take from the corpus: the cases that are not as the models should write them."""

from __future__ import annotations

from tests.corpus.cases import load
from tests.formats.open.kit import THERE
from tests.formats.open.samples import TOPICS

CASES = [case for case in load() if case.format in THERE and case.topic not in TOPICS]
