"""Endpoints: the interfaces that clients may speak, all of which ask the server for Chat Completions.

    conversation = ENDPOINTS["/messages"].converse(content, settings)
    conversation.content                        what the server is asked
    conversation.frames                         what makes the client's stream of the server's
    conversation.fold(content)                  the response, for a request without `stream`

Requests for Messages and Responses are translated, their replies repaired as any other, and written by an encoder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

from attrs import frozen

from streamparse.encoders import AnthropicEncoder, Encoder, ResponsesEncoder
from streamparse.errors import RequestError
from streamparse.events import NATIVE
from streamparse.proxy import anthropic_request, error_bodies, responses_request
from streamparse.proxy.address import request_headers, with_bearer
from streamparse.proxy.exchange import Exchange
from streamparse.proxy.frames import ChatFrames, EncodedFrames, Frames
from streamparse.proxy.settings import Settings
from streamparse.reply import Reply

Json: TypeAlias = dict[str, Any]


@frozen
class Endpoint:
    """An interface: how a request of it is opened, and how its clients are told of errors."""

    open: Callable[[Json, Settings], tuple[Exchange, Encoder | None]]
    error_body: Callable[[RequestError], Json] = error_bodies.openai

    @property
    def has_chat_errors(self) -> bool:
        """Whether its clients are told of errors as those of Chat Completions are."""
        return self.error_body is error_bodies.openai

    def converse(self, content: bytes, settings: Settings) -> Conversation:
        """The conversation that a request with this body begins. Raises RequestError for what cannot be asked."""
        try:
            body = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise RequestError("the body is not JSON") from error
        if not isinstance(body, dict):
            raise RequestError("the body must be a JSON object")
        try:
            exchange, encoder = self.open(body, settings)
            if exchange.request is not body:
                content = json.dumps(exchange.request).encode()
        except RecursionError as error:
            raise RequestError("the body is nested too deeply") from error
        return Conversation(self, exchange, encoder, content)


@frozen
class Conversation:
    """One request, and how its reply is written. `content` is what the server is sent."""

    endpoint: Endpoint
    exchange: Exchange
    encoder: Encoder | None
    content: bytes

    @property
    def is_chat(self) -> bool:
        """Whether the client itself speaks Chat Completions."""
        return self.encoder is None

    @property
    def frames(self) -> Frames:
        """What writes the client's stream. It is asked for once."""
        return ChatFrames(self.exchange) if self.encoder is None else EncodedFrames(self.exchange, self.encoder)

    def headers(self, headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Those that the server gets with it, where the client sent these."""
        kept = [pair for pair in with_bearer(request_headers(headers)) if pair[0] != "content-length"]
        return [*kept, ("content-length", str(len(self.content))), ("accept-encoding", "identity")]

    def fold(self, content: bytes) -> bytes | None:
        """The body of a response that is not streamed, for the client; None if it is no reply, and cannot be passed."""
        try:
            response = json.loads(content)
        except (ValueError, RecursionError):
            response = None
        folded = self.exchange.fold(response) if isinstance(response, dict) else None
        if self.encoder is None:
            return content if folded is None or folded is response else json.dumps(folded).encode()
        choices = None if folded is None or folded.get("error") else folded.get("choices")
        if folded is None or not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            return None
        only = {**folded, "choices": [{**choices[0], "index": 0}]}  # nobody has asked for more
        return json.dumps(self.encoder.fold(Reply(only, NATIVE, tools=self.exchange.tools))).encode()


def _open_chat(body: Json, settings: Settings) -> tuple[Exchange, None]:
    return Exchange(body, settings), None


def _open_messages(body: Json, settings: Settings) -> tuple[Exchange, Encoder]:
    exchange = Exchange(anthropic_request.to_chat(body), settings)
    return exchange, AnthropicEncoder(model=exchange.model, tools=exchange.tools)


def _count_tokens(body: Json, settings: Settings) -> NoReturn:
    """Chat servers cannot do that: whoever asks is told so, and estimates."""
    raise RequestError("count_tokens: this model server does not count tokens of requests", 404, "not_found_error")


def _open_responses(body: Json, settings: Settings) -> tuple[Exchange, Encoder]:
    asked = responses_request.to_chat(body)
    exchange = Exchange(asked.body, settings)
    return exchange, ResponsesEncoder(model=exchange.model, tools=exchange.tools, items=asked.items)


#: What all of them ask of the server.
CHAT = "/chat/completions"
#: By what stands behind `/v1`.
ENDPOINTS: Mapping[str, Endpoint] = {
    CHAT: Endpoint(_open_chat),
    "/messages": Endpoint(_open_messages, error_bodies.anthropic),
    "/messages/count_tokens": Endpoint(_count_tokens, error_bodies.anthropic),
    "/responses": Endpoint(_open_responses),
}


def find_endpoint(path: str) -> tuple[str, Endpoint] | None:
    """What stands before the name of an endpoint in a path, and the endpoint, wherever the server's API is.

    Chat Completions may be anywhere; the other names are words that paths of other interfaces end with, too, unless a
    version stands right before them.
    """
    match = _PLACE.fullmatch(path)
    return (match["base"], ENDPOINTS[match["name"]]) if match else None


_PLACE = re.compile(r"(?P<base>.*)(?P<name>/chat/completions|(?<=/v\d)/(?:messages(?:/count_tokens)?|responses))")
