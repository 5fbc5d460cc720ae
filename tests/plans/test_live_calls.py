"""Steps of JSON plans that are shown as what they do keep their ids and what they wait for."""

from __future__ import annotations

import pytest

from streamparse.plans import build_plans

PLAN = """{"execution": {"mode": "parallel", "tools": [
  {"name": "NAME", "toolId": "q", "arguments": {"path": "a", "content": "x"}},
  {"name": "NAME", "dependsOn": ["q"], "arguments": {"path": "b", "content": "x"}}]}}"""


@pytest.mark.parametrize("name", ["other", "write_file"])
def test_a_file_has_the_place_in_the_plan_that_any_other_call_has(name: str) -> None:
    (plan,) = build_plans(PLAN.replace("NAME", name), format="json")
    assert [(step.id, step.depends_on) for step in plan.steps] == [("q", ()), ("step_2", ("q",))]
