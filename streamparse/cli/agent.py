"""`streamparse agent`: a model works on a task in a folder, in the terminal.

    streamparse agent --base-url http://localhost:8000/v1 --model qwen3-coder "Add a test for the parser."

What it writes grows in panels, as `parse` shows it; so does the output of its commands. Before it changes something, it
asks: y (yes), a (always, for calls of the kind), n (no), or f to tell the model why not. A diff shows what a file would
become. Ctrl-C stops the model, a second one the program. Tools that only read are not asked about. Where there is no
terminal to answer at, the answer is no.
"""

from __future__ import annotations

import asyncio
import difflib
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from typing import TextIO, TypeAlias

from streamparse import deferred
from streamparse.agent import Agent, AgentLimits, SessionLog
from streamparse.cli.endings import CommandError, Stopped, WrongUsageError
from streamparse.cli.escape import visible_line
from streamparse.cli.in_turn import InTurn
from streamparse.cli.keyboard import Keyboard
from streamparse.cli.pretty import PrettyView
from streamparse.diff import split_lines
from streamparse.errors import StreamparseError
from streamparse.events import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations import ToolInvocation
from streamparse.messages.results import as_text
from streamparse.presenter import ApprovalRequest, Decision, Rule, Rules, Toolbox, ToolLifecycle
from streamparse.presenter.decision import Ask, DecisionOutcome
from streamparse.presenter.presenter import PresenterItem
from streamparse.workspace import Checkpoints, workspace_tools
from streamparse.workspace.edits import changes_of
from streamparse.workspace.texts import Texts

SYSTEM = (
    "You are a careful programmer who works in the user's folder with the tools you are given. Paths are relative to "
    "that folder. Look before you change something, make small changes, and check them. When the task is done, say in "
    "a few sentences what you did, and call no more tools."
)
#: Makes the agent for a folder, with someone to ask, and with tools beside those of the folder.
MakeAgent: TypeAlias = Callable[[str, Ask, Toolbox], Agent]
_KEYS: dict[str, DecisionOutcome] = {"y": "allow_once", "a": "allow_always", "n": "reject_once", "f": "reject_once"}
#: How much of a result is shown.
_LONGEST_RESULT = 2_000
_NOBODY = "There is no terminal at which somebody could be asked."


class _Pausing:
    """A view of panels that leaves the terminal to others now and then."""

    is_sequential = True

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._view: PrettyView | None = None

    def __enter__(self) -> None:
        """It prepares the output when there is something to show."""

    def __exit__(self, *_: object) -> None:
        self.pause()

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        """The next item."""
        if self._view is None:
            self._view = PrettyView(self._output)
            self._view.__enter__()
        self._view.show(item)

    def flush(self) -> None:
        """Everything so far is seen."""
        if self._view is not None:
            self._view.flush()

    def pause(self) -> None:
        """Leave the output as it was found."""
        if self._view is not None:
            view, self._view = self._view, None
            view.__exit__(None, None, None)

    def say(self, line: str, *, end: str = "\n") -> None:
        """A remark of the program itself, in one line."""
        self.pause()
        print(visible_line(line, self._output.encoding or "utf-8"), end=end, file=self._output, flush=True)


