"""families/json/object_state.py: the call as a JSON object between markers."""

from __future__ import annotations

import pytest

from streamparse import Limits, ParserConfig, StreamingParser, formats
from streamparse.families.calls.grammar import NAME, Calls
from streamparse.families.json.keys import JsonKeys
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.formats import Format
from streamparse.testing import Segment
from tests.formats.kit import call, late_id, nameless, rows, text


def malformed(error: str) -> dict[str, str]:
    return {"status": "malformed", "error": error}


NO_KEY = malformed("the call is not JSON: a key in double quotes was expected")
NO_COLON = malformed("the call is not JSON: a colon was expected behind a key")
NO_VALUE = malformed("the call is not JSON: a value was expected behind a colon")
NO_COMMA = malformed("the call is not JSON: a comma or a closing brace was expected behind a value")
UNCLOSED = malformed("the call is not JSON: a list is not closed")
TOO_LONG = malformed("a key, a name or an id is longer than 1024 characters")
TWICE = {"status": "malformed", "error": "the arguments are given twice"}
TWO_NAMES = {"status": "malformed", "error": "the call has two names"}
NO_NAME = {"status": "malformed", "error": "the call has no name"}
TRUNCATED = {"status": "truncated"}
LONG = "x" * 1100


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('{"name": "f", "arguments": {"a": 1}}', call("f", '{"a": 1}')),
        ('{ "name" : "f" , "arguments" : { } }', call("f", "{ }")),
        ('{"arguments": {"a": 1}, "name": "f"}', call("f", '{"a": 1}')),
        ('{"parameters": [1], "name": "f"}', call("f", "[1]")),
        ('{"type": "function", "name": "f", "arguments": {}, "x": [1, {}]}', call("f", "{}")),
        ('{"id": "c", "name": "f", "arguments": {}}', call("f", "{}", "c")),
        ('{"id": "", "name": "f", "arguments": {}}', call("f", "{}")),
        ('{"id": 5, "name": "f", "arguments": {}}', call("f", "{}")),
        ('{"name": "f", "id": "c", "arguments": {}}', late_id("f", "{}", "c")),
        ('{"name": "f", "arguments": {}, "id": "c"}', late_id("f", "{}", "c")),
        ('{"id": "b", "name": "f", "arguments": {}, "id": "c"}', call("f", "{}", "b")),
        ('{"name": "f", "arguments": {}, "id": ""}', call("f", "{}")),
        ('{"name": "f", "name": "g", "arguments": {}}', call("f", "{}", **TWO_NAMES)),
        ('{"name": "f", "arguments": {}, "name": "g"}', call("f", "{}", **TWO_NAMES)),
        ('{"name": "f", "name": "g"}', call("f", "", **TWO_NAMES)),
        ('{"name": "f", "name": "f", "arguments": {}}', call("f", "{}")),
        ('{"name": "f", "arguments": {}, "arguments": 1}', call("f", "{}", **TWICE)),
        ('{"name": "f", "arguments": {"a": <b}}', call("f", '{"a": <b}')),
        ('{"arguments": {"a": <b}, "name": "f"}', call("f", '{"a": <b}')),
        ('{"name": "f"}', call("f", "")),
        ('{"name": "f", }', call("f", "", repaired=True)),
        ('{"name": "f", "arguments": {},}', call("f", "{}", repaired=True)),
        ('{"name": "\\u0066\\"", "arguments": 5}', call('f"', "5")),
        ('{"name": "\\x", "arguments": null}', call("\\x", "null")),
        ("{}", nameless("{}", **NO_NAME)),
        ('{"name": ""}', nameless('{"name": ""}', **NO_NAME)),
        ('{"name": {"a": 1}, "arguments": {}}', nameless('{"name": {"a": 1}, "arguments": {}}', **NO_NAME)),
        ("{name: 'f'}", nameless("{name: 'f'}", **NO_KEY)),
        ('{"name" "f"}', nameless('{"name" "f"}', **NO_COLON)),
        ('{"name": }', nameless('{"name": }', **NO_VALUE)),
        ('{"name": "f" "arguments": {}}', call("f", '{"name": "f" "arguments": {}}', **NO_COMMA)),
        ('{"name": "f", "arguments": {"a": 1} "x": "}"}', call("f", '{"a": 1} "x": "}"}', **NO_COMMA)),
        ('{"name": "f", "arguments": {"a": 1}, "b"   5}', call("f", '{"a": 1}, "b"   5}', **NO_COLON)),
        ('{"name": "f", "arguments": {"a": 1}, "b": [2], , }', call("f", '{"a": 1}, "b": [2], , }', **NO_KEY)),
        ('{"arguments": {"a": 1} , "name": "f" "x"}', call("f", '{"a": 1} , "name": "f" "x"}', **NO_COMMA)),
        ('{"name": "f", "arguments": [1}', call("f", "[1", **UNCLOSED)),
        ('{"arguments": [[1], "name": "f"}', nameless('{"arguments": [[1], "name": "f"}', **NO_NAME)),
        ('{"arguments": [[1}', nameless('{"arguments": [[1}', **NO_NAME)),
        ('{"name": "f", "arguments": {}, "x": [1}', call("f", "{}", **UNCLOSED)),
        ('{"name": "f", "arguments": {"a": [1}}', call("f", '{"a": [1}')),
        (f'{{"{LONG}": 1}}', nameless(f'{{"{LONG}": 1}}', **TOO_LONG)),
        (f'{{"name": "{LONG}"}}', nameless(f'{{"name": "{LONG}"}}', **TOO_LONG)),
        (f'{{"id": "{LONG}", "name": "f"}}', nameless(f'{{"id": "{LONG}", "name": "f"}}', **TOO_LONG)),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_one_object(written: str, expected: Segment) -> None:
    assert rows("hermes", f"<tool_call>{written}</tool_call>.") == [expected, text(".")]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{", nameless("{", **TRUNCATED)),
        ('{"name"', nameless('{"name"', **TRUNCATED)),
        ('{"name": "f', nameless('{"name": "f', **TRUNCATED)),
        ('{"name": "f", "argu', call("f", "", **TRUNCATED)),
        ('{"name": "f", "arguments": ', call("f", "", **TRUNCATED)),
        ('{"name": "f", "arguments": {"a": "<', call("f", '{"a": "<', **TRUNCATED)),
        ('{"name": "f", "arguments": {}', call("f", "{}", **TRUNCATED)),
        ('{"name": "f", "arguments": {}, "x', call("f", "{}", **TRUNCATED)),
        ('{"name": "f", "arguments": {}, "x": [1', call("f", "{}", **TRUNCATED)),
        ('{"arguments": {"a": 1}, "name"', nameless('{"a": 1}', **TRUNCATED)),
        ('{"arguments": {"a": 1', nameless('{"a": 1', **TRUNCATED)),
        ("{name: <", nameless("{name: <", **TRUNCATED)),
        ('{"name": "f", "arguments": 12', call("f", "12", **TRUNCATED)),
    ],
)
def test_an_object_that_is_cut_off(written: str, expected: Segment) -> None:
    assert rows("hermes", f"<tool_call>{written}") == [expected]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("<tool_call>{a </tool_call> b", [nameless("{a ", **NO_KEY), text(" b")]),
        ('<tool_call>{a "</tool_call> b', [nameless('{a "', **NO_KEY), text(" b")]),
        ("<tool_call>{a \\", [nameless("{a \\", **TRUNCATED)]),
        ('<tool_call>{a "\\', [nameless('{a "\\', **TRUNCATED)]),
        ("<tool_call>{a <tool_call> b} c", [nameless("{a <tool_call> b}", **NO_KEY), text(" c")]),
        (
            '<tool_call>{a <tool_call>\n{"name": "f"}</tool_call>',
            [nameless("{a ", **NO_KEY), call("f", "")],
        ),
        (
            '<tool_call>[{a]}, {"name": "f"}]</tool_call>',
            [nameless("{a]}", **NO_KEY), call("f", "")],
        ),
    ],
)
def test_a_broken_object_ends_at_its_bracket_its_closer_or_the_next_call(reply: str, expected: list[Segment]) -> None:
    assert rows("hermes", reply) == expected


