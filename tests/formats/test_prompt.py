"""formats/prompt.py and its kin: calls, results and tools as they are written into a conversation."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Any

import pytest

from streamparse import ToolSpec, formats
from streamparse.arguments.example import example_arguments
from streamparse.errors import RenderError
from streamparse.formats import teaching
from streamparse.formats.prompt import Prompt, any_id, describe_as_json, write_json
from tests.formats.kit import called, calls

WEATHER = ToolSpec(
    "get_weather",
    {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
    description="The weather in a city.",
)
ARGUMENTS = {"city": "Oslo", "days": 2}
OBJECT = '{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}'
DS = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>"


def deep(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("format", "written"),
    [
        ("xml", '<tool name="get_weather"><arg name="city">Oslo</arg><arg name="days">2</arg></tool>'),
        ("json", OBJECT),
        (
            "sentinel",
            '[[SEG_START {"type": "tool_call", "tool_name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]]'
            "[[SEG_END]]",
        ),
        ("hermes", f"<tool_call>\n{OBJECT}\n</tool_call>"),
        ("longcat", f"<longcat_tool_call>\n{OBJECT}\n</longcat_tool_call>"),
        ("mistral", '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo", "days": 2}'),
        ("mistral_v3", f"[TOOL_CALLS] [{OBJECT}]"),
        (
            "deepseek_v3",
            f'{DS}function<｜tool▁sep｜>get_weather\n```json\n{{"city": "Oslo", "days": 2}}\n```'
            "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        (
            "deepseek_v31",
            f'{DS}get_weather<｜tool▁sep｜>{{"city": "Oslo", "days": 2}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        ),
        ("internlm", f"<|action_start|> <|plugin|>\n{OBJECT.replace('arguments', 'parameters')}<|action_end|>"),
        ("granite20b", f"<function_call> {OBJECT}"),
        ("gigachat3", f"<|function_call|>{OBJECT}"),
        ("minimax_m1", f"<tool_calls>\n{OBJECT}\n</tool_calls>"),
        ("granite3", f"<|tool_call|>[{OBJECT}]"),
        ("jamba", f"<tool_calls>[\n    {OBJECT}\n]</tool_calls>"),
        ("hunyuan_a13b", f"<tool_calls>[{OBJECT}]</tool_calls>"),
        ("apriel", f"<tool_calls>[{OBJECT}]</tool_calls>"),
        ("nemotron_v2", f"<TOOLCALL>[{OBJECT}]</TOOLCALL>"),
        ("phi4", f"functools[{OBJECT}]"),
        ("xlam", f"[{OBJECT}]"),
        ("apertus", '<|tools_prefix|>[{"get_weather": {"city": "Oslo", "days": 2}}]<|tools_suffix|>'),
    ],
)
def test_a_call_is_written_as_the_models_write_it(format: str, written: str) -> None:
    assert formats.get(format).render_call("get_weather", ARGUMENTS) == written


#: Some results as the chat templates of the models write them: of a call without an id, and of one that has one.
RESULTS = {
    "mistral": (
        '[TOOL_RESULTS]{"t": -3}[/TOOL_RESULTS]',
        '[TOOL_RESULTS]123456789[TOOL_CONTENT]{"t": -3}[/TOOL_RESULTS]',
    ),
    "mistral_v3": (
        '[TOOL_RESULTS] {"content": {"t": -3}, "call_id": ""}[/TOOL_RESULTS]',
        '[TOOL_RESULTS] {"content": {"t": -3}, "call_id": "123456789"}[/TOOL_RESULTS]',
    ),
    "command_r": (
        '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><results>\n{"t": -3}</results><|END_OF_TURN_TOKEN|>',
        '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><results>\n{"t": -3}</results><|END_OF_TURN_TOKEN|>',
    ),
    "glm45": ('<|observation|>\n<tool_response>\n{"t": -3}\n</tool_response>',) * 2,
    "glm47": ('<|observation|><tool_response>{"t": -3}</tool_response>',) * 2,
    "minimax_m2": (']~b]tool\n<response>{"t": -3}</response>[e~[',) * 2,
    "deepseek_v31": ('<｜tool▁output▁begin｜>{"t": -3}<｜tool▁output▁end｜>',) * 2,
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_written_as_the_models_read_it(name: str) -> None:
    format = formats.get(name)
    with_none, with_id = RESULTS[name]
    assert format.render_result("get_weather", {"t": -3}) == with_none
    assert format.render_result("get_weather", {"t": -3}, "123456789") == with_id


def test_a_result_that_is_a_text_is_one_in_json() -> None:
    written = formats.get("mistral_v3").render_result("f", 'a "b"', "123456789")
    assert written == '[TOOL_RESULTS] {"content": "a \\"b\\"", "call_id": "123456789"}[/TOOL_RESULTS]'


@pytest.mark.parametrize(
    "name", [name for name in formats.names() if formats.get(name).prompt is not None and name != "llama3_code"]
)
def test_results_and_instructions_can_be_written_in_every_format(name: str) -> None:
    format = formats.get(name)
    assert "It is cold." in format.render_result("get_weather", "It is cold.", "c1")
    assert re.search(r'\{\\?"t\\?": -3\}', format.render_result("get_weather", {"t": -3}))
    told = format.instructions([WEATHER, {"name": "noop"}])
    call = format.render_call("get_weather", {"city": "some city", "days": 1})
    assert call in told
    if format.prompt.describe is describe_as_json:
        assert '"description": "The weather in a city."' in told
        assert '"name": "noop"' in told
    else:
        assert "\nDescription: The weather in a city.\n" in told
        assert "\n## noop\n" in told
    assert "Never invent tools" in told
    assert "everal" in told, "how several calls are written"
    assert "$" not in told


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("", {}, "the name '' cannot be written in this format"),
        ("x" * 161, {}, f"the name {'x' * 161!r} cannot be written in this format"),
        (5, {}, "the name 5 cannot be written in this format"),
        ("f", [], "the arguments of a call are a mapping with names for keys"),
        ("f", {1: 2}, "the arguments of a call are a mapping with names for keys"),
        ("f", {"a": {1: 2}}, "the arguments hold what JSON has not: keys that are no strings, or tuples"),
        ("f", {"a": (1,)}, "the arguments hold what JSON has not: keys that are no strings, or tuples"),
        ("f", {"a": {1}}, "not JSON: Object of type set is not JSON serializable"),
        ("f", {"a": float("nan")}, "not JSON: Out of range float values are not JSON compliant"),
        ("f", {"a": deep(512)}, "not JSON: it is nested too deeply"),
        ("f", {"a": "x" * 2**24}, "the arguments are longer than 16777216 characters"),
    ],
    ids=range(11),
)
@pytest.mark.parametrize("format", ["hermes", "xml"])
def test_what_cannot_be_written_is_refused(format: str, name: Any, arguments: Any, complaint: str) -> None:
    with pytest.raises(RenderError) as caught:
        formats.get(format).render_call(name, arguments)
    assert str(caught.value).startswith(complaint)


def test_arguments_may_be_any_mapping() -> None:
    assert write_json(MappingProxyType({"a": [{"b": None}]})) == '{"a": [{"b": null}]}'
    assert write_json({"a": deep(511)}) == f'{{"a": {"[" * 511}1{"]" * 511}}}'


@pytest.mark.parametrize("name", ["a b", 'a"b', "é", "a/b"])
def test_a_name_outside_of_json_must_be_a_plain_one(name: str) -> None:
    with pytest.raises(RenderError):
        formats.get("mistral").render_call(name, {})
    (made,) = called("hermes", formats.get("hermes").render_call(name, {}))
    assert made.name == name


def test_a_result_that_is_no_json_is_refused() -> None:
    with pytest.raises(RenderError, match=r"^not JSON: "):
        formats.get("hermes").render_result("f", {1, 2})


def test_ids_have_their_place_in_templates() -> None:
    result = "$name $quoted_name $call_id $quoted_id"
    prompt = Prompt(call="$name $call_id $quoted_id", result=result, identify=any_id("c0"))
    assert prompt.render_call("f", {}, "c1") == 'f c1 "c1"'
    assert prompt.render_call("f", {}) == 'f c0 "c0"'
    assert prompt.render_result("f", "", "c1") == 'f "f" c1 "c1"'
    assert prompt.render_result("f", "") == 'f "f" c0 "c0"'


def test_a_part_of_a_template_may_be_for_calls_with_an_id_only() -> None:
    prompt = Prompt(call="$<[$call_id]\n$>$name", result="")
    assert (prompt.render_call("f", {}), prompt.render_call("f", {}, "c1")) == ("f", "[c1]\nf")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("native", "the format 'native' has no text for calls: give the tools to the provider's own interface"),
        ("auto", "the format 'auto' only reads calls: choose the format that your model writes"),
    ],
)
def test_a_format_without_a_prompt_says_why(name: str, why: str) -> None:
    format = formats.get(name)
    for render in (
        lambda: format.instructions([WEATHER]),
        lambda: format.render_call("f", {}),
        lambda: format.render_result("f", ""),
    ):
        with pytest.raises(RenderError) as caught:
            render()
        assert str(caught.value) == why
    with pytest.raises(RenderError, match=r"^the format 'x' does not say how calls are written in a prompt$"):
        formats.Format("x").render_call("f", {})


# -- what models are told ---------------------------------------------------------------------------------------------


def test_without_tools_there_is_nothing_to_teach() -> None:
    assert formats.get("xml").instructions([]) == "You have no tools: answer without calling any."


TEXTS = [getattr(teaching, name) for name in vars(teaching) if name.isupper() and name != "BODIES" and name[0] != "_"]


@pytest.mark.parametrize("told", [*TEXTS, teaching.teach_xml])
def test_every_text_has_the_tools_an_example_and_the_rules(told: Any) -> None:
    prompt = Prompt(call="CALL $name $arguments", result="", teach=told)
    written = prompt.render_instructions([WEATHER], prompt.render_call)
    assert 'CALL get_weather {"city": "some city", "days": 1}' in written
    assert '{"type": "function", "function": {"name": "get_weather", "description": "The weather in a city."' in written
    assert "Never invent tools, arguments or results." in written
    assert "everal calls" in written or "Each call" in written
    assert len(written) < 2_000, "short"


def test_the_texts_of_hermes_are_those_of_its_chat_template() -> None:
    told = formats.get("hermes").instructions([WEATHER])
    assert "You are provided with function signatures within <tools></tools> XML tags:\n<tools>\n{" in told
    assert "<longcat_tool_call></longcat_tool_call> XML tags" in formats.get("longcat").instructions([WEATHER])


def test_a_value_of_the_schema_that_the_format_cannot_write_is_replaced() -> None:
    tool = {"name": "write_file", "parameters": {"properties": {"path": {}, "content": {"default": "</write_file>"}}}}
    assert '<write_file path="some path">some content</write_file>' in formats.get("xml").instructions([tool])


def test_the_example_of_a_format_for_one_tool_does_not_depend_on_what_is_declared() -> None:
    for tool in (WEATHER, SOURCE, ToolSpec("Python")):
        assert "<|python_tag|>print(6 * 7)<|eom_id|>" in formats.get("llama3_code").instructions([tool])
    assert calls("llama3_code", "<|python_tag|>print(6 * 7)<|eom_id|>") == [
        ("python", {"code": "print(6 * 7)"}, "complete")
    ]


def test_a_tool_that_cannot_be_called_in_the_format_is_refused() -> None:
    with pytest.raises(RenderError, match=r"^the name 'a b' cannot be written in this format$"):
        formats.get("mistral").instructions([{"name": "a b"}])


@pytest.mark.parametrize(
    ("schema", "example"),
    [
        ({}, {}),
        ({"properties": []}, {}),
        ({"properties": {"a": {}, "b": True}}, {"a": "some a", "b": "some b"}),
        (
            {"properties": {"i": {"type": "integer"}, "n": {"type": "number"}, "b": {"type": "boolean"}}},
            {"i": 1, "n": 1.5, "b": True},
        ),
        ({"properties": {"n": {"type": "null"}, "m": {"type": ["null", "integer"]}}}, {"n": None, "m": 1}),
        ({"properties": {"m": {"type": ["null"]}}}, {"m": None}),
        ({"properties": {"c": {"const": 0}, "e": {"enum": ["x", "y"]}}}, {"c": 0, "e": "x"}),
        (
            {"properties": {"x": {"examples": [7], "default": 8}, "d": {"default": 8}, "o": {"default": None}}},
            {"x": 7, "d": 8, "o": "some o"},
        ),
        ({"properties": {"e": {"enum": []}}}, {"e": "some e"}),
        ({"properties": {"a": {"type": "array"}, "s": {"items": {"type": "integer"}}}}, {"a": [], "s": [1]}),
        ({"properties": {"o": {"properties": {"p": {}}}}}, {"o": {"p": "some p"}}),
        ({"properties": {"u": {"anyOf": [{"type": "null"}, {"type": "integer"}]}}}, {"u": 1}),
        ({"properties": {"u": {"oneOf": [{"type": "null"}]}}}, {"u": "some u"}),
        ({"properties": {"u": {"anyOf": 5}}}, {"u": "some u"}),
        (
            {"properties": {"r": {"$ref": "#/$defs/r"}}, "$defs": {"r": {"type": "integer"}}},
            {"r": 1},
        ),
        ({"properties": {"r": {"$ref": "#/$defs/r"}, "q": {"$ref": "#/x/y"}}}, {"r": "some r", "q": "some q"}),
        ({"properties": {"r": {"$ref": "#/$defs/r"}}, "$defs": {"r": {"$ref": "#/$defs/r"}}}, {"r": "some r"}),
        (
            {"properties": {name: {} for name in "abcde"}, "required": ["e", "x"]},
            {"e": "some e"},
        ),
        ({"properties": {name: {} for name in "abcde"}}, {name: f"some {name}" for name in "abcd"}),
        (
            {"properties": {"a": {"$ref": "#"}}},
            {"a": {"a": {"a": {"a": {}}}}},
        ),
        (
            {"properties": {"a": {"type": "array", "items": {"$ref": "#/properties/a"}}}},
            {"a": [[[[]]]]},
        ),
    ],
    ids=range(21),
)
def test_the_example_has_the_shape_of_the_schema(schema: Any, example: Any) -> None:
    assert example_arguments(schema) == example


def test_a_plain_example_has_no_values_of_the_schema() -> None:
    assert example_arguments({"properties": {"a": {"default": "x"}}}, is_plain=True) == {"a": "some a"}


# -- xml and sentinel -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "written"),
    [
        ("f", {}, '<tool name="f"></tool>'),
        ('"<&>', {"<a>": "x"}, '<tool name="&quot;&lt;&amp;&gt;"><arg name="&lt;a&gt;">x</arg></tool>'),
        ("f", {"a": "&amp; </arg>"}, '<tool name="f"><arg name="a">&amp;amp; &lt;/arg&gt;</arg></tool>'),
        (
            "f",
            {"a": [1, "<"], "b": {"c": None}, "d": True},
            '<tool name="f"><arg name="a">[1, "&lt;"]</arg><arg name="b">{"c": null}</arg>'
            '<arg name="d">true</arg></tool>',
        ),
        ("write_file", {"content": "a < b\n", "path": "p&q"}, '<write_file path="p&amp;q">a < b\n</write_file>'),
        ("patch_file", {"path": "p", "patch": "", "mode": 3}, '<patch_file path="p" mode="3"></patch_file>'),
        ("run_bash", {"command": "a && b <<EOF"}, "<run_bash>a && b <<EOF</run_bash>"),
        ("run_bash", {"command": "a && b </run_bash>"}, "<run_bash>a &amp;&amp; b &lt;/run_bash&gt;</run_bash>"),
        ("run_bash", {"command": "a &lt;"}, "<run_bash>a &amp;lt;</run_bash>"),
        ("run_bash", {"command": "\nls"}, "<run_bash>\n\nls</run_bash>"),
        ("write_file", {"path": "p", "content": "\r\n"}, '<write_file path="p">\n\r\n</write_file>'),
    ],
)  # fmt: skip
def test_calls_in_xml(name: str, arguments: dict[str, Any], written: str) -> None:
    assert formats.get("xml").render_call(name, arguments) == written
    types = {str: "string", bool: "boolean", int: "integer", list: "array", dict: "object"}
    schema = {"properties": {key: {"type": types[type(value)]} for key, value in arguments.items()}}
    (made,) = called("xml", f"Hi {written} bye", tools=[{"name": name, "parameters": schema}])
    assert (made.name, made.arguments, made.status) == (name, arguments, "complete")


SAVE = ToolSpec("save", kind="write_file", path="to", body="text")
SHELL = ToolSpec("Sh", kind="run_bash", body="line")
WRITE = ToolSpec("Write_File", {"properties": {"file_path": {}, "content": {}, "mode": {"type": "integer"}}})
SOURCE = ToolSpec("python", {"properties": {"source": {"type": "string"}}})
PLAIN_WRITE = ToolSpec("write_file", {"properties": {"text": {"type": "string"}}})


@pytest.mark.parametrize(
    ("tool", "arguments", "written"),
    [
        (
            SAVE,
            {"text": "a < b &amp;\n", "to": "p&q", "mode": "x"},
            '<tool name="save"><arg name="to">p&amp;q</arg><arg name="mode">x</arg>'
            '<arg name="text">a < b &amp;\n</arg></tool>',
        ),
        (
            SAVE,
            {"to": "p", "text": "\nx"},
            '<tool name="save"><arg name="to">p</arg><arg name="text">\n\nx</arg></tool>',
        ),
        (SHELL, {"line": "a && b"}, '<tool name="Sh"><arg name="line">a && b</arg></tool>'),
        (SHELL, {"line": "a </arg>"}, '<tool name="Sh"><arg name="line">a &lt;/arg&gt;</arg></tool>'),
        (
            WRITE,
            {"file_path": "p", "content": "<", "mode": 3},
            '<Write_File path="p" mode="3"><</Write_File>',
        ),
        (PLAIN_WRITE, {"text": "<"}, '<tool name="write_file"><arg name="text">&lt;</arg></tool>'),
    ],
    ids=range(6),
)  # fmt: skip
def test_calls_in_xml_are_written_as_the_kind_of_their_tool_demands(
    tool: ToolSpec, arguments: dict[str, Any], written: str
) -> None:
    assert formats.get("xml").render_call(tool.name, arguments, tools=[WEATHER, tool]) == written
    (made,) = called("xml", f"Hi {written} bye", tools=[tool])
    assert (made.name, made.arguments, made.status, made.repaired) == (tool.name, arguments, "complete", False)


@pytest.mark.parametrize(
    ("format", "tool", "name", "arguments", "complaint"),
    [
        ("xml", SAVE, "save", {"to": "p"}, "save needs to and text, and they are texts"),
        ("xml", SAVE, "save", {"to": "p", "text": "</arg></tool>"}, "'text' would be read differently"),
        ("xml", SAVE, "save", {"to": "p", "text": "x", "mode": 1}, "'mode' would be read differently in this format"),
        ("xml", SAVE, "SAVE", {"to": "p", "text": ""}, "the name 'SAVE' is read as 'save'"),
        ("hermes", SAVE, "save", {"to": "p"}, "the call of save would be read differently"),
        ("hermes", WEATHER, "write_file", {"text": "x"}, "the call of write_file would be read differently"),
        ("cline", SAVE, "save", {"to": "p", "text": "x", "mode": "x"}, "'mode' would be read differently"),
        ("llama3_code", SOURCE, "python", {"code": "x"}, "'code' would be read differently in this format"),
        ("muse", ToolSpec("f"), "f", {"a": 1, "b": "1"}, "'b' would be read differently in this format"),
    ],
    ids=range(9),
)
def test_a_call_that_these_tools_would_read_differently_is_refused(
    format: str, tool: ToolSpec, name: str, arguments: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(RenderError) as caught:
        formats.get(format).render_call(name, arguments, tools=[tool])
    assert str(caught.value).startswith(complaint)


def test_the_instructions_of_xml_say_what_is_verbatim() -> None:
    told = formats.get("xml").instructions([SAVE, ToolSpec("write_file"), SHELL, ToolSpec("$x", kind="patch_file")])
    assert (
        '<tool name="save"><arg name="to">some to</arg><arg name="text">some text</arg></tool>\n\n'
        '<write_file path="some path">some content</write_file>\n\n'
        '<tool name="Sh"><arg name="line">some line</arg></tool>\n\n'
        '<tool name="$x"><arg name="path">some path</arg><arg name="patch">some patch</arg></tool>\n\n'
    ) in told
    assert "\n- The text of save, the content of write_file, the patch of $x: written verbatim, " in told
    assert "\n- The line of Sh: written verbatim, too, " in told
    only_files = formats.get("xml").instructions([ToolSpec("write_file")])
    assert "<arg" not in only_files
    assert "verbatim, too" not in only_files
    assert "verbatim" not in formats.get("xml").instructions([WEATHER])


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("Run_Bash", {"command": ""}, "the name 'Run_Bash' is read as 'run_bash'"),
        ("run_bash", {}, "run_bash needs command, and they are texts"),
        ("write_file", {"content": ""}, "write_file needs path and content, and they are texts"),
        ("write_file", {"content": "", "path": 5}, "write_file needs path and content, and they are texts"),
        (
            "write_file",
            {"content": "a</Write_File >b", "path": ""},
            "'content' would be read differently in this format",
        ),
        (
            "run_bash",
            {"command": "", "a": 1, "A": 1},
            "the arguments of run_bash are attributes, and cannot all be written as such",
        ),
        (
            "run_bash",
            {"command": "", "a b": 1},
            "the arguments of run_bash are attributes, and cannot all be written as such",
        ),
        (
            "run_bash",
            {"command": "", "call_id": "c"},
            "the arguments of run_bash are attributes, and cannot all be written as such",
        ),
        ("run_bash", {"command": "", "a": "x" * 40_000, "b": "x" * 40_000}, "the arguments of run_bash are too long"),
        ("f", {"x" * 70_000: ""}, "a name, or an argument that is written as an attribute, is too long for a tag"),
    ],
    ids=range(10),
)
def test_what_xml_cannot_write(name: str, arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(RenderError) as caught:
        formats.get("xml").render_call(name, arguments)
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize(
    ("arguments", "call_id"),
    [({"a": "]]"}, "c1"), ({"a": "[[SEG_END]]"}, None), ({"a": "x[[SEG_END]]" * 10_000}, "c1"), ({}, None)],
    ids=["header", "sentinel in it", "body", "none"],
)
def test_arguments_in_the_header_or_in_the_body_of_a_sentinel_block(
    arguments: dict[str, Any], call_id: str | None
) -> None:
    written = formats.get("sentinel").render_call("f", arguments, call_id)
    (made,) = called("sentinel", f"Hi {written} bye")
    assert (made.name, made.arguments, made.status, made.call_id) == ("f", arguments, "complete", call_id)


@pytest.mark.parametrize(("format", "name"), [("cline", "execute_command"), ("xml", "run_bash")])
def test_where_entities_are_decoded_the_instructions_say_how_one_is_written(format: str, name: str) -> None:
    tool = ToolSpec(name, {"properties": {"command": {"type": "string"}}}, kind="run_bash")
    known = formats.get(format)
    assert "`&amp;" in known.instructions([tool])
    written = known.render_call(name, {"command": "a && b > c &lt;"}, tools=[tool])
    assert "&amp;lt;" in written
    assert called(format, written, tools=[tool])[0].arguments == {"command": "a && b > c &lt;"}
