"""The messages of Bedrock Converse: exactly, and of the shape that boto3 wants."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen

from streamparse import LimitError, ParserConfig, Reply, ToolResult
from streamparse.config import Limits
from tests.providers.cases import block, block_delta, block_start, block_stop, call, calls, chat, message_delta, stop


@frozen
class OneOf:
    """A dict with exactly one of these members."""

    members: dict[str, Any]


IMAGE = {"format": {"png", "jpeg", "gif", "webp"}, "source": OneOf({"bytes": bytes})}
TOLD = OneOf({"text": str, "json": dict, "image": IMAGE})
#: The shapes of Converse, as far as messages that are built have them; what ends in "?" may be missing.
MESSAGE = {
    "role": {"user", "assistant"},
    "content": [
        OneOf(
            {
                "text": str,
                "image": IMAGE,
                "reasoningContent": OneOf(
                    {"reasoningText": {"text": str, "signature?": str}, "redactedContent": bytes}
                ),
                "toolUse": {"toolUseId": str, "name": str, "input": dict, "type?": {"server_tool_use"}},
                "toolResult": {"toolUseId": str, "content": [TOLD], "status?": {"success", "error"}, "type?": str},
            }
        )
    ],
}


def fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape: a type, a set of values, a list of a shape, a dict of shapes, or `OneOf` them."""
    match shape:
        case type():
            return isinstance(value, shape)
        case set():
            return value in shape
        case [inner]:
            return isinstance(value, list) and all(fits(item, inner) for item in value)
        case OneOf(members):
            return len(value) == 1 and all(fits(held, members.get(name, ())) for name, held in value.items())
        case dict():
            named = {name.removesuffix("?"): inner for name, inner in shape.items()}
            required = {name for name in shape if not name.endswith("?")}
            return required <= value.keys() <= named.keys() and all(fits(value[name], named[name]) for name in value)
    return False


def test_shapes_are_looked_at() -> None:
    content = {"reasoningContent": {"redactedContent": b"x"}}
    assert fits({"role": "user", "content": [content]}, MESSAGE)
    assert not fits({"role": "user", "content": [{"reasoningContent": {"redactedContent": "eA=="}}]}, MESSAGE)
    assert not fits({"role": "user", "content": [{**content, "text": ""}]}, MESSAGE)
    assert not fits({"role": "user", "content": [{"thinking": ""}]}, MESSAGE)
    assert not fits({"role": "user", "content": [content], "id": "m"}, MESSAGE)
    assert not fits({"role": "user"}, MESSAGE)


def messages(stream: Any, results: Any = (), form: str | None = None) -> list[dict[str, Any]]:
    reply = Reply(stream, form)
    list(reply)
    built = reply.messages("bedrock", results)
    assert fits(built, [MESSAGE])
    return built


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def use(call_id: str, name: str, **given: Any) -> dict[str, Any]:
    return {"toolUse": {"toolUseId": call_id, "name": name, "input": given}}


def answer(call_id: str, *content: dict[str, Any], status: str = "success") -> dict[str, Any]:
    return {"toolResult": {"toolUseId": call_id, "content": list(content), "status": status}}


def ended(reason: str) -> dict[str, Any]:
    return {"messageStop": {"stopReason": reason}}


def called(index: int, call_id: str, name: str, given: str) -> list[dict[str, Any]]:
    begun = block_start(index, toolUse={"toolUseId": call_id, "name": name})
    return [begun, block_delta(index, toolUse={"input": given}), block_stop(index)]


def test_text_alone() -> None:
    chunks = [block_delta(0, text="Hi"), block_delta(0, text="."), block_stop(0), ended("end_turn")]
    assert messages(chunks) == [assistant({"text": "Hi."})]
    assert messages([block_delta(0, text=" \n"), block_stop(0), ended("end_turn")]) == []


