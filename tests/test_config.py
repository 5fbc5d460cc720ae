"""config.py: what may be set, in which shapes, and what is refused."""

from __future__ import annotations

import pydoc
import re
from typing import Any

import pytest
from attrs import fields
from attrs.exceptions import FrozenInstanceError

from streamparse import (
    Limits,
    ParserConfig,
    Reply,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocationAdapter,
    ToolSpec,
    check,
    formats,
    parse,
)
from streamparse.config import DEFAULT_CONFIG, Tools

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}}


@pytest.mark.parametrize(
    "tool",
    [
        ToolSpec("search", SCHEMA),
        {"type": "function", "function": {"name": "search", "parameters": SCHEMA}},
        {"type": "function", "function": {"name": "search", "description": "d", "parameters": SCHEMA, "strict": True}},
        {"name": "search", "parameters": SCHEMA},
        {"type": "function", "name": "search", "parameters": SCHEMA},
        {"name": "search", "input_schema": SCHEMA},
    ],
    ids=["ToolSpec", "openai", "openai with more", "flat", "openai responses", "anthropic"],
)
def test_a_tool_is_read_in_every_usual_shape(tool: Any) -> None:
    assert ToolSpec.from_any(tool) == ToolSpec("search", SCHEMA)


def test_a_tool_spec_is_taken_as_it_is() -> None:
    spec = ToolSpec("save", raw=["content"], kind="write_file")
    assert ToolSpec.from_any(spec) is spec
    assert spec.raw == ("content",)


@pytest.mark.parametrize(
    "tool", [{"name": "ping"}, {"name": "ping", "parameters": None}, {"name": "ping", "parameters": {}}]
)
def test_a_tool_may_have_no_parameters(tool: Any) -> None:
    assert ToolSpec.from_any(tool) == ToolSpec("ping", {})
    assert ToolSpec.from_any(tool).parameter_names == ()


def test_parameter_names_come_in_the_order_of_the_schema() -> None:
    assert ToolSpec("search", SCHEMA).parameter_names == ("q", "n")


@pytest.mark.parametrize(
    "tool",
    [
        *(None, 5, "search", [], {}, {"name": None}, {"name": 5}, {"parameters": {}}),
        {"function": "search"},
        {"function": {"parameters": {}}},
        {"name": "search", "parameters": ["q"]},
        {"name": "search", "input_schema": "q"},
    ],
    ids=repr,
)
def test_what_is_no_tool_is_a_type_error_that_shows_it_and_the_shapes(tool: Any) -> None:
    with pytest.raises(TypeError) as caught:
        ToolSpec.from_any(tool)
    assert str(caught.value) == (
        f"not a tool: {tool!r}; expected a ToolSpec, {{'name', 'parameters'}}, {{'name', 'input_schema'}} "
        "or {'type': 'function', 'function': {…}}"
    )


@pytest.mark.parametrize("properties", [["q"], "q", {1: {}}, 0], ids=repr)
def test_parameters_that_are_no_schema_are_refused_before_a_stream_begins(properties: Any) -> None:
    for make in (
        lambda: ToolSpec("search", {"properties": properties}),
        lambda: ToolSpec.from_any({"name": "search", "parameters": {"properties": properties}}),
    ):
        with pytest.raises(TypeError) as caught:
            make()
        assert str(caught.value) == (
            f"the parameters of the tool 'search' are not a JSON schema: properties={properties!r}"
        )


def test_a_schema_without_properties_may_say_null() -> None:
    spec = ToolSpec.from_any({"name": "now", "parameters": {"type": "object", "properties": None, "required": None}})
    assert spec.parameter_names == ()
    for name in ("xml", "cline", "hermes", "qwen3_coder"):
        format = formats.get(name)
        assert format.render_call("now", {}, tools=[spec]) == format.render_call("now", {}, tools=[ToolSpec("now")])
        assert "now" in format.instructions([spec])
    items = list(parse('<tool name="now"></tool>', invocations=True, tools=[spec]))
    assert check(items[-1], [spec]) is None  # type: ignore[arg-type]


def test_no_tools_may_be_none() -> None:
    assert Tools.of(None) == {}
    text = '<tool name="f"><arg name="a">1</arg></tool>'
    given = list(parse(text, tools=None, invocations=True))
    assert given == list(parse(text, invocations=True)) == list(Reply(text, tools=None))[:-1]
    assert StreamingResponseHandler(tools=None).feed(text) == list(parse(text))


