"""core/context.py: the only place where one state becomes another."""

from __future__ import annotations

import pytest

from streamparse import (
    BaseState,
    DelimitedState,
    Opener,
    Opening,
    ParserConfig,
    ParserContext,
    StateContractError,
    TextState,
    ToolSpec,
    ToolState,
    ToolStateRegistry,
    formats,
)
from streamparse.core.markers import close_tag, exact
from streamparse.states.beginning import FirstOpeners, Swallow


class SqlState(DelimitedState):
    segment_type = "sql"


class SqlToolState(SqlState):
    """Reads the calls of a tool whose tag is read by another."""


class QueryState(DelimitedState):
    segment_type = "query"
    as_tool = SqlToolState


def opening(tag: str, tool_name: str | None = None) -> Opening:
    return Opening(tag, close_tag(tag), tool_name, format="xml")


@pytest.fixture
def context() -> ParserContext:
    registry = ToolStateRegistry()
    registry.register("sql", SqlState)
    registry.register("query", QueryState)
    tools = [ToolSpec("Save", kind="write_file"), ToolSpec("search"), ToolSpec("sql", kind="run_bash")]
    return formats.build_context([formats.get("xml")], ParserConfig(), registry, tools)


def test_a_stream_begins_in_text(context: ParserContext) -> None:
    assert type(context.state) is TextState
    assert context.state is context.prose


def test_a_block_is_read_by_a_new_state_with_its_opening(context: ParserContext) -> None:
    first, second = opening("sql"), opening("sql")
    context.open(SqlState, first)
    before = context.state
    context.open(SqlState, second)
    assert [type(before), type(context.state)] == [SqlState, SqlState]
    assert context.state is not before
    assert [before.opening, context.state.opening] == [first, second]
    assert context.state.opening is second


def test_text_means_the_prose_around_the_block(context: ParserContext) -> None:
    prose = context.prose
    context.open(SqlState, opening("sql"))
    context.transition_to("text")
    assert context.state is prose


def test_prose_within_prose_is_left_for_the_outer_one(context: ParserContext) -> None:
    outer, inner = context.prose, TextState(context)
    context.enter_prose(inner)
    context.transition_to("text")
    assert context.state is inner
    context.leave_prose()
    assert context.state is outer


@pytest.fixture
def open_context(context: ParserContext) -> ParserContext:
    context.open(SqlState, opening("sql"))
    context.scanner.buf, context.scanner.pos = "abc", 2
    return context


def message(context: ParserContext, name: str) -> str:
    with pytest.raises(StateContractError) as caught:
        context.transition_to(name)
    return str(caught.value)


def test_going_back_to_text_with_a_segment_open_breaks_the_contract(open_context: ParserContext) -> None:
    open_context.emitter.emit_start("sql", {})
    assert message(open_context, "text") == (
        "SqlState went back to text with its segment open: call emitter.emit_end() first (at offset 2 of the stream)"
    )


def test_going_back_to_text_with_text_held_breaks_the_contract(open_context: ParserContext) -> None:
    open_context.scanner.hold()
    assert message(open_context, "text") == (
        "SqlState went back to text with text held or a limit set on the scanner (at offset 2 of the stream)"
    )


def test_going_back_to_text_with_a_limit_set_breaks_the_contract(open_context: ParserContext) -> None:
    open_context.scanner.limit = 9
    assert message(open_context, "text") == (
        "SqlState went back to text with text held or a limit set on the scanner (at offset 2 of the stream)"
    )


def test_an_unknown_state_breaks_the_contract(open_context: ParserContext) -> None:
    assert message(open_context, "xml") == (
        "SqlState asked for the unknown state 'xml'; a block ends with transition_to('text') "
        "(at offset 2 of the stream)"
    )


def test_going_back_to_text_with_prose_open_is_legal(context: ParserContext) -> None:
    context.emitter.emit_prose("a")
    context.transition_to("text")
    assert context.state is context.prose


@pytest.mark.parametrize(
    ("block", "segment_type"),
    [
        (opening("run_bash"), "run_bash"),
        (opening("RUN_BASH"), "run_bash"),
        (opening("tool", "Run_Bash"), "run_bash"),
        (opening("tool", "sql"), "sql"),
        (opening("tool", "unheard_of"), "tool_call"),
        (opening("tool", "search"), "tool_call"),
        (opening("tool", "SAVE"), "write_file"),
        (opening("query"), "query"),
        (opening("tool", "query"), "sql"),
    ],
    ids=lambda value: f"{value.tag} {value.tool_name}" if isinstance(value, Opening) else value,
)
def test_a_tool_is_read_by_its_state_its_kind_or_the_generic_one(
    context: ParserContext, block: Opening, segment_type: str
) -> None:
    context.open_tool(block)
    assert context.state.segment_type == segment_type
    assert context.state.opening is block


def test_a_state_may_leave_the_calls_of_its_tool_to_another(context: ParserContext) -> None:
    states: list[type[BaseState]] = []
    for block in (opening("query"), opening("tool", "query"), opening("tool", "other")):
        context.open_tool(block)
        states.append(type(context.state))
    assert states == [QueryState, SqlToolState, ToolState]


def test_the_context_works_on_a_copy_of_the_registry() -> None:
    registry = ToolStateRegistry()
    context = formats.build_context([formats.get("xml")], ParserConfig(), registry, [])
    registry.register("sql", SqlState)
    assert context.registry.names() == ()


def test_it_is_known_how_declared_names_begin_whatever_their_case(context: ParserContext) -> None:
    beginnings = ["", "s", "SA", "save", "saves", "sb", "sql", "z"]
    assert [text for text in beginnings if context.tools.has_beginning(text)] == ["", "s", "SA", "save", "sql"]


def test_who_asks_for_an_opener_before_any_block_is_told(context: ParserContext) -> None:
    with pytest.raises(StateContractError) as caught:
        _ = context.opener
    assert str(caught.value) == (
        "TextState asks for the opener of a block, and none has begun (at offset 0 of the stream)"
    )


def test_a_state_is_told_if_an_opener_does_not_have_its_options() -> None:
    opener = Opener(exact("<x>"), SqlState, options=Swallow(1))
    assert opener.get_options(Swallow) == Swallow(1)
    with pytest.raises(TypeError) as caught:
        opener.get_options(FirstOpeners)
    assert str(caught.value) == f"{SqlState} wants options of FirstOpeners, not Swallow(size=1)"
