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

from typing import Any

from streamparse.arguments.decoder import ArgumentsError, DecodedCall, GrowingDecoder, Signature, decode_text
from streamparse.arguments.growing import Growing
from streamparse.arguments.sink import KeptText
from streamparse.arguments.step import is_repeatable
from streamparse.core.scanner import StreamScanner
from streamparse.families.calls.growing import GrowingTags
from streamparse.families.calls.values import strip_value
from streamparse.families.cline.grammar import ClineTool
from streamparse.families.cline.reader import ClineReader


class _Texts(KeptText):
    """Is told what the reader finds, and keeps the values of one call."""

    def __init__(self, parameters: ClineTool) -> None:
        super().__init__()
        self._parameters = parameters
        self.complete: dict[str, str] = {}
        self.first: dict[str, str] = {}  # those that were shown, if another one of the name has come

    def close_value(self, *, is_unclosed: bool = False) -> None:
        """It is complete."""
        text = strip_value(self._text.getvalue(), is_raw=self._name in self._parameters.raw)
        before = self.complete.get(self._name)
        is_more = before is not None and self._parameters.is_in_plan and is_repeatable(self._name)
        self.complete[self._name] = f"{before},{text}" if is_more else text
        self.first.setdefault(self._name, text)
        self.is_open = False

    def drop_value(self) -> None:
        """It is not complete."""

    @property
    def open_text(self) -> tuple[str, str]:
        """The parameter that is being read, and its value as far as it is certain."""
        is_raw = self._name in self._parameters.raw
        # A carriage return may be half of the last line break.
        return self._name, strip_value(self._text.getvalue().removesuffix("\r" if is_raw else ""), is_raw=is_raw)

    def decode(self, signature: Signature) -> dict[str, Any]:
        """What is complete."""
        return {name: _decode(name, text, signature) for name, text in self.complete.items()}


class ClineArguments(GrowingDecoder):
    """The decoder of the cline formats."""

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """The tool's closer, which is no part of the content, is what ends the last value."""
        parameters = _parameters_of(signature)
        texts = _Texts(parameters)
        closer = "" if is_truncated else f"</{parameters.tool}>"
        reader = ClineReader(parameters, StreamScanner(content + closer), signature.limits.max_held, {})
        reader.read(texts)
        if not reader.is_ended:
            reader.finish(texts)
        return DecodedCall(texts.decode(signature), reader.is_repaired and not is_truncated)

    def grow(self, signature: Signature) -> Growing:
        """Of the last one, what is there, if it is a text."""
        return _Growing(_parameters_of(signature), signature)

    def decode_shown(self, name: str, text: str, signature: Signature) -> Any:
        """Parameters that were complete before START: text, and the schema says what it means."""
        return _decode(name, text, signature)

    def decode_written(self, name: str, raw: str, signature: Signature, *, is_direct: bool) -> Any:
        """And those that came later."""
        return self.decode_shown(name, raw, signature)


class _Growing(GrowingTags):
    _sink: _Texts

    def __init__(self, parameters: ClineTool, signature: Signature) -> None:
        scanner = StreamScanner()
        super().__init__(scanner, ClineReader(parameters, scanner, signature.limits.max_held, {}), _Texts(parameters))
        self._signature = signature

    def show(self) -> dict[str, Any]:
        """What is complete, and what there is of the last one. Of several of one name, the first was shown."""
        texts, signature = self._sink, self._signature
        arguments: dict[str, Any] = {}
        try:
            for name, text in texts.first.items():
                arguments[name] = _decode(name, text, signature)
        except ArgumentsError:
            return arguments
        if texts.is_open:
            name, text = texts.open_text
            texts.stays_text = texts.stays_text or signature.schema.property_of(name).stays_string(text)
            if texts.stays_text and name not in arguments:
                arguments[name] = text
        return arguments


def _decode(name: str, text: str, signature: Signature) -> Any:
    return decode_text(name, text, signature.schema.property_of(name), signature.limits)


def _parameters_of(signature: Signature) -> ClineTool:
    if signature.spec is None:
        raise ArgumentsError(f"{signature.name} is not declared, so its parameters are not known")
    parameters = ClineTool.of(signature.spec)
    return parameters.in_plan if signature.is_in_plan else parameters


CLINE_ARGUMENTS = ClineArguments()
