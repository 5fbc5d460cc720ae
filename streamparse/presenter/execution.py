"""Running one tool: in a thread or awaited, within its time, and its result within a size.

    result = await execute(tool, call, report)        # ToolResult("12 degrees")

A tool that raises, or takes too long, has a result as well: one that `is_error`, with a sentence for the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from streamparse.invocations import ToolInvocation
from streamparse.messages.results import ToolResult, as_text
from streamparse.presenter.tool import Tool, ToolContext, ToolError

#: For how many seconds a function in a thread is waited for when nobody wants its result any more.
GRACE = 2.0


async def execute(tool: Tool, call: ToolInvocation, report: Callable[[str], None]) -> ToolResult:
    """Run the tool with the call's arguments. `report` is told what it reports, in the event loop."""
    loop = asyncio.get_running_loop()
    context = ToolContext(call, lambda message: _from_any_thread(loop, report, message))
    try:
        async with asyncio.timeout(tool.timeout) as limit:
            value = await _value_of(tool, dict(call.arguments), context)
    except ToolError as error:
        result = ToolResult(str(error), is_error=True)
    except TimeoutError as error:
        is_ours = limit.expired()
        sentence = f"The tool did not end within {tool.timeout:g} seconds." if is_ours else _in_words(error)
        result = ToolResult(sentence, is_error=True)
    except Exception as error:
        result = ToolResult(_in_words(error), is_error=True)
    else:
        result = _result_of(value, tool.output_limit)
    finally:
        context.is_cancelled = True
    return result


async def _value_of(tool: Tool, arguments: dict[str, Any], context: ToolContext) -> Any:
    """What the tool returns. A thread cannot be stopped: who is cancelled waits a moment for it to see that it is."""
    if tool.is_async:
        return await tool.run(arguments, context)
    thread = asyncio.ensure_future(asyncio.to_thread(tool.run, arguments, context))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        context.is_cancelled = True
        await asyncio.wait({thread}, timeout=GRACE)
        raise


def _from_any_thread(loop: asyncio.AbstractEventLoop, report: Callable[[str], None], message: str) -> None:
    loop.call_soon_threadsafe(report, message)


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _result_of(value: Any, limit: int) -> ToolResult:
    """What a tool returned. A result that is too long keeps its beginning and its end, and says what is missing."""
    result = value if isinstance(value, ToolResult) else ToolResult("" if value is None else value)
    try:
        text = as_text(result.content)
    except TypeError as error:
        return ToolResult(f"The tool ran, but {error}", is_error=True)
    if len(text) <= limit:
        return result
    half = limit // 2
    middle = f"\n[… {len(text) - 2 * half} characters were left out …]\n"
    return ToolResult(text[:half] + middle + text[len(text) - half :], result.is_error)
