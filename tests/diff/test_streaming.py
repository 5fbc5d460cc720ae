"""What a live editor sees, and when."""

from __future__ import annotations

import pytest

from streamparse import ParserStateError
from streamparse.diff import (
    DiffEvent,
    DiffEventType,
    Edit,
    EditStatus,
    SearchReplaceStream,
    Strategy,
    apply_patch,
    apply_search_replace,
    construct_new_file_content,
)
from tests.diff.kit import apply, block, merged

FILE = "a\nb\nc\nd\n"


def short(events: list[DiffEvent]) -> list[object]:
    """The type of each event, or the delta, or where it is matched."""
    names = {
        "matched": lambda event: (event.start_line, event.end_line),
        "replacement_delta": lambda event: event.delta,
    }
    return [names.get(event.type.value, lambda event: event.type.value)(event) for event in events]


def test_everything_is_said_as_soon_as_it_is_certain() -> None:
    stream = SearchReplaceStream(FILE)
    steps: list[tuple[str, list[object], str]] = [
        ("Look:\n------- SEA", [], FILE),
        ("RCH", [], FILE),
        ("\n", ["block_started"], FILE),
        ("b\n===", [], FILE),
        ("====", [], FILE),
        ("\n", [(2, 2)], "a\n"),
        ("he", ["he"], "a\nhe"),
        ("llo", ["llo"], "a\nhello"),
        ("\n", ["\n"], "a\nhello\n"),
        ("-", [], "a\nhello\n"),
        (" ", [], "a\nhello\n"),
        ("i", ["- i"], "a\nhello\n- i"),
        ("tem\n+", ["tem\n"], "a\nhello\n- item\n"),
        ("++++++ REPLAC", [], "a\nhello\n- item\n"),
        ("E", [], "a\nhello\n- item\n"),
        ("\n", ["block_done"], "a\nhello\n- item\nc\nd\n"),
        ("------- SEARCH\na\n=======\nA", ["block_started", (1, 1), "A"], "A"),
        ("\n+++++++ REPLACE\n", ["\n", "block_done"], "A\nhello\n- item\nc\nd\n"),
        ("------- SEARCH\nd\n=======\n", ["block_started", (4, 4)], "A\nhello\n- item\nc\n"),
        ("x\\", ["x\\"], "A\nhello\n- item\nc\nx\\"),
        ("\n\\", ["\n"], "A\nhello\n- item\nc\nx\\\n"),
        ("=====\r", [], "A\nhello\n- item\nc\nx\\\n"),
        ("\n>>> REPLACE", ["=====\n"], "A\nhello\n- item\nc\nx\\\n=====\n"),
    ]
    for delta, events, preview in steps:
        assert (short(stream.feed(delta)), stream.preview) == (events, preview), delta
    assert [edit.number for edit in stream.result.edits] == [1, 2]
    result = stream.finalize()
    assert short(list(result.events)) == ["block_done"]
    assert result.content == stream.preview == "A\nhello\n- item\nc\nx\\\n=====\n"
    assert stream.result is result


@pytest.mark.parametrize(
    ("beginning", "is_shown"),
    [
        ("+++ REPLC", False),
        ("+++ REPLACEED", False),
        ("+++ REPLACEDNESS", True),
        ("+++++++ UPDATED", False),
        ("-- x", True),
        ("-- S", False),
        ("-- REPLACE", False),
        ("-- REPLACE\r", False),
        ("-- REPLACEX", True),
        ("SEA", True),
        ("  +", False),
        ("\\", False),
        ("\\x", True),
        ("+" * 200, False),
        ("+" * 201, True),
    ],
)
def test_a_line_is_held_as_long_as_it_may_become_a_marker(beginning: str, is_shown: bool) -> None:
    stream = SearchReplaceStream(FILE)
    stream.feed("------- SEARCH\nb\n=======\n")
    assert short(stream.feed(beginning)) == ([beginning] if is_shown else [])