class AgentTerminal:
    """Shows what an agent does on `output`, and asks the person at `keyboard`."""

    def __init__(self, output: TextIO, root: str, keyboard: Keyboard) -> None:
        self._output = output
        self._texts = Texts(root)
        self._keyboard = keyboard
        self._view = _Pausing(output)
        self._in_turn = InTurn(self._view)
        self._outputs: set[str] = set()  # calls whose output has a panel of its own

    def show(self, item: PresenterItem) -> None:
        """The next item of the agent."""
        if isinstance(item, SegmentEvent | ToolInvocation):
            self._in_turn.show(item)
        elif isinstance(item, ToolLifecycle):
            self._show_lifecycle(item)

    def pause(self) -> None:
        """Leave the terminal to others: a reply is over."""
        self._in_turn.flush()
        self._view.pause()

    def say(self, line: str, *, end: str = "\n") -> None:
        """A remark of the program itself, in one line."""
        self._view.say(line, end=end)

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
            self._view.show(SegmentStart(name, "output", {"tool_name": item.name}))
        self._view.show(SegmentContent(name, text))

    def _end_output(self, item: ToolLifecycle) -> None:
        self._outputs.discard(item.invocation_id)
        self._view.show(SegmentEnd(f"{item.invocation_id}-output", "failed" if item.is_error else None))

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Ask the person; what a file would become is shown first."""
        call = request.invocation
        if difference := self._difference(call):
            name = f"{call.id}-diff"
            path = str(call.arguments.get("path", ""))
            self._view.show(SegmentStart(name, "patch_file", {"path": path}))
            self._view.show(SegmentContent(name, difference))
            self._view.show(SegmentEnd(name))
        self.say("")
        self.say(f"{request.description} {request.reason}")
        if not self._keyboard.is_there:
            self.say(f"Run it? No: {_NOBODY} (--allow {call.name} would allow it.)")
            return Decision("reject_once", feedback=_NOBODY)
        self.say("Run it? [y]es, [a]lways, [n]o, or [f]eedback ", end="")
        return await self._decision()

    async def _decision(self) -> Decision:
        key = await self._keyboard.key("".join(_KEYS))
        if key == "f":
            self.say("")
            self.say("Tell the model: ", end="")
            return Decision("reject_once", feedback=await self._keyboard.line())
        outcome = _KEYS.get(key, "reject_once")
        self.say(outcome.replace("_", " "))
        self.say("")
        return Decision(outcome)

    async def read_task(self) -> str:
        """The next task; empty at the end of the input."""
        self.say("")
        self.say("> ", end="")
        return await self._keyboard.line()

    def _difference(self, call: ToolInvocation) -> str:
        """What a call would change in files that are there, as a unified diff."""
        texts = [
            "".join(
                difflib.unified_diff(
                    split_lines(change.before),
                    split_lines(change.after or ""),
                    change.path,
                    change.moved_to or change.path,
                )
            )
            for change in changes_of(self._texts, call)
            if change.before is not None
        ]
        return "".join(texts)


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
    client = _client(base_url)

    def make_agent(folder: str, ask: Ask, others: Toolbox) -> Agent:
        tools = workspace_tools(folder) | others
        checkpoints = Checkpoints(folder)

        async def save(call: ToolInvocation) -> None:
            await asyncio.to_thread(checkpoints.save, f"before {call.name}")

        unknown = [name for name in allow if tools.get(name) is None]
        if unknown:
            known = ", ".join(tool.spec.name for tool in tools)
            raise WrongUsageError(f"--allow {unknown[0]}: there is no such tool; there are {known}")
        return Agent(
            client,
            model=model,
            tools=tools,
            format=format,
            system=SYSTEM,
            rules=Rules([Rule("allow", name) for name in allow], read_only="allow"),
            ask=ask,
            before_change=save,
            limits=AgentLimits(turns=turns, seconds=seconds),
            log=None if log is None else SessionLog(log),
        )

    session = _Session()
    work = _serve_editor(make_agent) if output is None else _run(task, make_agent, root, output, session)
    try:
        asyncio.run(session.run(work))
    except asyncio.CancelledError:
        raise Stopped(session.signal) from None
    except (StreamparseError, OSError) as error:
        raise CommandError(str(error)) from error


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


class _Session:
    """Runs the command in a task, and watches for signals.

    The first Ctrl-C stops the agent that is at work; any other ends the task, and so does a request to terminate:
    whatever it has started is ended with it.
    """

    def __init__(self) -> None:
        self.signal = signal.SIGINT
        #: The agent that is at work.
        self.agent: Agent | None = None

    async def run(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        numbers = [signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)]
        for number in numbers:
            with suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, self._on_signal, number, task)
        await task

    def _on_signal(self, number: signal.Signals, task: asyncio.Future[None]) -> None:
        agent, self.agent = self.agent, None
        self.signal = number
        if number == signal.SIGINT and agent is not None:
            agent.cancel()
        else:
            task.cancel()


async def _run(task: str | None, make_agent: MakeAgent, root: str, output: TextIO, session: _Session) -> None:
    keyboard = Keyboard(sys.stdin)
    terminal = AgentTerminal(output, root, keyboard)
    agent = make_agent(root, terminal.ask, Toolbox())
    if task is None and not keyboard.is_there:
        task = sys.stdin.read() if sys.stdin is not None else ""
        if not task.strip():
            raise WrongUsageError("there is no task: give one as an argument, or by standard input")
    while True:
        if task is None:
            task = await terminal.read_task()
        if not task.strip():
            return
        session.agent = agent
        try:
            async with aclosing(agent.run(task)) as items:
                async for item in items:
                    terminal.show(item)
        finally:
            session.agent = None
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
