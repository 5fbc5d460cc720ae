"""Tools: how functions are declared, found and run."""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Annotated, Any, Literal, Optional

import pytest

from streamparse import ToolSpec
from streamparse.invocations import ToolInvocation, check
from streamparse.presenter import Tool, Toolbox, ToolContext, ToolError, ToolResult, execution
from streamparse.presenter.execution import execute
from streamparse.presenter.hints import hints_of, schema_of
from tests.presenter.kit import others

# -- declarations ------------------------------------------------------------------------------------------------------


class Kind(Enum):
    WEB = "web"
    NEWS = 2


class Words(list[str]):
    pass


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (Any, {}),
        (object, {}),
        (list, {"type": "array"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (Words, {"type": "array"}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (tuple[int, str], {"type": "array", "items": {"type": ["integer", "string"]}}),
        (set[str], {"type": "array", "items": {"type": "string"}}),
        (Iterable[str], {"type": "array", "items": {"type": "string"}}),
        (Sequence[str], {"type": "array", "items": {"type": "string"}}),
        (bytes, {}),
        (dict, {"type": "object"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Mapping[str, Any], {"type": "object", "additionalProperties": {}}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (Kind, {"enum": ["web", 2]}),
        (int | None, {"type": ["integer", "null"]}),
        (Optional[int], {"type": ["integer", "null"]}),  # noqa: UP045
        (int | Literal["all"], {"anyOf": [{"type": "integer"}, {"enum": ["all"]}]}),
        (list | dict, {"type": ["array", "object"]}),
        (list[int] | set[int], {"type": "array", "items": {"type": "integer"}}),
        (Annotated[str, "what to look for", 5], {"type": "string", "description": "what to look for"}),
        (Annotated[str, 5], {"type": "string"}),
    ],
)
def test_the_schema_of_a_hint(hint: Any, schema: dict[str, Any]) -> None:
    def function(x):  # type: ignore[no-untyped-def]
        pass

    function.__annotations__ = {"x": hint}
    assert schema_of(function, ToolContext)["properties"] == {"x": schema}


def test_the_schema_of_a_function() -> None:
    def function(a: int, b, /, c: str, *rest: int, d: bool = True, e, context: ToolContext) -> str:  # type: ignore[no-untyped-def]
        return ""

    assert schema_of(function, ToolContext) == {
        "type": "object",
        "properties": {"c": {"type": "string"}, "d": {"type": "boolean"}, "e": {}},
        "required": ["c", "e"],
        "additionalProperties": False,
    }

    def open_one(a: int, **more: str) -> None: ...

    assert schema_of(open_one, ToolContext) == {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
    }


def test_hints_that_cannot_be_found_are_none() -> None:
    def function(x: Missing) -> None:  # type: ignore[name-defined]  # noqa: F821
        pass

    assert hints_of(function) == {}
    assert schema_of(function, ToolContext)["properties"] == {"x": {}}


class Search:
    """Looks things up."""

    def __call__(self, query: str, context: ToolContext) -> str:
        return f"{query} for {context.invocation.name}"

    def method(self, query: str) -> str:
        """Does so as well."""
        return query


def test_a_tool_of_a_function() -> None:
    async def fetch(url: str) -> str:
        """Get a page.

        All of it.
        """
        return url

    tool = Tool.of(fetch, is_read_only=True, timeout=None, output_limit=5)
    assert (tool.spec.name, tool.spec.description) == ("fetch", "Get a page.\n\nAll of it.")
    assert (tool.is_async, tool.is_read_only, tool.timeout, tool.output_limit) == (True, True, None, 5)
    assert Tool.of(Search().method).spec.name == "method"
    assert Tool.of(Search(), name="search").spec.parameters["properties"] == {"query": {"type": "string"}}
    assert Tool.of(partial(fetch, "x"), name="f").is_async
    assert Tool.of(fetch, spec={"name": "g", "parameters": {}}).spec == ToolSpec("g")
    for nameless in (lambda: None, partial(fetch), Search()):
        with pytest.raises(ValueError, match=r"has no name: give it one, as in \{'search': function\}"):
            Tool.of(nameless)


def test_a_toolbox() -> None:
    def one() -> None: ...
    def two() -> None: ...

    tool = Tool.of(one, name="three")
    box = Toolbox.of({"one": one, "three": tool})
    assert [spec.name for spec in box.specs] == ["one", "three"]
    assert box.get("THREE") is tool
    assert box.get("four") is None
    assert Toolbox.of(box) is box
    assert [each.spec.name for each in Toolbox.of([one, tool]) | Toolbox.of([two])] == ["one", "three", "two"]
    assert len(box) == 2
    with pytest.raises(ValueError, match="there are two tools called 'One'"):
        Toolbox.of({"one": one, "One": two})
    with pytest.raises(ValueError, match="the tool 'three' is given the name 'four': its spec says what it is called"):
        Toolbox.of({"four": tool})


# -- running -----------------------------------------------------------------------------------------------------------

CALL = ToolInvocation("seg_1", "f", {"x": 1})


async def run(function: Any, **options: Any) -> ToolResult:
    return await execute(Tool.of(function, name="f", **options), CALL, lambda _: None)


async def test_what_a_tool_returns() -> None:
    assert await run(lambda x: x + 1) == ToolResult(2)
    assert await run(lambda x: None) == ToolResult("")
    assert await run(lambda x: ToolResult(None, is_error=True)) == ToolResult("", is_error=True)
    assert await run(lambda x: ToolResult({"a": 1})) == ToolResult({"a": 1})
    result = await execute(Tool.of(Search(), name="f"), ToolInvocation("seg_1", "f", {"query": "cats"}), lambda _: None)
    assert result == ToolResult("cats for f")


class SilentError(Exception):
    def __str__(self) -> str:
        raise ValueError("it does not say")


def raising(error: BaseException) -> tuple[Any, Any]:
    def function(x: int) -> None:
        raise error

    async def afunction(x: int) -> None:
        raise error

    return function, afunction


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("no"), "ValueError: no"),
        (ValueError(), "ValueError"),
        (ToolError("The disk is full."), "The disk is full."),
        (TimeoutError("slow"), "TimeoutError: slow"),
        (SystemExit(3), "SystemExit: 3"),
        (asyncio.CancelledError(), "CancelledError"),
        (GeneratorExit(), "GeneratorExit"),
        (BaseException("odd"), "BaseException: odd"),
        (SilentError(), "SilentError"),
    ],
    ids=lambda value: type(value).__name__,
)
async def test_what_a_tool_raises_is_told(error: BaseException, sentence: str) -> None:
    for function in raising(error):
        assert await run(function) == ToolResult(sentence, is_error=True)


