"""Which kind of diff a text is, from its first lines on.

detect("------- SEARCH\\n…")    is  "search_replace": SearchReplaceStream
detect("@@ -1 +1 @@\\n…")       is  "patch": PatchStream, also for `*** Begin Patch`
"""

from __future__ import annotations

import re
from typing import Literal

from streamparse.diff.lines import BOM
from streamparse.diff.markers import Kind, classify

_PATCH = re.compile(r"@@|diff --git |\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File)")


def detect(text: str) -> Literal["search_replace", "patch"] | None:
    """What `text`, or the part of it that is there, shows itself to be; None: nothing yet.

    The first line that shows it decides, so more text never changes the answer. A marker that is not quite right
    counts when a separator follows: without one it is prose, such as `# Search`. So do `---` and `+++` lines with two
    names when a hunk follows, as there may be blocks behind them.
    """
    if not isinstance(text, str):
        raise TypeError(f"detect() takes the text of a diff, not {type(text).__name__}")
    has_almost_begun = has_header = False
    before = ""
    *lines, unfinished = text.removeprefix(BOM).split("\n")
    for line in lines:
        marker = classify(line.removesuffix("\r"))
        if marker.kind is Kind.START or (has_almost_begun and marker.kind is Kind.SEPARATOR):
            return "search_replace"
        if _PATCH.match(line) or (has_header and line[:1] in (" ", "+", "-")):
            return "patch"
        has_almost_begun = has_almost_begun or marker.may_start
        has_header = has_header or (before.startswith("--- ") and line.startswith("+++ "))
        before = line
    return "patch" if _PATCH.match(unfinished) else None
