"""Programs are run in a group of their own, and nothing of it is left."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from streamparse.workspace import process
from streamparse.workspace.process import Done, run_process
from streamparse.workspace.program import find_program
from tests.workspace.kit import first_on_path, program, still_running


@pytest.fixture(autouse=True)
async def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Nobody is waited for long, and afterwards there is no task, and no open pipe."""
    monkeypatch.setattr(process, "_PATIENCE", 0.3)
    monkeypatch.setattr(process, "_LINGER", 0.05)
    before = open_files()
    yield
    await asyncio.sleep(0)
    assert open_files() <= before + 1  # the loop's own way of hearing of children
    assert asyncio.all_tasks() == {asyncio.current_task()}


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


async def run(command: str, root: Path, **options: object) -> Done:
    return await run_process(["bash", "-c", command], cwd=root, **options)  # type: ignore[arg-type]


async def numbers(root: Path, count: int) -> list[int]:
    """The numbers of the processes that have said theirs, when all have."""
    while True:
        found = [int(text) for path in root.glob("number*") if (text := path.read_text())]
        if len(found) == count:
            return found
        await asyncio.sleep(0.005)


async def test_output_and_errors_come_together_with_the_code(tmp_path: Path) -> None:
    assert await run("echo out; echo err >&2; exit 3", tmp_path) == Done("out\nerr\n", 3)
    assert await run("true", tmp_path) == Done("", 0)
    assert await run("kill -9 $$", tmp_path) == Done("", -9)
    assert await run("pwd; tty; read x; echo $?", tmp_path) == Done(f"{tmp_path}\nnot a tty\n1\n", 0)


async def test_there_is_no_terminal_to_ask_on(tmp_path: Path) -> None:
    done = await run("(: < /dev/tty) 2>/dev/null || echo none", tmp_path)
    assert done == Done("none\n", 0)


async def test_what_is_given_to_read_need_not_be_read(tmp_path: Path) -> None:
    data = b"x" * 1_000_000
    assert await run("cat | wc -c", tmp_path, stdin=data) == Done("1000000\n", 0)
    assert await run("true", tmp_path, stdin=data) == Done("", 0)
    assert await run("head -c 300000 /dev/zero | tr '\\0' y; wc -c", tmp_path, stdin=data, limit=20) == Done(
        "yyyyyyyyyy\n[… 299988 characters were left out …]\nyy1000000\n", 0
    )


async def test_the_environment_is_the_one_that_is_given(tmp_path: Path) -> None:
    done = await run("env | cut -d= -f1 | sort", tmp_path, environment={"PATH": os.environ["PATH"], "A": "1"})
    assert set(done.output.split()) == {"A", "PATH", "PWD", "SHLVL", "STREAMPARSE_PROCESS", "_"}


# --- output


async def test_output_is_told_as_it_comes(tmp_path: Path) -> None:
    told: list[str] = []
    seen = asyncio.Event()

    def report(text: str) -> None:
        told.append(text)
        seen.set()

    os.mkfifo(tmp_path / "pipe")
    task = asyncio.create_task(run("echo one; cat pipe", tmp_path, report=report))
    await seen.wait()
    assert told == ["one\n"]
    assert not task.done()
    await asyncio.to_thread((tmp_path / "pipe").write_text, "two\n")
    assert await task == Done("one\ntwo\n", 0)
    assert "".join(told) == "one\ntwo\n"


@pytest.mark.parametrize(
    ("command", "limit", "expected"),
    [
        ("printf 0123456789", 10, "0123456789"),
        ("printf 0123456789X", 10, "01234\n[… 1 characters were left out …]\n6789X"),
        (
            "printf 01234; sleep 0.01; printf 56789; sleep 0.01; printf X",
            10,
            "01234\n[… 1 characters were left out …]\n6789X",
        ),
        ("head -c 3000000 /dev/zero | tr '\\0' x", 4, "xx\n[… 2999996 characters were left out …]\nxx"),
        ("printf 'é\\xff\\xe2\\x82'", 100, "é\ufffd\ufffd"),
        ("printf '\\xe2'; sleep 0.01; printf '\\x82\\xac'", 100, "€"),
        ("printf 'a\\0b\\x1b[2J'", 100, "a\0b\x1b[2J"),
    ],
)
async def test_what_is_kept_of_it(tmp_path: Path, command: str, limit: int, expected: str) -> None:
    assert await run(command, tmp_path, limit=limit) == Done(expected, 0)


async def test_what_is_told_has_an_end_as_well(tmp_path: Path) -> None:
    told: list[str] = []
    await run("head -c 3000000 /dev/zero | tr '\\0' x", tmp_path, limit=100_000, report=told.append)
    assert "".join(told) == "x" * 100_000 + "\n[… what follows is not shown while it runs …]\n"


# --- the end


GROUP = (
    "echo $$ > number1; (echo $BASHPID > number2; sleep 60) & (trap '' TERM; echo $BASHPID > number3; sleep 60) & wait"
)
STUBBORN = "trap '' TERM; echo $$ > number1; (echo $BASHPID > number2; sleep 60) & while :; do sleep 60; done"
DAEMON = "echo $$ > number1; setsid bash -c 'trap \"\" TERM; echo $$ > number2; sleep 60' & wait"
NESTED = "echo $$ > number1; bash -c 'bash -c \"echo \\$\\$ > number2; exec sleep 9\" & echo $$ > number3; wait' & wait"


