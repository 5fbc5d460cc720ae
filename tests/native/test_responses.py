"""Items of OpenAI Responses as segments: blocks, what the provider runs, and what the program must run."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig
from streamparse.config import Tools
from streamparse.native import NativeStream
from streamparse.parser import StreamingParser
from tests.native import test_cases
from tests.native.kit import Case, content, end, inv, kind, reasoning, segment, start, text, tool
from tests.native.recut import by_characters, recut
from tests.native.states import stated
from tests.providers.cases import response

COMPLETED = response("completed", response={"status": "completed"})
LIMIT = "the reply was cut off: it reached its limit of tokens"
CUT = response("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}})


def added(place: int, kind: str, **fields: Any) -> dict[str, Any]:
    return response("output_item.added", output_index=place, item={"type": kind, "id": f"i{place}", **fields})


def ended(place: int, kind: str, **fields: Any) -> dict[str, Any]:
    return response("output_item.done", output_index=place, item={"type": kind, "id": f"i{place}", **fields})


def said(place: int, piece: str, part: int = 0, event: str = "output_text") -> dict[str, Any]:
    index = "summary_index" if event == "reasoning_summary_text" else "content_index"
    return response(f"{event}.delta", output_index=place, item_id=f"i{place}", **{index: part}, delta=piece)


def at(place: int, event: str, **fields: Any) -> dict[str, Any]:
    return response(event, output_index=place, item_id=f"i{place}", **fields)


def server_tool(number: int, name: str, delta: str, call_id: str, **state: Any) -> list[Any]:
    first = start(number, "server_tool", tool_name=name, call_id=call_id)
    return stated(segment(first, delta, end(number)), {number: state})


def server_result(number: int, name: str, delta: str, call_id: str) -> list[Any]:
    return segment(start(number, "server_result", tool_name=name, call_id=call_id), delta, end(number))


CASES = [
    Case(
        "two messages are two texts",
        [
            *(added(0, "message", phase="commentary"), said(0, "Well"), said(0, ". "), ended(0, "message")),
            *(added(1, "message", phase="final_answer"), said(1, "Yes."), COMPLETED),
        ],
        stated(
            [*text(1, "Well. "), *text(2, "Yes.")],
            {1: {"id": "i0"}, 2: {"id": "i1", "phase": "final_answer"}},
        ),
        [],
    ),
    Case(
        "parts of a summary are blocks",
        [
            added(0, "reasoning", summary=[]),
            *(said(0, piece, part, "reasoning_summary_text") for piece, part in (("a", 0), ("b", 0), ("c", 1))),
            ended(0, "reasoning", encrypted_content="x"),
            *(ended(1, "reasoning", encrypted_content="y"), said(2, "Hi"), COMPLETED),
        ],
        stated(
            [*reasoning(1, "ab"), *reasoning(2, "c"), *reasoning(3, ""), *text(4, "Hi")],
            {
                1: {"id": "i0"},
                2: {"id": "i0", "encrypted_content": "x"},
                3: {"id": "i1", "encrypted_content": "y"},
            },
        ),
        [],
    ),
    Case(
        "a source stands beside the text, a file behind it",
        [
            *(added(0, "message"), said(0, "a")),
            at(0, "output_text.annotation.added", annotation={"type": "url_citation", "url": "http://a"}),
            at(0, "output_text.annotation.added", annotation={"type": "file_path", "file_id": "f"}),
            *(said(0, "b"), ended(0, "message", content=[]), COMPLETED),
        ],
        stated(
            [
                *(start(1, "text"), content(1, "a"), start(2, "source", url="http://a"), end(2), content(1, "b")),
                *(end(1), start(3, "file", file_id="f"), end(3)),
            ],
            {1: {"id": "i0"}},
        ),
        [],
    ),
    Case(
        "text around a search",
        [
            *(said(0, "Let me see."), ended(0, "message"), added(1, "web_search_call")),
            ended(1, "web_search_call", action={"type": "search", "query": "q"}, status="completed"),
            *(said(2, "So."), COMPLETED),
        ],
        [
            *stated(text(1, "Let me see."), {1: {"id": "i0"}}),
            *server_tool(2, "web_search", '{"type": "search", "query": "q"}', "i1", type="web_search_call", id="i1"),
            *text(3, "So."),
        ],
        [],
    ),
    Case(
        "a program that the provider runs is shown as it is written",
        [
            added(0, "code_interpreter_call", container_id="k"),
            at(0, "code_interpreter_call_code.delta", delta='print("a")\n'),
            ended(
                *(0, "code_interpreter_call"),
                code='print("a")\n1',
                container_id="k",
                outputs=[{"type": "logs", "logs": "a"}, {"type": "image", "url": "data:image/png;base64,eHg="}],
            ),
            COMPLETED,
        ],
        [
            *server_tool(
                *(1, "code_interpreter", 'print("a")\n1', "i0"),
                type="code_interpreter_call",
                id="i0",
                container_id="k",
            ),
            *server_result(2, "code_interpreter", '[{"type": "logs", "logs": "a"}]', "i0"),
            *segment(start(3, "file", media_type="image/png", call_id="i0"), "eHg=", end(3)),
        ],
        [],
    ),
    Case(
        "a tool of an MCP server is never run, whatever its name",
        [
            added(0, "mcp_call", name="run_bash", server_label="s"),
            at(0, "mcp_call_arguments.delta", delta='{"command": "ls"}'),
            ended(0, "mcp_call", name="run_bash", server_label="s", arguments='{"command": "ls"}', output="a"),
            COMPLETED,
        ],
        [
            *server_tool(
                1, "run_bash", '{"command": "ls"}', "i0", **{"type": "mcp_call", "id": "i0", "server_label": "s"}
            ),
            *server_result(2, "run_bash", "a", "i0"),
        ],
        [],
    ),
    Case(
        "a patch streams its diff",
        [
            added(0, "apply_patch_call", call_id="c1", operation={"type": "update_file", "path": "a.py", "diff": ""}),
            at(0, "apply_patch_call_operation_diff.delta", delta='@@\n-"a'),
            at(0, "apply_patch_call_operation_diff.delta", delta='"\n+\\b\u2028\n'),
            at(0, "apply_patch_call_operation_diff.done", diff='@@\n-"a"\n+\\b\u2028\n'),
            ended(
                *(0, "apply_patch_call"),
                call_id="c1",
                status="completed",
                operation={"type": "update_file", "path": "a.py", "diff": '@@\n-"a"\n+\\b\u2028\n'},
            ),
            COMPLETED,
        ],
        stated(
            kind(1, "patch_file", '@@\n-"a"\n+\\b\u2028\n', path="a.py", operation="update_file"),
            {1: {"type": "apply_patch_call", "id": "i0"}},
        ),
        [
            inv(
                1,
                {"path": "a.py", "operation": "update_file", "patch": '@@\n-"a"\n+\\b\u2028\n'},
            )
        ],
    ),
    Case(
        "a patch that is cut is truncated",
        [
            added(0, "apply_patch_call", call_id="c1", operation={"type": "create_file", "path": "a.py", "diff": ""}),
            *(at(0, "apply_patch_call_operation_diff.delta", delta="+a"), CUT),
        ],
        stated(
            kind(1, "patch_file", "+a", "truncated", LIMIT, path="a.py", operation="create_file"),
            {1: {"type": "apply_patch_call", "id": "i0"}},
        ),
        [
            inv(
                1,
                {"path": "a.py", "operation": "create_file", "patch": "+a"},
            )
        ],
    ),
    Case(
        "a file that is deleted has an empty patch",
        [
            ended(0, "apply_patch_call", call_id="c1", operation={"type": "delete_file", "path": "a.py"}),
            COMPLETED,
        ],
        stated(
            kind(1, "patch_file", "", path="a.py", operation="delete_file"),
            {1: {"type": "apply_patch_call", "id": "i0"}},
        ),
        [
            inv(
                1,
                {"path": "a.py", "operation": "delete_file", "patch": ""},
            )
        ],
    ),
    Case(
        "a local shell runs words",
        [
            ended(0, "local_shell_call", call_id="c1", action={"command": ["echo", "a b"], "timeout_ms": 5}),
            COMPLETED,
        ],
        stated(
            kind(1, "run_bash", "echo 'a b'", late={"timeout_ms": 5}), {1: {"type": "local_shell_call", "id": "i0"}}
        ),
        [inv(1, {"command": "echo 'a b'", "timeout_ms": 5})],
    ),
    Case(
        "commands of a shell are lines",
        [
            added(0, "shell_call", call_id="c1", environment={"type": "local"}),
            *(
                at(0, "shell_call_command.delta", command_index=place, delta=text)
                for place, text in ((0, "ls"), (1, "p"))
            ),
            ended(0, "shell_call", call_id="c1", environment={"type": "local"}, action={"commands": ["ls", "pwd"]}),
            COMPLETED,
        ],
        stated(
            kind(1, "run_bash", "ls\npwd"),
            {1: {"type": "shell_call", "id": "i0", "environment": {"type": "local"}, "lengths": [2, 3]}},
        ),
        [inv(1, {"command": "ls\npwd"})],
    ),
    Case(
        "a shell that the provider has run is no call",
        [
            ended(0, "shell_call", call_id="c1", action={"commands": ["rm -rf /"]}),
            ended(1, "shell_call_output", call_id="c1", output=[{"stdout": "a"}]),
            COMPLETED,
        ],
        [
            *server_tool(1, "shell", '{"commands": ["rm -rf /"]}', "c1", type="shell_call", id="i0"),
            *stated(
                server_result(2, "shell", '[{"stdout": "a"}]', "c1"), {2: {"type": "shell_call_output", "id": "i1"}}
            ),
        ],
        [],
    ),
    Case(
        "a shell that nobody has run is a call at the end",
        [ended(0, "shell_call", call_id="c1", action={"commands": ["ls"]}), said(1, "Hi"), COMPLETED],
        [*text(1, "Hi"), *stated(kind(2, "run_bash", "ls"), {2: {"type": "shell_call", "id": "i0"}})],
        [inv(2, {"command": "ls"})],
    ),
    Case(
        "what is to be approved is a call",
        [
            ended(0, "mcp_approval_request", name="f", server_label="s", arguments="{}"),
            COMPLETED,
        ],
        stated(
            tool(*(1, "mcp_approval_request", '{"server_label": "s", "name": "f", "arguments": "{}"}'), call_id="i0"),
            {1: {"type": "mcp_approval_request", "id": "i0", "server_label": "s"}},
        ),
        [inv(1, {"server_label": "s", "name": "f", "arguments": "{}"})],
    ),
    Case(
        "a refusal is told once",
        [
            *(said(0, "No", event="refusal"), at(0, "refusal.done", content_index=0, refusal="No.")),
            *(ended(0, "message", content=[{"type": "refusal", "refusal": "No."}]), COMPLETED),
        ],
        stated(segment(start(1, "refusal"), "No.", end(1)), {1: {"id": "i0"}}),
        [],
    ),
    Case(
        "a message that is cut is truncated",
        [
            *(added(0, "message"), said(0, "a")),
            *(ended(0, "message", status="incomplete", content=[{"type": "output_text", "text": "a"}]), CUT),
        ],
        segment(start(1, "text"), "a", end(1, "truncated", LIMIT)),
        [],
    ),
]


@test_cases.by_name(CASES)
def test_items_are_segments(case: Case) -> None:
    test_cases.check(case, case.chunks)
    test_cases.test_objects_are_read_as_dicts_are(case)
    test_cases.check(case, [piece for chunk in case.chunks for piece in recut(chunk, by_characters)])


@test_cases.by_name(CASES)
def test_the_stream_may_end_anywhere(case: Case) -> None:
    test_cases.test_the_stream_may_end_anywhere(case)


@pytest.mark.parametrize(
    ("chunks", "reason"),
    [
        ([said(0, "Hi"), COMPLETED], "stop"),
        ([ended(0, "function_call", call_id="c", name="f", arguments="{}"), COMPLETED], "tool_calls"),
        ([ended(0, "web_search_call"), COMPLETED], "stop"),
        ([said(0, "No", event="refusal"), COMPLETED], "refusal"),
        ([said(0, "Hi"), CUT], "length"),
    ],
)
def test_how_a_reply_ended(chunks: list[Any], reason: str) -> None:
    stream = NativeStream(StreamingParser("native"), ParserConfig(), Tools.of(()))
    for chunk in [response("created", response={"id": "r", "model": "m"}), *chunks]:
        stream.feed(chunk)
    outcome = stream.outcome
    assert outcome is not None
    assert (outcome.finish_reason, outcome.response_id, outcome.model) == (reason, "r", "m")
