"""A Format is accepted where a name is, whether it is registered or not; and what is said of names that are unknown."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import (
    RegistryError,
    StreamingParser,
    ToolInvocation,
    ToolInvocationAdapter,
    format_for_provider,
    formats,
    parse,
)
from streamparse.blocks import BlockBuilder, ToolUse
from streamparse.formats import JSON_ARGUMENTS, NAME, Calls, Format, JsonArgumentsState
from streamparse.testing import segments

MINE = Format(
    "mine",
    calls=(Calls(JsonArgumentsState, head=("<mine ", NAME, ">"), tail=("</mine>",)),),
    arguments=JSON_ARGUMENTS,
    in_auto=False,
)
CALL = '<mine f>{"a": 1}</mine>'
FILE = '<mine write_file>{"path": "a", "content": "x"}</mine>'
HERMES = '<tool_call>{"name": "g", "arguments": {}}</tool_call>'


def called(text: str, chosen: Any) -> list[tuple[str, dict[str, Any], str]]:
    items = parse(text, chosen, invocations=True)
    return [(item.name, item.arguments, item.status) for item in items if isinstance(item, ToolInvocation)]


OPENAI = ": choose 'native' for calls in the fields of its chunks, or 'harmony' for the text of gpt-oss"
F, G = ("f", {"a": 1}, "complete"), ("g", {}, "complete")


def test_a_format_itself_is_chosen() -> None:
    assert "mine" not in formats.names()
    assert called(CALL, MINE) == called(CALL, [MINE]) == [F]
    assert called(FILE, MINE) == [("write_file", {"path": "a", "content": "x"}, "complete")]
    assert segments(StreamingParser(MINE).feed(CALL)) == [("tool_call", {"tool_name": "f"}, '{"a": 1}', {})]
    assert formats.get(MINE) is MINE


def test_an_adapter_and_blocks_are_given_it_too() -> None:
    events = list(parse(CALL, MINE))
    (made,) = ToolInvocationAdapter(format=MINE).feed_all(events)
    assert (made.name, made.arguments) == ("f", {"a": 1})
    (block,) = BlockBuilder(format=MINE).feed_all(events)
    assert isinstance(block, ToolUse)
    assert block.params == {"a": 1}


@pytest.mark.parametrize("text", [CALL + HERMES, HERMES + CALL, CALL + HERMES + CALL, HERMES + CALL + HERMES])
def test_auto_reads_a_format_that_is_named_beside_it(text: str) -> None:
    found = [F if part.startswith("<mine") else G for part in text.replace("><", ">\n<").split("\n")]
    assert called(text, ["auto", MINE]) == called(text, [MINE, "auto"]) == found


def test_auto_reads_calls_at_the_beginning_of_a_line_of_a_format_that_is_named() -> None:
    text = f"Look:\n[f(a=1)]\n{HERMES}"
    assert called(text, ["auto", "pythonic"]) == [F, G]
    assert called(text, "auto") == [G]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hermse", "unknown format 'hermse': did you mean 'hermes' or 'muse'?"),
        ("XMLS", "unknown format 'XMLS': did you mean 'xml'?"),
        ("qwen3_code", "unknown format 'qwen3_code': did you mean 'qwen3_coder', 'qwen3' or 'qwen3_xml'?"),
        ("Open AI", "unknown format 'Open AI'" + OPENAI),
        ("openai", "unknown format 'openai'" + OPENAI),
        ("openbmb/MiniCPM5-1B", "unknown format 'openbmb/MiniCPM5-1B': that is a model, which writes 'minicpm5'"),
        ("nothing like it", "unknown format 'nothing like it': `streamparse formats` lists them"),
    ],
)
def test_names_that_are_nearly_right_are_suggested(name: str, message: str) -> None:
    with pytest.raises(RegistryError) as caught:
        parse("", name)
    assert str(caught.value) == message


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(RegistryError, match=r"^unknown provider 'Antropic': did you mean 'anthropic'\?$"):
        format_for_provider("Antropic")
    with pytest.raises(RegistryError, match=r"^unknown provider 'acme': leave it out, and choose a format instead$"):
        parse("", provider="acme")


def test_a_name_that_the_program_has_registered_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    formats.register(Format("acme_tools", aliases=("acme_two",)))
    with pytest.raises(RegistryError, match=r"^unknown format 'acmee': did you mean 'acme_two'\?$"):
        formats.get("acmee")
    assert formats.get("ACME-Two").name == "acme_tools"
    with pytest.raises(RegistryError, match=r"^the format 'AcmeTools' is registered already: "):
        formats.register(Format("AcmeTools"))
