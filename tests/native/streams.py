"""Streams that one provider sends, or that are given to the handler as they are, and what must come of them."""

from __future__ import annotations

from typing import Any

from streamparse import Chunk, Limits, ParserConfig, ToolSpec
from tests.native.kit import (
    BY_ERROR,
    BY_FILTER,
    BY_LENGTH,
    SENTENCE,
    Case,
    content,
    cut,
    end,
    inv,
    kind,
    reasoning,
    segment,
    start,
    text,
    tool,
    xml_start,
)
from tests.native.states import stated
from tests.providers.cases import block, call, calls, chat, grow, item, message_delta, parts, response, stop

DONE = chat("tool_calls")
LENGTH = chat("length")


def more(index: int, arguments: str) -> dict[str, Any]:
    """A later piece of the call at `index`."""
    return calls(call(index, arguments=arguments))


def added(name: str, number: int = 1, kind: str = "function_call") -> dict[str, Any]:
    ids = {"id": None, "call_id": f"c{number}", "name": name}
    return response("output_item.added", output_index=number, item=item(kind, **ids))


def grown(delta: str, number: int = 1, kind: str = "function_call_arguments") -> dict[str, Any]:
    return response(f"{kind}.delta", output_index=number, delta=delta)


def done(arguments: str, number: int = 1, kind: str = "function_call_arguments") -> dict[str, Any]:
    field = "arguments" if kind == "function_call_arguments" else "input"
    return response(f"{kind}.done", output_index=number, **{field: arguments})


def item_done(name: str, arguments: str, number: int = 1, **fields: Any) -> dict[str, Any]:
    ids = {"id": None, "call_id": f"c{number}", "name": name}
    return response("output_item.done", output_index=number, item=item(**ids, arguments=arguments, **fields))


COMPLETED = response("completed", response={"status": "completed"})
INPUT = "custom_tool_call_input"


def use(index: int, name: str, call_id: str = "c1") -> dict[str, Any]:
    return block(index, type="tool_use", id=call_id, name=name, input={})


def json_delta(index: int, piece: str) -> dict[str, Any]:
    return grow(index, "input_json_delta", partial_json=piece)


def ollama(done_reason: str | None = None, **message: Any) -> dict[str, Any]:
    ending = {"done": True, "done_reason": done_reason} if done_reason else {"done": False}
    return {"model": "m", "message": {"role": "assistant", "content": "", **message}, **ending}


def function(name: str, arguments: Any) -> dict[str, Any]:
    return {"function": {"name": name, "arguments": arguments}}


NAMES = [
    Case(
        "a name in pieces",
        [calls(call(0, "c1", "get_", "")), calls(call(0, None, "time", "")), more(0, "{}"), DONE],
        tool(1, "get_time", "{}"),
        [inv(1, {})],
    ),
    Case(
        "a kind's name in pieces",
        [
            calls(call(0, "c1", "write_", "")),
            calls(call(0, None, "file", "")),
            more(0, '{"path": "a", "content": "x"}'),
        ],
        kind(1, "write_file", "x", path="a"),
        [inv(1, {"path": "a", "content": "x"})],
    ),
    Case(
        "a name that continues the name of a kind",
        [calls(call(0, "c1", "run_bash", "")), calls(call(0, None, "_2", "")), more(0, '{"command": "ls"}'), DONE],
        tool(1, "run_bash_2", '{"command": "ls"}'),
        [inv(1, {"command": "ls"})],
    ),
    Case(
        "a declared name that another one continues",
        [calls(call(0, "c1", "f", "")), calls(call(0, None, "_all", "")), more(0, "{}"), DONE],
        tool(1, "f_all", "{}"),
        [inv(1, {})],
        {"tools": [ToolSpec("f"), ToolSpec("f_all")]},
    ),
    Case(
        "id and name on every chunk",
        [calls(call(0, "c1", "f", '{"a"')), calls(call(0, "c1", "f", ": 1")), calls(call(0, "c1", "f", "}")), DONE],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
    ),
    Case(
        "empty names and missing arguments on later chunks",
        [calls(call(0, "c1", "f", None)), calls(call(0, "", "", '{"a": 1}')), calls(call(0, "", "", None)), DONE],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
    ),
    Case(
        "a name behind the arguments: they are held",
        [calls(call(0, "c1", None, '{"a": ')), calls(call(0, None, None, "1")), calls(call(0, None, "f", "}")), DONE],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
    ),
    Case(
        "a kind's name behind the arguments",
        [calls(call(0, "c1", None, '{"path": "a", "con')), calls(call(0, None, "write_file", 'tent": "x"}')), DONE],
        kind(1, "write_file", "x", path="a"),
        [inv(1, {"path": "a", "content": "x"})],
    ),
    Case(
        "no name",
        [calls(call(0, "c1", None, '{"a": 1}')), DONE],
        [start(1, "tool_call", call_id="c1"), content(1, '{"a": 1}'), end(1, "malformed", "the call has no name")],
        [inv(1, {})],
    ),
    Case(
        "no name, cut by the length",
        [calls(call(0, "c1", None, '{"a": 1}')), LENGTH],
        cut(BY_LENGTH, [start(1, "tool_call", call_id="c1"), content(1, '{"a": 1}'), end(1, "truncated")]),
        [inv(1, {"a": 1})],
    ),
    Case(
        "no name, cut in the arguments",
        [calls(call(0, "c1", None, '{"a": '))],
        [start(1, "tool_call", call_id="c1"), content(1, '{"a": '), end(1, "truncated")],
        [inv(1, {})],
    ),
]

