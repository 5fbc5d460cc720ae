"""core/registry.py: names of tools and the states that read them."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import (
    BaseState,
    DelimitedState,
    RegistryError,
    RunBashState,
    StreamingParser,
    ToolStateRegistry,
    register_tool_state,
)
from streamparse.core.registry import default_registry
from streamparse.testing import segments


class SqlState(DelimitedState):
    segment_type = "sql"


@pytest.fixture
def registry() -> ToolStateRegistry:
    registry = ToolStateRegistry()
    registry.register("Sql", SqlState, bare=True)
    registry.register("query.v2", SqlState)
    return registry


def test_a_name_is_found_in_any_case(registry: ToolStateRegistry) -> None:
    assert [registry.get(name) for name in ("sql", "SQL", "Query.V2", "other")] == [SqlState, SqlState, SqlState, None]


def test_names_are_lower_case_in_the_order_of_registration(registry: ToolStateRegistry) -> None:
    assert registry.names() == ("sql", "query.v2")


def test_only_bare_names_are_tags_of_their_own(registry: ToolStateRegistry) -> None:
    assert registry.bare_names() == ("sql",)


def test_a_name_that_is_taken_is_refused_in_any_case(registry: ToolStateRegistry) -> None:
    with pytest.raises(RegistryError) as caught:
        registry.register("SQL", RunBashState)
    assert str(caught.value) == "the tool 'SQL' is registered already: pass replace=True to replace it"
    assert registry.get("sql") is SqlState


def test_a_name_that_is_taken_can_be_replaced(registry: ToolStateRegistry) -> None:
    registry.register("SQL", RunBashState, replace=True)
    assert (registry.get("sql"), registry.names(), registry.bare_names()) == (RunBashState, ("sql", "query.v2"), ())


def test_unregister_forgets_a_name_in_any_case(registry: ToolStateRegistry) -> None:
    registry.unregister("SQL")
    assert (registry.names(), registry.get("sql")) == (("query.v2",), None)


def test_unregister_of_an_unknown_name_lists_the_known_ones(registry: ToolStateRegistry) -> None:
    with pytest.raises(RegistryError) as caught:
        registry.unregister("other")
    assert str(caught.value) == "the tool 'other' is not registered"


@pytest.mark.parametrize("name", ["", None, 5, b"sql"])
def test_a_name_must_be_a_string_with_something_in_it(name: Any) -> None:
    with pytest.raises(RegistryError) as caught:
        ToolStateRegistry().register(name, SqlState)
    assert str(caught.value) == f"a tool name must be a non-empty string, not {name!r}"


class NotAState:
    pass


@pytest.mark.parametrize("state", [NotAState, None, "SqlState", 5, object()], ids=lambda value: type(value).__name__)
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(RegistryError) as caught:
        ToolStateRegistry().register("sql", state)
    assert str(caught.value) == f"{state!r} is not a state: pass a subclass of BaseState (the class, not an instance)"


@pytest.mark.parametrize(
    "name", ["my tool", "1st", "-x", "a>b", "größe", "a\n", "tool", "ARG", "arguments", "Think", "thinking"]
)
def test_a_name_that_cannot_be_a_tag_is_refused_as_one_only(name: str) -> None:
    registry = ToolStateRegistry()
    with pytest.raises(RegistryError) as caught:
        registry.register(name, SqlState, bare=True)
    assert str(caught.value) == (
        f"{name!r} cannot be a tag of its own: use ASCII letters, digits, _ . - and no reserved name"
    )
    registry.register(name, SqlState)
    assert registry.names() == (name.lower(),)


def test_a_copy_is_independent_in_both_directions(registry: ToolStateRegistry) -> None:
    twin = registry.copy()
    twin.register("twin", RunBashState)
    registry.unregister("sql")
    assert (registry.names(), twin.names()) == (("query.v2",), ("sql", "query.v2", "twin"))


def test_a_registered_state_takes_precedence_over_that_of_the_format() -> None:
    registry = ToolStateRegistry()
    with pytest.raises(
        RegistryError, match=r"^the tool 'run_bash' has a state of the library's own: pass replace=True"
    ):
        registry.register("run_bash", SqlState)
    registry.register("run_bash", SqlState, replace=True)
    parser = StreamingParser("xml", registry=registry)
    assert segments(parser.feed('<run_bash>1</run_bash><tool name="run_bash">2</tool>')) == [
        *(("sql", {}, "1", {}), ("sql", {"tool_name": "run_bash"}, "2", {})),
    ]


def test_register_tool_state_reaches_parsers_made_from_now_on_and_no_others() -> None:
    before = StreamingParser("xml")
    register_tool_state("sql_of_this_test", SqlState, bare=True)
    try:
        after = StreamingParser("xml")
        text = "<sql_of_this_test>1</SQL_of_this_test>"
        assert segments(after.feed(text) + after.finalize()) == [("sql", {}, "1", {})]
        assert segments(before.feed(text) + before.finalize()) == [("text", {}, text, {})]
    finally:
        default_registry.unregister("sql_of_this_test")


def test_a_registration_does_not_disturb_a_stream_in_flight(registry: ToolStateRegistry) -> None:
    parser = StreamingParser("xml", registry=registry)
    events = parser.feed("<sq")
    registry.unregister("sql")
    events += parser.feed('l>1</sql><tool name="sql">2</tool>') + parser.finalize()
    assert segments(events) == [("sql", {}, "1", {}), ("sql", {"tool_name": "sql"}, "2", {})]


class NoRun(BaseState):
    segment_type = "x"

    def finalize(self) -> None:
        """Nothing."""


class NoFinalize(BaseState):
    segment_type = "x"

    def run(self) -> None:
        """Nothing."""


class NoType(NoRun):
    segment_type = ""

    def run(self) -> None:
        """Nothing."""


@pytest.mark.parametrize(
    ("state", "problem"),
    [
        (BaseState, "BaseState reads nothing: define run(), or _begin() if it reads in phases"),
        (NoRun, "NoRun reads nothing: define run(), or _begin() if it reads in phases"),
        (NoFinalize, "NoFinalize does not say what happens when the stream ends: define finalize()"),
        (NoType, "NoType does not say what its segments are called: set segment_type"),
    ],
)
def test_a_state_that_cannot_work_is_refused(registry: ToolStateRegistry, state: type[BaseState], problem: str) -> None:
    with pytest.raises(RegistryError) as caught:
        registry.register("x", state)
    assert str(caught.value) == problem
    with pytest.raises(RegistryError) as caught:
        registry.register_block("x", opens=":::", closes=":::", state=state)
    assert str(caught.value) == problem


def test_a_name_that_is_nearly_right_is_suggested(registry: ToolStateRegistry) -> None:
    with pytest.raises(RegistryError, match=r"^the tool 'sqk' is not registered: did you mean 'sql'\?$"):
        registry.unregister("sqk")
