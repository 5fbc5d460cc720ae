"""run_bash: a command of the model, run by bash in the root.

    Shell(root).tool()

This is no sandbox: a command can do whatever the user can. So rules ask about it unless they allow it, its environment
holds no secrets (only the variables of `ENVIRONMENT`), and where `bwrap` is installed, `sandbox=True` runs it with
everything but the root read-only, without a network and without the sockets of other programs in `/run`. Even then it
can read whatever the user can.
"""

from __future__ import annotations

import os
from pathlib import Path

from streamparse.messages.results import ToolResult
from streamparse.presenter.tool import Tool, ToolContext, ToolError
from streamparse.workspace.process import run_process
from streamparse.workspace.program import find_program

#: The variables of the environment that a command is given, if they are set.
ENVIRONMENT = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TMPDIR", "TZ",
               "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME")  # fmt: skip
#: Nothing waits for keys. And a folder is a repository only by its `.git`, which file tools cannot write: else files
#: that are called `HEAD` and `config` would make it one, whose settings name programs that `git status` runs.
_FIXED = {
    "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.bareRepository", "GIT_CONFIG_VALUE_0": "explicit",
}  # fmt: skip
TIMEOUT = 120.0
OUTPUT_LIMIT = 30_000


class Shell:
    """Runs commands in `root`, each for at most `timeout` seconds."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        timeout: float = TIMEOUT,
        output_limit: int = OUTPUT_LIMIT,
        environment: tuple[str, ...] = ENVIRONMENT,
        sandbox: bool = False,
    ) -> None:
        self._root = Path(root).resolve()
        self._timeout, self._output_limit = timeout, output_limit
        self._variables = environment
        bash = find_program("bash", self._root)
        if bash is None:
            raise ValueError(f"run_bash needs bash, and there is none outside of {self._root}")
        self._bash = bash
        self._bwrap = find_program("bwrap", self._root) if sandbox else None
        if sandbox and self._bwrap is None:
            raise ValueError(f"sandbox=True needs bwrap (bubblewrap), and there is none outside of {self._root}")

    def tool(self) -> Tool:
        """As a tool. The command's own time limit acts first, and ends what the command has started."""
        return Tool.of(self.run_bash, timeout=None, output_limit=2 * self._output_limit)

    async def run_bash(self, command: str, context: ToolContext) -> ToolResult:
        """Run a command with bash in the working directory. Its output and errors come back together.

        What it leaves running in the background is ended with it.
        """
        if "\0" in command:
            raise ToolError("A command cannot have a NUL character in it.")
        environment = {name: os.environ[name] for name in self._variables if name in os.environ}
        try:
            done = await run_process(
                [*self._prefix(), self._bash, "-c", command],
                cwd=self._root,
                environment={**environment, **_FIXED},
                timeout=self._timeout,
                limit=self._output_limit,
                report=context.progress,
            )
        except OSError as error:
            raise ToolError(f"The command could not be started: {error.strerror}.") from error
        except UnicodeEncodeError as error:
            raise ToolError("The command has a character that is no text.") from error
        if done.is_late:
            ending = f"[it was ended: it took longer than {self._timeout:g} seconds]"
        elif done.code is not None and done.code < 0:
            ending = f"[it was ended by signal {-done.code}]"
        else:
            ending = f"[exit code {done.code}]" if done.code else ""
        output = done.output if not ending or not done.output or done.output.endswith("\n") else f"{done.output}\n"
        return ToolResult(output + ending, is_error=bool(ending))

    def _prefix(self) -> list[str]:
        """What stands before the command in a sandbox."""
        if self._bwrap is None:
            return []
        root = str(self._root)
        return [
            self._bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
            "--tmpfs", "/run", "--bind", root, root, "--chdir", root, "--unshare-net", "--unshare-pid", "--unshare-ipc",
            "--die-with-parent", "--",
        ]  # fmt: skip
