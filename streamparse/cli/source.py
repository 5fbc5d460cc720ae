"""Where the bytes come from: a file or standard input, as they arrive."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import cast

from streamparse.cli.endings import CommandError

_READ_SIZE = 65_536


@contextmanager
def open_source(path: str) -> Iterator[Iterator[bytes]]:
    """The bytes of the file at `path`, or of standard input for "-". Raises CommandError where it cannot be read."""
    if path == "-":
        if sys.stdin is None:
            raise CommandError("cannot read standard input: it is closed")
        yield _read(cast(BufferedReader, sys.stdin.buffer), "standard input")
        return
    try:
        file = open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise _cannot_read(path, error) from error
    with file:
        yield _read(file, path)


def _read(stream: BufferedReader, name: str) -> Iterator[bytes]:
    # read1 gives what is there; read would wait until the buffer is full, and a live stream would stall.
    while data := _read_some(stream, name):
        yield data


def _read_some(stream: BufferedReader, name: str) -> bytes:
    try:
        return stream.read1(_READ_SIZE)
    except OSError as error:
        raise _cannot_read(name, error) from error


def _cannot_read(name: str, error: OSError) -> CommandError:
    return CommandError(f"cannot read {name}: {error.strerror or error}")
