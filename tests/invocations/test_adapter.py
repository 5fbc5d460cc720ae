"""invocations/adapter.py: events in, invocations out, with no parser in sight."""

from __future__ import annotations

import json

import pytest

from streamparse import (
    Limits,
    ParserConfig,
    RegistryError,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentStart,
    StreamingParser,
    ToolInvocation,
    ToolInvocationAdapter,
    ToolSpec,
    formats,
)

CUT_OFF = "the call was cut off before its end"


def fed(adapter: ToolInvocationAdapter, *events: SegmentEvent) -> list[ToolInvocation]:
    return [invocation for event in events if (invocation := adapter.feed(event)) is not None]


def test_an_invocation_comes_with_the_end_and_not_before() -> None:
    adapter = ToolInvocationAdapter()
    assert adapter.feed(SegmentStart("s", "run_bash")) is None
    assert adapter.feed(SegmentContent("s", "l")) is None
    assert adapter.feed(SegmentContent("s", "s")) is None
    assert adapter.feed(SegmentEnd("s")) == ToolInvocation("s", "run_bash", {"command": "ls"}, raw="ls")
    assert adapter.feed(SegmentEnd("s")) is None
    assert adapter.finalize() == []


def test_the_id_of_a_call_may_come_with_its_end_but_that_of_the_start_counts() -> None:
    for metadata, call_id in (({}, "late"), ({"call_id": "early"}, "early")):
        events = [SegmentStart("s", "run_bash", metadata), SegmentEnd("s", call_id="late")]
        assert [made.call_id for made in fed(ToolInvocationAdapter(), *events)] == [call_id]


def test_segments_that_are_no_calls_give_nothing() -> None:
    text = [SegmentStart("a", "text"), SegmentContent("a", "x"), SegmentEnd("a")]
    own = [SegmentStart("b", "chart"), SegmentContent("b", "x"), SegmentEnd("b")]
    assert fed(ToolInvocationAdapter(), *text, *own) == []


def test_text_that_ends_while_a_call_is_open_is_no_call() -> None:
    adapter = ToolInvocationAdapter([ToolSpec("run_bash")])
    events = [SegmentStart("a", "run_bash"), SegmentStart("b", "text"), SegmentEnd("b"), SegmentEnd("a")]
    again = [SegmentStart("c", "run_bash"), SegmentEnd("c")]
    assert [invocation.id for invocation in fed(adapter, *events, *again)] == ["a", "c"]


def test_calls_that_interleave_are_told_apart_by_their_ids() -> None:
    events = [
        *(SegmentStart("a", "run_bash"), SegmentStart("b", "write_file", {"path": "p"})),
        *(SegmentContent("a", "l"), SegmentContent("b", "x"), SegmentContent("a", "s"), SegmentContent("b", "y")),
        *(SegmentEnd("b"), SegmentEnd("a")),
    ]
    assert fed(ToolInvocationAdapter(), *events) == [
        ToolInvocation("b", "write_file", {"path": "p", "content": "xy"}, raw="xy"),
        ToolInvocation("a", "run_bash", {"command": "ls"}, raw="ls"),
    ]


def test_calls_without_an_end_are_truncated_when_the_events_stop() -> None:
    adapter = ToolInvocationAdapter()
    fed(adapter, SegmentStart("a", "run_bash"), SegmentContent("a", "rm -rf /tm"), SegmentStart("b", "tool_call"))
    assert adapter.finalize() == [
        ToolInvocation("a", "run_bash", {"command": "rm -rf /tm"}, "truncated", False, CUT_OFF, "rm -rf /tm"),
        ToolInvocation("b", "", {}, "truncated", False, CUT_OFF, ""),
    ]
    assert adapter.finalize() == []


def test_events_from_a_wire_are_decoded_as_the_format_that_is_named() -> None:
    wire = [event.to_dict() for event in StreamingParser("xml").feed('<tool name="q"><n>1</n></tool>')]
    events = [SegmentEvent.from_dict(json.loads(json.dumps(data))) for data in wire]
    assert fed(ToolInvocationAdapter(), *events) == [ToolInvocation("seg_1", "q", {"n": "1"}, raw="<n>1</n>")]
    with pytest.raises(RegistryError, match=r"^unknown format 'nonsense'"):
        ToolInvocationAdapter(format="nonsense")


