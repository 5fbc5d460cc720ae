"""families/calls/body_call.py: what is known of a call with a body, in whatever order it comes."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse.arguments.sink import DIRECT_TAG
from streamparse.config import BodyTool
from streamparse.families.calls.body_call import BodyCall
from streamparse.families.calls.body_text import COMMAND, VERBATIM, BodyText


class Call(BodyCall):
    """Writes down what it emits."""

    def __init__(self, kind: str, text: BodyText = VERBATIM, **options: Any) -> None:
        metadata, most = options.pop("metadata", {}), options.pop("max_arguments", 100)
        has_body = options.pop("has_body", False)
        super().__init__(BodyTool.of_kind(kind), metadata, most, text, **options)
        self.has_body = has_body or self.has_body
        self.emitted: list[Any] = []

    def _emit_start(self) -> None:
        self.emitted.append(("start", dict(self.metadata)))

    def _emit_content(self, text: str) -> None:
        if text:
            self.emitted.append(text)

    def _emit_end(self, status: str | None, error: str | None, *, repaired: bool) -> None:
        self.emitted.append(("end", status, error, repaired, dict(self.late)))

    def _give_text(self, name: str, raw: str, *, is_unclosed: bool) -> None:
        self.give(name, raw)


def test_a_body_before_its_path_is_held() -> None:
    call = Call("write_file")
    call.start_if_ready()
    assert call.begin_body()
    call.add_body("a")
    call.add_body("b")
    assert call.emitted == []
    call.give("path", "p")
    call.start_if_ready()
    call.add_body("c", is_followed=True)
    call.give("mode", "x")
    call.end()
    assert call.emitted == [("start", {"path": "p"}), "ab", "c", ("end", None, None, False, {"mode": "x"})]


def test_a_command_waits_for_nothing() -> None:
    call = Call("run_bash", COMMAND)
    call.start_if_ready()
    call.open_value("command", DIRECT_TAG)
    call.add_body("a &am")
    assert not call.is_plain
    call.add_body("p; b")
    assert call.is_plain
    call.end(repaired=True)
    assert call.emitted == [("start", {}), "a ", "& b", ("end", None, None, True, {})]


@pytest.mark.parametrize(
    ("given", "options", "error"),
    [
        ([("path", "p")], {}, "content is missing"),
        ([("path", "p")], {"has_body": True}, None),
        ([], {}, "path is missing"),
        ([("path", "p"), ("path", "q")], {"has_body": True}, "path is given twice"),
        ([("path", "p"), ("path", "p")], {"has_body": True}, None),
        ([("path", "p"), ("n", 1), ("n", True)], {"has_body": True}, "n is given twice"),
        ([("n", "1"), ("n", "2"), ("path", "p")], {"has_body": True, "last_counts": True}, None),
    ],
)
def test_what_is_missing_or_given_twice_is_told(given: list[tuple[str, Any]], options: Any, error: str | None) -> None:
    call = Call("write_file", **options)
    for name, value in given:
        call.give(name, value)
        call.start_if_ready()
    call.end()
    assert call.emitted[-1][1:3] == ("malformed" if error else None, error)
    assert call.error == error


def test_of_several_values_the_last_counts_until_start_has_shown_the_first() -> None:
    call = Call("write_file", has_body=True, last_counts=True)
    for name, value in [("n", "1"), ("n", "2"), ("path", "p")]:
        call.give(name, value)
    call.start_if_ready()
    for name, value in [("late", "1"), ("late", "2"), ("n", "3")]:
        call.give(name, value)
    call.end()
    assert call.emitted == [
        ("start", {"n": "2", "path": "p"}),
        ("end", "malformed", "n is given twice", False, {"late": "2"}),
    ]


def test_a_second_body_is_one_too_many() -> None:
    call = Call("run_bash")
    assert call.begin_body()
    assert not call.begin_body()
    assert call.error == "command is given twice"
    assert not Call("run_bash", metadata={"command": "ls"}).begin_body()


def test_what_is_longer_than_the_limit_is_not_kept() -> None:
    call = Call("run_bash", max_arguments=10)
    call.begin_value("abcd")
    call.add_value("abcd", "123456")
    assert call.take_value() == "123456"
    call.begin_value("e")
    call.add_value("e", "x")
    assert call.take_value() is None
    assert call.problem == "e is too long"


def test_a_name_that_means_something_else_in_start_is_late() -> None:
    call = Call("run_bash", is_in_plan=True, metadata={"tool_name": "t"})
    for name, value in [("tool_name", "x"), ("dependsOn", "a"), ("dependsOn", "b"), ("n", "1")]:
        call.give(name, value)
    assert (call.metadata, call.late) == ({"tool_name": "t", "n": "1"}, {"tool_name": "x", "dependsOn": "a,b"})


def test_a_cut_call_is_truncated_whatever_it_lacks() -> None:
    call = Call("write_file")
    call.end(is_cut=True)
    assert call.emitted == [("start", {}), ("end", "truncated", None, False, {})]
