"""fields.py: any kind of source answers alike."""

from __future__ import annotations

from collections import UserDict
from enum import Enum
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from streamparse.providers.fields import Attributes, child, fields, items, slot, text
from streamparse.providers.fields import _models as known_models


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
        if name.startswith("__"):
            raise AttributeError(name)
        return name.upper()


class Hostile:
    """Every field raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class HostileMapping(UserDict[str, Any]):
    def __getitem__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __contains__(self, name: object) -> bool:
        raise RuntimeError(name)


SOURCES = {
    "dict": {"a": "x", "none": None},
    "mapping": UserDict(a="x", none=None),
    "object": SimpleNamespace(a="x", none=None),
    "model": Model(None, a="x", none=None),
    "model with unknown fields": Model({"a": "x", "none": 1}, none=None),
    "class of models with a lookup of its own": Lazy({}, a="x", none=None, b=None),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_fields_of_dicts_mappings_objects_and_models(kind: str) -> None:
    Model.asked.clear()
    for _ in range(2):  # a class that is known is read in another way than a new one
        source = fields(SOURCES[kind])
        assert [source.get("a"), source.get("b"), source.get("none")] == ["x", None, None]
        assert [text(source, "a"), text(source, "b"), text(source, "none")] == ["x", "", ""]
        assert ["a" in source, "none" in source] == [True, True]
    assert Model.asked == []  # the slow way of a model was not taken


NOTHING = [None, 5, "a", b"a", [], (), object(), Hostile(), HostileMapping(a="x")]


@pytest.mark.parametrize("source", NOTHING, ids=lambda source: type(source).__name__)
def test_what_has_no_fields_says_nothing(source: Any) -> None:
    assert [fields(source).get("a"), "a" in fields(source), "usageMetadata" in fields(source)] == [None, False, False]


def test_a_model_that_nobody_has_built_says_nothing() -> None:
    assert fields(Model.__new__(Model)).get("a") is None


def test_classes_that_are_made_as_the_program_runs_are_not_kept_for_ever() -> None:
    for number in range(3000):
        assert fields(type("Made", (Model,), {})(None, a=number)).get("a") == number
    assert len(known_models) < 2000


def test_what_a_models_class_makes_is_an_attribute_but_no_field() -> None:
    assert [fields(Model({})).get("made"), Attributes(Model({})).get("made")] == [None, "x"]
    assert fields(Lazy({})).get("a") == "A"


def test_answers_have_the_type_that_is_asked_for() -> None:
    source = {"list": [1], "tuple": (1,), "text": "x", "number": 3, "empty": "", "flag": True, "none": None}
    assert [items(source, name) for name in source] == [[1], (1,), (), (), (), (), ()]
    assert [text(source, name) for name in source] == ["", "", "x", "", "", "", ""]
    assert [slot(source, name) for name in source] == [None, None, "x", 3, None, None, None]
    assert child({"a": {"b": 1}}, "a").get("b") == 1
    assert child({}, "a").get("b") is None


def test_a_member_of_an_enum_is_its_value() -> None:
    class Reason(str, Enum):  # noqa: UP042 - as the SDKs do it
        STOP = "stop"

    value = text({"a": Reason.STOP}, "a")
    assert (value, type(value)) == ("stop", str)
