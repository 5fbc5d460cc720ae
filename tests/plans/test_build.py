"""From text and events to plans: ids, dependencies, cycles, order, nesting, what is cut off."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from streamparse import StreamingResponseHandler
from streamparse.events import SegmentStart
from streamparse.plans import PlanBuilder, PlanError, PlanProblem, ToolPlan, build_plans


def tool(name: str, *inner: str) -> str:
    return f'<tool name="{name}">{"".join(inner)}</tool>'


def tid(name: str) -> str:
    return f"<toolId>{name}</toolId>"


def on(*names: str) -> str:
    return "".join(f"<dependsOn>{name}</dependsOn>" for name in names)


def plan_of(*tools: str, mode: str = "parallel") -> str:
    return f'<multi_tool_use mode="{mode}">\n' + "\n".join(tools) + "\n</multi_tool_use>"


def only(text: str, **options: Any) -> ToolPlan:
    (plan,) = build_plans(text, **options)
    return plan


def edges(plan: ToolPlan) -> dict[str, tuple[str, ...]]:
    return {step.id: step.depends_on for step in plan.steps}


def batches(plan: ToolPlan) -> list[list[str]]:
    return [[step.id for step in batch] for batch in plan.order()]


def kinds(plan: ToolPlan) -> list[tuple[str, str | None]]:
    return [(problem.kind, problem.step) for problem in plan.problems]


def test_a_plan_has_its_steps_in_order() -> None:
    plan = only(plan_of(tool("fetch", tid("a"), "<url>u</url>"), tool("parse", tid("b"), on("a"))))
    assert (plan.id, plan.mode, plan.parent, plan.is_complete, plan.problems) == ("plan_1", "parallel", None, True, ())
    first, second = plan.steps
    assert (first.id, first.name, first.params, first.depends_on) == ("a", "fetch", {"url": "u"}, ())
    assert (second.id, second.name, second.params, second.depends_on) == ("b", "parse", {}, ("a",))
    assert first.is_complete
    assert first.invocation is not None
    assert first.invocation.id == "seg_2"
    assert batches(plan) == [["a"], ["b"]]


def test_steps_without_ids_are_called_after_their_place() -> None:
    plan = only(plan_of(tool("a"), tool("b", tid("step_3")), tool("c")))
    assert [step.id for step in plan.steps] == ["step_1", "step_3", "step_4"]
    assert batches(plan) == [["step_1", "step_3", "step_4"]]


def test_sequential_steps_wait_for_the_one_before() -> None:
    plan = only(plan_of(tool("a"), tool("b"), tool("c"), mode="sequential"))
    assert edges(plan) == {"step_1": (), "step_2": ("step_1",), "step_3": ("step_2",)}
    assert batches(plan) == [["step_1"], ["step_2"], ["step_3"]]


def test_a_sequential_step_that_names_others_waits_for_those_alone() -> None:
    plan = only(plan_of(tool("a", tid("a")), tool("b", tid("b")), tool("c", tid("c"), on("a")), mode="sequential"))
    assert edges(plan) == {"a": (), "b": ("a",), "c": ("a",)}


def test_dependencies_repeated_and_with_commas() -> None:
    plan = only(plan_of(tool("a", tid("a")), tool("b", tid("b")), tool("c", tid("c"), on("a , b", "a", ""))))
    assert edges(plan)["c"] == ("a", "b")
    assert plan.problems == ()


def test_a_dependency_may_come_later() -> None:
    plan = only(plan_of(tool("a", tid("a"), on("b")), tool("b", tid("b"))))
    assert batches(plan) == [["b"], ["a"]]


def test_a_tool_id_is_a_direct_child_only() -> None:
    plan = only(plan_of(tool("a", "<arg name='x'><arg name='toolId'>z</arg></arg>")))
    assert plan.steps[0].id == "step_1"
    assert plan.steps[0].params == {"x": {"toolId": "z"}}


def test_a_duplicate_id_is_renamed_and_reported() -> None:
    plan = only(plan_of(*(tool("t", tid("a")) for _ in range(3)), tool("t", tid("a-2")), tool("t", tid("b"), on("a"))))
    assert [step.id for step in plan.steps] == ["a", "a-3", "a-4", "a-2", "b"]
    assert plan.problems == (
        PlanProblem("duplicate_id", "the id 'a' is used twice: the second step is called 'a-3' now", "a-3"),
        PlanProblem("duplicate_id", "the id 'a' is used twice: the second step is called 'a-4' now", "a-4"),
    )
    assert edges(plan)["b"] == ("a",)


def test_an_unknown_dependency_is_dropped_and_reported() -> None:
    plan = only(plan_of(tool("a", tid("a"), on("x"))))
    message = "'a' depends on 'x', which is no step of this plan: dropped"
    assert plan.problems == (PlanProblem("unknown_dependency", message, "a"),)
    assert edges(plan) == {"a": ()}


def test_a_sequential_step_without_a_known_dependency_waits_for_the_one_before() -> None:
    plan = only(plan_of(tool("a", tid("a")), tool("b", tid("b"), on("x")), mode="sequential"))
    assert edges(plan) == {"a": (), "b": ("a",)}


CYCLES = {
    "self": ((tool("a", tid("a"), on("a")),), {"a": ()}, ("a", "a")),
    "two": ((tool("a", tid("a"), on("b")), tool("b", tid("b"), on("a"))), {"a": ("b",), "b": ()}, ("b", "a", "b")),
    "three": (
        (tool("a", tid("a"), on("b")), tool("b", tid("b"), on("c")), tool("c", tid("c"), on("a"))),
        {"a": ("b",), "b": ("c",), "c": ()},
        ("c", "a", "b", "c"),
    ),
}


@pytest.mark.parametrize("name", CYCLES)
def test_a_cycle_is_broken_where_it_closes(name: str) -> None:
    tools, wanted, path = CYCLES[name]
    plan = only(plan_of(*tools))
    assert edges(plan) == wanted
    last = path[0]
    message = f"{' -> '.join(path)} is a cycle: that {last!r} depends on {path[1]!r} is dropped"
    assert plan.problems == (PlanProblem("cycle", message, last, path),)


def test_a_step_is_not_chained_to_one_that_waits_for_it() -> None:
    plan = only(plan_of(tool("a", tid("a"), on("b")), tool("b", tid("b")), mode="sequential"))
    assert edges(plan) == {"a": ("b",), "b": ()}
    assert plan.problems == ()  # nobody wrote that b waits for a


def test_every_cycle_is_found() -> None:
    plan = only(plan_of(tool("a", tid("a"), on("b", "c")), tool("b", tid("b"), on("a")), tool("c", tid("c"), on("a"))))
    assert edges(plan) == {"a": ("b", "c"), "b": (), "c": ()}
    assert [problem.path for problem in plan.problems] == [("b", "a", "b"), ("c", "a", "c")]


def test_a_plan_in_a_plan_is_a_step() -> None:
    text = plan_of(tool("a"), "<sequential>" + tool("b", tid("x")) + tool("c", tid("y"), on("nope")) + "</sequential>")
    plan = only(text)
    outer, inner = plan.steps
    assert (inner.id, inner.name, inner.invocation, inner.is_complete) == ("plan_2", "", None, True)
    assert inner.plan is not None
    assert (inner.plan.parent, edges(inner.plan)) == ("plan_1", {"x": (), "y": ("x",)})
    assert plan.problems == ()
    assert kinds(inner.plan) == [("unknown_dependency", "y")]
    assert batches(plan) == [["step_1", "plan_2"]]
    assert outer.plan is None


def test_plans_that_were_cut_off_are_marked_and_keep_their_steps() -> None:
    plan = only('<parallel><tool name="a"></tool><sequential><tool name="b"></tool><tool name="c"><x>1')
    assert not plan.is_complete
    assert kinds(plan) == [("truncated", None)]
    first, inner = plan.steps
    assert first.is_complete
    assert not inner.is_complete
    assert inner.plan is not None
    assert kinds(inner.plan) == [("truncated", "step_2"), ("truncated", None)]
    assert [step.is_complete for step in inner.plan.steps] == [True, False]
    assert plan.problems[0].message == "plan_1 was cut off: its end did not come"


def test_a_plan_whose_outer_one_closes_was_cut_off() -> None:
    (plan,) = build_plans("<parallel><sequential>" + tool("a") + "</parallel>")
    assert plan.is_complete
    inner = plan.steps[0].plan
    assert inner is not None
    assert not inner.is_complete


def test_a_malformed_step_is_reported() -> None:
    plan = only(plan_of(tool("a", tid("a"), "<x>1</x><x>2</x>")))
    assert plan.problems == (PlanProblem("malformed", "the step 'step_1' is malformed: x is given twice", "step_1"),)


def test_several_plans_and_calls_outside() -> None:
    plans = build_plans(tool("z") + plan_of(tool("a")) + " and " + tool("y") + plan_of(tool("b"), mode="sequential"))
    assert [(plan.id, plan.mode, [step.name for step in plan.steps]) for plan in plans] == [
        ("plan_1", "parallel", ["a"]),
        ("plan_2", "sequential", ["b"]),
    ]


def test_json_plans() -> None:
    text = (
        '{"execution": {"mode": "sequential", "tools": ['
        '{"name": "f", "toolId": 1, "arguments": {"x": 1}},'
        ' {"name": "g", "arguments": {}, "dependsOn": ["1", null, {}], "toolId": "b"},'
        ' {"name": "h", "arguments": {}, "dependsOn": "1, b"}, {"name": "i", "arguments": {}, "dependsOn": null}]}}'
    )
    plan = only(text, format="json")
    assert edges(plan) == {"1": (), "b": ("1",), "step_3": ("1", "b"), "step_4": ("step_3",)}
    assert plan.steps[0].params == {"x": 1}


def test_a_json_step_that_was_cut_off() -> None:
    (plan,) = build_plans(
        '{"execution": {"mode": "parallel", "tools": [{"name": "f", "toolId": "a", "args": {"x": ', "json"
    )
    assert [(step.id, step.is_complete) for step in plan.steps] == [("a", False)]


def test_values_are_typed_by_the_tools() -> None:
    tools = [{"name": "a", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    assert only(plan_of(tool("a", "<n>5</n>", tid("i"))), tools=tools).steps[0].params == {"n": 5}


def test_from_events_of_a_handler_as_they_come() -> None:
    handler = StreamingResponseHandler("xml")
    builder = PlanBuilder()
    text = plan_of(tool("a")) + "x" + plan_of(tool("b"))
    done = [plan for event in [*handler.feed(text), *handler.finalize()] if (plan := builder.feed(event))]
    assert [plan.id for plan in done] == ["plan_1", "plan_2"]
    assert builder.plans == done
    assert build_plans(StreamingResponseHandler("xml").feed(text)) == done


def test_an_end_without_a_beginning_is_nothing() -> None:
    events = StreamingResponseHandler("xml").feed(plan_of(tool("a")))
    assert build_plans(events[2:]) == []


def test_strict_raises_with_all_problems() -> None:
    text = plan_of(tool("a", tid("a"), on("x")), "<sequential>" + tool("b", tid("b"), on("b")) + "</sequential>")
    with pytest.raises(PlanError) as caught:
        build_plans(text, strict=True)
    assert [problem.kind for problem in caught.value.problems] == ["cycle", "unknown_dependency"]
    assert "b -> b is a cycle" in str(caught.value)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.problems == caught.value.problems
    assert build_plans(plan_of(tool("a")), strict=True)[0].problems == ()


def test_plans_nest_to_any_depth() -> None:
    depth = 2_000
    (plan,) = build_plans("<parallel>" * depth + tool("a") + "</parallel>" * depth)
    for _ in range(depth - 1):
        inner = plan.steps[0].plan
        assert inner is not None
        plan = inner
    assert plan.steps[0].name == "a"


def test_a_call_whose_end_did_not_come_is_a_step() -> None:
    events = StreamingResponseHandler("xml").feed('<parallel><tool name="a"><x>1')
    (plan,) = build_plans(events)
    assert kinds(plan) == [("truncated", "step_1"), ("truncated", None)]


def test_two_ways_to_one_step_are_no_cycle() -> None:
    plan = only(
        plan_of(
            tool("d", tid("d"), on("b", "c")),
            tool("b", tid("b"), on("a")),
            tool("c", tid("c"), on("a")),
            tool("a", tid("a"), on("e")),
            tool("e", tid("e"), on("d")),
        )
    )
    assert batches(plan) == [["e"], ["a"], ["b", "c"], ["d"]]
    assert kinds(plan) == [("cycle", "e")]


def test_a_segment_of_that_type_that_is_no_edge_is_nobodys() -> None:
    assert build_plans([SegmentStart("a", "plan", {}), SegmentStart("b", "plan", {"edge": "end"})]) == []


def test_several_formats_and_what_is_no_text() -> None:
    (plan,) = build_plans(plan_of(tool("a")), ["json", "xml"])
    assert [step.name for step in plan.steps] == ["a"]
    with pytest.raises(TypeError, match="text or events, not bytes"):
        build_plans(b"<parallel>")  # type: ignore[arg-type]


def test_a_plan_that_broke_off_does_not_take_in_the_next() -> None:
    broken = '{"execution": {"mode": "parallel", "tools": [{"name": "f", "args": {}} oops. '
    whole = '{"execution": {"mode": "sequential", "tools": [{"name": "g", "args": {}}]}}'
    first, second = build_plans(broken + "Again: " + whole, "json")
    assert (first.is_complete, [step.name for step in first.steps]) == (False, ["f"])
    assert (second.is_complete, [step.name for step in second.steps]) == (True, ["g"])


def test_null_says_nothing_wherever_it_stands() -> None:
    step = '{"dependsOn": null, "toolId": null, "name": "g", "args": {}}'
    (plan,) = build_plans('{"execution": {"mode": "parallel", "tools": [' + step + "]}}", "json")
    assert [(step.id, step.name, step.depends_on) for step in plan.steps] == [("step_1", "g", ())]


def test_of_a_long_cycle_the_two_ends_are_told() -> None:
    size = 100
    tools = [tool("t", tid(f"s{number}"), on(f"s{(number + 1) % size}")) for number in range(size)]
    plan = only(plan_of(*tools))
    (problem,) = plan.problems
    assert problem.path == (
        "s99",
        *(f"s{number}" for number in range(8)),
        "…",
        *(f"s{number}" for number in range(92, 100)),
    )
    assert len(plan.order()) == size


def test_a_chain_leaves_room_for_what_must_come_later() -> None:
    plan = only(plan_of(tool("a", tid("a"), on("d")), *(tool(n, tid(n)) for n in "bcd"), mode="sequential"))
    assert edges(plan) == {"a": ("d",), "b": (), "c": ("b",), "d": ("c",)}
    assert plan.problems == ()
