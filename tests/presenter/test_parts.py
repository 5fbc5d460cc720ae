"""The small parts of the presenter, one by one."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from streamparse import EventReader, ToolSpec
from streamparse.events import SegmentContent, SegmentEnd, SegmentStart
from streamparse.invocations import ToolInvocation
from streamparse.plans import build_plans
from streamparse.presenter import (
    ApprovalError,
    ApprovalRequest,
    Approvals,
    Decision,
    LoopGuard,
    Presenter,
    Repetition,
    ToolLifecycle,
    describe,
)
from streamparse.presenter.backlog import Backlog
from streamparse.presenter.decision import as_decision
from streamparse.presenter.schedule import Schedule, Step, steps_of
from streamparse.presenter.waiting import all_done, awaited
from tests.presenter.kit import Log, call, others, plan, present, reply_of
from tests.schema import VALID

CALL = ToolInvocation("seg_1", "f", {"n": 1})


# -- decisions and approvals -------------------------------------------------------------------------------------------


def test_answers() -> None:
    assert as_decision(True) == Decision("allow_once")
    assert as_decision(False) == Decision("reject_once")
    assert as_decision("allow_always") == Decision("allow_always")
    decision = Decision("reject_always", feedback="no", attachments=[1])
    assert as_decision(decision) is decision
    assert (decision.is_allowed, decision.is_lasting, decision.attachments) == (False, True, (1,))
    assert (Decision("allow_once").is_allowed, Decision("allow_once").is_lasting) == (True, False)
    with pytest.raises(ValueError, match="the outcome of a decision is one of allow_once, allow_always, reject_once, "):
        Decision("allow")  # type: ignore[arg-type]
    for wrong in (5, "x", [["n", 1]], {1: 2}):  # such as it came in a request
        with pytest.raises(TypeError) as caught:
            Decision("allow_once", arguments=wrong)  # type: ignore[arg-type]
        assert str(caught.value) == (
            f"the arguments of a decision are an object, by the names of parameters, not {wrong!r}"
        )
    with pytest.raises(TypeError, match=r"^the feedback of a decision is a text, not 5$"):
        Decision("allow_once", feedback=5)  # type: ignore[arg-type]


def test_no_two_questions_have_the_same_id() -> None:
    first, second = ApprovalRequest(CALL, "[f]"), ApprovalRequest(CALL, "[f]")
    assert first == second
    assert first.approval_id != second.approval_id
    assert len(first.approval_id) == 16


async def test_an_answer_from_elsewhere() -> None:
    approvals = Approvals()
    presenter = Presenter(reply_of(call(n=1)), tools=[Log().tool()], ask=approvals.ask)
    shown = asyncio.create_task(present(presenter))
    while not approvals.pending:
        await asyncio.sleep(0)
    [(approval_id, request)] = approvals.pending.items()
    assert request.approval_id == approval_id
    with pytest.raises(ApprovalError, match="no question with the id 'other' is open"):
        approvals.answer("other", True)
    assert approvals.answer(approval_id, "allow_once") is request
    assert approvals.pending == {}
    with pytest.raises(ApprovalError):
        approvals.answer(approval_id, False)
    assert "result did 1" in await shown
    assert approvals.pending == {}
    with pytest.raises(KeyError, match=f"no question with the id '{approval_id}' is open"):
        approvals.answer(approval_id, True)


async def test_a_question_that_nobody_answers() -> None:
    approvals = Approvals(expires=0.001)
    presenter = Presenter(reply_of(call()), tools=[Log().tool()], ask=approvals.ask)
    assert "denied The call was denied. Nobody answered within 0.001 seconds." in (await present(presenter))
    assert approvals.pending == {}


async def test_all_questions_are_answered_when_the_person_has_gone() -> None:
    approvals = Approvals(expires=None)
    asked = [asyncio.create_task(approvals.ask(ApprovalRequest(CALL, "[f]"))) for _ in range(2)]
    await asyncio.sleep(0)
    approvals.answer(next(iter(approvals.pending)), True)
    approvals.reject_all("gone")
    assert await asyncio.gather(*asked) == [Decision("allow_once"), Decision("reject_once", feedback="gone")]
    approvals.reject_all()


async def test_a_question_is_closed_when_the_presenter_is_cancelled() -> None:
    approvals = Approvals()
    presenter = Presenter(reply_of(call()), tools=[Log().tool()], ask=approvals.ask)
    async for item in presenter:
        if isinstance(item, ToolLifecycle) and item.state == "approval_requested":
            await asyncio.sleep(0)
            presenter.cancel()
    assert approvals.pending == {}
    assert others() == set()


# -- lifecycle events --------------------------------------------------------------------------------------------------

LIVES = [
    ToolLifecycle("approval_requested", "a", "f", "c", "q", "[f]", "why", {"n": [1]}),
    ToolLifecycle("approved", "a", "f", approval_id="q", outcome="allow_once", arguments={}),
    ToolLifecycle("denied", "a", "f", message="no", outcome="reject_once"),
    ToolLifecycle("running", "a", "f"),
    ToolLifecycle("progress", "a", "f", message="half"),
    ToolLifecycle("result", "a", "f", content="done"),
    ToolLifecycle("result", "a", "f", content={"a": [1, None]}, is_error=True),
    ToolLifecycle("result", "a", "f", content=False),
    ToolLifecycle("skipped", "a", "f", message="no"),
]


@pytest.mark.parametrize("event", LIVES, ids=lambda event: event.state)
def test_a_lifecycle_event_is_read_back_from_json(event: ToolLifecycle) -> None:
    data = json.loads(json.dumps(event.to_dict()))
    VALID.validate(data)
    assert ToolLifecycle.from_dict(data) == event
    assert ToolLifecycle.from_dict(data).to_dict() == event.to_dict() == data


def test_the_wire_form_of_a_lifecycle_event() -> None:
    assert LIVES[3].to_dict() == {
        "type": "TOOL_LIFECYCLE",
        "state": "running",
        "invocation_id": "a",
        "name": "f",
    }
    assert [event.state for event in LIVES if event.is_last] == ["denied", "result", "result", "result", "skipped"]


@pytest.mark.parametrize(
    "change",
    [{"state": "ended"}, {"type": "X"}, {"x": 1}, {"message": None}, {"arguments": []}, {"name": 1}],
    ids=repr,
)
def test_what_is_no_lifecycle_event_is_refused(change: dict[str, Any]) -> None:
    data = {**LIVES[3].to_dict(), **change}
    with pytest.raises(ValueError, match=r"^not the wire form of ToolLifecycle: "):
        ToolLifecycle.from_dict(data)
    assert not VALID.is_valid(data)


def test_a_reader_of_events_reads_them_among_the_events() -> None:
    reader = EventReader()
    assert [reader.read(event.to_dict()) for event in LIVES] == LIVES


# -- the backlog -------------------------------------------------------------------------------------------------------


def test_pieces_of_one_segment_are_joined_and_nothing_is_reordered() -> None:
    backlog = Backlog()
    assert not backlog
    pieces = [SegmentContent("a", text) for text in "xyz"]
    other = SegmentContent("b", "-")
    for item in (SegmentStart("a", "text"), *pieces, other, *pieces[:2], SegmentEnd("a")):
        backlog.put(item)
    assert backlog
    taken = []
    while backlog:
        taken.append(backlog.take())
    assert taken == [
        *(SegmentStart("a", "text"), SegmentContent("a", "xyz"), other, SegmentContent("a", "xy"), SegmentEnd("a")),
    ]


def test_what_is_taken_early_is_whole_so_far() -> None:
    backlog = Backlog()
    backlog.put(SegmentContent("a", "x"))
    backlog.put(SegmentContent("a", "y"))
    assert backlog.take() == SegmentContent("a", "xy")
    backlog.put(SegmentContent("a", "z"))
    assert backlog.take() == SegmentContent("a", "z")


def test_a_full_backlog() -> None:
    backlog = Backlog()
    for _ in range(63):
        backlog.put(SegmentContent("a", "x"))
    assert not backlog.is_full
    backlog.put(SegmentContent("a", "x"))
    assert backlog.is_full
    backlog.take()
    assert not backlog.is_full


# -- schedules ---------------------------------------------------------------------------------------------------------


def steps(*waits: tuple[int, ...]) -> list[Step]:
    return [Step(CALL, one) for one in waits]


def test_steps_go_when_all_that_they_wait_for_are_done() -> None:
    schedule = Schedule(steps((), (0,), (), (1, 2, 2)))
    assert [schedule.next(), schedule.next(), schedule.next()] == [0, 2, None]
    assert schedule.undecided == 2
    assert schedule.end(2, is_ok=True) == []
    assert schedule.next() is None
    assert schedule.end(0, is_ok=True) == []
    assert [schedule.next(), schedule.next()] == [1, None]
    assert schedule.end(1, is_ok=True) == []
    assert [schedule.next(), schedule.undecided] == [3, 0]


def test_what_waits_for_a_failure_is_skipped_once() -> None:
    schedule = Schedule(steps((), (), (0, 1), (2,), ()))
    assert [schedule.next(), schedule.next(), schedule.next()] == [0, 1, 4]
    assert schedule.end(0, is_ok=False) == [(2, 0), (3, 2)]
    assert schedule.end(1, is_ok=False) == []
    assert schedule.end(4, is_ok=True) == []
    assert schedule.next() is None


def test_a_step_that_was_skipped_does_not_go_when_the_rest_is_done() -> None:
    schedule = Schedule(steps((), (), (0, 1)))
    schedule.next(), schedule.next()
    assert schedule.end(0, is_ok=False) == [(2, 0)]
    assert schedule.end(1, is_ok=True) == []
    assert schedule.next() is None


def test_plans_in_plans() -> None:
    inner = f"<parallel>{call(n=2)}{call(n=3)}</parallel>"
    [whole] = build_plans(plan(call(n=1), inner, "<parallel></parallel>", call(n=4), mode="sequential"))
    assert [(step.call.arguments["n"], step.waits_for, step.obstacle) for step in steps_of(whole)] == [
        *(("1", (), ""), ("2", (0,), ""), ("3", (0,), ""), ("4", (1, 2), "")),
    ]
    [cut] = build_plans(f'<multi_tool_use mode="parallel">{call(n=1)}{inner}<sequential>{call(n=4)}')
    assert {step.obstacle for step in steps_of(cut)} == {"its plan was cut off"}


# -- descriptions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("write_file", {"path": "src/a.py", "content": "x"}, "[write_file for 'src/a.py']"),
        ("run_bash", {"command": "make test"}, "[run_bash for 'make test']"),
        ("run_bash", {"command": "make", "cwd": "src"}, "[run_bash for 'make']"),
        ("move", {"source": "a", "destination": "b"}, "[move for 2 files]"),
        ("search", {"limit": 5, "query": "cats"}, "[search for 'cats']"),
        ("search", {"query": " ", "limit": 5}, "[search]"),
        ("f", {}, "[f]"),
        ("f", {"x": "a\nb\x1b[2K\u202e\u200b\ud800"}, "[f for 'a\\nb\\x1b[2K\\u202e\\u200b\\ud800']"),
        ("f\n", {"x": "a" * 100}, "[f\\n for '" + "a" * 80 + "…']"),
        ("patch_file", {"path": "a", "patch": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n"}, "[patch_file for 'a']"),
    ],
)
def test_a_call_in_one_line(name: str, arguments: dict[str, Any], line: str) -> None:
    assert describe(ToolInvocation("seg_1", name, arguments)) == line


def test_the_declaration_says_what_the_arguments_mean() -> None:
    spec = ToolSpec("save", kind="write_file", path="where", body="what")
    invocation = ToolInvocation("seg_1", "save", {"what": "x", "where": "a.py"})
    assert describe(invocation, spec) == "[save for 'a.py']"


# -- repetition --------------------------------------------------------------------------------------------------------


def verdicts(repetition: Repetition, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    return [repetition.judge(ToolInvocation("s", name, arguments)).verdict for name, arguments in calls]


A, B, C = ("a", {"n": 1}), ("b", {}), ("a", {"n": 2})


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([A] * 6, ["allow", "allow", "ask", "ask", "deny", "deny"]),
        ([A, B] * 5, [*["allow"] * 5, "ask", "ask", "ask", "ask", "deny"]),
        ([A, A, B, A, A, B], ["allow"] * 6),
        ([A, C] * 3, [*["allow"] * 5, "ask"]),
        ([A, A, C, A, A], ["allow"] * 5),
        ([A, B, C] * 4, ["allow"] * 12),
    ],
)
def test_equal_calls_in_a_row(calls: list[tuple[str, dict[str, Any]]], expected: list[str]) -> None:
    assert verdicts(Repetition(), *calls) == expected


def test_what_counts_and_how_often() -> None:
    first, second = ("a", {"n": 1, "why": "x"}), ("a", {"n": 1, "why": "y"})
    assert verdicts(Repetition(), first, second, first) == ["allow"] * 3
    assert verdicts(Repetition(ignore={"a": ["why"]}), first, second, first) == ["allow", "allow", "ask"]
    assert verdicts(Repetition(ignore={"*": ["why"]}), first, second, first) == ["allow", "allow", "ask"]
    assert verdicts(Repetition(ask_at=None, stop_at=None), *[A] * 20) == ["allow"] * 20
    assert verdicts(Repetition(ask_at=None, stop_at=2), A, A) == ["allow", "deny"]
    assert Repetition(ask_at=1).judge(CALL).reason == "it is the first time in a row that the model does the same"
    often = Repetition(ask_at=7, stop_at=None)
    reasons = [often.judge(CALL).reason for _ in range(7)]
    assert reasons[6] == "it is the 7th time in a row that the model does the same"


def test_when_a_person_has_spoken_nothing_counts() -> None:
    repetition = Repetition()
    assert verdicts(repetition, A, A) == ["allow", "allow"]
    repetition.reset()
    assert verdicts(repetition, A, A) == ["allow", "allow"]


# -- the guard of the stream -------------------------------------------------------------------------------------------


def guarded(text: str, size: int, kind: str = "text") -> int | None:
    """After how many characters the guard objects, if it does."""
    guard = LoopGuard()
    assert guard.feed(SegmentStart("a", kind)) is None
    for start in range(0, len(text), size):
        if guard.feed(SegmentContent("a", text[start : start + size], kind)):
            return start + size
    return None


@pytest.mark.parametrize("size", [1, 4, 33, 500])
def test_a_model_that_writes_the_same_again_and_again(size: int) -> None:
    words = "".join(f"{number} is a number, " for number in range(1_000))
    assert guarded(words, size) is None
    assert guarded("no. " * 1_000, size) is not None
    line = "A line that is a little longer than fifty characters, it is.\n"
    found = guarded(words[:2_000] + line * 40, size)
    assert found is not None
    assert found <= 2_000 + 11 * len(line) + 500
    assert guarded((line + words[:430]) * 30, size) is not None
    assert guarded(line * 40, size, "reasoning") is not None
    assert guarded(line * 40, size, "write_file") is None


def test_rules_of_dashes_may_be_longer() -> None:
    assert guarded("-" * 2_000, 4) is None
    assert guarded("-" * 6_000, 4) is not None


def test_each_segment_counts_for_itself() -> None:
    guard = LoopGuard()
    line = "A line that is a little longer than fifty characters, it is.\n"
    assert [guard.feed(SegmentContent(str(number), line, "text")) for number in range(20)] == [None] * 20


# -- waiting -----------------------------------------------------------------------------------------------------------


async def test_what_a_hook_gives() -> None:
    async def later() -> int:
        return 2

    assert await awaited(1) == 1
    assert await awaited(later()) == 2


async def test_whoever_waits_for_tasks_is_cancelled_when_they_are_done() -> None:
    go = asyncio.Event()

    async def work() -> None:
        await go.wait()

    task = asyncio.create_task(work())
    waiting = asyncio.create_task(all_done([task]))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    assert not waiting.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert task.done()
    await all_done([task])
