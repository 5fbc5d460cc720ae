"""The command where neither click nor rich is installed: a real interpreter that sees nothing else."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import attr
import attrs
import pytest

import streamparse
from streamparse import __version__, parse
from tests.cli.command import Done, run, run_process
from tests.cli.test_native import ANTHROPIC, ERROR, OPENAI
from tests.cli.test_parse import REPLY, lines


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (attr, attrs, streamparse):
        package = Path(str(module.__file__)).parent
        (tmp_path / package.name).symlink_to(package)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_bare(bare: Path, *arguments: str, stdin: bytes = b"") -> Done:
    command = [sys.executable, "-S", "-m", "streamparse"]
    return run_process(*arguments, stdin=stdin, command=command, PYTHONPATH=str(bare))


@pytest.mark.parametrize(
    "arguments", [["parse"], ["parse", "--output", "pretty"], ["parse", "--output", "invocations"]]
)
def test_what_needs_the_extra_names_it(bare: Path, arguments: list[str]) -> None:
    complaint = 'streamparse: rich is not installed: run `pip install "llm-streamparse[cli]"`\n'
    assert run_bare(bare, *arguments, stdin=b"hi") == (1, "", complaint)


def test_jsonl_works(bare: Path) -> None:
    expected = lines(*(event.to_dict() for event in parse(REPLY, "xml")))
    assert run_bare(bare, "parse", "--output", "jsonl", "--format", "xml", stdin=REPLY.encode()) == (0, expected, "")


def test_an_api_is_read_as_with_the_extra(bare: Path) -> None:
    options = ["parse", "--output", "jsonl", "--format", "native"]
    for reply in (OPENAI, ANTHROPIC, OPENAI[:1500] + b"\n\n" + ERROR, b"data", b"Hi"):
        assert run_bare(bare, *options, stdin=reply) == run(*options, stdin=reply)
    assert run_bare(bare, *options, stdin=ERROR).code == 1


def test_the_demo_works(bare: Path) -> None:
    code, out, err = run_bare(bare, "demo", "--speed", "0")
    assert (code, err) == (0, "")
    assert re.findall(r"^\[.*", out, re.MULTILINE) == [
        "[reasoning]",
        "[tool_call search]",
        '[complete] search(query="page_count(", limit=5)',
        "[write_file tests/test_paging.py]",
        '[complete] write_file(path="tests/test_paging.py", content=[19 lines])',
        "[patch_file shop/paging.py]",
        '[complete] patch_file(path="shop/paging.py", patch=[11 lines])',
        "[run_bash]",
        "[complete] run_bash(command=[1 line])",
        "[run_bash]",
        "[truncated] run_bash(command=[1 line])",
    ]
    assert out.startswith("[reasoning]\nThe last page is missing.")
    assert out.endswith(
        "\n\n[run_bash]\ncd shop && rm -rf ./\n[truncated] run_bash(command=[1 line])\n"
        "\n"
        "626 tokens, 11 segments, 5 calls: 4 complete, 1 truncated.\n"
        "The last one was cut off: it is truncated, so nobody runs it.\n"
    )


def test_help_and_version_work(bare: Path) -> None:
    assert run_bare(bare, "--version") == (0, f"streamparse {__version__}\n", "")
    code, out, err = run_bare(bare)
    assert (code, err) == (0, "")
    assert 'pip install "llm-streamparse[cli]"' in out
    assert "141  the reader of the output went away" in out


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["parse", "--chunk", "0"], 2, "argument --chunk: '0' is not a number of characters, at least 1"),
        (
            ["demo", "--speed", "nan"],
            2,
            "argument --speed: the speed is 0 (no pauses), or at least 0.1 tokens per second",
        ),
        (["parse", "--output", "jsonl", "nowhere"], 1, "cannot read nowhere: No such file or directory"),
    ],
)
def test_it_ends_as_with_the_extra(bare: Path, arguments: list[str], code: int, complaint: str) -> None:
    assert run_bare(bare, *arguments) == (code, "", f"streamparse: {complaint}\n")