def test_lines_that_may_change_are_shown_whole() -> None:
    stream = SearchReplaceStream("  a\n")
    stream.feed("------- SEARCH\na\n=======\n")
    assert (short(stream.feed("x")), short(stream.feed("y\n"))) == ([], ["  xy\n"])


def test_the_first_line_of_an_empty_file_is_shown_at_once() -> None:
    stream = SearchReplaceStream("")
    stream.feed("------- SEARCH\n=======\n")
    assert (short(stream.feed("he")), stream.preview) == (["he"], "he")


def test_nothing_is_shown_of_a_block_with_a_bad_header() -> None:
    stream = SearchReplaceStream(FILE)
    assert short(stream.feed("------- SEARCH\n:start_line:x\n-------\nb\n=======\nB\n")) == ["block_started"]
    assert stream.preview == FILE
    assert short(stream.feed("+++++++ REPLACE\n")) == ["failed"]


def test_an_ending_that_may_not_be_written_waits() -> None:
    stream = SearchReplaceStream("a\nb")
    stream.feed("------- SEARCH\nb\n=======\nx\n")
    assert stream.preview == "a\nx"
    assert short(stream.feed("y")) == ["\ny"]
    assert short(stream.feed("\n\n")) == ["\n"]
    assert stream.preview == "a\nx\ny\n"


def test_a_block_that_may_belong_in_several_places_is_not_shown() -> None:
    stream = SearchReplaceStream("x\na\nx\n")
    assert short(stream.feed(block("x\n", "y\n"))) == ["block_started"]
    assert (stream.preview, stream.result.edits) == ("x\na\nx\n", ())
    assert short(stream.feed(block("x\n", "z\n"))) == ["block_started"]
    result = stream.finalize()
    assert short(list(result.events)) == [(1, 1), "y\n", "block_done", (3, 3), "z\n", "block_done"]
    assert [event.number for event in result.events] == [1, 1, 1, 2, 2, 2]


def test_a_failure_is_reported_at_the_end_of_its_block() -> None:
    stream = SearchReplaceStream(FILE)
    assert short(stream.feed("------- SEARCH\nnope\n=======\nx\n")) == ["block_started"]
    assert short(stream.feed("+++++++ REPLACE\n")) == ["failed"]
    assert (stream.preview, stream.result.ok) == (FILE, False)


def test_what_breaks_off_is_taken_out_again() -> None:
    stream = SearchReplaceStream(FILE)
    stream.feed("------- SEARCH\nb\n=======\nx\n")
    assert stream.preview == "a\nx\n"
    events = stream.feed("------- SEARCH\n")
    assert short(events) == ["failed", "block_started"]
    assert (events[0].start_line, events[0].end_line) == (None, None)
    assert stream.preview == FILE


def test_a_separator_is_waited_for_if_the_file_goes_on_with_such_a_line() -> None:
    stream = SearchReplaceStream("Title\n=======\ntext\n")
    assert short(stream.feed("------- SEARCH\nTitle\n=======\nNew\n=======\n")) == ["block_started"]
    assert short(stream.feed("+++++++ REPLACE\n")) == [(1, 1), "New\n", "=======\n", "block_done"]
    stream = SearchReplaceStream("Title\n=======\ntext\n")
    assert short(stream.feed("------- SEARCH\nTitle\n=======\ntext\n=======\nNew\n")) == ["block_started"]
    assert short(stream.feed("+++++++ REPLACE\n")) == [(1, 3), "New\n", "block_done"]


def test_a_diff_that_is_not_final() -> None:
    diff = block("b\n", "B\n") + "------- SEARCH\nd\n=======\nD\n+++"
    result = apply_search_replace(FILE, diff, final=False)
    assert (result.ok, result.content, [edit.number for edit in result.edits]) == (True, "a\nB\nc\nD\n", [1])
    first = ["block_started", (2, 2), "B\n", "block_done"]
    assert short(merged(result.events)) == [*first, "block_started", (4, 4), "D\n"]
    assert construct_new_file_content(diff, FILE, False) == "a\nB\nc\nD\n"
    assert construct_new_file_content(block("b\n", "B\n"), FILE, True) == "a\nB\nc\nd\n"
    assert construct_new_file_content("------- SEARCH\nnope\n=======\n", FILE, False) == FILE


