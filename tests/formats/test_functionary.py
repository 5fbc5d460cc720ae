"""formats/functionary.py: names, and JSON behind them."""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.errors import RenderError
from tests.formats.kit import call, calls, rows, text


def test_v31() -> None:
    reply = 'a <function=f>{"x": "</function>"}</function><function=g>\n{}\n</function> b<|eot_id|>'
    assert rows("functionary_v31", reply) == [
        *(text("a "), call("f", '{"x": "</function>"}'), call("g", "{}"), text(" b")),
    ]
    assert rows("functionary_v31", "<function=f>x</function>") == [text("<function=f>x")]


def test_v31_code() -> None:
    assert calls("functionary_v31", "<|python_tag|>print(1)<|eom_id|>") == [
        ("python", {"code": "print(1)"}, "complete"),
    ]
    assert calls("functionary_v31", '<function=python>{"code": "1"}</function>') == [
        ("python", {"code": "1"}, "complete"),
    ]


def test_v32() -> None:
    assert rows("functionary_v32", 'all\nChecking.>>>f\n{"a": 1}>>>g\n{}>>>all\nok<|eot_id|>') == [
        *(text("Checking."), call("f", '{"a": 1}'), call("g", "{}"), text("ok")),
    ]
    assert rows("functionary_v32", 'f\n{"a": 1}<|eot_id|>') == [call("f", '{"a": 1}')]


@pytest.mark.parametrize(
    "prose", [">>> d\n{1}", ">>>d\n[1]", ">>>d {", "f\n[", "all", "all in all", "Hi\nyou", ">>", "f {"]
)
def test_v32_prose(prose: str) -> None:
    assert rows("functionary_v32", prose) == [text(prose)]


def test_v32_has_no_tool_that_is_called_all() -> None:
    v32 = formats.get("functionary_v32")
    with pytest.raises(RenderError, match="the name 'all' cannot be written"):
        v32.render_call("all", {})
    assert v32.render_call("all2", {}) == ">>>all2\n{}"


def test_v32_is_not_found_out_by_itself() -> None:
    assert rows("auto", ">>>f\n{}") == [text(">>>f\n{}")]
