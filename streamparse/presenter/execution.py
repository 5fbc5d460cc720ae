"""Running one tool: in a thread or awaited, within its time, and its result within a size.

    result = await execute(tool, call, report)        # ToolResult("12 degrees")

A tool that raises, or takes too long, has a result as well: one that `is_error`, with a sentence for the model. It runs
in a task or a thread of its own, so that one which does not listen when it is to stop can be left behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from threading import Thread, get_ident
from typing import Any, TypeAlias

from attrs import evolve

from streamparse.errors import in_words
from streamparse.invocations import ToolInvocation
from streamparse.messages.results import ToolResult, as_text
from streamparse.presenter.excerpt import Excerpt
from streamparse.presenter.tool import Tool, ToolContext, ToolError

#: For how many seconds a tool is waited for when nobody wants its result any more: a function in a thread, which may
#: look whether it is to stop, and a coroutine, which was cancelled and may have something to put in order.
THREAD_GRACE, TASK_GRACE = 2.0, 10.0

#: What a tool returns, or what it raises: a future cannot be given every exception.
_Outcome: TypeAlias = tuple[Any, BaseException | None]


async def execute(tool: Tool, call: ToolInvocation, report: Callable[[str], None]) -> ToolResult:
    """Run the tool with the call's arguments. `report` is told what it reports, in the event loop, until it is done."""

    def tell(message: str) -> None:
        if not context.is_cancelled:
            report(message)

    context = ToolContext(call, _in_this_loop(tell))
    try:
        result = await _result_of(tool, call, context)
    finally:
        context.is_cancelled = True
    return _within(tool.output_limit, result)


async def _result_of(tool: Tool, call: ToolInvocation, context: ToolContext) -> ToolResult:
    """What comes of the tool, whatever it does, within its time."""
    work, grace = _start(tool, dict(call.arguments), context)
    try:
        is_late = not (await asyncio.wait({work}, timeout=tool.timeout))[0]
    except asyncio.CancelledError:
        await _stop(work, grace, context)
        raise
    if is_late:
        await _stop(work, grace, context)
        return ToolResult(f"The tool did not end within {tool.timeout:g} seconds.", is_error=True)
    value, error = (None, asyncio.CancelledError()) if work.cancelled() else work.result()
    if isinstance(error, KeyboardInterrupt):
        raise error
    if error is not None:
        return ToolResult(_in_words(error), is_error=True)
    result = value if isinstance(value, ToolResult) else ToolResult(value)
    return evolve(result, content="") if result.content is None else result


def _start(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> tuple[asyncio.Future[_Outcome], float]:
    """Begin to run the tool; what will come of it, and for how long it is waited for when it is to stop."""
    if tool.is_async:
        return asyncio.ensure_future(_outcome_of_task(tool, arguments, context)), TASK_GRACE
    return _in_thread(partial(copy_context().run, _outcome_of, tool, arguments, context)), THREAD_GRACE


async def _stop(work: asyncio.Future[_Outcome], grace: float, context: ToolContext) -> None:
    """Nobody wants the result any more: wait a moment for the tool to see that it is to stop."""
    context.is_cancelled = True
    if isinstance(work, asyncio.Task):
        work.cancel()
    await asyncio.wait({work}, timeout=grace)


async def _outcome_of_task(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> _Outcome:
    try:
        return await tool.run(arguments, context), None
    except BaseException as error:
        return None, error
    finally:
        context.is_cancelled = True  # what is reported behind the end comes too late


def _outcome_of(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> _Outcome:
    try:
        return tool.run(arguments, context), None
    except StopIteration as error:
        return None, RuntimeError(_in_words(error))
    except BaseException as error:
        return None, error


def _in_thread(work: Callable[[], _Outcome]) -> asyncio.Future[_Outcome]:
    """What comes of the work. Neither other tools nor the end of the program wait for a thread that hangs."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[_Outcome] = loop.create_future()

    def run() -> None:
        result = work()
        with suppress(RuntimeError):  # the event loop is closed: nobody waits
            loop.call_soon_threadsafe(outcome.set_result, result)

    Thread(target=run, daemon=True).start()
    return outcome


def _in_this_loop(report: Callable[[str], None]) -> Callable[[str], None]:
    """The same function, to be called from any thread."""
    loop, thread = asyncio.get_running_loop(), get_ident()

    def tell(message: str) -> None:
        if get_ident() == thread:
            report(message)  # at once: a tool that returns now has reported before
        else:
            loop.call_soon_threadsafe(report, message)

    return tell


def _in_words(error: BaseException) -> str:
    if isinstance(error, ToolError):
        return in_words(error)
    name, sentence = type(error).__name__, in_words(error)
    return name if sentence == name else f"{name}: {sentence}"


def _within(limit: int, result: ToolResult) -> ToolResult:
    """A result that is too long keeps its beginning and its end, and says what is missing."""
    try:
        text = as_text(result.content)
    except (TypeError, RecursionError) as error:
        return ToolResult(f"The tool ran, but {error}", is_error=True)
    if len(text) <= limit:
        return result
    excerpt = Excerpt(limit)
    excerpt.add(text)
    return ToolResult(excerpt.text(), result.is_error)