def test_nothing_can_be_fed_after_the_end() -> None:
    stream = SearchReplaceStream(FILE)
    stream.finalize()
    with pytest.raises(ParserStateError, match="make a new stream"):
        stream.feed("")


# --- blocks without an end


@pytest.mark.parametrize(
    ("tail", "shown"),
    [
        ("x", "x\n"),
        ("x\n", "x\n"),
        ("- item", "- item\n"),
        ("x\n+x", "x\n+x\n"),
        ("x\n+", "x\n+\n"),
        ("---", "---\n"),
        ("x\n++++++", "x\n++++++\n"),
        ("x\n+++++++", "x\n"),
        ("x\n++++++++", "x\n++++++++\n"),
        ("x\n+++ R", "x\n"),
        ("x\n>>>>>>> REPLAC", "x\n"),
        ("x\n-------", "x\n-------\n"),
        ("x\n<<<<<<<", "x\n<<<<<<<\n"),
        ("x\n--- S", "x\n--- S\n"),
        ("x\n+++++++ RX y", "x\n+++++++ RX y\n"),
        ("x\n++++++ REPxxxE\n", "x\n++++++ REPxxxE\n"),  # three wrong characters are another word
        ("Install\n=======", "Install\n=======\n"),
        ("", ""),
    ],
)
def test_a_block_without_an_end_is_truncated(tail: str, shown: str) -> None:
    diff = f"------- SEARCH\nb\n=======\n{tail}"
    result = apply(FILE, diff, marked=True)
    assert (result.ok, result.content) == (False, FILE)
    edit = result.edits[0]
    assert (edit.status, edit.start_line, edit.end_line, edit.replacement) == ("truncated", 2, 2, shown)
    accepted = apply(FILE, diff, marked=True, accept_truncated=True)
    assert (accepted.ok, accepted.content, accepted.edits) == (True, f"a\n{shown}c\nd\n", result.edits)
    for accepts, preview, end in ((False, FILE, "truncated"), (True, accepted.content, "block_done")):
        stream = SearchReplaceStream(FILE)
        stream.feed(diff)
        events = stream.finalize(accept_truncated=accepts).events
        assert (stream.preview, events[-1]) == (preview, DiffEvent(DiffEventType(end), 1, 2, 2, edit=edit))


def test_a_block_that_breaks_off_before_its_place_is_known_is_told() -> None:
    for diff, apply_diff in (("------- SEARCH\nb\n", apply_search_replace), ("@@ -2,2 +2,2 @@\n", apply_patch)):
        for accepts in (False, True):
            result = apply_diff(FILE, diff, accept_truncated=accepts)
            edit = Edit(1, None, None, None, 0.0, EditStatus.TRUNCATED)
            assert (result.ok, result.content, result.edits) == (False, FILE, (edit,))
            assert result.events == (
                DiffEvent(DiffEventType.BLOCK_STARTED, 1),
                DiffEvent(DiffEventType.TRUNCATED, 1, edit=edit),
            )


def test_a_hunk_that_breaks_off_is_taken_back() -> None:
    result = apply_patch(FILE, "@@ -1,4 +1,4 @@\n a\n-b\n+x")
    edit = Edit(1, 2, 2, Strategy.EXACT, 1.0, EditStatus.TRUNCATED, "x\n")
    assert (result.ok, result.content, result.edits) == (False, FILE, (edit,))
    assert result.events == (
        DiffEvent(DiffEventType.BLOCK_STARTED, 1),
        DiffEvent(DiffEventType.MATCHED, 1, 2, 2),
        DiffEvent(DiffEventType.REPLACEMENT_DELTA, 1, 2, 2, "x\n"),
        DiffEvent(DiffEventType.TRUNCATED, 1, 2, 2, edit=edit),
    )


