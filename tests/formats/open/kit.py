"""How the tests of open-model formats say what they expect, and how every text of theirs is run.

A case is a text and the rows it must give: `T` text, `R` reasoning, `C` a call. The rows say segments and invocations
at once; `check` runs the text whole, by single characters, cut in two, and ended at its prefixes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from zlib import crc32

from attrs import field, frozen

from streamparse import ParserConfig, SegmentEvent, StreamingResponseHandler, ToolInvocation, formats
from streamparse.testing import check_order, normalize, segments
from streamparse.testing.checks import is_prefix

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

#: At how many places a text is cut; `make fuzz` cuts at all of them.
CUTS = 100_000 if "STREAMPARSE_FUZZ" in os.environ else 64


def tool(name: str, **properties: Any) -> dict[str, Any]:
    """A tool whose parameters have these types: a JSON type's name, or a schema."""
    schemas = {key: {"type": value} if isinstance(value, str) else value for key, value in properties.items()}
    return {"name": name, "parameters": {"type": "object", "properties": schemas}}


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


Call: TypeAlias = tuple[str, dict[str, Any], str, str | None]


def seen(invocation: ToolInvocation) -> Call:
    return invocation.name, invocation.arguments, invocation.status, invocation.call_id


@frozen
class Run:
    """What came of a text."""

    shown: list[SegmentEvent]
    events: list[SegmentEvent]
    invocations: list[ToolInvocation]

    @property
    def calls(self) -> list[Call]:
        return [seen(invocation) for invocation in self.invocations]

    @property
    def segments(self) -> list[Any]:
        return segments(self.events)


def run(chunks: Iterable[str], format: str | Sequence[str], **options: Any) -> Run:
    """Feed and finalize; `shown` are the events before finalize, both normalized."""
    handler = StreamingResponseHandler(format, **options)
    events = [event for chunk in chunks for event in handler.feed(chunk)]
    shown = normalize(events)
    events += handler.finalize()
    check_order(events)
    return Run(shown, normalize(events), list(handler.invocations))


def places(text: str, count: int = CUTS) -> list[int]:
    """Where to cut: everywhere in a short text, at `count` places of a long one, always the same."""
    inner = range(1, len(text))
    if len(inner) <= count:
        return list(inner)
    return sorted(random.Random(crc32(text.encode("utf-8", "surrogatepass"))).sample(inner, count))


def check(text: str, format: str | Sequence[str], *, cuts: int = CUTS, is_wild: bool = False, **options: Any) -> Run:
    """Run `text` in every way; assert the guarantees that hold for all of them; return what the whole gives.

    A wild text may hold calls that are mended where the text ends: its prefixes may give other calls than the whole.
    """
    whole = run([text], format, **options)
    by_character = run(text, format, **options)
    assert by_character.events == whole.events, f"by single characters: {by_character.segments}\n{whole.segments}"
    assert by_character.calls == whole.calls
    for place in places(text, cuts):
        parts = [text[:place], text[place:]]
        halves = run(parts, format, **options)
        assert halves.events == whole.events, f"cut as {parts}: {halves.segments}\nwhole: {whole.segments}"
        assert halves.calls == whole.calls
        prefix = run(parts[:1], format, **options)
        assert is_prefix(prefix.shown, whole.events), f"{parts[0]!r} shows {prefix.shown}; taken back: {whole.events}"
        if not is_wild:
            check_end(prefix, whole, parts[0])
    return whole


def check_end(prefix: Run, whole: Run, text: str) -> None:
    """Ended there, the complete calls of a prefix are the whole's first ones."""
    complete = [call for call in prefix.calls if call[2] == "complete"]
    expected = [call for call in whole.calls if call[2] == "complete"][: len(complete)]
    assert complete == expected, f"{text!r} ended there gives {complete}; the whole {whole.calls}"


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