def test_values_of_a_provider_that_are_no_text_are_taken_as_they_are() -> None:
    start = SegmentStart("s", "run_bash", {"tool_name": "run_bash", "call_id": "c1", "env": {"A": 1}})
    end = SegmentEnd("s", late={"timeout": 9, "tags": ["<item>"]})
    arguments = {"env": {"A": 1}, "timeout": 9, "tags": ["<item>"], "command": "ls"}
    assert fed(ToolInvocationAdapter(), start, SegmentContent("s", "ls"), end) == [
        ToolInvocation("s", "run_bash", arguments, raw="ls", call_id="c1")
    ]


def test_an_id_that_is_no_text_is_none() -> None:
    start = SegmentStart("s", "run_bash", {"call_id": 5})
    assert fed(ToolInvocationAdapter(), start, SegmentEnd("s")) == [ToolInvocation("s", "run_bash", {"command": ""})]


def test_a_value_at_the_end_that_contradicts_one_at_the_start_makes_the_call_malformed() -> None:
    def call(late: str) -> list[ToolInvocation]:
        start = SegmentStart("s", "write_file", {"path": "a"})
        return fed(ToolInvocationAdapter(), start, SegmentEnd("s", late={"path": late}))

    assert call("a") == [ToolInvocation("s", "write_file", {"path": "a", "content": ""})]
    error = "path is given twice"
    assert call("b") == [ToolInvocation("s", "write_file", {"path": "a"}, "malformed", False, error)]


def test_a_malformed_end_without_a_reason_still_has_one_in_the_invocation() -> None:
    adapter = ToolInvocationAdapter()
    (invocation,) = fed(adapter, SegmentStart("s", "tool_call", {"tool_name": "q"}), SegmentEnd("s", "malformed"))
    assert invocation == ToolInvocation("s", "q", {}, "malformed", False, "the call is malformed")


@pytest.mark.parametrize(
    "pieces", [["abcdef"], ["abc", "def"], list("abcdef"), ["abcd", "ef"], ["abcde", "f"], list("abcd" * 1000)]
)
def test_past_the_limit_the_first_characters_are_kept_as_evidence(pieces: list[str]) -> None:
    config = ParserConfig(limits=Limits(max_arguments=4))
    adapter = ToolInvocationAdapter(config=config)
    contents = [SegmentContent("s", piece) for piece in pieces]
    assert fed(adapter, SegmentStart("s", "write_file", {"path": "p"}), *contents, SegmentEnd("s")) == [
        ToolInvocation(
            "s", "write_file", {"path": "p"}, "malformed", False, "the arguments are longer than 4 characters", "abcd"
        )
    ]


def test_exactly_at_the_limit_nothing_is_wrong() -> None:
    adapter = ToolInvocationAdapter(config=ParserConfig(limits=Limits(max_arguments=4)))
    events = [SegmentStart("s", "run_bash"), SegmentContent("s", "abcd"), SegmentEnd("s")]
    assert fed(adapter, *events) == [ToolInvocation("s", "run_bash", {"command": "abcd"}, raw="abcd")]


@pytest.mark.parametrize(
    ("written", "name"),
    [("SAVE", "Save"), ("save", "Save"), ("WRITE_FILE", "write_file"), ("Other", "Other"), (None, "write_file")],
)
def test_a_name_is_spelled_as_declared(written: str | None, name: str) -> None:
    adapter = ToolInvocationAdapter([ToolSpec("Save", kind="write_file")])
    metadata = {"path": "p"} if written is None else {"tool_name": written, "path": "p"}
    (invocation,) = fed(adapter, SegmentStart("s", "write_file", metadata), SegmentEnd("s"))
    assert invocation.name == name


def test_a_schema_types_what_start_and_end_carry() -> None:
    tool = ToolSpec("run_bash", {"properties": {"timeout": {"type": "integer"}, "tty": {"type": "boolean"}}})
    start, end = SegmentStart("s", "run_bash", {"timeout": "9"}), SegmentEnd("s", late={"tty": "true"})
    (invocation,) = fed(ToolInvocationAdapter([tool]), start, SegmentContent("s", "ls"), end)
    assert invocation.arguments == {"timeout": 9, "tty": True, "command": "ls"}


