"""Arguments as tags of their own names, as declared for the tool.

    <path>a.py</path>                       {"path": "a.py",
    <limit> 5 </limit>                       "limit": "5", or 5 if the schema says integer
    <content>                                "content": "a\\n"}
    a

    </content>

Which tags are parameters and where they end is the rule of the states that stream them: `reader.py`.
Values are texts, nothing in them is decoded; the schema says which of them are numbers. The last of several counts.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, decode_text
from streamparse.arguments.step import is_repeatable
from streamparse.core.scanner import StreamScanner
from streamparse.families.cline.grammar import Parameters
from streamparse.families.cline.reader import ParameterReader
from streamparse.families.cline.values import strip_value


class _CallReader(ParameterReader):
    """Keeps the values of one call."""

    def __init__(self, content: str, parameters: Parameters, max_held: int) -> None:
        self._begin_reading(parameters, StreamScanner(content), max_held)
        self.texts: dict[str, str] = {}
        self._value = StringIO()

    def _open_value(self) -> None:
        self._value = StringIO()

    def _close_value(self) -> None:
        before = self.texts.get(self._name)
        is_more = before is not None and self._parameters.is_in_plan and is_repeatable(self._name)
        self.texts[self._name] = f"{before},{self._text()}" if is_more else self._text()

    def _take(self, end: int, *, is_followed: bool) -> None:
        self._value.write(self._scanner.take(end))

    def _take_held(self, *, is_followed: bool, but: int = 0) -> None:
        text = self._scanner.held()
        self._value.write(text[: len(text) - but])
        self._scanner.release()

    def _text(self) -> str:
        return strip_value(self._value.getvalue(), is_raw=self._name in self._parameters.raw)

    @property
    def open_text(self) -> tuple[str, str]:
        """The parameter that is not complete, if there is one, and its value as far as it is certain."""
        is_raw = self._name in self._parameters.raw
        # A carriage return may be half of the last line break.
        return self._name, strip_value(self._value.getvalue().removesuffix("\r" if is_raw else ""), is_raw=is_raw)


class ParameterArguments(ArgumentDecoder):
    """The decoder of the cline formats."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """The tool's closer, which is no part of the content, is what ends the last value."""
        parameters = _parameters_of(signature)
        closer = "" if is_truncated else f"</{parameters.tool}>"
        reader = _CallReader(content + closer, parameters, signature.limits.max_held)
        reader.read()
        if not reader.is_ended:
            reader.finish()
        return DecodedCall(_decode_all(reader, signature), reader.is_mended and not is_truncated)

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """Of the last one, what is there, if it is a text."""
        try:
            reader = _CallReader(content, _parameters_of(signature), signature.limits.max_held)
            reader.read()
            arguments = _decode_all(reader, signature)
        except ArgumentsError:
            return {}
        name, text = reader.open_text
        if name and name not in arguments and signature.schema.property_of(name).stays_string(text):
            arguments[name] = text
        return arguments

    def decode_shown(self, name: str, text: str, signature: Signature) -> Any:
        """Parameters that were complete before START: text, and the schema says what it means."""
        return decode_text(name, text, signature.schema.property_of(name), signature.limits)

    def decode_written(self, name: str, raw: str, signature: Signature, *, is_direct: bool) -> Any:
        """And those that came later."""
        return self.decode_shown(name, raw, signature)


def _parameters_of(signature: Signature) -> Parameters:
    if signature.spec is None:
        raise ArgumentsError(f"{signature.name} is not declared, so its parameters are not known")
    parameters = Parameters.of(signature.spec)
    return parameters.in_plan if signature.is_in_plan else parameters


def _decode_all(reader: _CallReader, signature: Signature) -> dict[str, Any]:
    schema, limits = signature.schema, signature.limits
    return {name: decode_text(name, text, schema.property_of(name), limits) for name, text in reader.texts.items()}


PARAMETER_ARGUMENTS = ParameterArguments()
