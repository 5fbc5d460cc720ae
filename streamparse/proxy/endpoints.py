"""Endpoints: the interfaces that clients may speak, all of which ask the server for Chat Completions.

    conversation = ENDPOINTS["/messages"].open(body, settings)
    conversation.exchange.request               what the server is asked
    conversation.frames                         what makes the client's stream of the server's
    conversation.fold(response)                 the response, for a request without `stream`

Requests for Messages and Responses are translated, their replies repaired as any other, and written by an encoder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import frozen

from streamparse.encoders import AnthropicEncoder, Encoder, ResponsesEncoder
from streamparse.errors import RequestError
from streamparse.events import NATIVE
from streamparse.proxy import anthropic_request, responses_request
from streamparse.proxy.exchange import Exchange
from streamparse.proxy.frames import ChatFrames, EncodedFrames, Frames, error
from streamparse.proxy.settings import Settings
from streamparse.reply import Reply

Json: TypeAlias = dict[str, Any]


@frozen
class Conversation:
    """One request, and how its reply is written."""

    exchange: Exchange
    encoder: Encoder | None = None

    @property
    def frames(self) -> Frames:
        """What writes the client's stream. It is asked for once."""
        return ChatFrames(self.exchange) if self.encoder is None else EncodedFrames(self.exchange, self.encoder)

    def fold(self, response: Json) -> Json:
        """The response of the server, for the client; the same object if there is nothing to change."""
        folded = self.exchange.fold(response)
        if self.encoder is None or folded.get("error") or not isinstance(folded.get("choices"), list):
            return folded
        return self.encoder.fold(Reply(folded, NATIVE, tools=self.exchange.tools))


@frozen
class Endpoint:
    """An interface: how a request of it is opened, and how it is told that it cannot be answered."""

    open: Callable[[Json, Settings], Conversation]
    error_body: Callable[[RequestError], Json]


def _open_chat(body: Json, settings: Settings) -> Conversation:
    return Conversation(Exchange(body, settings))


def _open_messages(body: Json, settings: Settings) -> Conversation:
    exchange = Exchange(anthropic_request.to_chat(body), settings)
    return Conversation(exchange, AnthropicEncoder(model=exchange.model, tools=exchange.tools))


def _count_tokens(body: Json, settings: Settings) -> Conversation:
    """Chat servers cannot do that: whoever asks is told so, and estimates."""
    anthropic_request.count_tokens(body)


def _open_responses(body: Json, settings: Settings) -> Conversation:
    asked = responses_request.to_chat(body)
    exchange = Exchange(asked.body, settings)
    return Conversation(exchange, ResponsesEncoder(model=exchange.model, tools=exchange.tools, items=asked.items))


def _chat_error(failure: RequestError) -> Json:
    return error(failure.message, failure.kind)


#: What all of them ask of the server.
CHAT = "/chat/completions"
#: By what stands behind `/v1`.
ENDPOINTS: Mapping[str, Endpoint] = {
    CHAT: Endpoint(_open_chat, _chat_error),
    "/messages": Endpoint(_open_messages, anthropic_request.error_body),
    "/messages/count_tokens": Endpoint(_count_tokens, anthropic_request.error_body),
    "/responses": Endpoint(_open_responses, responses_request.error_body),
}
