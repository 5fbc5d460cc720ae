"""Every case runs whole, by single characters and cut in two everywhere; whatever the cuts, all is the same."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType
from typing import Any

from attrs import evolve

from streamparse.diff import (
    DiffEvent,
    DiffEventType,
    DiffResult,
    PatchStream,
    SearchReplaceStream,
    TreeResult,
    TreeStream,
    apply_patch,
    apply_search_replace,
    apply_to_tree,
)
from tests.cuts import some

#: What no preview may contain, at the beginning of a line.
MARKER = re.compile(r"^[ \t]*(?:(?:-{3,}|<{3,})[ \t]+S(?:EARCH)?|(?:\+{3,}|>{3,})[ \t]+R(?:EPLACE)?)", re.MULTILINE)


def block(old: str, new: str, start: str = "------- SEARCH", end: str = "+++++++ REPLACE") -> str:
    """A block; both sides are lines with their endings."""
    return f"{start}\n{old}=======\n{new}{end}\n"


def update(hunks: str) -> str:
    """A patch for one file, as `*** Begin Patch` has it."""
    return f"*** Begin Patch\n*** Update File: f\n{hunks}*** End Patch\n"


def is_same_with_returns(original: str, diff: str, result: DiffResult) -> bool:
    """Whether the same becomes of a file whose lines end with `\\r\\n`, by a patch or by blocks as they are."""
    if "\r" in original:
        return True  # it is one
    apply_diff = apply_patch if diff.startswith("@@\n") else apply_search_replace
    other = apply_diff(original.replace("\n", "\r\n"), diff)
    return (other.content, outcome(other)) == (result.content.replace("\n", "\r\n"), outcome(result))


def merged(events: Iterable[DiffEvent]) -> list[DiffEvent]:
    """The events, adjacent deltas of a block joined."""
    result: list[DiffEvent] = []
    for event in events:
        last = result[-1] if result else None
        if last and event.delta and last.delta and last.number == event.number:
            result[-1] = evolve(last, delta=last.delta + event.delta)
        else:
            result.append(event)
    return result


def chunkings(text: str, most: int = 400) -> Iterator[list[str]]:
    yield [text]
    yield list(text)
    yield [text[at : at + 3] for at in range(0, len(text), 3)]
    step = max(1, len(text) // most)
    for at in some(range(1, len(text), step)):
        yield [text[:at], text[at:]]


def run(make: Callable[[], Any], chunks: Iterable[str], **finalize: Any) -> tuple[list[DiffEvent], Any, Any]:
    """The merged events, the result without them, and the last preview before the end."""
    stream = make()
    events: list[DiffEvent] = []
    for chunk in chunks:
        events += stream.feed(chunk)
    before = stream.preview
    result = stream.finalize(**finalize)
    assert stream.finalize() is result
    assert isinstance(result, TreeResult) or stream.preview == result.content
    return merged([*events, *result.events]), evolve(result, events=()), before


def check_consistent(
    original: str, events: list[DiffEvent], result: DiffResult, accept_truncated: bool = False
) -> None:
    """What the events say is what the result says."""
    shown: dict[int, str] = {}
    order: dict[int, list[DiffEventType]] = {}
    for event in events:
        shown[event.number] = shown.get(event.number, "") + event.delta
        order.setdefault(event.number, []).append(event.type)
    ends = {event.edit: event.type for event in events if event.edit}
    assert ends == {
        edit: DiffEventType.BLOCK_DONE
        if edit.status != "truncated" or (accept_truncated and edit.start_line is not None)
        else DiffEventType.TRUNCATED
        for edit in result.edits
    }
    assert [event.failure for event in events if event.failure] == sorted(
        result.failures, key=[event.failure for event in events if event.failure].index
    )
    for edit in result.edits:
        assert shown[edit.number] == edit.replacement
    for types in order.values():
        assert types[0] is DiffEventType.BLOCK_STARTED
        assert types[-1] in (DiffEventType.BLOCK_DONE, DiffEventType.FAILED, DiffEventType.TRUNCATED)
        assert len(types) == len(set(types))
    if not result.is_deleted:
        assert result.content == spliced(original, result, accept_truncated)
    assert sorted(order) == sorted({*(edit.number for edit in result.edits), *(f.number for f in result.failures)})


def spliced(original: str, result: DiffResult, accept_truncated: bool) -> str:
    """The file with the replacement of every edit that counts in the place of its lines.

    The byte order mark is in none of them, so whether it stays is for exact cases to say.
    """
    bom = "\ufeff" if original.startswith("\ufeff") else ""
    end = "\n" if "\n" in original else "\r"
    found = re.findall(f"[^{end}]*{end}|[^{end}]+", original.removeprefix(bom))
    lines = list(found)
    edits = [edit for edit in result.edits if accept_truncated or edit.status != "truncated"]
    for edit in sorted(edits, key=lambda edit: (edit.start_line or 0, edit.end_line or 0), reverse=True):
        if edit.start_line is not None and edit.status == "noop":
            assert edit.replacement == "".join(found[edit.start_line - 1 : edit.end_line])
        elif edit.start_line is not None:
            lines[edit.start_line - 1 : edit.end_line] = [edit.replacement]
    return bom * result.content.startswith(bom) + "".join(lines)


def check_chunkings(
    make: Callable[[], Any], original: str, diff: str, accept_truncated: bool
) -> tuple[DiffResult, str]:
    """The result, the same for every chunking, and the preview before the end."""
    events, result, before = expected = run(make, [diff], accept_truncated=accept_truncated)
    check_consistent(original, events, result, accept_truncated)
    for chunks in chunkings(diff):
        assert run(make, chunks, accept_truncated=accept_truncated) == expected, chunks
    return result, before


def apply(
    original: str, diff: str, *, accept_truncated: bool = False, marked: bool = False, **options: Any
) -> DiffResult:
    """The result of a SEARCH/REPLACE diff, the same for every chunking. `marked`: the file has markers of its own."""

    def make() -> SearchReplaceStream:
        return SearchReplaceStream(original, **options)

    expected, before = check_chunkings(make, original, diff, accept_truncated)
    stream = make()
    for character in diff:
        stream.feed(character)
        assert marked or not MARKER.search(stream.preview), stream.preview
    assert apply_search_replace(original, diff, final=False, **options).content == before
    whole = apply_search_replace(original, diff, accept_truncated=accept_truncated, **options)
    assert evolve(whole, events=()) == expected
    return expected


def patch(original: str, text: str, *, accept_truncated: bool = False, **options: Any) -> DiffResult:
    """The result of a patch, the same for every chunking."""

    def make() -> PatchStream:
        return PatchStream(original, **options)

    expected, before = check_chunkings(make, original, text, accept_truncated)
    assert apply_patch(original, text, final=False, **options).content == before
    whole = apply_patch(original, text, accept_truncated=accept_truncated, **options)
    assert evolve(whole, events=()) == expected
    return expected


def tree(texts: Mapping[str, str], diff: str, *, accept_truncated: bool = False, **options: Any) -> TreeResult:
    """The result of a diff for a tree, the same for every chunking, which leaves the tree as it is."""
    before = dict(texts)

    def make() -> TreeStream:
        return TreeStream(texts, **options)

    events, result, _ = expected = run(make, [diff], accept_truncated=accept_truncated)
    path = None
    for event in events:
        path = event.path if event.type is DiffEventType.FILE_STARTED else path
        assert event.path == path
    for chunks in chunkings(diff):
        assert run(make, chunks, accept_truncated=accept_truncated) == expected, chunks
    whole = apply_to_tree(texts, diff, accept_truncated=accept_truncated, **options)
    assert evolve(whole, events=()) == result
    assert texts == before
    assert isinstance(result, TreeResult)
    return result


def work(act: Callable[[], Any]) -> int:
    """How many lines of Python `act` takes: a number that no other program on the machine changes."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    gc.disable()  # whose callbacks, as hypothesis has one, would count
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
        gc.enable()
    return lines


def outcome(result: DiffResult) -> list[str]:
    """What became of each block, in order: a status or a reason."""
    by_block = {edit.number: edit.status.value for edit in result.edits}
    by_block |= {failure.number: failure.reason.value for failure in result.failures}
    return [by_block[number] for number in sorted(by_block)]
