"""core/context.py: the only place where one state becomes another."""

from __future__ import annotations

import pytest

from streamparse import (
    DelimitedState,
    Opening,
    ParserConfig,
    ParserContext,
    RunBashState,
    StateContractError,
    TextState,
    ToolSpec,
    ToolState,
    ToolStateRegistry,
    WriteFileState,
    XmlTagInitState,
    formats,
)
from streamparse.core.registry import default_registry


class SqlState(DelimitedState):
    segment_type = "sql"


@pytest.fixture
def context() -> ParserContext:
    registry = default_registry.copy()
    registry.register("sql", SqlState)
    tools = [ToolSpec("Save", kind="write_file"), ToolSpec("search"), ToolSpec("sql", kind="run_bash")]
    return formats.build_context([formats.get("xml")], ParserConfig(), registry, tools)


def test_a_stream_begins_in_text(context: ParserContext) -> None:
    assert type(context.state) is TextState
    assert context.state is context.prose


def test_a_transition_makes_a_new_state_by_its_name(context: ParserContext) -> None:
    context.transition_to("xml_tag_init")
    first = context.state
    context.transition_to("xml_tag_init")
    assert type(first) is XmlTagInitState
    assert type(context.state) is XmlTagInitState
    assert context.state is not first


def test_text_means_the_prose_around_the_block(context: ParserContext) -> None:
    prose = context.prose
    context.transition_to("xml_tag_init")
    context.transition_to("text")
    assert context.state is prose


def test_going_back_to_text_with_a_segment_open_breaks_the_contract(context: ParserContext) -> None:
    context.open_tool(Opening("run_bash"))
    context.emitter.emit_start("run_bash", {})
    context.scanner.buf, context.scanner.pos = "abc", 2
    with pytest.raises(StateContractError) as caught:
        context.transition_to("text")
    assert str(caught.value) == (
        "RunBashState went back to text with its segment open: call emit_end() first (at offset 2 of the stream)"
    )


def test_going_back_to_text_with_prose_open_is_legal(context: ParserContext) -> None:
    context.emitter.emit_prose("a")
    context.transition_to("text")
    assert context.state is context.prose


def test_an_unknown_state_breaks_the_contract_and_the_known_ones_are_listed(context: ParserContext) -> None:
    context.scanner.base = 7
    with pytest.raises(StateContractError) as caught:
        context.transition_to("xml")
    assert str(caught.value) == (
        "TextState asked for the unknown state 'xml' at offset 7; known: " + ", ".join(["text", *context.states])
    )


@pytest.mark.parametrize(
    ("opening", "state"),
    [
        (Opening("run_bash"), RunBashState),
        (Opening("RUN_BASH"), RunBashState),
        (Opening("tool", "Run_Bash"), RunBashState),
        (Opening("tool", "sql"), SqlState),
        (Opening("tool", "unheard_of"), ToolState),
        (Opening("tool", "search"), ToolState),
        (Opening("tool", "SAVE"), WriteFileState),
    ],
    ids=repr,
)
def test_a_tool_is_read_by_its_state_its_kind_or_the_generic_one(
    context: ParserContext, opening: Opening, state: type
) -> None:
    context.open_tool(opening)
    assert type(context.state) is state
    assert context.state.opening is opening


def test_a_kind_without_a_registered_state_is_generic() -> None:
    context = formats.build_context(
        [formats.get("xml")], ParserConfig(), ToolStateRegistry(), [ToolSpec("save", kind="write_file")]
    )
    context.open_tool(Opening("tool", "save"))
    assert type(context.state) is ToolState


def test_open_hands_the_opening_to_the_state_it_names(context: ParserContext) -> None:
    opening = Opening("tool", "x")
    context.open("tool", opening)
    assert type(context.state) is ToolState
    assert context.state.opening is opening


def test_the_context_works_on_a_copy_of_the_registry() -> None:
    registry = ToolStateRegistry()
    context = formats.build_context([formats.get("xml")], ParserConfig(), registry, [])
    registry.register("sql", SqlState)
    assert context.registry.names() == ()
