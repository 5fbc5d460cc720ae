"""Any graph of steps: the order respects every edge that is kept, no cycle survives, no edge is lost unseen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from streamparse.plans import build_plans

NAMES = st.sampled_from([f"t{number}" for number in range(8)] + ["ghost"])
STEPS = st.lists(
    st.tuples(st.sampled_from([f"t{n}" for n in range(8)] + [""]), st.lists(NAMES, max_size=4)), max_size=9
)


@given(STEPS, st.sampled_from(["parallel", "sequential"]))
def test_plans_have_no_cycles_and_lose_no_edge(steps: list[tuple[str, list[str]]], mode: str) -> None:
    tools = []
    for step_id, names in steps:
        own = f"<toolId>{step_id}</toolId>" if step_id else ""
        tools.append(f'<tool name="f">{own}{"".join(f"<dependsOn>{name}</dependsOn>" for name in names)}</tool>')
    text = f'<multi_tool_use mode="{mode}">' + "\n".join(tools) + "</multi_tool_use>"
    plans = build_plans(text)
    if not steps:
        assert plans == []
        return
    (plan,) = plans
    assert len(plan.steps) == len(steps)
    assert len({step.id for step in plan.steps}) == len(steps)
    done: set[str] = set()
    for batch in plan.order():
        assert all(set(step.depends_on) <= done for step in batch)
        done |= {step.id for step in batch}
    assert done == {step.id for step in plan.steps}
    kept = {(step.id, name) for step in plan.steps for name in step.depends_on}
    dropped = [problem for problem in plan.problems if problem.kind in ("cycle", "unknown_dependency")]
    asked = {(step.id, name) for step, (_, names) in zip(plan.steps, steps, strict=True) for name in names}
    chained = {(step.id, before.id) for before, step in zip(plan.steps, plan.steps[1:], strict=False)}
    lost = {(problem.step, problem.path[1]) for problem in dropped if problem.kind == "cycle"}
    unknown = {(step, name) for step, name in asked if name not in {step.id for step in plan.steps}}
    assert len([problem for problem in dropped if problem.kind == "unknown_dependency"]) == len(unknown)
    # In a sequential plan, a step with no edge of its own that is kept is chained to the one before it, or comes first.
    alone = {step.id for step in plan.steps} - {step for step, _ in kept & asked}
    made = {(step, before) for step, before in chained if step in alone} if mode == "sequential" else set()
    assert kept | lost | unknown == asked | (made & kept)
    assert not kept & lost
    places = {step.id: place for place, batch in enumerate(plan.order()) for step in batch}
    assert all(places[step] <= places[before] for step, before in made - kept)
    for problem in dropped:
        if problem.kind == "cycle":
            assert problem.path[0] == problem.path[-1] == problem.step
            way = list(zip(problem.path[1:], problem.path[2:], strict=False))
            assert set(way) <= kept
