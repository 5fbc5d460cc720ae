"""Calls of the formats with messages and blocks: rendered, they are read back as the same calls, or refused."""

from __future__ import annotations

import random
from typing import Any

import pytest

from streamparse import ParserConfig, StreamingResponseHandler, formats
from streamparse.errors import RenderError

FORMATS = [
    *("harmony", "muse", "inkling", "solar_open", "functionary_v31", "functionary_v32", "kimi_k2"),
    *("cohere_command3", "cohere_command4", "command_r", "plamo3", "beam", "kimi_vl"),
]
#: The samples of the formats' own documents.
WRITTEN = {
    "harmony": "<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>"
    '{"city": "Oslo", "days": 2}<|call|>',
    "muse": '<|start|>assistant to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n'
    '<atem:parameter name="city">Oslo</atem:parameter>\n<atem:parameter name="days">2</atem:parameter>\n'
    "</atem:invoke>\n</atem:function_calls><|eom|>",
    "beam": "<|start|>assistant to=get_weather<|channel|>analysis <|constrain|>xml<|message|>"
    '<rfl:parameter name="city">\nOslo\n</rfl:parameter><rfl:parameter name="days">\n2\n</rfl:parameter><|call|>',
    "plamo3": "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>"
    "get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>"
    '{"city": "Oslo", "days": 2}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>'
    "<|plamo:end_tool_requests:plamo|>",
    "inkling": "<|message_model|>get_weather<|content_invoke_tool_json|>"
    '{"name": "get_weather", "args": {"city": "Oslo", "days": 2}}<|end_message|>',
    "solar_open": "<|begin|>assistant<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>"
    '{"city": "Oslo", "days": 2}<|tool_call:end|><|calls|>',
    "functionary_v31": '<function=get_weather>{"city": "Oslo", "days": 2}</function>',
    "functionary_v32": '>>>get_weather\n{"city": "Oslo", "days": 2}',
    "kimi_k2": "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
    '{"city": "Oslo", "days": 2}<|tool_call_end|><|tool_calls_section_end|>',
    "cohere_command4": '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", '
    '"parameters": {"city": "Oslo", "days": 2}}\n]<|END_ACTION|>',
    "command_r": 'Action:\n```json\n[{"tool_name": "get_weather", "parameters": {"city": "Oslo", "days": 2}}]\n```',
}
STRINGS = [
    "",
    " ",
    "a b",
    "é\n雪",
    '"',
    "\\",
    "}",
    "{",
    "]",
    "a < b",
    "</x>",
    "<b>",
    "`",
    "```",
    "null",
    "2",
    ">>>f\n{}",
]
MARKERS = [
    *("<|call|>", "<|end|>", "<|start|>assistant<|channel|>final<|message|>", "<|eom|>", "</atem:parameter>"),
    *("</atem:invoke>", "<|end_message|>", "<|tool_call_end|>", "</function>", "<|END_ACTION|>", "<|tool_call:end|>"),
]


def value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(6 if depth < 2 else 4)
    if kind == 4:
        return [value(rng, depth + 1) for _ in range(rng.randrange(3))]
    if kind == 5:
        return {rng.choice(["a", "b"]): value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return (rng.choice(STRINGS), rng.choice([0, -7, 10**20]), rng.choice([0.5, -1e-9]), rng.choice([True, None]))[kind]


def declared(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    types = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
    properties = {key: {"type": types.get(type(item), "null")} for key, item in arguments.items()}
    return {"name": name, "parameters": {"type": "object", "properties": properties}}


def read_back(format: str, text: str, chunks: int, tool: dict[str, Any]) -> list[Any]:
    handler = StreamingResponseHandler(format, tools=[tool], config=ParserConfig(reasoning="closed"))
    for start in range(0, len(text), chunks):
        handler.feed(text[start : start + chunks])
    handler.finalize()
    return [(made.name, made.arguments, made.status) for made in handler.invocations]


@pytest.mark.parametrize("format", FORMATS)
def test_a_call_is_read_back_as_it_was_rendered(format: str) -> None:
    rng = random.Random(3)
    for number in range(60):
        arguments = {rng.choice("abcd"): value(rng) for _ in range(rng.randrange(4))}
        name = rng.choice(["f", "get_weather", "python", "a.b-c", "x" * 160])
        tool = declared(name, arguments)
        text = f"Hi {formats.get(format).render_call(name, arguments)} bye"
        for chunks in (1, 3, len(text)) if number < 20 else (4,):
            assert read_back(format, text, chunks, tool) == [(name, arguments, "complete")], text


@pytest.mark.parametrize("format", FORMATS)
def test_markers_in_a_string_are_read_back_or_refused(format: str) -> None:
    for marker in MARKERS:
        arguments = {"a": f"x{marker}y", "b": [marker], "c": marker}
        try:
            text = formats.get(format).render_call("f", arguments)
        except RenderError:
            assert format == "muse"
            continue
        for chunks in (1, 5, len(text)):
            assert read_back(format, text, chunks, declared("f", arguments)) == [("f", arguments, "complete")], text


@pytest.mark.parametrize("format", sorted(WRITTEN))
def test_a_call_is_written_as_the_model_writes_it(format: str) -> None:
    assert formats.get(format).render_call("get_weather", {"city": "Oslo", "days": 2}) == WRITTEN[format]


@pytest.mark.parametrize("format", FORMATS)
def test_results_and_instructions_can_be_rendered(format: str) -> None:
    known = formats.get(format)
    assert "cold" in known.render_result("f", "cold")
    assert known.render_call("f", {}) in known.instructions([{"name": "f"}])


@pytest.mark.parametrize("format", ["harmony", "kimi_k2", "functionary_v31", "inkling", "solar_open", "muse"])
@pytest.mark.parametrize("name", ["", "a b", "a<", "x" * 257, "é"])
def test_a_name_that_cannot_be_written_is_refused(format: str, name: str) -> None:
    with pytest.raises(RenderError, match="cannot be written in this format"):
        formats.get(format).render_call(name, {})


@pytest.mark.parametrize("name", ["self", "user", "a.a"])
def test_muse_has_names_that_mean_something_else(name: str) -> None:
    with pytest.raises(RenderError, match="cannot be written in this format"):
        formats.get("muse").render_call(name, {})
