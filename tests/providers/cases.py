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
_DATA = (
    *("arguments", "args", "input", "additional_kwargs", "response_metadata", "usage_metadata", "args_delta"),
    *("provider_details", "parameters"),
)


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
        (calls(call(0, "c1", "f", "")), [CallDelta("c1", "c1", "f", state={"reasoning_field": "reasoning_content"})]),
        (calls(call(0, arguments='{"a"')), [CallDelta("c1", arguments='{"a"')]),
        (calls(call(0, arguments=": 1}")), [CallDelta("c1", arguments=": 1}")]),
        (chat("tool_calls"), [Finish("tool_calls")]),
        ({"object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 3}}, []),
    ],
    "the first call behind reasoning knows its field, once": [
        (chat(reasoning="a"), [ReasoningDelta("a")]),
        (calls({"index": 0}), []),
        (
            calls(call(0, "srvtoolu_1", "web_search", "{}")),
            [CallDelta("srvtoolu_1", "srvtoolu_1", "web_search", "{}", is_server=True)],
        ),
        (calls(call(1, "c1", "f", "{}")), [CallDelta("c1", "c1", "f", "{}", state={"reasoning_field": "reasoning"})]),
        (calls(call(2, "c2", "f", "{}")), [CallDelta("c2", "c2", "f", "{}")]),
        (chat(reasoning="a", reasoning_content="a"), [ReasoningDelta("a")]),
        (calls(call(2, "c2", "f", "")), []),
        (
            calls({**call(3, "c3", "f", "{}"), "extra_content": {"google": {"thought_signature": "eHg="}}}),
            [
                CallDelta(
                    *("c3", "c3", "f", "{}"),
                    state={"thought_signature": "eHg=", "reasoning_field": "reasoning_content"},
                )
            ],
        ),
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
        ({**chat(content="a"), "citations": ["http://c"]}, [TextDelta("a")]),
        ({**chat("stop"), "citations": ["http://c"]}, [Source({"url": "http://c"}), Finish("stop")]),
        ({"choices": [], "citations": ["http://c"]}, []),
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


def added(kind: str, **fields: Any) -> dict[str, Any]:
    return response("output_item.added", output_index=0, item={"type": kind, "id": "i1", **fields})


def ended(kind: str, **fields: Any) -> dict[str, Any]:
    return response("output_item.done", output_index=0, item={"type": kind, "id": "i1", **fields})


def at(kind: str, **fields: Any) -> dict[str, Any]:
    """An event of the item in the first place."""
    return response(kind, output_index=0, **fields)


def started(name: str = "f", call_id: str = "c1", arguments: str = "", **fields: Any) -> CallDelta:
    """What the beginning of the first item's call says."""
    return CallDelta("i1", call_id, name, arguments, is_named=True, **{"state": {"id": "i1"}, **fields})


def typed(kind: str, **fields: Any) -> dict[str, Any]:
    """The state of the first item."""
    return {"type": kind, "id": "i1", **fields}


URL = {"type": "url_citation", "url": "http://a", "title": "A", "start_index": 0, "end_index": 1}
CITED = {"type": "file_citation", "file_id": "f1", "filename": "a.txt", "index": 3}
MADE = {"type": "container_file_citation", "container_id": "k", "file_id": "f2", "filename": "b.png", "index": 0}
PATCH = {"type": "update_file", "path": "a.py", "diff": '@@\n-a\n+"b"'}

UNKEPT = {"id": "r1", "store": False}

OPENAI_RESPONSES: dict[str, Stream] = {
    "text, reasoning, call": [
        (response("created", response={"id": "r"}), []),
        (response("reasoning_summary_text.delta", delta="H"), [ReasoningDelta("H")]),
        (
            response("reasoning_text.delta", delta="m"),
            [BlockEnd(), ReasoningDelta("m")],
        ),
        (response("output_item.added", item={"type": "message", "id": "m"}), [BlockEnd({"part": "reasoning_text"})]),
        (response("output_text.delta", item_id="m", delta="Hi"), [TextDelta("Hi")]),
        (response("output_text.delta", item_id="m", delta=""), []),
        (response("output_text.done", item_id="m", text="Hi"), []),
        (
            response("output_item.added", item=item(arguments="")),
            [BlockEnd({"id": "m"}), started()],
        ),
        (response("function_call_arguments.delta", item_id="i1", delta="{"), [CallDelta("i1", arguments="{")]),
        (response("function_call_arguments.delta", item_id="i1", delta="}"), [CallDelta("i1", arguments="}")]),
        (response("function_call_arguments.done", item_id="i1", arguments="{}"), [CallEnd("i1")]),
        (response("output_item.done", item=item(arguments="{}", status="completed")), []),
        (response("output_item.done", item=item(arguments="{}", status="completed")), []),
        (response("completed", response={"status": "completed"}), [Finish("stop")]),
    ],
    "messages and parts are blocks": [
        (added("message", phase="commentary", status="in_progress", role="assistant", content=[]), []),
        (at("output_text.delta", content_index=0, item_id="i1", delta="a"), [TextDelta("a")]),
        (
            at("output_text.delta", content_index=1, item_id="i1", delta="b"),
            [BlockEnd({"id": "i1", "phase": "commentary"}), TextDelta("b")],
        ),
        (at("output_text.delta", content_index=1, item_id="another", delta="c"), [TextDelta("c")]),
        (
            at("refusal.delta", content_index=2, delta="No"),
            [BlockEnd({"id": "i1", "phase": "commentary"}), RefusalDelta("No")],
        ),
        (at("refusal.done", content_index=2, refusal="No."), [RefusalDelta(".")]),
        (
            ended("message", phase="final_answer", status="completed", content=[{"type": "output_text", "text": "a"}]),
            [BlockEnd({"id": "i1", "phase": "final_answer"})],
        ),
        (
            response("output_item.added", output_index=1, item={"type": "message", "id": "i2"}),
            [],
        ),
        (response("output_text.delta", output_index=1, content_index=0, delta="d"), [TextDelta("d")]),
        (response("output_item.added", output_index=2, item={"type": "message"}), [BlockEnd({"id": "i2"})]),
        (response("output_text.delta", output_index=2, content_index=0, delta="e"), [TextDelta("e")]),
        (response("output_text.delta", output_index=3, content_index=0, delta="f"), [BlockEnd(), TextDelta("f")]),
        (response("completed", response={}), [Finish("stop")]),
    ],
    "reasoning that nobody keeps": [
        (response("created", response={"id": "r", "store": False}), []),
        (response("output_item.done", item={"type": "reasoning", "id": "r1"}), [BlockEnd(UNKEPT, "reasoning")]),
        (
            response("output_item.done", item={"type": "reasoning", "id": "r2", "encrypted_content": "x"}),
            [BlockEnd({"id": "r2", "encrypted_content": "x"}, "reasoning")],
        ),
        (response("completed", response={"store": False}), [Finish("stop")]),
    ],
    "reasoning in parts, and what of it is encrypted": [
        (added("reasoning", summary=[], encrypted_content="first"), []),
        (at("reasoning_summary_text.delta", summary_index=0, delta="a"), [ReasoningDelta("a")]),
        (at("reasoning_summary_text.done", text="a"), []),
        (at("reasoning_summary_text.delta", summary_index=1, delta="b"), [BlockEnd({"id": "i1"}), ReasoningDelta("b")]),
        (
            ended("reasoning", summary=[{"type": "summary_text", "text": "a"}], encrypted_content="last"),
            [BlockEnd({"id": "i1", "encrypted_content": "last"})],
        ),
        (
            response("output_item.done", item={"type": "reasoning", "id": "r2", "encrypted_content": "x"}),
            [BlockEnd({"id": "r2", "encrypted_content": "x"}, "reasoning")],
        ),
        (response("output_item.done", item={"type": "reasoning", "id": "r2", "encrypted_content": "x"}), []),
        (
            response("output_item.done", item={"type": "reasoning", "id": "r3", "summary": []}),
            [BlockEnd({"id": "r3"}, "reasoning")],
        ),
        (
            response("reasoning_text.done", item_id="r4", content_index=0, text="c"),
            [ReasoningDelta("c")],
        ),
        (
            response(
                "output_item.done",
                item={
                    "type": "reasoning",
                    "id": "r4",
                    "summary": [{"type": "summary_text", "text": "d"}],
                    "content": [{"type": "reasoning_text", "text": "c"}, {"type": "unknown", "text": "c"}],
                },
            ),
            [BlockEnd({"part": "reasoning_text"}), ReasoningDelta("d"), BlockEnd({"id": "r4"})],
        ),
        (
            response("output_item.done", item={"type": "compaction", "id": "k", "encrypted_content": "z"}),
            [BlockEnd({"type": "compaction", "id": "k", "encrypted_content": "z"}, "reasoning")],
        ),
        (response("output_item.done", item={"type": "compaction", "id": "k", "encrypted_content": "z"}), []),
    ],
    "text at its end only": [
        (at("output_text.done", content_index=0, text="a"), [TextDelta("a")]),
        (at("output_text.done", content_index=0, text=""), []),
        (
            ended(
                "message",
                content=[
                    {"type": "output_text", "text": "ab", "annotations": [URL, MADE]},
                    {"type": "refusal", "refusal": "No"},
                ],
            ),
            [
                TextDelta("b"),
                Source({name: value for name, value in URL.items() if name != "type"}),
                BlockEnd(),
                File({"container_id": "k", "file_id": "f2", "name": "b.png", "index": 0}),
                RefusalDelta("No"),
                BlockEnd({"id": "i1"}),
            ],
        ),
    ],
    "all at the end only": [
        (
            response(
                "completed",
                response={
                    "id": "r",
                    "model": "m",
                    "usage": {"input_tokens": 1, "output_tokens": 2},
                    "output": [
                        {"type": "message", "id": "m1", "content": [{"type": "output_text", "text": "Hi"}]},
                        item(arguments="{}"),
                    ],
                },
            ),
            [
                *(TextDelta("Hi"), BlockEnd({"id": "m1"}), started(), CallDelta("i1", arguments="{}"), CallEnd("i1")),
                Finish("stop"),
            ],
        ),
    ],
    "what is open is taken from the end, what is done is not": [
        (added("message"), []),
        (at("output_text.delta", delta="H"), [TextDelta("H")]),
        (
            response("output_item.done", output_index=1, item=item(id="i2", arguments="")),
            [
                BlockEnd({"id": "i1"}),
                CallDelta("i2", "c1", "f", is_named=True, state={"id": "i2"}),
                CallEnd("i2"),
            ],
        ),
        (
            response(
                "completed",
                response={
                    "output": [
                        {"type": "message", "id": "i1", "content": [{"type": "output_text", "text": "Hi"}]},
                        item(id="i2", arguments="{}"),
                        item(id="i3", arguments="{}"),
                    ]
                },
            ),
            [TextDelta("i"), BlockEnd({"id": "i1"}), Finish("stop")],
        ),
    ],
    "sources beside the text, files behind it": [
        (added("message"), []),
        (at("output_text.delta", content_index=0, delta="a"), [TextDelta("a")]),
        (
            at("output_text.annotation.added", content_index=0, annotation=URL),
            [Source({"url": "http://a", "title": "A", "start_index": 0, "end_index": 1})],
        ),
        (at("output_text.annotation.added", content_index=0, annotation=MADE), []),
        (
            at("output_text.annotation.added", content_index=0, annotation=CITED),
            [Source({"file_id": "f1", "filename": "a.txt", "index": 3})],
        ),
        (at("output_text.annotation.added", content_index=0, annotation=None), []),
        (
            ended("message", content=[{"type": "output_text", "text": "a", "annotations": [URL, MADE, CITED, {}]}]),
            [
                BlockEnd({"id": "i1"}),
                File({"container_id": "k", "file_id": "f2", "name": "b.png", "index": 0}),
            ],
        ),
    ],
    "a message that is cut": [
        (added("message"), []),
        (at("output_text.delta", content_index=0, delta="a"), [TextDelta("a")]),
        (at("output_text.annotation.added", content_index=0, annotation={"type": "file_path", "file_id": "f"}), []),
        (ended("message", status="incomplete", content=[{"type": "output_text", "text": "a"}]), []),
        (
            response("incomplete", response={"incomplete_details": {"reason": "content_filter"}}),
            [Finish("content_filter"), File({"file_id": "f"})],
        ),
    ],
    "a message without text": [
        (added("message"), []),
        (at("output_text.annotation.added", content_index=0, annotation={"type": "file_path", "file_id": "f"}), []),
        (ended("message", status="completed", content=[]), [File({"file_id": "f"})]),
    ],
    "the second response of a stream": [
        (at("output_text.delta", delta="a"), [TextDelta("a")]),
        (response("completed", response={}), [Finish("stop")]),
        (response("created", response={"id": "r2"}), []),
        (at("output_text.done", text="b"), [TextDelta("b")]),
    ],
    "arguments at the end only": [
        (response("output_item.added", item=item(arguments="")), [started()]),
        (response("output_item.done", item=item(arguments="{}")), [CallDelta("i1", arguments="{}"), CallEnd("i1")]),
    ],
    "the whole item at the end only": [
        (
            response("output_item.done", item=item(arguments="{}", namespace="n", caller={"type": "direct"})),
            [
                started(state={"id": "i1", "namespace": "n", "caller": {"type": "direct"}}),
                CallDelta("i1", arguments="{}"),
                CallEnd("i1"),
            ],
        ),
    ],
    "a custom tool": [
        (
            response("output_item.added", item=item("custom_tool_call", input="")),
            [started(raw=True, state=typed("custom_tool_call"))],
        ),
        (
            response("custom_tool_call_input.delta", item_id="i1", delta="ls"),
            [
                CallDelta("i1", arguments="ls", raw=True),
            ],
        ),
        (response("custom_tool_call_input.done", item_id="i1", input="ls"), []),
        (response("output_item.done", item=item("custom_tool_call", input="ls", status="completed")), [CallEnd("i1")]),
        (response("custom_tool_call_input.delta", item_id="i1", delta="ls"), []),
    ],
    "a custom tool that is cut": [
        (
            response("output_item.added", item=item("custom_tool_call", input="")),
            [started(raw=True, state=typed("custom_tool_call"))],
        ),
        (
            response("custom_tool_call_input.done", item_id="i1", input="rm"),
            [CallDelta("i1", arguments="rm", raw=True)],
        ),
        (
            response("output_item.done", item=item("custom_tool_call", input="rm", status="incomplete")),
            [],
        ),
    ],
    "pieces that were lost are in the whole": [
        (response("output_item.added", item=item(arguments="")), [started()]),
        (response("function_call_arguments.delta", item_id="i1", delta='{"a'), [CallDelta("i1", arguments='{"a')]),
        (
            response("function_call_arguments.done", item_id="i1", arguments='{"a":1}'),
            [CallDelta("i1", arguments='":1}'), CallEnd("i1")],
        ),
    ],
    "ids that change are one call if its place does not": [
        (
            response("output_item.added", output_index=0, item=item(arguments="")),
            [started()],
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
        (response("output_item.added", item=item(arguments="")), [started()]),
        (response("function_call_arguments.done", item_id="i1", arguments=""), []),
        (
            response("output_item.done", item=item(arguments="", status="incomplete")),
            [],
        ),
        (response("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}}), [Finish("length")]),
    ],
    "web search": [
        (
            added("web_search_call", status="in_progress"),
            [started("web_search", "i1", state=typed("web_search_call"), is_server=True)],
        ),
        (at("web_search_call.searching", item_id="i1"), []),
        (
            ended(
                "web_search_call",
                status="completed",
                action={"type": "search", "query": "cats", "sources": [{"type": "url", "url": "http://a"}]},
            ),
            [
                CallDelta("i1", whole={"type": "search", "query": "cats"}, is_server=True),
                CallEnd("i1"),
                ServerResult('[{"type": "url", "url": "http://a"}]', "web_search", "i1"),
            ],
        ),
    ],
    "file search, at its end only": [
        (
            ended("file_search_call", status="failed", queries=["a"], results=[{"file_id": "f", "text": "b"}]),
            [
                started("file_search", "i1", state=typed("file_search_call", status="failed"), is_server=True),
                CallDelta("i1", whole={"queries": ["a"]}, is_server=True),
                CallEnd("i1"),
                ServerResult('[{"file_id": "f", "text": "b"}]', "file_search", "i1"),
            ],
        ),
    ],
    "a program that the provider runs": [
        (
            added("code_interpreter_call", code="", container_id="k", outputs=None),
            [
                started(
                    *("code_interpreter", "i1"),
                    raw=True,
                    state=typed("code_interpreter_call", container_id="k"),
                    is_server=True,
                )
            ],
        ),
        (at("code_interpreter_call_code.delta", item_id="i1", delta="a"), [CallDelta("i1", arguments="a", raw=True)]),
        (
            at("code_interpreter_call_code.done", item_id="i1", code="a\nb"),
            [CallDelta("i1", arguments="\nb", raw=True)],
        ),
        (
            ended(
                "code_interpreter_call",
                code="a\nb",
                container_id="k",
                outputs=[
                    {"logs": "1", "type": "logs"},
                    {"type": "image", "url": "http://i"},
                    {"type": "image", "url": "data:image/png;base64,eHg="},
                ],
            ),
            [
                CallEnd("i1"),
                ServerResult('[{"logs": "1", "type": "logs"}]', "code_interpreter", "i1"),
                File({"url": "http://i", "call_id": "i1"}),
                File({"media_type": "image/png", "call_id": "i1"}, "eHg="),
            ],
        ),
        (
            response("output_item.done", item={"type": "code_interpreter_call", "id": "i2", "code": "c"}),
            [
                CallDelta(
                    *("i2", "i2", "code_interpreter"),
                    raw=True,
                    is_named=True,
                    state={"type": "code_interpreter_call", "id": "i2"},
                    is_server=True,
                ),
                CallDelta("i2", arguments="c", raw=True),
                CallEnd("i2"),
            ],
        ),
    ],
    "images": [
        (
            added("image_generation_call"),
            [started("image_generation", "i1", state=typed("image_generation_call"), is_server=True)],
        ),
        (at("image_generation_call.partial_image", item_id="i1", partial_image_b64="eA=="), []),
        (
            ended("image_generation_call", result="eHg=", output_format="svg", revised_prompt="p"),
            [
                CallDelta("i1", whole={"revised_prompt": "p", "output_format": "svg"}, is_server=True),
                CallEnd("i1"),
                File({"media_type": "image/svg+xml", "call_id": "i1"}, "eHg="),
            ],
        ),
        (
            response("output_item.done", item={"type": "image_generation_call", "id": "i2", "result": "http://i"}),
            [
                CallDelta(
                    *("i2", "i2", "image_generation"),
                    is_named=True,
                    state={"type": "image_generation_call", "id": "i2"},
                    is_server=True,
                ),
                CallDelta("i2", whole={}, is_server=True),
                CallEnd("i2"),
                File({"url": "http://i", "call_id": "i2"}),
            ],
        ),
    ],
    "an image that is no picture, and one that failed": [
        (
            ended("image_generation_call", result="eHg="),
            [
                started("image_generation", "i1", state=typed("image_generation_call"), is_server=True),
                CallDelta("i1", whole={}, is_server=True),
                CallEnd("i1"),
                File({"media_type": "image/png", "call_id": "i1"}, "eHg="),
            ],
        ),
        (
            response(
                "output_item.done",
                item={"type": "image_generation_call", "id": "i2", "result": None, "error": {"message": "no"}},
            ),
            [
                CallDelta(
                    *("i2", "i2", "image_generation"),
                    is_named=True,
                    state={"type": "image_generation_call", "id": "i2"},
                    is_server=True,
                ),
                CallDelta("i2", whole={}, is_server=True),
                CallEnd("i2"),
                ServerResult('{"message": "no"}', "image_generation", "i2", {"is_error": True}),
            ],
        ),
    ],
    "MCP": [
        (
            ended("mcp_list_tools", server_label="s", tools=[{"input_schema": {}, "name": "f"}]),
            [
                ServerResult(
                    '[{"input_schema": {}, "name": "f"}]',
                    *("mcp_list_tools", "i1", typed("mcp_list_tools", server_label="s")),
                )
            ],
        ),
        (ended("mcp_list_tools", server_label="s", tools=[{"input_schema": {}, "name": "f"}]), []),
        (
            response("output_item.done", item={"type": "mcp_list_tools", "id": "i2", "error": "gone", "tools": []}),
            [ServerResult(*("gone", "mcp_list_tools", "i2"), {"type": "mcp_list_tools", "id": "i2", "is_error": True})],
        ),
        (
            added("mcp_call", name="f", server_label="s", arguments=""),
            [started("f", "i1", state=typed("mcp_call", server_label="s"), is_server=True)],
        ),
        (at("mcp_call_arguments.delta", item_id="i1", delta="{}"), [CallDelta("i1", arguments="{}")]),
        (at("mcp_call_arguments.done", item_id="i1", arguments="{}"), [CallEnd("i1")]),
        (
            ended("mcp_call", name="f", server_label="s", arguments="{}", output=""),
            [ServerResult("", "f", "i1")],
        ),
        (
            response(
                "output_item.done",
                item={"type": "mcp_call", "id": "i3", "name": "f", "arguments": "{}", "error": {"code": 1}},
            ),
            [
                CallDelta("i3", "i3", "f", is_named=True, state={"type": "mcp_call", "id": "i3"}, is_server=True),
                CallDelta("i3", arguments="{}"),
                CallEnd("i3"),
                ServerResult('{"code": 1}', "f", "i3", {"is_error": True}),
            ],
        ),
        (
            response(
                "output_item.done",
                item={
                    **{"type": "mcp_approval_request", "id": "i4", "name": "f"},
                    **{"server_label": "s", "arguments": "{}"},
                },
            ),
            [
                CallDelta(
                    *("i4", "i4", "mcp_approval_request"),
                    is_named=True,
                    state={"type": "mcp_approval_request", "id": "i4", "server_label": "s"},
                ),
                CallDelta("i4", whole={"server_label": "s", "name": "f", "arguments": "{}"}),
                CallEnd("i4"),
            ],
        ),
    ],
    "a custom tool that xAI has run": [
        (
            added("custom_tool_call", call_id="xs_call_1", name="x_search", input=""),
            [started("x_search", "xs_call_1", raw=True, state=typed("custom_tool_call"), is_server=True)],
        ),
        (
            ended("custom_tool_call", call_id="xs_call_1", name="x_search", input='{"q": 1}', status="completed"),
            [CallDelta("i1", arguments='{"q": 1}', raw=True), CallEnd("i1")],
        ),
    ],
    "a patch": [
        (
            added("apply_patch_call", call_id="c1", operation={**PATCH, "diff": ""}),
            [
                started(
                    *("patch_file", "c1", '{"operation": "update_file", "path": "a.py", "patch": "'),
                    state=typed("apply_patch_call"),
                )
            ],
        ),
        (at("apply_patch_call_operation_diff.delta", delta="@@\n"), [CallDelta("i1", arguments="@@\\n")]),
        (at("apply_patch_call_operation_diff.delta", delta=""), []),
        (at("apply_patch_call_operation_diff.done", diff=PATCH["diff"]), []),
        (
            ended("apply_patch_call", call_id="c1", status="completed", operation=PATCH),
            [CallDelta("i1", arguments='-a\\n+\\"b\\"'), CallDelta("i1", arguments='"}'), CallEnd("i1")],
        ),
    ],
    "a patch that is known at its end only, and one that is cut": [
        (added("apply_patch_call", call_id="c1"), []),
        (at("apply_patch_call_operation_diff.delta", delta="@@"), []),
        (
            ended("apply_patch_call", call_id="c1", operation={"type": "delete_file", "path": "a.py"}),
            [
                started(
                    *("patch_file", "c1", '{"operation": "delete_file", "path": "a.py", "patch": "'),
                    state=typed("apply_patch_call"),
                ),
                CallDelta("i1", arguments='"}'),
                CallEnd("i1"),
            ],
        ),
        (
            response("output_item.done", item={"type": "apply_patch_call", "id": "i2", "status": "incomplete"}),
            [
                CallDelta(
                    *("i2", "i2", "patch_file", '{"patch": "'),
                    is_named=True,
                    state={"type": "apply_patch_call", "id": "i2"},
                )
            ],
        ),
    ],
    "a local shell": [
        (
            ended(
                "local_shell_call",
                call_id="c1",
                action={"type": "exec", "command": ["echo", "a b"], "env": {}, "timeout_ms": 5},
            ),
            [
                started("run_bash", "c1", '{"command": "', state=typed("local_shell_call")),
                CallDelta("i1", arguments="echo 'a b'"),
                CallDelta("i1", arguments='", "timeout_ms": 5}'),
                CallEnd("i1"),
            ],
        ),
    ],
    "a shell of ours": [
        (
            added("shell_call", call_id="c1", environment={"type": "local"}, action={"commands": []}),
            [started(*("run_bash", "c1", '{"command": "'), state=typed("shell_call", environment={"type": "local"}))],
        ),
        (at("shell_call_command.added", command_index=0, command=""), []),
        (at("shell_call_command.delta", command_index=0, delta="ls"), [CallDelta("i1", arguments="ls")]),
        (at("shell_call_command.done", command_index=0, command="ls"), []),
        (at("shell_call_command.added", command_index=1, command=""), [CallDelta("i1", arguments="\\n")]),
        (at("shell_call_command.delta", command_index=1, delta="p"), [CallDelta("i1", arguments="p")]),
        (
            ended("shell_call", call_id="c1", environment={"type": "local"}, action={"commands": ["ls", "pwd"]}),
            [
                CallDelta("i1", state={"lengths": [2, 3]}),
                CallDelta("i1", arguments="wd"),
                CallDelta("i1", arguments='"}'),
                CallEnd("i1"),
            ],
        ),
        (at("shell_call_command.delta", command_index=1, delta="p"), []),
    ],
    "a shell in a container": [
        (
            added("shell_call", call_id="c1", environment={"type": "container_reference", "container_id": "k"}),
            [
                started(
                    *("shell", "c1"),
                    state=typed("shell_call", environment={"type": "container_reference", "container_id": "k"}),
                    is_server=True,
                )
            ],
        ),
        (at("shell_call_command.delta", command_index=0, delta="ls"), []),
        (
            ended("shell_call", call_id="c1", action={"commands": ["ls"]}),
            [CallDelta("i1", whole={"commands": ["ls"]}, is_server=True), CallEnd("i1")],
        ),
        (
            response(
                "output_item.done",
                output_index=1,
                item={"type": "shell_call_output", "id": "o", "call_id": "c1", "output": [{"stdout": "a"}]},
            ),
            [ServerResult('[{"stdout": "a"}]', "shell", "c1", {"type": "shell_call_output", "id": "o"})],
        ),
    ],
    "shells of which nobody says where they are, run by the provider": [
        (added("shell_call", call_id="c1"), []),
        (at("shell_call_command.delta", command_index=0, delta="ls"), []),
        (ended("shell_call", call_id="c1", action={"commands": ["ls"]}), []),
        (
            response(
                "output_item.added", output_index=1, item={"type": "shell_call_output", "id": "o", "call_id": "c1"}
            ),
            [
                started("shell", "c1", state=typed("shell_call"), is_server=True),
                CallDelta("i1", whole={"commands": ["ls"]}, is_server=True),
                CallEnd("i1"),
            ],
        ),
        (
            response(
                "output_item.done",
                output_index=2,
                item={"type": "shell_call", "id": "i2", "call_id": "c2", "action": {"commands": ["pwd"]}},
            ),
            [
                CallDelta(
                    *("i2", "c2", "shell"), is_named=True, state={"type": "shell_call", "id": "i2"}, is_server=True
                ),
                CallDelta("i2", whole={"commands": ["pwd"]}, is_server=True),
                CallEnd("i2"),
            ],
        ),
    ],
    "shells of which nobody says where they are, run by nobody": [
        (ended("shell_call", call_id="c1", action={"commands": ["ls"]}), []),
        (ended("shell_call", call_id="c1", action={"commands": ["ls"]}), []),
        (
            response("completed", response={}),
            [
                started("run_bash", "c1", '{"command": "', state=typed("shell_call")),
                *(CallDelta("i1", arguments="ls"), CallDelta("i1", arguments='"}'), CallEnd("i1"), Finish("stop")),
            ],
        ),
    ],
    "a computer, and a search for tools": [
        (
            added("computer_call", call_id="c1", status="in_progress", pending_safety_checks=[]),
            [started("computer_call", "c1", state=typed("computer_call"))],
        ),
        (
            ended("computer_call", call_id="c1", action={"type": "wait"}, pending_safety_checks=[]),
            [CallDelta("i1", whole={"action": {"type": "wait"}}), CallEnd("i1")],
        ),
        (
            response(
                "output_item.done",
                item={
                    **{"type": "tool_search_call", "id": "i2", "call_id": "c2"},
                    **{"execution": "client", "arguments": {"q": 1}},
                },
            ),
            [
                CallDelta(
                    *("i2", "c2", "tool_search_call"),
                    is_named=True,
                    state={"type": "tool_search_call", "id": "i2", "execution": "client"},
                ),
                CallDelta("i2", whole={"q": 1}),
                CallEnd("i2"),
            ],
        ),
        (
            response(
                "output_item.done",
                item={"type": "tool_search_call", "id": "i3", "execution": "server", "arguments": "{}"},
            ),
            [
                CallDelta(
                    *("i3", "i3", "tool_search"),
                    is_named=True,
                    state={"type": "tool_search_call", "id": "i3", "execution": "server"},
                    is_server=True,
                ),
                CallDelta("i3", arguments="{}", is_server=True),
                CallEnd("i3"),
            ],
        ),
        (
            response(
                "output_item.done",
                item={"type": "tool_search_output", "id": "i4", "call_id": None, "tools": [], "execution": "server"},
            ),
            [
                ServerResult(
                    *("[]", "tool_search", "i4"),
                    {"type": "tool_search_output", "id": "i4", "execution": "server"},
                )
            ],
        ),
        (
            response("output_item.done", item={"type": "computer_call", "id": "i5", "status": "incomplete"}),
            [
                CallDelta(
                    *("i5", "i5", "computer_call"),
                    is_named=True,
                    state={"type": "computer_call", "id": "i5"},
                )
            ],
        ),
    ],
    "types that are new, strays": [
        (
            ended("future_call", status="completed", topic="x"),
            [
                started("future", "i1", state=typed("future_call", topic="x"), is_server=True),
                CallDelta("i1", whole={"topic": "x"}, is_server=True),
                CallEnd("i1"),
            ],
        ),
        (response("output_item.added", item={"id": "x"}), []),
        (response("output_item.done", item={"id": "x"}), []),
        (response("function_call_arguments.delta", item_id="nobody", delta="{}"), []),
        (response("function_call_arguments.done", item_id="nobody", arguments="{}"), []),
        (response("custom_tool_call_input.done", item_id="nobody", input="{}"), []),
        (response("some_future.delta", delta="x"), []),
    ],
    "ends": [
        (response("incomplete", response={}), [Finish("length")]),
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
UPLOAD = {"type": "container_upload", "file_id": "file_1"}
BASH_RESULT = "bash_code_execution_tool_result"
WEB = {"type": "web_search_result_location", "url": "http://a", "title": "A", "cited_text": "t", "encrypted_index": "x"}


def server(call_id: str, name: str, state: dict[str, Any]) -> CallDelta:
    """The beginning of a call that the provider runs."""
    return CallDelta(call_id, call_id, name, is_named=True, state=state, is_server=True)


ANTHROPIC: dict[str, Stream] = {
    "raw events": [
        ({"type": "message_start", "message": {"id": "m", "content": []}}, []),
        ({"type": "ping"}, []),
        (block(0, type="thinking", thinking="", signature=""), []),
        (grow(0, "thinking_delta", thinking="Hm"), [ReasoningDelta("Hm")]),
        (grow(0, "signature_delta", signature="x"), []),
        (grow(0, "signature_delta", signature="y"), []),
        (stop(0), [BlockEnd({"signature": "xy"}, "reasoning")]),
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
        ({"type": "compaction", "content": "What was said."}, []),
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
        (block(0, type="text", text="Let me see."), [TextDelta("Let me see.")]),
        (stop(0), []),
        (
            block(1, type="server_tool_use", id="s1", name="web_search", input={}, caller={"type": "direct"}),
            [server("s1", "web_search", {"type": "server_tool_use", "caller": {"type": "direct"}})],
        ),
        (grow(1, "input_json_delta", partial_json="{}"), [CallDelta("s1", arguments="{}")]),
        (stop(1), [CallEnd("s1")]),
        (
            block(2, type="web_search_tool_result", tool_use_id="s1", content=[{"type": "web_search_result"}]),
            [ServerResult('[{"type": "web_search_result"}]', "web_search", "s1", {"type": "web_search_tool_result"})],
        ),
        (stop(2), []),
        (
            block(3, type="mcp_tool_use", id="s2", name="look", server_name="books", input={"q": "é"}),
            [server("s2", "look", {"type": "mcp_tool_use", "server_name": "books"})],
        ),
        (stop(3), [CallDelta("s2", whole={"q": "é"}, is_server=True), CallEnd("s2")]),
        (
            block(4, type="mcp_tool_result", tool_use_id="s2", is_error=False, content="none"),
            [ServerResult('"none"', "look", "s2", {"type": "mcp_tool_result", "is_error": False})],
        ),
        (block(5, type="bash_code_execution_tool_result"), [ServerResult("", state={"type": BASH_RESULT})]),
        (block(6, **UPLOAD), [File(UPLOAD, state={"type": "container_upload"})]),
        (message_delta("pause_turn"), [Finish("pause")]),
    ],
    "what must go back with a call": [
        (
            block(0, **TOOL_USE, caller={"type": "code_execution_20260120", "tool_id": "s1"}, toolset_name="computer"),
            [
                CallDelta(
                    *("t1", "t1", "f"),
                    is_named=True,
                    state={
                        "caller": {"type": "code_execution_20260120", "tool_id": "s1"},
                        "toolset_name": "computer",
                    },
                )
            ],
        ),
        (grow(0, "input_json_delta", partial_json="{}"), [CallDelta("t1", arguments="{}")]),
        (stop(0), [CallEnd("t1")]),
        (
            {"type": "message_delta", "delta": {"stop_reason": "tool_use", "container": {"id": "c", "skills": None}}},
            [BlockEnd({"type": "container", "id": "c"}, "reasoning"), Finish("tool_calls")],
        ),
    ],
    "a container that was there before": [
        ({"type": "message_start", "message": {"id": "m", "container": {"id": "c"}}}, []),
        (message_delta(None), []),
        (message_delta("end_turn"), [BlockEnd({"type": "container", "id": "c"}, "reasoning"), Finish("stop")]),
    ],
    "blocks without text": [
        (block(0, type="redacted_thinking", data="eHg="), []),
        (stop(0), [BlockEnd({"type": "redacted_thinking", "data": "eHg="}, "reasoning")]),
        (block(1, type="compaction", content=None), []),
        (grow(1, "compaction_delta", content="What was said.", encrypted_content="eHg="), []),
        (
            stop(1),
            [BlockEnd({"type": "compaction", "content": "What was said.", "encrypted_content": "eHg="}, "reasoning")],
        ),
        (block(2, type="thinking", thinking="", signature="xy"), []),
        (stop(2), [BlockEnd({"signature": "xy"}, "reasoning")]),
        (block(3, type="thinking", thinking="Hm"), [ReasoningDelta("Hm")]),
        (grow(3, "signature_delta", signature=""), []),
        (stop(3), [BlockEnd(None, "reasoning")]),
        (block(4, type="redacted_thinking", data="eHg="), []),
        (
            message_delta("end_turn"),
            [BlockEnd({"type": "redacted_thinking", "data": "eHg="}, "reasoning"), Finish("stop")],
        ),
    ],
    "a citation is told once in its block": [
        (block(0, type="text", text="", citations=[]), []),
        (grow(0, "text_delta", text="Hi"), [TextDelta("Hi")]),
        (grow(0, "citations_delta", citation=WEB), [Source(WEB)]),
        (grow(0, "citations_delta", citation=WEB), []),
        (
            grow(0, "citations_delta", citation={"type": "char_location", "document_title": "D", "cited_text": "t"}),
            [Source({"title": "D", "type": "char_location", "document_title": "D", "cited_text": "t"})],
        ),
        (
            grow(0, "citations_delta", citation={"type": "search_result_location", "source": "http://s", "title": "S"}),
            [Source({"url": "http://s", "type": "search_result_location", "source": "http://s", "title": "S"})],
        ),
        (grow(0, "citations_delta", citation=None), []),
        (stop(0), []),
        (block(1, type="text", text=""), []),
        (grow(1, "citations_delta", citation=WEB), [Source(WEB)]),
    ],
    "what a text cites goes back with it": [
        (grow(0, "citations_delta", citation=WEB), [Source(WEB)]),
        (block(0, type="text", text="a"), [TextDelta("a")]),
        (stop(0), []),
        (block(1, type="text", text=""), []),
        (grow(1, "citations_delta", citation=WEB), [Source(WEB)]),
        *((grow(1, "text_delta", text=piece), [TextDelta(piece)]) for piece in ("bc", "d")),
        (stop(1), []),
        (
            block(2, **TOOL_USE),
            [
                BlockEnd({"blocks": [{"length": 1}, {"length": 3, "citations": [WEB]}]}),
                CallDelta("t1", "t1", "f", is_named=True),
            ],
        ),
        (block(3, type="text", text="e"), [TextDelta("e")]),
        (grow(3, "citations_delta", citation=WEB), [Source(WEB)]),
        (
            message_delta("end_turn"),
            [BlockEnd({"blocks": [{"length": 1, "citations": [WEB]}]}), Finish("stop")],
        ),
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


def step_start(index: int, **step: Any) -> dict[str, Any]:
    return {"event_type": "step.start", "index": index, "step": step}


def step_delta(index: int, **delta: Any) -> dict[str, Any]:
    return {"event_type": "step.delta", "index": index, "delta": delta}


def step_stop(index: int) -> dict[str, Any]:
    return {"event_type": "step.stop", "index": index}


XX = {"thought_signature": "eHg="}
GROUND = {"uri": "http://a", "title": "A"}

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
        (parts({"text": None}, {"inline_data": None}, finish_reason="MALFORMED_FUNCTION_CALL"), [Finish("error")]),
        ({"candidates": None, "usage_metadata": {}}, []),
        ({"candidates": [{"content": None, "finish_reason": None}]}, []),
        ({"candidates": [{"content": {"parts": None}, "finish_reason": "FINISH_REASON_UNSPECIFIED"}]}, []),
        ({"candidates": None, "prompt_feedback": {"block_reason": "SAFETY"}}, [Finish("content_filter")]),
        ({"candidates": None, "prompt_feedback": {"block_reason": "OTHER"}}, [Finish("content_filter")]),
        ({"candidates": None, "prompt_feedback": {"block_reason": "BLOCKED_REASON_UNSPECIFIED"}}, []),
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
        (parts({"text": "Hi", "thought_signature": b"xx"}), [TextDelta("Hi"), BlockEnd(XX, "text")]),
        (
            parts({"text": "Hm", "thought": True, "thought_signature": b"xx"}),
            [ReasoningDelta("Hm"), BlockEnd(XX, "reasoning")],
        ),
        (parts({"text": "", "thought_signature": b"xx"}), [BlockEnd(XX, "text")]),
        (parts({"thought": True, "thought_signature": b"xx"}), [BlockEnd(XX, "reasoning")]),
        (parts({"text": "", "thought_signature": None}), []),
    ],
    "what the provider ran": [
        (
            parts({"executable_code": {"language": "PYTHON", "code": "print(1)"}, "thought_signature": b"xx"}),
            [
                CallDelta(
                    *("call", None, "code_execution", "print(1)"),
                    raw=True,
                    is_named=True,
                    state={"type": "executable_code", "language": "PYTHON", **XX},
                    is_server=True,
                ),
                CallEnd("call"),
            ],
        ),
        (
            parts({"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1\n"}}),
            [ServerResult("1\n", "code_execution", state={"type": "code_execution_result", "outcome": "OUTCOME_OK"})],
        ),
        (
            parts({"tool_call": {"id": "s1", "tool_type": "GOOGLE_SEARCH_WEB", "args": {"q": "x"}}}),
            [
                CallDelta(
                    *("s1", "s1", "GOOGLE_SEARCH_WEB"),
                    whole={"q": "x"},
                    is_named=True,
                    state={"type": "tool_call"},
                    is_server=True,
                ),
                CallEnd("s1"),
            ],
        ),
        (
            parts(
                {
                    "tool_response": {"id": "s1", "tool_type": "GOOGLE_SEARCH_WEB", "response": {"r": "é"}},
                    "thought_signature": b"xx",
                }
            ),
            [ServerResult('{"r": "é"}', "GOOGLE_SEARCH_WEB", "s1", {"type": "tool_response", **XX})],
        ),
    ],
    "what the provider ran, as the wire names it": [
        (
            parts({"executableCode": {"id": "s1", "code": "print(1)"}}),
            [
                CallDelta(
                    *("s1", "s1", "code_execution", "print(1)"),
                    raw=True,
                    is_named=True,
                    state={"type": "executable_code"},
                    is_server=True,
                ),
                CallEnd("s1"),
            ],
        ),
        (
            parts({"codeExecutionResult": {"id": "s1"}}),
            [ServerResult("", "code_execution", "s1", {"type": "code_execution_result"})],
        ),
        (
            parts({"toolCall": {"toolType": "URL_CONTEXT"}}, {"toolResponse": {"toolType": "URL_CONTEXT"}}),
            [
                CallDelta(
                    *("call", None, "URL_CONTEXT"),
                    whole={},
                    is_named=True,
                    state={"type": "tool_call"},
                    is_server=True,
                ),
                CallEnd("call"),
                ServerResult("", "URL_CONTEXT", state={"type": "tool_response"}),
            ],
        ),
    ],
    "files": [
        (
            parts({"inline_data": {"mime_type": "image/png", "data": b"xx"}, "thought_signature": b"xx"}),
            [File({"media_type": "image/png", **XX}, "eHg=", XX)],
        ),
        (
            parts({"inline_data": {"mime_type": "image/png", "data": b"xx"}, "thought": True}),
            [File({"media_type": "image/png", "thought": True}, "eHg=", {"thought": True})],
        ),
        (
            parts({"file_data": {"file_uri": "gs://a", "mime_type": "image/png", "display_name": "a.png"}}),
            [File({"media_type": "image/png", "name": "a.png", "url": "gs://a"})],
        ),
    ],
    "sources are told once": [
        (
            parts({"text": "Hi"}, grounding_metadata={"grounding_chunks": [{"web": GROUND}, {"web": GROUND}]}),
            [TextDelta("Hi"), Source({"type": "web", "url": "http://a", "title": "A"})],
        ),
        (
            parts(
                grounding_metadata={"grounding_chunks": [{"web": GROUND}, {"retrieved_context": {"text": "t"}}]},
                citation_metadata={"citations": [{"uri": "http://b", "start_index": 1}]},
            ),
            [
                Source({"type": "retrieved_context", "text": "t"}),
                Source({"type": "citation", "url": "http://b", "start_index": 1}),
            ],
        ),
    ],
    "sources, as the wire names them": [
        (
            parts(
                groundingMetadata={"groundingChunks": [{"retrievedContext": GROUND}, {"web": {}}, {"web": [1]}]},
                citationMetadata={"citationSources": [{"uri": "http://b"}, 5]},
            ),
            [
                Source({"type": "retrieved_context", "url": "http://a", "title": "A"}),
                Source({"type": "citation", "url": "http://b"}),
            ],
        ),
    ],
    "one of several candidates is read": [
        (
            {
                "candidates": [
                    {"index": 1, "finish_reason": "STOP"},
                    {"index": 0, "content": {"parts": [{"text": "a"}]}},
                ]
            },
            [OtherChoice(1), TextDelta("a")],
        ),
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
                            {"json_path": "$['ok']", "bool_value": True},
                            {"json_path": "$.none", "null_value": "NULL_VALUE"},
                        ],
                    }
                }
            ),
            [
                CallDelta("c", arguments='"city": "New '),
                CallDelta("c", arguments='", "days": [{"n": 2'),
                CallDelta("c", arguments='}], "ok": true'),
                CallDelta("c", arguments=', "none": null'),
            ],
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
            [CallDelta("c", arguments=', "city": "New York"}'), CallEnd("c")],
        ),
    ],
    "interactions: what the provider ran": [
        (step_start(0, type="thought", signature="s0"), []),
        (step_delta(0, type="thought_summary", content={"type": "text", "text": "Hm"}), [ReasoningDelta("Hm")]),
        (step_delta(0, type="thought_signature", signature="s1"), []),
        (step_stop(0), [BlockEnd({"signature": "s1"}, "reasoning")]),
        (
            step_start(1, type="google_search_call", id="g", arguments={}, search_type="web_search"),
            [server("g", "google_search", {"type": "google_search_call", "search_type": "web_search"})],
        ),
        (
            step_delta(1, type="google_search_call", arguments={"queries": ["x"]}, signature="s2"),
            [CallDelta("g", state={"signature": "s2"}, is_server=True)],
        ),
        (step_stop(1), [CallDelta("g", whole={"queries": ["x"]}, is_server=True), CallEnd("g")]),
        (step_start(2, type="google_search_result", call_id="g", result=[]), []),
        (
            step_delta(2, type="google_search_result", result=[{"search_suggestions": "é"}], is_error=False),
            [],
        ),
        (
            step_stop(2),
            [
                ServerResult(
                    '[{"search_suggestions": "é"}]',
                    "google_search",
                    "g",
                    {"type": "google_search_result", "is_error": False},
                )
            ],
        ),
        (
            step_start(3, type="mcp_server_tool_call", id="m", name="look", server_name="books", arguments={"q": 1}),
            [server("m", "look", {"type": "mcp_server_tool_call", "server_name": "books"})],
        ),
        (step_delta(3, type="mcp_server_tool_call", arguments={}), []),
        (step_stop(3), [CallDelta("m", whole={"q": 1}, is_server=True), CallEnd("m")]),
        (step_delta(9, type="code_execution_call", arguments={"code": "1"}), []),
    ],
    "interactions: a step that did not stop": [
        (step_delta(0, type="thought_signature", signature="s1"), []),
        (
            {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed"}},
            [BlockEnd({"signature": "s1"}, "reasoning"), Finish("stop")],
        ),
    ],
    "interactions: messages": [
        (step_start(0, type="model_output", content=[{"type": "text", "text": "Hi"}]), [TextDelta("Hi")]),
        (step_delta(0, type="text", text="!"), [TextDelta("!")]),
        (
            step_delta(0, type="text_annotation_delta", annotations=[{"type": "url_citation", "url": "http://a"}, 5]),
            [Source({"type": "url_citation", "url": "http://a"})],
        ),
        (
            step_delta(0, type="image", mime_type="image/png", data="eHg="),
            [File({"media_type": "image/png"}, "eHg=")],
        ),
        (step_stop(0), [BlockEnd()]),
        (step_start(1, type="thought", summary=[{"type": "text", "text": "Hm"}]), [ReasoningDelta("Hm")]),
        (step_stop(1), [BlockEnd(None, "reasoning")]),
        (step_start(2, type="some_future", content="x"), []),
        (step_stop(2), []),
        ({"event_type": "interaction.status_update", "interaction_id": "i", "status": "in_progress"}, []),
        (
            {"event_type": "interaction.completed", "interaction": {"id": "i", "status": "budget_exceeded"}},
            [Finish("length")],
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
    "images": [
        (
            {"message": {"content": "", "images": ["eHg=", {"value": "eHg="}, {"value": None}]}, "done": False},
            [File({}, "eHg="), File({}, "eHg=")],
        ),
        ({"response": "", "image": "eHg=", "done": False}, [File({}, "eHg=")]),
        ({"message": {"content": ""}, "done": True, "done_reason": "load"}, [Finish("stop")]),
    ],
}


def block_start(index: int, **start: Any) -> dict[str, Any]:
    return {"contentBlockStart": {"contentBlockIndex": index, "start": start}}


def block_delta(index: int, **delta: Any) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}


def block_stop(index: int) -> dict[str, Any]:
    return {"contentBlockStop": {"contentBlockIndex": index}}


def v2(kind: str, index: int | None, **message: Any) -> dict[str, Any]:
    return {"type": kind, "index": index, "delta": {"message": message}}


def v1(kind: str, **fields: Any) -> dict[str, Any]:
    return {"event_type": kind, "is_finished": kind == "stream-end", **fields}


CITED = {"type": "document", "id": "d", "document": {"url": "http://a", "title": "A"}}
SPAN = {"start": 0, "text": "Hi"}
G_CALL = {"name": "g", "parameters": {}}

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
    "what must go back with reasoning": [
        (block_delta(0, reasoningContent={"text": "Hm"}), [ReasoningDelta("Hm")]),
        (block_delta(0, reasoningContent={"signature": "x"}), []),
        (block_delta(0, reasoningContent={"signature": "y"}), []),
        (block_stop(0), [BlockEnd({"signature": "xy"}, "reasoning")]),
        (block_delta(1, reasoningContent={"redactedContent": b"xx"}), []),
        (block_stop(1), [BlockEnd({"redacted_content": "eHg="}, "reasoning")]),
        (block_delta(2, reasoningContent={"redactedContent": "eHg="}), []),
        (block_stop(2), [BlockEnd({"redacted_content": "eHg="}, "reasoning")]),
        (block_delta(3, reasoningContent={"text": "Hm"}), [ReasoningDelta("Hm")]),
        (block_stop(3), [BlockEnd(None, "reasoning")]),
    ],
    "what the provider ran": [
        (
            block_start(0, toolUse={"toolUseId": "s", "name": "search", "type": "server_tool_use"}),
            [server("s", "search", {"toolUse": {"type": "server_tool_use"}})],
        ),
        (block_delta(0, toolUse={"input": "{}"}), [CallDelta("s", arguments="{}")]),
        (block_stop(0), [CallEnd("s")]),
        (block_start(1, toolResult={"toolUseId": "s", "type": "search_result", "status": "success"}), []),
        (block_delta(1, toolResult=[{"json": {"a": "é"}}]), []),
        (block_delta(1, toolResult=[{"text": "b"}]), []),
        (
            block_stop(1),
            [
                ServerResult(
                    '[{"json": {"a": "é"}}, {"text": "b"}]',
                    "search",
                    "s",
                    {"toolResult": {"type": "search_result", "status": "success"}},
                )
            ],
        ),
        (block_delta(2, toolResult=[{"text": "b"}]), []),
        (block_stop(2), [ServerResult('[{"text": "b"}]', state={"toolResult": {}})]),
        ({"trace": {"guardrailTrace": {}}}, []),
    ],
    "blocks that did not stop": [
        (block_delta(0, reasoningContent={"signature": "x"}), []),
        (block_delta(1, toolResult=[{"text": "b"}]), []),
        (
            {"messageStop": {"stopReason": "end_turn"}},
            [
                BlockEnd({"signature": "x"}, "reasoning"),
                ServerResult('[{"text": "b"}]', state={"toolResult": {}}),
                Finish("stop"),
            ],
        ),
    ],
    "sources and images": [
        (
            block_delta(
                0,
                citation={
                    "title": "A",
                    "sourceContent": [{"text": "t"}],
                    "location": {"web": {"url": "http://a", "domain": "a"}},
                },
            ),
            [
                Source(
                    {
                        "title": "A",
                        "location": {"web": {"url": "http://a", "domain": "a"}},
                        "url": "http://a",
                        "cited_text": "t",
                    }
                )
            ],
        ),
        (block_delta(0, citation={"title": "B"}), [Source({"title": "B"})]),
        (block_start(1, image={"format": "png"}), []),
        (block_delta(1, image={"source": {"bytes": b"xx"}}), []),
        (block_stop(1), [File({"media_type": "image/png"}, "eHg=")]),
        (block_delta(2, image={"source": {"bytes": "eHg="}}), []),
        (block_stop(2), [File({}, "eHg=")]),
        (block_start(3, image={"format": "png"}), []),
        (block_stop(3), []),
        (block_start(4, some_future={}), []),
        (block_delta(4, some_future={}), []),
    ],
    "what a model's own interface streams": [
        ({"chunk": {"bytes": b'{"type": "ping"}'}}, []),
        ({"chunk": {"bytes": b'{"index": 0, "is_finished": false, "text": "Hi"}'}}, [TextDelta("Hi")]),
        ({"chunk": {"bytes": b"An agent's text."}}, [TextDelta("An agent's text.")]),
    ],
}

COHERE: dict[str, Stream] = {
    "v2": [
        ({"type": "message-start", "id": "m", "delta": {"message": {"role": "assistant", "content": []}}}, []),
        (v2("content-start", 0, content={"type": "thinking", "thinking": ""}), []),
        (v2("content-delta", 0, content={"thinking": "Hm"}), [ReasoningDelta("Hm")]),
        ({"type": "content-end", "index": 0}, []),
        (v2("content-start", 1, content={"type": "text", "text": ""}), []),
        (v2("content-delta", 1, content={"text": "Hi"}), [TextDelta("Hi")]),
        (
            v2("citation-start", 0, citations={"start": 0, "end": 2, "text": "Hi", "sources": [CITED, {"id": "t"}]}),
            [
                Source({**CITED, "url": "http://a", "title": "A", "start": 0, "end": 2, "text": "Hi"}),
                Source({"id": "t", "start": 0, "end": 2, "text": "Hi"}),
            ],
        ),
        (v2("citation-start", 1, citations={"start": 0, "text": "Hi", "sources": []}), [Source(SPAN)]),
        ({"type": "citation-end", "index": 0}, []),
        (
            {"type": "message-end", "delta": {"finish_reason": "MAX_TOKENS", "usage": {"tokens": {"input_tokens": 1}}}},
            [Finish("length")],
        ),
    ],
    "v2: a plan, and calls": [
        (v2("tool-plan-delta", None, tool_plan="I will"), [ReasoningDelta("I will")]),
        (v2("tool-plan-delta", None, tool_plan=" look."), [ReasoningDelta(" look.")]),
        (v2("tool-plan-delta", None, tool_plan=""), []),
        (
            v2("tool-call-start", 0, tool_calls={"id": "c1", "function": {"name": "f", "arguments": ""}}),
            [BlockEnd({"type": "tool_plan"}, "reasoning"), CallDelta("c1", "c1", "f", is_named=True)],
        ),
        (
            v2("tool-call-delta", 0, tool_calls={"function": {"arguments": '{"a": 1}'}}),
            [CallDelta("c1", arguments='{"a": 1}')],
        ),
        ({"type": "tool-call-end", "index": 0}, [CallEnd("c1")]),
        (
            v2("tool-call-start", 1, tool_calls={"id": "c2", "function": {"name": "g", "arguments": "{"}}),
            [CallDelta("c2", "c2", "g", is_named=True), CallDelta("c2", arguments="{")],
        ),
        (v2("tool-call-delta", 1, tool_calls={"function": {"arguments": "}"}}), [CallDelta("c2", arguments="}")]),
        ({"type": "tool-call-end", "index": 1}, [CallEnd("c2")]),
        ({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}}, [Finish("tool_calls")]),
    ],
    "v2: a plan and nothing else": [
        (v2("tool-plan-delta", None, tool_plan="I will"), [ReasoningDelta("I will")]),
        (
            v2("content-delta", 0, content={"text": "Hi"}),
            [BlockEnd({"type": "tool_plan"}, "reasoning"), TextDelta("Hi")],
        ),
        (v2("tool-plan-delta", None, tool_plan="I"), [ReasoningDelta("I")]),
        (
            {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "bad calls"}},
            [BlockEnd({"type": "tool_plan"}, "reasoning"), Finish("error"), ProviderError("bad calls")],
        ),
    ],
    "v1": [
        (v1("stream-start", generation_id="g"), []),
        (v1("search-queries-generation", search_queries=[{"text": "x"}]), []),
        (v1("search-results", documents=[{"id": "d", "url": "http://a"}]), [Source({"id": "d", "url": "http://a"})]),
        (v1("text-generation", text="Hi"), [TextDelta("Hi")]),
        (v1("text-generation", text=""), []),
        (
            v1("citation-generation", citations=[{"start": 0, "document_ids": ["d"]}, 5]),
            [Source({"start": 0, "document_ids": ["d"]})],
        ),
        (
            v1("stream-end", finish_reason="COMPLETE", response={"meta": {"tokens": {"input_tokens": 1}}}),
            [Finish("stop")],
        ),
    ],
    "v1: calls in pieces, then whole": [
        (v1("tool-calls-chunk", text="I will"), [ReasoningDelta("I will")]),
        (
            v1("tool-calls-chunk", tool_call_delta={"index": 0, "name": "f"}),
            [BlockEnd({"type": "tool_plan"}, "reasoning"), CallDelta("0", None, "f")],
        ),
        (
            v1("tool-calls-chunk", tool_call_delta={"index": 0, "parameters": '{"a": 1}'}),
            [CallDelta("0", arguments='{"a": 1}')],
        ),
        (
            v1("tool-calls-generation", text="I will", tool_calls=[{"name": "f", "parameters": {"a": 1}}, G_CALL]),
            [CallEnd("0"), CallDelta("call", None, "g", whole={}, is_named=True), CallEnd("call")],
        ),
    ],
    "v1: calls": [
        (
            v1("tool-calls-generation", text="I will", tool_calls=[G_CALL]),
            [
                ReasoningDelta("I will"),
                BlockEnd({"type": "tool_plan"}, "reasoning"),
                CallDelta("call", None, "g", whole={}, is_named=True),
                CallEnd("call"),
            ],
        ),
    ],
    "generate": [
        ({"is_finished": False, "index": 0, "text": "Hi"}, [TextDelta("Hi")]),
        ({"is_finished": False, "index": 1, "text": "Ho"}, [OtherChoice(1)]),
        ({"is_finished": True, "finish_reason": "MAX_TOKENS"}, [Finish("length")]),
    ],
}


