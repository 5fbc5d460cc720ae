"""The names of the formats of open models."""

from __future__ import annotations

from streamparse import formats
from tests.formats.open.kit import NAMES


def test_every_name_of_the_issue_is_registered() -> None:
    assert [name for name in NAMES if name not in formats.names()] == []


def test_the_names_that_engines_use_are_aliases() -> None:
    assert formats.get("qwen25") is formats.get("hermes")
