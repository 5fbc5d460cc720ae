"""`streamparse agent`: a model works on a task in a folder, in the terminal.

    streamparse agent --base-url http://localhost:8000/v1 --model qwen3-coder "Add a test for the parser."

What it writes grows in panels, as `parse` shows it; so does the output of its commands. Before it changes something, it
asks: y (yes), a (always, for calls of the kind), n (no), or f to tell the model why not. A diff shows what a file would
become. Ctrl-C stops the model, a second one the program. Tools that only read are not asked about.
"""

from __future__ import annotations

import asyncio
import difflib
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TextIO, TypeAlias

try:
    import termios
    import tty
except ImportError:  # pragma: no cover  # Windows: a line is read instead of a key
    termios = None  # type: ignore[assignment]

from streamparse import deferred
from streamparse.agent import Agent, AgentLimits, SessionLog
from streamparse.cli.endings import CommandError
from streamparse.cli.escape import visible
from streamparse.cli.pretty import PrettyView
from streamparse.diff import split_lines
from streamparse.directory.directory import Directory
from streamparse.errors import StreamparseError, TreeError
from streamparse.events import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations import ToolInvocation
from streamparse.messages.results import as_text
from streamparse.presenter import ApprovalRequest, Decision, Rule, Rules, ToolLifecycle
from streamparse.presenter.decision import Ask
from streamparse.presenter.presenter import PresenterItem
from streamparse.workspace import Checkpoints, workspace_tools

SYSTEM = (
    "You are a careful programmer who works in the user's folder with the tools you are given. Paths are relative to "
    "that folder. Look before you change something, make small changes, and check them. When the task is done, say in "
    "a few sentences what you did, and call no more tools."
)
#: Makes the agent for a folder, with someone to ask.
MakeAgent: TypeAlias = Callable[[str, Ask], Agent]
_KEYS = {"y": "allow_once", "a": "allow_always", "n": "reject_once"}
#: How much of a result is shown.
_LONGEST_RESULT = 2_000


