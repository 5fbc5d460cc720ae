"""formats/grammar.py: what streams share, and what they do not."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from streamparse import (
    DelimitedState,
    Limits,
    Opener,
    ParserConfig,
    StreamingParser,
    StreamingResponseHandler,
    ToolSpec,
    ToolStateRegistry,
    formats,
)
from streamparse.core import grammar as core_grammar
from streamparse.core.grammar import Grammar
from streamparse.core.markers import exact
from streamparse.formats import Format, grammar
from streamparse.formats.thinking import thinking
from streamparse.testing import segments


@pytest.fixture(autouse=True)
def _own_formats(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is gone behind it, and what it has made is not kept."""
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    yield
    grammar._join.cache_clear()


def grammar_of(name: str | list[str] = "xml", config: ParserConfig | None = None, **options: Any) -> Grammar:
    return StreamingParser(name, config, **options)._context.grammar


class SqlState(DelimitedState):
    segment_type = "sql"


# -- what is the same -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", formats.names())
def test_two_parsers_of_one_format_share_their_grammar(name: str) -> None:
    assert grammar_of(name) is grammar_of(name)


def test_what_does_not_change_the_grammar_does_not_change_it() -> None:
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}
    config = ParserConfig(segment_id_prefix="mine_", invocations=False, limits=Limits(max_tag=9))
    assert grammar_of("hermes", config, tools=[tool]) is grammar_of("hermes")
    assert grammar_of("xml", config, tools=[tool], registry=ToolStateRegistry()) is grammar_of("xml")


def test_what_a_format_makes_of_the_tools_counts_and_not_who_they_are() -> None:
    one, two = ({"name": name, "parameters": {}} for name in ("f", "g"))
    assert grammar_of("cline", tools=[one]) is grammar_of("cline", tools=[dict(one)])
    assert grammar_of("cline", tools=[one]) is not grammar_of("cline", tools=[two])
    assert grammar_of("cline", tools=[one]) is not grammar_of("cline")


@pytest.mark.parametrize(
    "config",
    [
        ParserConfig(code="text"),
        ParserConfig(code="parse"),
        ParserConfig(reasoning="open"),
        ParserConfig(parse_tool_calls=False),
    ],
    ids=repr,
)
def test_what_changes_the_grammar_makes_another(config: ParserConfig) -> None:
    assert grammar_of("xml", config) is not grammar_of("xml")
    assert grammar_of("auto", config) is not grammar_of("auto")


def test_the_order_of_formats_counts() -> None:
    assert grammar_of(["xml", "json"]) is grammar_of(["xml", "json"])
    assert grammar_of(["xml", "json"]) is not grammar_of(["json", "xml"])


# -- what is new ------------------------------------------------------------------------------------------------------


def test_a_state_that_is_registered_is_seen_by_the_next_parser_and_by_none_before() -> None:
    registry = ToolStateRegistry()
    before = StreamingParser("xml", registry=registry)
    registry.register("sql", SqlState, bare=True)
    after = StreamingParser("xml", registry=registry)
    text = "<sql>select 1</sql>"
    assert segments(before.feed(text) + before.finalize()) == [("text", {}, text, {})]
    assert segments(after.feed(text) + after.finalize()) == [("sql", {}, "select 1", {})]
    registry.unregister("sql")
    assert grammar_of("xml", registry=registry) is grammar_of("xml", registry=ToolStateRegistry())


@pytest.mark.parametrize("name", ["mine", "auto"])
def test_a_format_that_is_registered_or_replaced_is_seen_by_the_next_parser(name: str) -> None:
    text = "<<a>>b[[c]]"

    def mine(opener: str) -> Format:
        return Format("mine", openers=lambda _: (Opener(exact(opener), None, "mine"),), reasoning=thinking("mine"))

    def read() -> list[tuple[str, dict[str, Any], str, dict[str, Any]]]:
        parser = StreamingParser(name)
        return segments(parser.feed(text) + parser.finalize())

    assert grammar_of("auto") is grammar_of("auto")
    formats.register(mine("<<a>>"))
    assert read() == [("text", {}, "b[[c]]", {})]
    formats.register(mine("[[c]]"), replace=True)
    assert read() == [("text", {}, "<<a>>b", {})]


# -- bounds -----------------------------------------------------------------------------------------------------------


def test_grammars_are_kept_up_to_a_bound() -> None:
    for number in range(grammar.MOST_KEPT + 20):
        grammar_of("cline", tools=[ToolSpec(f"tool_{number}")])
    assert grammar._join.cache_info().currsize == grammar.MOST_KEPT == 128


def test_what_a_grammar_keeps_is_bounded() -> None:
    known = grammar_of("xml")
    for number in range(core_grammar.MOST_KEPT + 20):
        closers = (exact(f"</{number}>"),)
        assert known.prose(closers) is known.prose(closers)
        asked: dict[str, bool] = {"has_calls": True, "is_implied": False}
        assert known.reasoning(closers, **asked) is known.reasoning(closers, **asked)
        assert len(known._prose) <= core_grammar.MOST_KEPT
    assert len(known._prose) == 40, "it was emptied twice, at 64 and at 128 of 168"
    unsettled = grammar_of("auto")
    opener = next(opener for opener in unsettled.openers if opener.state is not None)
    for number in range(core_grammar.MOST_KEPT + 20):
        settled = unsettled.settle(f"format {number}", opener)
        assert settled is unsettled.settle(f"format {number}", opener)
        assert len(unsettled._settled) <= core_grammar.MOST_KEPT


# -- streams at the same time -----------------------------------------------------------------------------------------

REPLIES = {
    "hermes": 'Hm {0}.<tool_call>{{"name": "f", "arguments": {{"a": {0}}}}}</tool_call>Done.',
    "xml": '<think>Hm {0}.</think><tool name="f"><arg name="a">{0}</arg></tool>Done.',
    "qwen3_coder": "Hm {0}.<tool_call><function=f><parameter=a>{0}</parameter></function></tool_call>Done.",
    "cline": "Hm {0}.<f>\n<a>{0}</a>\n</f>Done.",
}
REPLIES["auto"] = REPLIES["hermes"]
TOOL = {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}


def read_whole(name: str, number: int) -> tuple[list[Any], list[dict[str, Any]]]:
    handler = StreamingResponseHandler(name, tools=[TOOL])
    events = handler.feed(REPLIES[name].format(number)) + handler.finalize()
    return segments(events), [invocation.arguments for invocation in handler.invocations]


@pytest.mark.parametrize("name", REPLIES)
def test_streams_in_turn_do_not_disturb_each_other(name: str) -> None:
    handlers = [StreamingResponseHandler(name, tools=[TOOL]) for _ in range(3)]
    events: list[list[Any]] = [[] for _ in handlers]
    texts = [REPLIES[name].format(number) for number in range(len(handlers))]
    for index in range(len(texts[0])):
        for number, handler in enumerate(handlers):
            events[number] += handler.feed(texts[number][index])
    for number, handler in enumerate(handlers):
        events[number] += handler.finalize()
        read = segments(events[number]), [invocation.arguments for invocation in handler.invocations]
        assert read == read_whole(name, number)
        assert read[1] == [{"a": number}]


def test_handlers_that_are_made_in_several_threads_read_as_in_one() -> None:
    work = [(name, number) for number in range(40) for name in REPLIES]
    expected = [read_whole(name, number) for name, number in work]
    grammar._join.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda item: read_whole(*item), work)) == expected
