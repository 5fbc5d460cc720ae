"""From the bytes of the input to the chunks that the parser takes.

Text is handed on as bytes: the parser decodes them. With the format `native` the input is what a model's HTTP API
sends, as in `curl -N … | streamparse parse --format native`, and becomes one dict per event:

    data: {"choices": […]}       server-sent events, if the first line that is not blank begins like one
    {"message": {…}}             JSON, if the first object is a chunk of an API that is known
    anything else                text

Nothing waits for more than what decides its meaning.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from streamparse.cli.endings import CommandError
from streamparse.cli.json_documents import NotJsonError, documents
from streamparse.providers import read as read_chunk
from streamparse.providers import sse
from streamparse.providers.sse import JsonChunk

_BLANK_LINES = re.compile(r"\A\ufeff?(?:[ \t]*[\r\n])*+")
_FIELDS = ("data:", "event:", "id:", "retry:", ":")
_MAX_QUOTED = 200


def read_chunks(pieces: Iterable[bytes], *, is_api: bool = False, size: int | None = None) -> Iterable[object]:
    """The chunks in `pieces`, for `parse`. `size` cuts text anew, into so many characters."""
    if is_api:
        return _read_api(_decoded(pieces), size)
    return pieces if size is None else recut(_decoded(pieces), size)


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


def _decoded(pieces: Iterable[bytes]) -> Iterator[str]:
    """As the parser does it: characters may be cut, and what is no UTF-8 becomes U+FFFD."""
    return codecs.iterdecode(pieces, "utf-8", "replace")


def _read_api(text: Iterator[str], size: int | None) -> Iterator[str | JsonChunk]:
    seen: list[str] = []
    decode = _find_decoder(text, seen)
    whole = chain(seen, text)
    if decode is not None:
        yield from _known(decode(whole))
    else:
        yield from whole if size is None else recut(whole, size)


def _find_decoder(text: Iterator[str], seen: list[str]) -> Callable[[Iterable[str]], Iterator[JsonChunk]] | None:
    """What makes chunks of `text`, or None if it is only text; what had to be read for that is then in `seen`."""
    line = ""
    for piece in (pieces := _noted(text, seen)):
        line = _BLANK_LINES.sub("", line + piece)
        if line.startswith(_FIELDS):
            return sse.chunks
        if line.lstrip().startswith(("{", "[")):
            return _json_chunks if _begins_with_chunk(chain(tuple(seen), pieces)) else None
        if line.strip() and not any(field.startswith(line) for field in _FIELDS):
            return None
    return None


def _noted(text: Iterator[str], seen: list[str]) -> Iterator[str]:
    for piece in text:
        seen.append(piece)
        yield piece


def _begins_with_chunk(text: Iterable[str]) -> bool:
    try:
        return any(read_chunk(first) is not None for first in islice(documents(text), 1))
    except NotJsonError:
        return False


def _json_chunks(text: Iterable[str]) -> Iterator[JsonChunk]:
    """The objects in `text`; what cannot be decoded becomes an error, as in `sse.chunks`."""
    try:
        yield from documents(text)
    except NotJsonError as error:
        yield {"type": "error", "error": {"message": str(error)}}


def _known(chunks: Iterator[JsonChunk]) -> Iterator[JsonChunk]:
    """Without events that no reader knows: APIs get new ones all the time. But if there is nothing else, complain."""
    unknown: JsonChunk | None = None
    has_known = False
    for chunk in chunks:
        if read_chunk(chunk) is not None:
            has_known = True
            yield chunk
        elif unknown is None:
            unknown = chunk
    if unknown is not None and not has_known:
        raise CommandError(f"no known API sends such events: {json.dumps(unknown)[:_MAX_QUOTED]}")
