"""Agent: a task, a model and tools, until the model is done.

    agent = Agent(AsyncOpenAI(base_url=…), model="qwen3-coder", tools=workspace.tools(root), ask=ask)
    async for item in agent.run("Add a test for the parser."):
        show(item)                                # what a Presenter gives, of one reply after the other

Each turn asks the model, presents its reply (`Presenter` decides about calls and runs them) and tells the model what
came of them. It ends when a reply has no calls. `run` can be called again: the conversation goes on.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Literal, TypeAlias

from attrs import frozen

from streamparse import formats
from streamparse.agent.model import Complete, Messages, ask_openai, declared
from streamparse.agent.session_log import SessionLog
from streamparse.config import ParserConfig
from streamparse.presenter import LoopGuard, Presenter, Repetition, Rules, Toolbox
from streamparse.presenter.decision import Ask
from streamparse.presenter.gate import Check
from streamparse.presenter.presenter import Calls, PresenterItem, Preview
from streamparse.presenter.tool import AnyTools
from streamparse.presenter.waiting import awaited
from streamparse.reply import Reply

#: Why a run ended: the model is done, or a limit was reached, or somebody stopped it.
Stopped: TypeAlias = Literal["done", "turns", "tokens", "seconds", "cancelled"]
#: Makes the messages of a long conversation fewer, before they are sent.
Compact: TypeAlias = Callable[[Messages], Messages | Awaitable[Messages]]

_GO_ON = "Your last message was cut off. Go on where it ended."


@frozen
class AgentLimits:
    """How far a run may go; None for no limit. `retries` is how often a request is sent again that failed."""

    turns: int | None = 100
    tokens: int | None = None
    seconds: float | None = None
    retries: int = 2


class Agent:
    """A conversation with a model that has tools.

    `client` is one of the `openai` package, with a `model`, or a function (see `Complete`). `format` is the text format
    that calls are written in, for a server that knows no tools; without it, tools are declared in the request. `system`
    stands before everything. `compact` may shorten the messages before each request. `log` keeps them in a file, and
    what is in it already is where the conversation goes on. The other options are those of `Presenter`.
    """

    def __init__(
        self,
        client: Any | Complete,
        *,
        model: str = "",
        tools: AnyTools = (),
        format: str | None = None,
        system: str = "",
        rules: Rules | None = None,
        ask: Ask | None = None,
        check: Check | None = None,
        preview: Preview | None = None,
        before_change: Callable[..., Any] | None = None,
        calls: Calls = "sequential",
        compact: Compact | None = None,
        limits: AgentLimits | None = None,
        log: SessionLog | None = None,
    ) -> None:
        self._complete: Complete = ask_openai(client, model) if hasattr(client, "chat") else client
        self._tools = Toolbox.of(tools)
        self._format = None if format is None else formats.get(format)
        self._model = model
        self._limits = limits or AgentLimits()
        self._compact = compact
        self._log = log
        self._presenting: dict[str, Any] = {
            "tools": self._tools,
            "rules": rules or Rules(),
            "ask": ask,
            "check": check,
            "preview": preview,
            "before_change": before_change,
            "calls": calls,
            "repetition": Repetition(),
        }
        self._presenter: Presenter | None = None
        self._turn = 0
        self._is_cancelled = False
        #: All messages of the conversation, as they are sent.
        self.messages: Messages = log.read() if log is not None else []
        #: How many tokens the model has read and written, as far as its server says so.
        self.tokens = 0
        #: Why the last run ended.
        self.stopped: Stopped | None = None
        if not self.messages:
            self._add(self._first_messages(system))

    def _first_messages(self, system: str) -> Messages:
        parts = [system, self._format.instructions(self._tools.specs) if self._format and len(self._tools) else ""]
        text = "\n\n".join(part for part in parts if part)
        return [{"role": "system", "content": text}] if text else []

    def cancel(self, why: str = "The person stopped it.") -> None:
        """Stop the run: its loop is given the ends of what is open, and then ends."""
        self._is_cancelled = True
        if self._presenter is not None:
            self._presenter.cancel(why)

    async def run(self, task: str) -> AsyncGenerator[PresenterItem, None]:
        """Work on the task; gives what is to be shown of each reply, and of what comes of its calls."""
        self._is_cancelled, self.stopped = False, None
        self._presenting["repetition"].reset()
        self._add([{"role": "user", "content": task}])
        end = None if self._limits.seconds is None else time.monotonic() + self._limits.seconds
        turns, failures, first_tokens = 0, 0, self.tokens
        while self.stopped is None:
            turns += 1
            reply = await self._ask()
            self._presenter = presenter = Presenter(reply, guard=LoopGuard(), **self._presenting)
            try:
                async with presenter:
                    async for item in presenter:
                        yield item
            except Exception:
                failures += 1
                if failures > self._limits.retries and not reply.calls:
                    raise
                if not reply.calls:
                    continue  # nothing was done, so it can be asked for again
            else:
                failures = 0
            self._take(reply, presenter)
            self.stopped = self._why_stopped(reply, turns, self.tokens - first_tokens, end)

    async def _ask(self) -> Reply:
        if self._compact is not None:
            self.messages = list(await awaited(self._compact(self.messages)))
        self._turn += 1
        tools = [] if self._format is not None else [declared(tool) for tool in self._tools.specs]
        stream = self._complete(list(self.messages), tools)
        config = ParserConfig(segment_id_prefix=f"turn_{self._turn}_")
        return Reply(stream, self._format or "native", tools=self._tools.specs, config=config)

    def _take(self, reply: Reply, presenter: Presenter) -> None:
        """What the model wrote, and what came of it, is part of the conversation."""
        usage = reply.outcome.usage if reply.outcome is not None else None
        if usage is not None:
            self.tokens += usage.total or (usage.input or 0) + (usage.output or 0)
        messages = reply.messages(self._format or "openai", presenter.results)
        if presenter.attachments:
            messages.append({"role": "user", "content": presenter.attachments})
        if not reply.calls and reply.outcome is not None and reply.outcome.finish_reason == "length":
            messages.append({"role": "user", "content": _GO_ON})
        self._add(messages, usage)

    def _add(self, messages: Messages, usage: Any = None) -> None:
        self.messages += messages
        if self._log is not None and messages:
            self._log.append(messages, usage)

    def _why_stopped(self, reply: Reply, turns: int, tokens: int, end: float | None) -> Stopped | None:
        limits = self._limits
        if self._is_cancelled:
            return "cancelled"
        if not reply.calls and (reply.outcome is None or reply.outcome.finish_reason != "length"):
            return "done"
        if limits.turns is not None and turns >= limits.turns:
            return "turns"
        if limits.tokens is not None and tokens >= limits.tokens:
            return "tokens"
        return "seconds" if end is not None and time.monotonic() >= end else None