def test_json_in_start_or_end_that_is_nested_too_deeply_makes_the_call_malformed() -> None:
    tool = ToolSpec("run_bash", {"properties": {"env": {"type": "array"}}})
    adapter = ToolInvocationAdapter([tool], config=ParserConfig(limits=Limits(max_depth=2)))
    start = SegmentStart("s", "run_bash", {"env": "[[[1]]]"})
    assert fed(adapter, start, SegmentContent("s", "ls"), SegmentEnd("s")) == [
        ToolInvocation("s", "run_bash", {"command": "ls"}, "malformed", False, "env is nested too deeply", "ls")
    ]


@pytest.mark.parametrize("is_registered", [True, False])
def test_a_format_without_a_decoder_makes_calls_malformed_but_not_files(
    monkeypatch: pytest.MonkeyPatch, is_registered: bool
) -> None:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    if is_registered:
        formats.register(formats.Format("bare", lambda setup: ()))
    adapter = ToolInvocationAdapter()
    call = SegmentStart("s", "tool_call", {"tool_name": "q", "mode": "&amp;"}, "bare")
    assert fed(adapter, call, SegmentContent("s", "<a>1</a>"), SegmentEnd("s")) == [
        ToolInvocation(
            *("s", "q", {"mode": "&amp;"}, "malformed", False),
            *("the format of the call does not say how arguments are decoded", "<a>1</a>"),
        )
    ]
    file = SegmentStart("t", "write_file", {"path": "p"}, "bare")
    assert fed(adapter, file, SegmentContent("t", "x"), SegmentEnd("t", late={"mode": "&lt;"})) == [
        ToolInvocation("t", "write_file", {"path": "p", "mode": "&lt;", "content": "x"}, raw="x")
    ]


def test_of_several_problems_the_first_is_told() -> None:
    start = SegmentStart("s", "tool_call", {"tool_name": "q", "a": "1"}, "xml")
    end = SegmentEnd("s", late={"a": "2"})
    (invocation,) = fed(ToolInvocationAdapter(), start, SegmentContent("s", "no arguments"), end)
    assert (invocation.status, invocation.error) == ("malformed", "a is given twice")
    (invocation,) = fed(ToolInvocationAdapter(), start, SegmentEnd("s", "malformed", "why", late={"a": "2"}))
    assert (invocation.status, invocation.error) == ("malformed", "why")


@pytest.mark.parametrize("text", ["hello", ""])
def test_a_tool_may_call_its_body_otherwise(text: str) -> None:
    adapter = ToolInvocationAdapter([ToolSpec("save", kind="write_file", body="text")])
    start = SegmentStart("s", "write_file", {"tool_name": "save", "path": "p"})
    content = [SegmentContent("s", text)] if text else []
    assert fed(adapter, start, *content, SegmentEnd("s")) == [
        ToolInvocation("s", "save", {"path": "p", "text": text}, raw=text)
    ]


def test_invocations_can_be_put_into_sets() -> None:
    one, two = ToolInvocation("a", "q", {"n": [1]}), ToolInvocation("a", "q", {"n": [2]})
    assert len({one, two, ToolInvocation("a", "q", {"n": [1]})}) == 2


def test_what_is_no_configuration_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^config must be a ParserConfig, not dict$"):
        ToolInvocationAdapter(config={})  # type: ignore[arg-type]


def test_a_call_of_a_format_that_no_one_knows_has_its_place_in_a_plan() -> None:
    adapter = ToolInvocationAdapter()
    adapter.feed(SegmentStart("a", "run_bash", {"plan_id": "plan_1", "toolId": "x", "dependsOn": "y, z"}, "nowhere"))
    adapter.feed(SegmentContent("a", "ls"))
    made = adapter.feed(SegmentEnd("a"))
    assert made is not None
    assert (made.arguments, made.plan_id, made.step_id, made.depends_on) == (
        {"command": "ls"},
        "plan_1",
        "x",
        ("y", "z"),
    )
