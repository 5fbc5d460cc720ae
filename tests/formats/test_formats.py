"""formats/: formats by name, and several of them at once."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, RegistryError, StreamingParser, ToolStateRegistry, formats
from streamparse.testing import segments


@pytest.fixture(autouse=True)
def _own_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone behind it."""
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))


def test_a_format_is_found_by_its_name_and_its_aliases() -> None:
    assert formats.get("xml").name == "xml"
    assert formats.get("xml_tag") is formats.get("xml")


def test_an_unknown_format_is_refused_and_the_known_ones_are_listed() -> None:
    with pytest.raises(RegistryError, match=r"^unknown format 'html': `streamparse formats` lists them$"):
        formats.get("html")


def test_names_are_without_aliases() -> None:
    assert [name for name in formats.names() if name.startswith("xml")] == ["xml"]


def test_a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced() -> None:
    xml = formats.get("xml")
    with pytest.raises(RegistryError) as caught:
        formats.register(xml)
    assert str(caught.value) == "the format 'xml' is registered already: pass replace=True to replace it"
    formats.register(xml, replace=True)
    assert formats.get("xml") is xml


@pytest.mark.parametrize("format", [None, "xml", object, 5], ids=lambda value: type(value).__name__)
def test_what_is_no_format_is_refused(format: Any) -> None:
    with pytest.raises(RegistryError) as caught:
        formats.register(format)
    assert str(caught.value) == f"{format!r} is not a Format"


@pytest.mark.parametrize("config", [ParserConfig(), ParserConfig(code="parse")], ids=lambda config: config.code)
def test_no_format_at_all_is_refused(config: ParserConfig) -> None:
    with pytest.raises(RegistryError, match=r"^no format was chosen: `streamparse formats` lists them$"):
        StreamingParser([], config)
    with pytest.raises(RegistryError, match=r"^no format was chosen: `streamparse formats` lists them$"):
        StreamingParser(config=ParserConfig(strategy_order=()))


def test_without_a_name_a_parser_takes_the_order_of_its_config() -> None:
    with pytest.raises(RegistryError, match=r"^unknown format 'from_config': `streamparse formats` lists them$"):
        StreamingParser(config=ParserConfig(strategy_order="from_config"))
    assert segments(StreamingParser().feed("<run_bash>ls</run_bash>")) == [("run_bash", {}, "ls", {})]


def test_the_same_format_twice_is_the_same_as_once() -> None:
    text = "a<run_bash>ls</run_bash></think>`<think>`"
    for names in (["xml"], ["xml", "xml"], ["xml", "xml_tag"]):
        parser = StreamingParser(names, ParserConfig())
        assert segments(parser.feed(text) + parser.finalize()) == [
            *(("text", {}, "a", {}), ("run_bash", {}, "ls", {}), ("text", {}, "`<think>`", {})),
        ]


def test_a_registry_without_tools_leaves_tool_and_reasoning() -> None:
    parser = StreamingParser("xml", registry=ToolStateRegistry())
    assert segments(parser.feed('<tool name="q">1</tool><think>h</think>') + parser.finalize()) == [
        *(("tool_call", {"tool_name": "q"}, "1", {}), ("reasoning", {}, "h", {})),
    ]


@pytest.mark.parametrize("chosen", [5, [5], [["xml"]]])
def test_a_format_that_is_not_chosen_by_name_is_a_type_error(chosen: Any) -> None:
    with pytest.raises(TypeError, match=r"^a format is chosen by its name, a string, or is a Format, not "):
        StreamingParser(chosen)
