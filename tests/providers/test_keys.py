"""keys.py: which call a delta belongs to, and when JSON text that comes in pieces is closed."""

from __future__ import annotations

import pytest

from streamparse.providers import CallDelta, CallEnd, CallKeys, Delta, Finish
from streamparse.providers.keys import Balance


def key(keys: CallKeys, index: int | None, call_id: str = "", name: str = "", arguments: str = "") -> str:
    call = keys.find(index, call_id, name, arguments)
    call.read(call_id, name, arguments)
    return call.key


def test_keys_are_never_used_twice() -> None:
    keys = CallKeys()
    assert [keys.open(0).key, keys.open(0).key, keys.open(None, "0").key, keys.open(0, "0#2").key] == [
        "0",
        "0#2",
        "0#3",
        "0#2#2",
    ]


def test_a_name_that_changes_inside_arguments_is_not_a_new_call() -> None:
    keys = CallKeys()
    assert key(keys, 0, "", "f", '{"a": [') == "0"
    assert key(keys, 0, "", "g", "1]") == "0"
    assert key(keys, 0, "", "g", "}") == "0"
    assert key(keys, 0, "", "g", "{}") == "0#2"


def test_without_an_index_another_name_is_a_new_call_even_without_arguments() -> None:
    keys = CallKeys()
    assert key(keys, None, "", "f") == "call"
    assert key(keys, None, "", "f") == "call"
    assert key(keys, None, "", "g") == "call#2"


def test_another_name_without_an_id_ends_a_call_that_has_one() -> None:
    keys = CallKeys()
    assert key(keys, None, "a", "f", "{}") == "a"
    assert key(keys, None, "", "f", " ") == "a"
    assert key(keys, None, "", "g", "{}") == "call"


def test_an_id_that_comes_late_belongs_to_the_call_without_one_unless_that_is_complete() -> None:
    keys = CallKeys()
    assert key(keys, 0, "", "f", "{") == "0"
    assert key(keys, 0, "a", "", "}") == "0"
    assert key(keys, 5, "a", "", " ") == "0"
    assert key(keys, 1, "", "f", "{}") == "1"
    assert key(keys, 1, "b", "f", "{}") == "b"
    assert key(keys, 2, "", "f") == "2"
    assert key(keys, 2, "c", "g") == "c"


def test_behind_the_end_of_a_reply_a_name_begins_a_call_and_the_rest_does_not() -> None:
    keys = CallKeys()
    assert key(keys, 0, "a", "f", "{") == "a"
    keys.finish()
    assert key(keys, 0, "", "", "}") == "a"
    assert key(keys, 0, "", "f") == "0"


@pytest.mark.parametrize(
    ("finish", "expected"),
    [
        (None, [CallDelta("0", whole={}), CallEnd("0")]),
        ([Finish("stop")], [CallDelta("0", whole={}), CallEnd("0")]),
        ([Finish("length")], []),
        ([Finish("error")], []),
    ],
)
def test_a_block_without_arguments_waits_for_what_follows(finish: list[Delta] | None, expected: list[Delta]) -> None:
    keys = CallKeys()
    assert keys.open(0).read() == [CallDelta("0")]
    assert keys.end_block(0) == []
    assert keys.settle(finish) == expected
    assert keys.settle() == []
    assert keys.end_block(0) == []


def test_a_call_ends_once() -> None:
    call = CallKeys().open(0)
    assert [call.end(), call.end()] == [[CallEnd("0")], []]


JSON = r'{"a": "}\"]\\", "b": [{}, "\\\"{"], "é": 1}'


@pytest.mark.parametrize("place", range(len(JSON) + 1))
def test_balance_is_closed_at_the_last_bracket_wherever_it_is_cut(place: int) -> None:
    balance = Balance()
    balance.feed(JSON[:place])
    assert balance.is_closed is (place == len(JSON))
    balance.feed("")
    balance.feed(JSON[place:])
    assert balance.is_closed
    single = Balance()
    for character in JSON[:place]:
        single.feed(character)
    assert single.is_closed is (place == len(JSON))


def test_arguments_that_json_cannot_write_are_left_out() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert CallKeys().open(0).read("", "f", circle) == [CallDelta("0", None, "f")]
