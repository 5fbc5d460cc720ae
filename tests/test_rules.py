"""The tables of docs/rules.md say what is true: every row is read and run, whole and cut as finely as can be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from streamparse import Limits, ParserConfig, ToolInvocation, formats, parse
from streamparse.diff import apply_patch, apply_search_replace, apply_to_tree, detect, str_replace
from streamparse.errors import RenderError
from streamparse.events import SegmentEvent
from streamparse.formats.shipped import SHIPPED
from streamparse.plans import build_plans
from streamparse.testing import Segment, normalize, segments

PAGE = (Path(__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
#: These formats have a section each; all others have a row in the tables of section 8.
WITH_SECTIONS = {"auto", "xml", "json", "sentinel", "native", "cline", "roo"}

_CELL = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
_SEGMENT = re.compile(r"([a-z_]+)(\{.*\})?")
_CALL = re.compile(r"(?P<name>[^{]*)(?P<arguments>\{.*\})", re.DOTALL)
_SAID = re.compile(
    r"(?: id (?P<id>\S+))?(?P<repaired> repaired)?(?P<truncated> truncated)?(?: malformed: (?P<error>.+))?"
)


# -- the page ----------------------------------------------------------------------------------------------------------


def tables(*heads: str) -> list[list[str]]:
    """The rows of all tables whose first cells are `heads`."""
    found: list[list[str]] = []
    is_in = False
    for line in PAGE.splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in _CELL.split(line)[1:-1]]
        if not cells:
            is_in = False
        elif cells[: len(heads)] == list(heads):
            is_in = True
        elif is_in and set(cells) != {"---"}:
            found.append(cells)
    return found


def codes(cell: str) -> list[str]:
    """The pieces of code in a cell, as they are meant."""
    return [_meant(match[1], match[2]) for match in _CODE.finditer(cell)]


def _meant(quotes: str, text: str) -> str:
    if len(quotes) > 1:
        text = text.removeprefix(" ").removesuffix(" ")
    return text.replace("␠", " ").replace("␤", "\n")


def code(cell: str) -> str:
    (text,) = codes(cell)
    return text


# -- rows --------------------------------------------------------------------------------------------------------------


@frozen
class Row:
    rule: str
    format: str
    options: dict[str, Any]
    input: str | list[Any]
    segments: list[Segment]
    #: What the page says of the calls.
    calls: list[str]

    def __str__(self) -> str:
        return f"{self.format}: {self.rule}"


def row_of(rule: str, format: str, written: str, found: str, calls: str) -> Row:
    settings = codes(format)
    text = code(written)
    return Row(
        rule,
        format.partition(" ")[0],
        json.loads(settings[0]) if settings else {},
        json.loads(text) if text.startswith(('["', '[{"call', '[{"reasoning')) else text,
        [segment_of(part) for part in found.split("<br>")],
        [] if calls == "none" else calls.split("<br>"),
    )


def segment_of(part: str) -> Segment:
    kind, *rest = codes(part)
    match = _SEGMENT.fullmatch(kind)
    assert match, part
    end = json.loads(rest.pop()[3:]) if rest and rest[-1].startswith("END{") else {}
    assert len(rest) <= 1, part
    return match[1], json.loads(match[2] or "{}"), rest[0] if rest else "", end


ROWS = [row_of(*cells) for cells in tables("rule", "format", "input")]


def chunks_of(row: Row, *, by_characters: bool) -> list[Any]:
    """The input as a stream: of a text, or of the chunks of a provider."""
    if isinstance(row.input, str):
        return list(row.input) if by_characters else [row.input]
    found: list[Any] = []
    for part in row.input:
        if isinstance(part, str):
            found += [_delta(content=piece) for piece in (part if by_characters else [part])]
        elif "reasoning" in part:
            text = part["reasoning"]
            found += [_delta(reasoning_content=piece) for piece in (text if by_characters else [text])]
        elif "finish" in part:
            found.append({"choices": [{"delta": {}, "finish_reason": part["finish"]}]})
        else:
            found += _call_deltas(part, by_characters=by_characters)
    return found


def _delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"delta": fields}]}


def _call_deltas(part: dict[str, Any], *, by_characters: bool) -> Iterator[dict[str, Any]]:
    first = {"index": part["call"], "id": part["id"], "function": {"name": part["name"], "arguments": ""}}
    yield _delta(tool_calls=[first])
    for piece in part["arguments"] if by_characters else [part["arguments"]]:
        yield _delta(tool_calls=[{"index": part["call"], "function": {"arguments": piece}}])


def run(row: Row, *, by_characters: bool) -> tuple[list[SegmentEvent], list[ToolInvocation]]:
    options = dict(row.options)
    tools = options.pop("tools", ())
    if "limits" in options:
        options["limits"] = Limits(**options["limits"])
    events: list[SegmentEvent] = []
    calls: list[ToolInvocation] = []
    chunks = chunks_of(row, by_characters=by_characters)
    for item in parse(chunks, row.format.split("+"), invocations=True, config=ParserConfig(**options), tools=tools):
        if isinstance(item, ToolInvocation):
            calls.append(item)
        else:
            events.append(item)
    return normalize(events), calls


def check_call(said: str, call: ToolInvocation) -> None:
    shown = _CODE.match(said)
    assert shown, said
    written, rest = _CALL.fullmatch(_meant(shown[1], shown[2])), _SAID.fullmatch(said[shown.end() :])
    assert written, said
    assert rest, said
    status = "truncated" if rest["truncated"] else "malformed" if rest["error"] else "complete"
    assert (call.name, call.arguments) == (written["name"], json.loads(written["arguments"]))
    assert json.dumps(call.arguments, sort_keys=True) == json.dumps(json.loads(written["arguments"]), sort_keys=True)
    assert (call.call_id, call.repaired, call.status) == (rest["id"], bool(rest["repaired"]), status)
    if rest["error"]:
        assert call.error is not None
        error = rest["error"]
        assert call.error.startswith(error[:-1].rstrip()) if error.endswith("…") else call.error == error


# -- the tables --------------------------------------------------------------------------------------------------------


def test_the_tables_cover_all_sections() -> None:
    assert len(ROWS) >= 40
    assert {"xml", "json", "sentinel", "native", "cline", "roo", "auto", "hermes"} <= {row.format for row in ROWS}


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_is_true_however_its_input_is_cut(row: Row) -> None:
    whole, calls = run(row, by_characters=False)
    assert segments(whole) == row.segments
    assert len(calls) == len(row.calls)
    for said, call in zip(row.calls, calls, strict=True):
        check_call(said, call)
    assert run(row, by_characters=True) == (whole, calls)


@pytest.mark.parametrize(
    ("name", "call", "reasoning", "auto"),
    [cells[:4] for cells in tables("format (aliases)")],
    ids=lambda cell: cell.partition(" ")[0] if "`" not in cell else "",
)
def test_a_format_is_as_its_row_says(name: str, call: str, reasoning: str, auto: str) -> None:
    name, _, aliases = name.partition(" ")
    format = formats.get(name)
    assert (format.name, format.aliases) == (name, tuple(re.findall(r"\w+", aliases)))
    assert format.in_auto == (auto == "yes")
    marked = format.reasoning
    assert marked.starts_open == ("begins open" in reasoning)
    said = {"ends": "a call ends it", "if_asked": "a call never ends it", "goes_on": "it goes on behind a call"}
    assert [calls for calls, words in said.items() if words in reasoning] == (
        [] if marked.calls == "ends_implied" else [marked.calls]
    )
    if name != "llama3_code":
        assert format.render_call("f", {"a": "x"}) == code(call)
    items = parse([code(call)], name, invocations=True, config=ParserConfig(reasoning="closed"))
    (made,) = [item for item in items if isinstance(item, ToolInvocation)]
    expected = ("python", {"code": "print(1)"}) if name == "llama3_code" else ("f", {"a": "x"})
    assert (made.name, made.arguments, made.status) == (*expected, "complete")


def test_every_format_has_its_row_or_its_section() -> None:
    listed = [cells[0].partition(" ")[0] for cells in tables("format (aliases)")]
    assert len(listed) == len(set(listed))
    assert set(listed) | WITH_SECTIONS == {shipped.name for shipped in SHIPPED.values()}


@pytest.mark.parametrize("cells", tables("rule", "input", "batches"), ids=lambda cells: cells[0])
def test_a_plan_becomes_these_batches(cells: list[str]) -> None:
    _, text, batches, problems = cells
    (plan,) = build_plans(code(text))
    assert [[step.id for step in batch] for batch in plan.order()] == json.loads(code(batches))
    assert [problem.kind for problem in plan.problems] == ([] if problems == "none" else problems.split(", "))


@pytest.mark.parametrize("cells", tables("format", "call", "text"), ids=lambda cells: f"{cells[0]} {cells[1]}")
def test_a_call_is_written_like_this_or_refused(cells: list[str]) -> None:
    format, call, text = cells
    written = _CALL.fullmatch(code(call))
    assert written
    arguments = json.loads(written["arguments"])
    if text == "refused":
        with pytest.raises(RenderError):
            formats.get(format).render_call(written["name"], arguments)
    else:
        assert formats.get(format).render_call(written["name"], arguments) == code(text)


@pytest.mark.parametrize("cells", tables("rule", "file", "diff"), ids=lambda cells: cells[0])
def test_an_edit_gives_this_file_or_fails(cells: list[str]) -> None:
    _, original, diff, found = cells
    text = code(diff)
    result = (apply_patch if detect(text) == "patch" else apply_search_replace)(code(original), text)
    if found.startswith("failed: "):
        assert not result.ok
        assert result.failures[0].reason == found.removeprefix("failed: ")
    else:
        assert result.ok
        assert (result.edits[0].strategy, result.content) == (found.partition(" ")[0], code(found))


@pytest.mark.parametrize("cells", tables("rule", "text", "old", "new"), ids=lambda cells: cells[0])
def test_a_text_that_is_replaced_gives_this_one_or_fails(cells: list[str]) -> None:
    original, old, new = ("".join(codes(cell)) for cell in cells[1:4])
    result = str_replace(original, old, new)
    if cells[4].startswith("failed: "):
        assert [failure.reason for failure in result.failures] == [cells[4].removeprefix("failed: ")]
    else:
        assert (result.ok, result.content) == (True, code(cells[4]))


@pytest.mark.parametrize("cells", tables("above a block", "there is"), ids=lambda cells: " - ".join(cells[:2]))
def test_a_block_below_this_text_is_for_this_file(cells: list[str]) -> None:
    above, there, meant = code(cells[0]), dict.fromkeys(codes(cells[1]), "x\n"), codes(cells[2])
    for old in ("x\n", ""):
        result = apply_to_tree(there, f"{above}\n<<<<<<< SEARCH\n{old}=======\ny\n>>>>>>> REPLACE\n")
        is_possible = bool(meant) and (meant[0] in there) == bool(old)
        assert [change.path for change in result.changes] == (meant if is_possible else [])
        assert {failure.reason for failure in result.failures} <= {"no_file", "empty_search"}
