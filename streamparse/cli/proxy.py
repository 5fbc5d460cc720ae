"""`streamparse proxy`: stand between clients and a model server, and repair what the server leaks.

    streamparse proxy --upstream http://localhost:8000/v1

It serves until it is stopped. This is the one module that knows the package `uvicorn`, of the extra `proxy`.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from typing import Any, TextIO

from streamparse import deferred
from streamparse.cli.endings import CommandError, WrongUsageError
from streamparse.cli.escape import visible_line
from streamparse.errors import MissingExtraError, StreamparseError
from streamparse.proxy.settings import Settings

try:
    import uvicorn
except ModuleNotFoundError as missing:
    raise MissingExtraError("proxy", "uvicorn") from missing

#: Seconds that replies have to end when it is stopped: a model may go on for minutes.
_PATIENCE = 3


def run_proxy(
    upstream: str,
    *,
    format: str,
    model_map: str | None,
    is_prompted: bool,
    reasoning: Any,
    always: bool,
    host: str,
    port: int,
    record: str | None,
    output: TextIO,
) -> None:
    """Serve, until a signal ends it."""
    make: Callable[..., Any] = deferred.load("streamparse.proxy.asgi", "app")
    models = {} if model_map is None else _read_models(model_map)
    try:
        settings = Settings(
            format=format, models=models, is_prompted=is_prompted, reasoning_field=reasoning, always=always
        )
        application = make(upstream, settings, record=record)
    except (StreamparseError, TypeError) as error:
        raise WrongUsageError(str(error)) from error
    except OSError as error:
        raise CommandError(f"cannot record: {error}") from error
    listening = _listen(host, port)
    for line in _greeting(upstream, listening, record):
        print(visible_line(line, output.encoding or "utf-8"), file=output, flush=True)
    config = uvicorn.Config(
        application,
        # Nothing is logged: requests would tell who asks what. And a pipe that nobody reads would fill up.
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        timeout_graceful_shutdown=_PATIENCE,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise CommandError(f"cannot listen at {host}, port {port}: {error.strerror}") from error
    # asyncio does that for sockets that know their protocol only. Without it, a reply waits 40 ms for its second piece.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _greeting(upstream: str, listening: socket.socket, record: str | None) -> list[str]:
    host, port = listening.getsockname()[:2]
    origin = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    lines = [f"Clients use {origin}/v1 instead of {upstream}. How it goes: {origin}/", "Ctrl-C stops it."]
    if record is not None:
        lines.append(f"Everything that is said is recorded in {os.path.abspath(record)}.")
    return lines


def _read_models(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            models = json.load(file)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    try:
        return Settings(models=models).models
    except (StreamparseError, TypeError) as error:
        raise WrongUsageError(f"{path}: {error}") from error
