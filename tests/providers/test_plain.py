"""fields.plain: whatever a chunk holds, as plain data."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from streamparse.providers.fields import data, plain, told


class Broken(UserDict[str, Any]):
    """A mapping that raises."""

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError


class Closed:
    """An object without fields, which raises if asked for one."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_objects_become_plain_data() -> None:
    value = SimpleNamespace(a=[b"xx", SimpleNamespace(b=None, c=1.5)], _d=1, e=UserDict(f=True))
    assert plain(value) == {"a": ["eHg=", {"c": 1.5}], "e": {"f": True}}
    assert told({"value": value, "none": None, "empty": ""}, "value", "none", "empty", "absent") == {
        "value": plain(value)
    }


def test_what_raises_or_has_no_end_says_nothing() -> None:
    endless: list[Any] = []
    endless.append(endless)
    deep = plain(endless)
    for _ in range(31):
        [deep] = deep
    assert deep == [None]
    assert plain([Broken(), Closed()]) == [None, None]
    assert data({"a": Broken(), "b": [1]}, "a") == data({"b": [1]}, "b") == {}
