"""Run the command as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

COMMAND = [sys.executable, "-m", "streamparse"]

#: That of a user who has set nothing; above all not PYTHONUNBUFFERED, under which a missing flush is not missed.
_SETTINGS = {"PYTHONUNBUFFERED", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "STREAMPARSE_PARSER"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in _SETTINGS}


class Done(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments: str, stdin: bytes = b"", command: list[str] | None = None, **environment: str) -> Done:
    """Run `streamparse *arguments` to its end. The output is a pipe of 80 columns, in UTF-8."""
    done = subprocess.run(
        [*(command or COMMAND), *arguments],
        input=stdin,
        capture_output=True,
        timeout=30,
        env={**ENVIRONMENT, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", **environment},
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def start(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], Any, IO[str], IO[str]]]:
    """Start `streamparse *arguments`: the process, and its standard input, output and error. It cannot hang."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT, encoding="utf-8"
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        limit = threading.Timer(20, process.kill)
        limit.start()
        try:
            yield process, process.stdin, process.stdout, process.stderr
        finally:
            limit.cancel()
