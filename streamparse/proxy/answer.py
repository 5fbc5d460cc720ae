"""Answer: what becomes of a server's answer on its way to the client. Bytes in, bytes out; the shells do the I/O.

    answer = Answer(conversation, 200, headers)
    answer.feed(piece)              the bytes that the client gets for these of the server
    answer.close()                  those that end it, when the server has no more
    answer.fail("…")                those that tell the client that it broke off
    answer.is_begun                 whether `status` and `headers` are certain: until then nothing can be sent
    answer.is_done                  nothing more need be read

There are three ways. What is not to be changed is passed on, packed as it came (`is_verbatim`): errors, for clients
whose interface tells them as Chat Completions does, and all of a model that is `native`. A stream of events is repaired
while it comes (`frames.py`). All else is read to its end: a response is repaired as a whole; and where a client speaks
another interface, an error, or what is no reply at all, is told in its form.

If the client has asked for a stream, its first bytes decide whether it is one: some servers, and what stands before
them, give it another type, or none. A whole response is given to such a client as a stream, too.
"""

from __future__ import annotations

import json
import re

from streamparse.errors import RequestError
from streamparse.proxy.address import response_headers
from streamparse.proxy.endpoints import Conversation
from streamparse.proxy.error_bodies import failed, of_server
from streamparse.proxy.frames import MOST_HELD, TOO_LONG, Frames, as_events

#: Answers that have no body, whatever their headers say.
_BODILESS = (204, 205)
_EVENTS = "text/event-stream"
_TYPE = "content-type"
#: How a stream of events begins, behind empty lines; and what may become that.
_FIELD = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*(?::|(?:data|event|id|retry):)")
_LONGEST_FIELD = len(b"\xef\xbb\xbfevent:")
_MOST_EMPTY = 1024  # bytes


class Answer:
    """One answer."""

    def __init__(self, conversation: Conversation, status: int, headers: list[tuple[str, str]]) -> None:
        exchange = conversation.exchange
        self._conversation = conversation
        self._headers = [(name.lower(), value) for name, value in headers]
        self._is_error = status >= 300
        self._frames: Frames | None = None
        self._held: list[bytes] = []
        self._size = 0
        self._is_wanted_as_stream = self._may_be_stream = exchange.is_streamed and not self._is_error
        self._is_json = False  # whether the body is JSON that was written here
        self._is_over = False
        self.status = status
        is_as_it_is = (self._is_error and conversation.endpoint.has_chat_errors) or status in _BODILESS
        self.is_verbatim = is_as_it_is or (exchange.is_passive and conversation.is_chat)
        self.is_begun = self.is_verbatim
        kind = dict(self._headers).get(_TYPE, "").partition(";")[0].strip().lower()
        if kind == _EVENTS and not self._is_error and not self.is_verbatim:
            self._begin_stream()

    @property
    def is_done(self) -> bool:
        """Whether nothing more need be read."""
        return self._is_over or (self._frames is not None and self._frames.is_done)

    @property
    def is_left(self) -> bool:
        """Whether the client has all that it asked for, and the server goes on."""
        return self._conversation.exchange.is_over

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Those of the client's response, once it has begun."""
        if self.is_verbatim:
            return response_headers(self._headers, is_changed=False)
        exchange = self._conversation.exchange
        headers = response_headers(self._headers, is_changed=True)
        headers.append(("x-streamparse-format", ",".join(exchange.formats)))
        if exchange.has_logprobs:
            headers.append(("x-streamparse-logprobs", "text-only"))
        kind = _EVENTS if self._frames is not None else "application/json" if self._is_json else None
        if kind is None or dict(headers).get(_TYPE, "").startswith(kind):
            return headers
        return [*(pair for pair in headers if pair[0] != _TYPE), (_TYPE, kind)]

    def feed(self, piece: bytes) -> bytes:
        """The next bytes of the server."""
        if self._frames is not None:
            return self._frames.feed(piece)
        if self.is_verbatim or self._is_over:
            return b"" if self._is_over else piece
        self._held.append(piece)
        self._size += len(piece)
        if self._size > MOST_HELD:
            return self._tell(failed(TOO_LONG))
        if not self._may_be_stream:
            return b""
        begin = b"".join(self._held)
        if _FIELD.match(begin):
            return self._begin_stream().feed(begin)
        self._may_be_stream = len(begin) < _MOST_EMPTY and len(begin.lstrip(b"\r\n")) < _LONGEST_FIELD
        return b""

    def close(self) -> bytes:
        """The server has no more."""
        if self._frames is not None:
            return self._frames.close()
        if self.is_verbatim or self._is_over:
            return b""
        content = b"".join(self._held)
        events = as_events(content) if self._is_wanted_as_stream else None
        if events is not None:
            return self._begin_stream().feed(events)
        self.is_begun = self._is_over = True
        folded = None if self._is_error else self._conversation.fold(content)
        self._is_json = folded is not content
        return self._tell(of_server(self.status, content)) if folded is None else folded

    def fail(self, message: str) -> bytes:
        """The server cannot be read any more."""
        return self._tell(failed(message)) if self._frames is None else self._frames.fail(message)

    def _begin_stream(self) -> Frames:
        self.is_begun = True
        self._frames = self._conversation.frames
        return self._frames

    def _tell(self, failure: RequestError) -> bytes:
        """Tell the client of an error instead of all that has come."""
        self.is_begun = self._is_over = self._is_json = True
        self._held.clear()
        self.status = failure.status
        return json.dumps(self._conversation.endpoint.error_body(failure)).encode()
