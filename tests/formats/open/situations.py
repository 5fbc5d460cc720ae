"""Calls that every format must be able to write and to read back, with the schemas that say their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import frozen

Calls: TypeAlias = tuple[tuple[str, dict[str, Any]], ...]


def schema_of(value: Any) -> dict[str, Any]:
    """A JSON schema that a value fits."""
    match value:
        case None:
            return {"type": "null"}
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer"}
        case float():
            return {"type": "number"}
        case str():
            return {"type": "string"}
        case list():
            kinds = [schema_of(item) for item in value]
            kinds = [kind for number, kind in enumerate(kinds) if kind not in kinds[:number]]
            if not kinds:
                return {"type": "array"}
            return {"type": "array", "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}
        case _:
            return {"type": "object", "properties": {key: schema_of(item) for key, item in value.items()}}


def tools_for(calls: Calls) -> list[Mapping[str, Any]]:
    """The tools of some calls; parameters of calls of the same name must have the same types."""
    parameters: dict[str, dict[str, Any]] = {}
    for name, arguments in calls:
        parameters.setdefault(name, {}).update(arguments)
    return [{"name": name, "parameters": schema_of(arguments)} for name, arguments in parameters.items()]


@frozen
class Situation:
    title: str
    calls: Calls
    #: Whether a format may refuse to write it: text that looks like its markers, blanks that it trims, odd names.
    may_be_refused: bool = False

    def __str__(self) -> str:
        return self.title


CODE = """def f(a, b):
\tif a < b and b > 0 or not {"x": [1]}:
\t\treturn 'it\\'s' + "\\n\\\\" + `date`  # <b>bold</b> & &amp; <!-- c -->

vector<int> v; a[0] = (b)->c; x = y; %s {{}} $1 ~ ^ | @ #!
"""
LONG = "word, " * 150 + "end"

SITUATIONS = [
    Situation("one call", (("get_weather", {"city": "Oslo", "days": 2}),)),
    Situation("no arguments", (("noop", {}),)),
    Situation(
        "several calls",
        (("get_weather", {"city": "Oslo", "days": 2}), ("noop", {}), ("put", {"text": "x", "flag": True})),
    ),
    Situation(
        "twice the same function",
        (("get_weather", {"city": "Oslo", "days": 2}), ("get_weather", {"city": "Rome", "days": 3})),
    ),
    Situation("twice the same call", (("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Oslo"}))),
    Situation("code", (("put", {"text": CODE.strip(), "name": "a.py"}),)),
    Situation(
        "quotes", (("put", {"a": "'", "b": '"', "c": 'it\'s "x"', "d": "\\", "e": "\\'", "f": '\\"', "g": "`"}),)
    ),
    Situation("angle brackets", (("put", {"a": "<", "b": ">", "c": "</", "d": "<a>", "e": "a < b > c", "f": "</a>"}),)),
    Situation(
        "brackets", (("put", {"a": "{", "b": "}", "c": "[", "d": "])", "e": "{}", "f": "[]", "g": "(,)", "h": ","}),)
    ),
    Situation("backslashes", (("put", {"a": "\\n", "b": "C:\\new\\table", "c": "\\u0041", "d": "\\\\", "e": "a\\"}),)),
    Situation("lines", (("put", {"a": "one\ntwo\n\nthree", "b": "x\r\ny", "c": "p\tq"}),)),
    Situation(
        "unicode",
        (("put", {"a": "Zürich 東京", "b": "👩‍👩‍👧 🎉", "c": "e\u0301 n\u0303", "d": "שלום عليكم", "e": "｜▁"}),),
    ),
    Situation("entities", (("put", {"a": "&amp; &lt;b&gt; &quot;", "b": "a & b", "c": "&#39;"}),)),
    Situation(
        "typed values",
        (("put", {"a": 1, "b": -2.5, "c": True, "d": False, "e": None, "f": 0, "g": 1e30, "h": 12345678901234567890}),),
    ),
    Situation(
        "lists and objects",
        (
            (
                "put",
                {
                    "a": [1, 2, 3],
                    "b": {"c": {"d": [True, None]}, "e": "x"},
                    "f": [{"g": "h"}, {"g": "i, j"}],
                    "k": [["l"], ["m", "n"]],
                },
            ),
        ),
    ),
    Situation("empty lists and objects", (("put", {"a": [], "b": {}, "c": {"d": []}, "e": [{}]}),)),
    Situation(
        "strings that look like other values",
        (
            (
                "put",
                {"a": "42", "b": "true", "c": "null", "d": "1e5", "e": "007", "f": "None", "g": "[1]", "h": '{"a": 1}'},
            ),
        ),
    ),
    Situation("quoted strings", (("put", {"a": '"x"', "b": "'y'", "c": '""'}),)),
    Situation("an empty string", (("put", {"a": ""}),)),
    Situation("an empty string before others", (("put", {"a": "", "b": 1, "c": ""}),)),
    Situation("a long string", (("put", {"text": LONG, "days": 1}),)),
    Situation("many arguments", (("put", {f"key_{number}": number for number in range(12)}),)),
    Situation("names of arguments that mean something", (("put", {"name": "a", "arguments": "b", "parameters": "c"}),)),
    Situation("keys that mean something, nested", (("put", {"a": {"name": "f", "arguments": {"b": 1}}}),)),
    Situation("blanks at the edges", (("put", {"a": " x ", "b": "\nx\n", "c": "\t", "d": "\n"}),), True),
    Situation("odd names", (("files.read-all", {"a": "x"}),), True),
    Situation("odd names of arguments", (("put", {"a b": 1, "c-d": "x", "é": 2, "class": 3, '"': 4}),), True),
    Situation("odd nested keys", (("put", {"a": {"b c": 1, "": 2, "d>": 3, "item": 4}}),), True),
    Situation("control characters", (("put", {"a": "\x00\x01\x1b[0m\x7f\x85\u2028"}),), True),
]
