"""The messages of Anthropic: exactly, and valid by the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import MessageParam
from anthropic.types.beta import BetaMessageParam
from pydantic import BaseModel, TypeAdapter

from streamparse import Reply, ToolResult
from tests.providers.cases import block, call, calls, chat, grow, message_delta, parts, stop

PARAM: TypeAdapter[Any] = TypeAdapter(MessageParam)
BETA: TypeAdapter[Any] = TypeAdapter(BetaMessageParam)

PAGE = {"type": "web_search_result", "title": "A", "url": "http://a", "encrypted_content": "eHg="}


def drained(value: Any) -> Any:
    """What was validated, as plain data: pydantic looks at what is iterable only when it is iterated over."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=True)
    if isinstance(value, dict):
        return {name: drained(item) for name, item in value.items() if item is not None}
    return value if isinstance(value, str | int | float | None) else [drained(item) for item in value]


def messages(stream: Any, results: Any = (), form: str | None = None, param: Any = PARAM) -> list[dict[str, Any]]:
    reply = Reply(stream, form)
    list(reply)
    built = reply.messages("anthropic", results)
    for message in built:
        assert drained(param.validate_python(message)) == drained(message)
    return built


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "text": content}


def use(call_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def answer(call_id: str, content: str, is_error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": is_error}


def streamed(index: int, given: str, **fields: Any) -> list[dict[str, Any]]:
    """A block whose input comes in two pieces."""
    pieces = [grow(index, "input_json_delta", partial_json=piece) for piece in (given[:3], given[3:])]
    return [block(index, input={}, **fields), *pieces, stop(index)]


def test_text_alone() -> None:
    chunks = [block(0, type="text", text="Hi"), grow(0, "text_delta", text="."), stop(0), message_delta("end_turn")]
    assert messages(chunks) == [assistant(text("Hi."))]


@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_reply_without_anything_is_no_message(blank: str) -> None:
    assert messages([block(0, type="text", text=blank), stop(0), message_delta("end_turn")]) == []


def test_thinking_calls_and_results() -> None:
    chunks = [
        *(block(0, type="thinking", thinking="Hm", signature=""), grow(0, "signature_delta", signature="x"), stop(0)),
        *(block(1, type="redacted_thinking", data="r"), stop(1)),
        *(block(2, type="thinking", thinking="", signature="y"), stop(2)),
        *(block(3, type="text", text="Look."), stop(3)),
        *streamed(4, '{"a":  1}', type="tool_use", id="t1", name="f"),
        *streamed(5, '{"path": "a", "content": "x"}', type="tool_use", id="t2", name="write_file"),
        *(block(6, type="tool_use", id="t3", name="g", input={}), stop(6), message_delta("tool_use")),
    ]
    assert messages(chunks, ["one", {"n": 2}, ToolResult("no", is_error=True)]) == [
        assistant(
            {"type": "thinking", "thinking": "Hm", "signature": "x"},
            {"type": "redacted_thinking", "data": "r"},
            {"type": "thinking", "thinking": "", "signature": "y"},
            text("Look."),
            use("t1", "f", a=1),
            use("t2", "write_file", path="a", content="x"),
            use("t3", "g"),
        ),
        user(answer("t1", "one"), answer("t2", '{"n": 2}'), answer("t3", "no", True)),
    ]


def test_thinking_without_a_signature_is_left_out() -> None:
    chunks = [
        *(block(0, type="thinking", thinking="Hm", signature=""), stop(0)),
        *(block(1, type="text", text="Hi"), stop(1), message_delta("end_turn")),
    ]
    assert messages(chunks) == [assistant(text("Hi"))]


def test_what_anthropic_ran_and_text_around_it() -> None:
    caller = {"type": "code_execution_20260120", "tool_id": "s2"}
    ran = {"type": "code_execution_result", "stdout": "1", "stderr": "", "return_code": 0, "content": []}
    upload = {"type": "container_upload", "file_id": "file_1"}
    chunks = [
        *(block(0, type="text", text="a"), stop(0)),
        *streamed(1, '{"query": "cats"}', type="server_tool_use", id="s1", name="web_search"),
        *(block(2, type="web_search_tool_result", tool_use_id="s1", content=[{**PAGE, "page_age": None}]), stop(2)),
        *(block(3, type="text", text="b", citations=[]), stop(3), block(4, type="text", text="c"), stop(4)),
        *streamed(5, '{"code": "f()"}', type="server_tool_use", id="s2", name="code_execution"),
        *streamed(6, '{"a": 1}', type="tool_use", id="t1", name="f", caller=caller),
        *(block(7, type="code_execution_tool_result", tool_use_id="s2", content=ran), stop(7)),
        *(block(8, **upload), stop(8)),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "container": {"id": "c"}}},
    ]
    assert messages(chunks, ["ok"]) == [
        assistant(
            text("a"),
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "cats"}},
            {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [PAGE]},
            text("bc"),
            {"type": "server_tool_use", "id": "s2", "name": "code_execution", "input": {"code": "f()"}},
            {**use("t1", "f", a=1), "caller": caller},
            {"type": "code_execution_tool_result", "tool_use_id": "s2", "content": ran},
            upload,
        ),
        user(answer("t1", "ok")),
    ]


