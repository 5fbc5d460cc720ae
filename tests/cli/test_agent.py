"""`streamparse agent` where there is no terminal. In a real one: tests/e2e/test_agent_terminal.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.agent.kit import CALC, PROJECT
from tests.agent.scripted_server import AnyReply, Calls, Hanging, Refused, Text
from tests.cli.agent_setting import DONE, Setting, write

# -- without a terminal -----------------------------------------------------------------------------------------------


def test_where_nobody_can_be_asked_the_answer_is_no_and_it_says_so(setting: Setting) -> None:
    done = setting.run([write("a.txt"), DONE], "Go.", stdin=b"y\ny\ny\n")
    assert (done.code, done.err) == (0, "")
    assert "Run it? No: There is no terminal at which somebody could be asked." in done.out
    assert "(--allow write_file would allow it.)" in done.out
    assert list(setting.root.iterdir()) == []
    assert "\x1b" not in done.out


def test_what_is_allowed_runs_without_a_question(setting: Setting) -> None:
    done = setting.run(list(PROJECT), "Go.", "--allow", "write_file", "--allow", "patch_file", "--allow", "run_bash")
    assert (done.code, done.err) == (0, "")
    assert (setting.root / "calc.py").read_text() == CALC.replace("-", "+")
    assert done.out.rstrip().endswith("It works.")


def test_the_task_may_come_by_standard_input(setting: Setting) -> None:
    done = setting.run([DONE], stdin=b"Schreib\nes auf.\n")
    assert (done.code, done.out) == (0, "Done.\n")
    assert setting.requests[0]["messages"][-1] == {"role": "user", "content": "Schreib\nes auf.\n"}


def test_a_conversation_is_resumed(setting: Setting, tmp_path: Path) -> None:
    log = str(tmp_path / "log.jsonl")
    assert setting.run([DONE], "One.", "--log", log).code == 0
    assert setting.run([DONE], "Two.", "--log", log).code == 0
    assert [message["content"] for message in setting.requests[0]["messages"]][1:] == ["One.", "Done.", "Two."]


def test_a_text_format(setting: Setting) -> None:
    call = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "x"}}\n</tool_call>'
    done = setting.run([Text(call), DONE], "Go.", "--format", "hermes", "--allow", "write_file")
    assert done.code == 0
    assert (setting.root / "a.txt").read_text() == "x"


@pytest.mark.parametrize(
    ("more", "stdin", "code", "message"),
    [
        ([], b" \n", 2, "there is no task"),
        ([" "], b"Go.", 2, "there is no task"),
        (["Go.", "--root", "/"], b"", 1, "run_bash needs bash, and there is none outside of /"),
        (["Go.", "--allow", "rm"], b"", 2, "--allow rm: there is no such tool; there are read_file, "),
        (["Go.", "--format", "hermse"], b"", 1, "hermse"),
        (["Go.", "--log", __file__], b"", 1, "not a turn of a session"),
        (["Go.", "--root", "/no/such/folder"], b"", 1, "/no/such/folder"),
        (["Go.", "--acp"], b"", 2, "with --acp the editor gives the task"),
        (["--acp", "--log", "x"], b"", 2, "with --acp the editor gives the task"),
        (["Go.", "--seconds", "0"], b"", 2, "seconds"),
        (
            ["Go.", "--base-url", "localhost:8000/v1"],
            b"",
            2,
            "--base-url localhost:8000/v1: an address begins with http",
        ),
    ],
)
def test_wrong_usage_is_one_line(more: list[str], stdin: bytes, code: int, message: str, setting: Setting) -> None:
    done = setting.run([], *more, stdin=stdin)
    assert (done.code, done.out) == (code, "")
    assert re.fullmatch(r"streamparse: .*\n", done.err)
    assert message in done.err


def test_a_server_that_refuses_is_one_line(setting: Setting) -> None:
    done = setting.run([Refused(401, "who are\x1b[2J you?")], "Go.")
    assert done.code == 1
    told = (
        r"streamparse: the model could not be asked: .*who are\\x1b\[2J you\?.* \(the server is http://127\..*/v1\)\n"
    )
    assert re.fullmatch(told, done.err)


@pytest.mark.parametrize("more", [["--turns", "1"], ["--seconds", "0.05"]])
def test_a_task_that_was_not_done_is_told_by_the_exit_code(more: list[str], setting: Setting) -> None:
    script: list[AnyReply] = [Calls(("list_files", {})), Hanging(DONE, 0)]
    done = setting.run(script, "Go.", *more)
    assert done.code == 1
    assert f"It was stopped: {more[0].strip('-')}.\n" in done.out
    assert done.err == "streamparse: the model did not come to its end\n"


HOSTILE = "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202etxt.exe\u2066\x08\x00"


def test_nothing_that_a_model_or_a_command_writes_reaches_the_terminal_as_it_is(setting: Setting) -> None:
    (setting.root / "cat").write_text(HOSTILE)
    script: list[AnyReply] = [
        Text(f"Look: {HOSTILE}", "length"),
        Calls((f"no{HOSTILE}", {HOSTILE: HOSTILE})),
        write(f"a{HOSTILE}", HOSTILE),
        Calls(("run_bash", {"command": f"echo {HOSTILE}"})),
        Calls(("run_bash", {"command": "cat cat"})),
        Calls(("read_file", {"path": "cat"})),
        DONE,
    ]
    done = setting.run(script, f"Go {HOSTILE}", "--allow", "run_bash")
    assert done.code == 0
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", done.out + done.err) == []
    assert done.out.count("\\x1b[2J") > 5


def test_what_the_output_cannot_show_is_escaped(setting: Setting) -> None:
    done = setting.run([write("ü", "é"), DONE], "Go.", PYTHONIOENCODING="ascii")
    assert done.code == 0
    assert "[write_file for '\\xfc']" in done.out


def test_what_a_file_would_become_is_shown_before_the_question(setting: Setting) -> None:
    (setting.root / "a.txt").write_text("old")
    done = setting.run([write("a.txt", "new"), DONE], "Go.")
    shown = [line.strip("│ ") for line in done.out[: done.out.index("Run it?")].splitlines()]
    assert shown[shown.index("--- a/a.txt") :][:7] == [
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1 +1 @@",
        "-old",
        "\\ No newline at end of file",
        "+new",
        "\\ No newline at end of file",
    ]
