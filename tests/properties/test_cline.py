"""cline and roo on random calls and random documents: the round trip, the guarantees, and what they look at."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamparse import Limits, ParserConfig, ToolSpec, formats
from streamparse.errors import RenderError
from tests import seeds
from tests.formats.kit import check, run
from tests.properties.cline_rules import NAMES, REQUIRED, read_call
from tests.properties.documents import COUNT
from tests.properties.test_guarantees import COUNT_WORK
from tests.properties.test_open_formats import EXAMPLES, arguments, check_round_trip, cuts, names, prose, tame, wild

FORMATS = ("cline", "roo")

# -- the round trip ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
@given(name=names, given=arguments(tame), before=prose, after=prose, cuts=cuts)
@settings(max_examples=EXAMPLES * 4, deadline=None)
def test_every_plain_call_is_rendered_and_read_back(
    format: str, name: str, given: dict[str, Any], before: str, after: str, cuts: list[float]
) -> None:
    call = formats.get(format).render_call(name, given)
    check_round_trip(format, (name, given), f"{before}\n{call}\n{after}", cuts)


TAGS = [
    "</content>",
    "<content>",
    "</a>",
    "<a>",
    "<f>",
    "</f>",
    "<b>",
    "</f >",
    "\n",
    "\r",
    "\r\n",
    " ",
    "x",
    "&lt;",
    "<",
]
hostile = st.lists(st.sampled_from(TAGS), max_size=6).map("".join)
taken = st.dictionaries(st.sampled_from(["a", "b", "content", "diff"]), hostile | wild, max_size=4)


@pytest.mark.parametrize("format", FORMATS)
@given(given=taken, cuts=cuts)
@settings(max_examples=EXAMPLES * 20, deadline=None)
def test_every_call_is_refused_or_read_back(format: str, given: dict[str, Any], cuts: list[float]) -> None:
    try:
        call = formats.get(format).render_call("f", given)
    except RenderError:
        return
    check_round_trip(format, ("f", given), call + "\nDone.", cuts)


# -- the guarantees ---------------------------------------------------------------------------------------------------

PIECES = [
    *("<write_to_file>", "</write_to_file>", "</write_to_file >", "<path>", "</path>", "<content>", "</content>"),
    *("</content\n>", "\n", "\r\n", "\r", " ", "a", "&amp;", "&am", "<", "</", "x <b> y", "<foo>", "</foo>", "</foo "),
    *("<read_file>", "</read_file>", "<execute_command>", "</execute_command>", "<command>", "</command>", "<timeout>"),
    *(
        "</timeout>",
        "<task_progress>",
        "</task_progress>",
        "<write_to_file>\n<path>",
        "<write_to_file><",
        "<pa",
        "</cont",
    ),
    *(
        "<diff>",
        "</diff>",
        "`",
        "<think>",
        "</think>",
        "<wri",
        "\u00e9",
        "<read_file><path>",
        "</path \n",
        "</command ",
    ),
]
OPENERS = [
    *("", "<write_to_file><path>a</path><content>", "<write_to_file>\n<content>", "<execute_command><command>"),
    *("<read_file>\n<path>", "<write_to_file><path>", "<read_file><foo>"),
]
OWN = [
    ToolSpec("write_to_file", {"properties": {"path": {}, "content": {}, "foo": {"type": "integer"}}}),
    ToolSpec("read_file", {"properties": {"path2": {}}}, raw=("path",)),
    ToolSpec("execute_command", {}, raw=("command",), kind="run_bash"),
]
CONFIGS = [
    ParserConfig(),
    ParserConfig(decode_command_entities=False),
    ParserConfig(tools_in_reasoning=True),
    *(ParserConfig(limits=Limits(max_held=size)) for size in (7, 20, 40)),
]


def test_the_guarantees_hold_for_any_document() -> None:
    rng = seeds.rng(6)
    for _ in range(COUNT * 8):
        text = rng.choice(OPENERS) + "".join(rng.choices(PIECES, k=rng.randint(1, 12)))
        check(text, "cline", cuts=6, is_wild=True, tools=rng.choice([(), OWN]), config=rng.choice(CONFIGS))


RULES = [
    *("<put>", "</put>", "</put >", "<a>", "</a>", "<b>", "</b>", "</b\n>", "<content>", "</content>", "</content >"),
    *("\n", "\r\n", " ", "x", "y", "<foo>", "</foo>", "<bar>", "</bar>", "<", "</", "<pu", "</pu", "</cont", "<con"),
    *("<put>\n<a>", "<put><b>", "<1>"),
]


def test_calls_are_what_the_rules_say() -> None:
    rng = seeds.rng(7)
    put = [ToolSpec("put", {"properties": {name: {} for name in NAMES}, "required": [*REQUIRED]})]
    for _ in range(COUNT * 40):
        first = rng.choice(["<a>", "<content>", "<content>", "<foo>", "<a>1</a><content>", "<b>"])
        text = first + "".join(rng.choices(RULES, k=rng.randint(1, 14)))
        (call, *_) = run([f"<put>{text}"], "cline", tools=put).invocations
        assert (call.arguments, call.status, call.repaired, call.raw) == read_call(text), text


# -- what is looked at ------------------------------------------------------------------------------------------------

FILE = "<write_to_file><path>a</path><content>"
COMMAND = "<execute_command><command>"
FAMILIES = {
    "openers": ("", "<read_file>", "x"),
    "blanks behind an opener": ("<read_file>", " ", "x"),
    "blanks in a closer": (f"{FILE}</content", " ", "x"),
    "blanks in the closer of a call": ("<read_file><path>a</path", " ", "x"),
    "blanks behind a closer": (f"{FILE}</content>", " ", "x"),
    "blanks behind the last closer": (f"{FILE}</write_to_file>", " ", "x"),
    "blanks in a command": (f"{COMMAND}a", " ", "b"),
    "closers": (FILE, "</content>", ""),
    "closers before parameters": (FILE, "</content><path>", ""),
    "ends": (FILE, "</write_to_file>x", ""),
    "nested calls": (FILE, "<write_to_file><path>", ""),
    "tags that do not close": ("<read_file>", "<c>", "</read_file>"),
    "tags that close": ("<read_file>", "<c><d></c>", "</read_file>"),
    "parameters that do not close": ("<search_files>", "<path><regex></x>", "</search_files>"),
    "parameters in a command": (f"{COMMAND}a", "<timeout> b ", "</command></execute_command>"),
    "calls to mend": ("", f"{COMMAND}a<timeout>b</execute_command>", ""),
    "calls with text": ("", "<read_file><foo><path>b</path></read_file>", ""),
    "calls without an end": ("", "<read_file><path>", ""),
    "less-than": (FILE, "<", ""),
    "less-than in a command": (COMMAND, "< ", ""),
}


def test_twice_the_text_is_at_most_twice_the_work() -> None:
    done = subprocess.run(
        [sys.executable, str(COUNT_WORK), "cline"],
        input=json.dumps(FAMILIES),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert list(found) == list(FAMILIES)
    growth = {(name, chunk): twice / once for name, by in found.items() for chunk, (once, twice) in by.items()}
    assert {key: ratio for key, ratio in growth.items() if ratio > 2.1} == {}