#: Reasoning that LangChain tells is OpenAI's.
ITEM = {"interface": "openai-responses"}


def v0(reasoning: Any) -> dict[str, Any]:
    return {"content": "", "tool_call_chunks": [], "additional_kwargs": {"reasoning": reasoning}}


def summary(piece: str, index: int) -> dict[str, Any]:
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": piece, "index": index}]}


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
    "OpenAI's reasoning beside the content": [
        (v0({"id": "r", "type": "reasoning", "summary": [], "index": 0}), []),
        (v0(summary("a", 0)), [ReasoningDelta("a")]),
        (v0(summary("b", 0)), [ReasoningDelta("b")]),
        (v0(summary("c", 1)), [BlockEnd({**ITEM, "id": "r"}), ReasoningDelta("c")]),
        (v0({"id": "r", "encrypted_content": "x"}), []),
        (
            {"content": "Hi", "tool_call_chunks": []},
            [BlockEnd({**ITEM, "id": "r", "encrypted_content": "x"}), TextDelta("Hi")],
        ),
        (v0({"id": "r2", "encrypted_content": "y", "summary": []}), []),
        (
            {"content": "", "tool_call_chunks": [{"index": 0, "id": "c", "name": "f", "args": "{}"}]},
            [BlockEnd({**ITEM, "id": "r2", "encrypted_content": "y"}, "reasoning"), CallDelta("c", "c", "f", "{}")],
        ),
        (
            v0({"id": "r3", "summary": [{"text": "d"}, {"text": "e"}]}),
            [
                ReasoningDelta("d"),
                BlockEnd({**ITEM, "id": "r3"}),
                ReasoningDelta("e"),
            ],
        ),
        ({**v0(None), "response_metadata": {"status": "in_progress"}}, []),
        (
            {**v0(None), "response_metadata": {"status": "completed", "id": "resp", "model_name": "m"}},
            [BlockEnd({**ITEM, "id": "r3"}), Finish("stop")],
        ),
        (
            {
                **v0(None),
                "response_metadata": {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            },
            [Finish("content_filter")],
        ),
    ],
}


