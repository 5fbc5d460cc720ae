"""arguments/json_of_literal.py: what is Python's own, as JSON."""

from __future__ import annotations

import pytest

from streamparse.arguments.json_of_literal import json_of_literal


@pytest.mark.parametrize(
    ("literal", "json"),
    [
        ("True", "true"),
        ("[False, None]", "[false, null]"),
        ("{'a': 'b'}", '{"a": "b"}'),
        ("['say \"x\"', 'it\\'s', 'a\\n']", '["say \\"x\\"", "it\'s", "a\\n"]'),
        ("[\"it's True\", 'True']", '["it\'s True", "True"]'),
        ("[1, 2,\n]", "[1, 2\n]"),
        ("{'a': 1,}", '{"a": 1}'),
        ("Truely, NoneSuch", "Truely, NoneSuch"),
        ("it's", "it's"),
        ('"open, True', '"open, True'),
    ],
)
def test_words_strings_and_commas(literal: str, json: str) -> None:
    assert json_of_literal(literal) == json
