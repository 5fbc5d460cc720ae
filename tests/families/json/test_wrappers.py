"""families/json/wrappers.py and candidate.py: what calls stand in, and the keys that each of these may have."""

from __future__ import annotations

import pytest

from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.json.bare_state import BareObjectState
from streamparse.families.json.numbered_state import NumberedCallState
from streamparse.families.json.object_state import JsonObjectCallState
from streamparse.families.messages.state import MessageState
from streamparse.testing import Segment
from tests.formats.kit import read, rows, text

F, G = '{"name": "f", "arguments": {}}', '{"name": "g", "arguments": {}}'


def call(name: str, content: str) -> Segment:
    return ("tool_call", {"tool_name": name}, content, {})


def in_plan(written: str, mode: str = '"mode": "parallel", ', behind: str = "", outside: str = "") -> str:
    """A plan, with what stands before and behind the list of its calls, and behind the plan's own object."""
    return f'{{"execution": {{{mode}"tools": [{written}]{behind}}}{outside}}}'


def shapes(written: str) -> list[str]:
    """The segments, in short: a text as it is, a call by its name, an edge of a plan with its mode."""
    found = []
    for kind, metadata, content, _ in rows("json", written):
        edge = f"{metadata.get('edge')} {metadata.get('plan_mode')}"
        found.append(content if kind == "text" else edge if kind == "plan" else metadata["tool_name"])
    return found


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (in_plan(F), ["start parallel", "f", "end parallel"]),
        (in_plan(F, ""), ["start sequential", "f", "end sequential"]),
        (in_plan(F, behind=', "mode": "parallel"'), ["start parallel", "f", ', "mode": "parallel"}', "end parallel"]),
        (in_plan(F, "", ', "mode": "parallel"'), ["start parallel", "f", "end parallel"]),
        (in_plan(F, "", ', "mode": "often"'), [in_plan(F, "", ', "mode": "often"')]),
        (in_plan(F, outside=', "id": "x"'), ["start parallel", "f", "end parallel"]),
        (in_plan(f"{F}, {in_plan(G)}"), ["start parallel", "f", "start parallel", "g", "end parallel", "end parallel"]),
        (
            in_plan(f"""{in_plan(G, outside=', "id": "i"')}, {F}""", outside=', "id": "o"'),
            ["start parallel", "start parallel", "g", "end parallel", "f", "end parallel"],
        ),
        (in_plan(f"{F}, {in_plan(G, '')}"), ["start parallel", "f", in_plan(G, ""), "end parallel"]),
        (in_plan("1"), [in_plan("1")]),
        (in_plan(F, '"mode": [1], '), [in_plan(F, '"mode": [1], ')]),
    ],
)
def test_plans(written: str, expected: list[str]) -> None:
    assert shapes(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (f"[{F}, {G}]", ["f", "g"]),
        (f'{{"id": "x", "tool_calls": [{F}], "type": "y"}}', ["f"]),
        (f'{{"tool_calls": [{F}], "tool_calls": [{G}]}}', ["f", ', "tool_calls": [' + G + "]}"]),
        (f'[{F}, {{"tool_calls": [{G}]}}]', ["f", '{"tool_calls": [' + G + "]}"]),
        (f'{{"name": "x", "tool_calls": [{F}]}}', [f'{{"name": "x", "tool_calls": [{F}]}}']),
    ],
)
def test_wrappers(written: str, expected: list[str]) -> None:
    assert shapes(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('[{"name": "f", "arguments": {} ]', [call("f", '{"name": "f", "arguments": {} ')]),
        ('[{"name": "f", "arguments": {}] b', [call("f", '{"name": "f", "arguments": {}'), text(" b")]),
        (
            f'[{{"name": "f", "arguments": {{}} ] }}, {G}] b',
            [call("f", '{"name": "f", "arguments": {} ] }'), call("g", G), text(" b")],
        ),
        (
            '{"tools": [{"name": "f", "arguments": {"a": [1}, "x": 2 ]  \n\n } b',
            [call("f", '{"name": "f", "arguments": {"a": [1}, "x": 2 ]  \n\n }'), text(" b")],
        ),
    ],
)
def test_a_call_whose_brace_is_missing_ends_with_the_list_it_stands_in(written: str, expected: list[Segment]) -> None:
    assert rows("json", written) == expected
    assert read("json", written).states[0][0] == "malformed"


@pytest.mark.parametrize(
    "state",
    [JsonArgumentsState, NumberedCallState, MessageState, JsonObjectCallState, BareObjectState],
)
def test_a_state_is_spread_over_four_classes_at_most(state: type) -> None:
    assert len(state.__mro__[:-1]) <= 4
