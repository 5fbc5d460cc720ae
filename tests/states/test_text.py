"""states/text.py: long texts in one chunk, where prose jumps from one possible marker to the next."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, StreamingParser
from streamparse.testing import Segment, segments

LONG = "The quick brown fox. " * 100


def rows(*chunks: str, config: ParserConfig | None = None) -> list[Segment]:
    parser = StreamingParser("xml", config)
    return segments([event for chunk in chunks for event in parser.feed(chunk)] + parser.finalize())


def test_a_marker_far_behind_is_found() -> None:
    assert rows(f"{LONG}<run_bash>ls</run_bash>{LONG}") == [
        *(("text", {}, LONG, {}), ("run_bash", {}, "ls", {}), ("text", {}, LONG, {})),
    ]


def test_every_one_of_many_markers_is_found() -> None:
    text = f"{LONG}<run_bash>ls</run_bash>`<think>`<think>h</think></think>"
    assert rows(text * 5) == [
        *(
            *(("text", {}, LONG, {}), ("run_bash", {}, "ls", {})),
            *(("text", {}, "`<think>`", {}), ("reasoning", {}, "h", {})),
        )
        * 5
    ]


@pytest.mark.parametrize("cut", [1, 3, 9])
def test_a_marker_cut_at_the_end_of_a_long_chunk_is_held(cut: int) -> None:
    parser = StreamingParser("xml")
    assert "".join(event.delta for event in parser.feed(LONG + "<run_bash>"[:cut])) == LONG
    assert segments(parser.feed("<run_bash>"[cut:] + "ls</run_bash>")[1:]) == [("run_bash", {}, "ls", {})]


def test_what_was_seen_in_one_long_chunk_does_not_mislead_in_the_next() -> None:
    """The first has a backtick near its end and no `<`; the next begins with one."""
    assert rows(f"{LONG}`a` ", f"<run_bash>ls</run_bash>{LONG}", f"`{LONG}") == [
        *(("text", {}, f"{LONG}`a` ", {}), ("run_bash", {}, "ls", {}), ("text", {}, f"{LONG}`{LONG}", {})),
    ]


def test_angles_that_are_no_markers_are_text_in_a_long_chunk() -> None:
    text = "if a < b and c <d> then </x> " * 100
    assert rows(text) == [("text", {}, text, {})]


def test_a_closer_of_reasoning_that_nothing_opened_is_found_in_a_long_chunk() -> None:
    assert rows(f"{LONG}</think>{LONG}") == [("text", {}, LONG, {"reasoning": True}), ("text", {}, LONG, {})]


def test_long_reasoning_ends_at_its_closer() -> None:
    for config in (ParserConfig(), ParserConfig(tools_in_reasoning=True)):
        assert rows(f"<think>{LONG}</think>{LONG}", config=config) == [
            *(("reasoning", {}, LONG, {}), ("text", {}, LONG, {})),
        ]
