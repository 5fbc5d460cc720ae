"""Which kind of diff a text is, from its first lines on.

detect("------- SEARCH\\n…")    is  "search_replace": SearchReplaceStream
detect("@@ -1 +1 @@\\n…")       is  "patch": PatchStream, also for `*** Begin Patch`
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from streamparse.diff.lines import BOM
from streamparse.diff.markers import Kind, classify
from streamparse.diff.patch_reader import begins_patch, will_begin_patch

#: So many characters of a line tell whether a patch begins with it.
TELLING = 16

DiffKind: TypeAlias = Literal["search_replace", "patch"]


class Detector:
    """Takes lines until the first that shows the kind; None before that. More lines never change it.

    A marker that is not quite right counts when a separator follows: without one it is prose, such as `# Search`. So do
    `---` and `+++` lines with two names when a hunk follows, as there may be blocks behind them.
    """

    def __init__(self) -> None:
        self.kind: DiffKind | None = None
        self._has_almost_begun = False
        self._has_names = False
        self._before = ""

    def add(self, body: str) -> None:
        """The next line, without its ending."""
        if self.kind is not None:
            return
        marker = classify(body)
        if marker.kind is Kind.START or (self._has_almost_begun and marker.kind is Kind.SEPARATOR):
            self.kind = "search_replace"
        elif begins_patch(body) or (self._has_names and body[:1] in (" ", "+", "-")):
            self.kind = "patch"
        self._has_almost_begun = self._has_almost_begun or marker.may_start
        self._has_names = self._has_names or (self._before.startswith("--- ") and body.startswith("+++ "))
        self._before = body

    def begin(self, beginning: str) -> None:
        """The line that is being written."""
        if self.kind is None and will_begin_patch(beginning):
            self.kind = "patch"


def detect(text: str) -> DiffKind | None:
    """What `text`, or the part of it that is there, shows itself to be; None: nothing yet.

    More text never changes the answer.
    """
    if not isinstance(text, str):
        raise TypeError(f"detect() takes the text of a diff, not {type(text).__name__}")
    detector = Detector()
    *lines, rest = text.removeprefix(BOM).split("\n")
    for line in lines:
        detector.add(line.removesuffix("\r"))
        if detector.kind is not None:
            return detector.kind
    detector.begin(rest)
    return detector.kind