@pytest.mark.parametrize(("size", "is_kept"), [(3, True), (6, True), (7, False), (8, True), (9, True), (10, False)])
def test_a_cut_end_marker_has_the_size_of_the_first_or_seven_characters(size: int, is_kept: bool) -> None:
    for character in "+>":
        line = character * size
        result = apply(FILE, f"---------- SEARCH\nb\n=======\nB\n{line}", marked=True, accept_truncated=True)
        assert result.content == (f"a\nB\n{line}\nc\nd\n" if is_kept else "a\nB\nc\nd\n")


def test_a_line_that_begins_with_a_byte_order_mark_is_shown_like_others() -> None:
    for original, shown in ((FILE, "a\n\ufeffx"), (f"\ufeff{FILE}", "\ufeffa\n\ufeffx")):
        stream = SearchReplaceStream(original)
        stream.feed("------- SEARCH\nb\n=======\n\ufeff")
        stream.feed("x")
        assert stream.preview == shown
    stream = SearchReplaceStream(f"\ufeff{FILE}")
    stream.feed("------- SEARCH\na\n=======\n\ufeff")
    assert stream.preview == "\ufeff"
    stream.feed("x")
    assert stream.preview == "\ufeffx"


def test_a_byte_order_mark_before_the_diff_may_come_late() -> None:
    stream = SearchReplaceStream(FILE)
    chunks = ["", "\ufeff", "------- SEARCH\n"]
    assert [short(stream.feed(chunk)) for chunk in chunks] == [[], [], ["block_started"]]


def test_the_result_so_far_holds_complete_edits_only() -> None:
    stream = SearchReplaceStream(FILE)
    stream.feed(block("a\n", "A\n") + "------- SEARCH\nb\n=======\nB\n")
    assert (stream.result.content, len(stream.result.edits)) == ("A\nb\nc\nd\n", 1)
    assert stream.preview == "A\nB\n"
    stream.feed("+++++++ REPLACE\n")
    assert (stream.result.content, len(stream.result.edits)) == ("A\nB\nc\nd\n", 2)


def test_a_block_without_an_end_that_is_not_shown() -> None:
    for diff in ("------- SEARCH\n", "------- SEARCH\nb\n", "------- SEARCH\nb\n====\nx", "------- SEARCH\nb\n===="):
        for accepted in (False, True):
            result = apply(FILE, diff, accept_truncated=accepted)
            assert (result.ok, result.content, result.failures) == (False, FILE, ())
            assert (result.edits[0].status, result.edits[0].start_line) == ("truncated", None)
    assert [edit.status for edit in apply(FILE, "------- SEARCH\nb\n=======").edits] == ["truncated"]
    missing = apply(FILE, "------- SEARCH\nnope\n=======\nx")
    assert [failure.reason for failure in missing.failures] == ["not_found"]
    twice = apply("x\nx\n", "------- SEARCH\nx\n=======\ny")
    assert [failure.reason for failure in twice.failures] == ["ambiguous"]
    late = apply(FILE, block("b\n", "B\n") + "------- SEARCH\nb\n=======\ny")
    assert [failure.reason for failure in late.failures] == ["overlap"]


def test_a_truncated_block_that_had_to_wait() -> None:
    original = "Title\n=======\ntext\n"
    result = apply(original, "------- SEARCH\nTitle\n=======\ntext\n=======\nnew", accept_truncated=True)
    assert result.content == "new\n"
    result = apply("x\na\nx\n", block("x\n", "1\n") + "------- SEARCH\nx\n=======\n2", accept_truncated=True)
    assert (result.content, [edit.status for edit in result.edits]) == ("1\na\n2\n", ["applied", "truncated"])
    assert apply("", "------- SEARCH\n=======\na\nb", accept_truncated=True).content == "a\nb"
