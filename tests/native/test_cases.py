"""Every case: exact events and invocations, as given, as objects, and with the arguments cut everywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from streamparse import EventReader, ToolInvocationAdapter
from streamparse.testing import normalize
from tests.native.kit import (
    Case,
    check_complete,
    check_order,
    check_prefix,
    handler_for,
    invocations_of,
    judged,
    run,
    wire,
)
from tests.native.recut import by_characters, cuts_in_two, recut
from tests.native.replies import REPLIES, ReplyCase
from tests.native.streams import STREAMS
from tests.native.wires import WIRES
from tests.providers.cases import as_object
from tests.schema import check_fit

#: Each reply as the provider with the most freedom sends it; the others' turn is below.
CASES = [
    *STREAMS,
    *(
        Case(case.name, WIRES["openai_chat"](case.reply), case.events_of("openai_chat"), case.invocations, case.options)
        for case in REPLIES
    ),
]
#: Bedrock's events are dicts always.
OBJECTS = [case for case in CASES if not case.name.startswith("bedrock")]
#: What is written in no text format is the same in all of them.
FORMATS = ["xml", "json", "sentinel", "native", "api_tool_call", ["native", "xml"], None]


def by_name(cases: list[Any]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def check(case: Case, chunks: list[Any]) -> None:
    """Run `chunks`, and compare with what the case says."""
    handler = handler_for(case)
    found = wire(run(handler, chunks))
    expected = invocations_of(case.events, case.invocations)
    assert found == judged(case.events, expected), case.name
    made = [invocation.to_dict() for invocation in handler.invocations]
    assert [row.pop("is_declared", None) is not None for row in made] == [bool(case.options.get("tools"))] * len(made)
    assert made == expected, case.name


@by_name(CASES)
def test_a_case_gives_its_events_and_invocations(case: Case) -> None:
    check(case, case.chunks)
    check_wire(case)


def check_wire(case: Case) -> None:
    """The calls are the same from JSON lines."""
    handler = handler_for(case)
    events = [event for chunk in case.chunks for event in handler.feed(chunk)] + handler.finalize()
    reader = EventReader()
    back = [reader.read(json.loads(json.dumps(event.to_dict()))) for event in events]
    assert [(event, event.segment_type) for event in back] == [(event, event.segment_type) for event in events]
    adapter = ToolInvocationAdapter(case.options.get("tools", ()), config=case.options.get("config"))
    # What the model wrote of a file is not sent beside the file: there, the content is all there is of it.
    told = [{**row, "raw": row.get("content", row["raw"])} for row in wire(handler.invocations)]
    assert wire(adapter.feed_all(back)) == told
    check_fit([*events, *handler.invocations])


@by_name(OBJECTS)
def test_objects_are_read_as_dicts_are(case: Case) -> None:
    check(case, [as_object(chunk) for chunk in case.chunks])


@by_name(CASES)
def test_arguments_may_be_cut_anywhere(case: Case) -> None:
    check(case, [piece for chunk in case.chunks for piece in recut(chunk, by_characters)])
    for chunks in cuts_in_two(case.chunks):
        check(case, chunks)


@by_name(CASES)
def test_the_stream_may_end_anywhere(case: Case) -> None:
    """What is shown stays, by characters as at once, and no call is complete whose arguments are not whole."""
    handler = handler_for(case)
    whole = run(handler_for(case), case.chunks)
    fed: list[Any] = []
    shown = []
    at_once = handler_for(case)
    shown_at_once = []
    for chunk in case.chunks:
        for piece in recut(chunk, by_characters):
            fed.append(piece)
            shown += handler.feed(piece)
            check_order(shown, is_whole=False)
            check_prefix(shown, whole)
            cut = handler_for(case)
            events = run(cut, fed)
            check_complete(cut.invocations, events, fed)
        shown_at_once += at_once.feed(chunk)
        assert normalize(shown_at_once) == normalize(shown)


@by_name(REPLIES)
def test_every_provider_gives_the_same(case: ReplyCase) -> None:
    for provider, build in WIRES.items():
        if provider == "openai_chat" or (provider == "plain" and not case.is_for_all):
            continue
        chunks = build(case.reply)
        stream = Case(f"{provider}: {case.name}", chunks, case.events_of(provider), case.invocations, case.options)
        check(stream, chunks)
        check(stream, [piece for chunk in chunks for piece in recut(chunk, by_characters)])


@by_name([case for case in REPLIES if not any("{" in getattr(part, "text", "") for part in case.reply)])
def test_every_format_gives_the_same(case: ReplyCase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STREAMPARSE_PARSER", raising=False)
    chunks = WIRES["anthropic"](case.reply)
    for formats in FORMATS:
        check(Case(f"{formats}: {case.name}", chunks, case.events, case.invocations, case.options, formats), chunks)


def test_names_are_unique() -> None:
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))
