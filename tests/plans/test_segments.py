"""Plans in the stream: edges, ids, blanks, text, nesting; every case at every split and prefix."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ParserConfig, StreamingResponseHandler
from streamparse.testing import assert_chunk_invariant, segments

A, B = '<tool name="a"></tool>', '<tool name="b"><x>1</x></tool>'


def edge(which: str, number: int = 1, mode: str = "parallel", parent: int | None = None) -> tuple[Any, ...]:
    outer = None if parent is None else f"plan_{parent}"
    metadata = {"plan_id": f"plan_{number}", "plan_mode": mode, "edge": which, "parent": outer}
    return ("plan", metadata, "", {})


def text(content: str) -> tuple[Any, ...]:
    return ("text", {}, content, {})


def call(name: str, content: str = "", plan: int | None = 1, **end: Any) -> tuple[Any, ...]:
    within = {} if plan is None else {"plan_id": f"plan_{plan}"}
    return ("tool_call", {**within, "tool_name": name}, content, end)


START, END = edge("start"), edge("end")

XML = {
    "two tools, blanks between them": (
        f'Go\n<multi_tool_use mode="parallel">\n  {A}\n\n\t{B}\r\n</multi_tool_use>\nDone',
        [text("Go\n"), START, call("a"), call("b", "<x>1</x>"), END, text("\nDone")],
    ),
    "single quotes": (f"<multi_tool_use mode='parallel'>{A}</multi_tool_use>", [START, call("a"), END]),
    "no quotes, blanks around the equals sign": (
        f"<multi_tool_use mode = parallel >{A}</multi_tool_use >",
        [START, call("a"), END],
    ),
    "any case": (f'<Multi_Tool_Use MODE="Parallel">{A}</MULTI_TOOL_USE>', [START, call("a"), END]),
    "no mode is sequential": (
        f"<multi_tool_use>{A}</multi_tool_use>",
        [edge("start", 1, "sequential"), call("a"), edge("end", 1, "sequential")],
    ),
    "sequential": (
        f'<multi_tool_use mode="sequential">{A}</multi_tool_use>',
        [edge("start", 1, "sequential"), call("a"), edge("end", 1, "sequential")],
    ),
    "legacy parallel": (f"<parallel>{A}</parallel>", [START, call("a"), END]),
    "legacy sequential": (
        f"<sequential>\n{A}</sequential>",
        [edge("start", 1, "sequential"), call("a"), edge("end", 1, "sequential")],
    ),
    "an unknown mode is text": (
        f'<multi_tool_use mode="fast">{A}</multi_tool_use>',
        [text('<multi_tool_use mode="fast">'), call("a", plan=None), text("</multi_tool_use>")],
    ),
    "another attribute is text": ('<parallel x="1"><b>', [text('<parallel x="1"><b>')]),
    "a longer name is text": ("<parallels><b></parallels>", [text("<parallels><b></parallels>")]),
    "a tag that is mentioned is text": ("use <parallel> here", [text("use <parallel> here")]),
    "a tag with nothing behind it is text": ("use <parallel>  ", [text("use <parallel>  ")]),
    "a tag before a bracket that is no tag is text": ("<parallel> < b", [text("<parallel> < b")]),
    "a tag in a code span is text": (f"`<parallel>{A}`", [text(f"`<parallel>{A}`")]),
    "a stray closer is text": ("a </parallel> b", [text("a </parallel> b")]),
    "a closer of another plan tag inside is text": (
        f"<parallel>{A}</sequential></parallel>",
        [START, call("a"), text("</sequential>"), END],
    ),
    "an empty plan": ("<parallel> <b> </parallel>", [START, text(" <b> "), END]),
    "text between tools is kept with its blanks": (
        f"<parallel>\n{A} then \n{B}\n</parallel>",
        [START, call("a"), text(" then \n"), call("b", "<x>1</x>"), END],
    ),
    "text first and last": (
        f"<parallel><!-- -->\n{A}\n x</parallel>.",
        [text("<parallel><!-- -->\n"), call("a", plan=None), text("\n x</parallel>.")],
    ),
    "text behind the last tool": (
        f"<parallel> {A}\n x</parallel>.",
        [START, call("a"), text("\n x"), END, text(".")],
    ),
    "a tag that is no tool keeps the blanks before it": (
        f"<parallel>\n<tool bad>\n{A}</parallel>",
        [START, text("\n<tool bad>\n"), call("a"), END],
    ),
    "reasoning in a plan": (
        f"<parallel>\n<think>hm</think>\n{A}</parallel>",
        [START, ("reasoning", {}, "hm", {}), call("a"), END],
    ),
    "a plan in reasoning is reasoning": (
        f"<think><parallel>{A}</parallel></think>",
        [("reasoning", {}, f"<parallel>{A}</parallel>", {})],
    ),
    "files and commands": (
        '<parallel>\n<write_file path="p">x</write_file>\n<run_bash>ls</run_bash>\n</parallel>',
        [
            START,
            ("write_file", {"plan_id": "plan_1", "path": "p"}, "x", {}),
            ("run_bash", {"plan_id": "plan_1"}, "ls", {}),
            END,
        ],
    ),
    "an attribute cannot say which plan it is": (
        '<parallel><tool name="a" plan_id="z"></tool></parallel>',
        [START, call("a"), END],
    ),
    "two plans": (
        f"<parallel>{A}</parallel> and <sequential>{A}</sequential>",
        [
            START,
            call("a"),
            END,
            text(" and "),
            edge("start", 2, "sequential"),
            call("a", plan=2),
            edge("end", 2, "sequential"),
        ],
    ),
    "a plan in a plan": (
        f"<parallel>\n{A}\n<sequential>\n{B}\n</sequential>\n{A}\n</parallel>",
        [
            START,
            call("a"),
            edge("start", 2, "sequential", 1),
            call("b", "<x>1</x>", 2),
            edge("end", 2, "sequential", 1),
            call("a"),
            END,
        ],
    ),
    "plans of one tag nest": (
        f"<parallel><parallel>{A}</parallel>{A}</parallel>",
        [START, edge("start", 2, parent=1), call("a", plan=2), edge("end", 2, parent=1), call("a"), END],
    ),
    "the closer of an outer plan ends the inner ones": (
        f"<parallel><sequential><sequential>{A}</parallel>{A}",
        [
            START,
            edge("start", 2, "sequential", 1),
            edge("start", 3, "sequential", 2),
            call("a", plan=3),
            END,
            call("a", plan=None),
        ],
    ),
    "a plan that is cut off has no second edge": (f"<parallel>{A}", [START, call("a")]),
    "blanks at the end of a plan that is cut off are text": (f"<parallel>{A}\n", [START, call("a"), text("\n")]),
    "a tool that is cut off": (
        f'<parallel>{A}\n<tool name="b"><x>1',
        [START, call("a"), call("b", "<x>1", status="truncated")],
    ),
    "a closer that is cut off is text": (f"<parallel>{A}\n</par", [START, call("a"), text("\n</par")]),
}


@pytest.mark.parametrize("name", XML)
def test_plans_in_xml(name: str) -> None:
    source, rows = XML[name]
    assert segments(assert_chunk_invariant(source, "xml")) == rows


F, G = '{"name": "f", "arguments": {}}', '{"name": "g", "args": {"x": 1}, "toolId": "b"}'


IN_TURN = '"mode": "sequential", '


def plan(tools: str, mode: str = '"mode": "parallel", ') -> str:
    return '{"execution": {' + mode + '"tools": [' + tools + "]}}"


JSON = {
    "two tools": (f"Hi {plan(f'{F}, {G}')} bye", [text("Hi "), START, call("f", F), call("g", G), END, text(" bye")]),
    "in a fence": (f"```json\n{plan(F)}\n```", [text("```json\n"), START, call("f", F), END, text("\n```")]),
    "any case of the mode": (plan(F, '"mode": "Parallel", '), [START, call("f", F), END]),
    "the mode behind the tools": (
        '{"execution": {"tools": [' + F + '], "mode": "parallel"}}',
        [START, call("f", F), END],
    ),
    "no mode is sequential": (
        plan(F, ""),
        [edge("start", 1, "sequential"), call("f", F), edge("end", 1, "sequential")],
    ),
    "ids and dependencies before the arguments": (
        plan('{"toolId": 7, "dependsOn": ["a"], "name": "f", "args": {}}'),
        [START, call("f", '{"toolId": 7, "dependsOn": ["a"], "name": "f", "args": {}}'), END],
    ),
    "members of the wrapper behind the plan": (
        '{"execution": {"mode": "parallel", "tools": [' + F + ']}, "id": "1"}',
        [
            START,
            call("f", F),
            END,
        ],
    ),
    "a member of the plan that no plan has is text": (
        '{"execution": {"mode": "parallel", "tools": [' + F + '], "note": 1}}.',
        [START, call("f", F), text(', "note": 1}'), END, text(".")],
    ),
    "an unknown mode is text": (plan(F, '"mode": "fast", '), [text(plan(F, '"mode": "fast", '))]),
    "a mode that is no string is text": (plan(F, '"mode": 1, '), [text(plan(F, '"mode": 1, '))]),
    "an empty list is text": (plan(""), [text(plan(""))]),
    "a second list is text": (
        '{"execution": {"tools": [' + F + '], "mode": "parallel", "tool_calls": [' + G + "]}}.",
        [START, call("f", F), text(', "mode": "parallel", "tool_calls": [' + G + "]}"), END, text(".")],
    ),
    "no list is text": ('{"execution": {"mode": "parallel"}}', [text('{"execution": {"mode": "parallel"}}')]),
    "a plan that is no object is text": ('{"execution": 3}', [text('{"execution": 3}')]),
    "a mode outside of a plan is text": ('{"mode": "parallel"}', [text('{"mode": "parallel"}')]),
    "a step's own keys outside of a plan are text": (
        '{"toolId": "a", "name": "f", "arguments": {}}',
        [text('{"toolId": "a", "name": "f", "arguments": {}}')],
    ),
    "an element that is no call is text": (plan(f"{F}, 5, {G}"), [START, call("f", F), text("5"), call("g", G), END]),
    "a plan in a plan": (
        plan(f"{F}, {plan(F, IN_TURN)}, {G}"),
        [
            START,
            call("f", F),
            edge("start", 2, "sequential", 1),
            call("f", F, 2),
            edge("end", 2, "sequential", 1),
            call("g", G),
            END,
        ],
    ),
    "a plan in a plan before all calls": (
        plan(plan(F)),
        [START, edge("start", 2, parent=1), call("f", F, 2), edge("end", 2, parent=1), END],
    ),
    "a plan in a plan whose mode comes late is text": (
        plan(f"{F}, {plan(F, '')}"),
        [START, call("f", F), text(plan(F, "")), END],
    ),
    "an empty plan in a plan is swallowed": (plan(f"{F}, {plan('')}"), [START, call("f", F), END]),
    "a wrapper in a plan is text": (
        plan(F + ', {"tool_calls": [' + F + "]}"),
        [START, call("f", F), text('{"tool_calls": [' + F + "]}"), END],
    ),
    "cut off behind a call": (plan(F)[:-3], [START, call("f", F)]),
    "cut off in the next one": (
        plan(f"{F}, {G}")[: -len(G)],
        [START, call("f", F), text('{"n')],
    ),
    "what is no JSON any more is text": (
        plan(F)[:-3] + " oops",
        [START, call("f", F), text(" oops")],
    ),
    "an element that is no JSON any more is text": (
        plan(F)[:-3] + ", [1, oops",
        [START, call("f", F), text("[1, oops")],
    ),
    "calls behind a plan stand in none": (f"{plan(F)} {F}", [START, call("f", F), END, text(" "), call("f", F, None)]),
}


@pytest.mark.parametrize("name", JSON)
def test_plans_in_json(name: str) -> None:
    source, rows = JSON[name]
    assert segments(assert_chunk_invariant(source, "json")) == rows


def test_no_tools_no_plans() -> None:
    source = f"<parallel>{A}</parallel>"
    events = assert_chunk_invariant(source, "xml", config=ParserConfig(parse_tool_calls=False))
    assert segments(events) == [text(source)]


def test_plans_nest_to_any_depth() -> None:
    depth = 3_000
    handler = StreamingResponseHandler("xml")
    events = handler.feed("<parallel>" + "<sequential>" * depth + A + "</parallel>") + handler.finalize()
    rows = segments(events)
    assert rows[depth] == edge("start", depth + 1, "sequential", depth)
    assert rows[depth + 1 :] == [call("a", plan=depth + 1), END]


def test_invocations_say_where_they_stand() -> None:
    handler = StreamingResponseHandler("xml")
    handler.feed(
        '<parallel><tool name="a"><toolId>x</toolId><dependsOn>y, z</dependsOn><dependsOn>w</dependsOn><q>1</q></tool>'
        '<tool name="write_file"><toolId>y</toolId><path>p</path><content>c</content><dependsOn>x</dependsOn>'
        "<dependsOn>z</dependsOn></tool></parallel>"
        '<tool name="a"><toolId>x</toolId></tool>'
    )
    handler.finalize()
    first, second, outside = handler.invocations
    assert (first.plan_id, first.step_id, first.depends_on) == ("plan_1", "x", ("y", "z", "w"))
    assert first.arguments == {"q": "1"}
    assert (second.plan_id, second.step_id, second.depends_on) == ("plan_1", "y", ("x", "z"))
    assert second.arguments == {"path": "p", "content": "c"}
    assert (outside.plan_id, outside.step_id, outside.depends_on) == (None, None, None)
    assert outside.arguments == {"toolId": "x"}
    assert first.to_dict()["depends_on"] == ["y", "z", "w"]
    assert "plan_id" not in outside.to_dict()


def test_partial_arguments_leave_out_what_is_said_of_the_plan() -> None:
    handler = StreamingResponseHandler("xml")
    handler.feed('<parallel><tool name="a"><toolId>x</toolId><q>hel')
    assert handler.partial_arguments("seg_2") == {"q": "hel"}


def test_a_fence_in_a_plan_is_text_where_fences_are() -> None:
    source = f"<parallel>\n{A}\n```\n{B}\n```\n</parallel>"
    events = assert_chunk_invariant(source, "xml", config=ParserConfig(code="text"))
    assert segments(events) == [START, call("a"), text(f"\n```\n{B}\n```\n"), END]


def test_behind_a_plan_the_reply_does_not_begin_anew() -> None:
    data = '{"name": "f", "parameters": {}}'
    rows = segments(assert_chunk_invariant(f"<parallel>{A}</parallel>{data}", ["xml", "llama3_json"]))
    assert rows == [START, call("a"), END, text(data)]


def test_outside_of_a_plan_nothing_may_be_repeated() -> None:
    twice = "<dependsOn>a</dependsOn><dependsOn>b</dependsOn>"
    handler = StreamingResponseHandler("xml")
    handler.feed(f'<tool name="f">{twice}</tool><tool name="run_bash"><command>ls</command>{twice}</tool>')
    assert [(made.status, made.error) for made in handler.invocations] == [
        ("malformed", "dependsOn is given twice"),
        ("malformed", "dependsOn is given twice"),
    ]
    cline = StreamingResponseHandler("cline", tools=[{"name": "f", "parameters": {"properties": {"dependsOn": {}}}}])
    cline.feed(f"<f>{twice}</f>")
    assert cline.invocations[0].arguments == {"dependsOn": "b"}


def test_auto_finds_plans() -> None:
    source = f"Hi <parallel>\n{A}\n<think>hm</think>\n{B}\n</parallel>."
    assert segments(assert_chunk_invariant(source, "auto")) == segments(assert_chunk_invariant(source, "xml"))