def test_a_keyboard_interrupt_is_the_programs_own() -> None:
    for function in raising(KeyboardInterrupt()):
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(run(function))


async def test_an_iterator_that_is_empty() -> None:
    """No future takes a StopIteration: who waits for it would wait for ever."""
    assert await run(lambda x: next(iter(()))) == ToolResult("RuntimeError: StopIteration", is_error=True)


async def test_results_that_are_no_data() -> None:
    result = await run(lambda x: {x: object()})
    assert result.is_error
    assert str(result.content).startswith("The tool ran, but a result is a text or plain data")
    deep: list[Any] = []
    for _ in range(sys.getrecursionlimit() * 200):
        deep = [deep]
    result = await run(lambda x: deep)
    assert result.is_error
    assert str(result.content).startswith("The tool ran, but maximum recursion depth exceeded")
    while deep:
        deep = deep[0]


async def test_a_long_result_keeps_its_two_ends() -> None:
    assert await run(lambda x: "a" * 10, output_limit=10) == ToolResult("a" * 10)
    cut = "abc\n[… 5 characters were left out …]\nijk"
    assert await run(lambda x: "abcdefghijk", output_limit=6) == ToolResult(cut)
    assert await run(lambda x: "abcdefghijk", output_limit=7) == ToolResult(cut)
    assert await run(lambda x: ToolResult("ab", is_error=True), output_limit=0) == ToolResult(
        "\n[… 2 characters were left out …]\n", is_error=True
    )
    assert await run(lambda x: [1, 2, 3], output_limit=4) == ToolResult("[1\n[… 5 characters were left out …]\n3]")
    long = await run(raising(ValueError("x" * 100))[0], output_limit=20)
    assert long == ToolResult("ValueError\n[… 92 characters were left out …]\nxxxxxxxxxx", is_error=True)


