"""`streamparse demo`: the bundled reply."""

from __future__ import annotations

import time

from streamparse import StreamingResponseHandler
from streamparse.cli.demo import _paced, transcript
from tests.cli.command import run


def test_the_transcript_shows_every_kind_of_segment_and_a_call_that_is_cut_off() -> None:
    handler = StreamingResponseHandler("xml")
    events = [*handler.feed(transcript()), *handler.finalize()]
    kinds = [event.segment_type for event in events if event.type == "SEGMENT_START"]
    assert kinds == [
        *("reasoning", "text", "tool_call", "text", "write_file", "text", "patch_file", "text"),
        *("run_bash", "text", "run_bash"),
    ]
    assert [call.status for call in handler.invocations] == ["complete"] * 4 + ["truncated"]
    assert handler.invocations[-1].arguments == {"command": "cd shop && rm -rf ./"}


def test_the_file_of_the_transcript_is_a_program() -> None:
    handler = StreamingResponseHandler("xml")
    handler.feed(transcript())
    compile(handler.invocations[1].arguments["content"], "test_paging.py", "exec")


def test_it_ends_with_what_came_of_it() -> None:
    code, out, err = run("demo", "--speed", "0")
    assert (code, err) == (0, "")
    assert out.endswith(
        "╰────────────────────────────────────────────────────────────────── truncated ─╯\n"
        "  → run_bash(command=[1 line])\n"
        "\n"
        "626 tokens, 11 segments, 5 calls: 4 complete, 1 truncated.\n"
        "The last one was cut off: it is truncated, so nobody runs it.\n"
    )
    assert '  → search(query="page_count(", limit=5)\n' in out


def test_it_keeps_its_pace() -> None:
    start = time.monotonic()
    pieces = [(piece, time.monotonic() - start) for piece in _paced(["a", "b", "c"], 50)]
    assert [piece for piece, _ in pieces] == [b"a", b"b", b"c"]
    assert [moment >= number / 50 for number, (_, moment) in enumerate(pieces)] == [True, True, True]
