"""The items of OpenAI Responses: what came goes back, exactly, and valid by the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from streamparse import LimitError, Limits, ParserConfig, Reply, ToolResult
from tests.providers.cases import call, calls, chat, response

PARAM: TypeAdapter[Any] = TypeAdapter(ResponseInputItemParam)
Item = dict[str, Any]


def validate(item: Item) -> None:
    # The SDK's type has an `id` here, and the server wants the `call_id`.
    named = {"id": "x"} if item["type"] == "local_shell_call_output" else {}
    PARAM.validate_python({**item, **named})


def read(chunks: list[Item]) -> Reply:
    reply = Reply(chunks)
    list(reply)
    return reply


def stream(*output: Item, store: bool | None = None, end: str = "completed") -> list[Item]:
    """A response whose items come whole."""
    created = {"id": "r", "store": store}
    done = [response("output_item.done", output_index=place, item=item) for place, item in enumerate(output)]
    return [response("created", response=created), *done, response(end, response={"output": list(output)})]


def items(*output: Item, results: Any = (), **options: Any) -> list[Item]:
    built = read(stream(*output, **options)).messages("openai-responses", results)
    for item in built:
        validate(item)
    return built


def message(*texts: str, name: str = "msg_1", **fields: Any) -> Item:
    content = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "id": name, "role": "assistant", "status": "completed", **fields, "content": content}


def plain(text: str, **fields: Any) -> Item:
    return {"type": "message", "role": "assistant", **fields, "content": text}


def reasoning(*summary: str, name: str = "rs_1", **fields: Any) -> Item:
    parts = [{"type": "summary_text", "text": text} for text in summary]
    return {"type": "reasoning", "id": name, "summary": parts, **fields}


def function(name: str | None = "fc_1", call_id: str = "c1", arguments: str = '{"a":  1}', **fields: Any) -> Item:
    named = {} if name is None else {"id": name}
    return {"type": "function_call", **named, "call_id": call_id, "name": "f", "arguments": arguments, **fields}


def output(content: str = "ok", call_id: str = "c1", kind: str = "function_call", **fields: Any) -> Item:
    return {"type": f"{kind}_output", "call_id": call_id, **fields, "output": content}


# -- messages and reasoning --------------------------------------------------------------------------------------------


ENCRYPTED = {"encrypted_content": "x"}
REFUSAL = {
    "type": "message",
    "id": "msg_2",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "Hm.", "annotations": []}, {"type": "refusal", "refusal": "No."}],
}


@pytest.mark.parametrize(
    "output",
    [
        [message("Hi")],
        [message("Let me see.", phase="commentary"), message("Hi", "there", name="msg_2", phase="final_answer")],
        [REFUSAL],
        [reasoning("a", "b", **ENCRYPTED), message("Hi")],
        [reasoning(**ENCRYPTED), reasoning("c", name="rs_2", **ENCRYPTED), message("Hi")],
        [reasoning(content=[{"type": "reasoning_text", "text": "c"}]), message("Hi")],
        [{"type": "compaction", "id": "cmp_1", "encrypted_content": "x"}, message("Hi")],
    ],
)
@pytest.mark.parametrize("store", [True, False, None])
def test_messages_and_reasoning_go_back_as_they_came(output: list[Item], store: bool | None) -> None:
    assert items(*output, store=store) == output


@pytest.mark.parametrize("thought", [reasoning(), reasoning("a")])
def test_reasoning_that_is_not_encrypted_goes_back_if_the_server_stored_it(thought: Item) -> None:
    assert items(thought, function(), results=["ok"]) == [thought, function(), output()]
    assert items(thought, message("Hi", phase="final_answer"), function(), results=["ok"], store=False) == [
        plain("Hi", phase="final_answer"),
        function(None),
        output(),
    ]


def test_ids_begin_again_with_reasoning_that_goes_back() -> None:
    second = reasoning(name="rs_2", **ENCRYPTED)
    both = [function("fc_1", "c1"), function("fc_2", "c2")]
    assert items(reasoning(), both[0], second, both[1], store=False, results=["a", "b"]) == [
        *(function(None, "c1"), second, both[1]),
        *(output("a"), output("b", "c2")),
    ]


def test_reasoning_goes_back_only_with_what_is_behind_it() -> None:
    assert items(message("Hi"), reasoning(**ENCRYPTED)) == [message("Hi")]
    cut = response("output_text.delta", output_index=1, item_id="msg_1", content_index=0, delta="H")
    chunks = [*stream(reasoning(**ENCRYPTED))[:-1], cut, response("incomplete", response={})]
    assert read(chunks).messages("openai-responses") == [plain("H")]


def test_items_that_come_in_pieces() -> None:
    """As OpenAI streams them: the encrypted reasoning of the whole item counts, not that of its beginning."""
    thought, said, called = reasoning("ab", "c", **ENCRYPTED), message("Hi", phase="commentary"), function()

    def begin(place: int, item: Item, **fields: Any) -> Item:
        return response("output_item.added", output_index=place, item={**item, **fields})

    def more(place: int, event: str, piece: str, **index: int) -> Item:
        return response(f"{event}.delta", output_index=place, item_id=f"i{place}", delta=piece, **index)

    def end(place: int, item: Item) -> Item:
        return response("output_item.done", output_index=place, item=item)

    chunks = [
        response("created", response={"id": "r", "store": False}),
        begin(0, thought, summary=[], encrypted_content="y"),
        *(more(0, "reasoning_summary_text", piece, summary_index=0) for piece in "ab"),
        more(0, "reasoning_summary_text", "c", summary_index=1),
        *(end(0, thought), begin(1, said, content=[], status="in_progress")),
        *(more(1, "output_text", piece, content_index=0) for piece in "Hi"),
        *(end(1, {**said, "created_by": "m"}), begin(2, called, arguments="", status="in_progress")),
        *(more(2, "function_call_arguments", piece) for piece in ('{"a":', "  1}")),
        *(end(2, called), response("completed", response={"output": [thought, said, called]})),
    ]
    assert read(chunks).messages("openai-responses", ["ok"]) == [thought, said, called, output()]


# -- calls and results -------------------------------------------------------------------------------------------------


def test_functions() -> None:
    one = function("fc_1", "c1", namespace="n")
    two = function("fc_2", "c2", arguments='{"path": "a", "content": "x"}') | {"name": "write_file"}
    assert items(reasoning(**ENCRYPTED), one, two, results={"c2": {"n": 2}, "c1": "one"}) == [
        *(reasoning(**ENCRYPTED), one, two),
        *(output("one"), output('{"n": 2}', "c2")),
    ]


def test_a_call_of_a_program_is_answered_to_it() -> None:
    by = {"caller": {"type": "program", "caller_id": "p1"}}
    program = {"type": "program", "id": "pr_1", "call_id": "p1", "code": "f()", "fingerprint": "z"}
    printed = {
        "type": "program_output",
        "id": "po_1",
        "call_id": "p1",
        "status": "completed",
        "result": "1",
    }
    assert items(program, function(**by), printed, results=["ok"]) == [
        *(program, function(**by), printed),
        output(**by),
    ]


@pytest.mark.parametrize("name", ["sql", "run_bash"])
def test_a_custom_tool(name: str) -> None:
    custom = {"type": "custom_tool_call", "id": "ctc_1", "call_id": "c1", "name": name, "input": "select\n1"}
    assert items(custom, results=["1"]) == [custom, output("1", kind="custom_tool_call")]


UPDATE = {"type": "update_file", "path": "a.py", "diff": '@@\n-"a"\n+b\n'}


@pytest.mark.parametrize(
    ("operation", "result", "told"),
    [
        (UPDATE, "done", {"status": "completed", "output": "done"}),
        ({"type": "delete_file", "path": "a.py"}, ToolResult("no", True), {"status": "failed", "output": "no"}),
        (UPDATE, {"status": "completed"}, {"status": "completed"}),
    ],
)
def test_a_patch(operation: Item, result: Any, told: Item) -> None:
    patch = {"type": "apply_patch_call", "id": "a_1", "call_id": "c1", "status": "completed", "operation": operation}
    answer = {"type": "apply_patch_call_output", "call_id": "c1", **told}
    assert items({**patch, "created_by": "somebody"}, results=[result]) == [patch, answer]


def test_a_local_shell() -> None:
    action = {"type": "exec", "command": ["echo", "a b"], "env": {"A": "1"}, "timeout_ms": 5}
    shell = {"type": "local_shell_call", "id": "l_1", "call_id": "c1", "status": "completed", "action": action}
    answer = output("a b", kind="local_shell_call")
    assert items(shell, results=["a b"]) == [shell, answer]
    bare = {**shell, "action": {"type": "exec", "command": ["ls"], "env": {}}}
    assert items(reasoning(), bare, results=["a b"], store=False) == [bare, answer]


CHUNK = {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("a", {"output": [CHUNK]}),
        (ToolResult("a", True), {"output": [{**CHUNK, "outcome": {"type": "exit", "exit_code": 1}}]}),
        ([CHUNK, CHUNK], {"output": [CHUNK, CHUNK]}),
        ({"output": [CHUNK], "max_output_length": 2}, {"output": [CHUNK], "max_output_length": 2}),
        ('{"output": 1}', {"output": [{**CHUNK, "stdout": '{"output": 1}'}]}),
    ],
)
def test_a_shell(result: Any, told: Item) -> None:
    action = {"commands": ["cd a", "cat <<E\nb\nE"], "max_output_length": 9}
    local = {"environment": {"type": "local"}}
    shell = {"type": "shell_call", "id": "s_1", "call_id": "c1", **local, "action": action}
    answer = {"type": "shell_call_output", "call_id": "c1", "max_output_length": 9, **told}
    assert items(shell, results=[result]) == [shell, answer]
    one = {**shell, "action": {"commands": ["a\nb"]}}
    assert items(one, results=["a"])[0] == one


SHOT = {"type": "computer_screenshot", "image_url": "data:image/png;base64,eHg="}
CHECKS = [{"id": "k", "code": "malicious", "message": "Sure?"}]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("data:image/png;base64,eHg=", {"output": SHOT}),
        ({"file_id": "f"}, {"output": {"type": "computer_screenshot", "file_id": "f"}}),
        (
            {"output": SHOT, "acknowledged_safety_checks": CHECKS},
            {"output": SHOT, "acknowledged_safety_checks": CHECKS},
        ),
    ],
)
@pytest.mark.parametrize("checks", [[], CHECKS])
def test_a_computer(result: Any, told: Item, checks: list[Item]) -> None:
    action = {"action": {"type": "click", "button": "left", "x": 0, "y": 1}, "pending_safety_checks": checks}
    computer = {"type": "computer_call", "id": "cu_1", "call_id": "c1", "status": "completed", **action}
    assert items(computer, results=[result]) == [
        computer,
        {"type": "computer_call_output", "call_id": "c1", **told},
    ]


def test_a_search_for_tools() -> None:
    ran = {"execution": "client", "call_id": "c1"}
    search = {"type": "tool_search_call", "id": "t_1", **ran, "arguments": {"goal": "g"}}
    tools = [{"type": "function", "name": "f", "parameters": {}, "strict": True}]
    found = {"type": "tool_search_output", **ran, "tools": tools}
    assert items(search, results=[tools]) == [search, found]
    assert items(search, results=[{"tools": tools, "status": "completed"}]) == [
        search,
        {**found, "status": "completed"},
    ]
    assert items(search, results=[ToolResult("no", True)]) == [search, {**found, "tools": []}]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (True, {"approve": True}),
        (False, {"approve": False}),
        ("true", {"approve": False, "reason": "true"}),
        ({"approve": True, "reason": "fine"}, {"approve": True, "reason": "fine"}),
    ],
)
def test_an_approval(result: Any, told: Item) -> None:
    request = {"type": "mcp_approval_request", "id": "m_1", "server_label": "s", "name": "f", "arguments": '{"a": 1}'}
    answer = {"type": "mcp_approval_response", "approval_request_id": "m_1", **told}
    assert items(request, results=[result]) == [request, answer]
    assert items(reasoning(), request, results=[result], store=False) == [request, answer]


def test_results_that_no_item_can_tell() -> None:
    computer = {"type": "computer_call", "id": "cu_1", "call_id": "c1", "action": {"type": "wait"}}
    with pytest.raises(ValueError, match="is the url of a screenshot"):
        items(computer, results=["The screen is locked."])
    with pytest.raises(ValueError, match="is a list of tools"):
        items({"type": "tool_search_call", "id": "t", "call_id": "c", "execution": "client"}, results=["none"])


def test_calls_that_were_cut_off() -> None:
    cut = {"status": "incomplete"}
    sentence = "The call was not run: the reply was cut off: it reached its limit of tokens."
    told = items(function(arguments='{"a": 1, "b', **cut), end="incomplete")
    assert told == [function(arguments='{"a": 1}'), output(sentence)]
    shell = {"type": "local_shell_call", "id": "l_1", "call_id": "c1", "action": {"command": ["a b"]}}
    begun = [response("output_item.added", output_index=0, item=shell), response("incomplete", response={})]
    action = {"type": "exec", "command": [], "env": {}}
    assert read(begun).messages("openai-responses") == [
        {**shell, "status": "completed", "action": action},
        output(sentence, kind="local_shell_call"),
    ]
    computer = {"type": "computer_call", "id": "cu_1", "call_id": "c1", **cut}
    assert items(computer, end="incomplete") == []


def test_half_a_command_is_one_word() -> None:
    shell = {"type": "local_shell_call", "id": "l_1", "call_id": "c1", "action": {"command": ["echo", "a b"]}}
    reply = Reply(stream(shell), config=ParserConfig(limits=Limits(max_total=20)))
    with pytest.raises(LimitError):
        list(reply)
    assert reply.messages("openai-responses")[0]["action"]["command"] == ["echo 'a"]


# -- what the provider ran ---------------------------------------------------------------------------------------------


DONE = {"status": "completed"}
SERVERS: list[list[Item]] = [
    [{"type": "web_search_call", "id": "w_1", **DONE, "action": {"type": "search", "query": "q"}}],
    [{"type": "web_search_call", "id": "w_1", "status": "failed", "action": {"type": "search", "query": "q"}}],
    [{"type": "file_search_call", "id": "f_1", **DONE, "queries": ["q"], "results": [{"file_id": "f", "score": 0.5}]}],
    [{"type": "file_search_call", "id": "f_1", **DONE, "queries": []}],
    [
        {
            **{"type": "code_interpreter_call", "id": "c_1", **DONE, "container_id": "k", "code": "1"},
            "outputs": [{"type": "logs", "logs": "1"}, {"type": "image", "url": "data:image/png;base64,eHg="}],
        }
    ],
    [
        {
            **{"type": "code_interpreter_call", "id": "c_1", **DONE, "container_id": "k", "code": "1"},
            "outputs": [{"type": "image", "url": "https://a/b.png"}],
        }
    ],
    [{"type": "code_interpreter_call", "id": "c_1", **DONE, "container_id": "k", "code": "1", "outputs": None}],
    [{"type": "image_generation_call", "id": "i_1", **DONE, "size": "1x1", "revised_prompt": "p", "result": "eHg="}],
    [{"type": "image_generation_call", "id": "i_1", "status": "failed", "size": "1x1", "result": None}],
    [
        {
            **{"type": "mcp_call", "id": "m_1", **DONE, "server_label": "s", "name": "f", "arguments": "{}"},
            **{"approval_request_id": "m_0", "output": "[1]"},
        }
    ],
    [
        {
            **{"type": "mcp_call", "id": "m_1", "status": "failed", "server_label": "s", "name": "f"},
            **{"arguments": "{}", "error": {"type": "http_error", "code": 500, "message": "no"}},
        }
    ],
    [
        {"type": "shell_call", "id": "s_1", "call_id": "c1", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "id": "o_1", "call_id": "c1", "max_output_length": 9, "output": [CHUNK]},
    ],
    [
        {"type": "tool_search_call", "id": "t_1", "execution": "server", "arguments": {"paths": ["a"]}},
        {"type": "tool_search_output", "id": "t_2", "execution": "server", "tools": []},
    ],
    [
        {
            **{"type": "mcp_list_tools", "id": "l_1", "server_label": "s"},
            "tools": [{"name": "f", "input_schema": {}, "description": "d"}],
        }
    ],
    [{"type": "mcp_list_tools", "id": "l_1", "server_label": "s", "tools": [], "error": "[]"}],
]


@pytest.mark.parametrize("ran", SERVERS)
def test_what_the_provider_ran_goes_back_as_it_came(ran: list[Item]) -> None:
    assert items(reasoning(**ENCRYPTED), *ran, message("Hi")) == [reasoning(**ENCRYPTED), *ran, message("Hi")]


def test_what_cannot_be_without_its_id_stays_out_with_its_reasoning() -> None:
    named = [group for group in SERVERS if group[0]["type"] not in ("shell_call", "tool_search_call", "mcp_list_tools")]
    for ran in named:
        assert items(reasoning(), *ran, message("Hi"), store=False) == [plain("Hi")]
    (listed,) = SERVERS[-2]
    assert items(reasoning(), listed, message("Hi"), store=False) == [listed, plain("Hi")]
    shell, printed = ({name: value for name, value in item.items() if name != "id"} for item in SERVERS[-4])
    assert items(reasoning(), *SERVERS[-4], store=False) == [shell, printed]


def test_rare_items() -> None:
    assert items({"type": "web_search_call", "id": "w_1"}, message("Hi")) == [message("Hi")]
    failed = {"type": "mcp_call", "id": "m", "status": "failed", "server_label": "s", "name": "f", "arguments": "{}"}
    error = {"type": "mcp_tool_execution_error", "content": "no"}
    assert items({**failed, "error": "no"}) == [{**failed, "error": error}]
    # Of xAI, and of a type that nobody knows: no type of the SDK is theirs.
    for item in (
        {"type": "custom_tool_call", "id": "x", "call_id": "xs_call_1", "name": "x_search", "input": '{"q": 1}'},
        {"type": "magic_call", "id": "x", "call_id": "c", "spell": {"a": 1}},
        {"type": "magic_call_output", "id": "x", "call_id": "c", "output": "puff"},
        {"type": "tool_search_call", "id": "x", "arguments": "cats"},
    ):
        assert read(stream(item)).messages("openai-responses") == [item]
    begun = [response("output_item.added", item={"type": "mcp_call", "id": "m", "name": "f", "arguments": ""})]
    assert read(begun).messages("openai-responses") == []


# -- other replies -----------------------------------------------------------------------------------------------------


def test_replies_of_other_interfaces() -> None:
    custom = {"index": 1, "id": "c2", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
    chunks = [chat(reasoning="Hm"), chat(content="Look."), calls(call(0, "c1", "f", '{"a":  1}'), custom)]
    built = read([*chunks, chat("tool_calls")]).messages("openai-responses", ["ok", "1"])
    assert built == [
        plain("Look."),
        function(None),
        {"type": "custom_tool_call", "call_id": "c2", "name": "sql", "input": "select 1"},
        output(),
        output("1", "c2", "custom_tool_call"),
    ]
    for item in built:
        validate(item)


def test_text_formats() -> None:
    reply = Reply('Look.\n<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>\n', "hermes")
    list(reply)
    assert reply.messages("openai-responses", ["ok"]) == [
        plain(reply.segments[0].content),
        function(None, "call_1", '{"a": 1}'),
        output("ok", "call_1"),
    ]


def test_states_of_pydantic_ai_are_not_taken_for_items() -> None:
    part = {"part_kind": "text", "content": "Hi", "id": "msg_1", "provider_name": "openai"}
    reply = read([{"event_kind": "part_start", "index": 0, "part": part}])
    assert reply.messages("openai-responses") == [plain("Hi")]


# -- the results alone -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "hermes"])
def test_the_results_alone(dialect: str) -> None:
    reply = read(stream(message("Hi"), function()))
    both = reply.messages(dialect, ["ok"])
    assert reply.messages(dialect, ["ok"], only_results=True) == both[-1:]
    assert read(stream(message("Hi"))).messages(dialect, only_results=True) == []
