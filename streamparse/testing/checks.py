"""Assertions that hold for every parser and every state: guarantees 1, 2 and 5, on a text of your choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from streamparse.core.registry import ToolStateRegistry, default_registry
from streamparse.core.state import BaseState
from streamparse.events import AnyEvent, SegmentContent, SegmentEvent
from streamparse.parser import StreamingParser
from streamparse.testing.events import Segment, check_order, normalize, segments
from streamparse.testing.splits import splits


def assert_chunk_invariant(text: str, format: str | Iterable[str] = "xml", **options: Any) -> list[AnyEvent]:
    """Assert that no way to cut `text` changes its events, and that no prefix shows what the whole takes back.

    `options` are those of `StreamingParser`. Returns the normalized events.
    """
    formats = [format] if isinstance(format, str) else list(format)
    whole = _run([text], formats, options)
    for chunks in splits(text):
        events = _run(chunks, formats, options)
        assert events == whole, f"cut as {_shown(chunks)}: {events}\nwhole: {whole}"
    by_character = StreamingParser(formats, **options)
    shown: list[AnyEvent] = []
    for length in range(len(text) + 1):
        prefix = text[:length]
        shown += by_character.feed(prefix[-1:])
        _check_prefix(prefix, normalize(shown), whole, StreamingParser(formats, **options))
    return whole


def check_state(
    state: type[BaseState] | str,
    samples: Iterable[str] | Mapping[str, Sequence[Segment]],
    *,
    name: str | None = None,
    **options: Any,
) -> None:
    """Prove a custom tool state, or the block of that name: every split of every sample, finalized at every prefix.

    `samples` are texts, or texts with the segments they must give. `name` is the tool's name; the default is the one
    under which `state` is registered, else its segment type, as a tag of its own and as `<tool name=…>`.
    """
    registry = default_registry if isinstance(state, str) else _registry_with(state, name)
    segment_type = state if isinstance(state, str) else state.segment_type
    expected = samples if isinstance(samples, Mapping) else dict.fromkeys(samples)
    types: set[str] = set()
    for text, rows in expected.items():
        found = segments(assert_chunk_invariant(text, **{"registry": registry, **options}))
        types.update(row[0] for row in found)
        if rows is not None:
            wanted = [tuple(row) for row in rows]
            assert found == wanted, f"{text!r} gives\n  {found}\nand was expected to give\n  {wanted}"
    assert segment_type in types, (
        f"no sample gives a segment of type {segment_type!r}: is the tool's name right, do the samples use it?"
    )


def _registry_with(state: type[BaseState], name: str | None) -> ToolStateRegistry:
    registry = default_registry.copy()
    if name is None and any(registry.get(known) is state for known in registry.names()):
        return registry
    registry.register(name or state.segment_type, state, bare=True, replace=True)
    return registry


def _run(chunks: Iterable[str], formats: list[str], options: dict[str, Any]) -> list[AnyEvent]:
    parser = StreamingParser(formats, **options)
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    events += parser.finalize()
    check_order(events)
    return normalize(events)


def _check_prefix(prefix: str, shown: list[AnyEvent], whole: list[AnyEvent], parser: StreamingParser) -> None:
    """What is shown for a prefix is the same at once as by characters, stays shown, and the prefix can be the end."""
    events = parser.feed(prefix)
    at_once = normalize(events)
    assert at_once == shown, f"the prefix {prefix!r} shows {at_once}; by single characters {shown}"
    assert is_prefix(shown, whole), f"the prefix {prefix!r} shows {shown}, which the whole takes back: {whole}"
    check_order(events + parser.finalize())


def is_prefix(events: Sequence[SegmentEvent], whole: Sequence[SegmentEvent]) -> bool:
    """Whether normalized `events` are the beginning of `whole`; the last delta may be the beginning of its."""
    if not events:
        return True
    last, at = events[-1], len(events) - 1
    if len(whole) < len(events) or list(events[:-1]) != list(whole[:at]):
        return False
    if isinstance(last, SegmentContent):
        other = whole[at]
        return other.type is last.type and other.segment_id == last.segment_id and other.delta.startswith(last.delta)
    return last == whole[at]


def _shown(chunks: list[str]) -> str:
    return repr(chunks) if len(chunks) <= 2 else "single characters"
