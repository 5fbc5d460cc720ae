"""The baseline: what an expert writes by hand when nothing but speed counts.

One class, one `feed`, one loop; no states, no context, no scanner, no registry. It knows text with code spans,
`<write_file path="…">` and the generic `<tool name="…">`, and nothing else: no reasoning, no `<arg>` rules, no
entities, no limits, no tools of its own. The library is measured against it on inputs that both understand, so the
ratio is the price of the design and of the features the input does not use.

It builds the library's own event classes, because an event costs more than all the rest of a feed and the
comparison is about parsing. It is exact on its subset (`benchmarks.verify` proves it before anything is timed) and
it is not hardened: a hostile stream may make it quadratic.
"""

from __future__ import annotations

import re

from streamparse.events import SegmentContent, SegmentEnd, SegmentEvent, SegmentStart, SegmentType

_FLAGS = re.IGNORECASE | re.ASCII
_TEXT = SegmentType.TEXT.value
_TYPES = {"tool": SegmentType.TOOL_CALL.value, "write_file": SegmentType.WRITE_FILE.value}
_REQUIRED = {"tool": ("name", "tool_name"), "write_file": ("path", "path")}  # attribute, key in the metadata

_B = r"[ \t\r\n]"
_NAME = r"[A-Za-z_:][A-Za-z0-9_:.-]*+"
_ATTRIBUTE = rf"{_B}++{_NAME}{_B}*+={_B}*+(?:\"[^\"]*+\"|'[^']*+')"
_CUT_ATTRIBUTE = rf"{_NAME}(?:{_B}*+(?:={_B}*+(?:\"[^\"]*+|'[^']*+)?+)?+)?+"


def _prefixes(word: str) -> str:
    """A pattern for every non-empty proper prefix of `word`, longest first: `tool` -> `t(?:o(?:o)?)?`."""
    pattern = ""
    for character in reversed(word[:-1]):
        pattern = character + (f"(?:{pattern})?" if pattern else "")
    return pattern


# An opening tag, or the end of the buffer cutting one, or a run of backticks.
# Group 4 is set only by a whole tag, group 5 only by backticks.
_MARKUP = re.compile(
    rf"<(?:(tool|write_file)((?:{_ATTRIBUTE})*+)(?:{_B}*+(/?+)(>)|(?:/|{_B}++(?:/|{_CUT_ATTRIBUTE})?+)?+\Z)"
    rf"|(?:{_prefixes('tool')}|{_prefixes('write_file')})?\Z)|(`+)",
    _FLAGS,
)
_WHOLE_TAG, _TICKS = 4, 5
_SPAN = re.compile(r"(`+)|[\r\n]")
_SPLIT_ATTRIBUTE = re.compile(rf"({_NAME}){_B}*+={_B}*+(?:\"([^\"]*)\"|'([^']*)')", re.ASCII)
_CLOSERS = {
    name: re.compile(rf"</(?:{name}{_B}*+(?:(>)|\Z)|(?:{_prefixes(name)})?\Z)|<\Z", _FLAGS)
    for name in ("tool", "write_file")
}


def _metadata(tag: str, attributes: str) -> dict[str, str]:
    """The metadata of an opening tag; empty when an attribute is missing or given twice, which makes the tag text."""
    required, shown = _REQUIRED[tag]
    pairs = _SPLIT_ATTRIBUTE.findall(attributes)
    if len(pairs) == 1:  # nearly every tag: no need to look for a second one of the same name
        name, double, single = pairs[0]
        return {shown: double or single} if name.lower() == required else {}
    names = [name.lower() for name, _, _ in pairs]
    if required not in names or len(set(names)) < len(names):
        return {}
    return {
        shown if folded == required else name: double or single
        for folded, (name, double, single) in zip(names, pairs, strict=True)
    }


