"""What a presenter costs beside the reply itself, and how long a long plan takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import process_time

from benchmarks import inputs
from benchmarks.report import Report, Row
from benchmarks.speed import TOKEN
from benchmarks.timing import no_garbage_collection
from benchmarks.verify import cut
from streamparse import Reply, ToolSpec
from streamparse.invocations import ToolInvocation
from streamparse.presenter import Presenter, Repetition, Rules, Tool
from streamparse.presenter.schedule import Schedule, Step

_PER_DELTA = 5.0
_STEPS, _PLAN = 1_000, 0.050


async def _source(chunks: list[str]) -> AsyncIterator[str]:
    """Chunks that come one by one, as from a network: the event loop goes round between them."""
    for chunk in chunks:
        await asyncio.sleep(0)
        yield chunk


async def _iterate(chunks: list[str], *, is_presented: bool) -> None:
    reply = Reply(_source(chunks), "xml")
    async for _ in Presenter(reply, tools={}) if is_presented else reply:
        pass


async def _nothing() -> None:
    pass


def _steps() -> list[Step]:
    """A tenth of the steps wait for nothing, each of the others for two of those before it."""
    calls = [ToolInvocation(f"seg_{number}", "nothing") for number in range(_STEPS)]
    free = _STEPS // 10
    return [
        Step(call, () if number < free else (number - free, number - free + 1)) for number, call in enumerate(calls)
    ]


async def _run_plan(steps: list[Step]) -> None:
    """The scheduling and running alone: nothing is parsed."""
    tool = Tool.of(_nothing, spec=ToolSpec("nothing"))
    repetition = Repetition(ask_at=None, stop_at=None)
    presenter = Presenter(Reply([], "xml"), tools=[tool], rules=Rules({"*": "allow"}), repetition=repetition)
    presenter._settle(steps)
    async for _ in presenter:
        pass
    assert len(presenter.results) == _STEPS


def _schedule(steps: list[Step]) -> None:
    schedule = Schedule(steps)
    while (number := schedule.next()) is not None:
        schedule.end(number, is_ok=True)


def report_presenter(report: Report, *, quick: bool) -> None:
    """The presenter against iterating over the reply, per delta; then a plan."""
    rounds = 3 if quick else 15
    report.section(f"Presenter without hooks, chunks of {TOKEN} characters")
    chunks = cut(inputs.prose(100_000), TOKEN)
    best = {True: float("inf"), False: float("inf")}
    for _ in range(rounds):
        for is_presented in best:
            with no_garbage_collection():
                start = process_time()
                asyncio.run(_iterate(chunks, is_presented=is_presented))
                best[is_presented] = min(best[is_presented], process_time() - start)
    each = {side: time / len(chunks) * 1e6 for side, time in best.items()}
    more = each[True] - each[False]
    measured = f"{more:.2f} us more   ({each[True]:.2f} / {each[False]:.2f} us)"
    report.add(Row("text delta", measured, f"<= {_PER_DELTA:.0f} us more", more <= _PER_DELTA))

    report.section(f"A plan of {_STEPS} steps, tools that do nothing")
    steps = _steps()
    whole = alone = float("inf")
    for _ in range(rounds):
        with no_garbage_collection():
            start = process_time()
            _schedule(steps)
            middle = process_time()
            asyncio.run(_run_plan(steps))
            whole, alone = min(whole, process_time() - middle), min(alone, middle - start)
    report.add(Row("scheduled", f"{alone * 1e3:.1f} ms"))
    report.add(Row("decided about, run and told", f"{whole * 1e3:.1f} ms", f"<= {_PLAN * 1e3:.0f} ms", whole <= _PLAN))
