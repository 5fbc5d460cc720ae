"""invocations/adapter.py and open_call.py: the arguments of calls in flight."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse import (
    Limits,
    ParserConfig,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentStart,
    StreamingResponseHandler,
    ToolInvocation,
    ToolInvocationAdapter,
    ToolSpec,
    ToolSyntaxRegistry,
    formats,
)
from streamparse.arguments import ArgumentDecoder, Signature
from streamparse.families.json.decoder import JSON_CALL_ARGUMENTS


def snapshots(adapter: ToolInvocationAdapter, *events: SegmentEvent) -> list[dict[str, Any] | None]:
    """What there is after each of the events, all of one segment."""
    found = []
    for event in events:
        adapter.feed(event)
        found.append(adapter.partial_arguments(event.segment_id))
    return found


def contents(*deltas: str) -> list[SegmentEvent]:
    return [SegmentContent("s", delta) for delta in deltas]


def test_a_call_has_arguments_from_its_start_to_its_end() -> None:
    start = SegmentStart("s", "tool_call", {"tool_name": "q", "call_id": "c", "mode": "fast"}, "xml")
    properties = {"n": {"type": "integer"}, "t": {"type": "string"}}
    adapter = ToolInvocationAdapter([ToolSpec("q", {"properties": properties})])
    assert snapshots(adapter, start, *contents("<n>5", "</n", "><t>a", "b</t>"), SegmentEnd("s")) == [
        {"mode": "fast"},
        {"mode": "fast"},
        {"mode": "fast"},
        {"mode": "fast", "n": 5, "t": "a"},
        {"mode": "fast", "n": 5, "t": "ab"},
        None,
    ]


def test_a_segment_that_is_no_call_in_flight_has_none() -> None:
    adapter = ToolInvocationAdapter()
    assert adapter.partial_arguments("s") is None
    assert snapshots(adapter, SegmentStart("s", "text"), *contents("a")) == [None, None]
    adapter.feed(SegmentStart("t", "run_bash"))
    adapter.finalize()
    assert adapter.partial_arguments("t") is None


@pytest.mark.parametrize(
    ("segment_type", "body"), [("write_file", "content"), ("patch_file", "patch"), ("run_bash", "command")]
)
def test_a_body_grows(segment_type: str, body: str) -> None:
    start = SegmentStart("s", segment_type, {"path": "p"})
    assert snapshots(ToolInvocationAdapter(), start, *contents("a", "b")) == [
        {"path": "p"},
        {"path": "p", body: "a"},
        {"path": "p", body: "ab"},
    ]


def test_a_body_of_another_name_grows() -> None:
    adapter = ToolInvocationAdapter([ToolSpec("save", kind="write_file", body="text")])
    start = SegmentStart("s", "write_file", {"tool_name": "save", "path": "p"})
    assert snapshots(adapter, start, *contents("a")) == [{"path": "p"}, {"path": "p", "text": "a"}]


def test_what_start_says_is_typed() -> None:
    adapter = ToolInvocationAdapter([ToolSpec("run_bash", {"properties": {"timeout": {"type": "integer"}}})])
    start = SegmentStart("s", "run_bash", {"timeout": "9"})
    assert snapshots(adapter, start, *contents("ls")) == [{"timeout": 9}, {"timeout": 9, "command": "ls"}]


def test_calls_that_interleave_are_told_apart() -> None:
    adapter = ToolInvocationAdapter()
    adapter.feed_all([SegmentStart("a", "run_bash"), SegmentStart("b", "run_bash")])
    adapter.feed_all([SegmentContent("a", "l"), SegmentContent("b", "p"), SegmentContent("a", "s")])
    assert (adapter.partial_arguments("a"), adapter.partial_arguments("b")) == ({"command": "ls"}, {"command": "p"})


def test_the_format_of_events_from_a_wire_is_that_which_is_named() -> None:
    start = SegmentStart("s", "tool_call", {"tool_name": "f"})
    content = contents('{"name": "f", "arguments": {"a": "x')
    assert snapshots(ToolInvocationAdapter(format="json"), start, *content) == [{}, {"a": "x"}]
    assert snapshots(ToolInvocationAdapter(format="sentinel"), start, *contents('{"a": "x')) == [{}, {"a": "x"}]


def test_what_the_header_of_a_sentinel_call_says_is_there_from_the_start() -> None:
    metadata = {"tool_name": "f", "arguments": {"a": [1]}, "b": 2}
    start = SegmentStart("s", "tool_call", metadata, "sentinel")
    assert snapshots(ToolInvocationAdapter(), start, *contents('{"c": "x')) == [
        {"b": 2, "a": [1]},
        {"b": 2, "a": [1], "c": "x"},
    ]


def test_what_start_has_shown_stays() -> None:
    start = SegmentStart("s", "tool_call", {"tool_name": "q", "a": "12"}, "xml")
    assert snapshots(ToolInvocationAdapter(), start, *contents("<a>1", "2</a>", "<b>x")) == [
        {"a": "12"},
        {"a": "12"},
        {"a": "12"},
        {"a": "12", "b": "x"},
    ]


def test_where_nothing_can_be_built_there_is_what_start_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    formats.register(formats.Format("bare", lambda setup: ()))
    adapter = ToolInvocationAdapter()
    no_decoder = SegmentStart("s", "tool_call", {"tool_name": "q", "mode": "fast"}, "bare")
    assert snapshots(adapter, no_decoder, *contents("<a>1")) == [{"mode": "fast"}, {"mode": "fast"}]
    no_object = SegmentStart("s", "tool_call", {"tool_name": "q", "arguments": [1]}, "sentinel")
    assert snapshots(adapter, no_object, *contents('{"a": ')) == [{"arguments": [1]}, {"arguments": [1]}]
    body_twice = SegmentStart("s", "write_file", {"path": "p", "content": "x"})
    assert snapshots(adapter, body_twice, *contents("y")) == [{"path": "p", "content": "x"}] * 2


def rows_of(metadata: Any, content: str) -> dict[str, Any]:
    return {"db": metadata["db"], "rows": [int(row) for row in content.split(",") if row]}


def never(metadata: Any, content: str) -> dict[str, Any]:
    raise AssertionError(f"{content!r} is not complete")


def test_a_syntax_of_ones_own_is_asked() -> None:
    syntaxes = ToolSyntaxRegistry()
    syntaxes.register("sql", "run_sql", never, rows_of)
    start = SegmentStart("s", "sql", {"db": "main"})
    assert snapshots(ToolInvocationAdapter(syntaxes=syntaxes), start, *contents("1,", "x", ",2")) == [
        {"db": "main", "rows": []},
        {"db": "main", "rows": [1]},
        {"db": "main"},
        {"db": "main"},
    ]


def test_a_syntax_of_ones_own_without_a_function_for_what_is_partial_shows_what_start_said() -> None:
    syntaxes = ToolSyntaxRegistry()
    syntaxes.register("sql", "run_sql", never)
    start = SegmentStart("s", "sql", {"db": "main", "call_id": "c"})
    assert snapshots(ToolInvocationAdapter(syntaxes=syntaxes), start, *contents("1,", "2")) == [{"db": "main"}] * 3


# -- whose they are ---------------------------------------------------------------------------------------------------


def test_who_changes_a_snapshot_disturbs_neither_the_next_nor_the_invocation() -> None:
    adapter = ToolInvocationAdapter()
    start = SegmentStart("s", "tool_call", {"tool_name": "f", "mode": "fast"}, "json")
    adapter.feed_all([start, SegmentContent("s", '{"name": "f", "arguments": {"a": "x')])
    for _ in range(2):
        found = adapter.partial_arguments("s")
        assert found == {"mode": "fast", "a": "x"}
        found.clear()
    adapter.feed(SegmentContent("s", '"}}'))
    assert adapter.feed(SegmentEnd("s")) == ToolInvocation(
        "s", "f", {"mode": "fast", "a": "x"}, raw='{"name": "f", "arguments": {"a": "x"}}'
    )
    assert start.metadata == {"tool_name": "f", "mode": "fast"}


def test_a_snapshot_of_hundreds_of_names_is_not_copied() -> None:
    adapter = ToolInvocationAdapter(format="sentinel")
    many = {f"name{number}": number for number in range(257)}
    adapter.feed_all([SegmentStart("s", "tool_call"), SegmentContent("s", json.dumps(many))])
    assert adapter.partial_arguments("s") == many
    assert adapter.partial_arguments("s") is adapter.partial_arguments("s")


# -- how often the content is read ------------------------------------------------------------------------------------


def test_short_content_is_read_with_every_delta() -> None:
    adapter = ToolInvocationAdapter()
    adapter.feed(SegmentStart("s", "run_bash"))
    for length in range(1, 1024):
        adapter.feed(SegmentContent("s", "x"))
        assert adapter.partial_arguments("s") == {"command": "x" * length}


@pytest.mark.parametrize("size", [1, 4, 50])
def test_a_snapshot_of_long_content_misses_three_percent_at_most(size: int) -> None:
    adapter = ToolInvocationAdapter()
    adapter.feed(SegmentStart("s", "run_bash"))
    lengths = set()
    for count in range(1, 20_000 // size):
        adapter.feed(SegmentContent("s", "x" * size))
        found = adapter.partial_arguments("s")
        assert found is not None
        length = len(found["command"])
        lengths.add(length)
        assert 0.97 * count * size <= length <= count * size
        assert length == count * size or count * size >= 1024
    # From 1,024 to 20,000 it is 98 times that 3 % are new.
    assert len([length for length in lengths if length >= 1024]) <= 99


def test_content_is_read_once_however_often_someone_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []

    class Watched(ArgumentDecoder):
        def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
            reads.append(len(content))
            return JSON_CALL_ARGUMENTS.decode_partial(content, signature)

    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    formats.register(formats.Format("watched", lambda setup: (), arguments=Watched()))
    adapter = ToolInvocationAdapter(format="watched")
    adapter.feed(SegmentStart("s", "tool_call"))
    assert adapter.partial_arguments("s") == adapter.partial_arguments("s") == {}
    assert reads == [0]
    call = '{"name": "f", "arguments": {"a": "' + "x" * 10_000
    for delta, length in ((call[:100], 100), (call[100:10_000], 10_000), (call[10_000:10_010], None)):
        adapter.feed(SegmentContent("s", delta))
        before = list(reads)
        found = [adapter.partial_arguments("s") for _ in range(5)]
        assert found == [found[0]] * 5
        assert reads == before + ([length] if length else [])
    adapter.feed(SegmentContent("s", "x" * 300))  # 310 of 10,310: more than 3 %
    assert adapter.partial_arguments("s") == {"a": "x" * (10_310 - len('{"name": "f", "arguments": {"a": "'))}
    assert reads == [0, 100, 10_000, 10_310]


def test_asking_changes_nothing_of_what_is_collected() -> None:
    """Also where deltas are joined, and past the limit, where the first characters are all that is kept."""
    deltas = [f"{number}," for number in range(3_000)]
    text = "".join(deltas)
    for limit in (10_000, 16_000_000):
        asked, silent = (ToolInvocationAdapter(config=ParserConfig(limits=Limits(max_arguments=limit))) for _ in "ab")
        made = []
        for adapter in (asked, silent):
            adapter.feed(SegmentStart("s", "run_bash"))
            for delta in deltas:
                adapter.feed(SegmentContent("s", delta))
                if adapter is asked:
                    found = adapter.partial_arguments("s")
                    assert found is not None
                    assert text[:limit].startswith(found["command"])
            made.append(adapter.feed(SegmentEnd("s")))
        assert made[0] == made[1]
        assert made[0] is not None
        assert made[0].raw == text[:limit]


def test_several_deltas_between_two_askings() -> None:
    adapter = ToolInvocationAdapter(format="hermes")
    adapter.feed(SegmentStart("s", "tool_call", {"tool_name": "f"}))
    for delta in ('{"a": "', "x" * 2000):
        adapter.feed(SegmentContent("s", delta))
    assert adapter.partial_arguments("s") == {"a": "x" * 2000}
    for delta in ("y", "z" * 100):
        adapter.feed(SegmentContent("s", delta))
    assert adapter.partial_arguments("s") == {"a": "x" * 2000 + "y" + "z" * 100}


_IN_XML = '<tool name="write_file"><arg name="path">a</arg><arg name="content">b</arg><arg name="mode">c</arg></tool>'
_IN_JSON = '<tool_call>{{"name": "write_file", "arguments": {{{}, "mode": "c"}}}}</tool_call>'


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("xml", _IN_XML),
        ("hermes", _IN_JSON.format('"path": "a", "content": "b"')),
        ("hermes", _IN_JSON.format('"content": "b", "path": "a"')),
    ],
)
def test_what_is_late_stands_behind_the_body_that_was_shown_before(format: str, text: str) -> None:
    properties: dict[str, Any] = {"path": {}, "content": {}, "mode": {}}
    handler = StreamingResponseHandler(format, tools=[{"name": "write_file", "parameters": {"properties": properties}}])
    shown = [handler.partial_arguments(event.segment_id) for piece in text for event in handler.feed(piece)]
    handler.finalize()
    [call] = handler.invocations
    assert shown[-2:] == [{"path": "a", "content": "b"}, {"path": "a", "content": "b", "mode": "c"}]
    assert list(call.arguments.items()) == [("path", "a"), ("content", "b"), ("mode", "c")]
