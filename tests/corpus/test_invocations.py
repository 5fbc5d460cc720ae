"""Every case of the invocations corpus: exact invocations, however the text is cut, and from events alone."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from streamparse import (
    SegmentEvent,
    StreamingParser,
    StreamingResponseHandler,
    ToolInvocationAdapter,
)
from streamparse.config import BODIES
from streamparse.testing import splits
from tests.corpus.test_corpus import options_of
from tests.cuts import some

HERE = Path(__file__).parent
FORMATS = {"invocations": "xml", "invocations_json": "json", "invocations_cline": "cline"}  # by folder


def load() -> list[Any]:
    cases = []
    for folder, format in FORMATS.items():
        for file in sorted((HERE / folder).glob("*.toml")):
            for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
                cases.append(pytest.param(format, case, id=f"{file.stem}: {case['name']}"))
    return cases


CASES = load()


def exact(rows: Iterable[dict[str, Any]]) -> str:
    """As text, in which 1, 1.0, True and "1" differ."""
    return json.dumps(list(rows), sort_keys=True)


def handled(format: str, chunks: Iterable[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    handler = StreamingResponseHandler(format, **options)
    for chunk in chunks:
        handler.feed(chunk)
    handler.finalize()
    return [invocation.to_dict() for invocation in handler.invocations]


def adapted(format: str, events: Iterable[SegmentEvent], options: dict[str, Any]) -> list[dict[str, Any]]:
    adapter = ToolInvocationAdapter(options["tools"], config=options["config"], format=format)
    found = [invocation for event in events if (invocation := adapter.feed(event)) is not None]
    assert adapter.finalize() == []
    return [invocation.to_dict() for invocation in found]


def events_of(format: str, text: str, options: dict[str, Any]) -> list[SegmentEvent]:
    parser = StreamingParser(format, **options)
    events = [event for character in text for event in parser.feed(character)]
    return events + parser.finalize()


@pytest.mark.parametrize(("format", "case"), CASES)
def test_a_case_gives_its_invocations_however_it_is_cut(format: str, case: dict[str, Any]) -> None:
    options = options_of(case)
    whole = handled(format, [case["input"]], options)
    expected = json.loads(case["invocations_json"])
    for row, found in zip(expected, whole, strict=False):
        if row["error"] and row["error"].endswith("*"):  # how the error begins
            assert isinstance(found["error"], str)
            assert found["error"]
            assert found["error"].startswith(row["error"][:-1])
            row["error"] = found["error"]
    assert whole == expected
    assert exact(whole) == exact(expected)
    for chunks in splits(case["input"]):
        assert exact(handled(format, chunks, options)) == exact(whole), chunks


@pytest.mark.parametrize(("format", "case"), CASES)
def test_a_case_gives_its_invocations_from_events_alone(format: str, case: dict[str, Any]) -> None:
    options = options_of(case)
    whole = handled(format, [case["input"]], options)
    events = events_of(format, case["input"], options)
    assert exact(adapted(format, events, options)) == exact(whole)
    if all(event.segment_type not in BODIES for event in events):
        # What a generic call says is all in its content, so nothing is lost on the wire.
        wire = [SegmentEvent.from_dict(json.loads(json.dumps(event.to_dict()))) for event in events]
        assert exact(adapted(format, wire, options)) == exact(whole)


@pytest.mark.parametrize(("format", "case"), CASES)
def test_a_case_cut_short_is_not_complete(format: str, case: dict[str, Any]) -> None:
    """What is known before the end of a prefix stays; and only a call whose end was seen is complete, or repaired."""
    text, options = case["input"], options_of(case)
    whole = handled(format, [text], options)
    final = {exact([row]) for row in whole}
    for length in some(range(len(text))):
        handler = StreamingResponseHandler(format, **options)
        handler.feed(text[:length])
        known = [invocation.to_dict() for invocation in handler.invocations]
        assert exact(known) == exact(whole[: len(known)]), text[:length]
        handler.finalize()
        for invocation in handler.invocations:
            # A file between raw markers counts to its first closer as long as the end marker has not come.
            if invocation.is_complete and not invocation.repaired and "__START_" not in text:
                assert exact([invocation.to_dict()]) in final, text[:length]


def test_names_are_unique() -> None:
    names = [param.values[1]["name"] for param in CASES]
    assert sorted(names) == sorted(set(names))
