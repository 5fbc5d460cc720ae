"""fields.py: any kind of source answers alike."""

from __future__ import annotations

from collections import UserDict
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from streamparse.providers.fields import get, has, items, slot, text


class Model:
    """What a pydantic model is to those who look for its fields."""

    __pydantic_fields__: ClassVar[dict[str, Any]] = {}
    asked: ClassVar[list[str]] = []
    __slots__ = ("__dict__", "__pydantic_extra__")

    def __init__(self, extra: dict[str, Any] | None, **fields: Any) -> None:
        self.__dict__.update(fields)
        self.__pydantic_extra__ = extra

    def __getattr__(self, name: str) -> Any:
        self.asked.append(name)
        raise AttributeError(name)

    __getattr__.__module__ = "pydantic.main"

    @property
    def made(self) -> str:
        return "x"


class Lazy(Model):
    """A model that finds attributes in a way of its own."""

    def __getattr__(self, name: str) -> Any:
        return name.upper()


SOURCES = {
    "dict": {"a": "x"},
    "mapping": UserDict(a="x"),
    "object": SimpleNamespace(a="x"),
    "model": Model(None, a="x"),
    "model with unknown fields": Model({"a": "x"}),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_fields_of_dicts_mappings_objects_and_models(kind: str) -> None:
    source = SOURCES[kind]
    Model.asked.clear()
    assert [get(source, "a"), get(source, "b"), text(source, "a"), text(source, "b")] == ["x", None, "x", ""]
    assert Model.asked == []  # the slow way of a model was not taken


def test_what_a_models_class_makes_is_found_too() -> None:
    assert get(Model({}), "made") == "x"
    assert get(Lazy({}), "a") == "A"


def test_answers_have_the_type_that_is_asked_for() -> None:
    source = {"list": [1], "tuple": (1,), "text": "x", "number": 3, "empty": "", "huge": 1 << 70000, "none": None}
    assert [items(source, name) for name in source] == [[1], (1,), (), (), (), (), ()]
    assert [text(source, name) for name in source] == ["", "", "x", "", "", "", ""]
    assert [slot(source, name) for name in source] == [None, None, "x", 3, None, None, None]
    assert [has(source, "none"), has(source, "other"), has(SimpleNamespace(a=None), "a")] == [True, False, True]
