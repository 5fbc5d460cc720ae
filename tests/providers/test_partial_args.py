"""partial_args.py: values by path, as JSON text that grows and is never wrong."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

from streamparse.providers.partial_args import PartialArgs

#: Values by their paths, and the text of each, the last of which is what is left at the end.
CASES: dict[str, tuple[list[tuple[str, Any]], list[str]]] = {
    "nothing": ([], ["}"]),
    "a string in pieces": ([("$.a", 'x"'), ("$.a", "y\n")], ['"a": "x\\"', "y\\n", '"}']),
    "values of all kinds": (
        [("$.a", 1), ("$.b", 2.0), ("$.c", 0.5), ("$.d", True), ("$.e", None), ("$.f", math.inf)],
        ['"a": 1', ', "b": 2', ', "c": 0.5', ', "d": true', ', "e": null', ', "f": null', "}"],
    ),
    "objects and lists": (
        [("$.a.b", "x"), ("$.a['c'].d", 1), ('$.a["é"][0]', 2), ("$.a.é[1][0].z", 3), ("$.f", 4)],
        ['"a": {"b": "x', '", "c": {"d": 1', '}, "é": [2', ', [{"z": 3', '}]]}, "f": 4', "}"],
    ),
    "left open at the end": ([("$.a[0].b", "x")], ['"a": [{"b": "x', '"}]}']),
    "a string that goes on too late": (
        [("$.a", "x"), ("$.b", 1), ("$.a", "y"), ("$.c", 2), ("$.a", "z")],
        ['"a": "x', '", "b": 1', "", ', "c": 2', "", ', "a": "xyz"}'],
    ),
    "a list that goes on too late": (
        [("$.a[0]", 1), ("$.b", 1), ("$.a[1]", 2)],
        ['"a": [1', '], "b": 1', "", ', "a": [1, 2]}'],
    ),
    "values that are replaced": (
        [("$.a", 1), ("$.a", 2), ("$.b", 1), ("$.b.c", "x"), ("$.b", "y"), ("$.d.e", 1), ("$.d", 2)],
        ['"a": 1', "", ', "b": 1', "", "", ', "d": {"e": 1', "", '}, "a": 2, "b": "y", "d": 2}'],
    ),
    "a number where a string is open": ([("$.a", "x"), ("$.a", 1)], ['"a": "x', "", '", "a": 1}']),
    "paths that lead nowhere": (
        [
            ("", 1),
            ("$", 1),
            ("$[0]", 1),
            ("$.a[1]", 1),
            ("$.b[0]", 1),
            ("$.b[2]", 1),
            ("$.b.c", 1),
            ("$" + ".a" * 65, 1),
        ],
        ["", "", "", "", '"b": [1', "", "", "", ""],
    ),
}


def partial(path: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"jsonPath": path, "stringValue": value}
    if isinstance(value, bool):
        return {"json_path": path, "bool_value": value}
    return {"jsonPath": path, "numberValue": value} if value is not None else {"jsonPath": path, "nullValue": None}


@pytest.mark.parametrize(("values", "expected"), CASES.values(), ids=CASES)
def test_the_text_of_each_value(values: list[tuple[str, Any]], expected: list[str]) -> None:
    arguments = PartialArgs()
    assert [*(arguments.put(partial(*value)) for value in values), arguments.close()] == expected
    if expected[-1]:  # else a value led nowhere, and the text is never closed
        json.loads("{" + "".join(expected))


def _leaves(path: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in _leaves(f"{path}.{name}", inner)]
    if isinstance(value, list):
        return [leaf for place, inner in enumerate(value) for leaf in _leaves(f"{path}[{place}]", inner)]
    return [(path, value)]


def test_the_text_means_what_came_in_whatever_order() -> None:
    source = {"a": {"b": [1, [2, "x"]], "c": "y"}, "d": [{"e": None}, {"e": True}], "f": "z"}
    rng = random.Random(1)
    for _ in range(200):
        members = list(source)
        rng.shuffle(members)
        queues = [_leaves(f"$.{name}", source[name]) for name in members]
        arguments, written = PartialArgs(), "{"
        while queues:
            queue = rng.choice(queues)
            written += arguments.put(partial(*queue.pop(0)))
            queues = [queue for queue in queues if queue]
        assert json.loads(written + arguments.close()) == source
