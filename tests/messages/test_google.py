"""The messages of Google: exactly, and valid by the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai.types import Content

from streamparse import LimitError, ParserConfig, Reply, ToolResult
from streamparse.config import Limits
from tests.providers.cases import (
    block,
    call,
    calls,
    chat,
    grow,
    message_delta,
    parts,
    step_delta,
    step_start,
    step_stop,
    stop,
)


def messages(stream: Any, results: Any = (), form: str | None = None) -> list[dict[str, Any]]:
    reply = Reply(stream, form)
    list(reply)
    built = reply.messages("google", results)
    for message in built:
        content = Content.model_validate(message)  # which refuses names that it does not know
        assert content.model_dump(mode="json", by_alias=True, exclude_none=True) == message
    return built


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "model", "parts": list(parts)}


def user(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def function_call(name: str, args: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args, **fields}}


def response(name: str, told: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": told, **fields}}


def test_text_alone() -> None:
    assert messages([parts({"text": "Hi"}), parts({"text": "."}, finishReason="STOP")]) == [model({"text": "Hi."})]
    assert messages([parts(finishReason="STOP")]) == []


def test_signatures_stay_with_their_parts() -> None:
    chunks = [
        parts({"text": "Hm", "thought": True}),
        parts({"text": "a"}),
        parts({"text": "b", "thoughtSignature": "eHg="}),
        parts({"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "eXk="}),
        parts({"functionCall": {"name": "f", "args": {}}}, finishReason="STOP"),
    ]
    assert messages(chunks, ["one", {"n": 2}]) == [
        model(
            {"text": "Hm", "thought": True},
            {"text": "ab", "thoughtSignature": "eHg="},
            {**function_call("f", {"a": 1}), "thoughtSignature": "eXk="},
            function_call("f", {}),
        ),
        user(response("f", {"output": "one"}), response("f", {"output": {"n": 2}})),
    ]


def test_signatures_without_text() -> None:
    chunks = [
        parts({"text": "Hm", "thought": True}, {"text": "", "thoughtSignature": "eHg="}),
        parts({"thought": True, "thoughtSignature": "eXk="}, finishReason="STOP"),
    ]
    assert messages(chunks) == [
        model(
            {"text": "Hm", "thought": True},
            {"text": "", "thoughtSignature": "eHg="},
            {"text": "", "thought": True, "thoughtSignature": "eXk="},
        )
    ]


def test_ids_and_errors() -> None:
    chunks = [
        parts({"functionCall": {"id": "c1", "name": "f"}}, {"functionCall": {"id": "c2", "name": "write_file"}}),
        parts(finishReason="STOP"),
    ]
    why = "The call was not run: path is missing."
    assert messages(chunks, {"c1": ToolResult(["no"], is_error=True)}) == [
        model(function_call("f", {}, id="c1"), function_call("write_file", {}, id="c2")),
        user(
            response("f", {"error": ["no"]}, id="c1"),
            response("write_file", {"error": why}, id="c2"),
        ),
    ]


def test_arguments_that_were_streamed() -> None:
    def grown(**fields: Any) -> dict[str, Any]:
        return parts({"functionCall": fields})

    chunks = [
        grown(name="f", willContinue=True),
        grown(partialArgs=[{"jsonPath": "$.a", "stringValue": "x"}], willContinue=True),
        grown(partialArgs=[{"jsonPath": "$.b", "numberValue": 2}], willContinue=True),
        parts({"functionCall": {}}, finishReason="STOP"),
    ]
    assert messages(chunks, ["ok"])[0] == model(function_call("f", {"a": "x", "b": 2}))


def test_what_google_ran() -> None:
    ran = [
        {"executableCode": {"code": "print(1)\n", "language": "PYTHON", "id": "e1"}, "thoughtSignature": "eHg="},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n", "id": "e1"}},
        {"executableCode": {"code": "1", "language": "PYTHON"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK"}},
        {"toolCall": {"toolType": "URL_CONTEXT", "args": {"urls": ["http://a"]}, "id": "s1"}},
        {"toolResponse": {"toolType": "URL_CONTEXT", "response": {"n": 1}, "id": "s1"}, "thoughtSignature": "eXk="},
    ]
    assert messages([*map(parts, ran), parts({"text": "Hi"}, finishReason="STOP")]) == [model(*ran, {"text": "Hi"})]


def test_files() -> None:
    files = [
        {"inlineData": {"mimeType": "image/png", "data": "eHg="}, "thought": True},
        {"inlineData": {"mimeType": "image/png", "data": "eXk="}, "thoughtSignature": "eHg="},
        {"fileData": {"mimeType": "image/png", "displayName": "a.png", "fileUri": "gs://a"}},
    ]
    assert messages([*map(parts, files), parts(finishReason="STOP")]) == [model(*files)]


def test_calls_of_a_text_format() -> None:
    written = '<think>Hm</think>Look.<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    assert messages(written, ["ok"], "hermes") == [
        model({"text": "Hm", "thought": True}, {"text": "Look."}, function_call("f", {"a": 1})),
        user(response("f", {"output": "ok"})),
    ]


def test_calls_of_another_interface() -> None:
    signed = {"extra_content": {"google": {"thought_signature": "eHg="}}}
    chunks = [calls({**call(0, "c1", "f", '{"a":  1}'), **signed}), chat("tool_calls")]
    assert messages(chunks, ["ok"]) == [
        model({**function_call("f", {"a": 1}, id="c1"), "thoughtSignature": "eHg="}),
        user(response("f", {"output": "ok"}, id="c1")),
    ]


OTHERS: dict[str, list[Any]] = {
    "a refusal": [chat(refusal="Hi"), chat("stop")],
    "anthropic": [
        *(block(0, type="redacted_thinking", data="r"), stop(0)),
        block(1, type="server_tool_use", id="s1", name="web_search", input={}),
        *(grow(1, "input_json_delta", partial_json="{}"), stop(1)),
        *(block(2, type="web_search_tool_result", tool_use_id="s1", content=[]), stop(2)),
        *(block(3, type="container_upload", file_id="file_1"), stop(3)),
        *(block(4, type="text", text="Hi"), stop(4), message_delta("end_turn")),
    ],
    "interactions": [
        *(step_start(0, type="code_execution_call", id="s1", arguments={"code": "1"}), step_stop(0)),
        *(step_start(1, type="code_execution_result", call_id="s1", result="1"), step_stop(1)),
        step_start(2, type="model_output"),
        step_delta(2, type="text", text="Hi"),
    ],
    "a file of no type": [chat(images=[{"image_url": {"url": "http://a"}}]), chat(content="Hi"), chat("stop")],
    "a file that is nowhere": [parts({"fileData": {"mimeType": "image/png"}}), parts({"text": "Hi"})],
}


@pytest.mark.parametrize("chunks", OTHERS.values(), ids=OTHERS)
def test_what_belongs_to_another_interface_is_left_out(chunks: list[Any]) -> None:
    assert messages(chunks) == [model({"text": "Hi"})]


def test_what_was_cut_off() -> None:
    code = parts({"text": "a"}, {"executableCode": {"code": "x" * 50, "language": "PYTHON"}})
    reply = Reply([code], config=ParserConfig(limits=Limits(max_total=20)))
    with pytest.raises(LimitError):
        list(reply)
    assert reply.messages("google") == [model({"text": "a"})]
