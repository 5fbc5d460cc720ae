"""Where a request goes, and with which headers.

    Upstream("http://localhost:8000/v1").url("/v1/models", "")          http://localhost:8000/v1/models
    Upstream("http://localhost:8000/v1").url("/health", "")             http://localhost:8000/health
    Upstream("http://localhost:8000/v1").url("/v1/../admin", "")        AddressError

The server is fixed: nothing that a client sends (a path, an absolute URL, a Host header) leads to another one, nor out
of the folder that the server's URL names. Headers that belong to one connection are not passed on, and neither is
Accept-Encoding, since a reply has to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from streamparse.errors import StreamparseError

_HOP_BY_HOP = frozenset(
    (
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"),
        *("trailer", "trailers", "transfer-encoding", "upgrade"),
    )
)
#: What is said anew of a request, or must not be passed on.
_OF_REQUEST = _HOP_BY_HOP | {"host", "accept-encoding", "expect"}
#: What a body says of itself that was changed on the way.
_OF_BODY = frozenset(("content-length", "content-encoding", "content-md5", "digest", "etag"))
_VERSION = re.compile(r"/v\d+\Z")
_PREFIX = "/v1"


class AddressError(StreamparseError, ValueError):
    """A URL that leads nowhere."""


class Upstream:
    """The model server. `base` is the URL that clients would use, with its `/v1`, which may be left out."""

    def __init__(self, base: str) -> None:
        parts = urlsplit(base)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise AddressError(f"the URL of a server is like http://localhost:8000/v1, not {base!r}")
        if parts.username or parts.password:
            raise AddressError("the URL of a server has no user or password in it: clients send their own key")
        path = parts.path.rstrip("/")
        self.base = f"{parts.scheme}://{parts.netloc}{path or _PREFIX}"
        self._root = _VERSION.sub("", self.base)

    def url(self, path: str, query: str) -> str:
        """The URL for a path that a client asks for."""
        check_path(path)
        inner = self.endpoint(path)
        url = f"{self._root}{path}" if inner is None else f"{self.base}{inner}"
        return f"{url}?{query}" if query else url

    @staticmethod
    def endpoint(path: str) -> str | None:
        """What stands behind `/v1` in a path; None if that is not there."""
        return path.removeprefix(_PREFIX) if path.startswith(f"{_PREFIX}/") else None


def check_path(path: str) -> None:
    """Raise AddressError for a path that might lead elsewhere."""
    plain = unquote(unquote(path)).replace("\\", "/")
    if not path.startswith("/") or plain.startswith("//") or ".." in plain.split("/") or "." in plain.split("/"):
        raise AddressError("the path of a request begins with a slash, and has no '..' in it")
    if any(ord(character) <= 32 or character == "#" for character in path):
        raise AddressError("the path of a request has neither blanks nor '#' in it")


def request_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers of a client that the server gets."""
    return _without(headers, _OF_REQUEST)


def with_bearer(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Headers in which a key of Anthropic's interface stands where that of Chat Completions is looked for."""
    known = dict(headers)
    key = known.get("x-api-key")
    return headers if not key or "authorization" in known else [*headers, ("authorization", f"Bearer {key}")]


def response_headers(headers: Iterable[tuple[str, str]], *, is_changed: bool) -> list[tuple[str, str]]:
    """The headers of the server that a client gets; `is_changed`: the body is not as it came."""
    return _without(headers, _HOP_BY_HOP | _OF_BODY if is_changed else _HOP_BY_HOP)


def _without(headers: Iterable[tuple[str, str]], names: frozenset[str]) -> list[tuple[str, str]]:
    """Headers but for these, and for those that the connection names.

    A body that comes in chunks has no length but theirs: whoever says another one as well means to confuse.
    """
    pairs = [(name.lower(), value) for name, value in headers]
    named = {one.strip().lower() for name, value in pairs if name == "connection" for one in value.split(",")}
    named |= {"content-length"} if "transfer-encoding" in dict(pairs) else set()
    return [(name, value) for name, value in pairs if name not in names and name not in named]
