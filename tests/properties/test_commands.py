"""Command lines against bash itself: what a rule lets through runs what `split_commands` says, and nothing else.

Lines are made of pieces of shell syntax, and those that run without a question are given to a real bash, which finds no
program and tells instead what it would have run.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from streamparse.presenter.commands import Command, split_commands
from tests.seeds import rng, times

BASH = shutil.which("bash")
PIECES = [
    *("git status", "git", "status", "evil", "evil x", "evil # ", ";", "&&", "||", "|", "|&", "&", "&>", "\n"),
    *("$(", "`", ")", "(", "{ ", " }", "{", "}", "'", '"', "\\", "\\\\", "\\'", '\\"', "\\#", "\\ ", "#", "# '", "'#"),
    *("a#b", "\t", "$x", "${x}", "${x", "${#x}", "$#", "$'", '$"', "$", "$((", "))", "<(", ">(", "$(<", "<<", "<<E\n"),
    *("<<'E'\n", "<<-E\n\t", "\nE\n", "\nE", "E", "!", "if ", "; then ", "; fi", "else ", "elif ", "while false; do "),
    *(" done", "do", "then", "in", "case a in a) ", "esac", ";;", "function f", "()", "coproc ", "time ", "[[ ", "]]"),
    *("*", "?", "[", "]", "~", "a", "''", '""', "=", "x=1", "-c", " ", "  ", "@", "%", "^", ",", '"$(evil)"', "`evil`"),
]


def a_line(chance: random.Random) -> str:
    line = "".join(chance.choice(PIECES) + chance.choice(["", "", " "]) for _ in range(chance.randint(1, 9)))
    return f"git status {line}" if chance.random() < 0.6 else line


def what_runs(line: str, folder: Path) -> list[tuple[str, ...]]:
    """The words of each command that bash would have run."""
    log, tell = folder / "log", folder / "tell"
    log.write_bytes(b"")
    handle = "command_not_found_handle() { printf -v all '%s\\1' \"$@\"; printf '%s\\2' \"$all\" >> LOG; return 0; }\n"
    tell.write_text(handle.replace("LOG", str(log)))
    place = folder / "place"
    place.mkdir(exist_ok=True)
    environment = {"PATH": "/nonexistent", "BASH_ENV": str(tell)}
    subprocess.run(
        [str(BASH), "-c", line], cwd=place, env=environment, capture_output=True, timeout=30, stdin=subprocess.DEVNULL
    )
    assert list(place.iterdir()) == [], "it has written a file"
    return [tuple(words.split("\1")[:-1]) for words in log.read_text().split("\2")[:-1]]


def is_told(words: tuple[str, ...], commands: list[Command]) -> bool:
    return any(words == one.words if one.is_whole else words[: len(one.words)] == one.words for one in commands)


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_runs_what_was_told(tmp_path: Path) -> None:
    chance = rng("commands")
    left = times(240)
    while left:
        line = a_line(chance)
        commands = split_commands(line)
        if commands and not any(command.doubt for command in commands):
            left -= 1
            assert [words for words in what_runs(line, tmp_path) if not is_told(words, commands)] == [], line
