"""families/json/members.py: where the members of an object begin and end, whatever becomes of them."""

from __future__ import annotations

import pytest

from streamparse.core.scanner import StreamScanner
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.json.members import EXPECTED, LONGEST, JsonMembers


class Keys(JsonMembers):
    """Writes down the keys of an object whose values are short strings."""

    def __init__(self) -> None:
        self._scanner = StreamScanner()
        self._phase = "_at_key"
        self.keys: list[str] = []
        self.outcome = ""

    def read(self, text: str) -> None:
        self._scanner.buf += text
        while not self.outcome and getattr(self, self._phase)() is GO_ON:
            pass

    def _take_key(self, text: str) -> Progress:
        self.keys.append(text)
        return GO_ON

    def _begin_value(self, mark: str) -> Progress:
        self._phase = "_in_string"
        return GO_ON

    def _end_object(self) -> Progress:
        self.outcome = "done"
        return NEED_MORE

    def _fail(self, why: str | None = None) -> Progress:
        self.outcome = why or EXPECTED[self._phase]
        return NEED_MORE


@pytest.mark.parametrize(
    ("text", "keys", "outcome"),
    [
        ("}", [], "done"),
        ('"a" : "b" , "c\\"d":"" }', ["a", 'c\\"d'], "done"),
        ('"a":"b",}', ["a"], "done"),
        ("a", [], EXPECTED["_at_key"]),
        ('"a"}', ["a"], EXPECTED["_at_colon"]),
        ('"a":}', ["a"], EXPECTED["_at_value"]),
        ('"a":"b"]', ["a"], EXPECTED["_at_separator"]),
        ('"a":"b', ["a"], ""),
        (f'"{"a" * LONGEST}', [], f"a key, a name or an id is longer than {LONGEST} characters"),
    ],
)
def test_members_are_found_however_they_are_cut(text: str, keys: list[str], outcome: str) -> None:
    for pieces in ([text], list(text)):
        members = Keys()
        for piece in pieces:
            members.read(piece)
        assert (members.keys, members.outcome) == (keys, outcome)
