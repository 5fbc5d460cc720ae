"""The code of all pages, the examples and an application of all kinds of events satisfy mypy and basedpyright."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from streamparse import parse
from tests.pages import BLOCKS, ROOT
from tests.typed import app


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """All code that readers may copy, and the application."""
    for page, blocks in BLOCKS.items():
        for number, (code, _) in enumerate(blocks):
            (tmp_path / f"{Path(page).stem.replace('-', '_')}_{number}.py").write_text(code, encoding="utf-8")
    return [str(path) for path in (*sorted(tmp_path.glob("*.py")), *EXAMPLES, Path(app.__file__))]


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def test_code_for_readers_has_the_right_types(files: list[str], tmp_path: Path) -> None:
    # What is imported is followed for its types, and not checked again: `make lint` does that.
    options = ["--strict", "--follow-imports=silent", "--python-version=3.11", f"--cache-dir={tmp_path / 'cache'}"]
    mypy = [sys.executable, "-m", "mypy", "--config-file=", *options, *files]
    done = subprocess.run(mypy, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert (done.stdout, done.stderr) == (f"Success: no issues found in {len(files)} source files\n", "")


def test_another_checker_finds_no_errors_in_it(files: list[str], tmp_path: Path) -> None:
    settings = {"typeCheckingMode": "standard", "include": files, "extraPaths": [str(ROOT)], "pythonVersion": "3.11"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    pyright = [sys.executable, "-m", "basedpyright", "--level", "error", "--outputjson"]
    done = subprocess.run(
        [*pyright, "--pythonpath", sys.executable, "--project", str(tmp_path)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert (found["generalDiagnostics"], found["summary"]["filesAnalyzed"]) == ([], len(files))


CHUNKS = ["a<run_ba", "sh>l", "s</run_bash>"]


async def test_the_application_runs() -> None:
    async def source() -> object:
        for chunk in CHUNKS:
            yield chunk

    shown = app.run(CHUNKS)
    assert shown[:3] == ["text {}", "aaa", "completecomplete{}"]
    assert "run_bash {'command': 'ls'} ls" in shown
    assert await app.arun(source()) == ["text ", "a", *[app.by_match(event) for event in parse(CHUNKS)]]


def test_the_application_reads_lines_and_blocks() -> None:
    lines = [json.dumps(event.to_dict()) for event in parse(CHUNKS)]
    assert [made.arguments for made in app.read(lines)] == [{"command": "ls"}]
    assert app.blocks("Hi <read_file><path>a</path></read_file>") == ["Hi", {"path": "a"}]