async def test_a_tool_that_somebody_cancels_before_it_begins_has_failed() -> None:
    async def never(x: int) -> None:
        raise AssertionError("it was run")

    running = asyncio.ensure_future(run(never))
    await asyncio.sleep(0)
    (work,) = asyncio.all_tasks() - {running, asyncio.current_task()}
    work.cancel()
    assert await running == ToolResult("CancelledError", is_error=True)


async def test_a_tool_that_takes_too_long() -> None:
    async def forever(x: int) -> None:
        await asyncio.Event().wait()

    seen = threading.Event()

    def until_told(x: int, context: ToolContext) -> None:
        while not context.is_cancelled:
            seen.wait(0.001)
        seen.set()

    for function in (forever, until_told):
        assert await run(function, timeout=0.01) == ToolResult("The tool did not end within 0.01 seconds.", True)
    assert seen.is_set()
    assert others() == set()


async def test_a_thread_that_does_not_listen_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "THREAD_GRACE", 0.01)
    go, reported = threading.Event(), []
    threads: list[threading.Thread] = []

    def deaf(x: int, context: ToolContext) -> None:
        threads.append(threading.current_thread())
        go.wait()
        context.progress("too late")
        raise ValueError("nobody hears this")

    result = await execute(Tool.of(deaf, name="f", timeout=0.01), CALL, reported.append)
    assert result == ToolResult("The tool did not end within 0.01 seconds.", is_error=True)
    assert others() == set()
    assert [thread.daemon for thread in threads] == [True]  # the end of the program does not wait for it
    go.set()
    threads[0].join()
    await asyncio.sleep(0)
    assert reported == []


def test_a_thread_may_end_when_the_event_loop_is_closed() -> None:
    go, raised = threading.Event(), []
    threads: list[threading.Thread] = []

    def deaf(x: int) -> None:
        threads.append(threading.current_thread())
        go.wait()

    async def leave() -> None:
        task = asyncio.create_task(run(deaf))
        while not threads:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()

    threading.excepthook, hook = raised.append, threading.excepthook
    try:
        asyncio.run(leave())
        go.set()
        threads[0].join()
    finally:
        threading.excepthook = hook
    assert raised == []


async def test_a_coroutine_that_does_not_listen_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "TASK_GRACE", 0.01)
    go, heard = asyncio.Event(), asyncio.Event()

    async def deaf(x: int) -> None:
        while not go.is_set():
            try:
                await go.wait()
            except asyncio.CancelledError:
                heard.set()

    assert await run(deaf, timeout=0.01) == ToolResult("The tool did not end within 0.01 seconds.", is_error=True)
    assert heard.is_set()
    (left,) = others()
    go.set()
    await left


async def test_a_tool_that_cancels_its_own_task_has_failed() -> None:
    async def cancel(x: int) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    assert await run(cancel) == ToolResult("CancelledError", is_error=True)


async def test_a_report_that_is_on_its_way_when_the_tool_is_done_is_not_told() -> None:
    reported: list[str] = []

    async def late(x: int, context: ToolContext) -> None:
        context.progress("in time")
        thread = threading.Thread(target=context.progress, args=["late"])
        thread.start()
        thread.join()

    await execute(Tool.of(late, name="f"), CALL, reported.append)
    await asyncio.sleep(0)
    assert reported == ["in time"]


async def test_a_thread_has_the_context_of_its_caller() -> None:
    variable = contextvars.ContextVar("variable", default="")
    variable.set("here")
    assert await run(lambda x: variable.get()) == ToolResult("here")


async def test_whoever_is_cancelled_while_a_tool_runs_is_cancelled() -> None:
    started = asyncio.Event()

    async def forever(x: int) -> None:
        started.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(run(forever))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_declared_function_is_checked() -> None:
    def search(query: str, limit: int = 5) -> str:
        return query * limit

    specs = Toolbox.of([search]).specs
    assert check(ToolInvocation("seg_1", "search", {"query": "a", "limit": 2}), specs) is None
    assert check(ToolInvocation("seg_1", "search", {"limit": 2}), specs) == (
        "the arguments of search do not fit: query is missing"
    )
    assert check(ToolInvocation("seg_1", "search", {"query": "a", "x": 2}), specs) is not None
