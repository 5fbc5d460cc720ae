"""The examples run, and print what they should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_an_example_prints_what_is_recorded(name: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout == (EXAMPLES / "expected" / f"{name}.txt").read_text(encoding="utf-8")
