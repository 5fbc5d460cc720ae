"""Arguments written as literals: what `reader.py` reads, the other way round.

    write_python({"city": "Oslo", "ok": True})      city='Oslo', ok=True
    write_json_literals(…)                          city="Oslo", ok=true
    write_gemma(…)                                  city:<|"|>Oslo<|"|>,ok:true
    write_function_gemma({"days": 2})               days:<escape>2<escape>

What is written is read again before it is given out: what would be read differently is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from streamparse.arguments import ArgumentDecoder, ArgumentsError, Signature
from streamparse.arguments.json_text import JsonTextError, read_json, to_json
from streamparse.config import Limits, ParserConfig, ToolSpec
from streamparse.errors import RenderError
from streamparse.families.literals.gemma import FUNCTION_GEMMA_ARGUMENTS, GEMMA_ARGUMENTS
from streamparse.families.literals.python import PYTHON_ARGUMENTS

_IDENTIFIER = re.compile(r"[^\W\d]\w*+")
_BARE_KEY = re.compile(r"[^\W\d][\w.-]*+")
_WORDS = {True: "True", False: "False", None: "None"}
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r"[\\\x00-\x1f\x7f]")
_TYPES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}


def write_python(arguments: Mapping[str, Any]) -> str:
    """`city='Oslo', tags=['a', None]`."""
    return _write(arguments, lambda plain: _keywords(plain, _to_python), PYTHON_ARGUMENTS)


def write_json_literals(arguments: Mapping[str, Any]) -> str:
    """`city="Oslo", tags=["a", null]`."""
    return _write(arguments, lambda plain: _keywords(plain, to_json), PYTHON_ARGUMENTS)


def write_gemma(arguments: Mapping[str, Any]) -> str:
    """`city:<|"|>Oslo<|"|>,tags:[<|"|>a<|"|>,null]`."""
    return _write(arguments, lambda plain: _members(plain, '<|"|>'), GEMMA_ARGUMENTS)


def write_function_gemma(arguments: Mapping[str, Any]) -> str:
    """`city:<escape>Oslo<escape>,days:<escape>2<escape>,at:{lat:59.9}`: numbers are quoted, except inside of others."""
    return _write(arguments, _function_gemma, FUNCTION_GEMMA_ARGUMENTS)


def _write(arguments: Mapping[str, Any], write: Callable[[dict[str, Any]], str], decoder: ArgumentDecoder) -> str:
    """What `write` makes of the arguments, if `decoder` makes the same of that."""
    json_text = to_json(dict(arguments))
    try:
        plain = read_json(json_text, Limits().max_depth)
        text = write(plain)
        types = {name: {"type": _TYPES.get(type(value), "null")} for name, value in plain.items()}
        signature = Signature.of(ToolSpec("tool", {"type": "object", "properties": types}), ParserConfig())
        found = decoder.decode_call(text, signature, is_truncated=False).arguments
    except (ArgumentsError, JsonTextError) as error:
        raise RenderError(f"the arguments cannot be written in this format: {error}") from error
    except RecursionError:
        raise RenderError("the arguments are nested too deeply to be written") from None
    if to_json(found) != json_text:
        raise RenderError("the arguments would be read differently in this format")
    return text


# -- Python -----------------------------------------------------------------------------------------------------------


def _keywords(arguments: dict[str, Any], to_text: Callable[[Any], str]) -> str:
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


def _members(arguments: dict[str, Any], quote: str) -> str:
    return ",".join(f"{_key(name, quote)}:{_to_gemma(value, quote)}" for name, value in arguments.items())


def _function_gemma(arguments: dict[str, Any]) -> str:
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
