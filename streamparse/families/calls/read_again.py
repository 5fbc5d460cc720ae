"""ReadAgain: follows the arguments of a call by reading them again and again with the decoder of the format.

It serves every decoder, also that of a format of one's own. The whole content is read whenever it has grown by four
characters, or, if it is long, by 3 %: at lengths that do not depend on the chunking, and at each of them. So what is
shown does not, either, and all readings together cost as much as 33 of the whole.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from streamparse.arguments.decoder import ArgumentDecoder, ArgumentsError, Signature, is_same
from streamparse.arguments.follower import Record

#: It is read when it has grown by so many characters, or by so many percent.
_STEP, _PERCENT = 4, 3


class ReadAgain:
    """Tells the record what the decoder makes of the content so far."""

    triggers = None
    is_repaired = False

    def __init__(self, decoder: ArgumentDecoder, record: Record, signature: Signature) -> None:
        self._decoder = decoder
        self._record = record
        self._signature = signature
        self._pieces: list[str] = []
        self._size = 0
        self._next = _STEP  # the length at which it is read again
        self._body: str | None = None  # as far as it was told
        self._told: dict[str, Any] = {}

    def feed(self, text: str) -> None:
        """Read the content at each length at which it is read."""
        self._pieces.append(text)
        self._size += len(text)
        while self._next <= self._size:
            content = self._join()[: self._next]
            self._next += max(_STEP, self._next * _PERCENT // 100)
            with suppress(ArgumentsError):
                complete = self._decoder.decode_call(content, self._signature, is_truncated=True)
                self._tell_others(complete.arguments)
            self._tell_body(self._decoder.decode_partial(content, self._signature).get(self._record.body))

    def finish(self, *, is_cut: bool) -> None:
        """Read all of it once more."""
        content, body = self._join(), self._record.body
        if is_cut:
            self._tell_body(self._decoder.decode_cut(content, self._signature).get(body))
        decoded = self._decoder.decode_call(content, self._signature, is_truncated=is_cut)
        self.is_repaired = decoded.is_repaired
        self._tell_others(decoded.arguments)
        text = decoded.arguments.get(body)
        if body in decoded.arguments and not isinstance(text, str):
            self._record.report(f"{body} must be a string")
        elif isinstance(text, str) and not text.startswith(self._body or ""):
            self._record.report(f"{body} is not what was shown of it")  # the decoder has changed its mind
        self._tell_body(text)

    def _join(self) -> str:
        content = "".join(self._pieces)
        self._pieces = [content]
        return content

    def _tell_others(self, arguments: dict[str, Any]) -> None:
        for name, value in arguments.items():
            if name != self._record.body and (name not in self._told or not is_same(self._told[name], value)):
                self._told[name] = value
                self._record.give(name, value)

    def _tell_body(self, text: Any) -> None:
        if not isinstance(text, str):
            return
        if self._body is None:
            self._body = ""
            self._record.begin_body()
        self._record.add_body(text[len(self._body) :])
        self._body = text