CITED = {"type": "web_search_result_location", "url": "http://a", "cited_text": "t", "encrypted_index": "x"}
DOCUMENT = {"type": "char_location", "cited_text": "t", "document_index": 0, "start_char_index": 0, "end_char_index": 1}


def cited(index: int, content: str, *citations: dict[str, Any]) -> list[dict[str, Any]]:
    """A block of text, and what it cites."""
    pieces = [grow(index, "citations_delta", citation=citation) for citation in citations]
    return [block(index, type="text", text="", citations=[]), *pieces, grow(index, "text_delta", text=content)]


def test_citations_go_back_with_their_text() -> None:
    chunks = [
        *(*cited(0, "So: "), stop(0), *cited(1, "a is", CITED, {**CITED, "title": "A"}), stop(1)),
        *(*cited(2, " "), stop(2), *cited(3, "b", {**DOCUMENT, "file_id": "f"}), stop(3), *cited(4, "\n"), stop(4)),
        *streamed(5, '{"a":  1}', type="tool_use", id="t1", name="f"),
        *(*cited(6, "And c."), stop(6), message_delta("tool_use")),
    ]
    assert messages(chunks, ["ok"])[0] == assistant(
        text("So: "),
        {**text("a is"), "citations": [{**CITED, "title": None}, {**CITED, "title": "A"}]},
        {**text(" b\n"), "citations": [{**DOCUMENT, "document_title": None}]},
        use("t1", "f", a=1),
        text("And c."),
    )


def test_citations_of_a_text_that_a_text_format_took_something_out_of_do_not_go_back() -> None:
    chunks = [*cited(0, "a<run_bash>ls</run_bash>b", CITED), stop(0), message_delta("end_turn")]
    assert messages(chunks, ["ok"], "xml")[0] == assistant(
        text("a"), use("call_1", "run_bash", command="ls"), text("b")
    )


def test_blocks_of_the_beta() -> None:
    mcp = {"type": "mcp_tool_use", "id": "m1", "name": "look", "server_name": "books"}
    found = {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": False, "content": [text("none")]}
    compacted = {"content": "What was said.", "encrypted_content": "eHg="}
    chunks = [
        *(block(0, type="compaction", content=None), grow(0, "compaction_delta", **compacted), stop(0)),
        *(*streamed(1, '{"q": "é"}', **mcp), block(2, **found), stop(2), message_delta("end_turn")),
    ]
    assert messages(chunks, param=BETA) == [
        assistant({"type": "compaction", **compacted}, {**mcp, "input": {"q": "é"}}, found)
    ]


def test_a_turn_that_pauses_goes_back_alone() -> None:
    chunks = [
        *streamed(0, '{"query": "cats"}', type="server_tool_use", id="s1", name="web_search"),
        message_delta("pause_turn"),
    ]
    assert messages(chunks) == [
        assistant({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "cats"}})
    ]


