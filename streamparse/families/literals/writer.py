"""Arguments written as literals: what `reader.py` reads, the other way round.

    write_python({"city": "Oslo", "ok": True})      city='Oslo', ok=True
    write_json_literals(…)                          city="Oslo", ok=true
    write_gemma(…)                                  city:<|"|>Oslo<|"|>,ok:true
    write_function_gemma({"days": 2})               days:<escape>2<escape>

What would be read differently is refused behind that, by `formats/read_back.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from streamparse.arguments.json_text import to_json, write_json
from streamparse.errors import RenderError

_IDENTIFIER = re.compile(r"[^\W\d]\w*+")
_BARE_KEY = re.compile(r"[^\W\d][\w.-]*+")
_WORDS = {True: "True", False: "False", None: "None"}
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\\x00-\x1f\x7f]")


def write_python(arguments: Mapping[str, Any]) -> str:
    """`city='Oslo', tags=['a', None]`."""
    return _write(arguments, lambda plain: _keywords(plain, _to_python))


def write_json_literals(arguments: Mapping[str, Any]) -> str:
    """`city="Oslo", tags=["a", null]`."""
    return _write(arguments, lambda plain: _keywords(plain, to_json))


def write_gemma(arguments: Mapping[str, Any]) -> str:
    """`city:<|"|>Oslo<|"|>,tags:[<|"|>a<|"|>,null]`."""
    return _write(arguments, lambda plain: _members(plain, '<|"|>'))


def write_function_gemma(arguments: Mapping[str, Any]) -> str:
    """`city:<escape>Oslo<escape>,days:<escape>2<escape>,at:{lat:59.9}`: numbers are quoted, except inside of others."""
    return _write(arguments, _function_gemma)


def _write(arguments: Mapping[str, Any], write: Callable[[Mapping[str, Any]], str]) -> str:
    """What `write` makes of the arguments, if they are such as JSON has."""
    write_json(arguments)
    try:
        return write(arguments)
    except RecursionError:
        raise RenderError("the arguments are nested too deeply to be written") from None


# -- Python -----------------------------------------------------------------------------------------------------------


def _keywords(arguments: Mapping[str, Any], to_text: Callable[[Any], str]) -> str:
    for name in arguments:
        if not _IDENTIFIER.fullmatch(name):
            raise RenderError(f"the argument {name!r} cannot be written as a keyword")
    return ", ".join(f"{name}={to_text(value)}" for name, value in arguments.items())


def _to_python(value: Any) -> str:
    if isinstance(value, str):
        quote = '"' if "'" in value and '"' not in value else "'"
        return quote + _ESCAPED.sub(_escape, value).replace(quote, "\\" + quote) + quote
    if isinstance(value, list):
        return f"[{', '.join(map(_to_python, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_to_python(key)}: {_to_python(item)}" for key, item in value.items()) + "}"
    return _WORDS[value] if value is None or isinstance(value, bool) else to_json(value)


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\x{ord(match[0]):02x}"


# -- Gemma ------------------------------------------------------------------------------------------------------------


def _members(arguments: Mapping[str, Any], quote: str) -> str:
    return ",".join(f"{_key(name, quote)}:{_to_gemma(value, quote)}" for name, value in arguments.items())


def _function_gemma(arguments: Mapping[str, Any]) -> str:
    texts = {
        name: to_json(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        for name, value in arguments.items()
    }
    return _members(texts, "<escape>")


def _to_gemma(value: Any, quote: str) -> str:
    if isinstance(value, str):
        return _quoted(value, quote)
    if isinstance(value, list):
        return f"[{','.join(_to_gemma(item, quote) for item in value)}]"
    return f"{{{_members(value, quote)}}}" if isinstance(value, dict) else to_json(value)


def _key(name: str, quote: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _quoted(name, quote)


def _quoted(text: str, quote: str) -> str:
    if quote in text:
        raise RenderError(f"a string that holds {quote} cannot be written in this format")
    return f"{quote}{text}{quote}"