def test_raw_names_one_parameter_or_several() -> None:
    assert [ToolSpec("save", raw=raw).raw for raw in ("content", ["a", "b"], ())] == [("content",), ("a", "b"), ()]


def declared(*names: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


@pytest.mark.parametrize(
    ("spec", "body"),
    [
        (ToolSpec("write_file"), ("write_file", "content", "path")),
        (ToolSpec("Run_Bash"), ("run_bash", "command", None)),
        (ToolSpec("write_file", declared("file_path", "content")), ("write_file", "content", "file_path")),
        (ToolSpec("patch_file", declared("target_file", "patch", "why")), ("patch_file", "patch", "target_file")),
        (ToolSpec("write_file", declared("path", "filename", "content")), ("write_file", "content", "path")),
        (ToolSpec("save", kind="write_file"), ("write_file", "content", "path")),
        (
            ToolSpec("save", declared("filename", "text"), kind="write_file", body="text"),
            ("write_file", "text", "filename"),
        ),
        (ToolSpec("save", kind="write_file", path="to", body="text"), ("write_file", "text", "to")),
        (ToolSpec("sh", declared("cmd"), kind="run_bash", body="cmd"), ("run_bash", "cmd", None)),
        # A name alone makes no kind where the schema says otherwise.
        (ToolSpec("write_file", declared("filename", "file_path", "content")), None),
        (ToolSpec("write_file", declared("path", "text")), None),
        (ToolSpec("run_bash", declared("script")), None),
        (ToolSpec("write_file", kind="tool_call"), None),
        (ToolSpec("save", declared("path", "content")), None),
    ],
)
def test_what_of_a_tools_calls_is_streamed(spec: ToolSpec, body: tuple[str, str, str | None] | None) -> None:
    tool = Tools.of([spec]).body_of(spec.name.upper())
    assert (tool and (tool.kind, tool.body, tool.path)) == body


def test_a_tool_that_is_not_declared_is_of_a_kind_by_its_name() -> None:
    assert [Tools.of([]).body_of(name) is None for name in ("write_file", "RUN_BASH", "save")] == [False, False, True]


@pytest.mark.parametrize("role", ["body", "path"])
@pytest.mark.parametrize("kind", [None, "tool_call"])
def test_a_body_or_a_path_without_a_kind_is_refused(role: str, kind: Any) -> None:
    with pytest.raises(TypeError, match=f"the tool 'save' has a {role}, 'x', but no kind that would stream it"):
        ToolSpec("save", kind=kind, **{role: "x"})


@pytest.mark.parametrize("kind", ["write_files", ""])
def test_an_unknown_kind_is_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"'kind' must be in"):
        ToolSpec("save", kind=kind)


@pytest.mark.parametrize("name", ["max_tag", "max_held", "max_arguments", "max_depth"])
@pytest.mark.parametrize("value", [0, -1, None, 1.5, "9"])
def test_a_limit_is_a_positive_number(name: str, value: Any) -> None:
    with pytest.raises(ValueError) as caught:
        Limits(**{name: value})
    assert str(caught.value) == f"Limits.{name} must be a positive number of characters, not {value!r}"


@pytest.mark.parametrize("value", [0, -1, 1.5, "9"])
def test_the_total_is_a_positive_number_or_none(value: Any) -> None:
    with pytest.raises(ValueError) as caught:
        Limits(max_total=value)
    assert str(caught.value) == f"Limits.max_total must be a positive number of characters or None, not {value!r}"


def test_the_limits_have_the_documented_defaults() -> None:
    assert Limits() == Limits(
        max_tag=65_536, max_held=1_048_576, max_arguments=16 * 1_048_576, max_depth=512, max_total=None
    )


@pytest.mark.parametrize("settings", [Limits, ParserConfig])
def test_help_explains_every_field(settings: type) -> None:
    """A line of its own for each, in their order, with a sentence behind it."""
    explained = re.findall(r"^ \|\s+- `(\w+)`: \S.{10}", pydoc.plain(pydoc.render_doc(settings)), re.MULTILINE)
    assert explained == [attribute.name for attribute in fields(settings)]


def test_a_limit_of_one_is_allowed() -> None:
    assert Limits(1, 1, 1, 1, 1).max_total == 1


def test_the_config_has_the_documented_defaults() -> None:
    assert ParserConfig() == ParserConfig(
        parse_tool_calls=True,
        strategy_order=None,
        code="auto",
        reasoning=None,
        tools_in_reasoning=False,
        decode_command_entities=True,
        segment_id_prefix="seg_",
        limits=Limits(),
    )


