"""How parameters in tags are written into a conversation.

    WriteParameters(decoder, "<parameter=$key>\\n$value\\n</parameter>\\n")({"city": "Oslo", "days": 2})

In the template `$key` is the parameter's name, `$value` its text: strings as they are, all else as JSON. `$type` is the
JSON type, `$is_string` true or false. What would be read differently is written differently, if the format has another
way, else refused: each text is read again by the very decoder, to find the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from string import Template
from typing import Any

from attrs import field, frozen

from streamparse.arguments import ArgumentsError, Schema, Signature
from streamparse.arguments.json_text import to_json, type_of, without_marks
from streamparse.config import ParserConfig
from streamparse.errors import RenderError
from streamparse.families.tagged.decoder import TaggedArguments

_CONFIG = ParserConfig()


@frozen(eq=False)
class WriteParameters:
    """Writes arguments, one parameter after the other."""

    decoder: TaggedArguments
    parameter: Template = field(converter=Template)

    def __call__(self, arguments: Mapping[str, Any]) -> str:
        """The arguments as the format writes them."""
        return "".join(self._write(key, value) for key, value in arguments.items())

    def _write(self, key: str, value: Any) -> str:
        for text in self._forms(value):
            written = self._tag(key, text, value)
            if not self._is_doubtful(text) and _is_read_as(self.decoder, written, key, value):
                return written
        raise RenderError(f"{key!r} cannot be written in this format")

    def _tag(self, key: str, text: str, value: Any) -> str:
        return self.parameter.substitute(
            key=self.decoder.tags.write_key(key),
            value=text,
            type=type_of(value),
            is_string="true" if isinstance(value, str) else "false",
        )

    def _forms(self, value: Any) -> Iterator[str]:
        """The ways to write a value, the usual one first."""
        tags, values = self.decoder.tags, self.decoder.values
        if not isinstance(value, str):
            text = to_json(value)
            if tags.is_nested and isinstance(value, dict | list):
                with suppress(RecursionError):  # deeper than Python follows; JSON may do
                    yield self._nest(value)
            if not (tags.ends.pattern.search(text) or tags.find_openers(text) or tags.has_closer(text)):
                yield text
            yield without_marks(text)
            return
        yield value
        if values.breaks != "none":
            yield f"\n{value}\n"
            # One that ends with CR is closed with CRLF, whose LF may be in the template.
            yield f"{value}\r"
            yield f"\n{value}\r\n"
        if tags.quotes:
            yield value.join(tags.quotes)

    def _nest(self, value: Any) -> str:
        """Tags in tags; the types that are lost in them may be known of the whole only."""
        if isinstance(value, dict):
            return "".join(self._tag(key, self._nest(inner), inner) for key, inner in value.items())
        if isinstance(value, list):
            return "".join(self._tag("item", self._nest(inner), inner) for inner in value)
        return value if isinstance(value, str) else to_json(value)

    def _is_doubtful(self, text: str) -> bool:
        """Whether it depends on the tool how the value is read: one that declares such a parameter makes two of it."""
        tags = self.decoder.tags
        is_quoted = tags.quotes is not None and text.startswith(tags.quotes[0])
        return not is_quoted and bool(tags.find_openers(text)) and not tags.has_closer(text)


def _is_read_as(decoder: TaggedArguments, text: str, key: str, value: Any) -> bool:
    """Whether a text is read as this one parameter, by a schema that knows its type."""
    properties = {key: {"type": type_of(value)}}
    signature = Signature(_CONFIG, Schema({"type": "object", "properties": properties}))
    try:
        decoded = decoder.decode_call(text, signature, is_truncated=False)
    except ArgumentsError:
        return False
    return not decoded.is_repaired and to_json(decoded.arguments) == to_json({key: value})