@pytest.mark.parametrize(("format", "before"), [("phi4", "functools"), ("mistral_v3", "[TOOL_CALLS] ")])
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('[{"name": "f", "arguments": {"a": 1}] b', [call("f", '{"a": 1}', **NO_COMMA), text(" b")]),
        ('[{"name": "f", "arguments": {"a": 1}] \n\n b', [call("f", '{"a": 1}', **NO_COMMA), text(" \n\n b")]),
        ('[{"name": "f", "arguments": {"a": 1}]', [call("f", '{"a": 1}', **NO_COMMA)]),
        ('[{"name": "f", "arguments": {"a": 1} ] \n', [call("f", '{"a": 1} ', **NO_COMMA), text(" \n")]),
        ('[{a ]}, {"name": "f", "arguments": {}}]', [nameless("{a ]}", **NO_KEY), call("f", "{}")]),
        ('[{"name": "f", "arguments": {"a": [1}}] b', [call("f", '{"a": [1}'), text(" b")]),
    ],
)
def test_the_end_of_the_list_ends_a_broken_object_that_nothing_else_would_end(
    format: str, before: str, written: str, expected: list[Segment]
) -> None:
    assert rows(format, before + written) == expected


@pytest.mark.parametrize("size", [4, 11, 12, 30])
def test_what_is_held_behind_the_arguments_is_let_go_past_the_limit(size: int) -> None:
    config = ParserConfig(limits=Limits(max_held=40))
    written = f'{{"name": "f", "arguments": {{}}, "x": "{"y" * size}", "z" 5}}'
    behind = written[written.index("{}") + 2 :]
    expected = behind if len(behind) <= 40 else "5}"
    assert rows("hermes", f"<tool_call>{written}</tool_call>.", config=config)[0][2] == "{}" + expected
    right = written.replace('"z" 5', '"z": 5')
    assert rows("hermes", f"<tool_call>{right}</tool_call>.", config=config) == [call("f", "{}"), text(".")]


