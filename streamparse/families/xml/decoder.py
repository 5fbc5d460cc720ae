"""Arguments written as tags.

    <arg name="query">cats &amp; dogs</arg>         {"query": "cats & dogs",
    <arg name="tags"><item>a</item></arg>            "tags": ["a"],
    <limit>5</limit>                                 "limit": "5", or 5 if the schema says integer
    <near><lat>1</lat><lon>2</lon></near>            "near": {"lat": "1", "lon": "2"},
    <code>vector<int> v;</code>                      "code": "vector<int> v;"}

What models write is not XML, so nothing here is an XML parser: an argument is a text up to the closer that fits, and
`reader.py` finds it, as it does while the call streams. What is in it is the matter of `values.py`.
"""

from __future__ import annotations

from typing import Any

from streamparse.arguments.decoder import ArgumentsError, DecodedCall, GrowingDecoder, Signature, decode_text, is_same
from streamparse.arguments.growing import Growing
from streamparse.arguments.sink import KeptText, ValueTag, never_closed
from streamparse.arguments.step import is_repeatable
from streamparse.core.markers import close_tag
from streamparse.core.scanner import StreamScanner
from streamparse.families.calls.growing import GrowingTags
from streamparse.families.xml.grammar import DIRECT_NAMES, holds_argument
from streamparse.families.xml.reader import XmlReader
from streamparse.families.xml.values import GrowingText, decode_value

#: What ends a call; it is no part of its content.
_END, _CLOSER = "</tool>", close_tag("tool")


class _Arguments(KeptText):
    """Is told what the reader finds, and decodes what is complete."""

    def __init__(self, signature: Signature) -> None:
        super().__init__()
        self._signature = signature
        self.found: dict[str, Any] = {}
        self._growing: GrowingText | None = None  # the one that is open, if someone has asked
        self._is_dropped = False  # the last one has no end, or is none

    def open_value(self, name: str, tag: ValueTag) -> None:
        """An argument begins."""
        super().open_value(name, tag)
        self._growing = None
        self._is_dropped = False

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete, or its closer is missing."""
        name, found, signature = self._name, self.found, self._signature
        raw = self._text.getvalue()
        value = XML_ARGUMENTS.decode_written(name, raw, signature, is_direct=self._tag.is_direct)
        if is_unclosed and is_ambiguous(raw, not isinstance(value, str), signature, is_direct=self._tag.is_direct):
            raise ArgumentsError(never_closed(name))
        known = found.get(name)
        if isinstance(known, str) and isinstance(value, str) and signature.is_in_plan and is_repeatable(name):
            value = f"{known},{value}"
        elif name in found and not is_same(known, value):
            raise ArgumentsError(f"{name} is given twice")
        found[name] = value
        self.is_open = False

    def drop_value(self) -> None:
        """It has no end, or is none."""
        self.is_open = False
        self._is_dropped = True

    def show(self, rest: str = "", *, is_cut: bool) -> dict[str, Any]:
        """What is complete, and what is certain of the last one, and of the `rest`; `is_cut`: nothing more comes."""
        name, shown = self._name, dict(self.found)
        is_shown = self.is_open or self._is_dropped if is_cut else self.is_open and not self._may_wrap
        if is_shown and name not in shown:
            if self._growing is None:
                tag = name.lower() if self._tag.is_direct else "arg"
                self._growing = GrowingText(tag, self._signature.schema.property_of(name))
            text = self._text.getvalue()
            value = self._growing.read(text + rest, len(text), is_cut=is_cut)
            if value is not None:
                shown[name] = value
        return shown

    @property
    def _may_wrap(self) -> bool:
        """Whether the tag that is open may turn out to stand around arguments: the tool has some, but not this one."""
        names, tag = self._signature.schema.names, self._name.lower()
        return self._tag.is_direct and bool(names) and tag not in names and tag not in DIRECT_NAMES


class XmlArguments(GrowingDecoder):
    """The decoder of the xml format."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """As `<arg name="…">` or direct tags, inside `<arguments>` or not."""
        arguments = _Arguments(signature)
        reader = _reader(StreamScanner(content if is_truncated else content + _END), signature)
        try:
            reader.read_all(arguments)
        except ArgumentsError:
            if not is_truncated:
                raise
        if reader.has_stray and not arguments.found and not is_truncated:
            raise ArgumentsError("no arguments were found in the text of the call")
        return DecodedCall(arguments.found, reader.is_repaired and not is_truncated)

    def grow(self, signature: Signature) -> Growing:
        """What the arguments are if the text ends here; the last one grows, if it is a text.

        A closer that may turn out to be data ends nothing yet: it would make a text longer, and a text of a number.
        """
        return _Growing(signature)

    def decode_shown(self, name: str, text: str, signature: Signature) -> Any:
        """Attributes, and arguments that were complete before START: text, and the schema says what it means."""
        return decode_text(name, text, signature.schema.property_of(name), signature.limits)

    def decode_written(self, name: str, raw: str, signature: Signature, *, is_direct: bool) -> Any:
        """What stands between the tags of one argument."""
        return decode_value(name, raw, signature.schema.property_of(name), signature.limits, is_direct=is_direct)


class _Growing(GrowingTags):
    """What is held, because it may be an end, is not decided before the text decides: until then a value is open."""

    _reader: XmlReader
    _sink: _Arguments

    def __init__(self, signature: Signature) -> None:
        scanner = StreamScanner()
        super().__init__(scanner, _reader(scanner, signature), _Arguments(signature))

    def _read(self) -> None:
        self._reader.read_to_limits(self._sink)

    def show(self) -> dict[str, Any]:
        is_held = self._scanner.mark >= 0 or self._is_over
        return self._sink.show("" if is_held else self._scanner.buf, is_cut=False)

    def cut(self) -> dict[str, Any]:
        self._finish()
        return self._sink.show(is_cut=True)


def is_ambiguous(raw: str, has_parts: bool, signature: Signature, *, is_direct: bool) -> bool:
    """Whether no one knows where a value was to end that was never closed: other arguments may begin in it.

    Not those that are nested in an `<arg>`, if there is nothing else in it.
    """
    is_nested = has_parts and not is_direct
    return not is_nested and holds_argument(raw, signature.schema.names, is_direct=is_direct)


def _reader(scanner: StreamScanner, signature: Signature) -> XmlReader:
    return XmlReader(scanner, _CLOSER, signature.schema, signature.limits, {})


XML_ARGUMENTS = XmlArguments()
