"""Where requests go: to the server, and nowhere else."""

from __future__ import annotations

import pytest

from streamparse.proxy.address import AddressError, Upstream, request_headers, response_headers, with_bearer


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("http://h:1/v1", "/v1/models", "http://h:1/v1/models"),
        ("http://h:1/v1/", "/v1/models/a%2Fb", "http://h:1/v1/models/a%2Fb"),
        ("http://h:1/v1", "/health", "http://h:1/health"),
        ("http://h:1", "/v1/models", "http://h:1/v1/models"),
        ("http://h:1", "/health", "http://h:1/health"),
        ("https://h/api/paas/v4", "/v1/models", "https://h/api/paas/v4/models"),
        ("https://h/api/paas/v4", "/x", "https://h/api/paas/x"),
        ("https://h/openai", "/v1/models", "https://h/openai/models"),
        ("https://h/openai", "/models", "https://h/openai/models"),
        ("http://h:1/v1", "/v10/x", "http://h:1/v10/x"),
        ("http://h:1/v1", "/v1/@evil.example/x", "http://h:1/v1/@evil.example/x"),
    ],
)
def test_paths_lead_to_the_server(base: str, path: str, url: str) -> None:
    assert Upstream(base).url(path, "") == url
    assert Upstream(base).url(path, "a=http://evil/../b") == f"{url}?a=http://evil/../b"


@pytest.mark.parametrize(
    "path",
    [
        "http://evil.example/v1/models",
        "//evil.example/v1/models",
        "/%2Fevil.example/x",
        "/\\evil.example/x",
        "/v1/../admin",
        "/v1/%2e%2e/admin",
        "/v1/%252e%252e/admin",
        "/v1/..%2fadmin",
        "/v1/..\\admin",
        "/./v1",
        "@evil.example",
        "",
        "*",
        "/v1/a b",
        "/v1/a#b",
        "/v1/a\r\nHost: evil",
    ],
)
def test_what_might_lead_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(AddressError):
        Upstream("http://h:1/v1").url(path, "")


@pytest.mark.parametrize(
    "base", ["h:1/v1", "ftp://h/v1", "http://", "/v1", "http://h/v1?a=b", "http://h/v1#a", "http://me:secret@h/v1"]
)
def test_what_is_no_url_of_a_server_is_refused(base: str) -> None:
    with pytest.raises(AddressError):
        Upstream(base)


def test_headers_of_a_connection_are_not_passed_on() -> None:
    headers = [
        ("Host", "evil.example"),
        ("Authorization", "Bearer k"),
        ("Accept-Encoding", "gzip"),
        ("Connection", "keep-alive, X-Mine"),
        ("X-Mine", "1"),
        ("TE", "trailers"),
        ("Proxy-Authorization", "x"),
        ("Content-Type", "application/json"),
        ("Content-Length", "5"),
    ]
    assert request_headers(headers) == [
        ("authorization", "Bearer k"),
        ("content-type", "application/json"),
        ("content-length", "5"),
    ]
    headers = [
        ("Connection", "close"),
        ("Content-Encoding", "gzip"),
        ("Content-Length", "5"),
        ("X-A", "1"),
        ("X-A", "2"),
    ]
    assert response_headers(headers, is_changed=True) == [("x-a", "1"), ("x-a", "2")]
    assert response_headers(headers, is_changed=False) == [
        ("content-encoding", "gzip"),
        ("content-length", "5"),
        ("x-a", "1"),
        ("x-a", "2"),
    ]


def test_a_body_that_comes_in_chunks_has_no_length_besides() -> None:
    headers = [("Content-Length", "3"), ("Transfer-Encoding", "chunked"), ("X-A", "1")]
    assert request_headers(headers) == [("x-a", "1")]
    assert response_headers(headers, is_changed=False) == [("x-a", "1")]


def test_a_key_of_anthropic_is_put_where_chat_servers_look_for_it() -> None:
    assert with_bearer([("x-api-key", "k")]) == [("x-api-key", "k"), ("authorization", "Bearer k")]
    both = [("x-api-key", "k"), ("authorization", "Bearer own")]
    assert with_bearer(both) is both
    assert with_bearer([]) == []
