"""What a client is told that cannot have a reply, in the form of the interface that it speaks.

    openai(RequestError("no such model", 404, "not_found_error"))
        {"error": {"message": "no such model", "type": "not_found_error", "param": None, "code": None}}
    anthropic(RequestError("no such model", 404, "not_found_error"))
        {"type": "error", "error": {"type": "not_found_error", "message": "no such model"}}

`of_server` makes such an error of what a model server has answered instead of a reply. Servers differ in where they say
what is wrong: `{"error": {"message": …}}`, `{"error": …}`, `{"message": …}`, `{"detail": …}`, or a plain text.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from streamparse.arguments.json_text import to_json
from streamparse.errors import RequestError

Json: TypeAlias = dict[str, Any]

_LONGEST = 500  # characters of what a server says that is no JSON
_SERVER_ERROR = "server_error"
_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def openai(failure: RequestError) -> Json:
    """As Chat Completions and Responses tell it."""
    return {"error": {"message": failure.message, "type": failure.kind, "param": None, "code": None}}


def anthropic(failure: RequestError) -> Json:
    """As Messages tell it."""
    kind = "api_error" if failure.kind == _SERVER_ERROR else failure.kind
    return {"type": "error", "error": {"type": kind, "message": failure.message}}


def failed(message: str, status: int = 502) -> RequestError:
    """An error with the kind that belongs to its status."""
    return RequestError(
        message, status, _KINDS.get(status, _SERVER_ERROR if status >= 500 else "invalid_request_error")
    )


def of_server(status: int, content: bytes) -> RequestError:
    """The error that a server's answer is. One that is none by its status may have a status of its own in it."""
    text = content.decode("utf-8", "replace").strip()
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    error = body.get("error") if isinstance(body, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    if status < 400:
        status = code if isinstance(code, int) and 400 <= code < 600 else 502
    said = _message(body) or text[:_LONGEST]
    return failed(said or f"the model server answered {status}", status)


def _message(body: Any) -> str:
    match body:
        case {"error": {"message": str(message)}} | {"error": str(message)} | {"message": str(message)}:
            return message
        case {"detail": str(message)}:
            return message
        case {"detail": detail}:
            return to_json(detail)[:_LONGEST]
    return ""
