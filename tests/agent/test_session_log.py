"""SessionLog: whatever happens to the file, what is read of it is a conversation that a server takes."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from streamparse.agent import Agent, SessionLog, SessionLogError
from streamparse.directory.directory import Directory
from streamparse.outcome import Usage
from streamparse.workspace import workspace_tools
from tests.agent.killed import NAMES, count_up, done_so_far
from tests.agent.kit import allow_all, run

CALL = {"id": "c1", "type": "function", "function": {"name": "note", "arguments": '{"text": "é"}'}}
TURNS: list[list[dict[str, Any]]] = [
    [{"role": "system", "content": "Be careful."}],
    [{"role": "user", "content": "Schreib’s auf.\n\x85\u2028\r\n"}],
    [
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "\0"},
    ],
    [{"role": "assistant", "content": "Done."}],
]


def written(path: Path) -> bytes:
    log = SessionLog(path)
    for turn in TURNS:
        log.append(turn, Usage(input=3, output=4))
    return path.read_bytes()


def test_what_was_appended_is_read(tmp_path: Path) -> None:
    data = written(tmp_path / "log")
    assert SessionLog(tmp_path / "log").read() == [message for turn in TURNS for message in turn]
    assert [json.loads(line)["usage"] for line in data.splitlines()] == [{"input": 3, "output": 4}] * 4


def test_there_may_be_no_file_yet(tmp_path: Path) -> None:
    assert SessionLog(tmp_path / "log").read() == []
    assert not (tmp_path / "log").exists()


def test_a_file_that_was_cut_anywhere_is_gone_on_with_and_no_call_is_without_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a thousand of them take their time
    data = written(tmp_path / "whole")
    path = tmp_path / "log"
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        kept = data[:cut].count(b"\n")
        expected = [message for turn in TURNS[:kept] for message in turn]
        assert SessionLog(path).read() == expected
        path.write_bytes(data[:cut])
        log = SessionLog(path)  # also if nobody has read it before
        log.append(TURNS[3])
        assert SessionLog(path).read() == [*expected, *TURNS[3]]


@pytest.mark.parametrize(
    "content",
    [
        b"# A page\n\nno log",
        b"# A page\n",
        b"a line",
        b"[1]\n",
        b'{"messages": 1}\n',
        b'{"messages": [1]}\n',
        b'{"messages": [{"content": "x"}]}\n',
        b'{"messages": [{"role": 1}]}\n',
        b'{"messages": ' + b"[" * 100_000 + b"\n",
        b"\xff\n",
    ],
    ids=lambda content: repr(content[:40]),
)
def test_another_file_is_refused_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(content)
    with pytest.raises(SessionLogError, match=r"README\.md"):
        SessionLog(path).read()
    with pytest.raises(SessionLogError):
        SessionLog(path).append(TURNS[0])
    assert path.read_bytes() == content


def test_a_turn_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "log")
    log.append(TURNS[0])
    limit = (tmp_path / "log").stat().st_size + 50
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        with pytest.raises(OSError):
            log.append([{"role": "user", "content": "x" * 1_000}])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    log.append(TURNS[3])
    assert SessionLog(tmp_path / "log").read() == [*TURNS[0], *TURNS[3]]


def test_two_conversations_are_not_mixed_in_one_file(tmp_path: Path) -> None:
    one, other = SessionLog(tmp_path / "log"), SessionLog(tmp_path / "log")
    assert (one.read(), other.read()) == ([], [])
    one.append(TURNS[0])
    with pytest.raises(SessionLogError, match=r"/log was changed meanwhile: another program writes to it$"):
        other.append(TURNS[1])
    one.append(TURNS[2])
    (tmp_path / "log").write_bytes(b"")
    with pytest.raises(SessionLogError, match="was changed meanwhile"):
        one.append(TURNS[3])
    assert (tmp_path / "log").read_bytes() == b""


def test_a_large_log(tmp_path: Path) -> None:
    log = SessionLog(tmp_path / "log")
    turn = [{"role": "assistant", "content": "é" * 2_000_000}]
    for _ in range(5):
        log.append(turn)
    assert SessionLog(tmp_path / "log").read() == turn * 5


@pytest.mark.parametrize("moves", [2, 9])
async def test_who_is_killed_in_the_middle_of_a_change_finds_the_tree_whole_and_the_log(
    moves: int, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for name in NAMES:
        (root / name).write_text("0\n")
    command = [sys.executable, "-m", "tests.agent.killed", str(root), str(moves)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")
    Directory(root)  # whoever opens the tree next finds it whole
    contents = {(root / name).read_text() for name in NAMES}
    log = SessionLog(f"{root}.log")
    messages = log.read()
    assert contents == {f"{done_so_far(messages)}\n"}
    assert messages[-1]["role"] == "user"  # the task, or a result: never a call that waits for one
    agent = Agent(count_up, format="hermes", tools=workspace_tools(root), rules=allow_all(), log=log)
    await run(agent, "go on")
    assert {(root / name).read_text() for name in NAMES} == {"4\n"}
    assert sorted(os.listdir(root)) == [*NAMES]
