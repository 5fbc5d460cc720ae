"""Limits of blocks: off by default, exact, and nothing is lost."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from streamparse import LimitError, Limits, ParserConfig, SegmentContent, SegmentEnd, SegmentStart, ToolSyntaxRegistry
from streamparse.blocks import AssistantMessageParser, BlockBuilder, parse_assistant_message
from streamparse.blocks.parameter_limit import measure
from tests.blocks.kit import CUT, View, growing, text, tool, view


@pytest.mark.parametrize("value", [0, -1, True, "9", 1.5])
@pytest.mark.parametrize("name", ["max_message", "max_parameter"])
def test_a_limit_is_a_positive_number(name: str, value: Any) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=f"{name} must be a positive number of characters or None, not {value!r}"):
        AssistantMessageParser("xml", **options)


def test_there_is_no_limit_unless_one_is_set() -> None:
    [block] = view(parse_assistant_message(f"<run_bash>{'x' * 3_000_000}</run_bash>", "xml"))
    assert len(block["params"]["command"]) == 3_000_000


# -- of a message -----------------------------------------------------------------------------------------------------

MESSAGE = "Hi <run_bash>ls</run_bash> ok"


def process(parser: AssistantMessageParser, reply: str, size: int) -> None:
    for start in range(0, len(reply), size):
        parser.process_chunk(reply[start : start + size])


@pytest.mark.parametrize("size", [1, 4, 100])
@pytest.mark.parametrize("most", range(1, len(MESSAGE)))
def test_a_message_is_taken_in_up_to_the_limit(most: int, size: int) -> None:
    parser = AssistantMessageParser("xml", max_message=most)
    with pytest.raises(LimitError) as caught:
        process(parser, MESSAGE, size)
    assert (caught.value.name, caught.value.value, caught.value.offset) == ("max_message", most, most)
    assert view(parser.blocks) == view(parse_assistant_message(MESSAGE[:most], "xml"))
    with pytest.raises(LimitError):
        parser.process_chunk("more")
    assert view(parser.finalize()) == view(parse_assistant_message(MESSAGE[:most], "xml", partial=False))


def test_a_message_may_be_as_long_as_the_limit() -> None:
    parser = AssistantMessageParser("xml", max_message=len(MESSAGE))
    parser.process_chunk(MESSAGE)
    parser.finalize()
    parser.reset()
    parser.process_chunk(MESSAGE)


@pytest.mark.parametrize(
    ("total", "message", "name"), [(3, None, "max_total"), (3, 5, "max_total"), (5, 3, "max_message")]
)
def test_of_two_limits_the_lower_one_counts(total: int, message: int | None, name: str) -> None:
    config = ParserConfig(limits=Limits(max_total=total))
    parser = AssistantMessageParser("xml", config=config, max_message=message)
    with pytest.raises(LimitError) as caught:
        parser.process_chunk("123456")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.name, error.value) == (name, 3)
    assert view(parser.blocks) == [text("123", partial=True)]


# -- of a parameter ---------------------------------------------------------------------------------------------------

SEARCH = {"name": "search", "parameters": {"properties": {"query": {"type": "string"}}}}


def fed(format: str, reply: str, size: int, most: int, **options: Any) -> tuple[int | None, View]:
    """How much was fed when the limit was passed, if it was, and the blocks then."""
    parser = AssistantMessageParser(format, max_parameter=most, **options)
    for start in range(0, len(reply), size):
        try:
            parser.process_chunk(reply[start : start + size])
        except LimitError:
            seen = view(parser.blocks)
            with pytest.raises(LimitError) as again:
                parser.process_chunk("more")
            assert (again.value.name, again.value.value, again.value.offset) == ("max_parameter", most, None)
            parser.finalize()
            return start + size, seen
    parser.finalize()
    return None, view(parser.blocks)


@pytest.mark.parametrize(
    ("format", "before", "after", "params"),
    [
        ("xml", '<write_file path="p">', "</write_file>", ["path", "content"]),
        ("xml", '<tool name="search"><a>1</a><query>', "</query></tool>", ["a", "query"]),
        ("json", '{"name": "search", "arguments": {"a": 1, "query": "', '"}}', ["a", "query"]),
        (
            "qwen3_coder",
            "<tool_call><function=search><parameter=query>",
            "</parameter></function></tool_call>",
            ["query"],
        ),
    ],
)
def test_a_parameter_may_be_as_long_as_the_limit_and_no_longer(
    format: str, before: str, after: str, params: list[str]
) -> None:
    fits = before + "x" * 20 + after
    passes = before + "x" * 21 + after
    for size in (1, 3, 1000):
        at, blocks = fed(format, fits, size, 20, tools=[SEARCH])
        assert (at, [block["status"] for block in blocks]) == (None, ["complete"])
        at, [block] = fed(format, passes, size, 20, tools=[SEARCH])
        exact = len(before) + 21
        assert at is not None
        assert exact <= at < exact + size
        assert list(block["params"]) == params
        assert 21 <= len(block["params"][params[-1]]) < 21 + size


def test_a_limit_is_noticed_in_what_start_says() -> None:
    at, blocks = fed("xml", 'Hi <write_file path="12345">', 1, 4)
    assert (at, blocks) == (28, [text("Hi"), growing(2, "write_file", {"path": "12345"})])


def test_a_limit_is_noticed_at_the_end_at_the_latest() -> None:
    reply = '<tool name="write_file" path="p"><content>x</content><note>12345</note></tool> ok'
    at, blocks = fed("xml", reply, 1, 4)
    assert at == len(reply) - 3
    assert blocks == [tool(1, "write_file", {"path": "p", "content": "x", "note": "12345"})]
    parser = AssistantMessageParser("xml", max_parameter=4)
    parser.process_chunk('<tool name="f"><a><item>12</item><item>345</item></a')
    with pytest.raises(LimitError):
        parser.process_chunk("></tool>")
    assert view(parser.finalize()) == [tool(1, "f", {"a": ["12", "345"]})]


def test_what_ends_with_the_reply_is_measured_then() -> None:
    syntaxes = ToolSyntaxRegistry()

    def build(metadata: Any, content: str) -> dict[str, Any]:
        return {"all": content * 3}

    syntaxes.register("run_bash", "sh", build, build, replace=True)
    parser = AssistantMessageParser("xml", max_parameter=5, syntaxes=syntaxes)
    parser.process_chunk("<run_bash>ab")  # no one could know that it is longer than what was written
    with pytest.raises(LimitError):
        parser.finalize()
    assert view(parser.finalize()) == [tool(1, "sh", {"all": "ababab"}, **CUT)]
    late = AssistantMessageParser("xml", max_parameter=5)
    late.process_chunk("<run_bash>1234</")
    with pytest.raises(LimitError):
        late.finalize()
    assert view(late.finalize()) == [tool(1, "run_bash", {"command": "1234</"}, **CUT)]


def test_a_builder_takes_in_everything_and_says_it_once() -> None:
    builder = BlockBuilder(max_parameter=3)
    events = [SegmentStart("a", "run_bash"), SegmentContent("a", "1234"), SegmentContent("a", "5")]
    with pytest.raises(LimitError):
        builder.feed_all([*events, SegmentStart("b", "text"), SegmentContent("b", "x" * 9)])
    assert view(builder.blocks)[0]["params"] == {"command": "12345"}
    builder.feed_all([SegmentContent("a", "6"), SegmentEnd("b"), SegmentEnd("a")])
    assert [block["partial"] for block in view(builder.blocks)] == [False, False]


def test_measuring_a_call_with_many_parameters_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    builder = BlockBuilder(max_parameter=100)
    partial = builder._adapter.build_partial
    monkeypatch.setattr(
        type(builder._adapter), "build_partial", lambda self, call: asked.append(call.size) or partial(call)
    )
    builder.feed(SegmentStart("a", "tool_call", {"tool_name": "f"}))
    for number in range(1000):
        builder.feed(SegmentContent("a", f"<a{number}>{'x' * 100}</a{number}>"))
        for _ in range(20):
            builder.feed(SegmentContent("a", " "))
    # The calls grew to 130,000 characters; each reading costs as much as there is.
    assert sum(asked) < 12 * 130_000


@pytest.mark.parametrize(
    ("value", "size"),
    [
        *(("", 0), ("abc", 3), (12345, 1), (None, 1), ([], 0), ({}, 0), (["a", "bc", 1], 4), (("a",), 1)),
        ({"ab": ["c", {"d": "efg"}], "h": True}, 9),
    ],
)
def test_how_long_a_value_is(value: Any, size: int) -> None:
    assert measure(value) == size


def test_how_deep_a_value_is_nested_does_not_matter() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    assert measure(deep) == 1
    while isinstance(deep, list):  # for the interpreter, who would free it from the outside in
        deep = deep.pop()
