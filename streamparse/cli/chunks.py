"""From the bytes of the input to the chunks that the parser takes.

Text is handed on as bytes: the parser decodes them. With the format `native` the input is what a model's HTTP API
sends, as in `curl -N … | streamparse parse --format native`, and becomes one dict per event:

    data: {"choices": […]}       server-sent events, if the first lines are fields of one with such data
    {"message": {…}}             JSON, if the first object is a chunk of an API that is known
    anything else                text

Nothing waits for more than what decides its meaning.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from streamparse.cli.endings import CommandError
from streamparse.families.json.lexer import JsonLexer
from streamparse.providers import read as read_chunk
from streamparse.providers import sse
from streamparse.providers.sse import JsonChunk

#: Blank lines, and lines that say nothing yet: comments, names and ids of events.
_SKIPPED = re.compile(r"\A\ufeff?(?:[ \t]*[\r\n]|(?:event|id|retry)?:[^\r\n]*[\r\n])*+")
#: A line of data: of an API, if it begins like JSON or like the mark of its end.
_DATA = re.compile(r"data: ?(?:(\{|\[DONE\])|(?!\[|\Z)())")
#: The beginning of such a line, or of one of the others.
_MAY_BE_FIELD = re.compile(
    r"(?:data: ?(?:\[D?O?N?E?)?|(?:event|id|retry)?:[^\r\n]*"
    r"|d(?:a(?:ta?)?)?|e(?:v(?:e(?:nt?)?)?)?|id?|r(?:e(?:t(?:ry?)?)?)?)\Z"
)
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
    is_api = _is_api(text, seen)
    whole = chain(seen, text)
    if is_api:
        yield from _from_known(sse.chunks(whole))
    else:
        yield from whole if size is None else recut(whole, size)


def _is_api(text: Iterator[str], seen: list[str]) -> bool:
    """Whether `text` is what an API sends; what had to be read to know it is then in `seen`."""
    rest = ""
    for piece in (pieces := _noted(text, seen)):
        rest = _SKIPPED.sub("", rest + piece)
        if data := _DATA.match(rest):
            return data[1] != ""
        if rest.lstrip().startswith(("{", "[")):
            return _begins_with_chunk(chain((rest,), pieces))
        if rest.strip() and not _MAY_BE_FIELD.match(rest):
            return False
    return False


def _noted(text: Iterator[str], seen: list[str]) -> Iterator[str]:
    for piece in text:
        seen.append(piece)
        yield piece


def _begins_with_chunk(pieces: Iterable[str]) -> bool:
    """Whether the first object, alone or in a list, is a chunk that someone knows. Says no at the first misfit."""
    lexer = JsonLexer()
    held: list[str] = []
    rest = ""
    for piece in pieces:
        rest = rest + piece if held else (rest + piece).lstrip(" \t\r\n[")
        if rest and not held and rest[0] != "{":
            return False
        end = lexer.read(rest, 0, len(rest))
        held += [rest[:end]] if end else []
        rest = rest[end:]
        if lexer.is_done or lexer.is_failed:
            return lexer.is_done and _is_chunk("".join(held))
    return False


def _is_chunk(text: str) -> bool:
    try:
        return read_chunk(json.loads(text, strict=False)) is not None
    except (ValueError, RecursionError):  # numbers and depths that Python does not read
        return False


def _from_known(chunks: Iterator[JsonChunk]) -> Iterator[JsonChunk]:
    """The chunks from the first known one on; what is new to the parser behind it, it ignores. None is a complaint."""
    unknown: JsonChunk | None = None
    for chunk in chunks:
        if read_chunk(chunk) is not None:
            yield chunk
            yield from chunks
            return
        if unknown is None:
            unknown = chunk
    if unknown is not None:
        raise CommandError(f"no known API sends such events: {json.dumps(unknown)[:_MAX_QUOTED]}")
