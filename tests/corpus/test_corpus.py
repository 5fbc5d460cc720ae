"""Every case of the corpus gives its segments and its calls, however it is cut, from events alone, and cut short."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from streamparse import (
    EventReader,
    SegmentEvent,
    StreamingParser,
    ToolInvocation,
    ToolInvocationAdapter,
    formats,
)
from streamparse.config import BODIES
from streamparse.testing import normalize
from tests.corpus.cases import Case, expected_calls, expected_segments, load
from tests.formats.kit import Run, check, exact
from tests.schema import check_fit

CASES = load()
PROSE = {"text", "reasoning"}
#: What is as the models should write it.
PLAIN = {"calls", "reasoning"}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_gives_its_segments_and_calls_however_it_is_cut(case: Case) -> None:
    """Whole, by single characters, in two pieces and from JSON lines; what a prefix shows stays, also as the end."""
    ends = {"is_mended": case.is_mended, "is_wild": case.is_wild}
    whole = check(case.text, case.format, cuts=len(case.text), **ends, **case.options)
    if case.segments is not None:
        expected = expected_segments(case, whole.bounds)
        assert whole.bounds == expected
        assert exact(whole.bounds) == exact(expected)
        if {row[0] for row in expected} <= PROSE:
            assert whole.told == []
    if case.calls is not None:
        calls = expected_calls(case, whole.told)
        assert whole.told == calls
        assert exact(whole.told) == exact(calls)
    check_wire(case, whole)


def check_wire(case: Case, whole: Run) -> None:
    """The calls are the same from events alone, and from JSON lines."""
    parser = StreamingParser(case.format, **case.options)
    events = [event for character in case.text for event in parser.feed(character)] + parser.finalize()
    if not case.options["config"].invocations:
        assert normalize(events) == whole.events
        return
    assert exact(adapted(case, whole.events)) == exact(whole.told)  # those of the handler say no less
    assert exact(adapted(case, events)) == exact(whole.told)
    reader = EventReader()
    back = [reader.read(json.loads(json.dumps(event.to_dict()))) for event in events]
    assert back == events
    assert [event.segment_type for event in back] == [event.segment_type for event in events]
    shown: dict[str, str] = {}
    limit = case.options["config"].limits.max_arguments
    for event in events:
        shown[event.segment_id] = (shown.get(event.segment_id, "") + event.delta)[:limit]
    # Lines carry what is shown: of a call with a body, that is not what was written.
    assert exact(adapted(case, back)) == exact([{**told, "raw": shown[told["id"]]} for told in whole.told])
    check_fit([*events, *whole.invocations])
    kinds = {event.segment_id: str(event.segment_type) for event in events}
    for told in whole.told:
        assert ("content" in told) is (kinds[told["id"]] in BODIES)
        assert told.get("content") in (None, shown[told["id"]], *told["arguments"].values())


def adapted(case: Case, events: Iterable[SegmentEvent]) -> list[dict[str, Any]]:
    adapter = ToolInvocationAdapter(case.tools, config=case.options["config"])
    found = [invocation for event in events if (invocation := adapter.feed(event)) is not None]
    assert adapter.finalize() == []
    assert [ToolInvocation.from_dict(json.loads(json.dumps(made.to_dict()))) for made in found] == found
    return [invocation.to_dict() for invocation in found]


def test_names_are_unique_in_a_format() -> None:
    names = Counter((case.format, case.name) for case in CASES)
    assert [name for name, count in names.items() if count > 1] == []


def test_a_folder_is_named_after_its_format() -> None:
    assert {case.format for case in CASES} <= set(formats.names())


@pytest.mark.parametrize("format", [name for name in formats.names() if name not in ("auto", "native")])
def test_every_format_has_a_call_and_two_calls_and_two_quirks(format: str) -> None:
    cases = [case for case in CASES if case.format == format]
    counts = {sum(row.type not in PROSE for row in case.rows) for case in cases}
    assert {1, 2} <= counts
    assert sum(case.topic not in PLAIN for case in cases) >= 2
