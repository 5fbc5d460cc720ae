"""The cases of the corpus: texts, and what a format makes of them. `tests/corpus/<format>/<topic>.toml` is their home.

    [defaults]                  # what cases of the file have in common unless they say otherwise: tools_json, config
    tools_json = '[{"name": "get_weather"}]'

    [[case]]
    name = "no closer at the end"                   # unique in the format
    input = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}'
    segments = [["tool_call", {tool_name = "get_weather"}, '{"city": "Oslo"}', {}]]
    calls_json = '[{"name": "get_weather", "arguments": {"city": "Oslo"}}]'

A case gives `segments`, `calls_json` or both. A segment is its type, the metadata of START, the content and the payload
of END, as a bare parser gives them: the verdict of a call is in `calls_json`, and the handler puts it into END. A call
is what `ToolInvocation.to_dict` gives; types count: 1, 1.0, true and "1" differ. What is left out of it is `"type"`,
`"status": "complete"`, `"repaired": false`, `"error": null` and no `call_id`; `id`, `raw`, `content` and `is_declared`
are compared if they are given. Of a call that is not complete so are the arguments and the error, which has to be there
anyway. An error that ends with `*`, in a segment too, is how the error begins. Tools may be given as `tools` as well,
and `config` is a table for `ParserConfig`.

The complete calls of a prefix are the first ones of the whole; where that is not so, the case says it. A text
`is_mended` if a prefix that is the end gives a call that is repaired, and the whole another one instead: that a closer
is data may turn out behind it. A text `is_wild` if its prefixes may give any calls; such a case may give neither
segments nor calls, if all there is to say of it is that it does not depend on its cuts.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import field, frozen

from streamparse import Limits, ParserConfig, ToolSpec
from streamparse.testing import Segment

HERE = Path(__file__).parent
SHARED = {"tools", "tools_json", "config"}
KEYS = SHARED | {"name", "input", "segments", "calls_json", "is_mended", "is_wild"}


@frozen
class Row:
    """What kind of segment there is, and of a call its name and its id."""

    type: str
    name: str = ""
    call_id: str | None = None


@frozen
class Case:
    format: str
    topic: str
    name: str
    text: str
    #: None if the case does not say them.
    segments: list[Segment] | None = None
    calls: list[dict[str, Any]] | None = None
    config: Mapping[str, Any] = field(factory=dict)
    tools: Sequence[Any] = ()
    is_mended: bool = False
    is_wild: bool = False

    def __str__(self) -> str:
        return f"{self.format}/{self.topic}: {self.name}"

    @property
    def rows(self) -> list[Row]:
        return [
            Row(kind, start.get("tool_name", ""), start.get("call_id", end.get("call_id")))
            for kind, start, _, end in self.segments or ()
        ]

    @property
    def options(self) -> dict[str, Any]:
        """What a parser is built with."""
        config = dict(self.config)
        if "limits" in config:
            config["limits"] = Limits(**config["limits"])
        return {"config": ParserConfig(**config), "tools": self.tools}


def case_of(format: str, topic: str, defaults: Mapping[str, Any], row: Mapping[str, Any]) -> Case:
    where = f"{format}/{topic}: {row.get('name')}"
    assert set(row) <= KEYS, f"{where}: {sorted(set(row) - KEYS)}"
    assert row.get("is_wild") or {"segments", "calls_json"} & set(row), f"{where}: what does it give?"
    shared = row if {"tools", "tools_json"} & set(row) else defaults
    return Case(
        format,
        topic,
        row["name"],
        row["input"],
        [tuple(segment) for segment in row["segments"]] if "segments" in row else None,
        json.loads(row["calls_json"]) if "calls_json" in row else None,
        row.get("config", defaults.get("config", {})),
        [
            tool_of(tool)
            for tool in (json.loads(shared["tools_json"]) if "tools_json" in shared else shared.get("tools", ()))
        ],
        row.get("is_mended", False),
        row.get("is_wild", False),
    )


def tool_of(tool: Mapping[str, Any]) -> Any:
    """A tool as it is written, unless it has a kind, which only a ToolSpec can say."""
    return ToolSpec(**tool) if "kind" in tool else tool


@cache
def load() -> tuple[Case, ...]:
    """All of them, by format and topic."""
    found: list[Case] = []
    for file in sorted(HERE.glob("*/*.toml")):
        written = tomllib.loads(file.read_text(encoding="utf-8"))
        defaults = written.get("defaults", {})
        assert set(written) <= {"case", "defaults"}, f"{file}: {sorted(written)}"
        assert set(defaults) <= SHARED, f"{file}: {sorted(defaults)}"
        found += [case_of(file.parent.name, file.stem, defaults, row) for row in written["case"]]
    return tuple(found)


def expected_segments(case: Case, found: Iterable[Segment]) -> list[Segment]:
    """The segments of the case, with the whole sentence where it says how an error begins."""
    assert case.segments is not None
    rows: list[Segment] = [(kind, start, content, dict(end)) for kind, start, content, end in case.segments]
    for row, other in zip(rows, found, strict=False):
        _complete_error(row[3], other[3])
    return rows


def expected_calls(case: Case, found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The calls of the case, with what it leaves open taken from those that were found."""
    assert case.calls is not None
    rows = []
    for row, other in zip(case.calls, found, strict=False):
        plain = {"type": "TOOL_INVOCATION", "status": "complete", "repaired": False, "error": None, **row}
        if plain["status"] != "complete" and "error" not in row:
            plain["error"] = "*"
        _complete_error(plain, other)
        if "is_declared" in other:
            plain.setdefault("is_declared", other["is_declared"])
        for key in {"id", "arguments", "raw", *({"content"} & set(other))} - set(row):
            assert key != "arguments" or plain["status"] != "complete", f"the arguments of {row} are not said"
            plain[key] = other[key]
        rows.append(plain)
    return rows + case.calls[len(rows) :]


def _complete_error(row: dict[str, Any], found: Mapping[str, Any]) -> None:
    error, other = row.get("error"), found.get("error")
    if error and error.endswith("*") and isinstance(other, str) and other and other.startswith(error[:-1]):
        row["error"] = other
