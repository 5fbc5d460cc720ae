"""`streamparse agent`: a model works on a task in a folder, in the terminal.

    streamparse agent --base-url http://localhost:8000/v1 --model qwen3-coder "Add a test for the parser."

What it writes grows in panels, as `parse` shows it; so does the output of its commands. Before it changes something, it
asks: y (yes), a (always, for calls of the kind), n (no), or f to tell the model why not. A diff shows what a file would
become. Ctrl-C stops the model, a second one the program. Tools that only read are not asked about. Where there is no
terminal to answer at, the answer is no.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, TextIO

from attrs import frozen

from streamparse import deferred
from streamparse.agent import Agent, AgentLimits, ModelError, SessionLog
from streamparse.agent.agent import MakeAgent
from streamparse.cli.agent_terminal import AgentTerminal
from streamparse.cli.endings import CommandError, Stopped, WrongUsageError
from streamparse.cli.keyboard import Keyboard
from streamparse.errors import StreamparseError
from streamparse.invocations import ToolInvocation
from streamparse.presenter import Rule, Rules, Toolbox
from streamparse.presenter.decision import Ask
from streamparse.workspace import Checkpoints, workspace_tools

SYSTEM = (
    "You are a careful programmer who works in the user's folder with the tools you are given. Paths are relative to "
    "that folder. Look before you change something, make small changes, and check them. When the task is done, say in "
    "a few sentences what you did, and call no more tools."
)


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
    seconds: float | None,
    output: TextIO | None,
) -> None:
    """Do what the command says; without an `output`, for an editor."""
    if output is None and (log is not None or task is not None):
        raise WrongUsageError("with --acp the editor gives the task, and keeps the conversations: no TASK, no --log")
    limits = AgentLimits(turns=turns, seconds=seconds)
    make_agent = _Maker(_client(base_url), model, format, allow, None if log is None else SessionLog(log), limits)
    signals = _Signals()
    work = _serve_editor(make_agent) if output is None else _run(task, make_agent, root, output, signals)
    try:
        asyncio.run(signals.watch(work))
    except asyncio.CancelledError:
        raise Stopped(signals.last) from None
    except ModelError as error:  # most often the address is to blame, and no library says which it was
        raise CommandError(f"{error} (the server is {str(make_agent.client.base_url).rstrip('/')})") from error
    except (StreamparseError, OSError, ValueError) as error:  # such as a folder that cannot be worked in
        raise CommandError(str(error)) from error


@frozen
class _Maker:
    """Makes the agent for a folder, as the options of the command say."""

    client: Any
    model: str
    format: str | None
    allow: tuple[str, ...]
    log: SessionLog | None
    limits: AgentLimits

    def __call__(self, folder: str, ask: Ask, others: Toolbox) -> Agent:
        tools = workspace_tools(folder) | others
        checkpoints = Checkpoints(folder)

        async def save(call: ToolInvocation) -> None:
            await asyncio.to_thread(checkpoints.save, f"before {call.name}")

        unknown = [name for name in self.allow if tools.get(name) is None]
        if unknown:
            known = ", ".join(tool.spec.name for tool in tools)
            raise WrongUsageError(f"--allow {unknown[0]}: there is no such tool; there are {known}")
        return Agent(
            self.client,
            model=self.model,
            tools=tools,
            format=self.format,
            system=SYSTEM,
            rules=Rules([Rule("allow", name) for name in self.allow], read_only="allow"),
            ask=ask,
            before_change=save,
            limits=self.limits,
            log=self.log,
        )


async def _serve_editor(make_agent: MakeAgent) -> None:
    try:
        serve: Callable[[MakeAgent], Awaitable[None]] = deferred.load("streamparse.agent.acp", "serve")
    except ModuleNotFoundError as error:
        raise CommandError("--acp needs the extra acp: pip install 'llm-streamparse[acp]'") from error
    await serve(make_agent)


def _client(base_url: str | None) -> object:
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise WrongUsageError(f"--base-url {base_url}: an address begins with http:// or https://")
    try:
        make: Callable[[str | None], object] = deferred.load("streamparse.cli.openai_client", "make_client")
    except ModuleNotFoundError as error:
        raise CommandError("the agent needs the openai package: pip install 'llm-streamparse[agent]'") from error
    return make(base_url)


class _Signals:
    """Runs the command in a task, and watches for signals.

    The first Ctrl-C stops the agent that is at work; any other ends the task, and so does a request to terminate:
    whatever it has started is ended with it.
    """

    def __init__(self) -> None:
        #: The signal that has ended the task, if one has.
        self.last = signal.SIGINT
        #: The agent that is at work.
        self.agent: Agent | None = None

    async def watch(self, work: Awaitable[None]) -> None:
        """Wait until the work is done, or a signal has ended it."""
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        numbers = [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)]
        for number in numbers:
            with suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, self._on_signal, number, task)
        await task

    def _on_signal(self, number: signal.Signals, task: asyncio.Future[None]) -> None:
        agent, self.agent = self.agent, None
        self.last = number
        if number == signal.SIGINT and agent is not None:
            agent.cancel()
        else:
            task.cancel()


async def _run(task: str | None, make_agent: MakeAgent, root: str, output: TextIO, signals: _Signals) -> None:
    keyboard = Keyboard(sys.stdin)
    terminal = AgentTerminal(output, root, keyboard)
    agent = make_agent(root, terminal.ask, Toolbox())
    if task is None and not keyboard.is_there:
        task = sys.stdin.read() if sys.stdin is not None else ""
    if task is not None and not task.strip():
        raise WrongUsageError("there is no task: give one as an argument, or by standard input")
    while True:
        if task is None:
            task = await terminal.read_task()
        if not task.strip():
            return
        signals.agent = agent
        try:
            async with aclosing(agent.run(task)) as items:
                async for item in items:
                    terminal.show(item)
        finally:
            signals.agent = None
            terminal.pause()
        if agent.stopped != "done":
            terminal.say(f"It was stopped: {agent.stopped}.")
        if not keyboard.is_there:
            _end(agent)
            return
        task = None


def _end(agent: Agent) -> None:
    """Nobody will give another task: whether this one was done is told by the exit code."""
    if agent.stopped == "cancelled":
        raise Stopped
    if agent.stopped != "done":
        raise CommandError("the model did not come to its end")
