"""families/json/call_state.py: names that are almost names, calls that almost have arguments, and when it is known."""

from __future__ import annotations

import pytest

from streamparse import StreamingParser, StreamingResponseHandler
from streamparse.families.json.keys import KeySet
from streamparse.families.json.members import LONGEST
from streamparse.testing import assert_chunk_invariant, segments


@pytest.mark.parametrize("name", ['"\\x"', '"\\ud8"', '""', f'"{"x" * 1100}"'], ids=["escape", "half", "empty", "long"])
def test_a_name_that_is_none_makes_text(name: str) -> None:
    text = f'{{"name": {name}, "arguments": {{}}}}.'
    assert segments(assert_chunk_invariant(text, "json")) == [("text", {}, text, {})]


def test_a_name_with_escapes_is_decoded() -> None:
    events = assert_chunk_invariant('{"name": "\\u0066\\"", "arguments": {}}', "json")
    assert segments(events)[0][1] == {"tool_name": 'f"'}


def test_a_declared_tool_may_be_called_without_arguments() -> None:
    handler = StreamingResponseHandler("json", tools=[{"name": "f"}])
    handler.feed('{"name": "f"} {"function": {"name": "F"}} {"name": "g"}')
    assert [(made.name, made.arguments) for made in handler.invocations] == [("f", {}), ("f", {})]


CALL = '{"name":"f","arguments":{}}'
WRAPPED = f'{{"tools":[{CALL}]'


@pytest.mark.parametrize(
    ("held", "decisive"),
    [
        *(('{"a', "g"), ('[{"a', "g"), ('{"name":"Bob","a', "g"), ('[{"name":"Bob","a', "g")),
        *(('{"tool_calls":[{"name":"Bob","a', "g"), ('{"function":{"name":"Bob","a', "g")),
        *(('{"name":"Bob","', "n"), ('{"args":1,"arg', "s"), ('{"nam', '"'), ('{"name', "s"), ('{"', "x"), ('{"', '"')),
        *(('{"name"', "}"), ('{"name":', "1"), ('{"name":"Bob"', "x"), ('{"name":"Bob"', "}"), ('{"name":"Bob",', "}")),
        *(('{"name":"B', "\n"), ('{"name":"B\\', "\n"), ('{"id":"B', "\t"), ('{"index":1', "x"), ('{"args":[tru', "x")),
    ],
)
def test_what_is_no_call_is_shown_at_the_character_that_says_so(held: str, decisive: str) -> None:
    parser = StreamingParser("json")
    assert [parser.feed(character) for character in held] == [[]] * len(held)
    assert "".join(event.delta for event in parser.feed(decisive)) == held + decisive


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        *((f"[{CALL}, ", '{"name":"Bob","ag'), (f"[{CALL}", ",,"), ('[{"b":1},', '{"name":"Bob","ag')),
        *((WRAPPED, ',"id":"x","ix'), (WRAPPED, ',"n'), (WRAPPED, ",x"), (WRAPPED, " x")),
    ],
)
def test_so_is_what_stands_in_a_list_or_behind_one(before: str, shown: str) -> None:
    parser = StreamingParser("json")
    parser.feed(before)
    assert [parser.feed(character) for character in shown[:-1]] == [[]] * (len(shown) - 1)
    assert "".join(event.delta for event in parser.feed(shown[-1])) == shown


def test_a_name_that_no_declared_tool_begins_with_is_shown_at_once() -> None:
    parser = StreamingParser("json", tools=[{"name": "search"}, {"name": "Save"}, {"name": "a"}])
    assert parser.feed('{"name":"SA') == []
    assert [event.delta for event in parser.feed("b")][-1] == '{"name":"SAb'


def test_an_escape_in_a_name_may_become_that_of_a_declared_tool() -> None:
    parser = StreamingParser("json", tools=[{"name": "save"}])
    assert parser.feed('{"name":"\\u0073a') == []
    assert [event.metadata for event in parser.feed('ve","args":{}}') if event.metadata] == [{"tool_name": "save"}]


def test_text_in_a_string_of_data_needs_no_state() -> None:
    parser = StreamingParser("json")
    parser.feed('{"a":"b')
    assert [event.delta for event in parser.feed(" {x} [[ ")] == [" {x} [[ "]
    assert [event.delta for event in parser.feed('"')] == ['"']
    assert [event.delta for event in parser.feed("\n}")] == ["\n}"]
    assert parser.feed('{"name":') == []


def test_a_key_that_is_cut_is_no_longer_than_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of candidates in one chunk look at a piece of it each, not at all that is left."""
    sizes: list[int] = []
    has_beginning = KeySet.has_beginning

    def note(keys: KeySet, text: str, seen: set[str]) -> bool:
        sizes.append(len(text))
        return has_beginning(keys, text, seen)

    monkeypatch.setattr(KeySet, "has_beginning", note)
    text = '{"\n' * 4_000
    parser = StreamingParser("json")
    events = [*parser.feed(text), *parser.finalize()]
    assert "".join(event.delta for event in events) == text
    assert len(sizes) == 4_000
    assert max(sizes) < LONGEST
