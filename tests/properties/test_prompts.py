"""What a prompt says is true: examples and rendered calls are read as what they are meant to be, in every format.

The tools are of all kinds: plain ones, the three that are known, the same with parameters of other names, and tools of
such a kind under names of their own.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import ParserConfig, StreamingResponseHandler, ToolSpec, formats
from streamparse.arguments.example import example_call
from streamparse.errors import RenderError
from streamparse.events import SegmentStart
from tests import seeds

#: Those that have a prompt, and more than one tool.
WRITERS = [name for name in formats.names() if formats.get(name).prompt and not formats.get(name).prompt.example]
CONFIG = ParserConfig(reasoning="closed")


def schema(**types: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in types.items()}}


PLAIN = [
    ToolSpec("search", schema(query="string", limit="integer", tags="array", exact="boolean")),
    ToolSpec("noop"),
    ToolSpec("show", schema(path="string", content="string"), kind="tool_call"),
]
KNOWN = [
    ToolSpec("write_file", schema(path="string", content="string", mode="integer")),
    ToolSpec("patch_file", schema(path="string", patch="string")),
    ToolSpec("run_bash", schema(command="string", timeout="number")),
]
KNOWN_NAMES = [tool.name for tool in KNOWN]
#: With no schema, with a schema that has no such body, with parameters of other names, and of another kind.
RENAMED = [
    ToolSpec("run_bash"),
    ToolSpec("write_file", schema(text="string")),
    ToolSpec("patch_file", schema(file_path="string", diff="string"), kind="patch_file", body="diff"),
]
DECLARED = [
    ToolSpec("save", schema(to="string", text="string", mode="string"), kind="write_file", path="to", body="text"),
    ToolSpec("edit", schema(filename="string", patch="string"), kind="patch_file"),
    ToolSpec("sh", schema(line="string", cwd="string"), kind="run_bash", body="line"),
    ToolSpec("Store", schema(path="string", data="string"), kind="write_file", body="data"),
]
SETS = {
    "plain": PLAIN,
    "known": KNOWN,
    "renamed": RENAMED,
    "declared": DECLARED,
}
ALL = [*PLAIN, *KNOWN, *DECLARED]


def kind_of(tool: ToolSpec) -> str:
    return tool.as_body.kind if tool.as_body else "tool_call"


def read(format: str, text: str, tools: list[ToolSpec]) -> list[tuple[str, str, str, str, bool]]:
    """The calls in `text`: the type of the segment, name, arguments, status, and whether it was repaired."""
    handler = StreamingResponseHandler(format, tools=tools, config=CONFIG)
    events = [*handler.feed(text), *handler.finalize()]
    kinds = {event.segment_id: event.segment_type for event in events if isinstance(event, SegmentStart)}
    return [
        (kinds[call.id], call.name, json.dumps(call.arguments, sort_keys=True), call.status, call.repaired)
        for call in handler.invocations
    ]


def meant(tool: ToolSpec, arguments: dict[str, Any]) -> tuple[str, str, str, str, bool]:
    return kind_of(tool), tool.name, json.dumps(arguments, sort_keys=True), "complete", False


@pytest.mark.parametrize("tools", SETS.values(), ids=SETS)
@pytest.mark.parametrize("format", WRITERS)
def test_the_example_in_the_instructions_is_read_as_what_it_says(format: str, tools: list[ToolSpec]) -> None:
    told = formats.get(format).instructions(tools)
    for tool in tools:
        written = formats.get(format).render_call(tool.name, example_call(tool), tools=tools)
        assert read(format, f"{written}\n", tools) == [meant(tool, example_call(tool))]
        assert tool.name in told
        if tool is tools[0]:
            assert written in told


@pytest.mark.parametrize("tools", [*SETS.values(), ALL, ALL[::-1]], ids=[*SETS, "all", "reversed"])
def test_the_instructions_of_xml_show_every_form_that_the_tools_need(tools: list[ToolSpec]) -> None:
    told = formats.get("xml").instructions(tools)
    examples = told.partition("as here:\n\n")[2].partition("\n\n- ")[0]
    forms: dict[tuple[str, bool], ToolSpec] = {}
    for tool in tools:
        kind = kind_of(tool)
        forms.setdefault((kind, kind != "tool_call" and tool.name in KNOWN_NAMES), tool)
    assert read("xml", examples, tools) == [meant(tool, example_call(tool)) for tool in forms.values()]
    for tool in tools:
        is_said = tool.as_body is not None and f"he {tool.as_body.body} of {tool.name}" in told
        assert is_said == (tool.as_body is not None), "a body is written verbatim, and the text says so"


LETTERS = "abcXYZ 019_-+.,;:!?/\\|<>{}[]()='\"`&%$#@*~^\n\r\té漢🎉"
texts = st.one_of(
    st.text(alphabet=LETTERS, max_size=24),
    st.sampled_from(["\n", "\n\n#!/bin/sh\n", "\r\nx", "a &amp;&lt; b", "</write_file>", "</arg></tool>", "if a < b:"]),
)
VALUES = {"string": texts, "integer": st.integers(-9, 9), "number": st.floats(-9, 9), "boolean": st.booleans()}


@pytest.mark.parametrize("format", WRITERS)
@given(data=st.data())
@settings(max_examples=seeds.times(4), deadline=None)
def test_a_call_that_is_rendered_is_read_as_that_very_call(format: str, data: Any) -> None:
    tools = data.draw(st.sampled_from([ALL, RENAMED]))
    tool = data.draw(st.sampled_from(tools))
    types = {name: VALUES.get(value["type"], st.lists(texts, max_size=2)) for name, value in properties(tool)}
    arguments = {**example_call(tool), **data.draw(st.fixed_dictionaries({}, optional=types))}
    try:
        written = formats.get(format).render_call(tool.name, arguments, tools=tools)
    except RenderError:
        return
    assert read(format, written, tools) == [meant(tool, arguments)]


def properties(tool: ToolSpec) -> list[tuple[str, dict[str, Any]]]:
    return list(tool.parameters.get("properties", {}).items())


@pytest.mark.parametrize("content", ["\n", "\r\n", "\n\nx", "\r\n\n", "\r", "#!/bin/sh\n", "", " \n"])
@pytest.mark.parametrize("tool", [*KNOWN, *DECLARED], ids=lambda tool: tool.name)
def test_xml_can_write_every_line_break(tool: ToolSpec, content: str) -> None:
    assert tool.as_body
    arguments = {**example_call(tool), tool.as_body.body: content}
    written = formats.get("xml").render_call(tool.name, arguments, tools=[tool])
    assert read("xml", written, [tool]) == [meant(tool, arguments)]
