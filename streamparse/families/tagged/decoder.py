"""Arguments whose parameters stand in tags: one text each.

    <parameter=city>                        {"city": "Oslo",
    Oslo
    </parameter>
    <parameter=days>2</parameter>            "days": "2", or 2 if the schema says integer
    {"city": "Oslo"}                        models do that, too

Where they begin and end is the matter of `reader.py`, as it is while the call streams; what a text means is that of
`values.py`, and of `nested.py` where values have parts.

A parameter that is not closed is the rest of the call. If it is not the last, the next one stands in its text:

    <parameter=city>Oslo <parameter=days>2</parameter>          {"city": "Oslo ", "days": "2"}, repaired

So it is if that one is declared and not given by itself, and the text has no closer in it: a text that has is about
tags, and data. If a text behind it has one, it cannot be told which of the two it is: malformed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from streamparse import deferred
from streamparse.arguments.decoder import ArgumentsError, DecodedCall, GrowingDecoder, Signature, is_same
from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.growing import Growing
from streamparse.arguments.sink import KeptText, ValueTag, never_closed
from streamparse.core.markers import BLANK_CHARACTERS, skip_blanks
from streamparse.core.scanner import StreamScanner
from streamparse.families.calls.chosen import Chosen, ChosenGrowing
from streamparse.families.calls.grammar import NULL
from streamparse.families.calls.growing import GrowingTags
from streamparse.families.calls.read_again import ReadAgain
from streamparse.families.tagged.grammar import Tags
from streamparse.families.tagged.reader import STRAY, TaggedReader
from streamparse.families.tagged.values import Values

if TYPE_CHECKING:
    from streamparse.families.tagged.nested import Nodes

#: How arguments begin that are JSON.
_JSON = ("{", '"')


class TaggedArguments(GrowingDecoder):
    """The decoder of formats with such `tags` and `values`."""

    has_texts = True

    def __init__(self, tags: Tags, values: Values | None = None) -> None:
        self.tags = tags
        self.values = values if values is not None else Values()

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """Parameters, or one JSON object."""
        if _is_json(content) or content.strip(BLANK_CHARACTERS) == NULL:
            return _json_arguments().decode_call(content, signature, is_truncated=is_truncated)
        if not is_truncated and not self.tags.is_nested:
            arguments = self._read_plain(content, signature)
            if arguments is not None:
                return DecodedCall(arguments)
        texts = _nodes(signature) if self.tags.is_nested else _Texts(self, signature)
        scanner = StreamScanner(content if is_truncated else content + self.tags.end_text)
        reader = TaggedReader(scanner, self.tags, signature.limits.max_held, {})
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

    def _read_plain(self, content: str, signature: Signature) -> dict[str, Any] | None:
        """The arguments of the usual call; None if a parameter is given twice, or not all of it is plain."""
        found = self.tags.read_plain(content)
        if found is None or len({key for key, _, _ in found}) < len(found):
            return None
        return {key: self.values.read(key, text, ValueTag(False, tag), signature) for key, tag, text in found}

    def follow(self, record: Record, signature: Signature) -> Follower | None:
        """Parameter by parameter; JSON is read again."""

        def choose(beginning: str) -> Follower:
            if _is_json(beginning):
                return ReadAgain(self, record, signature)
            follower: Follower
            if self.tags.is_nested:
                nested = deferred.load("streamparse.families.tagged.follower", "NestedFollower")
                follower = nested(self.tags, record, signature)
            else:
                tagged = deferred.load("streamparse.families.tagged.follower", "TaggedFollower")
                follower = tagged(self.tags, self.values, record, signature)
            return follower

        return Chosen(choose)

    def grow(self, signature: Signature) -> Growing:
        """What the arguments are if the text ends here; the last one grows, if it is a text."""

        def choose(beginning: str) -> Growing:
            if _is_json(beginning):
                return _json_arguments().grow(signature)
            return (_GrowingNodes if self.tags.is_nested else _GrowingTexts)(self, signature)

        return ChosenGrowing(choose)


def _nodes(signature: Signature) -> Nodes:
    nodes: Nodes = deferred.load("streamparse.families.tagged.nested", "Nodes")(signature)
    return nodes


def _json_arguments() -> GrowingDecoder:
    decoder: GrowingDecoder = deferred.load("streamparse.families.json.decoder", "JSON_ARGUMENTS")
    return decoder


def _is_json(content: str) -> bool:
    start = skip_blanks(content, 0)
    return content[start : start + 1] in _JSON


class _GrowingTexts(GrowingTags):
    """Parameters that are texts."""

    _sink: _Texts
    _reader: TaggedReader

    def __init__(self, decoder: TaggedArguments, signature: Signature) -> None:
        scanner = StreamScanner()
        reader = TaggedReader(scanner, decoder.tags, signature.limits.max_held, {})
        super().__init__(scanner, reader, _Texts(decoder, signature))

    def show(self) -> dict[str, Any]:
        """A closer that waits for what follows it may be data."""
        return self._sink.show()

    def cut(self) -> dict[str, Any]:
        """A closer that waits for what follows it counts, and what stands in another's text began there."""
        self._finish()
        return self._sink.show(is_cut=True)


class _GrowingNodes(GrowingTags):
    """Parameters that may have parts."""

    _sink: Nodes

    def __init__(self, decoder: TaggedArguments, signature: Signature) -> None:
        scanner = StreamScanner()
        reader = TaggedReader(scanner, decoder.tags, signature.limits.max_held, {})
        super().__init__(scanner, reader, _nodes(signature))

    def show(self) -> dict[str, Any]:
        """What is complete, and an argument that is a text."""
        return self._sink.show()


