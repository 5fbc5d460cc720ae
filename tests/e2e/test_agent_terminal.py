"""`streamparse agent` as a program: in a real terminal, with signals, and without a standard input."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from streamparse.cli.keyboard import END, Keyboard
from tests.agent.scripted_server import AnyReply, Calls, Hanging, Text
from tests.cli.agent_setting import DONE, Setting, write
from tests.cli.command import COMMAND, ENVIRONMENT
from tests.cli.terminal import Terminal

QUESTION = "[f]eedback"


def answer(terminal: Terminal, keys: bytes) -> None:
    """Wait for the question, and answer it."""
    terminal.wait_for_end_of_line(QUESTION)
    terminal.press(keys)


# -- in a terminal ----------------------------------------------------------------------------------------------------


def test_a_person_answers_by_keys(setting: Setting) -> None:
    (setting.root / "a.txt").write_text("old\n")
    script: list[AnyReply] = [
        Calls(("read_file", {"path": "a.txt"}), text="Let me look."),
        write("a.txt", "new\n"),
        write("b.txt"),
        write("c.txt"),
        Calls(("run_bash", {"command": "echo hello; exit 3"})),
        Text("That is all."),
        Text("Again."),
    ]
    with setting.terminal(script, "Go.", rows=70) as terminal:
        terminal.wait_for_end_of_line(QUESTION)
        before = terminal.text()
        terminal.press(b"\x1b[A")  # "up" ends in an A, and is no "always"
        while terminal.is_quiet(0.2):
            terminal.press(b"n")
        terminal.wait_for("reject once")
        answer(terminal, b"f")
        terminal.wait_for_end_of_line("Tell the model:")
        terminal.press("nicht so, größer\n".encode())
        terminal.wait_for("The person denied the call. nicht so, größer")
        answer(terminal, b"a")
        terminal.wait_for("allow always")
        answer(terminal, b"Y")
        terminal.wait_for("That is all.")
        terminal.wait_for_end_of_line(">")
        terminal.press(b"once more\n")
        terminal.wait_for("Again.")
        terminal.wait_for_end_of_line(">")
        terminal.press(b"\x04")
        assert terminal.wait() == 0
        after = terminal.text()
    assert "╭─ write_file a.txt ─" in before
    assert "│ -old " in before
    assert "│ +new " in before
    assert before.count(QUESTION) == 1
    assert re.search(r"╭─ output run_bash ─.*\n│ hello .*\n╰─+ failed ─╯", after)
    assert sorted(path.name for path in setting.root.iterdir()) == ["a.txt", "c.txt"]
    assert (setting.root / "a.txt").read_text() == "old\n"
    told = [message["content"] for message in setting.requests[-1]["messages"] if message["role"] == "tool"]
    assert told[1:3] == ["The person denied the call.", "The person denied the call. nicht so, größer"]
    assert setting.requests[-1]["messages"][-1] == {"role": "user", "content": "once more"}


def test_ctrl_c_stops_the_model_and_then_the_program(setting: Setting) -> None:
    script: list[AnyReply] = [
        Hanging(Text("Let me think about it"), 2),
        write("a.txt"),
        Calls(("run_bash", {"command": "echo started; sleep 1000"})),
    ]
    with setting.terminal(script, "Go.", rows=60) as terminal:
        terminal.wait_for("Let me think a")
        terminal.press(b"\x03")  # while it writes
        terminal.wait_for("It was stopped: cancelled.")
        terminal.wait_for_end_of_line(">")
        terminal.press(b"two\n")
        terminal.wait_for_end_of_line(QUESTION)
        terminal.press(b"\x03")  # while it asks
        terminal.wait_for("write_file: The call was not run.")
        terminal.wait_for_end_of_line(">")
        assert re.search(rf"{re.escape(QUESTION)} *\n  write_file: The call was not run", terminal.text())
        terminal.press(b"three\n")  # nobody is left who would take these keys for an answer
        answer(terminal, b"y")
        terminal.wait_for("started")
        terminal.press(b"\x03")  # while a command runs
        terminal.wait_for_end_of_line(">")
        terminal.press(b"\x03")  # nothing is left to be stopped
        assert terminal.wait() == 130
        assert terminal.screen.cursor.x == 0  # the prompt of the shell has a line of its own
    assert list(setting.root.iterdir()) == []


# -- signals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_nothing_is_left_of_a_program_that_is_told_to_end(number: signal.Signals, code: int, setting: Setting) -> None:
    command = "trap '' TERM INT; echo $$ > pid; while true; do sleep 0.05; done"
    script: list[AnyReply] = [Calls(("run_bash", {"command": command}))]
    with (
        setting.arguments(script, "Go.") as arguments,
        subprocess.Popen(
            [sys.executable, "-c", ALWAYS_YES, *arguments],
            env={**ENVIRONMENT, **setting.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        pid = setting.root / "pid"
        while process.poll() is None and not (pid.exists() and pid.read_text()):
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert not Path("/proc", pid.read_text().strip()).exists()


#: The command, with a person who always says yes.
ALWAYS_YES = """
import sys
from streamparse.cli import agent, main
from streamparse.presenter import Decision
async def ask(self, request):
    return Decision("allow_once")
agent.AgentTerminal.ask = ask
sys.exit(main())
"""


# -- without a terminal -----------------------------------------------------------------------------------------------


def test_there_may_be_no_standard_input_at_all(setting: Setting) -> None:
    with setting.arguments([write("a.txt"), DONE], "Go.") as arguments:
        done = subprocess.run(
            ["sh", "-c", f"{shlex.join([*COMMAND, *arguments])} 0<&-"],
            env={**ENVIRONMENT, **setting.environment},
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Run it? No: There is no terminal" in done.stdout
    assert list(setting.root.iterdir()) == []


# -- the keyboard -----------------------------------------------------------------------------------------------------


async def test_what_was_typed_before_the_question_is_no_answer_and_a_question_can_be_taken_back() -> None:
    master, slave = pty.openpty()
    with open(slave) as file:
        keyboard = Keyboard(file)
        before = termios.tcgetattr(slave)
        os.write(master, b"y")
        await asyncio.sleep(0.1)  # until it has come through
        asked = asyncio.ensure_future(keyboard.key("yn"))
        await asyncio.sleep(0.05)
        assert not asked.done()
        assert termios.tcgetattr(slave) != before
        asked.cancel()
        await asyncio.wait({asked})
        assert termios.tcgetattr(slave) == before
        for typed, meant in ((b"N", "n"), (b"\x1b", END), (b"\x04", END)):
            asked = asyncio.ensure_future(keyboard.key("yn"))
            await asyncio.sleep(0)
            os.write(master, typed)
            assert await asked == meant
        os.write(master, "größer\n".encode())
        assert await keyboard.line() == "größer"
        os.write(master, b"cut\x04\x04")
        assert await keyboard.line() == "cut"
        asked = asyncio.ensure_future(keyboard.line())
        await asyncio.sleep(0)
        os.close(master)  # the terminal is gone
        assert await asked == END
