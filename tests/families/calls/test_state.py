"""families/calls/state.py: heads, and what stands behind the arguments."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, StreamingParser, formats
from streamparse.errors import StateContractError
from streamparse.families.calls.grammar import CALL_ID, NAME, Calls, Maybe, Section
from streamparse.families.calls.state import MarkedCallState
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.formats import Format
from tests.formats.kit import call, rows, text

SECTION = Section(("<calls>",), ("</calls>",), (";",))
HEAD = ("<call>", NAME, Maybe("|", CALL_ID))


class EndlessState(MarkedCallState):
    """Says nothing about arguments."""


@pytest.fixture(autouse=True)
def _own_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_formats", dict(formats._formats))
    formats.register(
        Format("marked", calls=(Calls(JsonArgumentsState, HEAD, ("</call>", "<ok>"), (SECTION,)),), dropped=("<eos>",))
    )
    formats.register(Format("endless", calls=(Calls(EndlessState, HEAD),)))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("a<call>f{}</call>b", [text("a"), call("f", "{}"), text("b")]),
        ("<call>f|7{}</call>", [call("f", "{}", "7")]),
        ("<call> f {} </call>\n<ok> b", [call("f", "{}"), text(" b")]),
        ("<call>f{}<ok>b", [call("f", "{}"), text("b")]),
        ("<call>f{}<ok></call>b", [call("f", "{}"), text("</call>b")]),
        ("<call>f{} b", [call("f", "{}"), text(" b")]),
        ("<call>f{}</cal", [call("f", "{}"), text("</cal")]),
        ("<call>f{}\n", [call("f", "{}"), text("\n")]),
        ("<call>f{}<eos>", [call("f", "{}")]),
        ("<calls><call>f{}</call>\n<call>g{}</call> ; <call>h{}</calls>.", [
            *(call("f", "{}"), call("g", "{}"), call("h", "{}"), text(".")),
        ]),
        ("<calls><call>f{}</call>and<call>g{}</call></calls>", [
            *(call("f", "{}"), text("and"), call("g", "{}"), text("</calls>")),
        ]),
        ("<calls><call>f{};.", [call("f", "{}"), text(".")]),
        ("<calls><call>f{};<call>", [call("f", "{}"), text("<call>")]),
        ("<calls></calls>.", [text(".")]),
        ("<call>f{\"a\": ", [call("f", '{"a": ', status="truncated")]),
        ("<call>f", [text("<call>f")]),
        ("<call>f g{}", [text("<call>f g{}")]),
    ],
)  # fmt: skip
def test_calls_and_what_is_around_them(reply: str, expected: object) -> None:
    assert rows("marked", reply) == expected


def test_long_blanks_behind_a_call_are_read_once() -> None:
    parser = StreamingParser("marked")
    parser.feed("<call>f{}")
    for _ in range(1000):
        assert parser.feed("  \n ") == []
    assert parser._scanner.buf == "  \n "  # the others are set aside
    assert [event.delta for event in parser.feed("x") if event.type == "SEGMENT_CONTENT"] == ["  \n " * 1000 + "x"]


def test_a_subclass_must_say_where_arguments_end() -> None:
    with pytest.raises(NotImplementedError, match=r"^EndlessState must define _in_arguments\(\)$"):
        StreamingParser("endless").feed("<call>f{}")


def test_a_call_in_reasoning_counts_if_it_is_told_to() -> None:
    config = ParserConfig(tools_in_reasoning=True)
    assert rows("mistral", "[THINK]a[TOOL_CALLS]f{}b[/THINK]c", config=config) == [
        ("reasoning", {}, "a", {}),
        call("f", "{}"),
        ("reasoning", {}, "b", {}),
        text("c"),
    ]


def test_the_error_of_a_broken_state_names_it() -> None:
    class Open(JsonArgumentsState):
        def _end_call(self, *_: object, **__: object) -> bool:
            self.context.transition_to("text")
            return False

    formats.register(Format("open", calls=(Calls(Open, HEAD),)))
    with pytest.raises(StateContractError, match=r"^Open went back to text with its segment open"):
        StreamingParser("open").feed("<call>f{}")