class _Parameter(NamedTuple):
    key: str
    tag: ValueTag
    text: str


class _Shown(NamedTuple):
    """What is complete."""

    arguments: dict[str, Any]
    given: set[str]  # the names of the parameters, also of those in the texts of others
    is_certain: bool  # all of it can be read, and nothing in it is in doubt


class _Texts(KeptText):
    """Is told what the reader finds, and decodes it when all of it is known."""

    def __init__(self, decoder: TaggedArguments, signature: Signature) -> None:
        super().__init__()
        self._tags, self._values = decoder.tags, decoder.values
        self._signature = signature
        self._complete: list[_Parameter] = []
        self._given: set[str] = set()
        self._shown: _Shown | None = None  # of what is complete, until there is more of that
        self._searched = 0  # up to here nothing begins another one in what is open …
        self._has_tags = False  # … unless something does
        self.arguments: dict[str, Any] = {}
        self.is_repaired = False

    def open_value(self, name: str, tag: ValueTag) -> None:
        """A parameter begins."""
        super().open_value(name, tag)
        self._given.add(name)
        self._shown = None
        self._has_tags = False
        self._searched = 0

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete, or its closer is missing."""
        parameter = self._parameter
        if is_unclosed:
            if self._tags.has_closer(parameter.text):
                raise ArgumentsError(f"{self._name} is closed, but neither a parameter nor the end of the call follows")
            self.is_repaired = True
        self._complete.append(parameter)
        self._shown = None
        self.is_open = False

    def drop_value(self) -> None:
        """It has no end."""

    @property
    def _parameter(self) -> _Parameter:
        """The one that is being read."""
        return _Parameter(self._name, self._tag, self._text.getvalue())

    def decode(self) -> None:
        """What is complete."""
        self._decode(self._complete, self._given)

    # -- while they come ----------------------------------------------------------------------------------------------

    def show(self, *, is_cut: bool = False) -> dict[str, Any]:
        """What is complete, as far as it can be read, and what is certain of a parameter that has no end yet.

        One that is given twice is not shown. `is_cut`: nothing more comes, so what was in doubt is decided.
        """
        if self._shown is None or is_cut:
            self._shown = self._show_complete(is_cut=is_cut)
        arguments, given, is_certain = self._shown
        if not is_certain or not self.is_open or self._name in arguments:
            return arguments
        text = self._cut_tags(self._text.getvalue(), given)
        value = self._values.read_growing(self._name, text, self._tag, self._signature, stays_text=self.stays_text)
        self.stays_text = value is not None
        return arguments if value is None else {**arguments, self._name: value}

    def _cut_tags(self, text: str, given: set[str]) -> str:
        """`text` of an open parameter: if that is never closed, it ends where the next one begins, or may begin."""
        if self._tag.is_quoted:
            return text
        tags, new = self._tags, text[self._searched :]
        if not self._has_tags and tags.following.heads[0] in new:
            self._has_tags = tags.has_closer(new) or bool(tags.find_openers(new))
        if self._has_tags:
            before = next(self._split(_Parameter(self._name, self._tag, text), set(given))).text
            return before if len(before) < len(text) else text[: tags.find_half_opener(text)]
        self._searched += tags.find_half_opener(new)
        return text[: self._searched]

    def _show_complete(self, *, is_cut: bool) -> _Shown:
        self.arguments = {}
        given = set(self._given)
        try:
            is_certain = self._decode(self._complete, given, is_over=is_cut)
        except ArgumentsError:
            is_certain = False
        return _Shown(self.arguments, given, is_certain)

    # -- values -------------------------------------------------------------------------------------------------------

    def _decode(self, complete: list[_Parameter], given: set[str], *, is_over: bool = True) -> bool:
        """Read what is complete; False if the call goes on, and one of them may have others in it.

        Of that only the beginning is certain, and nothing of those behind it: the others may be given by themselves.
        """
        split = ""  # the first that was not closed
        for parameter in complete:
            if split and not parameter.tag.is_quoted and self._tags.has_closer(parameter.text):
                raise ArgumentsError(never_closed(split))
            parts = list(self._split(parameter, given))
            if len(parts) > 1 and not is_over:
                key, tag, text = parts[0]
                value = self._values.read_growing(key, text, tag, self._signature, stays_text=False)
                if value is not None:
                    self.arguments.setdefault(key, value)
                return False
            for part in parts:
                self._give(part)
            split = split or (parameter.key if len(parts) > 1 else "")
        return True

    def _split(self, parameter: _Parameter, given: set[str]) -> Iterator[_Parameter]:
        """The parameters in the text of one that was perhaps not closed; the names of all are `given`."""
        key, tag, text = parameter
        tags, spec, start = self._tags, self._signature.spec, 0
        is_plain = tag.is_quoted or tags.following.heads[0] not in text
        if spec is not None and not is_plain and not tags.has_closer(text):
            for begin, end, name, attributes in tags.find_openers(text):
                if name in spec.parameter_names and name not in given:
                    yield _Parameter(key, tag, text[start:begin])
                    self.is_repaired = True
                    given.add(name)
                    key, tag, start = name, ValueTag(attributes=attributes), end
        yield _Parameter(key, tag, text[start:])

    def _give(self, parameter: _Parameter) -> None:
        key, tag, text = parameter
        value = self._values.read(key, text, tag, self._signature)
        if key in self.arguments and not is_same(self.arguments[key], value):
            raise ArgumentsError(f"{key} is given twice")
        self.arguments[key] = value
