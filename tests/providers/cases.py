"""Streams of every provider as plain data, and exactly what each of their chunks says."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from streamparse.providers import (
    BlockEnd,
    CallDelta,
    CallEnd,
    Delta,
    File,
    Finish,
    OtherChoice,
    ProviderError,
    ReasoningDelta,
    RefusalDelta,
    ServerResult,
    Source,
    TextDelta,
)

Stream = list[tuple[Any, list[Delta]]]

#: Fields that are objects on the wire and stay dicts in every SDK.
_DATA = ("arguments", "args", "input", "additional_kwargs", "response_metadata", "args_delta")


def as_object(value: Any) -> Any:
    """The dict `value` as an SDK would give it: attributes all the way down."""
    if isinstance(value, dict):
        return SimpleNamespace(**{k: v if k in _DATA else as_object(v) for k, v in value.items()})
    return [as_object(item) for item in value] if isinstance(value, list) else value


def chat(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def calls(*tool_calls: dict[str, Any]) -> dict[str, Any]:
    return chat(tool_calls=list(tool_calls))


def call(index: int | None = None, call_id: Any = None, name: Any = None, arguments: Any = None) -> dict[str, Any]:
    return {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


SIGNED = {"google": {"thought_signature": "eHg="}}

OPENAI_CHAT: dict[str, Stream] = {
    "text, reasoning, call, usage": [
        (chat(role="assistant", content=""), []),
        (chat(content="Hi"), [TextDelta("Hi")]),
        (chat(reasoning_content="Hm", content=None), [ReasoningDelta("Hm")]),
        (chat(refusal="No."), [RefusalDelta("No.")]),
        (calls(call(0, "c1", "f", "")), [CallDelta("c1", "c1", "f")]),
        (calls(call(0, arguments='{"a"')), [CallDelta("c1", arguments='{"a"')]),
        (calls(call(0, arguments=": 1}")), [CallDelta("c1", arguments=": 1}")]),
        (chat("tool_calls"), [Finish("tool_calls")]),
        ({"object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 3}}, []),
    ],
    "reasoning under each of its names, once": [
        (chat(reasoning="a"), [ReasoningDelta("a")]),
        (chat(reasoning="a", reasoning_content="a"), [ReasoningDelta("a")]),
        (
            chat(reasoning_details=[{"type": "reasoning.text", "text": "b"}, {"type": "x", "summary": "c"}]),
            [ReasoningDelta("bc")],
        ),
        (
            chat(reasoning="a", reasoning_details=[{"text": "a"}], content="t"),
            [
                ReasoningDelta("a"),
                BlockEnd(
                    {
                        "reasoning_details": [
                            {"type": "reasoning.text", "text": "b"},
                            {"type": "x", "summary": "c"},
                            {"text": "a"},
                        ]
                    },
                    "reasoning",
                ),
                TextDelta("t"),
            ],
        ),
        (chat(reasoning_content=None, reasoning=None, reasoning_details=None), []),
    ],
    "no index: a new id is a new call": [
        (calls(call(None, "c1", "f", '{"a":')), [CallDelta("c1", "c1", "f", '{"a":')]),
        (calls(call(None, None, None, "1}")), [CallDelta("c1", arguments="1}")]),
        (calls(call(None, "c2", "f", "{}")), [CallDelta("c2", "c2", "f", "{}")]),
    ],
    "index always 0: a new id is a new call": [
        (
            calls(call(0, "c1", "f", "{}"), call(0, "c2", "g", "{")),
            [
                CallDelta("c1", "c1", "f", "{}"),
                CallDelta("c2", "c2", "g", "{"),
            ],
        ),
        (calls(call(0, arguments="}")), [CallDelta("c2", arguments="}")]),
    ],
    "one id under several indexes is one call": [
        (calls(call(0, "c1", "f", "{")), [CallDelta("c1", "c1", "f", "{")]),
        (calls(call(1, "c1", None, '"a"')), [CallDelta("c1", arguments='"a"')]),
        (calls(call(1, None, None, ": 1}")), [CallDelta("c1", arguments=": 1}")]),
    ],
    "what is repeated says nothing": [
        (calls(call(0, "c1", "f", "{")), [CallDelta("c1", "c1", "f", "{")]),
        (calls(call(0, "c1", "f", "}")), [CallDelta("c1", arguments="}")]),
        (calls(call(0, "c1", "f", "")), []),
        (calls(call(0, "", "", None)), []),
    ],
    "parallel calls interleave by index": [
        (
            calls(call(0, "c1", "f", "{"), call(1, "c2", "g", "{")),
            [
                CallDelta("c1", "c1", "f", "{"),
                CallDelta("c2", "c2", "g", "{"),
            ],
        ),
        (
            calls(call(1, arguments="}"), call(0, arguments="}")),
            [
                CallDelta("c2", arguments="}"),
                CallDelta("c1", arguments="}"),
            ],
        ),
    ],
    "no id and no index: a name behind complete arguments is a new call": [
        (calls(call(None, None, "f", '{"a": "}\\')), [CallDelta("call", None, "f", '{"a": "}\\')]),
        (calls(call(None, None, "f", '""}')), [CallDelta("call", arguments='""}')]),
        (calls(call(None, None, "f", "{}")), [CallDelta("call#2", None, "f", "{}")]),
        (calls(call(None, None, "g", "{}")), [CallDelta("call#3", None, "g", "{}")]),
    ],
    "an index without ids": [
        (
            calls(call(0, None, "f", "{}"), call(1, None, "f", "{")),
            [
                CallDelta("0", None, "f", "{}"),
                CallDelta("1", None, "f", "{"),
            ],
        ),
        (calls(call(1, None, "", "}")), [CallDelta("1", arguments="}")]),
        (calls(call(0, None, "g", "{}")), [CallDelta("0#2", None, "g", "{}")]),
    ],
    "id and name come late, the name in pieces": [
        (calls(call(0, None, None, "")), []),
        (calls(call(0, None, "get_", "")), [CallDelta("0", None, "get_")]),
        (calls(call(0, None, "time", "")), [CallDelta("0", None, "time")]),
        (calls(call(0, "c1", None, "{}")), [CallDelta("0", "c1", None, "{}")]),
        (calls(call(0, "c1", "get_time", "")), []),
    ],
    "arguments before the name": [
        (calls(call(0, "c1", None, "{")), [CallDelta("c1", "c1", None, "{")]),
        (calls(call(0, None, "f", "}")), [CallDelta("c1", None, "f", "}")]),
    ],
    "whole arguments end the call": [
        (
            calls(call(0, "null", "f", {"a": 1})),
            [CallDelta("0", None, "f", whole={"a": 1}, is_named=True), CallEnd("0")],
        ),
        (calls(call(0, "null", "f", {})), [CallDelta("0#2", None, "f", whole={}, is_named=True), CallEnd("0#2")]),
    ],
    "arguments that are no object": [(calls(call(0, "c1", "f", [1])), [CallDelta("c1", "c1", "f", "[1]")])],
    "the ids of the next reply begin again": [
        (calls(call(0, "c1", "f", "{}")), [CallDelta("c1", "c1", "f", "{}")]),
        (chat("stop"), [Finish("stop")]),
        (calls(call(0, "c1", "f", "{}")), [CallDelta("c1#2", "c1", "f", "{}")]),
    ],
    "a custom tool": [
        (
            calls({"index": 0, "id": "c1", "type": "custom", "custom": {"name": "sh", "input": "ls"}}),
            [CallDelta("c1", "c1", "sh", "ls", raw=True, state={"type": "custom"})],
        ),
        (calls({"index": 0, "custom": {"input": " -l"}}), [CallDelta("c1", arguments=" -l", raw=True)]),
    ],
    "Gemini's signature comes once, with the call or behind it": [
        (
            calls({**call(0, "c1", "f", "{"), "extra_content": SIGNED}),
            [CallDelta("c1", "c1", "f", "{", state={"thought_signature": "eHg="})],
        ),
        (calls({**call(0, None, None, "}"), "extra_content": SIGNED}), [CallDelta("c1", arguments="}")]),
        (calls(call(0, "c2", "g", "{}")), [CallDelta("c2", "c2", "g", "{}")]),
        (calls({"index": 0, "extra_content": SIGNED}), [CallDelta("c2", state={"thought_signature": "eHg="})]),
        (calls({"index": 0, "extra_content": SIGNED}), []),
        (calls({**call(0, None, None, ""), "extra_content": {"google": None}}), []),
    ],
    "the old function_call": [
        (chat(function_call={"name": "f", "arguments": "{"}), [CallDelta("call", None, "f", "{")]),
        (chat(function_call={"arguments": "}"}), [CallDelta("call", arguments="}")]),
        (chat("function_call"), [Finish("tool_calls")]),
    ],
    "finish reasons": [
        (chat("length"), [Finish("length")]),
        (chat("content_filter"), [Finish("content_filter")]),
        (chat(""), []),
    ],
    "errors": [
        (
            {**chat("error", content=""), "error": {"code": 502, "message": "gone"}},
            [ProviderError("gone")],
        ),
        ({"choices": [], "error": {"message": "gone"}}, [ProviderError("gone")]),
        ({**chat(content="Hi"), "error": {"message": "gone"}}, [TextDelta("Hi"), ProviderError("gone")]),
        ({**chat(content="Hi"), "error": None}, [TextDelta("Hi")]),
        ({"error": {"message": "bad key", "type": "auth"}}, [ProviderError("bad key")]),
        ({"error": "model not found"}, [ProviderError("model not found")]),
    ],
    "other choices, empty ones, whole messages, plain completions": [
        ({"choices": [{"index": 1, "delta": {"content": "other"}}]}, [OtherChoice(1)]),
        ({"choices": None, "id": "r-1", "object": "chat.completion.chunk"}, []),
        ({"choices": [None, {}, {"delta": None}]}, []),
        (
            {"choices": [{"message": {"content": "Hi", "tool_calls": [call(None, "c1", "f", "{}")]}}]},
            [
                TextDelta("Hi"),
                CallDelta("c1", "c1", "f", "{}"),
            ],
        ),
        ({"choices": [{"text": "Hi", "index": 0}]}, [TextDelta("Hi")]),
    ],
    "reasoning that must go back, in pieces": [
        (
            chat(reasoning="H", reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "H"}]),
            [ReasoningDelta("H")],
        ),
        (
            chat(reasoning_details=[{"type": "reasoning.text", "index": 0, "text": "m", "signature": "s"}]),
            [ReasoningDelta("m")],
        ),
        (
            chat(content="Hi"),
            [
                BlockEnd(
                    {
                        "reasoning_details": [
                            {"type": "reasoning.text", "index": 0, "text": "Hm", "signature": "s"},
                        ]
                    },
                    "reasoning",
                ),
                TextDelta("Hi"),
            ],
        ),
        (chat(reasoning_details=[{"type": "reasoning.encrypted", "index": 1, "data": "x"}, None]), []),
        (
            calls(call(0, "c1", "f", "{}")),
            [
                BlockEnd(
                    {"reasoning_details": [{"type": "reasoning.encrypted", "index": 1, "data": "x"}]}, "reasoning"
                ),
                CallDelta("c1", "c1", "f", "{}"),
            ],
        ),
        (chat(reasoning_details=[{"type": "reasoning.encrypted", "index": 2, "data": "y"}]), []),
        (
            chat("stop"),
            [
                BlockEnd(
                    {"reasoning_details": [{"type": "reasoning.encrypted", "index": 2, "data": "y"}]}, "reasoning"
                ),
                Finish("stop"),
            ],
        ),
    ],
    "sources": [
        (
            chat(
                content="Hi",
                annotations=[
                    {"type": "url_citation", "url_citation": {"url": "http://a", "title": "A"}},
                    {"type": "url_citation", "url": "http://b"},
                    {},
                ],
            ),
            [TextDelta("Hi"), Source({"url": "http://a", "title": "A"}), Source({"url": "http://b"})],
        ),
        ({**chat(), "citations": ["http://c"]}, [Source({"url": "http://c"})]),
        ({**chat(), "citations": ["http://c"]}, []),
    ],
    "sources with titles": [
        (
            {**chat("stop"), "citations": ["http://c"], "search_results": [{"url": "http://c", "title": "C"}, 1]},
            [Source({"url": "http://c", "title": "C"}), Finish("stop")],
        )
    ],
    "images": [
        (
            chat(
                images=[
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                    {"type": "image_url", "image_url": {"url": "data:,x"}},
                    {"type": "image_url", "image_url": {"url": "http://a/b.png"}},
                    {"type": "image_url"},
                ]
            ),
            [File({"media_type": "image/png"}, "AAAA"), File({}, "x"), File({"url": "http://a/b.png"})],
        )
    ],
    "tools that the server ran": [
        (
            chat(executed_tools=[{"index": 0, "type": "search", "arguments": '{"q": "a"}'}]),
            [
                CallDelta("executed:0", None, "search", '{"q": "a"}', is_named=True, is_server=True),
                CallEnd("executed:0"),
            ],
        ),
        (
            chat(executed_tools=[{"index": 0, "type": "search", "arguments": '{"q": "a"}', "output": "found"}]),
            [ServerResult("found", "search")],
        ),
        (
            calls(call(1, "srvtoolu_1", "web_search", '{"q": "a"}')),
            [CallDelta("srvtoolu_1", "srvtoolu_1", "web_search", '{"q": "a"}', is_server=True)],
        ),
    ],
}

MISTRAL: dict[str, Stream] = {
    "an envelope, content in parts": [
        ({"data": chat(content="Hi")}, [TextDelta("Hi")]),
        (
            {
                "data": chat(
                    content=[
                        {
                            "type": "thinking",
                            "thinking": [{"type": "text", "text": "H"}, {"type": "text", "text": "m"}],
                        },
                        {"type": "text", "text": "Hi"},
                        {"type": "reference", "reference_ids": [1]},
                    ]
                )
            },
            [ReasoningDelta("Hm"), TextDelta("Hi")],
        ),
        (
            {"data": calls(call(0, "c1", "f", "{}"), call(0, "c2", "f", {"a": 1}))},
            [
                CallDelta("c1", "c1", "f", "{}"),
                CallDelta("c2", "c2", "f", whole={"a": 1}, is_named=True),
                CallEnd("c2"),
            ],
        ),
        ({"data": chat("tool_calls", content="")}, [Finish("tool_calls")]),
    ],
}


def response(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}", "sequence_number": 1, **fields}


def item(kind: str = "function_call", **fields: Any) -> dict[str, Any]:
    return {"type": kind, "id": "i1", "call_id": "c1", "name": "f", **fields}


OPENAI_RESPONSES: dict[str, Stream] = {
    "text, reasoning, call": [
        (response("created", response={"id": "r"}), []),
        (response("reasoning_summary_text.delta", delta="H"), [ReasoningDelta("H")]),
        (response("reasoning_text.delta", delta="m"), [ReasoningDelta("m")]),
        (response("output_item.added", item={"type": "message", "id": "m"}), []),
        (response("output_text.delta", delta="Hi"), [TextDelta("Hi")]),
        (response("output_text.done", text="Hi"), []),
        (response("refusal.delta", delta="No"), [TextDelta("No")]),
        (response("output_item.added", item=item(arguments="")), [CallDelta("i1", "c1", "f", is_named=True)]),
        (response("function_call_arguments.delta", item_id="i1", delta="{"), [CallDelta("i1", arguments="{")]),
        (response("function_call_arguments.delta", item_id="i1", delta="}"), [CallDelta("i1", arguments="}")]),
        (response("function_call_arguments.done", item_id="i1", arguments="{}"), [CallEnd("i1")]),
        (response("output_item.done", item=item(arguments="{}", status="completed")), []),
        (response("completed", response={"status": "completed"}), [Finish("stop")]),
    ],
    "arguments at the end only": [
        (response("output_item.added", item=item(arguments="")), [CallDelta("i1", "c1", "f", is_named=True)]),
        (response("output_item.done", item=item(arguments="{}")), [CallDelta("i1", arguments="{}"), CallEnd("i1")]),
    ],
    "the whole item at the end only": [
        (
            response("output_item.done", item=item(arguments="{}")),
            [
                CallDelta("i1", "c1", "f", is_named=True),
                CallDelta("i1", arguments="{}"),
                CallEnd("i1"),
            ],
        ),
    ],
    "a custom tool": [
        (
            response("output_item.added", item=item("custom_tool_call", input="")),
            [
                CallDelta("i1", "c1", "f", raw=True, is_named=True),
            ],
        ),
        (
            response("custom_tool_call_input.delta", item_id="i1", delta="ls"),
            [
                CallDelta("i1", arguments="ls", raw=True),
            ],
        ),
        (response("custom_tool_call_input.done", item_id="i1", input="ls"), []),
        (response("output_item.done", item=item("custom_tool_call", input="ls", status="completed")), [CallEnd("i1")]),
    ],
    "a custom tool that is cut": [
        (
            response("output_item.added", item=item("custom_tool_call", input="")),
            [CallDelta("i1", "c1", "f", raw=True, is_named=True)],
        ),
        (
            response("custom_tool_call_input.done", item_id="i1", input="rm"),
            [CallDelta("i1", arguments="rm", raw=True)],
        ),
        (response("output_item.done", item=item("custom_tool_call", input="rm", status="incomplete")), []),
    ],
    "pieces that were lost are in the whole": [
        (response("output_item.added", item=item(arguments="")), [CallDelta("i1", "c1", "f", is_named=True)]),
        (response("function_call_arguments.delta", item_id="i1", delta='{"a'), [CallDelta("i1", arguments='{"a')]),
        (
            response("function_call_arguments.done", item_id="i1", arguments='{"a":1}'),
            [CallDelta("i1", arguments='":1}'), CallEnd("i1")],
        ),
    ],
    "ids that change are one call if its place does not": [
        (
            response("output_item.added", output_index=0, item=item(arguments="")),
            [CallDelta("i1", "c1", "f", is_named=True)],
        ),
        (
            response("function_call_arguments.delta", output_index=0, item_id="x", delta="{}"),
            [CallDelta("i1", arguments="{}")],
        ),
        (
            response("output_item.done", output_index=0, item={**item(arguments="{}"), "id": "y"}),
            [CallEnd("i1")],
        ),
    ],
    "cut before any argument: the call is not ended": [
        (response("output_item.added", item=item(arguments="")), [CallDelta("i1", "c1", "f", is_named=True)]),
        (response("function_call_arguments.done", item_id="i1", arguments=""), []),
        (response("output_item.done", item=item(arguments="", status="incomplete")), []),
        (response("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}}), [Finish("length")]),
    ],
    "the provider's own calls, unknown events, strays": [
        (response("output_item.added", item={"type": "web_search_call", "id": "w"}), []),
        (response("mcp_call_arguments.delta", item_id="w", delta="{}"), []),
        (response("output_item.done", item={"type": "web_search_call", "id": "w"}), []),
        (response("function_call_arguments.delta", item_id="nobody", delta="{}"), []),
        (response("some_future.delta", delta="x"), []),
    ],
    "ends": [
        (response("incomplete", response={}), [Finish("incomplete")]),
        (response("failed", response={"error": {"message": "gone"}}), [ProviderError("gone")]),
        (response("failed", response=None), [ProviderError("the response failed")]),
        (response("cancelled"), [Finish("cancelled")]),
        ({"type": "error", "message": "gone", "code": None}, [ProviderError("gone")]),
    ],
}


def block(index: int, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": fields}


def grow(index: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def message_delta(reason: str | None) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}}


TOOL_USE = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}

ANTHROPIC: dict[str, Stream] = {
    "raw events": [
        ({"type": "message_start", "message": {"id": "m", "content": []}}, []),
        ({"type": "ping"}, []),
        (block(0, type="thinking", thinking="", state={"thought_signature": ""}), []),
        (grow(0, "thinking_delta", thinking="Hm"), [ReasoningDelta("Hm")]),
        (grow(0, "signature_delta", state={"thought_signature": "x"}), []),
        (stop(0), []),
        (block(1, type="text", text=""), []),
        (grow(1, "text_delta", text="Hi"), [TextDelta("Hi")]),
        (stop(1), []),
        (block(2, **TOOL_USE), [CallDelta("t1", "t1", "f", is_named=True)]),
        (grow(2, "input_json_delta", partial_json=""), []),
        (grow(2, "input_json_delta", partial_json='{"a": 1}'), [CallDelta("t1", arguments='{"a": 1}')]),
        (stop(2), [CallEnd("t1")]),
        (stop(2), []),
        (message_delta("tool_use"), [Finish("tool_calls")]),
        ({"type": "message_stop"}, []),
    ],
    "the SDK's own events count nothing twice": [
        ({"type": "text", "text": "Hi", "snapshot": "Hi"}, []),
        ({"type": "input_json", "partial_json": "{}", "snapshot": {}}, []),
        ({"type": "thinking", "thinking": "Hm", "snapshot": "Hm"}, []),
        ({"type": "citation", "citation": None}, []),
        ({"type": "signature", "signature": "x"}, []),
    ],
    "no arguments, and something follows": [
        (block(0, **TOOL_USE), [CallDelta("t1", "t1", "f", is_named=True)]),
        (stop(0), []),
        (block(1, type="text", text="Hi"), [CallDelta("t1", whole={}), CallEnd("t1"), TextDelta("Hi")]),
    ],
    "no arguments at the end": [
        (block(0, **TOOL_USE), [CallDelta("t1", "t1", "f", is_named=True)]),
        (stop(0), []),
        (message_delta("tool_use"), [CallDelta("t1", whole={}), CallEnd("t1"), Finish("tool_calls")]),
    ],
    "cut before any argument: the call is not ended": [
        (block(0, **TOOL_USE), [CallDelta("t1", "t1", "f", is_named=True)]),
        (stop(0), []),
        (message_delta("max_tokens"), [Finish("length")]),
    ],
    "all arguments at the start": [
        (block(0, **{**TOOL_USE, "input": {"a": 1}}), [CallDelta("t1", "t1", "f", is_named=True)]),
        (stop(0), [CallDelta("t1", whole={"a": 1}), CallEnd("t1")]),
    ],
    "the provider's own calls": [
        (block(0, type="server_tool_use", id="s", name="web_search", input={}), []),
        (grow(0, "input_json_delta", partial_json="{}"), []),
        (stop(0), []),
        (block(1, type="web_search_tool_result", content=[]), []),
    ],
    "two messages, one stream": [
        (block(0, **TOOL_USE), [CallDelta("t1", "t1", "f", is_named=True)]),
        (message_delta("tool_use"), [Finish("tool_calls")]),
        (block(0, **TOOL_USE), [CallDelta("t1#2", "t1", "f", is_named=True)]),
        (grow(0, "input_json_delta", partial_json="{}"), [CallDelta("t1#2", arguments="{}")]),
    ],
    "ends": [
        (message_delta("end_turn"), [Finish("stop")]),
        (message_delta("stop_sequence"), [Finish("stop")]),
        (message_delta("model_context_window_exceeded"), [Finish("length")]),
        (message_delta("refusal"), [Finish("refusal")]),
        (message_delta(None), []),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, [ProviderError("busy")]),
        ({"type": "error", "error": {"type": "overloaded_error"}}, [ProviderError("overloaded_error")]),
        ({"type": "error"}, [ProviderError("the provider reported an error")]),
    ],
}


def parts(*parts: dict[str, Any], **candidate: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": list(parts)}, **candidate}]}


GOOGLE: dict[str, Stream] = {
    "the SDK's names": [
        (
            parts({"text": "Hm", "thought": True}, {"text": "Hi", "thought": None}),
            [
                ReasoningDelta("Hm"),
                TextDelta("Hi"),
            ],
        ),
        (
            parts({"function_call": {"id": None, "name": "f", "args": {"a": 1}}}),
            [
                CallDelta("call", None, "f", whole={"a": 1}, is_named=True),
                CallEnd("call"),
            ],
        ),
        (
            parts({"function_call": {"id": "c", "name": "f", "args": None}}, finish_reason="STOP"),
            [
                CallDelta("c", "c", "f", whole={}, is_named=True),
                CallEnd("c"),
                Finish("stop"),
            ],
        ),
        (parts({"text": None}, {"inline_data": {}}, finish_reason="MALFORMED_FUNCTION_CALL"), [Finish("error")]),
        ({"candidates": None, "usage_metadata": {}}, []),
        ({"candidates": [{"content": None, "finish_reason": None}]}, []),
        ({"candidates": [{"content": {"parts": None}, "finish_reason": "FINISH_REASON_UNSPECIFIED"}]}, []),
        ({"candidates": None, "prompt_feedback": {"block_reason": "SAFETY"}}, [Finish("safety")]),
    ],
    "the wire's names": [
        (
            parts({"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "eHg="}, finishReason="MAX_TOKENS"),
            [
                CallDelta("call", None, "f", whole={}, is_named=True, state={"thought_signature": "eHg="}),
                CallEnd("call"),
                Finish("length"),
            ],
        ),
    ],
    "signatures": [
        (
            parts(
                {"function_call": {"name": "f", "args": {}}, "thought_signature": b"xx"},
                {"function_call": {"name": "g", "args": {}}, "thought_signature": None},
            ),
            [
                CallDelta("call", None, "f", whole={}, is_named=True, state={"thought_signature": "eHg="}),
                CallEnd("call"),
                CallDelta("call#2", None, "g", whole={}, is_named=True),
                CallEnd("call#2"),
            ],
        ),
        (
            parts({"function_call": {"name": "f", "will_continue": True}, "thought_signature": b"xx"}),
            [CallDelta("partial_args", None, "f", "{", is_named=True, state={"thought_signature": "eHg="})],
        ),
        (parts({"text": "Hi", "thought_signature": b"xx"}), [TextDelta("Hi")]),
    ],
    "streamed arguments": [
        (
            parts({"function_call": {"name": "f", "id": "c", "will_continue": True}}),
            [CallDelta("c", "c", "f", "{", is_named=True)],
        ),
        (
            parts(
                {
                    "function_call": {
                        "will_continue": True,
                        "partial_args": [
                            {"json_path": "$.city", "string_value": "New ", "will_continue": True},
                            {"json_path": "$.days[0].n", "number_value": 2.0},
                            {"json_path": "$.days[7].n", "number_value": 9.0},
                            {"json_path": "$['ok']", "bool_value": True},
                            {"json_path": "$.none", "null_value": "NULL_VALUE"},
                        ],
                    }
                }
            ),
            [],
        ),
        (
            parts(
                {
                    "function_call": {
                        "will_continue": True,
                        "partial_args": [
                            {"json_path": "$.city", "string_value": "York"},
                        ],
                    }
                }
            ),
            [],
        ),
        (
            parts({"function_call": {}}),
            [
                CallDelta("c", arguments='"city": "New York", "days": [{"n": 2}], "ok": true, "none": null}'),
                CallEnd("c"),
            ],
        ),
    ],
    "interactions": [
        ({"event_type": "interaction.created", "interaction": {"id": "x"}}, []),
        ({"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "Hi"}}, [TextDelta("Hi")]),
        (
            {"event_type": "step.delta", "index": 0, "delta": {"type": "thought_summary", "content": {"text": "Hm"}}},
            [ReasoningDelta("Hm")],
        ),
        (
            {"event_type": "step.start", "index": 1, "step": {"type": "function_call", "id": "c", "name": "f"}},
            [
                CallDelta("c", "c", "f", is_named=True),
            ],
        ),
        (
            {"event_type": "step.delta", "index": 1, "delta": {"type": "arguments_delta", "arguments": "{}"}},
            [
                CallDelta("c", arguments="{}"),
            ],
        ),
        ({"event_type": "step.stop", "index": 1}, [CallEnd("c")]),
        (
            {"event_type": "interaction.completed", "interaction": {"status": "requires_action"}},
            [
                Finish("tool_calls"),
            ],
        ),
        ({"event_type": "error", "error": {"message": "gone"}}, [ProviderError("gone")]),
    ],
}

OLLAMA: dict[str, Stream] = {
    "chat": [
        ({"message": {"role": "assistant", "content": "", "thinking": "Hm"}, "done": False}, [ReasoningDelta("Hm")]),
        ({"message": {"role": "assistant", "content": "Hi"}, "done": False}, [TextDelta("Hi")]),
        (
            {
                "message": {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {"function": {"name": "f", "arguments": {"a": 1}}},
                        {"function": {"name": "f", "arguments": {}}},
                    ],
                },
                "done": False,
            },
            [
                CallDelta("call", None, "f", whole={"a": 1}, is_named=True),
                CallEnd("call"),
                CallDelta("call#2", None, "f", whole={}, is_named=True),
                CallEnd("call#2"),
            ],
        ),
        ({"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "length"}, [Finish("length")]),
    ],
    "generate": [
        ({"response": "Hi", "thinking": None, "done": False}, [TextDelta("Hi")]),
        ({"response": "", "done": True, "done_reason": "stop"}, [Finish("stop")]),
    ],
}

BEDROCK: dict[str, Stream] = {
    "converse": [
        ({"messageStart": {"role": "assistant"}}, []),
        (
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "Hm"}}}},
            [
                ReasoningDelta("Hm"),
            ],
        ),
        ({"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "Hi"}}}, [TextDelta("Hi")]),
        ({"contentBlockStop": {"contentBlockIndex": 1}}, []),
        (
            {"contentBlockStart": {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "t", "name": "f"}}}},
            [CallDelta("t", "t", "f", is_named=True)],
        ),
        (
            {"contentBlockDelta": {"contentBlockIndex": 2, "delta": {"toolUse": {"input": "{}"}}}},
            [
                CallDelta("t", arguments="{}"),
            ],
        ),
        ({"contentBlockStop": {"contentBlockIndex": 2}}, [CallEnd("t")]),
        ({"messageStop": {"stopReason": "tool_use"}}, [Finish("tool_calls")]),
        ({"metadata": {"usage": {}}}, []),
        ({"throttlingException": {"message": "slow down"}}, [ProviderError("slow down")]),
    ],
}

LANGCHAIN: dict[str, Stream] = {
    "message chunks": [
        ({"content": "Hi", "tool_call_chunks": []}, [TextDelta("Hi")]),
        (
            {"content": "", "tool_call_chunks": [], "additional_kwargs": {"reasoning_content": "Hm"}},
            [
                ReasoningDelta("Hm"),
            ],
        ),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": "a"},
                    {"type": "reasoning", "reasoning": "b"},
                    {"type": "text", "text": "c", "index": 0},
                    "d",
                    {"type": "tool_use", "id": "t"},
                ],
                "tool_call_chunks": [],
            },
            [ReasoningDelta("a"), ReasoningDelta("b"), TextDelta("c"), TextDelta("d")],
        ),
        (
            {
                "content": "",
                "tool_call_chunks": [{"index": 0, "id": "c", "name": "f", "args": '{"a'}],
                "tool_calls": [{"name": "f", "args": {}, "id": "c"}],
            },
            [CallDelta("c", "c", "f", '{"a')],
        ),
        (
            {"content": "", "tool_call_chunks": [{"index": 0, "id": None, "name": None, "args": '": 1}'}]},
            [CallDelta("c", arguments='": 1}')],
        ),
        (
            {"content": "", "tool_call_chunks": [], "response_metadata": {"stop_reason": "max_tokens"}},
            [
                Finish("length"),
            ],
        ),
    ],
    "whole messages": [
        (
            {
                "type": "ai",
                "content": "Hi",
                "tool_calls": [{"name": "f", "args": {"a": 1}, "id": "c"}],
                "additional_kwargs": {},
                "response_metadata": {},
            },
            [TextDelta("Hi"), CallDelta("c", "c", "f", whole={"a": 1}, is_named=True), CallEnd("c")],
        ),
        ({"type": "tool", "content": "42", "additional_kwargs": {}, "response_metadata": {}}, []),
    ],
}

PYDANTIC_AI: dict[str, Stream] = {
    "parts": [
        ({"event_kind": "part_start", "index": 0, "part": {"part_kind": "text", "content": "H"}}, [TextDelta("H")]),
        (
            {"event_kind": "part_delta", "index": 0, "delta": {"part_delta_kind": "text", "content_delta": "i"}},
            [TextDelta("i")],
        ),
        ({"event_kind": "part_start", "index": 1, "part": {"part_kind": "thinking", "content": ""}}, []),
        (
            {"event_kind": "part_delta", "index": 1, "delta": {"part_delta_kind": "thinking", "content_delta": "Hm"}},
            [ReasoningDelta("Hm")],
        ),
        (
            {
                "event_kind": "part_start",
                "index": 2,
                "part": {"part_kind": "tool-call", "tool_name": "f", "args": None, "tool_call_id": "c"},
            },
            [CallDelta("c", "c", "f")],
        ),
        (
            {
                "event_kind": "part_delta",
                "index": 2,
                "delta": {
                    "part_delta_kind": "tool_call",
                    "tool_name_delta": "f",
                    "args_delta": "{}",
                    "tool_call_id": "c",
                },
            },
            [CallDelta("c", name="f"), CallDelta("c", arguments="{}")],
        ),
        ({"event_kind": "part_end", "index": 2, "part": {}}, [CallEnd("c")]),
        ({"event_kind": "function_tool_call", "part": {"tool_name": "f", "args": "{}"}}, []),
        (
            {
                "event_kind": "part_start",
                "index": 0,
                "part": {"part_kind": "tool-call", "tool_name": "g", "args": {"a": 1}, "tool_call_id": "d"},
            },
            [CallDelta("d", "d", "g", whole={"a": 1}, is_named=True), CallEnd("d")],
        ),
        ({"event_kind": "part_end", "index": 0, "part": {}}, []),
    ],
}

OPENAI_AGENTS: dict[str, Stream] = {
    "raw events": [
        ({"type": "raw_response_event", "data": response("output_text.delta", delta="Hi")}, [TextDelta("Hi")]),
        ({"type": "run_item_stream_event", "name": "message_output_created", "item": {}}, []),
        ({"type": "agent_updated_stream_event", "new_agent": {}}, []),
    ],
}

OTHERS: dict[str, Stream] = {
    "anything with content": [
        ({"content": "Hi"}, [TextDelta("Hi")]),
        ({"content": "", "role": "assistant"}, []),
        (
            {"content": "Hi", "reasoning": "Hm", "tool_calls": [{"id": "c", "name": "f", "arguments": "{}"}]},
            [
                ReasoningDelta("Hm"),
                TextDelta("Hi"),
                CallDelta("c", "c", "f", "{}"),
            ],
        ),
    ],
}

FAMILIES = {
    "openai_chat": OPENAI_CHAT,
    "mistral": MISTRAL,
    "openai_responses": OPENAI_RESPONSES,
    "anthropic": ANTHROPIC,
    "google": GOOGLE,
    "ollama": OLLAMA,
    "bedrock": BEDROCK,
    "langchain": LANGCHAIN,
    "pydantic_ai": PYDANTIC_AI,
    "openai_agents": OPENAI_AGENTS,
    "others": OTHERS,
}