@pytest.mark.parametrize(
    ("given", "kept"), [(None, None), ("xml", ("xml",)), (["xml", "json"], ("xml", "json")), (("xml",), ("xml",))]
)
def test_strategy_order_is_one_name_or_several(given: Any, kept: Any) -> None:
    assert ParserConfig(strategy_order=given).strategy_order == kept


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("code", "none", ValueError),
        ("code", None, ValueError),
        ("reasoning", "on", ValueError),
        ("reasoning", True, ValueError),
        ("limits", {"max_tag": 5}, TypeError),
        ("limits", None, TypeError),
    ],
)
def test_a_setting_with_a_wrong_value_is_refused_by_its_name(name: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"'{name}' must be"):
        ParserConfig(**{name: value})


@pytest.mark.parametrize("settings", [Limits(), ParserConfig(), ToolSpec("x")], ids=lambda value: type(value).__name__)
def test_settings_cannot_be_changed_afterwards(settings: Any) -> None:
    with pytest.raises(FrozenInstanceError):
        settings.limits = 5


def test_a_body_needs_a_kind_that_streams_it() -> None:
    assert ToolSpec("save", kind="write_file", body="text").body == "text"
    with pytest.raises(TypeError, match=r"^the tool 'save' has a body, 'text', but no kind that would stream it$"):
        ToolSpec("save", body="text")


@pytest.mark.parametrize("parameters", [[], None, 5])
def test_parameters_must_be_a_schema(parameters: Any) -> None:
    with pytest.raises(TypeError, match=r"^the parameters of the tool 'x' are not a JSON schema: "):
        ToolSpec("x", parameters)


@pytest.mark.parametrize(("description", "kept"), [("Finds it.", "Finds it."), (None, ""), (5, "")])
def test_the_description_of_a_tool_is_kept_for_prompts(description: Any, kept: str) -> None:
    assert ToolSpec.from_any({"name": "f", "description": description}).description == kept
    assert ToolSpec("f", description="x") == ToolSpec("f"), "it does not make it another tool"


def test_who_brings_no_configuration_gets_one_and_the_same() -> None:
    handlers = [StreamingResponseHandler("xml") for _ in range(2)]
    assert ParserConfig() == DEFAULT_CONFIG
    for handler in handlers:
        assert handler._config is DEFAULT_CONFIG
        assert handler._parser._context.config is DEFAULT_CONFIG
        assert handler._adapter is not None
        assert handler._adapter._config is DEFAULT_CONFIG


SAVE, SQL = ToolSpec("Save"), {"name": "sQl", "parameters": {"properties": {}}}


def test_tools_are_found_by_their_names_in_lower_case() -> None:
    tools = Tools.of([SAVE, SQL])
    assert tools == {"save": SAVE, "sql": ToolSpec("sQl", {"properties": {}})}
    assert tools["save"] is SAVE
    with pytest.raises(ValueError, match=r"^the tool 'SQL' is declared twice: "):
        Tools.of(iter([SQL, {"name": "SQL"}]))
    assert Tools.of(()) == {}


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^not a tool: 5; expected a ToolSpec, "):
        Tools.of([5])  # type: ignore[list-item]


def test_tools_are_read_once_for_all_that_share_them() -> None:
    tools = Tools.of([SAVE])
    assert Tools.of(tools) is tools
    handlers = [StreamingResponseHandler("xml", tools=tools) for _ in range(2)]
    for handler in handlers:
        assert handler._tools is tools
        assert handler._parser._context.tools is tools
        assert handler._adapter is not None
        assert handler._adapter._tools is tools
    assert StreamingParser("xml", tools=tools)._context.tools is tools
    assert ToolInvocationAdapter(tools)._tools is tools


def test_the_beginning_of_a_name_is_told() -> None:
    tools = Tools.of([SAVE, SQL])
    texts = ["", "s", "SA", "save", "sav3", "saved", "sql", "t", "q"]
    for _ in range(2):
        assert [text for text in texts if tools.has_beginning(text)] == ["", "s", "SA", "save", "sql"]
    assert Tools.of(()).has_beginning("") is False


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_tool_must_have_a_name(name: Any) -> None:
    with pytest.raises(TypeError) as caught:
        ToolSpec(name)
    assert str(caught.value) == f"the name of a tool must be a non-empty string, not {name!r}"
