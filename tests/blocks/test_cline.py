"""Blocks of the default format: tools as bare tags with parameter tags, as Cline and Roo write them."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import LimitError, ToolSpec
from streamparse.blocks import AssistantMessageParser, TextContent, ToolUse, parse_assistant_message
from tests.blocks.kit import CUT, View, growing, live, read, reasoning, text, tool, view
from tests.blocks.test_limits import process

FILE = "<write_to_file>\n<path>a.py</path>\n<content>\nprint(1)\n</content>\n</write_to_file>"


def test_cline_is_the_default() -> None:
    reply = "I look.\n\n<read_file>\n<path>a.py</path>\n</read_file>"
    blocks = [TextContent("I look."), ToolUse("seg_2", "read_file", {"path": "a.py"}, status="complete")]
    assert parse_assistant_message(reply) == parse_assistant_message(reply, partial=False) == blocks
    parser = AssistantMessageParser()
    parser.process_chunk(reply)
    assert parser.finalize() == blocks


@pytest.mark.parametrize(
    ("reply", "blocks"),
    [
        ("use <read_file> here", [text("use <read_file> here")]),
        ("<read_file path='a'></read_file>", [text("<read_file path='a'></read_file>")]),
        (
            f"Hi\n{FILE}\nBye",
            [text("Hi"), tool(2, "write_to_file", {"path": "a.py", "content": "print(1)"}), text("Bye")],
        ),
        ("<read_file><path> a.py\n</path></read_file>", [tool(1, "read_file", {"path": "a.py"})]),
        ("<read_file><path></path></read_file>", [tool(1, "read_file", {"path": ""})]),
        ("<read_file></read_file>", [tool(1, "read_file", {})]),
        ("<read_file><path>a</read_file>", [tool(1, "read_file", {"path": "a"}, repaired=True)]),
        ("<read_file><path>a.p", [tool(1, "read_file", {"path": "a.p"}, **CUT)]),
        ("<read_file><path>a.py</pa", [tool(1, "read_file", {"path": "a.py</pa"}, **CUT)]),
        ("<read_file><path>a.py</path>", [tool(1, "read_file", {"path": "a.py"}, **CUT)]),
        (FILE[: FILE.index("(1)")], [tool(1, "write_to_file", {"path": "a.py", "content": "print"}, **CUT)]),
        (
            "<execute_command><command>a &amp;&amp; b</command>"
            "<requires_approval>true</requires_approval></execute_command>",
            [tool(1, "execute_command", {"command": "a && b", "requires_approval": "true"})],
        ),
        (
            "<thinking>\nhm\n</thinking>\n<list_files><path>.</path><recursive>true</recursive></list_files>",
            [reasoning("hm"), tool(3, "list_files", {"path": ".", "recursive": "true"})],
        ),
        (
            "<write_to_file><path>a</path><content>x</content>\n</content></write_to_file>",
            [tool(1, "write_to_file", {"path": "a", "content": "x</content>"})],
        ),
    ],
)
def test_what_a_reply_is_in_blocks(reply: str, blocks: View) -> None:
    assert read("cline", reply) == blocks


def test_parameters_grow_without_any_piece_of_their_closing_tag() -> None:
    name, path = "write_to_file", {"path": "a"}
    reply = "<write_to_file><path>a</path><content>\nx</c>\n</content></write_to_file>"
    assert live(reply, "cline") == [
        [],
        [growing(1, name, path)],
        [growing(1, name, {**path, "content": "x"})],
        [growing(1, name, {**path, "content": "x</c>"})],
        [tool(1, name, {**path, "content": "x</c>"})],
    ]
    values = [
        blocks[0]["params"].get("regex")
        for blocks in live("<search_files><path>.</path><regex> a</re </regex></search_files>", "cline")
        if blocks
    ]
    shown = [value for value in values if value is not None]
    assert shown[-1] == "a</re"
    assert all("a</re".startswith(value) for value in shown)
    assert "a" in shown


@pytest.mark.parametrize("format", ["cline", "roo"])
def test_tools_of_ones_own(format: str) -> None:
    options: dict[str, Any] = {
        "tools": [ToolSpec("save", {"properties": {"path": {}, "text": {}}}, kind="write_file", body="text")]
    }
    reply = "<save><path>a</path><text>x</text></save><read_file><path>a</path></read_file>"
    assert read(format, reply, **options) == [
        tool(1, "save", {"path": "a", "text": "x"}),
        text("<read_file><path>a</path></read_file>"),
    ]


def test_the_body_of_a_preset_tool_has_the_name_that_the_assistant_gives_it() -> None:
    diff = "<apply_diff><path>a</path><diff>\nx\n</diff></apply_diff>"
    assert read("roo", diff) == [tool(1, "apply_diff", {"path": "a", "diff": "x"})]
    diff = diff.replace("apply_diff", "replace_in_file")
    assert read("cline", diff) == [tool(1, "replace_in_file", {"path": "a", "diff": "x"})]


@pytest.mark.parametrize("size", [1, 1000])
def test_limits(size: int) -> None:
    reply = "<read_file><path>123456</path></read_file>"
    parser = AssistantMessageParser(max_parameter=5)
    with pytest.raises(LimitError):
        process(parser, reply, size)
    [block] = view(parser.blocks)
    assert block["params"] == {"path": "123456"}
    assert view(parse_assistant_message(reply, max_parameter=6)) == [tool(1, "read_file", {"path": "123456"})]


def test_half_a_line_break_at_the_end_of_a_raw_value_is_not_shown() -> None:
    parser = AssistantMessageParser("roo")
    shown = [
        parser.process_chunk(chunk)[-1].params.get("content")
        for chunk in (
            "<insert_content><path>p</path><line>1</line><content>\r",
            "\na",
            "\r",
            "\n",
            "b\r\n",
            "</content>",
        )
    ]
    assert shown == ["", "a", "a", "a", "a\r\nb", "a\r\nb"]
