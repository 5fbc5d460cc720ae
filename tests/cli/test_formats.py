"""`streamparse formats`: all of them in short, one in full."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from streamparse import formats, parse
from streamparse.formats.models import models_of
from tests.cli.command import run
from tests.cli.test_without_extra import bare, run_bare

assert bare  # the fixture: pytest finds it by its name in this module

TOOL = {
    "name": "get_weather",
    "description": "The weather in a city for some days.",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "examples": ["Oslo"]},
            "days": {"type": "integer", "default": 2},
        },
        "required": ["city"],
    },
}
MODELS = [f"{name} (open)" if how == "open" else name for name, how in models_of(formats.get("hermes"))]
CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\n</tool_call>'


def test_every_format_is_listed_with_its_models_and_a_call() -> None:
    code, out, err = run("formats")
    assert (code, err) == (0, "")
    assert [line.split(",")[0] for line in out.splitlines() if re.match(r"\w", line)] == list(formats.names())
    assert (
        "longcat\n"
        "  models  *longcat*thinking* (open), *longcat*\n"
        '  call    <longcat_tool_call>\\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}\\n'
        "</longcat_tool_call>\n\n"
    ) in out
    assert (
        "native, also api_tool_call\n"
        "  call    (the format 'native' has no text for calls: give the tools to the provider's own interface)\n\n"
    ) in out
    assert "(open): the prompt opens the reasoning" in out.splitlines()[-2]


@pytest.mark.parametrize("name", ["hermes", "qwen25"])
def test_one_format_is_shown_with_its_events_and_its_prompt(name: str) -> None:
    events = [json.dumps(event.to_dict()) for event in parse(CALL, "hermes")]
    parts = [
        f"hermes, also qwen25\nmodels: {', '.join(MODELS)}",
        f"A call:\n\n{CALL}",
        "The events it gives:\n\n" + "\n".join(events),
        f"For the system prompt:\n\n{formats.get('hermes').instructions([TOOL])}\n",
    ]
    assert run("formats", name) == (0, "\n\n".join(parts), "")


def test_a_format_without_text_says_why() -> None:
    why = "(the format 'auto' only reads calls: choose the format that your model writes)"
    assert run("formats", "auto") == (0, f"auto\n\nA call:\n\n{why}\n", "")


@pytest.mark.parametrize(
    ("model", "format", "begins"),
    [("Qwen/QwQ-32B", "hermes", "within reasoning"), ("qwen3:8b", "qwen3", "outside of reasoning")],
)
def test_the_name_of_a_model_shows_its_format(model: str, format: str, begins: str) -> None:
    described = run("formats", format)[1]
    assert run("formats", model) == (0, f"{model} writes {format}, and its replies begin {begins}.\n\n{described}", "")


def test_an_unknown_format_is_wrong_usage() -> None:
    code, out, err = run("formats", "nope")
    assert (code, out) == (2, "")
    assert err.startswith("streamparse: unknown format 'nope': `streamparse formats` lists")


@pytest.mark.parametrize("arguments", [["formats"], ["formats", "hermes"], ["formats", "nope"]])
def test_it_works_without_the_extra(bare: Path, arguments: list[str]) -> None:
    assert run_bare(bare, *arguments) == run(*arguments)
