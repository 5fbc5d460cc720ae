"""Texts: the text and the reasoning of a reply as parts, one after the other.

    texts.begin(SegmentStart("seg_1", "text"), parts)
    texts.feed("Hi.\\n")                     [TextStart("seg_1", False), TextDelta("seg_1", False, "Hi.")]
    texts.end(parts, is_before_call=True)     TextEnd("seg_1", False)

What becomes of the last white space of a text depends on what follows it, so its end waits for that (`note_end`).
`prose.py` decides what is told of it.
"""

from __future__ import annotations

from streamparse.encoders.part import Part, TextDelta, TextEnd, TextStart
from streamparse.encoders.prose import Prose, Thought
from streamparse.events import SegmentEnd, SegmentStart, SegmentType


class Texts:
    """The text and reasoning of a reply. `id` is the segment that is open, or whose end waits; empty if none is."""

    def __init__(self) -> None:
        self.id = ""
        self._prose: Prose | Thought = Thought()
        self._end: SegmentEnd | None = None
        self._fence = ""  # what a text leaves to the next: see `Prose`
        self._gap: str | None = None

    def begin(self, start: SegmentStart, parts: list[Part]) -> None:
        """The next one begins, and the one before it ends."""
        is_text = start.segment_type == SegmentType.TEXT
        self.end(parts, is_before_text=is_text)
        self._prose = Prose(self._fence, self._gap) if is_text else Thought()
        self.id = start.segment_id

    def feed(self, delta: str) -> list[Part]:
        """More of it: what is told of that."""
        prose = self._prose
        was_told = prose.is_told
        text = prose.feed(delta)
        if not text:
            return []
        told = TextDelta(self.id, prose.is_reasoning, text)
        return [told] if was_told else [TextStart(self.id, prose.is_reasoning), told]

    def note_end(self, end: SegmentEnd) -> None:
        """Its segment has ended."""
        self._end = end

    def end_if_over(self, parts: list[Part]) -> None:
        """Something begins that may stand within a text, such as a source: it ends only one whose segment has ended."""
        if self._end is not None:
            self.end(parts)

    def end(self, parts: list[Part], *, is_before_call: bool = False, is_before_text: bool = False) -> None:
        """What follows is known. A text whose segment has not ended was cut off."""
        if not self.id:
            return
        prose, was_told, text = self._prose, self._prose.is_told, ""
        if isinstance(prose, Prose):
            text = prose.end(is_before_call=is_before_call, is_before_text=is_before_text)
            self._fence, self._gap = prose.fence, prose.gap
        if text and not was_told:
            parts.append(TextStart(self.id, prose.is_reasoning))
        if text:
            parts.append(TextDelta(self.id, prose.is_reasoning, text))
        if prose.is_told:
            end = self._end or SegmentEnd(self.id, "truncated")
            parts.append(TextEnd(self.id, prose.is_reasoning, end.reasoning, end.status is not None, end.state))
        self.id, self._end = "", None
