"""Every case of the corpus: exact segments, whole, by characters, at every 2-way split, finalized at every prefix."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from streamparse import Limits, ParserConfig
from streamparse.testing import assert_chunk_invariant, segments

HERE = Path(__file__).parent


def load() -> list[Any]:
    cases = []
    for file in sorted(file for file in HERE.glob("*/*.toml") if not file.parent.name.startswith("invocations")):
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
            cases.append(pytest.param(file.parent.name, case, id=f"{file.stem}: {case['name']}"))
    return cases


CASES = load()


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    config = dict(case.get("config", {}))
    if "limits" in config:
        config["limits"] = Limits(**config["limits"])
    tools = json.loads(case["tools_json"]) if "tools_json" in case else case.get("tools", ())
    return {"config": ParserConfig(**config), "tools": tools}


@pytest.mark.parametrize(("format", "case"), CASES)
def test_a_case_gives_its_segments_however_it_is_cut(format: str, case: dict[str, Any]) -> None:
    events = assert_chunk_invariant(case["input"], format, **options_of(case))
    assert segments(events) == [tuple(row) for row in case["segments"]]


def test_names_are_unique() -> None:
    names = [param.values[1]["name"] for param in CASES]
    assert sorted(names) == sorted(set(names))
