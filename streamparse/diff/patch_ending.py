"""How the text of a patch ends: whether something was cut off there.

+new␤                    whole, as far as this line tells
@@ -1                    announces more: a hunk of which nothing is there
rename fro               a piece of a header, the rest of which is missing
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from streamparse.diff.header_names import path_in
from streamparse.diff.hunk import Hunk

#: A last line without its ending that is one of these or a piece of one announces more.
_ANNOUNCING = (
    *("@@", "diff --git ", "--- ", "+++ ", "*** Begin Patch"),
    *("*** Update File: ", "*** Add File: ", "*** Create File: ", "*** Delete File: "),
    "\\ No newlin",
)
#: A line that names the old file: a removed line seldom looks like that.
_OLD_NAME = re.compile(r'--- (?:"?a/.*|\S*[./]\S*)(?:\t.*)?')
_ANNOUNCED = re.compile(r"diff --git |\*\*\* (?:Update|Add|Create) File: ")
#: What the lines of git's headers begin with, of which the rest may be missing.
_HEADERS = (
    *("old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ", "dissimilarity index "),
    *("rename from ", "rename to ", "copy from ", "copy to ", "index ", "--- ", "+++ "),
    *("GIT binary patch", "Binary files "),
)


@frozen
class Ending:
    """How a text ends: what the caller says of it, and whether its last line begins something that is missing."""

    is_complete: bool = True
    accepts_truncated: bool = False
    announces: bool = False

    @property
    def may_be_cut(self) -> bool:
        """Whether the last hunk may go on."""
        return not self.is_complete and not self.announces

    def is_cut_in_header(self, rest: str) -> bool:
        """Whether a header may go on; `rest` is the last line, if it has no ending."""
        is_piece = bool(rest) and any(header.startswith(rest) or rest.startswith(header) for header in _HEADERS)
        return (self.announces or is_piece) and not self.is_complete and not self.accepts_truncated


def is_header_line(body: str) -> bool:
    """Whether it is a line of git's headers, behind the first."""
    return body.startswith(_HEADERS)


def begins_file(bodies: Sequence[str], hunk: Hunk) -> bool:
    """Whether `--- x`, and perhaps `+++ y`, at the end of a text begin another file, and are no lines of the hunk."""
    if hunk.left == ((1, 0) if len(bodies) == 1 else (1, 1)):
        return False  # its header has counted them
    old, *new = (path_in(body[4:]) for body in bodies)
    is_prefixed = bodies[0].startswith("--- a/") and all(map(old.startswith, new))
    is_behind = hunk.left == (0, 0) and (bool(new) or _OLD_NAME.fullmatch(bodies[0]) is not None)
    return is_prefixed or is_behind


def announces_more(rest: str, hunk: Hunk | None) -> bool:
    """Whether the last line of a text, in that hunk and without its ending, is a piece of one that begins something."""
    if hunk is not None and begins_file([rest], hunk):
        return True
    if not rest or (rest.startswith(("-", "+")) and (hunk is None or hunk.left != (0, 0))):
        return False
    return any(marker.startswith(rest) for marker in _ANNOUNCING) or bool(_ANNOUNCED.match(rest))
