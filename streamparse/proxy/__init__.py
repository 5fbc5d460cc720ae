"""A proxy that repairs what model servers leak: calls and reasoning in the text become fields of the interface.

    streamparse proxy --upstream http://localhost:8000/v1           clients use http://127.0.0.1:8008/v1
    OpenAI(http_client=httpx2.Client(transport=Transport()))        the same without a server

    {"delta": {"content": "<tool_call>{\\"name\\": \\"f\\", …"}}          what the server sends
    {"delta": {"tool_calls": [{"index": 0, "id": "call_…", …}]}}      what the client gets

The core does no I/O, and one way of reading serves all shells and interfaces:

    settings.py      Settings: which format is read for which model, and what else a user may say
    exchange.py      Exchange: one request and its reply; chunks in, repaired chunks out, or a whole response
    choice.py        ChoiceStream: one choice of it; deltas in, repaired deltas out
    joined.py        as few deltas as can be
    text_calls.py    the calls in the text: which are told, and which are given back as text
    written.py       what the model wrote of a call that is given back as text
    native_calls.py  the calls that came in fields: their numbers, and which of them stand in the text as well
    thought_calls.py the calls with which the reasoning of a reply ends
    logprobs.py      which of the tokens belong to the text that is left
    frames.py        the bytes of server-sent events around an exchange
    endpoints.py     Chat Completions, and what is translated to it: Messages and Responses
    answer.py        what becomes of the server's answer: a stream, a whole response, an error
    error_bodies.py  what a client is told that cannot have a reply
    address.py       where a request goes, and with which headers

`anthropic_request.py` and `responses_request.py` translate requests (`chat_messages.py`: what becomes of them,
`request_fields.py`: what they must have), `prompted.py` writes the tools into the prompt for servers that know none.
`asgi.py` is the ASGI application, `listening.py` watches whether its client is still there, `status.py` is its page,
`record.py` what it keeps for a bug report, and `transport.py` is the same for an HTTP client. `docs/proxy.md` says what
becomes of what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from streamparse import deferred
from streamparse.proxy.choice import ChoiceStream
from streamparse.proxy.exchange import Exchange
from streamparse.proxy.settings import Settings

if TYPE_CHECKING:
    from streamparse.proxy.asgi import app
    from streamparse.proxy.transport import AsyncTransport, Transport

__all__ = ["AsyncTransport", "ChoiceStream", "Exchange", "Settings", "Transport", "app"]


def __getattr__(name: str) -> Any:
    """What needs the extra `proxy`."""
    match name:
        case "app":
            return deferred.load("streamparse.proxy.asgi", name)
        case "Transport" | "AsyncTransport":
            return deferred.load("streamparse.proxy.transport", name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
