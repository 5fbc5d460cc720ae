"""run_bash: what a command gets, what comes of it, and how it is said."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from streamparse.invocations import ToolInvocation
from streamparse.messages.results import ToolResult
from streamparse.presenter.execution import execute
from streamparse.presenter.tool import ToolError
from streamparse.workspace import Files, Shell, process, workspace_tools
from streamparse.workspace.shell import ENVIRONMENT
from tests.workspace.kit import alone_on_path, context, first_on_path, program


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_PATIENCE", 0.3)
    monkeypatch.setattr(process, "_LINGER", 0.05)


def test_all_tools_of_a_folder(tmp_path: Path) -> None:
    tools = list(workspace_tools(tmp_path))
    assert [tool.spec.name for tool in tools] == [
        *("read_file", "write_file", "patch_file", "list_files", "search_files", "run_bash"),
    ]
    assert not tools[-1].is_read_only
    assert tools[-1].timeout is None
    assert tools[-1].spec.parameters["properties"].keys() == {"command"}
    assert list(workspace_tools(tmp_path, shell=Shell(tmp_path, output_limit=10)))[-1].output_limit == 20


@pytest.mark.parametrize(
    ("command", "content", "is_error"),
    [
        ("echo hi", "hi\n", False),
        ("true", "", False),
        ("exit 3", "[exit code 3]", True),
        ("printf no; exit 1", "no\n[exit code 1]", True),
        ("echo no; exit 1", "no\n[exit code 1]", True),
        ("kill -9 $$", "[it was ended by signal 9]", True),
        ("no-such-command 2>/dev/null", "[exit code 127]", True),
        ("echo '[exit code 0]'; exit 1", "[exit code 0]\n[exit code 1]", True),
        ("echo x | read y; echo $y", "\n", False),
        ("pwd", "{root}\n", False),
    ],
)
async def test_what_comes_of_a_command(tmp_path: Path, command: str, content: str, is_error: bool) -> None:
    result = await Shell(tmp_path).run_bash(command, context())
    assert result == ToolResult(content.format(root=tmp_path), is_error=is_error)


async def test_a_command_that_takes_too_long(tmp_path: Path) -> None:
    result = await Shell(tmp_path, timeout=0.2).run_bash("sleep 60", context())
    assert result == ToolResult("[it was ended: it took longer than 0.2 seconds]", is_error=True)


async def test_output_is_told_and_capped(tmp_path: Path) -> None:
    told: list[str] = []
    result = await Shell(tmp_path, output_limit=10).run_bash("printf 0123456789X", context(told))
    assert result == ToolResult("01234\n[… 1 characters were left out …]\n6789X", is_error=False)
    assert "".join(told) == "0123456789\n[… what follows is not shown while it runs …]\n"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("echo \0", "A command cannot have a NUL character in it."),
        ("echo \ud800", "The command has a character that is no text."),
        ("x" * 3_000_000, "The command could not be started: Argument list too long."),
    ],
)
async def test_what_cannot_be_run(tmp_path: Path, command: str, sentence: str) -> None:
    with pytest.raises(ToolError) as failure:
        await Shell(tmp_path).run_bash(command, context())
    assert str(failure.value) == sentence


async def test_where_the_root_was_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    shell = Shell(tmp_path / "root")
    (tmp_path / "root").rmdir()
    with pytest.raises(ToolError, match=r"^The command could not be started: No such file or directory\.$"):
        await shell.run_bash("true", context())


async def test_secrets_of_the_environment_are_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name not in ("PATH", "HOME"):
            monkeypatch.delenv(name)
    (tmp_path / "rc").write_text("echo from BASH_ENV")
    for name, value in {
        "OPENAI_API_KEY": "sk-1", "AWS_SECRET_ACCESS_KEY": "x", "SSH_AUTH_SOCK": "/x", "BASH_ENV": str(tmp_path / "rc"),
        "ENV": str(tmp_path / "rc"), "LD_PRELOAD": "", "BASH_FUNC_ls%%": "() { echo planted; }", "LANG": "C.UTF-8",
        "MINE": "yes", "GIT_DIR": "/x",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    names = "env | cut -d= -f1 | sort"
    usual = {
        *("GIT_PAGER", "GIT_TERMINAL_PROMPT", "PAGER", "PATH", "PWD", "SHLVL", "STREAMPARSE_PROCESS", "_"),
        *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"),
    }
    said = await Shell(tmp_path).run_bash(names, context())
    assert set(said.content.split()) == usual | {"HOME", "LANG"}
    said = await Shell(tmp_path, environment=("PATH", "MINE")).run_bash(names, context())
    assert set(said.content.split()) == usual | {"MINE"}
    assert not [name for name in ENVIRONMENT if any(word in name for word in ("KEY", "SECRET", "TOKEN", "SOCK"))]


async def test_files_that_a_model_may_write_make_no_repository(tmp_path: Path) -> None:
    settings = '[core]\n\tworktree = .\n\tfsmonitor = "touch ran; false"\n'
    for folder in ("", "inner/"):
        for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", settings), ("objects/x", ""), ("refs/x", "")):
            Files(tmp_path).write_file(folder + name, text)
    for command in ("git status", "cd inner && git status"):
        result = await Shell(tmp_path).run_bash(command, context())
        assert "fatal: cannot use bare repository" in result.content
        assert not list(tmp_path.rglob("ran"))


async def test_a_bash_in_the_root_is_not_the_one_that_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "bash", "echo planted")
    first_on_path(monkeypatch, tmp_path / "bin")
    assert await Shell(tmp_path).run_bash("echo real", context()) == ToolResult("real\n", is_error=False)


def test_without_bash_there_is_no_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match=r"^run_bash needs bash, and there is none outside of .+$"):
        Shell(tmp_path / "root")


async def test_as_a_tool_its_own_limits_act(tmp_path: Path) -> None:
    tool = Shell(tmp_path, timeout=0.2).tool()
    call = ToolInvocation("1", "run_bash", {"command": "sleep 60"}, "complete")
    result = await execute(tool, call, [].append)
    assert result == ToolResult("[it was ended: it took longer than 0.2 seconds]", is_error=True)


# --- a sandbox


def test_a_sandbox_needs_bwrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone_on_path(monkeypatch, tmp_path / "bin", "bash")
    with pytest.raises(ValueError, match=r"^sandbox=True needs bwrap \(bubblewrap\), and there is none outside of .+$"):
        Shell(tmp_path / "root", sandbox=True)


async def test_how_bwrap_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    root.mkdir()
    program(tmp_path / "bin", "bwrap", "printf '%s\\n' \"$@\"")
    first_on_path(monkeypatch, tmp_path / "bin")
    result = await Shell(root, sandbox=True).run_bash("echo $HOME; ls", context())
    *options, dashes, bash, c, command, _ = result.content.split("\n")
    assert " ".join(options) == (
        f"--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --bind {root} {root} --chdir {root} "
        "--unshare-net --unshare-pid --unshare-ipc --die-with-parent"
    )
    assert (dashes, Path(bash).name, c, command) == ("--", "bash", "-c", "echo $HOME; ls")


def _bwrap_works() -> bool:
    command = [
        "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--unshare-net",
        "--unshare-pid",
        "true",
    ]
    return shutil.which("bwrap") is not None and subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.skipif(not _bwrap_works(), reason="bubblewrap is not installed, or may not be used here")
async def test_in_a_sandbox_only_the_root_is_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = (
            "exec 2>/dev/null; touch inside; touch /etc/streamparse || echo etc; "
            f"touch {outside}/x || echo outside; ls /run; "
            f"(: < /dev/tcp/127.0.0.1/{server.getsockname()[1]}) || echo net"
        )
        result = await Shell(root, sandbox=True).run_bash(command, context())
        assert result == ToolResult("etc\noutside\nnet\n", is_error=False)
        result = await Shell(root).run_bash(command.partition("touch /etc")[0] + command.rpartition(";")[2], context())
        assert result == ToolResult("", is_error=False)
    assert (root / "inside").exists()
    assert os.listdir(outside) == []
