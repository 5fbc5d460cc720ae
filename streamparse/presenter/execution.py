"""Running one tool: in a thread or awaited, within its time, and its result within a size.

    result = await execute(tool, call, report)        # ToolResult("12 degrees")

A tool that raises, or takes too long, has a result as well: one that `is_error`, with a sentence for the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from threading import get_ident
from typing import Any

from attrs import evolve

from streamparse.invocations import ToolInvocation
from streamparse.messages.results import ToolResult, as_text
from streamparse.presenter.excerpt import Excerpt
from streamparse.presenter.tool import Tool, ToolContext, ToolError
from streamparse.presenter.waiting import is_cancelled

#: For how many seconds a function in a thread is waited for when nobody wants its result any more.
GRACE = 2.0


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
    try:
        async with asyncio.timeout(tool.timeout) as limit:
            value = await _value_of(tool, dict(call.arguments), context)
    except TimeoutError as error:
        is_ours = limit.expired()
        sentence = f"The tool did not end within {tool.timeout:g} seconds." if is_ours else _in_words(error)
        return ToolResult(sentence, is_error=True)
    except (Exception, SystemExit, asyncio.CancelledError) as error:
        if isinstance(error, asyncio.CancelledError) and is_cancelled():
            raise
        return ToolResult(_in_words(error), is_error=True)
    result = value if isinstance(value, ToolResult) else ToolResult(value)
    return evolve(result, content="") if result.content is None else result


async def _value_of(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> Any:
    """What the tool returns. A thread cannot be stopped: who is cancelled waits a moment for it to see that it is."""
    if tool.is_async:
        return await tool.run(arguments, context)
    work = partial(copy_context().run, _outcome_of, tool, arguments, context)
    thread = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        value, error = await asyncio.shield(thread)
    except asyncio.CancelledError:
        context.is_cancelled = True
        await asyncio.wait({thread}, timeout=GRACE)
        raise
    if error is not None:
        raise error
    return value


def _outcome_of(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> tuple[Any, BaseException | None]:
    """What the tool returns, or what it raises: a future cannot be given every exception."""
    try:
        return tool.run(arguments, context), None
    except StopIteration as error:
        return None, RuntimeError(_in_words(error))
    except BaseException as error:
        return None, error


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
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


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
