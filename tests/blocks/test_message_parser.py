"""blocks/message_parser.py: chunks in, blocks out."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import DelimitedState, Limits, ParserConfig, ParserStateError, ToolStateRegistry, ToolSyntaxRegistry
from streamparse.blocks import (
    AssistantMessageParser,
    CustomContent,
    ReasoningContent,
    TextContent,
    ToolUse,
    parse_assistant_message,
)
from streamparse.errors import ProviderStreamError
from tests.blocks.kit import CUT, View, growing, live, read, reasoning, text, tool, view

SEARCH = {
    "name": "search",
    "parameters": {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}},
}
HERMES = '<tool_call>\n{"name": "search", "arguments": {"query": "cats", "limit": 2}}\n</tool_call>'
QWEN = (
    "<tool_call>\n<function=search>\n<parameter=query>\ncats\n</parameter>\n"
    "<parameter=limit>\n2\n</parameter>\n</function>\n</tool_call>"
)
CATS = {"query": "cats", "limit": 2}


@pytest.mark.parametrize(
    ("format", "reply", "blocks"),
    [
        ("xml", "", []),
        ("xml", " \n ", []),
        ("xml", "\n Hi there \n", [text("Hi there")]),
        ("xml", "a < b <to", [text("a < b <to")]),
        ("xml", "<think>\nhm\n</think>\n\nHi", [reasoning("hm"), text("Hi")]),
        ("xml", "<think>\n\n</think>\n\nHi", [text("Hi")]),
        ("xml", "<think>hm", [reasoning("hm", status="truncated")]),
        ("xml", "a<think> \n </think>b", [text("a"), text("b")]),
        (
            "xml",
            "Look: \n<run_bash>ls</run_bash>\n \n<run_bash>pwd</run_bash>\nok",
            [
                text("Look:"),
                tool(2, "run_bash", {"command": "ls"}),
                tool(4, "run_bash", {"command": "pwd"}),
                text("ok"),
            ],
        ),
        (
            "xml",
            '<write_file path="a">\n x \n</write_file>',
            [tool(1, "write_file", {"path": "a", "content": " x \n"})],
        ),
        ("xml", '<write_file path="a"/>', [tool(1, "write_file", {"path": "a", "content": ""})]),
        ("xml", '<write_file path="a">ha</wri', [tool(1, "write_file", {"path": "a", "content": "ha</wri"}, **CUT)]),
        ("xml", '<write_file path="a">', [tool(1, "write_file", {"path": "a"}, **CUT)]),
        (
            "xml",
            '<tool name="write_file"><content>x</content></tool>.',
            [
                tool(1, "write_file", {"content": "x"}, status="malformed", error="path is missing"),
                text("."),
            ],
        ),
        (
            "xml",
            '<tool name="run_bash"><command>a</command><timeout>9</timeout></tool>',
            [tool(1, "run_bash", {"command": "a", "timeout": "9"})],
        ),
        (
            "xml",
            '<tool name="search"><query>a &amp; b</query><limit>2</limit></tool>',
            [tool(1, "search", {"query": "a & b", "limit": 2})],
        ),
        (
            "xml",
            '<tool name="search"><limit>2</limit><query>ca</que',
            [tool(1, "search", {"limit": 2, "query": "ca</que"}, **CUT)],
        ),
        ("xml", '<tool name="search"><query>cats</tool>', [tool(1, "search", {"query": "cats"}, repaired=True)]),
        (
            "json",
            'So: {"name": "search", "arguments": {"query": "a"}} ok',
            [text("So:"), tool(2, "search", {"query": "a"}), text("ok")],
        ),
        ("json", '{"name": "search", "arguments": {"query": "a', [tool(1, "search", {"query": "a"}, **CUT)]),
        ("json", '{"name": "Bob", "age": 3}', [text('{"name": "Bob", "age": 3}')]),
        (
            "sentinel",
            '[[SEG_START {"type": "write_file", "path": "/a"}]]x\n[[SEG_END]]\n'
            '[[SEG_START {"type": "reasoning"}]] y [[SEG_END]]',
            [tool(1, "write_file", {"path": "/a", "content": "x\n"}), reasoning("y")],
        ),
        (
            "sentinel",
            '[[SEG_START {"type": "tool_call", "tool_name": "f", "arguments": {"a": 1}}]]{"b": [2]}[[SEG_END]]',
            [tool(1, "f", {"a": 1, "b": [2]})],
        ),
        ("hermes", f"Hm.\n{HERMES}\n{HERMES}", [text("Hm."), tool(2, "search", CATS), tool(4, "search", CATS)]),
        ("qwen3_coder", f"<think>hm</think>\n{QWEN}", [reasoning("hm"), tool(3, "search", CATS)]),
        ("qwen3_coder", QWEN[:-70], [tool(1, "search", {"query": "cats"}, **CUT)]),
        (
            ["xml", "json"],
            '<run_bash>ls</run_bash>{"name": "search", "args": {}}',
            [tool(1, "run_bash", {"command": "ls"}), tool(2, "search", {})],
        ),
    ],
)
def test_what_a_reply_is_in_blocks(format: str | list[str], reply: str, blocks: View) -> None:
    assert read(format, reply, tools=[SEARCH]) == blocks


def test_a_malformed_call_has_ended_and_says_what_is_wrong() -> None:
    [found] = read("hermes", HERMES.replace(", ", " "))
    assert found == tool(
        1,
        "search",
        {},
        status="malformed",
        error="the call is not JSON: a comma or a closing brace was expected behind a value",
    )


@pytest.mark.parametrize(
    ("format", "reply", "seen"),
    [
        (
            "xml",
            '\n Hi <write_file path="a">x</w>y</write_file>\n\nok',
            [
                [],
                [text("H", partial=True)],
                [text("Hi", partial=True)],
                [text("Hi"), growing(2, "write_file", {"path": "a"})],
                [text("Hi"), growing(2, "write_file", {"path": "a", "content": "x"})],
                [text("Hi"), growing(2, "write_file", {"path": "a", "content": "x</w>"})],
                [text("Hi"), growing(2, "write_file", {"path": "a", "content": "x</w>y"})],
                [text("Hi"), tool(2, "write_file", {"path": "a", "content": "x</w>y"})],
                [text("Hi"), tool(2, "write_file", {"path": "a", "content": "x</w>y"}), text("o", partial=True)],
                [text("Hi"), tool(2, "write_file", {"path": "a", "content": "x</w>y"}), text("ok", partial=True)],
            ],
        ),
        (
            "xml",
            '<tool name="search"><limit>12</limit><query>a </b> c</query></tool>',
            [
                [],
                [growing(1, "search", {})],
                [growing(1, "search", {"limit": 12, "query": ""})],
                [growing(1, "search", {"limit": 12, "query": "a"})],
                [growing(1, "search", {"limit": 12, "query": "a "})],
                [growing(1, "search", {"limit": 12, "query": "a </b"})],
                [growing(1, "search", {"limit": 12, "query": "a </b>"})],
                [growing(1, "search", {"limit": 12, "query": "a </b> "})],
                [growing(1, "search", {"limit": 12, "query": "a </b> c"})],
                [tool(1, "search", {"limit": 12, "query": "a </b> c"})],
            ],
        ),
        (
            "hermes",
            '<tool_call>{"name": "search", "arguments": {"limit": 12, "query": "\\u00e9s"}}</tool_call>',
            [
                [],
                [growing(1, "search", {})],
                [growing(1, "search", {"limit": 12})],
                [growing(1, "search", {"limit": 12, "query": ""})],
                [growing(1, "search", {"limit": 12, "query": "é"})],
                [growing(1, "search", {"limit": 12, "query": "és"})],
                [tool(1, "search", {"limit": 12, "query": "és"})],
            ],
        ),
        (
            "qwen3_coder",
            "<tool_call><function=search><parameter=limit>12</parameter>"
            "<parameter=query>\na\n</p>\n</parameter></function></tool_call>",
            [
                [],
                [growing(1, "search", {})],
                [growing(1, "search", {"limit": 12, "query": ""})],
                [growing(1, "search", {"limit": 12, "query": "a"})],
                [growing(1, "search", {"limit": 12, "query": "a\n</p>"})],
                [tool(1, "search", {"limit": 12, "query": "a\n</p>"})],
            ],
        ),
        (
            "pythonic",
            "[search(limit=12, query='a\\'b')]",
            [
                [],
                [growing(1, "search", {})],
                [growing(1, "search", {"limit": 12})],
                [growing(1, "search", {"limit": 12, "query": ""})],
                [growing(1, "search", {"limit": 12, "query": "a"})],
                [growing(1, "search", {"limit": 12, "query": "a'"})],
                [growing(1, "search", {"limit": 12, "query": "a'b"})],
                [tool(1, "search", {"limit": 12, "query": "a'b"})],
            ],
        ),
    ],
)
def test_blocks_grow_without_any_piece_of_a_tag(format: str, reply: str, seen: list[View]) -> None:
    assert live(reply, format, tools=[SEARCH]) == seen


def test_the_list_and_its_blocks_are_the_same_each_time() -> None:
    parser = AssistantMessageParser("xml")
    blocks = parser.process_chunk("Hi ")
    [said] = blocks
    assert parser.process_chunk("you <run_bash>l") is blocks
    assert parser.blocks is blocks
    assert blocks[0] is said
    called = blocks[1]
    assert isinstance(called, ToolUse)
    params = called.params
    assert called.params is params == {"command": "l"}
    parser.process_chunk("s</run_bash>")
    assert (blocks[1] is called, called.params, params) == (True, {"command": "ls"}, {"command": "l"})
    assert parser.finalize() is blocks
    assert parser.finalize() is blocks
    assert blocks == [TextContent("Hi you"), ToolUse("seg_2", "run_bash", {"command": "ls"}, status="complete")]


def test_a_call_has_its_invocation_when_it_has_ended() -> None:
    parser = AssistantMessageParser("xml")
    [block] = parser.process_chunk('<tool name="f"><a>1</a><b>2')
    assert isinstance(block, ToolUse)
    assert (block.invocation, block.error) == (None, None)
    parser.finalize()
    assert block.invocation is not None
    assert (block.params, block.invocation.arguments) == ({"a": "1", "b": "2"}, {"a": "1"})
    assert block.error == block.invocation.error == "the call was cut off before its end"
    assert block.invocation.raw == "<a>1</a><b>2"


def test_reset_begins_a_new_reply_and_leaves_the_last_one_alone() -> None:
    parser = AssistantMessageParser("xml")
    parser.process_chunk("one <run_bash>ls")
    first = parser.finalize()
    parser.reset()
    assert parser.blocks == []
    second = parser.process_chunk("two <think>")
    assert view(first) == [text("one"), tool(2, "run_bash", {"command": "ls"}, **CUT)]
    assert view(second) == [text("two")]
    parser.reset()
    parser.process_chunk("<run_bash>a</run_bash>")
    assert view(parser.finalize()) == [tool(1, "run_bash", {"command": "a"})]


def test_reset_may_come_at_any_time() -> None:
    parser = AssistantMessageParser("xml", max_parameter=5)
    first = parser.process_chunk("<run_bash>ls")
    parser.reset()
    assert view(first) == [growing(1, "run_bash", {"command": "ls"})]
    assert view(parser.process_chunk("x")) == [text("x", partial=True)]


def test_nothing_is_taken_in_after_the_end() -> None:
    parser = AssistantMessageParser("xml")
    parser.finalize()
    with pytest.raises(ParserStateError, match=r"process_chunk\(\) after the end: call reset\(\)"):
        parser.process_chunk("x")


def test_what_was_cut_off_by_an_abort_never_looks_complete() -> None:
    parser = AssistantMessageParser("json")
    parser.process_chunk('Hi {"name": "f", "arguments": {"a": 1}')
    assert view(parser.abort()) == [text("Hi"), tool(2, "f", {"a": 1}, **CUT)]
    assert parser.finalize() is parser.blocks


def test_partial_says_whether_more_may_come() -> None:
    reply = "Hi <run_bash>ls</run_bash>\nbye <to"
    ran = ToolUse("seg_2", "run_bash", {"command": "ls"}, status="complete")
    assert parse_assistant_message(reply, "xml") == [TextContent("Hi"), ran, TextContent("bye", True)]
    assert parse_assistant_message(reply, "xml", partial=False) == [TextContent("Hi"), ran, TextContent("bye <to")]
    assert parse_assistant_message("<think>hm", "xml", partial=True) == [ReasoningContent("hm", True)]


def test_options_are_those_of_the_handler() -> None:
    class ChartState(DelimitedState):
        segment_type = "chart"

    registry, syntaxes = ToolStateRegistry(), ToolSyntaxRegistry()
    registry.register("chart", ChartState, bare=True)
    reply = "<chart kind='bar'> 1 </chart><chart kind='pie'> 2"
    assert read("xml", reply, registry=registry) == [
        CustomContent("chart", " 1 ", False, {"kind": "bar"}, "complete").to_dict(),
        CustomContent("chart", " 2", True, {"kind": "pie"}, "truncated").to_dict(),
    ]
    syntaxes.register("chart", "draw", lambda metadata, content: {"kind": metadata["kind"], "data": content})
    assert read("xml", reply, registry=registry, syntaxes=syntaxes) == [
        tool(1, "draw", {"kind": "bar", "data": " 1 "}),
        tool(2, "draw", {"kind": "pie"}, **CUT),
    ]
    config = ParserConfig(parse_tool_calls=False, segment_id_prefix="s")
    assert parse_assistant_message("<run_bash>", "xml", False, config=config) == [TextContent("<run_bash>")]
    long = parse_assistant_message(
        "<run_bash>12345</run_bash>", "xml", config=ParserConfig(limits=Limits(max_arguments=4))
    )
    assert view(long) == [
        tool(1, "run_bash", {}, status="malformed", error="the arguments are longer than 4 characters")
    ]
    assert parse_assistant_message("<run_bash>x", iter(["json", "xml"])) == [
        ToolUse("seg_1", "run_bash", {"command": "x"}, True)
    ]


def delta(content: str | None = None, **call: Any) -> dict[str, Any]:
    calls = [{"index": call.pop("index", 0), **call}] if call else None
    return {"choices": [{"delta": {"content": content, "tool_calls": calls}}]}


def test_native_calls_are_blocks_too() -> None:
    chunks = [
        delta("\nHi "),
        delta(index=0, id="c1", function={"name": "search", "arguments": '{"que'}),
        delta(index=0, function={"arguments": 'ry": "ca'}),
        delta(index=1, id="c2", function={"name": "write_file", "arguments": '{"path": "a", "content": "x\\'}),
        delta(index=1, function={"arguments": 'ny"}'}),
        delta(index=0, function={"arguments": 'ts"}'}),
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    ]
    first, second = {"call_id": "c1"}, {"call_id": "c2"}
    assert live(chunks, "native") == [
        [text("Hi", partial=True)],
        [text("Hi"), growing(2, "search", {}, **first)],
        [text("Hi"), growing(2, "search", {"query": "ca"}, **first)],
        [
            text("Hi"),
            growing(2, "search", {"query": "ca"}, **first),
            growing(3, "write_file", {"path": "a", "content": "x"}, **second),
        ],
        [
            text("Hi"),
            growing(2, "search", {"query": "ca"}, **first),
            growing(3, "write_file", {"path": "a", "content": "x\ny"}, **second),
        ],
        [
            text("Hi"),
            growing(2, "search", {"query": "cats"}, **first),
            growing(3, "write_file", {"path": "a", "content": "x\ny"}, **second),
        ],
        [
            text("Hi"),
            tool(2, "search", {"query": "cats"}, **first),
            tool(3, "write_file", {"path": "a", "content": "x\ny"}, **second),
        ],
    ]


def test_an_error_of_the_provider_ends_what_is_open_and_is_raised() -> None:
    parser = AssistantMessageParser("native")
    parser.process_chunk(delta(index=0, id="c1", function={"name": "f", "arguments": '{"a": 1, "b'}))
    with pytest.raises(ProviderStreamError, match="overloaded"):
        parser.process_chunk({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}})
    told = {**CUT, "error": "the reply was cut off: overloaded"}
    ended = [tool(1, "f", {"a": 1}, call_id="c1", **told)]
    assert view(parser.blocks) == ended
    assert view(parser.finalize()) == ended