class FusedParser:
    """`feed` and `finalize` like `StreamingParser`, for the subset in this module's docstring."""

    __slots__ = ("_closer", "_count", "_fast", "_held", "_id", "_run", "_span", "_type")

    def __init__(self) -> None:
        self._fast = 0  # 1: inside text, 2: inside a body, and nothing is pending; 0: look closer
        self._held = ""  # the cut tag or closer at the end of what was fed
        self._closer: re.Pattern[str] | None = None  # of the open body; None in text
        self._id = ""  # of the open segment
        self._type = _TEXT
        self._count = 0
        self._span = 0  # length of the run of backticks that opened the code span we are in
        self._run = 0  # length of the run of backticks at the very end of what was fed

    def feed(self, chunk: str) -> list[SegmentEvent]:
        """Take the next piece of the stream, give the events that it makes certain."""
        fast = self._fast
        if fast and chunk and "<" not in chunk and (fast == 2 or "`" not in chunk):
            return [SegmentContent(self._id, chunk, self._type)]

        held = self._held
        buf = held + chunk if held else chunk
        held = ""
        size = len(buf)
        events: list[SegmentEvent] = []
        closer = self._closer
        segment = self._id
        span = self._span
        run = self._run
        shown = 0  # where the part begins that is not emitted yet
        at = 0  # where to look next
        if run:
            at = size - len(buf.lstrip("`"))
            run += at

        while at < size:
            if closer is not None:
                found = closer.search(buf, at)
                end = size if found is None else found.start()
                if end > shown:
                    events.append(SegmentContent(segment, buf[shown:end], self._type))
                if found is None:
                    shown = size
                    break
                if found.lastindex is None:
                    held = buf[end:]
                    shown = size
                    break
                events.append(SegmentEnd(segment, None, None, False, None, self._type))
                closer = None
                segment = ""
                self._type = _TEXT
                shown = at = found.end()
                continue

            if run:  # it ended right before `at`
                if run == span:
                    span = 0
                elif not span and run < 3:
                    span = run
                run = 0
            if span:
                found = _SPAN.search(buf, at)
                if found is None:
                    break
                at = found.end()
                if found.lastindex is None:
                    span = 0
                else:
                    run = at - found.start()
                continue

            found = _MARKUP.search(buf, at)
            if found is None:
                break
            group = found.lastindex
            if group == _TICKS:
                at = found.end()
                run = at - found.start()
                continue
            end = found.start()
            if group == _WHOLE_TAG:
                name = found[1].lower()
                metadata = _metadata(name, found[2])
                if not metadata:
                    at = end + 1
                    continue
            if end > shown:
                if not segment:
                    self._count += 1
                    segment = f"seg_{self._count}"
                    events.append(SegmentStart(segment, _TEXT, {}, "xml"))
                events.append(SegmentContent(segment, buf[shown:end], _TEXT))
            if group != _WHOLE_TAG:
                held = buf[end:]
                shown = size
                break
            if segment:
                events.append(SegmentEnd(segment, None, None, False, None, _TEXT))
            self._count += 1
            segment = f"seg_{self._count}"
            self._type = _TYPES[name]
            events.append(SegmentStart(segment, self._type, metadata, "xml"))
            if found[3]:
                events.append(SegmentEnd(segment, None, None, False, None, self._type))
                segment = ""
                self._type = _TEXT
            else:
                closer = _CLOSERS[name]
            shown = at = found.end()

        if shown < size:
            if not segment:
                self._count += 1
                segment = f"seg_{self._count}"
                events.append(SegmentStart(segment, _TEXT, {}, "xml"))
            events.append(SegmentContent(segment, buf[shown:] if shown else buf, _TEXT))
        self._held = held
        self._closer = closer
        self._id = segment
        self._span = span
        self._run = run
        if held or run or span or not segment:
            self._fast = 0
        else:
            self._fast = 1 if closer is None else 2
        return events

    def finalize(self) -> list[SegmentEvent]:
        """No more comes: what was held is text or content after all, and an open call is truncated."""
        events: list[SegmentEvent] = []
        while self._held:
            held, self._held = self._held, ""
            if not self._id:
                self._count += 1
                self._id = f"seg_{self._count}"
                events.append(SegmentStart(self._id, _TEXT, {}, "xml"))
            # Only the `<` is certain: behind it, inside an unclosed quote, a whole tag may have been waiting.
            events.append(SegmentContent(self._id, held[0], self._type))
            events += self.feed(held[1:])
        if self._id:
            status = None if self._closer is None else "truncated"
            events.append(SegmentEnd(self._id, status, None, False, None, self._type))
            self._id = ""
            self._closer = None
        return events
