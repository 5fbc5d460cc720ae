"""The wire form: what docs/wire.md shows of every item is read back, fits the schema, and the schema is up to date."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from attrs import asdict
from jsonschema import Draft202012Validator

from streamparse import EventReader, SegmentEnd, SegmentEvent, SegmentStart, ToolInvocation, ToolInvocationAdapter
from streamparse.blocks import Block, CustomContent, ReasoningContent, TextContent, ToolUse
from streamparse.invocations import ToolLifecycle
from streamparse.outcome import Outcome, StreamEnd, Usage
from streamparse.plans import PlanProblem, PlanStep, ToolPlan, build_plans
from streamparse.wire_schema import SCHEMA_FILE, TYPES_FILE, schema, typescript, write
from tests.formats.kit import run
from tests.schema import VALID

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "wire.md").read_text(encoding="utf-8")
EXAMPLES = [
    json.loads(line) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()
]
DEFINITIONS = schema()["$defs"]

CLASSES: dict[str, Any] = {
    **dict.fromkeys(("SEGMENT_START", "SEGMENT_CONTENT", "SEGMENT_END"), SegmentEvent),
    **{cls.type: cls for cls in (ToolInvocation, ToolLifecycle, StreamEnd, ToolPlan)},
}


@pytest.mark.parametrize("data", EXAMPLES, ids=lambda data: data["type"])
def test_an_example_of_the_page_fits_the_schema_and_is_read_back(data: dict[str, Any]) -> None:
    VALID.validate(data)
    item = CLASSES.get(data["type"], Block).from_dict(data)
    assert json.dumps(item.to_dict()) == json.dumps(data), "the fields are in their order, too"


def test_the_page_shows_every_field() -> None:
    shown = {key for data in EXAMPLES for key in keys(data)}
    assert {key for definition in DEFINITIONS.values() for key in properties(definition)} == shown


def keys(data: Any) -> set[str]:
    """The names of fields anywhere in an item; not those of arguments and the like, which are anyone's."""
    if isinstance(data, list):
        return {key for part in data for key in keys(part)}
    if not isinstance(data, dict):
        return set()
    free = ("metadata", "late", "written", "state", "arguments", "params", "provider")
    return set(data) | {key for name, part in data.items() if name not in free for key in keys(part)}


def properties(definition: Any) -> set[str]:
    inner = definition.get("properties", {})
    return set(inner) | {name for part in inner.values() for name in properties(part)}


