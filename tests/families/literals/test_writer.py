"""families/literals/writer.py: arguments written as literals."""

from __future__ import annotations

import math
from typing import Any

import pytest

from streamparse.errors import RenderError
from streamparse.families.literals.writer import (
    write_function_gemma,
    write_gemma,
    write_json_literals,
    write_python,
)

ALL = [write_python, write_json_literals, write_gemma, write_function_gemma]


@pytest.mark.parametrize("write", ALL)
@pytest.mark.parametrize("value", [math.nan, math.inf, {1, 2}, b"x", [10**5_000]])
def test_what_is_no_json_is_refused(write: Any, value: object) -> None:
    with pytest.raises(RenderError, match=r"^not JSON: "):
        write({"a": value})


@pytest.mark.parametrize("write", ALL)
def test_what_is_too_deep_is_refused(write: Any) -> None:
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    with pytest.raises(RenderError, match="too deeply"):
        write({"a": deep})


@pytest.mark.parametrize("write", [write_python, write_json_literals])
@pytest.mark.parametrize("name", ["", "a b", "1a", "a-b", "a.b", "a=1, b"])
def test_a_keyword_is_an_identifier(write: Any, name: str) -> None:
    with pytest.raises(RenderError, match=r"^the argument .* cannot be written as a keyword$"):
        write({name: 1})


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (write_python, "i=1, f=1.0, t=True, n=None, s='1', l=[1, [], {}], d={'k': 'v'}"),
        (write_json_literals, 'i=1, f=1.0, t=true, n=null, s="1", l=[1, [], {}], d={"k": "v"}'),
        (write_gemma, 'i:1,f:1.0,t:true,n:null,s:<|"|>1<|"|>,l:[1,[],{}],d:{k:<|"|>v<|"|>}'),
        (
            write_function_gemma,
            "i:<escape>1<escape>,f:<escape>1.0<escape>,t:true,n:null,s:<escape>1<escape>,l:[1,[],{}],d:{k:<escape>v<escape>}",
        ),
    ],
)
def test_every_type(write: Any, text: str) -> None:
    assert write({"i": 1, "f": 1.0, "t": True, "n": None, "s": "1", "l": [1, [], {}], "d": {"k": "v"}}) == text
    assert write({}) == ""


def test_what_is_too_deep_for_python_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    with pytest.raises(RenderError, match=r"^the arguments are nested too deeply to be written$"):
        write_python({"a": deep})
