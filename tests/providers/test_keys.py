"""keys.py and call.py: which call a delta belongs to, and what is news of it."""

from __future__ import annotations

from collections import UserDict, UserList

import pytest

from streamparse.providers import CallDelta, CallEnd, CallKeys, Delta, Finish
from streamparse.providers.json_text import UNWRITABLE
from streamparse.providers.memory import Memory


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
    memory = Memory()
    assert memory.calls.open(0).read() == [CallDelta("0")]
    assert memory.end_block(0) == []
    assert memory.settle(finish) == expected
    assert memory.settle() == []
    assert memory.end_block(0) == []


def test_a_call_ends_once() -> None:
    call = CallKeys().open(0)
    assert [call.end(), call.end()] == [[CallEnd("0")], []]


JSON = r' {"a": "}\"]\\", "b": [{}, "\\\"{"], "é": 1}'


@pytest.mark.parametrize("place", range(len(JSON) + 1))
def test_a_call_without_an_id_is_complete_at_the_last_bracket_wherever_it_is_cut(place: int) -> None:
    call = CallKeys().find(0)
    call.more(JSON[:place])
    assert call.is_complete is (place == len(JSON))
    call.more(JSON[place:])
    assert call.is_complete
    call.more("}]")
    assert call.is_complete
    single = CallKeys().find(0)
    for character in JSON[:place]:
        single.more(character)
    assert single.is_complete is (place == len(JSON))


def test_many_pieces_without_an_id_are_seen_and_forgotten() -> None:
    keys = CallKeys()
    pieces = ['{"a": "', *["}" * 1000] * 1000, '"', "}"]
    for piece in pieces[:-1]:
        keys.find(0, "", "", piece).more(piece)
    call = keys.find(0)
    assert not call.is_complete
    assert sum(map(len, call._unseen)) == 0
    call.more(pieces[-1])
    assert call.is_complete


def test_arguments_that_json_cannot_write_become_a_text_that_is_none() -> None:
    circle: list[object] = []
    circle.append(circle)
    assert CallKeys().open(0).read("", "f", circle) == [CallDelta("0", None, "f", UNWRITABLE, is_named=True)]


def test_arguments_of_other_classes_are_written_as_what_they_stand_for() -> None:
    arguments = [UserDict({"a": UserList([1])}), 2 + 3j]
    assert CallKeys().open(0).read("", "", arguments) == [CallDelta("0", arguments='[{"a": [1]}, "(2+3j)"]')]
    assert CallKeys().open(0).read("", "", 0) == [CallDelta("0", arguments="0")]


def test_a_name_in_pieces_has_an_end() -> None:
    keys = CallKeys()
    call = keys.find(0, "", "x" * 2_000)
    assert call.read("", "x" * 2_000) == [CallDelta("0", None, "x" * 2_000)]
    assert call.read("", "y") == []
    assert call.grow_name("y") == []


def test_what_cannot_matter_any_more_is_forgotten() -> None:
    keys = CallKeys()
    for number in range(3_000):
        keys.open(number, f"c{number}").end()
    assert keys.at(0) is None
    assert keys.at(2_999) is not None
    assert keys.find(None, "c0") is not keys.find(None, "c2999")


def test_a_name_is_known_to_be_whole_where_an_event_opens_the_call_or_all_arguments_are_there() -> None:
    keys = CallKeys()
    assert keys.open(0).read("", "f") == [CallDelta("0", None, "f", is_named=True)]
    assert keys.open(1, is_named=False).read("", "f") == [CallDelta("1", None, "f")]
    assert keys.find(2, "", "f").read("", "f", "{}") == [CallDelta("2", None, "f", "{}")]
    assert keys.find(3, "", "f").read("", "f", {}) == [CallDelta("3", None, "f", whole={}, is_named=True), CallEnd("3")]
    assert keys.open(4).read() == [CallDelta("4")]


def test_a_signature_comes_once() -> None:
    call = CallKeys().open(0)
    assert call.read("", "f", state={"thought_signature": "s"}) == [
        CallDelta("0", None, "f", is_named=True, state={"thought_signature": "s"})
    ]
    assert call.read(state={"thought_signature": "s"}) == []
    assert call.read(arguments="{", state={"thought_signature": "t"}) == [CallDelta("0", arguments="{")]


def test_an_index_of_thousands_of_digits_is_no_key() -> None:
    keys = CallKeys()
    assert [keys.open(1 << 70000).key, keys.open(-1).key] == ["call", "-1"]