def test_the_generated_files_are_up_to_date(tmp_path: Path) -> None:
    write(tmp_path)
    for name in (SCHEMA_FILE, TYPES_FILE):
        assert (DOCS / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8")
    Draft202012Validator.check_schema(schema())


def test_the_types_have_the_fields_of_the_schema() -> None:
    """Read off the text, not off what it was made of."""
    found = {
        name: re.findall(r"^  +(\w+)(\??): ", body, re.MULTILINE)
        for name, body in re.findall(r"export interface (\w+) \{\n(.*?)^\}", typescript(), re.MULTILINE | re.DOTALL)
    }
    assert found == {
        name: list(fields(definition)) for name, definition in DEFINITIONS.items() if "properties" in definition
    }
    assert set(re.findall(r"export type (\w+) =", typescript())) == set(DEFINITIONS) - set(found)


def fields(definition: Any) -> Any:
    for name, part in definition["properties"].items():
        yield name, "" if name in definition["required"] else "?"
        if "properties" in part:
            yield from fields(part)


@pytest.mark.parametrize(
    "data",
    [
        *(
            {},
            {"type": "SEGMENT_PAUSE"},
            {**EXAMPLES[0], "color": "red"},
            {**EXAMPLES[1], "payload": {"delta": ""}},
        ),
        {**EXAMPLES[0], "payload": {"format": "xml"}},
        {"type": "SEGMENT_END", "segment_id": "a", "payload": {"status": "complete"}},
        {"type": "SEGMENT_END", "segment_id": "a", "payload": {"written": {"a": "b"}}},
        {"type": "STREAM_END", "payload": {"finish_reason": "done"}},
        {**ToolInvocation("a", "f").to_dict(), "status": None},
        {"type": "text", "content": "a", "partial": None},
    ],
    ids=repr,
)
def test_anything_else_does_not_fit_the_schema(data: Any) -> None:
    assert not VALID.is_valid(data)
    with pytest.raises(ValueError):
        CLASSES.get(data.get("type", ""), Block).from_dict(data)


# -- plans and blocks --------------------------------------------------------------------------------------------------

PLANS = """<multi_tool_use mode="parallel">
  <tool name="f"><toolId>a</toolId><x>1</x></tool><tool name="g"><dependsOn>a</dependsOn><dependsOn>b</dependsOn></tool>
  <sequential><tool name="write_file"><path>p</path><content>c"""


def test_plans_are_read_back_from_json() -> None:
    [plan] = build_plans(PLANS)
    assert [step.is_complete for step in plan.steps] == [True, True, False]
    assert [problem.kind for problem in plan.problems] == ["unknown_dependency", "truncated"]
    data = json.loads(json.dumps(plan.to_dict()))
    assert data == plan.to_dict()
    VALID.validate(data)
    back = ToolPlan.from_dict(data)
    assert back == plan
    assert asdict(back) == asdict(plan)
    assert back.order() == plan.order()


PLAN = ToolPlan("plan_1", "parallel", (PlanStep("a", "f"),), (PlanProblem("cycle", "m", "a", ("a", "a")),), "p", False)


def test_the_wire_form_of_a_plan() -> None:
    assert PLAN.to_dict() == {
        "type": "TOOL_PLAN",
        "id": "plan_1",
        "mode": "parallel",
        "steps": [{"id": "a", "name": "f", "params": {}, "depends_on": [], "is_complete": True}],
        "problems": [{"kind": "cycle", "message": "m", "step": "a", "path": ["a", "a"]}],
        "parent": "p",
        "is_complete": False,
    }
    assert ToolPlan.from_dict(PLAN.to_dict()) == PLAN


@pytest.mark.parametrize(
    "change",
    [
        *({"type": "TOOL_INVOCATION"}, {"mode": "both"}, {"steps": [5]}, {"steps": {}}, {"problems": [{}]}, {"x": 1}),
        *({"parent": None}, {"is_complete": 1}, {"steps": [{"id": "a", "name": "f"}]}),
    ],
    ids=repr,
)
def test_what_is_no_plan_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^not the wire form of ToolPlan: "):
        ToolPlan.from_dict({**PLAN.to_dict(), **change})


BLOCKS: list[Block] = [
    TextContent("a", partial=True),
    ReasoningContent("b", status="truncated"),
    ToolUse("seg_1", "f", {"a": [1]}, True),
    ToolUse("seg_2", "f", status="malformed", repaired=True, call_id="c", error="why"),
    CustomContent("chart", " 1 ", True, {"kind": "bar"}),
]


@pytest.mark.parametrize("block", BLOCKS, ids=repr)
def test_a_block_is_read_back_from_json(block: Block) -> None:
    data = json.loads(json.dumps(block.to_dict()))
    VALID.validate(data)
    back = Block.from_dict(data)
    assert type(back) is type(block)
    assert back == block
    assert back.to_dict() == data


@pytest.mark.parametrize(
    ("data", "name"),
    [
        *((None, "a block"), ({}, "a block"), ({"type": 5}, "a block"), (["text"], "a block")),
        ({"type": "text"}, "TextContent"),
        ({"type": "text", "content": 5, "partial": False}, "TextContent"),
        ({"type": "text", "content": " a ", "partial": False}, "TextContent"),
        ({"type": "text", "content": "a", "partial": False, "status": "complete"}, "TextContent"),
        ({"type": "tool_use", "id": "a", "name": "f"}, "ToolUse"),
        ({**ToolUse("a", "f").to_dict(), "params": None}, "ToolUse"),
        ({"type": "chart", "content": "a", "partial": False}, "CustomContent"),
    ],
    ids=repr,
)
def test_what_is_no_block_is_refused(data: Any, name: str) -> None:
    with pytest.raises(ValueError) as caught:
        Block.from_dict(data)
    assert str(caught.value) == f"not the wire form of {name}: {data!r}"


@pytest.mark.parametrize(
    "data", [{}, {"finish_reason": "stop", "usage": {"input": True}}, {"finish_reason": 5}], ids=repr
)
def test_an_outcome_is_exact(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^not the wire form of Outcome: "):
        Outcome.from_dict(data)


def test_the_provider_of_a_usage_is_read_back() -> None:
    assert Usage.from_dict({"provider": {"tokens": {"a": 1}}}) == Usage(provider={"tokens": {"a": 1}})


# -- what a provider wants back ----------------------------------------------------------------------------------------


def test_the_state_of_a_segment_is_that_of_its_invocation() -> None:
    state = {"signature": "x"}
    events = [SegmentStart("seg_1", "tool_call", {"tool_name": "f"}, "native"), SegmentEnd("seg_1", state=state)]
    reader = EventReader()
    [made] = ToolInvocationAdapter().feed_all([reader.read(event.to_dict()) for event in events])
    assert made == ToolInvocation("seg_1", "f", state=state)
    assert made.state is not state
    [made] = ToolInvocationAdapter().feed_all([events[0], SegmentEnd("seg_1", state={})])
    assert made.state is None


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('<write_file path="a">x</write_file>', "x"),
        ('<write_file path="a"></write_file>', ""),
        ('<tool name="run_bash" command="ls"></tool>', "ls"),
        ("<run_bash>l", "l"),
        ('<tool name="write_file"><arg name="path">a', ""),
        ('<tool name="f"><x>1</x></tool>', None),
    ],
)
def test_the_content_of_a_call_is_its_body(text: str, content: str | None) -> None:
    [made] = run([text], "xml").invocations
    assert made.content == content


def test_no_segment_of_a_provider_itself_makes_an_invocation() -> None:
    for kind in ("server_tool", "server_result", "source", "file", "refusal"):
        assert ToolInvocationAdapter().feed_all([SegmentStart("seg_1", kind), SegmentEnd("seg_1")]) == []
