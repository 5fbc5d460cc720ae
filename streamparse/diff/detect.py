"""Which kind of diff a text is, from its first lines on.

detect("------- SEARCH\\n…")    is  "search_replace": SearchReplaceStream
detect("@@ -1 +1 @@\\n…")       is  "patch": PatchStream, also for `*** Begin Patch`
"""

from __future__ import annotations

import re
from typing import Literal

_SEARCH = r"[ \t]*(?:-{3,}|<{3,})[ \t]+SEARCH\b"
_PATCH = r"@@|diff --git |\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File)|--- .*\n\+\+\+ "
_ANY = re.compile(rf"^\ufeff?(?:(?P<search>{_SEARCH})|(?P<patch>{_PATCH}))", re.MULTILINE)
_ALMOST = re.compile(r"^[ \t]*[-<=+>*#]+[ \t]*SEARCH\b", re.MULTILINE)


def detect(text: str) -> Literal["search_replace", "patch"] | None:
    """What `text`, or the part of it that is there, shows itself to be; None: nothing yet.

    Markers that are not quite right count if there are no proper ones.
    """
    if match := _ANY.search(text):
        return "search_replace" if match["search"] else "patch"
    return "search_replace" if _ALMOST.search(text) else None
