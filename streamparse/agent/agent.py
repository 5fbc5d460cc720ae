"""Agent: a task, a model and tools, until the model is done.

    agent = Agent(AsyncOpenAI(base_url=…), model="qwen3-coder", tools=workspace_tools(root), ask=ask)
    async for item in agent.run("Add a test for the parser."):
        show(item)                                # what a Presenter gives, of one reply after the other

Each turn asks the model, presents its reply (`Presenter` decides about calls and runs them) and tells the model what
came of them. It ends when a reply has no calls. `run` can be called again: the conversation goes on.

A reply that fails before one of its calls was decided about is asked for again. Behind that, what was done is told to
the model, and it goes on from there: nothing is run twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar

from attrs import frozen

from streamparse import formats
from streamparse.agent.model import Complete, Messages, ModelError, Request, ask_openai, is_final
from streamparse.agent.session_log import SessionLog
from streamparse.config import ParserConfig
from streamparse.errors import ParserStateError, in_words
from streamparse.invocations import AnyItem
from streamparse.outcome import Usage
from streamparse.presenter import LoopGuard, Presenter, Repetition, Rules, Toolbox
from streamparse.presenter.decision import Ask
from streamparse.presenter.gate import Check
from streamparse.presenter.presenter import Calls, Preview
from streamparse.presenter.sendable import sendable
from streamparse.presenter.tool import AnyTools
from streamparse.presenter.waiting import awaited
from streamparse.reply import Reply

#: Why a run ended: the model is done or repeats itself, a limit was reached, or somebody stopped it.
Stopped: TypeAlias = Literal["done", "repetition", "turns", "tokens", "seconds", "cancelled"]
#: Makes the messages of a long conversation fewer, before they are sent.
Compact: TypeAlias = Callable[[Messages], Messages | Awaitable[Messages]]
_T = TypeVar("_T")

_GO_ON = "Your last message was cut off. Go on where it ended."


@frozen
class AgentLimits:
    """How far a run may go; None for no limit.

    `turns` are replies, `tokens` those of all of them, `seconds` what the run may take: when they are over, a reply or
    a tool is stopped in the middle. `retries` is how often a request is sent again that failed, after a `pause` in
    seconds, which doubles each time.
    """

    turns: int | None = 100
    tokens: int | None = None
    seconds: float | None = None
    retries: int = 2
    pause: float = 1.0


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
        repetition: Repetition | None = None,
        calls: Calls = "sequential",
        compact: Compact | None = None,
        limits: AgentLimits | None = None,
        log: SessionLog | None = None,
    ) -> None:
        self._complete: Complete = ask_openai(client, model) if hasattr(client, "chat") else client
        self._tools = Toolbox.of(tools)
        self._format = None if format is None else formats.get(format)
        self._limits = limits or AgentLimits()
        self._compact = compact
        self._log = log
        self._repetition = repetition or Repetition()
        self._present = partial(
            Presenter,
            tools=self._tools,
            rules=rules or Rules(),
            ask=ask,
            check=check,
            preview=preview,
            before_change=before_change,
            repetition=self._repetition,
            calls=calls,
        )
        self._presenter: Presenter | None = None
        self._replies = 0
        self._is_at_work = False
        self._is_over: asyncio.Event  # the run is to end: nothing is waited for any longer
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
        """Stop the run: its loop is given the ends of what is open, and then ends. Without a run it does nothing."""
        if self._is_at_work:
            self._stop("cancelled", why)

    def _stop(self, reason: Stopped, why: str) -> None:
        self.stopped = self.stopped or reason
        self._is_over.set()
        if self._presenter is not None:
            self._presenter.cancel(why)

    # -- a run --------------------------------------------------------------------------------------------------------

    async def run(self, task: str) -> AsyncGenerator[AnyItem, None]:
        """Work on the task; gives what is to be shown of each reply, and of what comes of its calls.

        Raises ModelError if the model cannot be asked. Whatever ends the run, what was done is in `messages`. Leave it
        by `cancel`, or write `async with contextlib.aclosing(agent.run(task)) as items` around the loop.
        """
        with self._at_work():
            turns, failures, first_tokens = 0, 0, self.tokens
            self._add([{"role": "user", "content": task}])
            while self.stopped is None:
                await self._shorten()
                if self.stopped is not None:
                    break
                request = self._request()
                reply = self._reply(request)
                self._presenter = presenter = self._present(reply, guard=LoopGuard())
                failure: Exception | None = None
                try:
                    async with presenter:
                        async for item in presenter:
                            yield item
                except Exception as error:
                    failure = error
                finally:
                    self._presenter = None
                    is_taken = self._take(reply, presenter, is_whole=failure is None)
                turns += is_taken
                failures = failures + 1 if failure is not None else 0
                if failure is not None and self.stopped is None:
                    self._raise_unless_worth_a_retry(failure, request, failures)
                    await self._until_over(asyncio.sleep(self._limits.pause * 2 ** (failures - 1)))
                elif self.stopped is None:
                    self.stopped = self._why_stopped(reply, presenter, turns, self.tokens - first_tokens)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """A run: one at a time, and not longer than it may take. Whoever leaves it has cancelled it."""
        if self._is_at_work:
            raise ParserStateError("the agent is at work: wait for the end of its run, or cancel it")
        self._is_at_work, self.stopped = True, None
        self._is_over = asyncio.Event()
        self._repetition.reset()
        timer = None
        if self._limits.seconds is not None:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(self._limits.seconds, self._stop, "seconds", "The time is up.")
        try:
            yield
        except (GeneratorExit, asyncio.CancelledError):
            self.stopped = self.stopped or "cancelled"
            raise
        finally:
            if timer is not None:
                timer.cancel()
            self._is_at_work = False

    async def _shorten(self) -> None:
        if self._compact is not None:
            shorter = await self._until_over(awaited(self._compact(self.messages)))
            if shorter is not None:
                self.messages = list(shorter)

    async def _until_over(self, work: Awaitable[_T]) -> _T | None:
        """What the work gives, or None if the run is to end before it is done."""
        done, over = asyncio.ensure_future(work), asyncio.ensure_future(self._is_over.wait())
        try:
            await asyncio.wait({done, over}, return_when=asyncio.FIRST_COMPLETED)
            return done.result() if done.done() else None
        finally:
            done.cancel()
            over.cancel()
            await asyncio.gather(done, over, return_exceptions=True)

    def _request(self) -> Request:
        return Request(self._complete, list(self.messages), self._tools.declared(self._format or "openai"))

    def _reply(self, request: Request) -> Reply:
        self._replies += 1
        config = ParserConfig(segment_id_prefix=f"turn_{self._replies}_")
        return Reply(request.chunks(), self._format or "native", tools=self._tools.specs, config=config)

    def _raise_unless_worth_a_retry(self, failure: Exception, request: Request, failures: int) -> None:
        if not request.is_to_blame(failure):
            raise failure
        if failures > self._limits.retries or is_final(failure):
            raise ModelError(f"the model could not be asked: {in_words(failure)}") from failure

    def _take(self, reply: Reply, presenter: Presenter, *, is_whole: bool) -> bool:
        """What the model wrote, and what came of it, is part of the conversation; whether it is.

        Of a reply that failed, only if calls were decided about: else it is asked for again, and comes anew.
        """
        usage = reply.outcome.usage if reply.outcome is not None else None
        if usage is not None:
            self.tokens += usage.total or (usage.input or 0) + (usage.output or 0)
        if not any(call.is_complete for call in reply.calls) and not (is_whole and reply.segments):
            return is_whole
        messages = reply.messages(self._format or "openai", presenter.results)
        if presenter.attachments:
            messages.append({"role": "user", "content": presenter.attachments})
        if _is_cut(reply) and not reply.calls:
            messages.append({"role": "user", "content": _GO_ON})
        self._add(messages, usage)
        return True

    def _add(self, messages: Messages, usage: Usage | None = None) -> None:
        messages = [sendable(message) for message in messages]
        self.messages += messages
        if self._log is not None and messages:
            self._log.append(messages, usage)

    def _why_stopped(self, reply: Reply, presenter: Presenter, turns: int, tokens: int) -> Stopped | None:
        limits = self._limits
        if presenter.stopped is not None:
            return "repetition"
        if not reply.calls and not _is_cut(reply):
            return "done"
        if limits.turns is not None and turns >= limits.turns:
            return "turns"
        return "tokens" if limits.tokens is not None and tokens >= limits.tokens else None


#: Makes the agent of a conversation: for a folder, with someone to ask, and with tools beside those of the folder.
MakeAgent: TypeAlias = Callable[[str, Ask, Toolbox], Agent]


def _is_cut(reply: Reply) -> bool:
    return reply.outcome is not None and reply.outcome.finish_reason == "length"
