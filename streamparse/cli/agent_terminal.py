"""AgentTerminal: what an agent does, shown in a terminal, and the person there, who is asked.

    terminal = AgentTerminal(sys.stdout, root, Keyboard(sys.stdin))
    agent = Agent(…, ask=terminal.ask)
    async for item in agent.run(await terminal.read_task()):
        terminal.show(item)

What the model writes is shown in panels, as `parse` shows it (`pretty.py`), and so is the output of its tools. Between
two panels the terminal is left as it was found: for remarks, which are lines, and for questions, which wait for keys.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TextIO

from streamparse.cli.escape import visible_line
from streamparse.cli.in_turn import InTurn
from streamparse.cli.keyboard import Keyboard
from streamparse.cli.pretty import PrettyView
from streamparse.cli.unified import difference
from streamparse.events import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations import AnyItem, ToolInvocation
from streamparse.messages.results import as_text
from streamparse.presenter import ApprovalRequest, Decision, ToolLifecycle
from streamparse.presenter.decision import DecisionOutcome
from streamparse.workspace.edits import changes_of
from streamparse.workspace.texts import Texts

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

    def show(self, item: AnyItem) -> None:
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
        changes = [change for change in changes_of(self._texts, call) if change.before is not None]
        if changes:
            name = f"{call.id}-diff"
            path = str(call.arguments.get("path", ""))
            self._view.show(SegmentStart(name, "patch_file", {"path": path}))
            self._view.show(SegmentContent(name, "".join(map(difference, changes))))
            self._view.show(SegmentEnd(name))
        self.say("")
        self.say(f"{request.description} {request.reason}")
        if not self._keyboard.is_there:
            self.say(f"Run it? No: {_NOBODY} (--allow {call.name} would allow it.)")
            return Decision("reject_once", feedback=_NOBODY, is_answered=False)
        return await self._decision()

    async def _decision(self) -> Decision:
        key = await self._typed(self._keyboard.key("".join(_KEYS), self._ask_for_a_key))
        if key == "f":
            self.say("")
            self.say("Tell the model: ", end="")
            return Decision("reject_once", feedback=await self._typed(self._keyboard.line()))
        outcome = _KEYS.get(key, "reject_once")
        self.say(outcome.replace("_", " "))
        self.say("")
        return Decision(outcome)

    def _ask_for_a_key(self) -> None:
        self.say("Run it? [y]es, [a]lways, [n]o, or no with [f]eedback ", end="")

    async def read_task(self) -> str:
        """The next task; empty at the end of the input."""
        self.say("")
        self.say("> ", end="")
        return await self._typed(self._keyboard.line())

    async def _typed(self, typed: Awaitable[str]) -> str:
        """What the person types. A question that is taken back, as by Ctrl-C, ends its line."""
        try:
            return await typed
        except asyncio.CancelledError:
            self.say("")
            raise
