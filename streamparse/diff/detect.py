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
    counts when a separator follows: without one it is prose, such as `# Search`.
    """
    has_almost_begun = False
    before = ""
    *lines, unfinished = text.removeprefix(BOM).split("\n")
    for line in lines:
        if _is_patch(before, line):
            return "patch"
        marker = classify(line.removesuffix("\r"))
        if marker.kind is Kind.START or (has_almost_begun and marker.kind is Kind.SEPARATOR):
            return "search_replace"
        has_almost_begun = has_almost_begun or marker.may_start
        before = line
    return "patch" if _is_patch(before, unfinished) else None


def _is_patch(before: str, line: str) -> bool:
    return _PATCH.match(line) is not None or (before.startswith("--- ") and line.startswith("+++ "))
