"""The README's code runs, and prints what the README says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
GUARANTEES = [
    Path(__file__).parent / "properties" / "test_guarantees.py",
    Path(__file__).parent / "properties" / "test_data_is_no_call.py",
]


@pytest.mark.parametrize(("code", "output"), BLOCKS, ids=range(len(BLOCKS)))
def test_a_block_prints_what_stands_below_it(code: str, output: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (output, "")


def test_every_python_block_has_its_output() -> None:
    assert 0 < len(BLOCKS) == README.read_text(encoding="utf-8").count("```python")


def test_every_guarantee_has_a_property_test_of_its_name() -> None:
    titles = re.findall(r"^(\d)\. \*\*(.+?)\.\*\*", README.read_text(encoding="utf-8"), re.MULTILINE)
    names = [f"test_{number}_{title.lower().replace(', ', '_').replace(' ', '_')}" for number, title in titles]
    source = "".join(file.read_text(encoding="utf-8") for file in GUARANTEES)
    assert len(names) == 8
    assert [name for name in names if not re.search(rf"^def {name}\w*\(", source, re.MULTILINE)] == []
