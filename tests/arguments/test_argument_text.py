"""JsonArgumentStream: JSON text that only grows, of snapshots of any values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse.arguments import JsonArgumentStream


def deltas(*snapshots: dict[str, Any]) -> list[str]:
    """What each snapshot adds; the last of them is complete."""
    stream = JsonArgumentStream()
    return [*(stream.feed(snapshot) for snapshot in snapshots[:-1]), stream.finish(snapshots[-1])]


@pytest.mark.parametrize(
    ("snapshots", "expected"),
    [
        ([{}], ["{}"]),
        ([{}, {}], ["{", "}"]),
        ([{}, {}, {"a": 1}], ["{", "", '"a": 1}']),
        ([{"a": "x"}, {"a": "xy"}, {"a": "xyz"}], ['{"a": "x', "y", 'z"}']),
        ([{"a": "é\n"}, {"a": 'é\n"\\'}], ['{"a": "é\\n', '\\"\\\\"}']),
        ([{"p": "a.p"}, {"p": "a.py", "l": [1]}, {"p": "a.py", "l": [1, 2]}], ['{"p": "a.p', 'y", "l": [1', ", 2]}"]),
        ([{"a": [[]]}, {"a": [["x"], {"b": None}]}], ['{"a": [[', '"x"], {"b": null}]}']),
        ([{"a": {"b": "c"}}, {"a": {"b": "cd", "e": {}}}], ['{"a": {"b": "c', 'd", "e": {}}}']),
        ([{"a": {"b": {}}}, {"a": {"b": {"c": True}}, "d": 1.5}], ['{"a": {"b": {', '"c": true}}, "d": 1.5}']),
        ([{"a": 1}, {"a": 1}], ['{"a": 1', "}"]),
        ([{"a": [1, "x"]}, {"a": [1, "xy"], "b": 2, "c": [3]}], ['{"a": [1, "x', 'y"], "b": 2, "c": [3]}']),
        ([{"a": "x\ud83d"}], ['{"a": "x\\ud83d"}']),
        ([{"a": ["x"]}, {"a": ["xy"]}, {"a": ["xyz"]}], ['{"a": ["x', "y", 'z"]}']),
        (
            [{"a": "x"}, {"a": "xy", "b": 1, "c": "z"}, {"a": "xy", "b": 1, "c": "z"}],
            ['{"a": "x', 'y", "b": 1, "c": "z', '"}'],
        ),
        ([{"a": "x"}, {"a": "x"}, {"a": "x", "b": 1}], ['{"a": "x', "", '", "b": 1}']),
        ([{"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 2}], ['{"a": 1', ', "b": 2', "}"]),
    ],
)
def test_each_snapshot_adds_what_is_new(snapshots: list[dict[str, Any]], expected: list[str]) -> None:
    assert deltas(*snapshots) == expected
    assert json.loads("".join(expected)) == snapshots[-1]


@pytest.mark.parametrize(
    ("snapshots", "expected"),
    [
        ([{"a": 1}, {"a": 2}, {"a": 2}], ['{"a": 1', "", ', "a": 2}']),
        ([{"a": "x"}, {"a": "y"}, {"a": "yy", "b": 1}], ['{"a": "x', "", '", "a": "yy", "b": 1}']),
        ([{"a": "x"}, {"a": 1}, {"a": 1}], ['{"a": "x', "", '", "a": 1}']),
        ([{"a": [1, 2]}, {"a": []}, {"a": []}], ['{"a": [1, 2', "", '], "a": []}']),
        ([{"a": [1, 2]}, {"a": [3]}], ['{"a": [1, 2', '], "a": [3]}']),
        ([{"a": 1, "b": "x"}, {"b": "x", "a": 1}], ['{"a": 1, "b": "x', '"}']),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"b": 2, "a": 1}], ['{"a": 1, "b": 2', "", "}"]),
        ([{"a": True}, {"a": 1}], ['{"a": true', ', "a": 1}']),
        ([{"a": 1}, {"b": 2, "a": 1}, {"b": 2, "a": 1}], ['{"a": 1', "", ', "b": 2}']),
    ],
)
def test_what_has_changed_is_written_once_more(snapshots: list[dict[str, Any]], expected: list[str]) -> None:
    assert deltas(*snapshots) == expected
    assert json.loads("".join(expected)) == snapshots[-1]


def test_the_whole_text_has_what_is_written_twice_once() -> None:
    stream = JsonArgumentStream()
    assert stream.text == ""
    written = stream.feed({"a": 1, "b": "x"}) + stream.feed({"a": 2, "b": "x"})
    assert stream.text == written == '{"a": 1, "b": "x'
    assert stream.finish({"a": 2, "b": "x"}) == '", "a": 2}'
    assert stream.text == '{"a": 2, "b": "x"}'


def test_what_has_gone_cannot_be_taken_back() -> None:
    stream = JsonArgumentStream()
    assert stream.feed({"a": 1, "b": 2}) == '{"a": 1, "b": 2'
    with pytest.raises(ValueError, match=r"^the argument b was written, and the call has none of that name$"):
        stream.finish({"a": 1})


def test_nothing_comes_behind_the_end() -> None:
    stream = JsonArgumentStream()
    assert stream.finish({"a": 1}) == '{"a": 1}'
    assert stream.feed({"a": 1, "b": 2}) == ""
    assert stream.finish({"a": 1, "b": 2}) == ""


@pytest.mark.parametrize("snapshot", [{}, {"a": 1}, {"a": "x"}, {"a": {"b": [1]}}])
def test_what_has_no_end_is_no_json(snapshot: dict[str, Any]) -> None:
    with pytest.raises(json.JSONDecodeError):
        json.loads(JsonArgumentStream().feed(snapshot))


def test_a_list_that_grows_in_place_is_written_once() -> None:
    numbers = [1]
    stream = JsonArgumentStream()
    written = stream.feed({"a": numbers})
    numbers.append(2)
    assert written + stream.feed({"a": numbers}) + stream.finish({"a": [1, 2]}) == '{"a": [1, 2]}'


def deep(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("first", "told", "whole"),
    [
        ({}, "{", {"a": deep(600)}),
        ({"b": "x"}, '{"b": "x', {"b": "xy", "a": deep(600)}),
        ({"a": [1]}, '{"a": [1', {"a": [1, deep(600)]}),
    ],
    ids=["first", "behind another", "within"],
)
def test_what_is_too_deep_to_be_compared_is_told_at_the_end(first: Any, told: str, whole: dict[str, Any]) -> None:
    stream = JsonArgumentStream()
    assert [stream.feed(first), stream.feed(whole), stream.feed(whole)] == [told, "", ""]
    assert told + stream.finish(whole) == stream.text == json.dumps(whole)


def test_what_is_too_deep_to_be_written_is_an_error() -> None:
    stream = JsonArgumentStream()
    assert stream.feed({"a": deep(100_000)}) == ""
    with pytest.raises(ValueError, match=r"^the arguments are nested too deeply$"):
        stream.finish({"a": deep(100_000)})
