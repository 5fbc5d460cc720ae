"""Arguments whose parameters stand in tags: one text each.

    <parameter=city>                        {"city": "Oslo",
    Oslo
    </parameter>
    <parameter=days>2</parameter>            "days": "2", or 2 if the schema says integer
    {"city": "Oslo"}                        models do that, too

Where they begin and end is the matter of `reader.py`, as it is while the call streams; what a text means is that of
`values.py`, and of `nested.py` where values have parts.

A parameter that is not closed is the rest of the call; if the opener of another one stands in it that is declared and
not given, that one was not closed, either: repaired.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.schema import Schema
from streamparse.arguments.sink import KeptText, ValueTag
from streamparse.core.markers import skip_blanks
from streamparse.core.scanner import StreamScanner
from streamparse.families.calls.chosen import Chosen
from streamparse.families.calls.read_again import ReadAgain
from streamparse.families.json.decoder import JSON_ARGUMENTS
from streamparse.families.tagged.follower import TaggedFollower
from streamparse.families.tagged.grammar import Tags
from streamparse.families.tagged.nested import Nodes
from streamparse.families.tagged.reader import STRAY, TaggedReader
from streamparse.families.tagged.values import Values

#: What some models put around an object that should be the arguments.
_WRAPPERS = ({"arguments"}, {"input"})


class TaggedArguments(ArgumentDecoder):
    """The decoder of formats with such `tags` and `values`."""

    def __init__(self, tags: Tags, values: Values | None = None) -> None:
        self.tags = tags
        self.values = values if values is not None else Values()

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Parameters, or one JSON object."""
        if _is_json(content):
            decoded = JSON_ARGUMENTS.decode_call(content, signature, is_truncated=is_truncated)
            return DecodedCall(_unwrap(decoded.arguments, signature.schema))
        texts = self._sink(signature)
        reader, scanner = self._read(content if is_truncated else content + self.tags.end_text, signature)
        if is_truncated:
            with suppress(ArgumentsError):  # what was read before is not affected
                reader.read_all(texts)
            with suppress(ArgumentsError):
                texts.decode()
        else:
            reader.read_all(texts)
            if scanner.offset < len(content):
                raise ArgumentsError(STRAY)
            texts.decode()
        return DecodedCall(texts.arguments, texts.is_repaired)

    def follow(self, record: Record, signature: Signature) -> Follower | None:
        """Parameter by parameter; what has parts, or is JSON, is read again."""
        if self.tags.is_nested or self.values.has_entities:
            return None
        again = ReadAgain(self, record, signature)

        def choose(beginning: str) -> Follower:
            return again if _is_json(beginning) else TaggedFollower(self.tags, self.values, record, signature)

        return Chosen(choose)

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """What the arguments are if the text ends here; the last one grows, if it is a text."""
        return self._decode_open(content, signature, is_cut=False)

    def decode_cut(self, content: str, signature: Signature) -> dict[str, Any]:
        """What there is of the last one, a piece of its closer too."""
        return self._decode_open(content, signature, is_cut=True)

    def _decode_open(self, content: str, signature: Signature, *, is_cut: bool) -> dict[str, Any]:
        if _is_json(content):
            return _unwrap(JSON_ARGUMENTS.decode_partial(content, signature), signature.schema)
        texts = self._sink(signature)
        reader, _ = self._read(content, signature)
        with suppress(ArgumentsError):  # what was read before is not affected
            reader.read(texts)
            if is_cut:
                reader.finish(texts)
            else:
                reader.cut(texts)
        with suppress(ArgumentsError):
            texts.decode()
            texts.show_open()
        return texts.arguments

    def _read(self, text: str, signature: Signature) -> tuple[TaggedReader, StreamScanner]:
        scanner = StreamScanner(text)
        return TaggedReader(scanner, self.tags, signature.limits.max_held, {}), scanner

    def _sink(self, signature: Signature) -> _Texts | Nodes:
        return Nodes(signature) if self.tags.is_nested else _Texts(self, signature)


def _is_json(content: str) -> bool:
    start = skip_blanks(content, 0)
    return content[start : start + 1] in ("{", '"')


def _unwrap(arguments: dict[str, Any], schema: Schema) -> dict[str, Any]:
    if set(arguments) in _WRAPPERS and not schema.names & set(arguments):
        (inner,) = arguments.values()
        return inner if isinstance(inner, dict) else arguments
    return arguments


class _Parameter(NamedTuple):
    key: str
    tag: ValueTag
    text: str


class _Texts(KeptText):
    """Is told what the reader finds, and decodes it when all of it is known."""

    def __init__(self, decoder: TaggedArguments, signature: Signature) -> None:
        super().__init__()
        self._tags, self._values = decoder.tags, decoder.values
        self._signature = signature
        self._complete: list[_Parameter] = []
        self._open: _Parameter | None = None  # the one in which the text ends
        self._given: set[str] = set()
        self.arguments: dict[str, Any] = {}
        self.is_repaired = False

    def open_value(self, name: str, tag: ValueTag) -> None:
        """A parameter begins."""
        super().open_value(name, tag)
        self._given.add(name)

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete, or its closer is missing."""
        text = self._text.getvalue()
        if is_unclosed:
            if self._tags.has_closer(text):
                raise ArgumentsError(f"{self._name} is closed, but neither a parameter nor the end of the call follows")
            self.is_repaired = True
        self._complete.append(_Parameter(self._name, self._tag, text))

    def drop_value(self) -> None:
        """It has no end."""
        self._open = _Parameter(self._name, self._tag, self._text.getvalue())

    def decode(self) -> None:
        """What is complete."""
        for parameter in self._complete:
            for part in self._split(parameter):
                self._give(part)

    def show_open(self) -> None:
        """What is certain of a parameter that has no end yet; one that is given twice is not shown."""
        if self._open is None or self._open.key in self.arguments:
            return
        key, tag, text = next(self._split(self._open))  # if it is never closed, it ends where the next one begins
        if not tag.is_quoted:
            text = text[: self._tags.find_half_opener(text)]
        value = self._values.read_growing(key, text, tag, self._signature)
        if value is not None:
            self.arguments[key] = value

    def _split(self, parameter: _Parameter) -> Iterator[_Parameter]:
        """The parameters in the text of one that was perhaps not closed."""
        key, tag, text = parameter
        tags, spec, start = self._tags, self._signature.spec, 0
        is_plain = tag.is_quoted or tags.following.heads[0] not in text
        if spec is not None and not is_plain and not tags.has_closer(text):
            for begin, end, name, attributes in tags.find_openers(text):
                if name in spec.parameter_names and name not in self._given:
                    yield _Parameter(key, tag, text[start:begin])
                    self.is_repaired = True
                    self._given.add(name)
                    key, tag, start = name, ValueTag(attributes=attributes), end
        yield _Parameter(key, tag, text[start:])

    def _give(self, parameter: _Parameter) -> None:
        key, tag, text = parameter
        value = self._values.read(key, text, tag, self._signature)
        if key in self.arguments and not is_same(self.arguments[key], value):
            raise ArgumentsError(f"{key} is given twice")
        self.arguments[key] = value