def part_start(index: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"event_kind": "part_start", "index": index, "part": {"part_kind": kind, **fields}}


def part_delta(index: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"event_kind": "part_delta", "index": index, "delta": {"part_delta_kind": kind, **fields}}


PYDANTIC_AI: dict[str, Stream] = {
    "parts": [
        ({"event_kind": "part_start", "index": 0, "part": {"part_kind": "text", "content": "H"}}, [TextDelta("H")]),
        (
            {"event_kind": "part_delta", "index": 0, "delta": {"part_delta_kind": "text", "content_delta": "i"}},
            [TextDelta("i")],
        ),
        ({"event_kind": "part_end", "index": 0, "part": {"part_kind": "text", "content": "Hi"}}, []),
        ({"event_kind": "part_start", "index": 1, "part": {"part_kind": "thinking", "content": ""}}, [BlockEnd()]),
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
        ({"event_kind": "final_result", "tool_name": None, "tool_call_id": None}, []),
    ],
    "what the provider wants back": [
        (part_start(0, "thinking", content="", id="r", provider_name="p"), []),
        (part_delta(0, "thinking", content_delta="Hm"), [ReasoningDelta("Hm")]),
        (part_delta(0, "thinking", signature_delta="xx", provider_name="p"), []),
        (
            part_start(1, "thinking", content="", signature="yy", provider_name="p"),
            [BlockEnd({"id": "r", "signature": "xx", "provider_name": "p"}, "reasoning")],
        ),
        (
            {"event_kind": "part_end", "index": 1, "part": {"part_kind": "thinking", "signature": "zz"}},
            [BlockEnd({"signature": "zz", "provider_name": "p"}, "reasoning")],
        ),
        (part_start(2, "text", content="a", id="m", provider_details={"phase": "x"}), [TextDelta("a")]),
        (
            part_start(3, "text", content="b"),
            [BlockEnd({"id": "m", "provider_details": {"phase": "x"}}), TextDelta("b")],
        ),
        (
            part_start(4, "tool-call", tool_name="f", args="{}", tool_call_id="c", id="fc"),
            [CallDelta("c", "c", "f", "{}", state={"id": "fc"})],
        ),
        (
            part_start(5, "compaction", content=None, id="k", provider_name="p"),
            [BlockEnd({"type": "compaction", "content": "", "id": "k", "provider_name": "p"}, "reasoning")],
        ),
    ],
    "a signature of Claude's is Anthropic's own": [
        (part_start(0, "thinking", content="Hm", signature="xx", provider_name="anthropic"), [ReasoningDelta("Hm")]),
        (
            part_start(1, "thinking", content="", signature="yy", provider_name="bedrock", id="redacted_content"),
            [
                BlockEnd(
                    {"interface": "anthropic", "signature": "xx", "provider_name": "anthropic"},
                    "reasoning",
                )
            ],
        ),
        (
            part_start(2, "text", content="Hi", id="m", provider_name="anthropic"),
            [
                BlockEnd({"id": "redacted_content", "signature": "yy", "provider_name": "bedrock"}, "reasoning"),
                TextDelta("Hi"),
            ],
        ),
        (
            {"event_kind": "part_end", "index": 2, "part": {"part_kind": "text"}},
            [BlockEnd({"id": "m", "provider_name": "anthropic"}, "")],
        ),
    ],
    "what the provider runs, and files": [
        (
            part_start(0, "builtin-tool-call", tool_name="web_search", args=None, tool_call_id="c"),
            [CallDelta("c", "c", "web_search", is_server=True)],
        ),
        (
            part_delta(0, "tool_call", args_delta='{"q": 1}', tool_call_id="c"),
            [CallDelta("c", arguments='{"q": 1}', is_server=True)],
        ),
        ({"event_kind": "part_end", "index": 0, "part": {"part_kind": "builtin-tool-call"}}, [CallEnd("c")]),
        (
            part_start(1, "builtin-tool-return", tool_name="web_search", content=[1], tool_call_id="c"),
            [ServerResult("[1]", "web_search", "c")],
        ),
        (
            part_start(2, "builtin-tool-return", tool_name="web_search", content="a", tool_call_id="c", id="x"),
            [ServerResult("a", "web_search", "c", {"id": "x"})],
        ),
        (
            part_start(3, "file", content={"data": b"xx", "media_type": "image/png"}),
            [File({"media_type": "image/png"}, "eHg=")],
        ),
        (part_start(3, "file", content={"data": b"xx"}), [File({}, "eHg=")]),
        (part_start(3, "file", content=None), []),
        (part_start(4, "speech", content="x"), []),
        (part_delta(9, "tool_call", args_delta="{}"), []),
    ],
}

