"""JSON text to values and back: strict where it matters, and nothing that Python could not write again.

Raw control characters in strings are accepted, because models write them; NaN, infinities and numbers that become one
are not, because no JSON has them. How deep it is nested is told from the text: what is too deep must not even be built.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate, repeat
from math import isinf
from typing import Any, NoReturn

from streamparse.arguments.json_strings import LOOSE, mend_escapes
from streamparse.config import Limits
from streamparse.errors import RenderError

#: Brackets; strings are found, too, so that those inside them are not.
_BRACKETS = re.compile(rf'[\[\]{{}}]|"{LOOSE}"?')
#: What a bracket adds to the depth.
_STEPS = {"{": 1, "[": 1, "}": -1, "]": -1}

_LIMITS = Limits()

#: How JSON begins: with a bracket or a quote, or as what there is of a number or a word.
_BEGINNING = re.compile(
    r"""[ \t\r\n]*+(?:[{\["].*|(?:-?+[0-9]*+(?:\.[0-9]*+)?+(?:[eE][-+]?+[0-9]*+)?+"""
    r"|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)[ \t\r\n]*+)",
    re.DOTALL,
)


class JsonTextError(ValueError):
    """A text is not JSON."""


class TooDeepError(JsonTextError):
    """JSON text is nested deeper than the limit."""


def read_json(text: str, max_depth: int) -> Any:
    """The value of `text`. Raises JsonTextError."""
    # Mostly there are too few brackets: counting them is much cheaper than following them.
    if text.count("{") + text.count("[") > max_depth and _depth(text) > max_depth:
        raise TooDeepError("it is nested too deeply")
    return parse_json(text)


def read_written(text: str, max_depth: int) -> tuple[Any, bool]:
    """The value of JSON that is a call, and whether it was mended: `\'` is no escape of JSON. Raises JsonTextError."""
    try:
        return read_json(text, max_depth), False
    except TooDeepError:
        raise
    except JsonTextError:
        mended = mend_escapes(text)
        if mended == text:
            raise
        with suppress(JsonTextError):
            return read_json(mended, max_depth), True
        raise


def parse_json(text: str) -> Any:
    """The same where the depth is known, or does not matter: Python has a limit, too. Raises JsonTextError."""
    try:
        return _DECODER.decode(text)
    except ValueError as error:
        raise JsonTextError(str(error)) from None
    except RecursionError:
        raise TooDeepError("it is nested too deeply") from None


def parse_members(text: str) -> list[tuple[str, Any]]:
    """The members of an object whose values are scalars, also those of one name. Raises JsonTextError."""
    try:
        members: list[tuple[str, Any]] = _MEMBERS.decode(text)
    except ValueError as error:
        raise JsonTextError(str(error)) from None
    return members


def may_be_json(beginning: str) -> bool:
    """Whether a text that begins so may be JSON in the end; that brackets and quotes are is not looked into."""
    return _BEGINNING.fullmatch(beginning) is not None


def _read_finite(number: str) -> float:
    value = float(number)
    if isinf(value):
        raise ValueError(f"{number} is too large")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


#: One for all: `json.loads` would make one for every text, which takes longer than reading a short one.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse, parse_float=_read_finite)
_MEMBERS = json.JSONDecoder(
    strict=False, parse_constant=_refuse, parse_float=_read_finite, object_pairs_hook=lambda pairs: pairs
)


def _depth(text: str) -> int:
    """How deep brackets are nested."""
    steps = map(_STEPS.get, _BRACKETS.findall(text), repeat(0))
    return max(accumulate(steps, initial=0))


def write_json(arguments: Mapping[str, Any]) -> str:
    """A JSON object on one line, which is read as the same object again."""
    arguments = dict(arguments)
    text = to_json(arguments)
    if len(text) > _LIMITS.max_arguments:
        raise RenderError(f"the arguments are longer than {_LIMITS.max_arguments} characters")
    try:
        is_same = bool(read_json(text, _LIMITS.max_depth) == arguments)
    except (JsonTextError, RecursionError) as error:
        raise RenderError(f"not JSON: {error}") from error
    if not is_same:
        raise RenderError("the arguments hold what JSON has not: keys that are no strings, or tuples")
    return text


def to_json(value: Any) -> str:
    """JSON text; raises RenderError for what is none."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RenderError(f"not JSON: {error}") from error


def without_marks(json_text: str) -> str:
    """JSON without `<` and `&`, which can only stand in its strings."""
    return json_text.replace("<", "\\u003c").replace("&", "\\u0026")


#: The JSON types of values; bool comes before int, which it is a subclass of.
_TYPES = {bool: "boolean", int | float: "number", str: "string", list | tuple: "array", dict: "object"}


def type_of(value: Any) -> str:
    """The JSON type of a value."""
    return next((name for kind, name in _TYPES.items() if isinstance(value, kind)), "null")
