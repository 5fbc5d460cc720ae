"""The live view, in a real terminal."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from streamparse import parse
from streamparse.cli.demo import transcript
from tests.cli.command import run
from tests.cli.terminal import Terminal

#: The beginnings of all the markers in the transcript.
MARKER = re.compile(r"</?[twpr]")


@cache
def piped(columns: int) -> str:
    """What the demo writes into a pipe, without trailing blanks."""
    out = run("demo", "--speed", "0", COLUMNS=str(columns)).out
    return "\n".join(row.rstrip() for row in out.split("\n"))


@pytest.fixture(scope="module")
def played() -> Terminal:
    """The demo, played to its end at 400 tokens a second."""
    with Terminal("demo", "--speed", "400") as terminal:
        assert terminal.wait() == 0
        return terminal


def test_no_part_of_a_marker_is_ever_on_the_screen(played: Terminal) -> None:
    assert len(MARKER.findall(transcript())) == 11
    assert [row for frame in played.frames for row in frame if MARKER.search(row)] == []
    assert MARKER.search(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", played.raw.decode())) is None


def test_a_panel_grows_and_takes_nothing_back(played: Terminal) -> None:
    file = "".join(event.delta for event in parse(transcript()) if event.segment_type == "write_file")
    lines = file.strip("\n").split("\n")
    stages = []
    for frame in played.frames:
        titles = [number for number, row in enumerate(frame) if row.startswith("╭─ write_file")]
        ends = [number for number, row in enumerate(frame) if row.endswith(" streaming ─╯")]
        if titles and ends and ends[-1] > titles[-1] and "complete" not in "".join(frame[titles[-1] :]):
            stages.append([row[2:-1].rstrip() for row in frame[titles[-1] + 1 : ends[-1]]])
    assert len(stages) >= 3
    assert sorted(stages, key=lambda stage: "\n".join(stage)) == stages
    for stage in stages:
        assert stage[:-1] == lines[: len(stage) - 1]
        assert lines[len(stage) - 1].startswith(stage[-1])


def test_a_token_is_not_a_frame(played: Terminal) -> None:
    tokens_played, segments = 626, 11
    assert segments < len(played.frames) < tokens_played / 4


def test_the_cursor_is_hidden_while_it_plays_and_shown_again(played: Terminal) -> None:
    assert played.raw.count(b"\x1b[?25l") == played.raw.count(b"\x1b[?25h") == 1
    assert played.raw.index(b"\x1b[?25l") < played.raw.index(b"reasoning") < played.raw.index(b"\x1b[?25h")
    assert not played.screen.cursor.hidden


def test_what_stays_is_what_a_pipe_gets(played: Terminal) -> None:
    assert played.text() == piped(100)


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), (200, 50)])
def test_what_stays_is_what_a_pipe_gets_in_any_terminal(columns: int, rows: int) -> None:
    with Terminal("demo", "--speed", "2000", columns=columns, rows=rows) as terminal:
        assert terminal.wait() == 0
        assert terminal.text() == piped(columns)


def test_what_is_taller_than_the_screen_shows_its_end_and_then_everything() -> None:
    numbers = [f"line {number}" for number in range(1, 101)]
    with Terminal("parse", columns=40, rows=12) as terminal:
        terminal.write(b'<write_file path="long.txt">\n' + "\n".join(numbers).encode())
        terminal.wait_for("line 100")
        assert [row.rstrip() for row in terminal.screen.display] == [
            "╭─ write_file long.txt ────────────────╮",
            "│ ⋮                                    │",
            *(f"│ {line:<36} │" for line in numbers[-7:]),
            "╰────────────────────────── streaming ─╯",
            "",
            "",
        ]
        assert terminal.wait() == 0
        assert terminal.text().split("\n") == [
            "╭─ write_file long.txt ────────────────╮",
            *(f"│ {line:<36} │" for line in numbers),
            "╰────────────────────────── truncated ─╯",
            '  → write_file(path="long.txt", content…',
            "",
        ]


def test_ctrl_c_closes_what_is_open_and_restores_the_terminal() -> None:
    with Terminal("parse", columns=40, rows=12) as terminal:
        terminal.write(b"Hi.<run_bash>rm -rf ./")
        terminal.wait_for("rm -rf ./")
        assert terminal.screen.cursor.hidden
        terminal.press(b"\x03")
        terminal.wait_for("truncated")
        assert terminal.wait() == 130
        assert not terminal.screen.cursor.hidden
        assert terminal.text().split("\n") == [
            "Hi.",
            "",
            "╭─ run_bash ───────────────────────────╮",
            "│ rm -rf ./                            │",
            "╰────────────────────────── truncated ─╯",
            "  → run_bash(command=[1 line])",
            "",
        ]


def test_ctrl_c_ends_the_demo_in_its_pause() -> None:
    with Terminal("demo", "--speed", "10") as terminal:
        terminal.wait_for("streaming")
        terminal.press(b"\x03")
        assert terminal.wait() == 130
        assert not terminal.screen.cursor.hidden
        assert "truncated" in terminal.text()
        assert "Traceback" not in terminal.text()


def test_a_hostile_reply_does_not_reach_the_terminal() -> None:
    with Terminal("parse", columns=60, rows=12) as terminal:
        terminal.write("\x1b]0;owned\x07\x1b[2J\u202e\x9b5A\r<write_file path='\x1b[31m\n'>\x1bc\x08".encode())
        terminal.wait_for("streaming")
        terminal.write(b"</write_file>[blink]")
        terminal.wait_for("[blink]")
        assert terminal.wait() == 0
        assert terminal.text().split("\n") == [
            r"\x1b]0;owned\x07\x1b[2J\u202e\x9b5A\r",
            "",
            r"╭─ write_file \x1b[31m\n ──────────────────────────────────╮",
            r"│ \x1bc\x08                                                │",
            "╰─────────────────────────────────────────────── complete ─╯",
            r'  → write_file(path="\u001b[31m\n", content=[1 line])',
            "",
            "[blink]",
            "",
        ]
        for forbidden in (b"\x1b]", b"\x07", b"\x1b[2J", "\u202e".encode(), "\x9b".encode(), b"\x1bc", b"\x08"):
            assert forbidden not in terminal.raw


def test_a_dumb_terminal_gets_finished_panels_and_no_escape_sequence() -> None:
    with Terminal("demo", "--speed", "0", columns=40, TERM="dumb") as terminal:
        assert terminal.wait() == 0
        assert b"\x1b" not in terminal.raw
        assert terminal.text() == piped(40)


@pytest.mark.parametrize(("no_color", "colours"), [("", {b"31", b"32", b"35"}), ("1", set())])
def test_no_color_is_respected(tmp_path: Path, no_color: str, colours: set[bytes]) -> None:
    path = tmp_path / "reply.txt"
    path.write_text("<write_file path='a'>import re</write_file><run_bash>ls")
    with Terminal("parse", str(path), NO_COLOR=no_color) as terminal:
        assert terminal.wait() == 0
        codes = {code for found in re.findall(rb"\x1b\[([0-9;]*)m", terminal.raw) for code in found.split(b";")}
        assert {code for code in codes if re.fullmatch(rb"[349]\d", code)} == colours


def test_text_is_seen_while_the_input_pauses_and_then_the_screen_rests() -> None:
    with Terminal("parse") as terminal:
        terminal.write(b"a < b, <write_fi")
        terminal.wait_for("a < b,")
        assert [row.rstrip() for row in terminal.screen.display] == ["a < b,"] + [""] * 29
        assert terminal.is_quiet(0.25)
        terminal.write(b"b>")
        terminal.wait_for("<write_fib>")
        assert terminal.wait() == 0
        assert terminal.text() == "a < b, <write_fib>\n"


def test_a_finished_file_is_coloured_by_its_language(tmp_path: Path) -> None:
    path = tmp_path / "reply.txt"
    path.write_text("<write_file path='a.py'>import re\n\tx = 1 \n</write_file>")
    with Terminal("parse", str(path), columns=40) as terminal:
        assert terminal.wait() == 0
        row = terminal.screen.buffer[1]
        assert [row[column].data for column in range(2, 11)] == list("import re")
        assert {row[column].fg for column in range(2, 8)} == {"brightblue"}
        assert terminal.text().split("\n")[1:3] == [
            "│ import re                            │",
            "│         x = 1                        │",
        ]