def test_a_tool_without_input_that_anthropic_ran() -> None:
    chunks = [
        *(block(0, type="server_tool_use", id="s1", name="web_search", input={}), stop(0)),
        *(block(1, type="web_search_tool_result", tool_use_id="s1", content=[]), stop(1), message_delta("end_turn")),
    ]
    assert messages(chunks) == [
        assistant(
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []},
        )
    ]


def test_a_reply_that_was_cut_off() -> None:
    begun = [block(0, type="text", text="a"), stop(0)]
    tool = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    cut = grow(1, "input_json_delta", partial_json='{"query": "ca')
    assert messages([*begun, block(1, **tool), message_delta("max_tokens")]) == [assistant(text("a"))]
    assert messages([*begun, block(1, **tool), cut, message_delta("max_tokens")]) == [assistant(text("a"))]
    cut = grow(1, "input_json_delta", partial_json='{"a": 1, "b": "ca')
    chunks = [*begun, block(1, type="tool_use", id="t1", name="f", input={}), cut, message_delta("max_tokens")]
    why = "The call was not run: the reply was cut off: it reached its limit of tokens."
    assert messages(chunks) == [assistant(text("a"), use("t1", "f", a=1)), user(answer("t1", why, True))]


def test_a_result_of_a_tool_without_content_is_left_out() -> None:
    chunks = [block(0, type="web_search_tool_result", tool_use_id="s1"), stop(0), message_delta("end_turn")]
    assert messages(chunks) == []


def test_calls_of_a_text_format() -> None:
    written = '<think>Hm</think>Look.<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    assert messages(written, ["ok"], "hermes") == [
        assistant(text("Look."), use("call_1", "f", a=1)),
        user(answer("call_1", "ok")),
    ]


def test_ids_that_anthropic_refuses() -> None:
    chunks = [calls(call(0, "functions.f:0", "f", "{}"), call(1, "c2", "f", "{}")), chat("tool_calls")]
    assert messages(chunks, {"functions.f:0": "a", "c2": "b"}) == [
        assistant(use("call_1", "f"), use("c2", "f")),
        user(answer("call_1", "a"), answer("c2", "b")),
    ]


def responses(*items: dict[str, Any]) -> list[dict[str, Any]]:
    done = [{"type": "response.output_item.done", "output_index": n, "item": item} for n, item in enumerate(items)]
    return [*done, {"type": "response.completed", "response": {"status": "completed"}}]


OTHERS: dict[str, list[Any]] = {
    "a refusal": [chat(refusal="Hi"), chat("stop")],
    "google": [
        parts({"text": "Hm", "thought": True, "thoughtSignature": "eHg="}),
        parts({"executableCode": {"language": "PYTHON", "code": "1"}}),
        parts({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}),
        parts({"inlineData": {"mimeType": "image/png", "data": "eHg="}}),
        parts({"text": "Hi"}, finishReason="STOP"),
    ],
    "responses": responses(
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "Hm"}], "encrypted_content": "e"},
        {"type": "compaction", "id": "c", "encrypted_content": "e"},
        {"type": "web_search_call", "id": "w", "action": {"type": "search", "query": "cats"}},
        {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "Hi"}]},
    ),
    "cohere": [
        {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": "I will"}}},
        {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Hi"}}}},
    ],
    "bedrock": [
        {"contentBlockStart": {"start": {"toolUse": {"toolUseId": "s", "name": "f", "type": "server_tool_use"}}}},
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "Hi"}}},
    ],
    "pydantic-ai": [
        {
            "event_kind": "part_start",
            "index": 0,
            "part": {"part_kind": "thinking", "content": "Hm", "signature": "x", "provider_name": "google"},
        },
        {"event_kind": "part_start", "index": 1, "part": {"part_kind": "text", "content": "Hi"}},
    ],
}


@pytest.mark.parametrize("chunks", OTHERS.values(), ids=OTHERS)
def test_what_belongs_to_another_interface_is_left_out(chunks: list[Any]) -> None:
    assert messages(chunks) == [assistant(text("Hi"))]
