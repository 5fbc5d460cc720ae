"""Arguments that are one text: the content is the value of the one argument."""

from __future__ import annotations

from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, DecodedCall, Signature


class VerbatimArguments(ArgumentDecoder):
    """The argument `name` is the whole content."""

    def __init__(self, name: str) -> None:
        self._name = name

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """A text that is cut off is no argument."""
        return DecodedCall() if is_truncated else DecodedCall({self._name: content})

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """The text so far."""
        return {self._name: content} if content else {}
