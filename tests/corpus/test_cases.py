"""The cases say what they mean: what is wrong in one is found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.corpus.cases import Case, case_of
from tests.corpus.test_corpus import test_a_case_gives_its_segments_and_calls_however_it_is_cut as prove

TEXT = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
BROKEN = '<tool_call>{"name": "f", "arguments": {"a": 1,}}</tool_call>'
SEGMENT = ["tool_call", {"tool_name": "f"}, '{"a": 1}', {}]


def case(text: str = TEXT, defaults: dict[str, Any] | None = None, **row: Any) -> Case:
    return case_of("hermes", "topic", defaults or {}, {"name": "x", "input": text, **row})


@pytest.mark.parametrize(
    "row",
    [
        {"segments": [SEGMENT]},
        {"calls_json": '[{"name": "f", "arguments": {"a": 1}}]'},
        {"calls_json": '[{"id": "seg_1", "name": "f", "arguments": {"a": 1}, "raw": "{\\"a\\": 1}", "error": null}]'},
        {"text": BROKEN, "calls_json": '[{"name": "f", "status": "malformed"}]'},
        {"text": BROKEN, "calls_json": '[{"name": "f", "status": "malformed", "error": "the arguments are not*"}]'},
    ],
)
def test_what_is_so_holds(row: dict[str, Any]) -> None:
    prove(case(**row))


@pytest.mark.parametrize(
    "row",
    [
        {"segments": []},
        {"segments": [SEGMENT, SEGMENT]},
        {"segments": [[*SEGMENT[:3], {"status": "truncated"}]]},
        {"segments": [[*SEGMENT[:3], {"error": "*"}]]},
        *(
            {"calls_json": f"[{call}]"}
            for call in (
                "",
                '{"name": "f", "arguments": {"a": 1}}, {"name": "f", "arguments": {"a": 1}}',
                '{"name": "f"}',
                '{"name": "g", "arguments": {"a": 1}}',
                '{"name": "f", "arguments": {"a": "1"}}',
                '{"name": "f", "arguments": {"a": 1.0}}',
                '{"name": "f", "arguments": {"a": true}}',
                '{"name": "f", "arguments": {"a": 1}, "status": "malformed"}',
                '{"name": "f", "arguments": {"a": 1}, "repaired": true}',
                '{"name": "f", "arguments": {"a": 1}, "error": "*"}',
                '{"name": "f", "arguments": {"a": 1}, "call_id": "c"}',
                '{"name": "f", "arguments": {"a": 1}, "raw": "{}"}',
            )
        ),
        {"text": BROKEN, "calls_json": '[{"name": "f", "arguments": {"a": 1}, "status": "malformed"}]'},
        {"text": BROKEN, "calls_json": '[{"name": "f", "status": "malformed", "error": "the call*"}]'},
    ],
)
def test_what_is_not_so_is_found(row: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        prove(case(**row))


@pytest.mark.parametrize("row", [{}, {"segment": []}, {"segments": [], "format": "xml"}])
def test_a_case_that_says_nothing_or_what_nobody_reads_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=r"^hermes/topic: x: "):
        case(**row)


def test_defaults_are_for_cases_that_say_nothing_else() -> None:
    defaults = {"tools_json": '[{"name": "f"}]', "config": {"reasoning": "closed"}}
    plain = case(defaults=defaults, segments=[])
    assert (plain.tools, plain.config) == ([{"name": "f"}], {"reasoning": "closed"})
    own = case(defaults=defaults, segments=[], tools=[], config={})
    assert (own.tools, own.config) == ([], {})
