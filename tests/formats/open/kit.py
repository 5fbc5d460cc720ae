"""How the tests of open-model formats say what they expect, and how every text of theirs is run.

A case is a text and the rows it must give: `T` text, `R` reasoning, `C` a call. The rows say segments and invocations
at once; how a text is run is said in `tests/formats/kit.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from streamparse import ParserConfig, formats
from tests.formats.kit import check, tool

#: The names of the issue, in its order.
NAMES = (
    *("hermes", "qwen3", "longcat", "ernie45", "internlm", "granite20b", "gigachat3", "inkling", "minimax_m1"),
    *("llama3_json", "mistral_v3", "mistral", "granite3", "jamba", "hunyuan_a13b", "apriel", "nemotron_v2", "phi4"),
    *("xlam", "apertus", "cohere_command3", "cohere_command4", "command_r", "deepseek_v3", "deepseek_v31"),
    *("deepseek_v32", "deepseek_v4", "kimi_k2", "kimi_k3", "functionary_v31", "functionary_v32", "harmony"),
    *("solar_open", "qwen3_coder", "mimo", "seed_oss", "glm45", "glm47", "hunyuan3", "minimax_m2", "minimax_m3"),
    *("step3", "dots", "minicpm5", "muse", "pythonic", "olmo3", "lfm2", "functiongemma", "gemma4"),
)
#: Those of them that are there, and one that is written like another.
THERE = tuple(name for name in (*NAMES, "llama4_pythonic") if name in formats.names())

TOOLS = (tool("get_weather", city="string", days="integer"), tool("noop"))
WEATHER: dict[str, Any] = {"city": "Oslo", "days": 2}


@frozen
class Row:
    """One segment, and the invocation it gives if it is a call."""

    type: str
    content: str = ""
    end: dict[str, Any] = field(factory=dict)
    name: str = ""
    arguments: dict[str, Any] | None = None
    call_id: str | None = None
    status: str = "complete"


def T(text: str) -> Row:  # noqa: N802 (as short as possible: there are hundreds)
    return Row("text", text)


def R(text: str, **end: Any) -> Row:  # noqa: N802
    return Row("reasoning", text, end)


def C(name: str, content: str, arguments: dict[str, Any] | None, call_id: str | None = None, **end: Any) -> Row:  # noqa: N802
    """A call. `arguments` may be None where they are not certain: those of a call that is not complete."""
    return Row("tool_call", content, end, name, arguments, call_id, end.get("status", "complete"))


def bad(name: str, content: str) -> Row:
    """A call whose end was seen and whose arguments cannot be decoded: only the invocation says so."""
    return Row("tool_call", content, {}, name, None, None, "malformed")


CUT = {"status": "truncated"}


@frozen
class Case:
    format: str
    title: str
    text: str
    rows: Sequence[Row]
    config: Mapping[str, Any] = field(factory=dict)
    tools: Sequence[Mapping[str, Any]] = TOOLS

    def __str__(self) -> str:
        return f"{self.format}: {self.title}"


def merged(rows: Iterable[Row]) -> list[Row]:
    """The same with adjacent text in one row, and without empty text."""
    found: list[Row] = []
    for row in rows:
        if row.type == "text" and found and found[-1].type == "text":
            found[-1] = T(found[-1].content + row.content)
        elif row.type != "text" or row.content:
            found.append(row)
    return found


def check_case(case: Case) -> None:
    whole = check(case.text, case.format, config=ParserConfig(**case.config), tools=case.tools)
    rows = merged(case.rows)
    assert [_without_sentence(row) for row in whole.segments] == [_segment(row) for row in rows]
    calls = [row for row in rows if row.type == "tool_call"]
    assert [
        call if row.arguments is not None else (call[0], None, *call[2:])
        for call, row in zip(whole.calls, calls, strict=True)
    ] == [(row.name, row.arguments, row.status, row.call_id) for row in calls]


def _segment(row: Row) -> tuple[Any, ...]:
    if row.type != "tool_call":
        return row.type, {}, row.content, row.end
    metadata = {"tool_name": row.name} if row.name else {}
    if row.call_id is not None:
        metadata["call_id"] = row.call_id
    return row.type, metadata, row.content, row.end


def _without_sentence(row: Any) -> Any:
    """Errors are sentences: that there is one is all these tests say of them."""
    *rest, end = row
    if "error" in end:
        assert end["error"]
        end = end | {"error": "?"}
    return (*rest, end)