def test_without_a_closer_of_its_own_a_broken_object_ends_at_its_bracket() -> None:
    assert rows("phi4", 'functools[{a: {"}": 1}}] b') == [nameless('{a: {"}": 1}}', **NO_KEY), text(" b")]
    assert rows("granite20b", "<function_call>{a") == [nameless("{a", **TRUNCATED)]


def test_start_comes_with_the_name_and_arguments_as_they_come() -> None:
    parser = StreamingParser("hermes")
    assert parser.feed('<tool_call>{"name": "f') == []
    (start,) = parser.feed('"')
    assert (start.type, start.metadata) == ("SEGMENT_START", {"tool_name": "f"})
    assert parser.feed(', "arguments": ') == []
    assert [[event.delta for event in parser.feed(chunk)] for chunk in ('{"a": "', "x", "y", "\\")] == [
        *(['{"a": "'], ["x"], ["y"], ["\\"]),
    ]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('<tool_call>{"arguments": "12345678901234567890", "name": "f"}</tool_call>.', [
            nameless('{"arguments": "12345678901234567890", "name": "f"}', **NO_NAME), text("."),
        ]),
        ('<tool_call>{"name": "f", "x": "123456789012345", "arguments": {}}</tool_call>.', [
            call("f", '{"name": "f", "x": "123456789012345", "arguments": {}}', status="malformed",
                 error="the call has no arguments"), text("."),
        ]),
        ('<tool_call>{"name": "f", "arguments": "123456789012345678901234567890"}</tool_call>.', [
            call("f", '"123456789012345678901234567890"'), text("."),
        ]),
    ],
)  # fmt: skip
def test_name_and_arguments_must_come_in_time(reply: str, expected: list[Segment]) -> None:
    config = ParserConfig(limits=Limits(max_held=28))
    assert rows("hermes", reply, config=config) == expected


@pytest.fixture
def _own_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    named = Calls(JsonObjectCallState, head=("<", NAME, ">"))
    keys = JsonKeys(names=("tool",), arguments=("args",), ids=("nr",))
    formats.register(Format("named", calls=(named,)))
    formats.register(Format("keyed", calls=(Calls(JsonObjectCallState, head=("@",), options=keys),)))


@pytest.mark.usefixtures("_own_formats")
def test_a_name_in_the_head_must_be_that_in_the_object() -> None:
    assert rows("named", '<f>{"name": "f", "arguments": {"a": 1}}.') == [call("f", '{"a": 1}'), text(".")]
    assert rows("named", '<f>{"name": "g", "arguments": {"a": 1}}.') == [call("f", '{"a": 1}', **TWO_NAMES), text(".")]
    assert rows("named", "<f>{}") == [call("f", "")]


@pytest.mark.usefixtures("_own_formats")
def test_a_format_may_have_other_keys() -> None:
    assert rows("keyed", '@{"nr": "0", "tool": "f", "name": "x", "args": {}}') == [call("f", "{}", "0")]
