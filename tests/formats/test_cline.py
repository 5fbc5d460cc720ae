"""The formats cline and roo: their tools, tools of one's own, the prompt side, and arguments on their way."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import (
    Limits,
    ParserConfig,
    SegmentEvent,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocationAdapter,
    ToolSpec,
    formats,
)
from streamparse.errors import RenderError
from streamparse.testing import assert_chunk_invariant, segments
from tests.formats.kit import run, tool

#: Longer than what is kept of a body.
LONG = "x" * 1100


def calls(text: str, format: str = "cline", **options: Any) -> list[tuple[str, dict[str, Any], str]]:
    return [(name, arguments, status) for name, arguments, status, _ in run([text], format, **options).calls]


# -- the presets ------------------------------------------------------------------------------------------------------


def test_cline_has_the_tools_of_the_assistant() -> None:
    names = {spec.name: spec.parameter_names for spec in formats.get("cline").tools}
    assert {name: given[:-1] for name, given in names.items()} == {
        "execute_command": ("command", "requires_approval", "timeout"),
        "read_file": ("path",),
        "write_to_file": ("path", "content"),
        "replace_in_file": ("path", "diff"),
        "new_rule": ("path", "content"),
        "search_files": ("path", "regex", "file_pattern"),
        "list_files": ("path", "recursive"),
        "list_code_definition_names": ("path",),
        "browser_action": ("action", "url", "coordinate", "text"),
        "web_fetch": ("url", "prompt"),
        "use_mcp_tool": ("server_name", "tool_name", "arguments"),
        "access_mcp_resource": ("server_name", "uri"),
        "load_mcp_documentation": (),
        "ask_followup_question": ("question", "options"),
        "plan_mode_respond": ("response", "options", "needs_more_exploration"),
        "attempt_completion": ("result", "command"),
        "new_task": ("context",),
        "condense": ("context",),
        "summarize_task": ("context",),
        "report_bug": ("title", "what_happened", "steps_to_reproduce", "api_request_output", "additional_context"),
    }
    assert {given[-1] for given in names.values()} == {"task_progress"}


def test_roo_has_the_tools_of_the_assistant() -> None:
    assert {spec.name: spec.parameter_names for spec in formats.get("roo").tools} == {
        "read_file": ("path", "start_line", "end_line", "args"),
        "fetch_instructions": ("task",),
        "search_files": ("path", "regex", "file_pattern"),
        "list_files": ("path", "recursive"),
        "list_code_definition_names": ("path",),
        "codebase_search": ("query", "path"),
        "apply_diff": ("path", "diff", "start_line", "args"),
        "write_to_file": ("path", "content", "line_count"),
        "insert_content": ("path", "line", "content"),
        "search_and_replace": ("path", "search", "replace", "use_regex", "ignore_case", "start_line", "end_line"),
        "browser_action": ("action", "url", "coordinate", "text", "size"),
        "execute_command": ("command", "cwd"),
        "use_mcp_tool": ("server_name", "tool_name", "arguments"),
        "access_mcp_resource": ("server_name", "uri"),
        "ask_followup_question": ("question", "follow_up"),
        "attempt_completion": ("result", "command"),
        "switch_mode": ("mode_slug", "reason"),
        "new_task": ("mode", "message", "todos"),
        "update_todo_list": ("todos",),
        "run_slash_command": ("command", "args"),
        "generate_image": ("prompt", "path", "image"),
    }


@pytest.mark.parametrize(
    ("format", "kinds"),
    [
        (
            "cline",
            {
                "execute_command": ("run_bash", None, ()),
                "write_to_file": ("write_file", None, ("content",)),
                "new_rule": ("write_file", None, ("content",)),
                "replace_in_file": ("patch_file", "diff", ("diff",)),
            },
        ),
        (
            "roo",
            {
                "execute_command": ("run_bash", None, ()),
                "write_to_file": ("write_file", None, ("content",)),
                "apply_diff": ("patch_file", "diff", ("diff",)),
                "insert_content": (None, None, ("content",)),
                "search_and_replace": (None, None, ("search", "replace")),
            },
        ),
    ],
)
def test_files_patches_and_commands_are_declared(format: str, kinds: dict[str, Any]) -> None:
    specs = formats.get(format).tools
    assert {s.name: (s.kind, s.body, s.raw) for s in specs if s.kind or s.raw} == kinds


def test_every_tool_of_the_presets_can_be_called() -> None:
    for format in map(formats.get, ("cline", "roo")):
        for spec in format.tools:
            given = {name: f"some {name}" for name in spec.parameter_names}
            assert calls(format.render_call(spec.name, given), format.name) == [(spec.name, given, "complete")]


def test_two_formats_have_each_their_own_tools() -> None:
    text = "<read_file><args>a</args></read_file><condense><context>x</context></condense>"
    assert calls(text, ["cline", "roo"]) == [
        ("read_file", {}, "complete"),
        ("condense", {"context": "x"}, "complete"),
    ]
    assert calls(text, ["roo", "cline"]) == [
        ("read_file", {"args": "a"}, "complete"),
        ("condense", {"context": "x"}, "complete"),
    ]


def test_beside_xml_both_are_read() -> None:
    text = '<read_file><path>a</path></read_file><run_bash>ls</run_bash><tool name="q"><x>1</x></tool>'
    assert [row[0] for row in run([text], ["cline", "xml"]).segments] == ["tool_call", "run_bash", "tool_call"]


# -- tools of one's own -----------------------------------------------------------------------------------------------

SAVE = ToolSpec("save", tool("save", path="string", text="string", mode="integer")["parameters"], ("text",))
OWN = [
    ToolSpec("save", SAVE.parameters, ("text",), "write_file", "text"),
    ToolSpec("sh", {}, ("command",), "run_bash"),
    ToolSpec("fix", {}, (), "patch_file"),
    ToolSpec("write_file", {"properties": {"path": {}}}),
]


def test_a_tool_may_say_what_it_streams() -> None:
    text = "<save><mode>3</mode><path>a</path><text>\nx</text> y\n</text></save>"
    assert segments(assert_chunk_invariant(text, "cline", tools=OWN)) == [
        ("write_file", {"tool_name": "save", "path": "a", "mode": "3"}, "x</text> y", {})
    ]
    assert calls(text, tools=OWN) == [("save", {"path": "a", "mode": 3, "text": "x</text> y"}, "complete")]


def test_a_command_may_be_raw() -> None:
    text = "<sh><command>\n a &amp; b\r\n c &am\n</command></sh>"
    assert segments(assert_chunk_invariant(text, "cline", tools=OWN)) == [
        ("run_bash", {"tool_name": "sh"}, " a & b\r\n c &am", {})
    ]


def test_a_body_need_not_be_raw() -> None:
    text = "<fix><path>a</path><patch>\n x &amp; </patch> y</fix>"
    assert segments(assert_chunk_invariant(text, "cline", tools=OWN)) == [
        ("patch_file", {"tool_name": "fix", "path": "a"}, "x &amp;", {})
    ]


def test_a_tool_without_a_kind_is_a_call_whatever_its_name() -> None:
    text = "<write_file><path>a</path></write_file>"
    assert calls(text, tools=OWN) == [("write_file", {"path": "a"}, "complete")]
    assert run([text], "cline", tools=OWN).segments[0][0] == "tool_call"


def test_a_parameter_whose_name_means_something_else_in_start_is_late() -> None:
    spec = ToolSpec("save", {"properties": {"tool_name": {}}}, (), "write_file")
    text = "<save><tool_name>t</tool_name><path>a</path><content>x</content></save>"
    assert segments(assert_chunk_invariant(text, "cline", tools=[spec])) == [
        ("write_file", {"tool_name": "save", "path": "a"}, "x", {"late": {"tool_name": "t"}})
    ]
    assert calls(text, tools=[spec]) == [("save", {"path": "a", "tool_name": "t", "content": "x"}, "complete")]


def test_what_is_shown_and_given_again_later_stays() -> None:
    text = "<save><mode>3</mode><path>a</path><mode>3</mode><text>x</text></save>"
    assert calls(text, tools=OWN) == [("save", {"path": "a", "mode": 3, "text": "x"}, "complete")]
    text = "<save><mode>3</mode><path>a</path><mode>4</mode><text>x</text></save>"
    assert run([text], "cline", tools=OWN).segments[0][3] == {"status": "malformed", "error": "mode is given twice"}


def test_a_body_that_is_given_again_is_one_too_many_however_long_it_is() -> None:
    end = {"status": "malformed", "error": "command is given twice"}
    for size in (1, 1024, 5_000):
        command = f"<command>{'x' * size}</command>"
        for step in (4, 5_000):
            text = f"<execute_command>{command * 2}</execute_command>"
            chunks = [text[start : start + step] for start in range(0, len(text), step)]
            assert run(chunks, "cline").segments == [("run_bash", {"tool_name": "execute_command"}, "x" * size, end)]


def test_a_long_body_is_the_same_however_it_is_cut() -> None:
    lines = "a b  \r\n\n &amp; <b> </content> x\r y\n" * 60
    for text in (
        f"<write_to_file><path>a</path><content>\n{lines}\n</content></write_to_file>",
        f"<execute_command><command>\n{lines}\n</command></execute_command>",
    ):
        whole = run([text], "cline")
        assert whole.invocations[0].is_complete
        for step in (1, 2, 3, 4, 5, 7):
            chunks = [text[start : start + step] for start in range(0, len(text), step)]
            assert run(chunks, "cline").events == whole.events


def test_events_over_a_wire_are_read_by_the_tools_of_the_format() -> None:
    parser = StreamingParser("roo")
    events = parser.feed("<apply_diff><path>a</path><diff>x</diff><start_line>3</start_line></apply_diff>")
    events += parser.feed("<insert_content><path>a</path><line>0</line><content>\n x\n</content></insert_content>")
    adapter = ToolInvocationAdapter(format="roo")
    made = [adapter.feed(SegmentEvent.from_dict(event.to_dict())) for event in events]
    assert [(call.name, call.arguments) for call in made if call] == [
        ("apply_diff", {"path": "a", "start_line": "3", "diff": "x"}),
        ("insert_content", {"path": "a", "line": "0", "content": " x"}),
    ]


def test_a_tool_that_is_not_declared_has_no_arguments() -> None:
    events = StreamingParser("cline", tools=OWN).feed("<write_file><path>a</path></write_file>")
    adapter = ToolInvocationAdapter(format="cline")
    (call,) = adapter.feed_all(events)
    assert (call.status, call.arguments) == ("malformed", {})
    assert call.error == "write_file is not declared, so its parameters are not known"
    adapter.feed(events[0])
    adapter.feed(events[1])
    assert adapter.partial_arguments("seg_1") == {}


# -- arguments on their way -------------------------------------------------------------------------------------------


def growing(text: str, **options: Any) -> list[Any]:
    """The arguments after every character, each once."""
    handler = StreamingResponseHandler("cline", **options)
    found: list[Any] = []
    for character in text:
        handler.feed(character)
        known = handler.partial_arguments("seg_1")
        if known is not None and (not found or found[-1] != known):
            found.append(known)
    return found


def test_a_value_grows_without_a_piece_of_its_closer() -> None:
    assert growing("<read_file><path> ab </path><task_progress>x</read_file>") == [
        {},
        {"path": ""},
        {"path": "a"},
        {"path": "ab"},
        {"path": "ab", "task_progress": ""},
        {"path": "ab", "task_progress": "x"},
    ]


def test_a_raw_value_grows_without_its_closer() -> None:
    put = tool("put", content="string", n="integer")
    assert growing("<put><n>12</n><content>\na\n</content></put>", tools=[put]) == [
        {},
        {"n": 12},
        {"n": 12, "content": ""},
        {"n": 12, "content": "a"},
    ]


def test_of_a_parameter_that_is_given_again_the_complete_value_is_shown() -> None:
    assert growing("<read_file><path>a</path><path>b</path></read_file>") == [
        {},
        {"path": ""},
        {"path": "a"},
        {"path": "b"},
    ]


def test_what_cannot_be_decoded_is_not_shown() -> None:
    put = tool("put", tags="array")
    config = ParserConfig(limits=Limits(max_depth=3))
    assert growing("<put><tags>[[[[1]]]]</tags></put>", tools=[put], config=config) == [{}]


# -- the prompt side --------------------------------------------------------------------------------------------------


def test_calls_are_written_as_the_assistants_write_them() -> None:
    cline = formats.get("cline")
    assert cline.render_call("write_to_file", {"content": "a\n", "path": "a.py"}) == (
        "<write_to_file>\n<path>a.py</path>\n<content>\na\n\n</content>\n</write_to_file>"
    )
    assert cline.render_call("load_mcp_documentation", {}) == "<load_mcp_documentation>\n</load_mcp_documentation>"
    assert cline.render_call("execute_command", {"command": "a && b", "requires_approval": False}) == (
        "<execute_command>\n<command>a && b</command>\n<requires_approval>false</requires_approval>\n</execute_command>"
    )
    assert cline.render_result("read_file", "text") == "[read_file] Result:\ntext"


def test_instructions_describe_the_tools_as_the_assistants_do() -> None:
    told = formats.get("cline").instructions(formats.get("cline").tools)
    assert (
        "\n## write_to_file\nDescription: Write a whole file, a new one or over an old one.\nParameters:\n"
        "- path: (required)\n- content: (required)\n- task_progress: (optional)\nUsage:\n<write_to_file>\n"
        "<path>path here</path>\n<content>content here</content>\n<task_progress>task progress here</task_progress>\n"
        "</write_to_file>\n"
    ) in told
    own = {"n": {"type": "integer", "description": "How many."}, "a": {"description": "What."}, "b": True}
    told = formats.get("roo").instructions([{"name": "put", "parameters": {"properties": own}}])
    assert '- n: (optional) How many. {"type": "integer"}\n- a: (optional) What.\n- b: (optional)\n' in told


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("execute_command", {"command": "a < b &amp; </command>"}),
        ("execute_command", {"command": "</execute_command>", "timeout": "1"}),
        ("write_to_file", {"path": "a", "content": "</content>"}),
        ("write_to_file", {"path": "a", "content": "</content>\n<path>x</path> </write_to_file>x"}),
        ("write_to_file", {"path": "a", "content": "<write_to_file><path>b</path><content></content></write_to_file>"}),
        ("write_to_file", {"path": "a", "content": "\r"}),
        ("write_to_file", {"path": "a", "content": "x\r\n\n\r\n"}),
        ("write_to_file", {"path": "a", "content": " \t"}),
        ("read_file", {"path": "<task_progress> </task_progress> <b>"}),
        ("read_file", {"path": "a", "more": {"a": ["</more>", "&", None, 1.5]}}),
        ("own", {"content": 5, "diff": None}),
    ],
    ids=range(11),
)
def test_what_can_be_written_is_read_back(name: str, arguments: dict[str, Any]) -> None:
    text = formats.get("cline").render_call(name, arguments)
    known = formats.get("cline").tools_by_name.get(name)
    types = {
        key: {} if isinstance(value, str) else {"type": ["object", "integer", "null"]}
        for key, value in arguments.items()
    }
    kind, body = (known.kind, known.body) if known else (None, None)
    spec = ToolSpec(name, {"properties": types}, (), kind, body)
    found = run([text, "\nOk."], "cline", tools=[spec])
    assert [call[:3] for call in found.calls] == [(name, arguments, "complete")]
    assert not any(call.repaired for call in found.invocations)


OTHER_CALL = "the call of f would be read differently: it holds what ends a call, or begins one"


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("think", {}, "the names of think and its parameters cannot all be written as tags"),
        ("f", {"a b": 1}, "the names of f and its parameters cannot all be written as tags"),
        ("f", {"1": 1}, "the names of f and its parameters cannot all be written as tags"),
        ("f", {"a": {1}}, "not JSON: "),
        ("f", {"a": " x"}, "'a' would be read differently in this format"),
        ("f", {"a": "</a >"}, "'a' would be read differently in this format"),
        ("f", {"a": "<f>"}, "'a' holds a tag of this call, and would be read differently"),
        ("f", {"content": "</content></f>"}, "'content' would be read differently in this format"),
        ("f", {"content": "<f><content>"}, OTHER_CALL),
        ("f", {"content": "</content> <other>"}, "'content' holds a tag of this call, and would be read differently"),
        ("f", {"content": "<f>\n<other>"}, "'content' holds a tag of this call, and would be read differently"),
        ("write_to_file", {"content": "x"}, "write_to_file needs path and content, as texts"),
        ("write_to_file", {"path": "x", "content": 5}, "write_to_file needs path and content, as texts"),
        ("execute_command", {}, "execute_command needs command, as texts"),
    ],
    ids=range(14),
)
def test_what_would_be_read_differently_is_refused(name: str, arguments: Any, complaint: str) -> None:
    with pytest.raises(RenderError) as caught:
        formats.get("cline").render_call(name, arguments)
    assert str(caught.value).startswith(complaint)


def test_arguments_that_are_nested_too_deeply_are_refused() -> None:
    deep: Any = 1
    for _ in range(511):
        deep = [deep]
    with pytest.raises(RenderError):
        formats.get("cline").render_call("f", {"a": [deep]})


@pytest.mark.parametrize("size", [1, 3, 4, 64])
@pytest.mark.parametrize(
    ("source", "content"),
    [
        (
            f"<write_to_file><path>a</path><content>\n{LONG}a < b\n</cont </content>\n</write_to_file>.",
            "{}a < b\n</cont ",
        ),
        (f"<write_to_file><path>a</path><content>{LONG}x\r\n\n</content></write_to_file>.", "{}x\r\n"),
        (f"<execute_command><command> {LONG}a  &lt; b \n</command></execute_command>.", "{}a  < b"),
    ],
)
def test_a_long_body_is_read_as_a_short_one(size: int, source: str, content: str) -> None:
    chunks = [source[start : start + size] for start in range(0, len(source), size)]
    handler = StreamingResponseHandler("cline")
    events = [event for chunk in chunks for event in handler.feed(chunk)] + handler.finalize()
    block, rest = segments(events)
    assert (block[2], block[3], rest[2]) == (content.format(LONG), {}, ".")
