"""Which kind of diff a text is, from its first lines on.

detect("------- SEARCH\\n…")    is  "search_replace": SearchReplaceStream
detect("@@ -1 +1 @@\\n…")       is  "patch": PatchStream, also for `*** Begin Patch`
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from streamparse.diff.lines import LineFeed, body_of
from streamparse.diff.markers import Kind, classify
from streamparse.diff.patch_line import will_begin_patch
from streamparse.diff.patch_outside import PatchOutside
from streamparse.diff.patch_reader import parts_of

#: So many characters of a line tell whether a patch begins with it.
_TELLING = 16

DiffKind: TypeAlias = Literal["search_replace", "patch"]


class Detector:
    """Takes a text in pieces until a line shows its kind, which is None before that. More text never changes it.

    It keeps the text until `take` or `finish` gives it to the stream that is made for that kind.

    A marker that is not quite right counts when a separator follows: without one it is prose, such as `# Search`. So do
    `*** Update File: x`, or `---` and `+++` lines with two names, when a hunk follows: behind these may be blocks, too.
    """

    def __init__(self) -> None:
        self.kind: DiffKind | None = None
        self._kept: list[str] = []
        self._feed = LineFeed()
        self._has_almost_begun = False
        self._outside = PatchOutside()

    def feed(self, delta: str) -> None:
        """The next piece, cut anywhere."""
        lines = self._feed.feed(delta)
        self._kept.append(delta)
        for line in lines:
            if self.kind is not None:
                return
            self._add(body_of(line))
        if self.kind is None and will_begin_patch(self._feed.beginning(_TELLING)):
            self.kind = "patch"

    def take(self) -> str:
        """All of the text so far, which is not kept any longer."""
        kept, self._kept = self._kept, []
        return "".join(kept)

    def finish(self) -> str:
        """There is no more, and the kind is not known: takes all of the text. Its last line counts without its ending.

        Lines of a hunk are a patch, and so is a line `*** Update File: x` with no block behind it.
        """
        text = self.take()
        self.feed("\n")
        if self.kind is None and (self._outside.has_directive or parts_of(text)[1]):
            self.kind = "patch"
        return text

    def _add(self, body: str) -> None:
        marker = classify(body)
        if marker.kind is Kind.START or (self._has_almost_begun and marker.kind is Kind.SEPARATOR):
            self.kind = "search_replace"
        elif self._outside.begins_with(body):
            self.kind = "patch"
        self._has_almost_begun = self._has_almost_begun or marker.may_start


def detect(text: str) -> DiffKind | None:
    """What `text`, or the part of it that is there, shows itself to be; None: nothing yet.

    More text never changes the answer.
    """
    detector = Detector()
    detector.feed(text)
    return detector.kind
