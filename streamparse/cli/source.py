"""Where the text comes from: a file or standard input, as it arrives.

Bytes are decoded as UTF-8, incrementally; what is not UTF-8 becomes U+FFFD. Line ends are left alone.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import cast

from streamparse.cli.endings import CommandError

_READ_SIZE = 65_536


@contextmanager
def open_source(path: str) -> Iterator[Iterator[str]]:
    """The chunks of the file at `path`, or of standard input for "-". Raises CommandError where it cannot be read."""
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


def _read(stream: BufferedReader, name: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    # read1 gives what is there; read would wait until the buffer is full, and a live stream would stall.
    while data := _read_some(stream, name):
        if text := decoder.decode(data):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


def _read_some(stream: BufferedReader, name: str) -> bytes:
    try:
        return stream.read1(_READ_SIZE)
    except OSError as error:
        raise _cannot_read(name, error) from error


def _cannot_read(name: str, error: OSError) -> CommandError:
    return CommandError(f"cannot read {name}: {error.strerror or error}")


def recut(chunks: Iterable[str], size: int) -> Iterator[str]:
    """The same text in pieces of `size` characters; the last may be shorter."""
    held: list[str] = []
    length = 0
    for chunk in chunks:
        held.append(chunk)
        length += len(chunk)
        if length >= size:
            text = "".join(held)
            rest = length % size
            for start in range(0, length - rest, size):
                yield text[start : start + size]
            held, length = [text[length - rest :]], rest
    if length:
        yield "".join(held)
