"""Encoder: what the encoders of providers' interfaces have in common.

    encoder = OpenAIEncoder(model="qwen3-coder", tools=TOOLS)
    encoder.encode(item)            the chunks that an item of a reply makes
    encoder.finish()                those that end the stream, if the reply was left before its end
    encoder.frame(chunk)            'data: {"id": …}\\n\\n'
    encoder.fold(reply)             the response that a request without `stream` gets

An encoder is for one reply. A subclass says which chunks each part makes (`_write`), and what the response looks like
(`_response`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from streamparse.encoders.parts import EncoderItem
from streamparse.encoders.stream_encoder import StreamEncoder
from streamparse.encoders.whole import Whole


class Encoder(StreamEncoder):
    """Encodes one reply, as a stream or as a response."""

    def fold(self, items: Iterable[EncoderItem]) -> dict[str, Any]:
        """The response that a request without `stream` gets: all items in one. Nothing else is asked of it then.

        A call that is not complete is left out: what the model wrote of it stands in the text. If the provider
        reported an error, the response is that error.
        """
        whole = Whole()
        for item in items:
            whole.add(self._parts.feed(item))
        whole.add(self._parts.finish())
        return self._response(whole)

    def frame(self, chunk: Mapping[str, Any]) -> str:
        """A chunk as a server-sent event."""
        return f"event: {chunk['type']}\ndata: {json.dumps(chunk)}\n\n"

    def _response(self, whole: Whole) -> dict[str, Any]:
        """The response of a whole reply."""
        raise NotImplementedError
