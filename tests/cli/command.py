"""Run the command: in this process, to its end (`run`), or as a process of its own (`run_process`, `start`).

A process costs half a second, and most tests are about what is printed. Those about signals, pipes, terminals and
missing extras start one.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import IO, Any, NamedTuple
from unittest.mock import patch

from streamparse.cli import main

COMMAND = [sys.executable, "-m", "streamparse"]

#: That of a user who has set nothing; above all not PYTHONUNBUFFERED, under which a missing flush is not missed.
_SETTINGS = {"PYTHONUNBUFFERED", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "STREAMPARSE_PARSER"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in _SETTINGS}


class Done(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> Done:
    """Run `streamparse *arguments` in this process. The output is no terminal, of 80 columns, in UTF-8."""
    settings = _settings(environment)
    out, err = io.BytesIO(), io.BytesIO()
    with (
        patch.dict(os.environ, settings, clear=True),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
        # As the interpreter opens them: lines as they are, and an error is never lost for its characters.
        redirect_stdout(io.TextIOWrapper(out, settings["PYTHONIOENCODING"], newline="\n")) as shown,
        redirect_stderr(io.TextIOWrapper(err, settings["PYTHONIOENCODING"], "backslashreplace", newline="\n")) as told,
    ):
        code = main(arguments)
        shown.flush()
        told.flush()
    return Done(code, out.getvalue().decode(errors="surrogateescape"), err.getvalue().decode())


def run_process(*arguments: str, stdin: bytes = b"", command: Sequence[str] = COMMAND, **environment: str) -> Done:
    """The same as a process of its own; `command` is what comes before the arguments."""
    done = subprocess.run(
        [*command, *arguments], input=stdin, capture_output=True, timeout=30, env=_settings(environment)
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def _settings(environment: dict[str, str]) -> dict[str, str]:
    return {**ENVIRONMENT, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", **environment}


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
