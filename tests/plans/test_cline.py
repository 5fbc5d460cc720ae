"""Plans of the cline formats: what a call says of its place is read beside its parameters, in plans only."""

from __future__ import annotations

import pytest

from streamparse import StreamingResponseHandler
from streamparse.plans import build_plans
from streamparse.testing import assert_chunk_invariant, segments
from tests.plans.test_segments import END, START, call, text

READ = "<read_file><toolId>a</toolId><path>x.py</path><dependsOn>w</dependsOn><dependsOn>c, d</dependsOn></read_file>"
WRITE = (
    "<write_to_file>\n<path>b</path>\n<content>\nhi\n</content>\n<toolId>w</toolId><dependsOn>c</dependsOn>"
    "<dependsOn>d</dependsOn>\n</write_to_file>"
)
RUN = "<execute_command><toolId>c</toolId><command>ls</command></execute_command>"
PLAN = f'Go:\n<multi_tool_use mode="parallel">\n{READ}\n{WRITE}\n{RUN}\n</multi_tool_use>\nok'


@pytest.mark.parametrize("format", ["cline", "roo"])
def test_tools_in_a_plan(format: str) -> None:
    within = {"plan_id": "plan_1"}
    assert segments(assert_chunk_invariant(PLAN, format)) == [
        text("Go:\n"),
        START,
        call("read_file", READ.removeprefix("<read_file>").removesuffix("</read_file>")),
        (
            "write_file",
            {**within, "tool_name": "write_to_file", "path": "b"},
            "hi",
            {"late": {"toolId": "w", "dependsOn": "c,d"}},
        ),
        ("run_bash", {**within, "tool_name": "execute_command"}, "ls", {"late": {"toolId": "c"}}),
        END,
        text("\nok"),
    ]
    (plan,) = build_plans(PLAN, format)
    assert [(step.id, step.name, step.params, step.depends_on) for step in plan.steps] == [
        ("a", "read_file", {"path": "x.py"}, ("w", "c")),
        ("w", "write_to_file", {"path": "b", "content": "hi"}, ("c",)),
        ("c", "execute_command", {"command": "ls"}, ()),
    ]
    assert [[step.id for step in batch] for batch in plan.order()] == [["c"], ["w"], ["a"]]


def test_outside_of_a_plan_these_are_no_parameters() -> None:
    handler = StreamingResponseHandler("cline")
    handler.feed(READ + WRITE)
    handler.finalize()
    assert handler.invocations[0].arguments == {"path": "x.py"}
    assert handler.invocations[1].status == "complete"
    assert handler.invocations[1].repaired  # `<toolId>` is nothing that may follow a file there


def test_a_name_in_another_case_is_not_read() -> None:
    (plan,) = build_plans("<parallel><read_file><toolid>a</toolid><path>x</path></read_file></parallel>", "cline")
    assert [(step.id, step.params) for step in plan.steps] == [("step_1", {"path": "x"})]
