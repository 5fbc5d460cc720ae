"""invocations/syntax.py: which segments are calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from streamparse import (
    DelimitedState,
    RegistryError,
    StreamingResponseHandler,
    ToolInvocation,
    ToolInvocationAdapter,
    ToolStateRegistry,
    register_tool_syntax,
)
from streamparse.events import SegmentContent, SegmentEnd, SegmentStart
from streamparse.invocations import ToolSyntaxRegistry
from streamparse.invocations.syntax import default_syntaxes


class SqlState(DelimitedState):
    segment_type = "sql"


def query(metadata: Mapping[str, Any], content: str) -> dict[str, Any]:
    return {"query": content, "db": metadata["db"]}


def made(build: Any, text: str, late: dict[str, Any] | None = None, **metadata: Any) -> ToolInvocation:
    syntaxes = ToolSyntaxRegistry()
    syntaxes.register("sql", "run_sql", build)
    adapter = ToolInvocationAdapter(syntaxes=syntaxes)
    adapter.feed(SegmentStart("s", "sql", metadata))
    adapter.feed(SegmentContent("s", text))
    invocation = adapter.feed(SegmentEnd("s", late=late))
    assert invocation is not None
    return invocation


@pytest.fixture
def default() -> Iterator[ToolSyntaxRegistry]:
    before = default_syntaxes.syntaxes
    yield default_syntaxes
    default_syntaxes.syntaxes = before


def test_a_segment_type_of_ones_own_becomes_a_call(default: ToolSyntaxRegistry) -> None:
    earlier = StreamingResponseHandler("xml")
    register_tool_syntax("sql", "run_sql", query)
    states = ToolStateRegistry()
    states.register("sql", SqlState, bare=True)
    handler = StreamingResponseHandler("xml", registry=states)
    handler.feed('<sql db="main">select 1</sql>')
    assert handler.invocations == [
        ToolInvocation("seg_1", "run_sql", {"query": "select 1", "db": "main"}, raw="select 1")
    ]
    earlier.feed('<sql db="main">select 1</sql>')
    assert earlier.invocations == []


def test_build_is_given_what_start_and_end_said_and_the_name_is_that_of_start() -> None:
    def everything(metadata: Mapping[str, Any], content: str) -> dict[str, Any]:
        return {"metadata": dict(metadata), "content": content}

    invocation = made(everything, "x", {"b": "1 &lt; 2"}, tool_name="Own", call_id="c", a="1")
    assert invocation.name == "Own"
    assert invocation.arguments == {
        "metadata": {"tool_name": "Own", "call_id": "c", "a": "1", "b": "1 < 2"},
        "content": "x",
    }


def test_a_build_that_raises_makes_the_call_malformed() -> None:
    """Only what a ValueError says is told, to the model and to the client: it is about what the model wrote."""
    assert made(query, "select 1") == ToolInvocation(
        *("s", "run_sql", {}, "malformed", False),
        *("the arguments could not be built: KeyError", "select 1"),
    )

    def build(metadata: Mapping[str, Any], content: str) -> dict[str, Any]:
        raise ValueError(f"{content!r} is no SQL")

    assert made(build, "hm").error == "the arguments could not be built: ValueError: 'hm' is no SQL"


@pytest.mark.parametrize(("result", "kind"), [(None, "NoneType"), ([], "list"), ({1: 2}, "dict")])
def test_a_build_that_returns_no_arguments_makes_the_call_malformed(result: Any, kind: str) -> None:
    invocation = made(lambda metadata, content: result, "x")
    assert invocation.status == "malformed"
    assert invocation.error == f"the arguments could not be built: expected a dict with str keys, got {kind}"


def cut(*functions: Any) -> ToolInvocation:
    syntaxes = ToolSyntaxRegistry()
    syntaxes.register("sql", "run_sql", *functions)
    adapter = ToolInvocationAdapter(syntaxes=syntaxes)
    adapter.feed_all([SegmentStart("s", "sql", {"db": "main"}), SegmentContent("s", "drop table us")])
    (invocation,) = adapter.finalize()
    return invocation


def never(metadata: Mapping[str, Any], content: str) -> dict[str, Any]:
    raise AssertionError(f"{content!r} is not complete")


@pytest.mark.parametrize(
    ("functions", "arguments"),
    [
        ((never,), {"db": "main"}),
        ((never, query), {"db": "main", "query": "drop table us"}),
        ((query, never), {"db": "main"}),
    ],
    ids=["no function", "a function", "one that raises"],
)
def test_a_segment_that_is_cut_is_never_given_to_the_function_for_whole_ones(
    functions: tuple[Any, ...], arguments: dict[str, Any]
) -> None:
    error = "the call was cut off before its end"
    assert cut(*functions) == ToolInvocation("s", "run_sql", arguments, "truncated", False, error, "drop table us")


def test_a_type_that_is_taken_must_be_replaced_on_purpose() -> None:
    syntaxes = ToolSyntaxRegistry()
    with pytest.raises(RegistryError, match=r"^the segment type 'run_bash' is registered already: pass replace=True$"):
        syntaxes.register("run_bash", "sh", query)
    syntaxes.register("run_bash", "sh", lambda metadata, content: {"line": content}, replace=True)
    adapter = ToolInvocationAdapter(syntaxes=syntaxes)
    adapter.feed(SegmentStart("s", "run_bash"))
    assert adapter.feed(SegmentEnd("s")) == ToolInvocation("s", "sh", {"line": ""})


def test_a_type_can_be_forgotten() -> None:
    syntaxes = ToolSyntaxRegistry()
    syntaxes.unregister("run_bash")
    adapter = ToolInvocationAdapter(syntaxes=syntaxes)
    adapter.feed(SegmentStart("s", "run_bash"))
    assert adapter.feed(SegmentEnd("s")) is None
    with pytest.raises(RegistryError, match=r"^the segment type 'run_bash' is not registered$"):
        syntaxes.unregister("run_bash")


@pytest.mark.parametrize("names", [("", "x"), ("x", ""), (1, "x"), ("x", None)])
def test_names_must_be_names(names: tuple[Any, Any]) -> None:
    with pytest.raises(RegistryError, match=r"^a segment type and a tool name are non-empty strings, not "):
        ToolSyntaxRegistry().register(*names, query)


def test_build_must_be_a_function() -> None:
    with pytest.raises(RegistryError, match=r"^build must be a function of metadata and content, not 5$"):
        ToolSyntaxRegistry().register("x", "x", 5)  # type: ignore[arg-type]
    with pytest.raises(RegistryError, match=r"^build_partial must be a function of metadata and content, not 5$"):
        ToolSyntaxRegistry().register("x", "x", query, 5)  # type: ignore[arg-type]


def test_an_exception_that_cannot_be_printed_does_not_escape() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def build(metadata: Mapping[str, Any], content: str) -> dict[str, Any]:
        raise MuteError

    assert made(build, "x").error == "the arguments could not be built: MuteError"
