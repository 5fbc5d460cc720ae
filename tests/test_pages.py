"""The README and the pages of docs/: their code prints what stands below it, and their links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import BLOCKS, PAGES, ROOT

PROPERTIES = Path(__file__).parent / "properties"
#: Runs each block by itself, in one process for all blocks of a page: what one registers, those behind it can see.
RUN = """
import contextlib, io, json, sys
outputs = []
for number, code in enumerate(json.load(sys.stdin), 1):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(code, f"block {number}", "exec"), {"__name__": "__main__"})
    outputs.append(output.getvalue())
print(json.dumps(outputs))
"""


@pytest.mark.parametrize("page", BLOCKS)
def test_each_block_prints_what_stands_below_it(page: str) -> None:
    codes = json.dumps([code for code, _ in BLOCKS[page]])
    done = subprocess.run([sys.executable, "-c", RUN], input=codes, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert json.loads(done.stdout) == [output for _, output in BLOCKS[page]]


@pytest.mark.parametrize("page", PAGES)
def test_every_python_block_has_its_output(page: str) -> None:
    assert PAGES[page].count("```python") == len(BLOCKS.get(page, ()))


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in link]
    assert [link for link in links if not leads_somewhere(page, link)] == []


def leads_somewhere(page: str, link: str) -> bool:
    name, _, heading = link.partition("#")
    file = (ROOT / page).parent / name if name else ROOT / page
    if not file.exists():
        return False
    return not heading or heading in map(anchor, re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.M))


def anchor(heading: str) -> str:
    """What GitHub makes of a heading, to link to it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_readme_can_be_read_to_its_end() -> None:
    assert len(PAGES["README.md"].splitlines()) <= 180
    assert [page for page in PAGES if page != "README.md" and f"({page})" not in PAGES["README.md"]] == []


def test_every_guarantee_has_a_property_test_of_its_name() -> None:
    titles = re.findall(r"^(\d)\. \*\*(.+?)\.\*\*", PAGES["README.md"], re.MULTILINE)
    names = [f"test_{number}_{title.lower().replace(', ', '_').replace(' ', '_')}" for number, title in titles]
    source = "".join(file.read_text(encoding="utf-8") for file in PROPERTIES.glob("*.py"))
    assert len(names) == 8
    assert [name for name in names if not re.search(rf"^def {name}\w*\(", source, re.MULTILINE)] == []
