"""Blocks of random replies in the formats of Cline and Roo: after a prefix, those of a fresh parse of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse.blocks import AssistantMessageParser, ToolUse
from tests.properties.documents import COUNT
from tests.properties.test_blocks import check, cuts
from tests.properties.test_partial import begins

PIECES = [
    *(
        "<read_file>",
        "</read_file>",
        "<path>",
        "</path>",
        "<path>a.py</path>",
        "</pa",
        "<",
        "</",
        ">",
        " ",
        "\n",
        "\r\n",
        "a",
    ),
    *(
        "<write_to_file>",
        "</write_to_file>",
        "<content>",
        "</content>",
        "</content>\n</write_to_file>",
        "</content",
        "x < y",
    ),
    *(
        "<write_to_file>\n<path>",
        "<execute_command>",
        "<command>",
        "</command>",
        "</execute_command>",
        "&amp;",
        "&am",
        "ls",
    ),
    *(
        "<apply_diff>",
        "<replace_in_file>",
        "<diff>",
        "</diff>",
        "</apply_diff>",
        "</replace_in_file>",
        "<foo>",
        "</foo>",
    ),
    *("<search_files><path>.</path><regex>", "</regex>", "</search_files>", "<think>", "</think>", "`", "<read_file >"),
]
FRAMES = [
    ("", ""),
    ("Hi <read_file><path>", "</path></read_file> ok"),
    ("<write_to_file><path>p</path><content>", "</content></write_to_file> ok"),
    ("<write_to_file><content>", "</content><path>p</path></write_to_file> ok"),
    ("<execute_command><command>", "</command><requires_approval>true</requires_approval></execute_command>"),
    ("<search_files><path>.</path><regex>", "</regex></search_files>"),
]
replies = st.builds(
    lambda frame, inner: frame[0] + "".join(inner) + frame[1],
    st.sampled_from(FRAMES),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=2)), max_size=7),
)


@pytest.mark.parametrize("format", ["cline", "roo"])
@given(reply=replies, sizes=cuts)
@settings(max_examples=COUNT, deadline=None)
def test_a_prefix_of_a_reply_is_seen_as_if_it_came_at_once(format: str, reply: str, sizes: list[int]) -> None:
    check(format, reply, sizes)


@given(
    value=st.lists(
        st.sampled_from(["</", "</c", "</content", "<path>", "x", "\n", "\r\n", "</write_to_file", " "]), max_size=7
    )
)
@settings(max_examples=COUNT, deadline=None)
def test_a_file_grows_to_what_it_is_in_the_end(value: list[str]) -> None:
    reply = f"<write_to_file><path>p</path><content>{''.join(value)}</content></write_to_file>"
    parser = AssistantMessageParser()
    seen: list[dict[str, Any]] = []
    for character in reply:
        blocks = parser.process_chunk(character)
        if blocks:
            assert isinstance(blocks[0], ToolUse)
            seen.append(blocks[0].params)
    assert all(begins(part, seen[-1]) for part in seen)