class AgentTerminal:
    """Shows what an agent does on `output`, and asks a person by `read_key` and `read_line`."""

    def __init__(
        self,
        output: TextIO,
        root: str,
        *,
        read_key: Callable[[], str],
        read_line: Callable[[str], str],
    ) -> None:
        self._output = output
        self._directory = Directory(root)
        self._read_key, self._read_line = read_key, read_line
        self._view: PrettyView | None = None
        self._outputs: set[str] = set()  # calls whose output has a panel of its own

    def show(self, item: PresenterItem) -> None:
        """The next item of the agent."""
        if isinstance(item, SegmentEvent | ToolInvocation):
            self._show(item)
        elif isinstance(item, ToolLifecycle):
            self._show_lifecycle(item)

    def _show(self, item: SegmentEvent | ToolInvocation) -> None:
        if self._view is None:
            self._view = PrettyView(self._output)
            self._view.__enter__()
        self._view.show(item)

    def pause(self) -> None:
        """Leave the terminal to others, such as a question."""
        if self._view is not None:
            view, self._view = self._view, None
            view.__exit__(None, None, None)

    def say(self, line: str) -> None:
        """A remark of the program itself."""
        self.pause()
        print(visible(line), file=self._output, flush=True)

    def _show_lifecycle(self, item: ToolLifecycle) -> None:
        if item.state == "progress":
            self._show_output(item, item.message or "")
        elif item.state == "result":
            if item.invocation_id not in self._outputs:
                text = as_text(item.content)
                self._show_output(item, text if len(text) <= _LONGEST_RESULT else f"{text[:_LONGEST_RESULT]}\n…")
            self._end_output(item)
        elif item.state in ("denied", "skipped"):
            self.say(f"  {item.name}: {item.message}")

    def _show_output(self, item: ToolLifecycle, text: str) -> None:
        name = f"{item.invocation_id}-output"
        if item.invocation_id not in self._outputs:
            self._outputs.add(item.invocation_id)
            self._show(SegmentStart(name, "output", {"tool_name": item.name}))
        self._show(SegmentContent(name, text))

    def _end_output(self, item: ToolLifecycle) -> None:
        status = "failed" if item.is_error else None
        self._show(SegmentEnd(f"{item.invocation_id}-output", status))

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Ask the person; what a file would become is shown first."""
        call = request.invocation
        if difference := self._difference(call):
            name = f"{call.id}-diff"
            path = str(call.arguments.get("path", ""))
            self._show(SegmentStart(name, "patch_file", {"path": path}))
            self._show(SegmentContent(name, difference))
            self._show(SegmentEnd(name))
        self.pause()
        print(visible(f"\n{request.description} {request.reason}"), file=self._output)
        print("Run it? [y]es, [a]lways, [n]o, or [f]eedback ", end="", file=self._output, flush=True)
        while True:
            key = (await asyncio.to_thread(self._read_key)).lower()
            if key == "f":
                print(file=self._output)
                return Decision("reject_once", feedback=await asyncio.to_thread(self._read_line, "Tell the model: "))
            outcome = _KEYS.get(key) or ("reject_once" if key in ("", "\x03", "\x04") else None)
            if outcome is not None:
                print(outcome.replace("_", " "), file=self._output, flush=True)
                return Decision(outcome)  # type: ignore[arg-type]  # it is one of them

    def _difference(self, call: ToolInvocation) -> str:
        """What a whole file that is written would change in the one that is there."""
        path, content = call.arguments.get("path"), call.arguments.get("content")
        if not isinstance(path, str) or not isinstance(content, str):
            return ""
        with suppress(TreeError):
            before = self._directory.read(path)
            if before is not None:
                return "".join(difflib.unified_diff(split_lines(before), split_lines(content), path, path))
        return ""


def run_agent(
    task: str | None,
    *,
    base_url: str | None,
    model: str,
    format: str | None,
    root: str,
    allow: tuple[str, ...],
    log: str | None,
    turns: int,
    output: TextIO | None,
) -> None:
    """Do what the command says; without an `output`, for an editor."""
    client = _client(base_url)

    def make_agent(folder: str, ask: Ask) -> Agent:
        checkpoints = Checkpoints(folder)

        async def save(call: ToolInvocation) -> None:
            await asyncio.to_thread(checkpoints.save, f"before {call.name}")

        return Agent(
            client,
            model=model,
            tools=workspace_tools(folder),
            format=format,
            system=SYSTEM,
            rules=Rules([Rule("allow", name) for name in allow], read_only="allow"),
            ask=ask,
            before_change=save,
            limits=AgentLimits(turns=turns),
            log=None if log is None else SessionLog(log),
        )

    with suppress(asyncio.CancelledError):
        asyncio.run(_serve_editor(make_agent) if output is None else _run(task, make_agent, root, output))


async def _serve_editor(make_agent: MakeAgent) -> None:
    try:
        serve: Callable[[MakeAgent], Awaitable[None]] = deferred.load("streamparse.agent.acp", "serve")
    except ModuleNotFoundError as error:
        raise CommandError("--acp needs the extra acp: pip install 'llm-streamparse[acp]'") from error
    await serve(make_agent)


def _client(base_url: str | None) -> object:
    try:
        make: Callable[[str | None], object] = deferred.load("streamparse.cli.openai_client", "make_client")
    except ModuleNotFoundError as error:
        raise CommandError("the agent needs the openai package: pip install 'llm-streamparse[agent]'") from error
    return make(base_url)


async def _run(task: str | None, make_agent: MakeAgent, root: str, output: TextIO) -> None:
    terminal = AgentTerminal(output, root, read_key=read_key, read_line=read_line)
    agent = make_agent(root, terminal.ask)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, _Interrupt(agent, asyncio.current_task()))
    while True:
        if task is None:
            task = await asyncio.to_thread(read_line, "\n> ")
        if not task.strip():
            return
        try:
            async for item in agent.run(task):
                terminal.show(item)
        except (StreamparseError, OSError) as error:
            raise CommandError(str(error)) from error
        except Exception as error:
            if type(error).__module__.partition(".")[0] != "openai":
                raise
            raise CommandError(f"the model's server: {error}") from error
        finally:
            terminal.pause()
        if agent.stopped not in ("done", None):
            terminal.say(f"\nIt was stopped: {agent.stopped}.")
        if not sys.stdin.isatty():
            return
        task = None


class _Interrupt:
    """Ctrl-C: the first stops the model, the second the program."""

    def __init__(self, agent: Agent, task: asyncio.Task[None] | None) -> None:
        self._agent, self._task = agent, task
        self._is_second = False

    def __call__(self) -> None:
        if self._is_second and self._task is not None:
            self._task.cancel()
        self._is_second = True
        self._agent.cancel()


def read_key() -> str:
    """One key, without a line break behind it; the first character of a line where there is no terminal."""
    if termios is None or not sys.stdin.isatty():
        return sys.stdin.readline().strip()[:1]
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        return os.read(descriptor, 1).decode("utf-8", "replace")
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def read_line(prompt: str) -> str:
    """A line of the person; empty at the end of the input."""
    try:
        return input(prompt)
    except EOFError:
        return ""
