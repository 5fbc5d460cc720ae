"""Replies, tools and hooks for the tests of the presenter, all of which can be watched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from attrs import define, field

from streamparse import Reply, ToolSpec
from streamparse.events import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations import ToolInvocation
from streamparse.outcome import StreamEnd
from streamparse.presenter import Presenter, Rules, Tool, ToolLifecycle

#: One that may be read for its name alone.
ALLOW = Rules({"*": "allow"})


def call(name: str = "f", **arguments: object) -> str:
    """A call in the format xml."""
    inner = "".join(f"<{key}>{value}</{key}>" for key, value in arguments.items())
    return f'<tool name="{name}">{inner}</tool>'


def plan(*calls: str, mode: str = "parallel") -> str:
    """Several of them as a plan: `dependsOn` and `toolId` are arguments."""
    return f'<multi_tool_use mode="{mode}">{"".join(calls)}</multi_tool_use>'


class Source:
    """Chunks of a reply. `pause` is awaited before each of them, and when it is closed."""

    def __init__(self, chunks: Iterable[str], pause: Callable[[], Any] | None = None) -> None:
        self._chunks = list(chunks)
        self._pause = pause
        self.given = 0
        self.is_closed = False

    @property
    def is_read(self) -> bool:
        """Whether all of it was read."""
        return self.given == len(self._chunks)

    async def __aiter__(self) -> AsyncIterator[str]:
        for chunk in self._chunks:
            await self._wait()
            self.given += 1
            yield chunk
        await self._wait()

    async def _wait(self) -> None:
        if self._pause is None:
            await asyncio.sleep(0)
        else:
            await self._pause()

    async def aclose(self) -> None:
        try:
            await self._wait()
        except asyncio.CancelledError:
            raise  # it was interrupted, so it is open
        except Exception:
            self.is_closed = True
            raise
        self.is_closed = True


@define
class Log:
    """A tool that notes when it begins and ends, and with what."""

    begun: list[str] = field(factory=list)
    ended: list[str] = field(factory=list)

    def tool(self, name: str = "f", schema: dict[str, Any] | None = None, **options: Any) -> Tool:
        """A tool that takes anything; with the argument `fail` it raises."""

        async def run(**arguments: object) -> str:
            self.begun.append(str(arguments.get("n", name)))
            await asyncio.sleep(0)
            if "fail" in arguments:
                raise ValueError("it failed")
            self.ended.append(str(arguments.get("n", name)))
            return f"did {arguments.get('n', name)}"

        return Tool.of(run, spec=ToolSpec(name, schema or {}), **options)


def reply_of(*chunks: str, tools: Any = ()) -> Reply:
    """A reply of these chunks, each of which comes when the event loop has gone round."""
    return Reply(Source(chunks), "xml", tools=tools)


async def present(presenter: Presenter) -> list[str]:
    """What it gives, in short words."""
    return [short(item) async for item in presenter]


async def collect(presenter: Presenter, items: list[object]) -> None:
    """Put what it gives into a list, also what comes before it raises."""
    async for item in presenter:
        items.append(item)


def short(item: object) -> str:
    """An item in a few words."""
    match item:
        case SegmentStart():
            return f"<{item.segment_type}"
        case SegmentContent():
            return item.delta
        case SegmentEnd():
            return f"{item.status or ''}>"
        case ToolInvocation():
            return f"call {item.name}"
        case StreamEnd():
            return f"end {item.outcome.finish_reason}"
        case ToolLifecycle():
            about = [item.message, item.content, item.outcome]
            return " ".join([item.state, *(str(part) for part in about if part is not None)])
    raise AssertionError(item)


def story(items: Iterable[object]) -> list[tuple[str, str, str]]:
    """The segments among the items: type, content and status, in the order of their STARTs."""
    told: dict[str, list[str]] = {}
    for item in items:
        match item:
            case SegmentStart():
                assert item.segment_id not in told
                told[item.segment_id] = [str(item.segment_type), "", "open"]
            case SegmentContent():
                assert told[item.segment_id][2] == "open"
                told[item.segment_id][1] += item.delta
            case SegmentEvent():
                assert told[item.segment_id][2] == "open"
                told[item.segment_id][2] = item.status or "complete"
            case _:
                pass
    return [(kind, content, status) for kind, content, status in told.values()]


def check_lives(items: list[object], calls: list[ToolInvocation]) -> None:
    """Each call has its steps in an order that makes sense, behind itself, and exactly one last word."""
    order = {
        "": {"approval_requested", "running", "denied", "skipped"},
        "approval_requested": {"approved", "denied", "skipped"},
        "approved": {"running", "skipped"},
        "running": {"progress", "result"},
        "progress": {"progress", "result"},
        **{last: set() for last in ("denied", "skipped", "result")},
    }
    states = {call.id: "" for call in calls}
    given: set[str] = set()
    for item in items:
        if isinstance(item, ToolInvocation):
            given.add(item.id)
        if isinstance(item, ToolLifecycle):
            assert item.invocation_id in given
            assert item.state in order[states[item.invocation_id]], (item, states)
            states[item.invocation_id] = item.state
    assert {state for call, state in states.items() if call in given} <= {"denied", "skipped", "result"}, states


def others() -> set[asyncio.Task[Any]]:
    """The tasks beside the test's own."""
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]
