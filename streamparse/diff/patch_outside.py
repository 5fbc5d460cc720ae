"""Whether a patch begins in the text outside of SEARCH/REPLACE blocks, however it begins.

*** Begin Patch            @@ -2 +2 @@            *** Update File: a.py         --- a/x
diff --git a/x b/x         --- a/x, +++ b/x, @@   @@, or +new                  +++ b/x, and a line of a hunk
@@def f():, and a line that is changed

`*** Update File: a.py` alone may also name the file of the next block, and there may be blocks behind two names, too.
"""

from __future__ import annotations

from streamparse.diff.hunk_header import GluedHeading
from streamparse.diff.lines import is_blank
from streamparse.diff.margin import Margin
from streamparse.diff.patch_line import begins_patch, changes_file


class PatchOutside:
    """Takes the lines before the next block, without their endings."""

    def __init__(self) -> None:
        self._before = ""  # the line before
        self._has_names = False  # there were two lines with `---` and `+++`
        #: Whether there was a line `*** Update File: x`.
        self.has_directive = False
        self._is_directed = False  # nothing but lines that may be context is behind it
        self._glued = GluedHeading()
        self._margin = Margin()  # of a patch that is indented as a whole

    def begins_with(self, body: str) -> bool:
        """Whether the next line shows that there is a patch."""
        is_update = changes_file(body)
        is_hunk = (
            self._glued.is_shown_by(body)
            or (self._is_directed and body.startswith(("+", "-")))
            or (self._has_names and body.startswith((" ", "+", "-")))
        )
        self._has_names = self._has_names or (self._before.startswith("--- ") and body.startswith("+++ "))
        self._before = body
        self._is_directed = is_update or (self._is_directed and (is_blank(body) or body.startswith(" ")))
        self.has_directive = self.has_directive or is_update
        return is_hunk or (begins_patch(body) and not is_update) or self._is_indented(body)

    def _is_indented(self, body: str) -> bool:
        may_begin = not self._margin.is_idle or body.startswith((" ", "\t"))
        return may_begin and not self._margin.is_used and bool(self._margin.add(body)) and self._margin.is_used