@pytest.mark.parametrize(("command", "count"), [(GROUP, 3), (STUBBORN, 2), (DAEMON, 2), (NESTED, 3)])
async def test_who_is_cancelled_leaves_no_process(tmp_path: Path, command: str, count: int) -> None:
    task = asyncio.create_task(run(command, tmp_path))
    found = await numbers(tmp_path, count)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await still_running(found) == []


@pytest.mark.parametrize("command", [GROUP, STUBBORN, DAEMON])
async def test_when_the_time_is_up_all_are_ended(tmp_path: Path, command: str) -> None:
    assert await run(f"{command}", tmp_path, timeout=0.2) == Done("", None, is_late=True)
    found = [int(text) for path in tmp_path.glob("number*") if (text := path.read_text())]
    assert await still_running(found) == []


async def test_who_can_clean_up_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_PATIENCE", 30)
    told: list[str] = []
    begun = asyncio.Event()

    def report(text: str) -> None:
        told.append(text)
        begun.set()

    task = asyncio.create_task(
        run("trap 'echo cleaned; exit' TERM; echo begun; sleep 60 & wait", tmp_path, report=report)
    )
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["begun\n", "cleaned\n"]


async def test_what_stays_in_the_background_is_ended_with_the_command(tmp_path: Path) -> None:
    command = (
        "(echo $BASHPID > number1; sleep 60) & (setsid bash -c 'echo $$ > number2; sleep 60') & sleep 0.1; echo done"
    )
    assert await run(command, tmp_path) == Done("done\n", 0)
    found = await numbers(tmp_path, 2)
    assert await still_running(found) == []


async def test_who_hides_may_hold_the_pipe_and_is_not_waited_for(tmp_path: Path) -> None:
    command = "env -i setsid bash -c 'echo $$ > number1; exec sleep 30' & while [ ! -s number1 ]; do :; done; echo done"
    assert await run(command, tmp_path) == Done("done\n", 0)
    (found,) = await numbers(tmp_path, 1)
    os.kill(found, 9)


async def test_who_is_cancelled_again_and_again_leaves_no_process(tmp_path: Path) -> None:
    """The second time nobody is asked politely."""
    for count in range(2, 6):
        folder = tmp_path / str(count)
        folder.mkdir()
        task = asyncio.create_task(run(STUBBORN, folder))
        found = await numbers(folder, 2)
        for _ in range(count):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await still_running(found) == []


async def test_who_is_cancelled_at_any_moment_leaves_no_process(tmp_path: Path) -> None:
    """At each step of the loop, from the first on."""
    for moment in range(30):
        mark = f"moment{moment}"
        task = asyncio.create_task(run(f": {mark}; echo $$ > number; exec sleep 60", tmp_path))
        for _ in range(moment):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await still_running(running_with(mark)) == []
    await asyncio.sleep(0)


def running_with(mark: str) -> list[int]:
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("times", [1, 3])
async def test_who_is_cancelled_while_it_is_started_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    started: list[asyncio.subprocess.Process] = []
    may_go_on = asyncio.Event()
    create: Callable[..., asyncio.subprocess.Process] = asyncio.create_subprocess_exec  # type: ignore[assignment]

    async def slow(*command: str, **options: object) -> asyncio.subprocess.Process:
        started.append(await create(*command, **options))  # type: ignore[misc]
        await may_go_on.wait()
        return started[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slow)
    task = asyncio.create_task(run("sleep 60", tmp_path))
    while not started:
        await asyncio.sleep(0.001)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await still_running([started[0].pid]) == []


async def test_who_is_cancelled_while_it_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = asyncio.Event()
    may_go_on = asyncio.Event()

    async def slow(*_: str, **__: object) -> None:
        begun.set()
        await may_go_on.wait()
        raise OSError(7, "Argument list too long")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slow)
    task = asyncio.create_task(run("true", tmp_path))
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    may_go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await run_process([str(tmp_path / "missing")], cwd=tmp_path)
    with pytest.raises(OSError, match="Argument list too long"):
        await run("x" * 3_000_000, tmp_path)


async def test_where_processes_cannot_be_looked_at_the_group_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_PROCESSES", tmp_path / "none")
    task = asyncio.create_task(run(GROUP, tmp_path))
    found = await numbers(tmp_path, 3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await still_running(found) == []


async def test_a_process_that_does_not_go_is_not_looked_for_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []

    def kill(number: int, _: int) -> None:
        killed.append(number)
        raise ProcessLookupError

    (tmp_path / "999999999").mkdir()
    (tmp_path / "12").mkdir()
    monkeypatch.setattr(process, "_PROCESSES", tmp_path)
    monkeypatch.setattr(os, "kill", kill)
    command = 'printf %s "STREAMPARSE_PROCESS=$STREAMPARSE_PROCESS" > 999999999/environ'
    assert await run(command, tmp_path) == Done("", 0)
    assert killed == [999999999] * 6


# --- which program


def test_a_program_is_found_outside_of_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    inner = program(root / "bin", "tool", "")
    outer = program(tmp_path / "bin", "tool", "")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/tool").symlink_to(inner)
    monkeypatch.chdir(root)
    first_on_path(monkeypatch, root / "bin", "bin", "", ".")
    assert find_program("tool", root) is None
    first_on_path(monkeypatch, tmp_path / "linked")
    assert find_program("tool", root) is None
    first_on_path(monkeypatch, root / "bin", tmp_path / "bin")
    assert find_program("tool", root) == str(outer)
    monkeypatch.setenv("PATH", str(root / "bin"))
    assert find_program("tool", root) is None
    monkeypatch.delenv("PATH")
    assert find_program("no such program", root) is None