OPENAI_AGENTS: dict[str, Stream] = {
    "raw events": [
        ({"type": "raw_response_event", "data": response("output_text.delta", delta="Hi")}, [TextDelta("Hi")]),
        ({"type": "run_item_stream_event", "name": "message_output_created", "item": {}}, []),
        ({"type": "agent_updated_stream_event", "new_agent": {}}, []),
    ],
}

OPENAI_STREAM: dict[str, Stream] = {
    "chunks, and events that repeat them": [
        ({"type": "chunk", "chunk": chat(content="Hi"), "snapshot": {}}, [TextDelta("Hi")]),
        ({"type": "content.delta", "delta": "Hi", "snapshot": "Hi", "parsed": None}, []),
        (
            {"type": "chunk", "chunk": calls(call(0, "c1", "f", "{}")), "snapshot": {}},
            [CallDelta("c1", "c1", "f", "{}")],
        ),
        ({"type": "tool_calls.function.arguments.delta", "name": "f", "index": 0, "arguments": "{}"}, []),
        ({"type": "chunk", "chunk": chat("tool_calls"), "snapshot": {}}, [Finish("tool_calls")]),
        ({"type": "content.done", "content": "Hi", "parsed": None}, []),
        ({"type": "tool_calls.function.arguments.done", "name": "f", "index": 0, "arguments": "{}"}, []),
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
                CallDelta("c", "c", "f", "{}", state={"reasoning_field": "reasoning"}),
            ],
        ),
        ({"content": "Hi", "role": "user"}, []),
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
    "cohere": COHERE,
    "langchain": LANGCHAIN,
    "pydantic_ai": PYDANTIC_AI,
    "openai_agents": OPENAI_AGENTS,
    "openai_stream": OPENAI_STREAM,
    "others": OTHERS,
}
