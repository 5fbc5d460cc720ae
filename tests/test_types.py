"""The README's code, the examples and an application of all kinds of events satisfy `mypy --strict`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from streamparse import parse
from tests.typed import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "wire.md"]


def test_code_for_readers_has_the_right_types(tmp_path: Path) -> None:
    for page in PAGES:
        for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)):
            (tmp_path / f"{page.stem}_{number}.py").write_text(block, encoding="utf-8")
    files = [*sorted(tmp_path.glob("*.py")), *sorted((ROOT / "examples").glob("*.py")), Path(app.__file__)]
    assert len(files) > 20
    # What is imported is followed for its types, and not checked again: `make lint` does that.
    options = ["--strict", "--follow-imports=silent", "--python-version=3.11", f"--cache-dir={tmp_path / 'cache'}"]
    mypy = [sys.executable, "-m", "mypy", "--config-file=", *options, *map(str, files)]
    done = subprocess.run(mypy, capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert (done.stdout, done.stderr) == (f"Success: no issues found in {len(files)} source files\n", "")


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