EMPTY = [
    Case(
        "no arguments at an ordinary finish",
        [calls(call(0, "c1", "f", "")), DONE],
        tool(1, "f", ""),
        [inv(1, {})],
    ),
    Case(
        "no arguments at a cut",
        [calls(call(0, "c1", "f", "")), LENGTH],
        cut(BY_LENGTH, tool(1, "f", "", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "no arguments at finalize",
        [calls(call(0, "c1", "f", ""))],
        tool(1, "f", "", "truncated"),
        [inv(1, {})],
    ),
    Case(
        "blanks for arguments at an ordinary finish",
        [calls(call(0, "c1", "f", "")), more(0, " "), LENGTH],
        cut(BY_LENGTH, tool(1, "f", " ", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "write_file without arguments at an ordinary finish",
        [calls(call(0, "c1", "write_file", "")), DONE],
        kind(1, "write_file", "", "malformed", "path is missing"),
        [inv(1, {})],
    ),
    Case(
        "run_bash without arguments at an ordinary finish",
        [calls(call(0, "c1", "run_bash", "")), DONE],
        kind(1, "run_bash", "", "malformed", "command is missing"),
        [inv(1, {})],
    ),
    Case(
        "write_file without arguments at a cut",
        [calls(call(0, "c1", "write_file", "")), LENGTH],
        cut(BY_LENGTH, kind(1, "write_file", "", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "run_bash without arguments at finalize",
        [calls(call(0, "c1", "run_bash", ""))],
        kind(1, "run_bash", "", "truncated"),
        [inv(1, {})],
    ),
    Case(
        "anthropic: no arguments at a stop",
        [use(0, "f"), stop(0), message_delta("tool_use")],
        tool(1, "f", "{}"),
        [inv(1, {})],
    ),
    Case(
        "anthropic: no arguments at a stop, and text follows",
        [use(0, "f"), stop(0), block(1, type="text", text=""), grow(1, "text_delta", text="Hi"), stop(1)],
        [*tool(1, "f", "{}"), *text(2, "Hi")],
        [inv(1, {})],
    ),
    Case(
        "anthropic: run_bash without arguments at a stop",
        [use(0, "run_bash"), stop(0), message_delta("tool_use")],
        kind(1, "run_bash", "", "malformed", "command is missing"),
        [inv(1, {})],
    ),
    Case(
        "anthropic: stopped by the length before any argument",
        [use(0, "f"), stop(0), message_delta("max_tokens")],
        cut(BY_LENGTH, tool(1, "f", "", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "anthropic: stopped, and the stream breaks off",
        [use(0, "f"), stop(0)],
        tool(1, "f", "", "truncated"),
        [inv(1, {})],
    ),
    Case(
        "anthropic: all arguments at the start",
        [block(0, type="tool_use", id="c1", name="f", input={"a": "é"}), stop(0), message_delta("tool_use")],
        tool(1, "f", '{"a": "é"}'),
        [inv(1, {"a": "é"})],
    ),
    Case(
        "responses: no arguments when the item is done",
        [added("f"), done(""), item_done("f", "", status="completed"), COMPLETED],
        tool(1, "f", ""),
        [inv(1, {})],
    ),
    Case(
        "responses: incomplete before any argument",
        [
            *(added("f"), done(""), item_done("f", "", status="incomplete")),
            response("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}}),
        ],
        cut(BY_LENGTH, tool(1, "f", "", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "bedrock: no arguments",
        [
            {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "c1", "name": "f"}}}},
            {"contentBlockStop": {"contentBlockIndex": 0}},
            {"messageStop": {"stopReason": "tool_use"}},
        ],
        tool(1, "f", "{}"),
        [inv(1, {})],
    ),
]

IDS = [
    Case(
        "no id",
        [calls(call(0, None, "f", '{"a": 1}')), DONE],
        tool(1, "f", '{"a": 1}', call_id=None),
        [inv(1, {"a": 1})],
    ),
    Case(
        "an id that comes with the first arguments",
        [calls(call(0, None, "f", "")), calls(call(0, "c1", None, "{}")), DONE],
        tool(1, "f", "{}"),
        [inv(1, {})],
    ),
    Case(
        "an id that comes before the path is complete",
        [calls(call(0, None, "write_file", '{"path": ')), calls(call(0, "c1", None, '"a", "content": "x"}')), DONE],
        kind(1, "write_file", "x", path="a"),
        [inv(1, {"path": "a", "content": "x"})],
    ),
    Case(
        "no index: a new id is a new call",
        [
            *(calls(call(None, "c1", "f", '{"a": ')), calls(call(None, None, None, "1}"))),
            *(calls(call(None, "c2", "f", '{"a": 2}')), chat("stop")),
        ],
        [*tool(1, "f", '{"a": 1}'), *tool(2, "f", '{"a": 2}', call_id="c2")],
        [inv(1, {"a": 1}), inv(2, {"a": 2})],
    ),
    Case(
        "index always 0: a new id is a new call",
        [calls(call(0, "c1", "f", '{"a": 1}'), call(0, "c2", "g", '{"a": ')), more(0, "2}"), DONE],
        [*tool(1, "f", '{"a": 1}'), *tool(2, "g", '{"a": 2}', call_id="c2")],
        [inv(1, {"a": 1}), inv(2, {"a": 2})],
    ),
    Case(
        "one id under several indexes",
        [calls(call(0, "c1", "f", '{"a": ')), calls(call(1, "c1", None, "1")), more(1, "}"), DONE],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
    ),
    Case(
        "no id and no index: a name behind complete arguments",
        [calls(call(None, None, "f", '{"a": 1}')), calls(call(None, None, "f", '{"a": 2}')), DONE],
        [*tool(1, "f", '{"a": 1}', call_id=None), *tool(2, "f", '{"a": 2}', call_id=None)],
        [inv(1, {"a": 1}), inv(2, {"a": 2})],
    ),
    Case(
        "the ids of the next reply begin again",
        [calls(call(0, "c1", "f", "{}")), chat("stop"), calls(call(0, "c1", "run_bash", '{"command": "ls"}')), DONE],
        [*tool(1, "f", "{}"), *kind(2, "run_bash", "ls")],
        [inv(1, {}), inv(2, {"command": "ls"})],
    ),
    Case(
        "mistral: an envelope, no ids, whole arguments",
        [{"data": calls(call(0, "null", "f", {"a": 1}), call(0, "null", "f", {"a": 2}))}, {"data": DONE}],
        [*tool(1, "f", '{"a": 1}', call_id=None), *tool(2, "f", '{"a": 2}', call_id=None)],
        [inv(1, {"a": 1}), inv(2, {"a": 2})],
    ),
    Case(
        "the old function_call",
        [
            *(chat(function_call={"name": "f", "arguments": ""}), chat(function_call={"arguments": '{"a": '})),
            *(chat(function_call={"arguments": "1}"}), chat("function_call")),
        ],
        tool(1, "f", '{"a": 1}', call_id=None),
        [inv(1, {"a": 1})],
    ),
]

PARALLEL = [
    Case(
        "two calls interleave",
        [
            calls(call(0, "c1", "f", '{"a": '), call(1, "c2", "g", '{"b": ')),
            calls(call(1, arguments="2"), call(0, arguments="1")),
            calls(call(0, arguments="}"), call(1, arguments="}")),
            DONE,
        ],
        [
            *(start(1, "tool_call", tool_name="f", call_id="c1"), content(1, '{"a": ')),
            *(start(2, "tool_call", tool_name="g", call_id="c2"), content(2, '{"b": 2')),
            *(content(1, "1}"), content(2, "}"), end(1), end(2)),
        ],
        [inv(1, {"a": 1}), inv(2, {"b": 2})],
    ),
    Case(
        "two kinds interleave, cut in their escapes",
        [
            calls(call(0, "c1", "write_file", '{"path": "a", "content": "x\\ud83d')),
            calls(call(1, "c2", "run_bash", '{"command": "l\\u00e')),
            more(0, '\\ude00"'),
            more(1, '9"'),
            calls(call(0, arguments="}"), call(1, arguments="}")),
            DONE,
        ],
        [
            *(start(1, "write_file", tool_name="write_file", call_id="c1", path="a"), content(1, "x")),
            *(start(2, "run_bash", tool_name="run_bash", call_id="c2"), content(2, "l")),
            *(content(1, "😀"), content(2, "é"), end(1), end(2)),
        ],
        [inv(1, {"path": "a", "content": "x😀"}), inv(2, {"command": "lé"})],
    ),
    Case(
        "a complete call ends where the next one begins, an incomplete one stays open",
        [
            *(calls(call(0, "c1", "f", '{"a": 1}')), calls(call(1, "c2", "f", '{"a": '))),
            *(calls(call(2, "c3", "f", '{"a": 3}')), more(1, "2}"), DONE),
        ],
        [
            *tool(1, "f", '{"a": 1}'),
            *(start(2, "tool_call", tool_name="f", call_id="c2"), content(2, '{"a": ')),
            *(start(3, "tool_call", tool_name="f", call_id="c3"), content(3, '{"a": 3}')),
            *(content(2, "2}"), end(2), end(3)),
        ],
        [inv(1, {"a": 1}), inv(2, {"a": 2}), inv(3, {"a": 3})],
    ),
    Case(
        "text interleaves with an incomplete call",
        [calls(call(0, "c1", "f", '{"a": ')), chat(content="hm"), more(0, "1}"), chat(content=" so"), DONE],
        [
            *(start(1, "tool_call", tool_name="f", call_id="c1"), content(1, '{"a": ')),
            *(start(2, "text"), content(2, "hm"), content(1, "1}"), end(1), content(2, " so"), end(2)),
        ],
        [inv(1, {"a": 1})],
    ),
    Case(
        "text ends a complete call, though nothing of it can be shown yet",
        [calls(call(0, "c1", "f", "{}")), chat(content="<thi"), chat(content="nk>a</think>"), DONE],
        [*tool(1, "f", "{}"), *reasoning(2, "a")],
        [inv(1, {})],
    ),
    Case(
        "blanks behind a complete call are its own",
        [calls(call(0, "c1", "f", "{}")), more(0, " \n"), DONE],
        tool(1, "f", "{} \n"),
        [inv(1, {})],
    ),
    Case(
        "responses: parallel items, ended in another order",
        [
            *(added("f", 1), added("run_bash", 2), grown('{"a": ', 1), grown('{"command": "l', 2), grown('s"}', 2)),
            *(done('{"command": "ls"}', 2), grown("1}", 1), done('{"a": 1}', 1), COMPLETED),
        ],
        [
            *(start(1, "tool_call", tool_name="f", call_id="c1"),),
            *(start(2, "run_bash", tool_name="run_bash", call_id="c2"), content(1, '{"a": ')),
            *(content(2, "ls"), end(2), content(1, "1}"), end(1)),
        ],
        [inv(2, {"command": "ls"}), inv(1, {"a": 1})],
    ),
    Case(
        "anthropic: blocks that overlap",
        [
            *(
                use(0, "f", "c1"),
                json_delta(0, '{"a": '),
                use(1, "write_file", "c2"),
                json_delta(1, '{"content": "x", '),
            ),
            *(json_delta(0, "1}"), stop(0), json_delta(1, '"path": "b"}'), stop(1), message_delta("tool_use")),
        ],
        [
            *(start(1, "tool_call", tool_name="f", call_id="c1"), content(1, '{"a": 1}'), end(1)),
            *kind(2, "write_file", "x", path="b", call_id="c2"),
        ],
        [inv(1, {"a": 1}), inv(2, {"path": "b", "content": "x"})],
    ),
]

WHOLE = [
    Case(
        "ollama: objects are written as JSON",
        [ollama(tool_calls=[function("f", {"a": "é\n", "b": [1, None]}), function("g", {})]), ollama("stop")],
        [*tool(1, "f", '{"a": "é\\n", "b": [1, null]}', call_id=None), *tool(2, "g", "{}", call_id=None)],
        [inv(1, {"a": "é\n", "b": [1, None]}), inv(2, {})],
    ),
    Case(
        "ollama: thinking, text, kinds",
        [
            *(ollama(thinking="H"), ollama(thinking="m"), ollama(content="Hi")),
            ollama(tool_calls=[function("write_file", {"path": "a", "content": 'é "x"\n', "mode": 1})]),
            ollama(tool_calls=[function("run_bash", {"timeout": 5, "command": "ls"})]),
            ollama("stop"),
        ],
        [
            *(*reasoning(1, "Hm"), *text(2, "Hi")),
            *kind(3, "write_file", 'é "x"\n', path="a", call_id=None, late={"mode": 1}),
            *kind(4, "run_bash", "ls", call_id=None, late={"timeout": 5}),
        ],
        [inv(3, {"path": "a", "content": 'é "x"\n', "mode": 1}), inv(4, {"timeout": 5, "command": "ls"})],
    ),
    Case(
        "ollama: a kind without its body",
        [ollama(tool_calls=[function("write_file", {"path": "a"})]), ollama("stop")],
        kind(1, "write_file", "", "malformed", "content is missing", path="a", call_id=None),
        [inv(1, {"path": "a"})],
    ),
    Case(
        "ollama: a whole call is complete although the reply was cut behind it",
        [ollama(tool_calls=[function("f", {})]), ollama("length")],
        tool(1, "f", "{}", call_id=None),
        [inv(1, {})],
    ),
    Case(
        "google: thoughts, text, calls",
        [
            parts({"text": "Hm", "thought": True}, {"text": "Hi"}),
            parts({"function_call": {"id": None, "name": "f", "args": {"a": 1}}}),
            parts({"function_call": {"id": "c2", "name": "run_bash", "args": {"command": "ls"}}}, finish_reason="STOP"),
        ],
        [
            *(*reasoning(1, "Hm"), *text(2, "Hi"), *tool(3, "f", '{"a": 1}', call_id=None)),
            *kind(4, "run_bash", "ls", call_id="c2"),
        ],
        [inv(3, {"a": 1}), inv(4, {"command": "ls"})],
    ),
    Case(
        "google: no arguments",
        [parts({"functionCall": {"id": "c1", "name": "f"}}, finishReason="STOP")],
        tool(1, "f", "{}"),
        [inv(1, {})],
    ),
    Case(
        "google: streamed arguments",
        [
            parts({"function_call": {"id": "c1", "name": "write_file", "will_continue": True}}),
            parts(
                {
                    "function_call": {
                        "will_continue": True,
                        "partial_args": [
                            {"json_path": "$.path", "string_value": "a"},
                            {"json_path": "$.content", "string_value": "x\n", "will_continue": True},
                        ],
                    }
                }
            ),
            parts(
                {
                    "function_call": {
                        "will_continue": True,
                        "partial_args": [{"json_path": "$.content", "string_value": "y"}],
                    }
                }
            ),
            parts({"function_call": {}}),
            parts(finish_reason="STOP"),
        ],
        kind(1, "write_file", "x\ny", path="a"),
        [inv(1, {"path": "a", "content": "x\ny"})],
    ),
    Case(
        "google: streamed arguments that break off",
        [
            parts({"function_call": {"id": "c1", "name": "f", "will_continue": True}}),
            parts(finish_reason="MAX_TOKENS"),
        ],
        cut(BY_LENGTH, tool(1, "f", "{", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "chat: whole arguments",
        [calls(call(0, "c1", "write_file", {"path": "a", "content": "x"}), call(1, "c2", "f", {})), DONE],
        [*kind(1, "write_file", "x", path="a"), *tool(2, "f", "{}", call_id="c2")],
        [inv(1, {"path": "a", "content": "x"}), inv(2, {})],
    ),
    Case(
        "chat: a whole message",
        [
            {
                "object": "chat.completion",
                "choices": [
                    {
                        "index": 0,
                        "message": {"content": "Hi", "tool_calls": [call(None, "c1", "run_bash", '{"command": "ls"}')]},
                        "finish_reason": "tool_calls",
                    }
                ],
            }
        ],
        [*text(1, "Hi"), *kind(2, "run_bash", "ls")],
        [inv(2, {"command": "ls"})],
    ),
    Case(
        "langchain: chunks of calls",
        [
            {"content": "Hi", "tool_call_chunks": []},
            {"content": "", "tool_call_chunks": [{"index": 0, "id": "c1", "name": "run_bash", "args": ""}]},
            {"content": "", "tool_call_chunks": [{"index": 0, "id": None, "name": None, "args": '{"command": '}]},
            {"content": "", "tool_call_chunks": [{"index": 0, "id": None, "name": None, "args": '"ls"}'}]},
            {"content": "", "tool_call_chunks": [], "response_metadata": {"finish_reason": "tool_calls"}},
        ],
        [*text(1, "Hi"), *kind(2, "run_bash", "ls")],
        [inv(2, {"command": "ls"})],
    ),
    Case(
        "pydantic-ai: parts",
        [
            {"event_kind": "part_start", "index": 0, "part": {"part_kind": "thinking", "content": "Hm"}},
            {
                "event_kind": "part_start",
                "index": 1,
                "part": {"part_kind": "tool-call", "tool_name": "write_file", "args": None, "tool_call_id": "c1"},
            },
            {
                "event_kind": "part_delta",
                "index": 1,
                "delta": {"part_delta_kind": "tool_call", "args_delta": '{"path": "a", "content": "x\\n"}'},
            },
            {"event_kind": "part_end", "index": 1, "part": {}},
        ],
        [*reasoning(1, "Hm"), *kind(2, "write_file", "x\n", path="a")],
        [inv(2, {"path": "a", "content": "x\n"})],
    ),
    Case(
        "google interactions: steps",
        [
            {
                "event_type": "step.start",
                "index": 1,
                "step": {"type": "function_call", "id": "c1", "name": "patch_file"},
            },
            {
                "event_type": "step.delta",
                "index": 1,
                "delta": {"type": "arguments_delta", "arguments": '{"path": "a", "patch": "@@"}'},
            },
            {"event_type": "step.stop", "index": 1},
            {"event_type": "interaction.completed", "interaction": {"status": "requires_action"}},
        ],
        kind(1, "patch_file", "@@", path="a"),
        [inv(1, {"path": "a", "patch": "@@"})],
    ),
    Case(
        "openai-agents: an envelope around responses",
        [
            {"type": "raw_response_event", "data": chunk}
            for chunk in (added("f"), grown('{"a": 1}'), done('{"a": 1}'), COMPLETED)
        ],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
    ),
    Case(
        "responses: the item is known when it is done only",
        [item_done("f", '{"a": 1}', status="completed"), COMPLETED],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
    ),
]


def two_calls(finish: dict[str, Any] | None) -> list[Any]:
    """One call that the next one has ended, and one that is open, with whole arguments."""
    chunks = [calls(call(0, "c1", "f", '{"a": 1}')), calls(call(1, "c2", "run_bash", '{"command": "ls"}'))]
    return chunks if finish is None else [*chunks, finish]


def two_ended(status: str | None) -> list[Any]:
    return [*tool(1, "f", '{"a": 1}'), *kind(2, "run_bash", "ls", status, call_id="c2")]


BOTH = [inv(1, {"a": 1}), inv(2, {"command": "ls"})]

ENDS = [
    *[
        Case(f"finish reason {reason}: open calls are complete", two_calls(chat(reason)), two_ended(None), BOTH)
        for reason in ("stop", "tool_calls", "function_call", "some_new_word")
    ],
    *[
        Case(
            f"finish reason {reason}: open calls are truncated",
            two_calls(chat(reason)),
            cut(why, two_ended("truncated")),
            BOTH,
        )
        for reason, why in [
            *(("length", BY_LENGTH), ("error", BY_ERROR), ("content_filter", BY_FILTER), ("max_tokens", BY_LENGTH))
        ]
    ],
    Case("no finish reason: whole arguments are complete", two_calls(None), two_ended(None), BOTH),
    Case(
        "an ordinary finish in the middle of the arguments",
        [calls(call(0, "c1", "f", '{"a": ')), chat("stop")],
        tool(1, "f", '{"a": ', "truncated"),
        [inv(1, {})],
    ),
    Case(
        "two finishes",
        [calls(call(0, "c1", "f", "{}")), DONE, LENGTH],
        tool(1, "f", "{}"),
        [inv(1, {})],
    ),
    Case(
        "anthropic: a call that was stopped is complete, the next one is cut",
        [
            *(use(0, "f"), json_delta(0, "{}"), stop(0), use(1, "write_file", "c2")),
            *(json_delta(1, '{"path": "a", "content": "x'), stop(1), message_delta("max_tokens")),
        ],
        [*tool(1, "f", "{}"), *kind(2, "write_file", "x", "truncated", path="a", call_id="c2")],
        [inv(1, {}), inv(2, {"path": "a", "content": "x"})],
    ),
    Case(
        "anthropic: no stop, and the length",
        [use(0, "f"), json_delta(0, "{}"), message_delta("max_tokens")],
        cut(BY_LENGTH, tool(1, "f", "{}", "truncated")),
        [inv(1, {})],
    ),
    Case(
        "responses: done with arguments that are not whole",
        [added("f"), grown('{"a": '), done('{"a": '), COMPLETED],
        tool(1, "f", '{"a": ', "truncated"),
        [inv(1, {})],
    ),
    Case(
        "responses: incomplete, nobody says why",
        [added("f"), grown('{"a": 1}'), response("incomplete", response={})],
        cut(BY_LENGTH, tool(1, "f", '{"a": 1}', "truncated")),
        [inv(1, {"a": 1})],
    ),
    Case(
        "responses: cancelled",
        [added("f"), grown('{"a": 1}'), response("cancelled")],
        cut(": it was cancelled", tool(1, "f", '{"a": 1}', "truncated")),
        [inv(1, {"a": 1})],
    ),
    Case(
        "bedrock: cut",
        [
            {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "c1", "name": "f"}}}},
            {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"toolUse": {"input": '{"a": 1'}}}},
            {"contentBlockStop": {"contentBlockIndex": 0}},
            {"messageStop": {"stopReason": "max_tokens"}},
        ],
        tool(1, "f", '{"a": 1', "truncated"),
        [inv(1, {})],
    ),
    Case(
        "reasoning that was open when the reply was cut",
        [chat(reasoning="Hm"), LENGTH],
        cut(BY_LENGTH, reasoning(1, "Hm", "truncated")),
        [],
    ),
    Case(
        "text that was open when the reply was cut",
        [chat(content="Hi"), LENGTH],
        cut(BY_LENGTH, text(1, "Hi", "truncated")),
        [],
    ),
    Case(
        "text that was held when the reply was cut",
        [chat(content="Hi <thi"), chat("content_filter")],
        cut(BY_FILTER, text(1, "Hi <thi", "truncated")),
        [],
    ),
    Case(
        "what comes behind a cut is read",
        [chat(content="Hi"), LENGTH, chat(content="again"), DONE],
        [*cut(BY_LENGTH, text(1, "Hi", "truncated")), *text(2, "again")],
        [],
    ),
    Case(
        "blanks for a call that has ended are ignored",
        [added("f"), grown("{}"), done("{}"), grown(" \n"), COMPLETED],
        tool(1, "f", "{}"),
        [inv(1, {})],
    ),
    Case(
        "arguments for a call that has ended make another one, which is malformed",
        [added("f"), grown("{}"), done("{}"), grown("{}"), COMPLETED],
        [*tool(1, "f", "{}"), *tool(2, "f", "{}", "malformed", SENTENCE)],
        [inv(1, {}), inv(2, {})],
    ),
]

#: What OpenAI wants back with raw text.
CUSTOM = {1: {"type": "custom_tool_call"}}
RAW = [
    Case(
        "raw text for another tool is the argument `input`",
        [
            *(added("sql", kind="custom_tool_call"), grown('select "a"\n', kind=INPUT), grown("\\ é\t", kind=INPUT)),
            *(done('select "a"\n\\ é\t', kind=INPUT), COMPLETED),
        ],
        stated(tool(1, "sql", '{"input": "select \\"a\\"\\n\\\\ é\\t"}'), CUSTOM),
        [inv(1, {"input": 'select "a"\n\\ é\t'})],
    ),
    Case(
        "raw text for a kind is its body",
        [
            added("run_bash", kind="custom_tool_call"),
            grown("ls \\n", kind=INPUT),
            done("ls \\n", kind=INPUT),
            COMPLETED,
        ],
        stated(kind(1, "run_bash", "ls \\n"), CUSTOM),
        [inv(1, {"command": "ls \\n"})],
    ),
    Case(
        "raw text for write_file needs no path",
        [
            added("write_file", kind="custom_tool_call"),
            grown('{"path"', kind=INPUT),
            done('{"path"', kind=INPUT),
            COMPLETED,
        ],
        stated(kind(1, "write_file", '{"path"'), CUSTOM),
        [inv(1, {"content": '{"path"'})],
    ),
    Case(
        "raw text for a declared kind",
        [
            added("apply_patch", kind="custom_tool_call"),
            grown("*** Begin\n", kind=INPUT),
            done("*** Begin\n", kind=INPUT),
            COMPLETED,
        ],
        stated(kind(1, "patch_file", "*** Begin\n", name="apply_patch"), CUSTOM),
        [inv(1, {"patch": "*** Begin\n"})],
        {"tools": [ToolSpec("apply_patch", kind="patch_file")]},
    ),
    Case(
        "raw text in chat",
        [calls({"index": 0, "id": "c1", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}), DONE],
        stated(tool(1, "sql", '{"input": "select 1"}'), {1: {"type": "custom"}}, "openai-chat"),
        [inv(1, {"input": "select 1"})],
    ),
    Case(
        "raw text that is cut",
        [
            *(added("sql", kind="custom_tool_call"), grown("select", kind=INPUT)),
            response("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}}),
        ],
        cut(BY_LENGTH, stated(tool(1, "sql", '{"input": "select', "truncated"), CUSTOM)),
        [inv(1, {})],
    ),
    Case(
        "raw text of a kind that is cut",
        [
            *(added("run_bash", kind="custom_tool_call"), grown("rm -rf /", kind=INPUT)),
            response("incomplete", response={"incomplete_details": {"reason": "max_output_tokens"}}),
        ],
        cut(BY_LENGTH, stated(kind(1, "run_bash", "rm -rf /", "truncated"), CUSTOM)),
        [inv(1, {"command": "rm -rf /"})],
    ),
]

F = calls(call(0, "c1", "f", "{}"))

FORMATS = [
    Case(
        "native alone: tags are text",
        ['<write_file path="a">x</write_file>', F, '<tool name="q"></tool>'],
        [*text(1, '<write_file path="a">x</write_file>'), *tool(2, "f", "{}"), *text(3, '<tool name="q"></tool>')],
        [inv(2, {})],
    ),
    Case(
        "native alone: JSON and sentinels are text",
        ['{"name": "f", "arguments": {}}', F, '[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]'],
        [
            *(*text(1, '{"name": "f", "arguments": {}}'), *tool(2, "f", "{}")),
            *text(3, '[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]'),
        ],
        [inv(2, {})],
    ),
    Case(
        "native alone: reasoning tags are not text",
        ["<think>a</think>b<thinking>c</thinking>"],
        [*reasoning(1, "a"), *text(2, "b"), *reasoning(3, "c")],
        [],
        formats="api_tool_call",
    ),
    *[
        Case(
            f"{name}: calls in text and calls of the provider",
            ['a<run_bash>ls</run_bash>b<tool name="q"><x>1</x></tool>', F, "c<run_bash>pwd</run_bash>"],
            [
                *(*text(1, "a"), xml_start(2, "run_bash"), content(2, "ls"), end(2), *text(3, "b")),
                *(xml_start(4, "tool_call", tool_name="q"), content(4, "<x>1</x>"), end(4)),
                *(*tool(5, "f", "{}"), *text(6, "c"), xml_start(7, "run_bash"), content(7, "pwd"), end(7)),
            ],
            [
                *(inv(2, {"command": "ls"}, name="run_bash"), inv(4, {"x": "1"}), inv(5, {})),
                inv(7, {"command": "pwd"}, name="run_bash"),
            ],
            formats=formats,
        )
        for name, formats in {"native and xml": ["native", "xml"], "xml": "xml"}.items()
    ],
    Case(
        "an open block is truncated where a call begins",
        ['<write_file path="a">half</wri', F, "x</write_file>"],
        [
            *(xml_start(1, "write_file", path="a"), content(1, "half</wri"), end(1, "truncated")),
            *(*tool(2, "f", "{}"), *text(3, "x</write_file>")),
        ],
        [inv(1, {"path": "a", "content": "half</wri"}, name="write_file"), inv(2, {})],
        formats="xml",
    ),
    Case(
        "an open block is truncated where reasoning begins",
        ["<run_bash>ls", Chunk(reasoning="Hm"), " -l</run_bash>"],
        [
            *(xml_start(1, "run_bash"), content(1, "ls"), end(1, "truncated")),
            *(*reasoning(2, "Hm"), *text(3, " -l</run_bash>")),
        ],
        [inv(1, {"command": "ls"}, name="run_bash")],
        formats="xml",
    ),
    Case(
        "a block that waits for its path is truncated where a call begins",
        ['<tool name="write_file"><arg name="content">held', F],
        [
            *(xml_start(1, "write_file", tool_name="write_file"), content(1, "held"), end(1, "truncated")),
            *tool(2, "f", "{}"),
        ],
        [inv(1, {"content": "held"}, raw='<arg name="content">held'), inv(2, {})],
        formats=["native", "xml"],
    ),
    Case(
        "an opening tag that is cut by a call is text",
        ['see <write_file path="a', F, '">x'],
        [*text(1, 'see <write_file path="a'), *tool(2, "f", "{}"), *text(3, '">x')],
        [inv(2, {})],
        formats="xml",
    ),
    Case(
        "a block that goes on while a call is continued is not cut",
        [calls(call(0, "c1", "f", '{"a": ')), "<run_bash>l", more(0, "1}"), "s</run_bash>", DONE],
        [
            *(start(1, "tool_call", tool_name="f", call_id="c1"), content(1, '{"a": ')),
            *(xml_start(2, "run_bash"), content(2, "l"), content(1, "1}"), end(1), content(2, "s"), end(2)),
        ],
        [inv(1, {"a": 1}), inv(2, {"command": "ls"}, name="run_bash")],
        formats="xml",
    ),
    Case(
        "json: what is held is text where a call begins",
        ['{"name": "Bob"', F, "}"],
        [*text(1, '{"name": "Bob"'), *tool(2, "f", "{}"), *text(3, "}")],
        [inv(2, {})],
        formats=["native", "json"],
    ),
    Case(
        "sentinel: what is held is text where a call begins",
        ["[[SEG_START {", F, '"type":"run_bash"}]]'],
        [*text(1, "[[SEG_START {"), *tool(2, "f", "{}"), *text(3, '"type":"run_bash"}]]')],
        [inv(2, {})],
        formats="sentinel",
    ),
    Case(
        "reasoning that the prompt has opened goes on behind a call",
        ["a", F, "b</think>c"],
        [*reasoning(1, "a"), *tool(2, "f", "{}"), *reasoning(3, "b"), *text(4, "c")],
        [inv(2, {})],
        {"config": ParserConfig(reasoning="open")},
    ),
]

CHUNKS = [
    Case(
        "text as str, bytes, Chunk and chunk of a provider is one segment",
        ["a", b"b\xc3", b"\xa9", Chunk("c"), chat(content="d"), {"content": "e"}, ""],
        text(1, "abécde"),
        [],
    ),
    Case(
        "a chunk that has everything: reasoning, text, calls, the end",
        [
            {
                "choices": [
                    {
                        "index": 0,
                        "delta": {"reasoning": "Hm", "content": "Hi", "tool_calls": [call(0, "c1", "f", "{}")]},
                        "finish_reason": "tool_calls",
                    }
                ]
            }
        ],
        [
            *(*reasoning(1, "Hm"), *text(2, "Hi")),
            *stated(tool(3, "f", "{}"), {3: {"reasoning_field": "reasoning"}}, "openai-chat"),
        ],
        [inv(3, {})],
    ),
    Case(
        "a Chunk that has everything",
        [Chunk("Hi", "Hm", [{"id": "c1", "name": "run_bash", "arguments": {"command": "ls"}}])],
        [*reasoning(1, "Hm"), *text(2, "Hi"), *kind(3, "run_bash", "ls")],
        [inv(3, {"command": "ls"})],
    ),
    Case(
        "Chunks of a call",
        [
            Chunk(tool_calls=[{"index": 0, "id": "c1", "name": "write_file", "arguments": '{"path": "a", '}]),
            Chunk(tool_calls=[{"index": 0, "arguments": '"content": "x"'}]),
            Chunk(tool_calls=[{"index": 0, "arguments": "}"}]),
        ],
        kind(1, "write_file", "x", path="a"),
        [inv(1, {"path": "a", "content": "x"})],
    ),
    Case(
        "a refusal is a segment of its own",
        [chat(content="Hi"), chat(refusal="N"), chat(refusal="o."), chat("stop")],
        [*text(1, "Hi"), *segment(start(2, "refusal"), "No.", end(2))],
        [],
    ),
    Case(
        "a refusal, and text behind it",
        [chat(refusal="No."), chat(content="Hi")],
        [*segment(start(1, "refusal"), "No.", end(1)), *text(2, "Hi")],
        [],
    ),
    Case(
        "a call without arguments keeps its place",
        [calls(call(0, "c1", "f", "")), calls(call(1, "c2", "g", "{")), more(1, "}"), DONE],
        [
            start(1, "tool_call", tool_name="f", call_id="c1"),
            *(start(2, "tool_call", tool_name="g", call_id="c2"), content(2, "{}")),
            *(end(1), end(2)),
        ],
        [inv(1, {}), inv(2, {})],
    ),
    Case(
        "other choices are not read",
        [chat(content="Hi"), {"choices": [{"index": 1, "delta": {"content": "x"}, "finish_reason": "length"}]}, F],
        [*text(1, "Hi"), *tool(2, "f", "{}")],
        [inv(2, {})],
    ),
    Case(
        "calls that the provider runs itself are shown, and nobody is asked to run them",
        [
            *(block(0, type="server_tool_use", id="s", name="web_search", input={}), json_delta(0, "{}"), stop(0)),
            *(use(1, "f"), json_delta(1, "{}"), stop(1), message_delta("tool_use")),
        ],
        [
            *(start(1, "server_tool", tool_name="web_search", call_id="s"), content(1, "{}")),
            *stated([end(1)], {1: {"type": "server_tool_use"}}, "anthropic"),
            *tool(2, "f", "{}"),
        ],
        [inv(2, {})],
    ),
    Case(
        "more is held for want of a name than the limit allows: a name that comes behind is none",
        [calls(call(0, "c1", None, '{"a": "' + "x" * 60)), calls(call(0, None, "f", '"}')), DONE],
        [
            *(start(1, "tool_call", call_id="c1"), content(1, '{"a": "' + "x" * 60 + '"}')),
            end(1, "malformed", "the call has no name"),
        ],
        [inv(1, {})],
        {"config": ParserConfig(limits=Limits(max_held=40))},
    ),
]

STREAMS = [*NAMES, *EMPTY, *IDS, *PARALLEL, *WHOLE, *ENDS, *RAW, *FORMATS, *CHUNKS]
