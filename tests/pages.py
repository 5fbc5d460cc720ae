"""The README and the pages of docs/: their texts, and the blocks of Python in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: By their names, as links in the README call them: `README.md`, `docs/events.md`, …
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
#: By the name of the page, its blocks of code, each with the output that stands below it.
BLOCKS: dict[str, list[tuple[str, str]]] = {
    name: blocks
    for name, text in PAGES.items()
    if (blocks := re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
}
