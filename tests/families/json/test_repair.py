"""families/json/repair.py: what nearly is JSON, for those who ask."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import reload
from types import ModuleType
from typing import Any

import pytest

from streamparse import MissingExtraError, ParserConfig, StreamingResponseHandler, ToolInvocation, parse
from streamparse.families.json import repair

REPAIR = ParserConfig(repair_json=True)


def mend_commas(text: str, **_: object) -> str:
    """What the package does, as far as these tests need it."""
    if "raise" in text:
        raise RecursionError
    return text.replace(",}", "}").replace("Nothing", "NaN").replace("[1}", "[1]")


@pytest.fixture
def package() -> Iterator[None]:
    """A package of that name, in the place of the real one."""
    with pytest.MonkeyPatch.context() as patch:
        module = ModuleType("json_repair")
        module.repair_json = mend_commas  # type: ignore[attr-defined]
        patch.setitem(sys.modules, "json_repair", module)
        reload(repair)
        yield
    reload(repair)


@pytest.fixture
def no_package() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "json_repair", None)
        reload(repair)
        yield
    reload(repair)


def called(text: str, format: str, config: ParserConfig = REPAIR) -> tuple[Any, ...]:
    (made,) = [
        item for item in parse(text, format, invocations=True, config=config) if isinstance(item, ToolInvocation)
    ]
    return made.status, made.arguments, made.repaired


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"a": 1}', ("complete", {"a": 1}, False)),
        ('{"a": 1,}', ("complete", {"a": 1}, True)),
        ('{"a": 1,, }', ("malformed", {}, False)),
        ('{"a": Nothing}', ("malformed", {}, False)),  # no JSON has NaN
        ('{"a": raise}', ("malformed", {}, False)),
        ("[1}", ("malformed", {}, False)),
    ],
)
def test_arguments_that_are_nearly_json_are_mended(arguments: str, expected: tuple[Any, ...]) -> None:
    assert called(f'<tool_call>{{"name": "f", "arguments": {arguments}}}</tool_call>', "hermes") == expected
    assert called(f'{{"name": "f", "arguments": {arguments}}}', "json")[0] == expected[0]


@pytest.mark.usefixtures("package")
def test_a_string_of_arguments_is_mended_too() -> None:
    assert called('{"name": "f", "arguments": "{\\"a\\": 1,}"}', "json") == ("complete", {"a": 1}, True)


@pytest.mark.usefixtures("package")
def test_nothing_is_mended_that_was_cut_off_or_without_being_asked() -> None:
    assert called('{"name": "f", "arguments": {"a": 1,', "json") == ("truncated", {"a": 1}, False)
    assert called('{"name": "f", "arguments": {"a": 1,}}', "json", ParserConfig()) == ("malformed", {}, False)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    "text",
    [
        '{"a": "x}',
        "{'a': 'x}",
        '{"a": 1',
        '{"a": 1} and so on',
        "[1,]",
        '{"a": "' + "x" * 100_000 + '",}',
    ],
)
def test_what_is_not_certain_is_not_mended(text: str) -> None:
    assert repair.mend(text) is None


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"a": 1,}', {"a": 1}),
        ("{'a': True, 'b': None}", {"a": True, "b": None}),
        (r"{'a': 'it\'s'}", {"a": "it's"}),
        (r'{"a": "\d+"}', {"a": r"\d+"}),
    ],
)
def test_what_the_package_mends(arguments: str, expected: dict[str, Any]) -> None:
    pytest.importorskip("json_repair")
    reply = f'<tool_call>{{"name": "f", "arguments": {arguments}}}</tool_call>'
    assert called(reply, "hermes") == ("complete", expected, True)


@pytest.mark.usefixtures("no_package")
def test_without_the_package_the_extra_is_named_at_once() -> None:
    with pytest.raises(MissingExtraError, match=r"llm-streamparse\[repair\]"):
        StreamingResponseHandler(config=REPAIR)


@pytest.mark.parametrize(
    "text",
    [
        *('{"a": }', '{"a": -}', '{"a" 1}', '{"a": 1, "b"}', '{"a": "b" "c"}', '{"a": 1 2}', '{"a": "x"garbage}'),
        *('{"a": [1, 2}', '{"a":1,,"b":2}', '{"a": tru}', '{"a": <placeholder>}', "{:}", '{"a": "", "b": }'),
        '{"a": ["b", b]}',
    ],
)
def test_nothing_is_made_up_and_nothing_is_dropped(text: str) -> None:
    assert repair.mend(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": "x\\ny", "b": [1, 2,],}', {"a": "x\ny", "b": [1, 2]}),
        ("{'a': None, 'b': \"c\", 'd': {'e': 'é'}}", {"a": None, "b": "c", "d": {"e": "é"}}),
        ('{"p": "C:\\dir", "n": 1.5,}', {"p": "C:\\dir", "n": 1.5}),
    ],
)
def test_what_is_certain_is_mended(text: str, expected: Any) -> None:
    mended = repair.mend(text)
    assert mended is not None
    assert json.loads(mended) == expected