def test_reasoning_calls_and_results() -> None:
    chunks = [
        *(block_delta(0, reasoningContent={"text": "Hm"}), block_delta(0, reasoningContent={"signature": "x"})),
        *(block_stop(0), block_delta(1, reasoningContent={"redactedContent": b"xx"}), block_stop(1)),
        *(block_delta(2, reasoningContent={"text": "left out"}), block_stop(2)),
        *(block_delta(3, text="Look."), block_stop(3)),
        *(*called(4, "t1", "f", '{"a":  1}'), *called(5, "t2", "f", '{"a": 2.5}'), *called(6, "t3", "g", "{}")),
        *(*called(7, "t4", "g", "{}"), *called(8, "t5", "g", "{}"), ended("tool_use")),
    ]
    results = ["one", {"n": 2}, ToolResult("no", is_error=True), [1], ""]
    assert messages(chunks, results) == [
        assistant(
            {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "x"}}},
            {"reasoningContent": {"redactedContent": b"xx"}},
            {"text": "Look."},
            *(use("t1", "f", a=1), use("t2", "f", a=2.5), use("t3", "g"), use("t4", "g"), use("t5", "g")),
        ),
        user(
            answer("t1", {"text": "one"}),
            answer("t2", {"json": {"n": 2}}),
            answer("t3", {"text": "no"}, status="error"),
            answer("t4", {"text": "[1]"}),
            answer("t5"),
        ),
    ]


def test_what_the_provider_ran_and_images() -> None:
    ran = {"toolUseId": "s1", "name": "search", "type": "server_tool_use"}
    found = {"toolUseId": "s1", "type": "search_result", "status": "success"}
    chunks = [
        *(block_start(0, toolUse=ran), block_delta(0, toolUse={"input": '{"q": 1}'}), block_stop(0)),
        *(block_start(1, toolResult=found), block_delta(1, toolResult=[{"json": {"a": "é"}}]), block_stop(1)),
        *(block_start(2, image={"format": "png"}), block_delta(2, image={"source": {"bytes": b"xx"}}), block_stop(2)),
        *(block_delta(3, image={"source": {"bytes": b"xx"}}), block_stop(3), ended("end_turn")),
    ]
    assert messages(chunks) == [
        assistant(
            {"toolUse": {**ran, "input": {"q": 1}}},
            {"toolResult": {**found, "content": [{"json": {"a": "é"}}]}},
            {"image": {"format": "png", "source": {"bytes": b"xx"}}},
        )
    ]


def test_a_reply_that_was_cut_off() -> None:
    ran = {"toolUseId": "s1", "name": "search", "type": "server_tool_use"}
    chunks = [block_delta(0, text="a"), block_stop(0), block_start(1, toolUse=ran)]
    chunks += [block_delta(1, toolUse={"input": '{"q": '}), block_stop(1), ended("max_tokens")]
    assert messages(chunks) == [assistant({"text": "a"})]
    chunks = [block_delta(0, text="a"), block_delta(1, toolResult=[{"text": "b" * 50}]), block_stop(1)]
    reply = Reply(chunks, config=ParserConfig(limits=Limits(max_total=20)))
    with pytest.raises(LimitError):
        list(reply)
    assert reply.messages("bedrock") == [assistant({"text": "a"})]


def test_bytes_that_are_no_base64_are_left_out() -> None:
    chunks = [
        *(block_delta(0, reasoningContent={"redactedContent": "x"}), block_stop(0)),
        *(block_delta(1, text="a"), block_stop(1), ended("end_turn")),
    ]
    assert messages(chunks) == [assistant({"text": "a"})]


def test_calls_of_a_text_format_and_of_another_interface() -> None:
    written = '<think>Hm</think>Look.<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    assert messages(written, ["ok"], "hermes") == [
        assistant({"text": "Look."}, use("call_1", "f", a=1)),
        user(answer("call_1", {"text": "ok"})),
    ]
    chunks = [calls(call(0, "c" * 65, "f", "{}")), chat("tool_calls")]
    assert messages(chunks, ["ok"]) == [assistant(use("call_1", "f")), user(answer("call_1", {"text": "ok"}))]


OTHERS: dict[str, list[Any]] = {
    "a refusal": [chat(refusal="Hi"), chat("stop")],
    "anthropic": [
        *(block(0, type="compaction", content="c", signature="x"), stop(0)),
        *(block(1, type="server_tool_use", id="s1", name="web_search", input={}), stop(1)),
        *(block(2, type="web_search_tool_result", tool_use_id="s1", content=[]), stop(2)),
        *(block(3, type="text", text="Hi"), stop(3), message_delta("end_turn")),
    ],
}


@pytest.mark.parametrize("chunks", OTHERS.values(), ids=OTHERS)
def test_what_belongs_to_another_interface_is_left_out(chunks: list[Any]) -> None:
    assert messages(chunks) == [assistant({"text": "Hi"})]
