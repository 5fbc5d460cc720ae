"""The presenter: what it gives, in which order, and what becomes of calls."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from streamparse import BaseState, ParserStateError, Reply, StateContractError, ToolSpec, ToolStateRegistry
from streamparse.invocations import ToolInvocation
from streamparse.presenter import (
    ApprovalRequest,
    Decision,
    LoopGuard,
    Presenter,
    Repetition,
    Rules,
    Tool,
    ToolContext,
    ToolLifecycle,
    ToolResult,
)
from streamparse.presenter.rules import Verdict
from tests.presenter.kit import ALLOW, Log, Source, call, collect, others, plan, present, reply_of, short, story

TEXT = ["Hi. ", "How ", "are you?"]


async def test_without_tools_it_is_a_loop_over_the_reply() -> None:
    presenter = Presenter(reply_of("Hi. ", call("f", x=1)))
    assert await present(presenter) == [
        *("<text", "Hi. ", ">", "<tool_call", "<x>1</x>", ">", "call f", "end unknown"),
    ]
    assert presenter.results == {}
    assert others() == set()


async def test_a_call_is_run_and_what_stands_behind_it_waits() -> None:
    log = Log()
    reply = reply_of("a", call(), "b")
    presenter = Presenter(reply, tools=[log.tool()], rules=ALLOW)
    assert await present(presenter) == [
        *("<text", "a", ">", "<tool_call", ">", "call f", "running", "result did f", "<text", "b", ">", "end unknown"),
    ]
    assert presenter.results == {"seg_2": ToolResult("did f")}
    assert reply.messages("openai", presenter.results)[-1]["content"] == "did f"
    assert presenter.stopped is None


async def test_parallel_calls_run_beside_each_other_and_beside_what_is_shown() -> None:
    both = asyncio.Barrier(2)

    async def meet() -> str:
        await both.wait()
        return "met"

    presenter = Presenter(reply_of(call("meet"), call("meet"), "b"), tools=[meet], rules=ALLOW, calls="parallel")
    shown = await present(presenter)
    assert shown.count("result met") == 2
    assert shown.index("running") < shown.index("b")
    assert shown[-1] == "end unknown"


async def test_one_call_of_a_message() -> None:
    log = Log()
    broken = '<tool name="f"><n>3'
    presenter = Presenter(reply_of(call(n=1), call(n=2), broken), tools=[log.tool()], rules=ALLOW, calls="one")
    await present(presenter)
    assert log.ended == ["1"]
    assert [result.content for result in presenter.results.values()] == [
        "did 1",
        "The call was not run: only one call of a message is.",
        "The call was not run: the call of f is truncated: the call was cut off before its end.",
    ]


async def test_a_mode_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="calls must be 'one', 'sequential' or 'parallel', not 'two'"):
        Presenter(reply_of(), calls="two")  # type: ignore[arg-type]


async def test_it_is_iterated_over_once() -> None:
    presenter = Presenter(reply_of())
    await present(presenter)
    with pytest.raises(ParserStateError, match="a presenter is iterated over once"):
        aiter(presenter)


# -- what may not run --------------------------------------------------------------------------------------------------


async def test_calls_that_may_not_run_are_told_why() -> None:
    log = Log()
    tool = log.tool(schema={"type": "object", "required": ["n"]})
    text = [call("g"), call("f"), '<tool name="f"><n>1']
    presenter = Presenter(reply_of(*text), tools=[tool], rules=ALLOW)
    shown = await present(presenter)
    assert [one for one in shown if one.startswith("skipped")] == [
        "skipped The call was not run: there is no tool 'g'.",
        "skipped The call was not run: the arguments of f do not fit: n is missing.",
        "skipped The call was not run: the call of f is truncated: the call was cut off before its end.",
    ]
    assert [result.is_error for result in presenter.results.values()] == [True] * 3
    assert log.begun == []


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_check_of_the_program(is_async: bool) -> None:
    def check(invocation: ToolInvocation) -> str | None:
        return "the moon is not right." if invocation.arguments == {"n": "1"} else None

    async def acheck(invocation: ToolInvocation) -> str | None:
        await asyncio.sleep(0)
        return check(invocation)

    log = Log()
    presenter = Presenter(
        reply_of(call(n=1), call(n=2)), tools=[log.tool()], rules=ALLOW, check=acheck if is_async else check
    )
    await present(presenter)
    assert log.ended == ["2"]
    assert presenter.results["seg_1"] == ToolResult("The call was not run: the moon is not right.", is_error=True)


async def test_nothing_runs_behind_a_denial() -> None:
    log = Log()
    tools = [log.tool("f"), log.tool("g")]
    rules = Rules({"*": "allow", "g": "deny"})
    presenter = Presenter(reply_of(call("f"), call("g"), call("f"), call("h")), tools=tools, rules=rules)
    await present(presenter)
    assert log.ended == ["f"]
    assert [result.content for result in presenter.results.values()] == [
        "did f",
        "The call was denied: the rule `g` says so.",
        "The call was not run, because g was denied before it.",
        "The call was not run: there is no tool 'h'.",
    ]


async def test_whom_nobody_can_ask_is_denied() -> None:
    presenter = Presenter(reply_of(call()), tools=[Log().tool()])
    assert "denied The call was denied: no rule allows it, so it needs a consent, and nobody can be asked." in (
        await present(presenter)
    )


async def test_a_call_in_code_is_asked_about() -> None:
    asked: list[ApprovalRequest] = []

    def ask(request: ApprovalRequest) -> bool:
        asked.append(request)
        return True

    text = f"```xml\n{call()}\n```\n"
    presenter = Presenter(Reply([text], "json"), tools=[Log().tool()], rules=ALLOW, ask=ask)
    await present(presenter)
    assert asked == []
    fenced = '```json\n{"name": "f", "arguments": {}}\n```\n'
    await present(Presenter(Reply([fenced], "json", tools=[ToolSpec("f")]), tools=[Log().tool()], rules=ALLOW, ask=ask))
    assert [request.reason for request in asked] == ["it stands in Markdown code, where examples stand as well"]


# -- questions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_question_and_its_answer(is_async: bool) -> None:
    asked: list[ApprovalRequest] = []

    def ask(request: ApprovalRequest) -> Decision:
        asked.append(request)
        return Decision("allow_once", feedback="be quick", attachments=["picture"])

    async def aask(request: ApprovalRequest) -> Decision:
        await asyncio.sleep(0)
        return ask(request)

    presenter = Presenter(reply_of(call(n=1)), tools=[Log().tool()], ask=aask if is_async else ask)
    items = [item async for item in presenter]
    [requested, approved, running, result] = [item for item in items if isinstance(item, ToolLifecycle)]
    [request] = asked
    assert (request.invocation.arguments, request.description, request.is_partial) == ({"n": "1"}, "[f for '1']", False)
    assert requested == ToolLifecycle(
        "approval_requested",
        "seg_1",
        "f",
        approval_id=request.approval_id,
        message="[f for '1']",
        reason="no rule allows it",
        arguments={"n": "1"},
    )
    assert approved == ToolLifecycle(
        "approved", "seg_1", "f", approval_id=request.approval_id, message="be quick", outcome="allow_once"
    )
    assert running == ToolLifecycle("running", "seg_1", "f")
    assert result == ToolLifecycle("result", "seg_1", "f", content="did 1\n\nThe person says: be quick")
    assert presenter.attachments == ["picture"]


async def test_a_denial_by_a_person() -> None:
    presenter = Presenter(
        reply_of(call(), call()),
        tools=[Log().tool()],
        ask=lambda _: Decision("reject_once", feedback="use g", attachments=["a"]),
    )
    shown = await present(presenter)
    assert "denied The person denied the call. use g reject_once" in shown
    assert "skipped The call was not run, because f was denied before it." in shown
    assert presenter.attachments == ["a"]
    presenter = Presenter(reply_of(call()), tools=[Log().tool()], ask=lambda _: False)
    assert "denied The person denied the call. reject_once" in await present(presenter)


async def test_whatever_ends_a_question_names_it() -> None:
    decisions = iter([Decision("allow_once", arguments={"n": 1}), Decision("reject_once")])
    asked: list[ApprovalRequest] = []

    def ask(request: ApprovalRequest) -> Decision:
        asked.append(request)
        return next(decisions)

    tool = Log().tool(schema={"type": "object", "properties": {"n": {"type": "string"}}})
    items = [item async for item in Presenter(reply_of(call(n=1), call(n=2), call(n=3)), tools=[tool], ask=ask)]
    ends = [item for item in items if isinstance(item, ToolLifecycle) and item.state in ("denied", "skipped")]
    assert [(end.state, end.approval_id) for end in ends] == [
        ("skipped", asked[0].approval_id),
        ("denied", asked[1].approval_id),
        ("skipped", None),
    ]


async def test_edited_arguments_are_run_instead() -> None:
    log = Log()
    decision = Decision("allow_once", arguments={"n": "2"})
    presenter = Presenter(reply_of(call(n=1)), tools=[log.tool()], ask=lambda _: decision)
    items = [item async for item in presenter]
    assert log.ended == ["2"]
    [approved] = [item for item in items if isinstance(item, ToolLifecycle) and item.state == "approved"]
    assert approved.arguments == {"n": "2"}


async def test_edited_arguments_are_checked_and_a_denial_is_heard() -> None:
    log = Log()
    tool = log.tool(schema={"type": "object", "required": ["path"]})
    rules = Rules({"f": {"*.lock": "deny", "**/.env": "ask"}})
    answers = iter([{"x": "1"}, {"path": ".env"}, {"path": "a.lock"}])
    asked: list[str] = []

    def ask(request: ApprovalRequest) -> Decision:
        asked.append(request.reason)
        return Decision("allow_once", arguments=next(answers), attachments=["a"])

    presenter = Presenter(
        reply_of(*[call(path=name) for name in "abcd"]), tools=[tool], rules=rules, ask=ask, repetition=Repetition()
    )
    await present(presenter)
    assert [result.content for result in presenter.results.values()] == [
        "The call was not run: the arguments of f do not fit: path is missing.",
        "did f",
        "The call was denied: the rule `f *.lock` says so.",
        "The call was not run, because f was denied before it.",
    ]
    assert len(asked) == 3
    assert presenter.attachments == ["a"] * 3


async def test_always_holds_for_what_was_edited_not_for_what_was_asked() -> None:
    rules = Rules()
    tool = Tool.of(lambda command: command, name="run_bash")
    decision = Decision("allow_always", arguments={"command": "ls"})
    presenter = Presenter(reply_of("<run_bash>rm -r /</run_bash>"), tools=[tool], rules=rules, ask=lambda _: decision)
    await present(presenter)
    assert [str(rule) for rule in rules.rules] == ["run_bash ls"]


async def test_always_is_remembered() -> None:
    rules = Rules()
    answers = iter(["allow_always", "reject_always"])
    tools = [Log().tool("f"), Log().tool("g")]
    presenter = Presenter(
        reply_of(call("f"), call("f"), call("g")), tools=tools, rules=rules, ask=lambda _: next(answers)
    )
    shown = await present(presenter)
    assert shown.count("approval_requested [f]") == 1
    assert [(rule.verdict, str(rule)) for rule in rules.rules] == [("allow", "f"), ("deny", "g")]


async def test_the_reply_is_read_on_while_a_question_waits() -> None:
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    source = Source([call(), *(f"word {number} " for number in range(500))])

    async def ask(_: ApprovalRequest) -> bool:
        return await answer

    presenter = Presenter(Reply(source, "xml"), tools=[Log().tool()], ask=ask)
    shown: list[str] = []
    async for item in presenter:
        shown.append(short(item))
        if shown[-1].startswith("approval_requested"):
            while not source.is_read:
                await asyncio.sleep(0)
            answer.set_result(True)
    text = "".join(f"word {number} " for number in range(500))
    assert shown[-7:] == ["approved allow_once", "running", "result did f", "<text", text, ">", "end unknown"]


async def test_a_consumer_that_is_slow_holds_the_reply_up() -> None:
    source = Source(["a"] * 1_000)
    async with Presenter(Reply(source, "xml")) as presenter:
        async for _ in presenter:
            for _ in range(200):
                await asyncio.sleep(0)
            assert source.given < 100
            break
    assert source.is_closed
    assert others() == set()


# -- what is shown while it is written ---------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_call_is_shown_while_it_is_written(is_async: bool) -> None:
    seen: list[tuple[str, dict[str, Any]]] = []

    def preview(request: ApprovalRequest) -> None:
        assert request.is_partial
        assert request.invocation.status == "truncated"
        seen.append((request.description, request.invocation.arguments))

    async def apreview(request: ApprovalRequest) -> None:
        await asyncio.sleep(0)
        preview(request)

    chunks = ["a ", '<write_file path="a.py">', "x = 1\n", "y = 2\n", "</write_file>", "b", "</x>"]
    presenter = Presenter(reply_of(*chunks), preview=apreview if is_async else preview)
    shown = await present(presenter)
    assert shown[-1] == "end unknown"
    assert seen[0] == ("[write_file for 'a.py']", {"path": "a.py"} | seen[0][1])
    assert seen[-1][1]["content"] in ("x = 1\n", "x = 1\ny = 2\n")
    contents = [arguments.get("content", "") for _, arguments in seen]
    assert contents == sorted(contents, key=len)


async def test_what_comes_while_a_preview_is_busy_comes_in_one_piece() -> None:
    source = Source(['<write_file path="a">', *(f"{number}\n" for number in range(20)), "</write_file>"])

    async def preview(_: ApprovalRequest) -> None:
        for _ in range(100):
            await asyncio.sleep(0)

    items = [item async for item in Presenter(Reply(source, "xml"), preview=preview)]
    assert story(items) == [("write_file", "".join(f"{number}\n" for number in range(20)), "complete")]
    assert len(items) == 5  # START, CONTENT, END, the call, the end


# -- hooks that raise --------------------------------------------------------------------------------------------------


class HookError(Exception):
    """What a hook raises."""


def failing(*_: object) -> Any:
    raise HookError


async def afailing(*_: object) -> Any:
    await asyncio.sleep(0)
    raise HookError


class FailingGuard(LoopGuard):
    feed = failing  # type: ignore[assignment]


HOOKS: list[dict[str, Any]] = [
    *({"ask": hook} for hook in (failing, afailing)),
    *({"check": hook} for hook in (failing, afailing)),
    *({"preview": hook, "rules": ALLOW} for hook in (failing, afailing)),
    *({"before_change": hook, "rules": ALLOW} for hook in (failing, afailing)),
    {"guard": FailingGuard(), "rules": ALLOW},
]


@pytest.mark.parametrize("hooks", HOOKS, ids=lambda hooks: " ".join(hooks))
@pytest.mark.parametrize("mode", ["sequential", "parallel"])
async def test_what_a_hook_raises_is_raised_when_every_call_has_its_result(hooks: dict[str, Any], mode: Any) -> None:
    log = Log()
    source = Source(["a ", '<tool name="f">', "<n>1</n>", "</tool>", call(), *["c"] * 20])
    reply = Reply(source, "xml")
    presenter = Presenter(reply, tools=[log.tool()], calls=mode, **hooks)
    items: list[object] = []
    with pytest.raises(HookError):
        await collect(presenter, items)
    assert short(items[-1]) == "end cancelled"
    assert presenter.results.keys() == {invocation.id for invocation in reply.calls}
    assert {result.content for result in presenter.results.values()} <= {"The call was not run. The program failed."}
    assert log.begun == []
    assert story(items) == [(one.type, one.content, one.status) for one in reply.segments]
    assert source.is_closed
    assert others() == set()


@pytest.mark.parametrize("answer", [None, 1, "yes", {"outcome": "allow_once"}])
async def test_an_answer_that_is_none(answer: Any) -> None:
    presenter = Presenter(reply_of(call()), tools=[Log().tool()], ask=lambda _: answer)
    with pytest.raises(TypeError, match="the answer is a Decision, the name of an outcome, True or False, not"):
        await present(presenter)


async def test_a_check_that_gives_something_else() -> None:
    presenter = Presenter(reply_of(call()), tools=[Log().tool()], check=lambda _: False)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match=r"check\(\) gives a sentence or None, not False"):
        await present(presenter)


async def test_a_hook_that_somebody_cancels_has_failed() -> None:
    async def ask(_: ApprovalRequest) -> bool:
        raise asyncio.CancelledError

    presenter = Presenter(reply_of(call(), call()), tools=[Log().tool()], ask=ask)
    with pytest.raises(RuntimeError, match="a hook of the presenter was cancelled"):
        await present(presenter)
    assert len(presenter.results) == 2


async def test_a_stream_that_fails_is_told_at_the_end_and_its_calls_are_run() -> None:
    class Broken(Source):
        async def _wait(self) -> None:
            if self.is_read:
                raise ConnectionError("gone")

    log = Log()
    presenter = Presenter(Reply(Broken([call(), "b"]), "xml"), tools=[log.tool()], rules=ALLOW)
    items: list[object] = []
    with pytest.raises(ConnectionError):
        await collect(presenter, items)
    assert log.ended == ["f"]
    assert [short(item) for item in items[-4:]] == ["<text", "b", "truncated>", "end error"]


async def test_a_state_that_fails_leaves_no_end_to_tell() -> None:
    class Broken(BaseState):
        segment_type = "broken"

        def run(self) -> Any:
            self.context.emitter.emit_end()

        def finalize(self) -> None:
            """Nothing comes that far."""

    registry = ToolStateRegistry()
    registry.register("broken", Broken, bare=True)
    source = Source([call(), "<broken>"])
    presenter = Presenter(Reply(source, "xml", registry=registry), tools=[Log().tool()], rules=ALLOW)
    items: list[object] = []
    with pytest.raises(StateContractError):
        await collect(presenter, items)
    assert [short(item) for item in items] == ["<tool_call", ">", "call f", "running", "result did f"]
    assert source.is_closed


async def test_before_the_first_change_a_hook_is_called_once() -> None:
    seen: list[object] = []
    tools = [Log().tool("f"), Log().tool("look", is_read_only=True)]
    presenter = Presenter(
        reply_of(call("look"), call(n=1), call(n=2)),
        tools=tools,
        rules=Rules({"f": "allow"}, read_only="allow"),
        before_change=lambda invocation: seen.append(invocation.arguments),
    )
    await present(presenter)
    assert seen == [{"n": "1"}]


# -- stopping ----------------------------------------------------------------------------------------------------------


async def test_it_is_stopped_while_a_tool_runs() -> None:
    async def forever() -> None:
        await asyncio.Event().wait()

    reply = reply_of("a", call("forever"), call("forever"), "b")
    presenter = Presenter(reply, tools=[forever], rules=ALLOW)
    shown = []
    async for item in presenter:
        shown.append(short(item))
        if shown[-1] == "running":
            presenter.cancel("The person left.")
            presenter.cancel("Again.")
    assert presenter.stopped == "The person left."
    assert "result The call was stopped while it ran. The person left." in shown
    assert "end cancelled" in shown
    assert presenter.results.keys() == {invocation.id for invocation in reply.calls}


async def test_it_is_stopped_while_it_waits_for_the_reply() -> None:
    class Hanging(Source):
        async def _wait(self) -> None:
            if self.given == 2 and not self.is_stopping:
                await asyncio.Event().wait()

        is_stopping = False

        async def aclose(self) -> None:
            self.is_stopping = True
            await super().aclose()

    source = Hanging(["a", '<write_file path="x">y', "z"])
    presenter = Presenter(Reply(source, "xml"), tools=[Log().tool()])
    asyncio.get_running_loop().call_later(0.01, presenter.cancel)
    assert await present(presenter) == [
        *("<text", "a", ">", "<write_file", "y", "truncated>", "call write_file"),
        *("skipped The call was not run. The reply was stopped.", "end cancelled"),
    ]
    assert source.is_closed


async def test_a_model_that_repeats_itself_is_stopped() -> None:
    line = "This is the same line, and it comes again and again.\n"
    source = Source([line] * 100)
    presenter = Presenter(Reply(source, "xml"), guard=LoopGuard())
    shown = await present(presenter)
    assert presenter.stopped == "The reply repeats itself."
    assert shown[-2:] == ["truncated>", "end cancelled"]
    assert source.given < 20
    assert source.is_closed


async def test_a_call_that_somebody_else_cancels_has_failed() -> None:
    async def cancel_all() -> None:
        for task in others():
            if task.get_coro().__qualname__ == "Settling._run":  # type: ignore[union-attr]
                task.cancel()
        await asyncio.Event().wait()

    log = Log()
    presenter = Presenter(reply_of(call("cancel_all") + call()), tools=[cancel_all, log.tool()], rules=ALLOW)
    await present(presenter)
    assert [result.content for result in presenter.results.values()] == [
        "The call was stopped while it ran. The reply was stopped.",
        "did f",
    ]


async def test_a_result_that_cannot_be_looked_at_ends_the_reply() -> None:
    class Odd(str):
        def __len__(self) -> int:
            return -1

    presenter = Presenter(reply_of(call() + call()), tools={"f": lambda: Odd("x")}, rules=ALLOW)
    with pytest.raises(ValueError, match="__len__"):
        await present(presenter)
    assert [result.content for result in presenter.results.values()] == [
        "The call was stopped while it ran. The reply was stopped.",
        "The call was not run. The program failed.",
    ]


async def test_to_stop_what_is_over_says_nothing() -> None:
    presenter = Presenter(reply_of("a"))
    async for item in presenter:
        if short(item) == "end unknown":
            presenter.cancel()
    presenter.cancel()
    assert presenter.stopped is None


async def test_it_is_stopped_before_it_begins() -> None:
    source = Source([call()])
    presenter = Presenter(Reply(source, "xml"), tools=[Log().tool()])
    presenter.cancel()
    assert await present(presenter) == ["end cancelled"]
    assert (source.given, source.is_closed) == (0, True)


@pytest.mark.parametrize("is_iterated", [False, True])
async def test_it_is_closed_before_it_begins(is_iterated: bool) -> None:
    source = Source([call()])
    presenter = Presenter(Reply(source, "xml"), tools=[Log().tool()])
    if is_iterated:
        aiter(presenter)
    await presenter.aclose()
    assert (source.given, source.is_closed) == (0, True)
    await presenter.aclose()
    assert others() == set()


# -- plans -------------------------------------------------------------------------------------------------------------


async def test_a_plan_runs_as_its_graph_says() -> None:
    log = Log()
    text = plan(call(toolId="a", n="a", dependsOn="c"), call(toolId="b", n="b"), call(toolId="c", n="c", dependsOn="b"))
    presenter = Presenter(reply_of(text), tools=[log.tool()], rules=ALLOW)
    shown = await present(presenter)
    assert log.ended == ["b", "c", "a"]
    assert shown[-1] == "end unknown"


async def test_what_depends_on_a_failure_is_skipped() -> None:
    log = Log()
    text = plan(
        call(toolId="a", n="a", fail=1),
        call(toolId="b", n="b", dependsOn="a"),
        call(toolId="c", n="c", dependsOn="b"),
        call(n="d"),
    )
    presenter = Presenter(reply_of(text), tools=[log.tool()], rules=ALLOW)
    await present(presenter)
    assert log.ended == ["d"]
    assert [result.content for _, result in sorted(presenter.results.items())] == [
        "ValueError: it failed",
        "The call was not run, because it depends on a, which did not succeed.",
        "The call was not run, because it depends on b, which did not succeed.",
        "did d",
    ]


@pytest.mark.parametrize("rules", [{"f": "allow"}, {"f": "allow", "g": "deny"}])
async def test_what_was_allowed_before_a_denial_has_begun_before_it(rules: dict[str, Verdict]) -> None:
    log = Log()
    begun: list[str] = []

    def reject(request: ApprovalRequest) -> bool:
        begun.extend(log.begun)
        return False

    text = plan(call(n=1), call(n=2), call("g", n=3), call(n=4))
    presenter = Presenter(reply_of(text), tools=[log.tool(), log.tool("g")], rules=Rules(rules), ask=reject)
    async for item in presenter:
        if isinstance(item, ToolLifecycle) and item.state == "denied":
            begun = begun or list(log.begun)
    assert begun == log.begun == ["1", "2"]


async def test_who_waits_for_what_never_comes_does_not_run() -> None:
    """Least of all at once: what is misspelt may be the copy that is made before something is removed."""
    log = Log()
    text = plan(
        call(toolId="a", n="a"),
        call(toolId="b", n="b", dependsOn="aa"),
        call(toolId="c", n="c", dependsOn="d"),
        call(toolId="d", n="d", dependsOn="c"),
        call(toolId="e", n="e", dependsOn="b"),
        call(toolId="f", n="f", dependsOn="f"),
    )
    presenter = Presenter(reply_of(text), tools=[log.tool()], rules=ALLOW)
    await present(presenter)
    assert log.begun == ["a"]
    assert [result.content for _, result in sorted(presenter.results.items())] == [
        "did a",
        "The call was not run, because 'b' depends on 'aa', which is no step of this plan.",
        "The call was not run, because it depends on d, which did not succeed.",
        "The call was not run, because d -> c -> d is a cycle.",
        "The call was not run, because it depends on b, which did not succeed.",
        "The call was not run, because f -> f is a cycle.",
    ]


async def test_a_plan_that_was_cut_off_does_not_run() -> None:
    log = Log()
    inner = f"<sequential>{call(n=2)}</sequential>"
    text = f'<multi_tool_use mode="parallel">{call(n=1)}{inner}<text'
    presenter = Presenter(reply_of(text), tools=[log.tool()], rules=ALLOW)
    shown = await present(presenter)
    assert log.begun == []
    assert shown.count("skipped The call was not run, because its plan was cut off.") == 2
    assert shown[-1] == "end unknown"


async def test_a_plan_in_mode_one_is_one_call() -> None:
    log = Log()
    presenter = Presenter(reply_of(plan(call(n=1), call(n=2)), call(n=3)), tools=[log.tool()], rules=ALLOW, calls="one")
    await present(presenter)
    assert sorted(log.ended) == ["1", "2"]


async def test_a_plan_is_stopped() -> None:
    async def forever(n: str) -> None:
        await asyncio.Event().wait()

    text = plan(call("forever", toolId="a", n=1), call("forever", n=2, dependsOn="a"), call("forever", n=3), call("x"))
    reply = reply_of(text, "b")
    presenter = Presenter(reply, tools=[forever], rules=ALLOW)
    shown = []
    async for item in presenter:
        shown.append(short(item))
        if shown.count("running") == 2:
            presenter.cancel()
    assert shown.count("result The call was stopped while it ran. The reply was stopped.") == 2
    assert shown.count("skipped The call was not run. The reply was stopped.") == 1
    assert len(presenter.results) == len(reply.calls) == 4
    assert others() == set()


# -- tools -------------------------------------------------------------------------------------------------------------


async def test_progress_comes_before_the_result() -> None:
    async def work(context: ToolContext) -> str:
        context.progress("half")
        return "done"

    def work_in_thread(context: ToolContext) -> str:
        context.progress("half")
        return "done"

    for tool in (work, work_in_thread):
        presenter = Presenter(reply_of(call(tool.__name__)), tools=[tool], rules=ALLOW)
        assert (await present(presenter))[-4:] == ["running", "progress half", "result done", "end unknown"]


async def test_the_fifth_equal_call_is_denied() -> None:
    log, asked = Log(), []

    def ask(request: ApprovalRequest) -> bool:
        asked.append(request.reason)
        return True

    presenter = Presenter(reply_of(*[call()] * 6), tools=[log.tool()], rules=ALLOW, ask=ask)
    await present(presenter)
    assert asked == [f"it is the {word} time in a row that the model does the same" for word in ("third", "fourth")]
    assert log.ended == ["f"] * 4
    assert [result.content for result in presenter.results.values()][4:] == [
        "The call was denied: it is the fifth time in a row that the model does the same, "
        "and the result will not be another one.",
        "The call was not run, because f was denied before it.",
    ]


async def test_native_calls_are_run_as_well() -> None:
    function = {"name": "f", "arguments": '{"n": 1}'}
    chunks: list[object] = [
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c1", "function": function}]}}]},
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    ]
    reply = Reply(chunks)
    presenter = Presenter(reply, tools=[Log().tool()], rules=ALLOW)
    items = [item async for item in presenter]
    assert [item.call_id for item in items if isinstance(item, ToolLifecycle)] == ["c1", "c1"]
    assert reply.messages("openai", presenter.results)[-1] == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": "did 1",
    }
