"""Blocks of random replies: after a prefix they are what a fresh parse of it gives, and the calls in them only grow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import ParserConfig, formats
from streamparse.blocks import AssistantMessageParser, ToolUse, parse_assistant_message
from tests.blocks.kit import view
from tests.formats.open.kit import THERE
from tests.formats.open.situations import tools_for
from tests.properties import documents
from tests.properties.documents import COUNT
from tests.properties.test_open_formats import CLOSED, CONFIGS, EXAMPLES, TOOLS, arguments, documents_of, names, tame
from tests.properties.test_partial import begins, exact

JSON = [
    *('{"name": "f", "arguments": {"a": "x', '{"name": "f", "arguments": {"a": [1, {"b": "c"}]}}', '{"name": "f", "ar'),
    *(
        '[{"name": "f", "args": {}}',
        "]",
        "}",
        '"',
        "\\",
        "\\u00e9",
        '{"a": 1}',
        "[",
        ",",
        " ",
        "\n",
        "Prose. ",
        "```json\n",
    ),
]
SENTINEL = [
    *(
        '[[SEG_START {"type": "write_file", "path": "/a"}]]',
        "[[SEG_END]]",
        "[[SEG_END",
        '[[SEG_START {"type": "text"}]]',
    ),
    *(
        '[[SEG_START {"type": "tool_call", "tool_name": "f", "arguments": {"x": 1}}]]',
        '{"a": "b',
        '"}',
        "[[",
        " ",
        "x\n",
    ),
    *(
        '[[SEG_START {"type": "reasoning"}]]',
        '[[SEG_START {"type": "run_bash"}]]',
        "ls",
        '[[SEG_START {"type": "no"}]]',
    ),
]
cuts = st.lists(st.integers(1, 9), max_size=40)


def chunks_of(reply: str, sizes: Sequence[int]) -> list[str]:
    """Chunks of these sizes, and what is left."""
    ends = [*accumulate(sizes, initial=0), len(reply)]
    return [reply[start:end] for start, end in pairwise(ends) if start < len(reply) and start < end]


def check(format: str | list[str], reply: str, sizes: Sequence[int], **options: Any) -> None:
    watched, blind = AssistantMessageParser(format, **options), AssistantMessageParser(format, **options)
    fed = ""
    listed = watched.blocks
    for chunk in chunks_of(reply, sizes):
        fed += chunk
        blind.process_chunk(chunk)
        assert watched.process_chunk(chunk) is listed
        assert view(listed) == view(parse_assistant_message(fed, format, **options)), fed
    assert fed == reply
    assert view(blind.blocks) == view(listed)
    whole = view(parse_assistant_message(reply, format, partial=False, **options))
    assert view(watched.finalize()) == view(blind.finalize()) == whole
    check_end(whole)


def check_end(blocks: list[dict[str, Any]]) -> None:
    """Nothing looks complete that is not, and no block is blank."""
    for block in blocks:
        if block["type"] == "tool_use":
            assert block["partial"] == (block["status"] == "truncated")
            assert block["status"] is not None
        elif block["type"] in ("text", "reasoning"):
            assert block["content"] == block["content"].strip() != ""
            assert not block["partial"]


@given(documents.documents(), cuts, st.sampled_from(documents.CONFIGS))
@settings(max_examples=COUNT, deadline=None)
def test_a_prefix_of_an_xml_reply_is_seen_as_if_it_came_at_once(
    reply: str, sizes: list[int], config: dict[str, Any]
) -> None:
    check("xml", reply, sizes, config=ParserConfig(**config))


@given(st.lists(st.sampled_from(JSON), max_size=8).map("".join), cuts)
@settings(max_examples=COUNT, deadline=None)
def test_a_prefix_of_a_json_reply_is_seen_as_if_it_came_at_once(reply: str, sizes: list[int]) -> None:
    check("json", reply, sizes)
    check(["xml", "json", "sentinel"], reply, sizes)


@given(st.lists(st.sampled_from(SENTINEL), max_size=8).map("".join), cuts)
@settings(max_examples=COUNT, deadline=None)
def test_a_prefix_of_a_sentinel_reply_is_seen_as_if_it_came_at_once(reply: str, sizes: list[int]) -> None:
    check("sentinel", reply, sizes)


@pytest.mark.parametrize("format", THERE)
@given(data=st.data(), sizes=cuts, config=st.sampled_from(CONFIGS))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_prefix_of_a_models_reply_is_seen_as_if_it_came_at_once(
    format: str, data: st.DataObject, sizes: list[int], config: ParserConfig
) -> None:
    check(format, data.draw(documents_of(format)), sizes, config=config, tools=TOOLS)


@pytest.mark.parametrize("format", THERE)
@given(name=names, given=arguments(tame), with_tools=st.booleans())
@settings(max_examples=EXAMPLES, deadline=None)
def test_parameters_grow_to_what_they_are_in_the_end(
    format: str, name: str, given: dict[str, Any], with_tools: bool
) -> None:
    """So no piece of a tag is ever in one, for it would have to go again."""
    reply = formats.get(format).render_call(name, given)
    options: dict[str, Any] = {"config": CLOSED, "tools": tools_for(((name, given),)) if with_tools else []}
    calls = [block for block in parse_assistant_message(reply, format, False, **options) if isinstance(block, ToolUse)]
    assert [block.status for block in calls] == ["complete"]
    parser = AssistantMessageParser(format, **options)
    before: dict[str, Any] = {}
    for end, character in enumerate(reply, 1):
        for block in parser.process_chunk(character):
            if isinstance(block, ToolUse):
                assert begins(before, block.params), reply[:end]
                assert begins(block.params, calls[0].params), reply[:end]
                before = block.params
    parser.finalize()
    if with_tools:
        assert exact(calls[0].params) == exact(given)
