"""Which format a model writes, by its name.

    find_format("Qwen/Qwen3-Coder-30B-A3B-Instruct", formats)       the format that lists `*qwen3-coder*`

A pattern is a name in which `*` stands for anything, in any case. It is looked for in what follows the last slash: the
owner of a repository says nothing. Of several that fit, one that begins where the name does counts most, then the one
that says most of it: `*qwen3-coder*` is more than `*qwen3*`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from streamparse.errors import RegistryError
from streamparse.formats.format import Format


def find_format(model: str, formats: Iterable[Format]) -> Format:
    """The format of the model called `model`. Raises RegistryError if none of `formats` lists it."""
    if not isinstance(model, str):
        raise TypeError(f"a model is named by a string, not {model!r}")
    name = model.strip().lower().rpartition("/")[2]
    listed = [(pattern.lower(), format) for format in formats for pattern in format.models]
    fitting = [(pattern, format) for pattern, format in listed if _compile(pattern).fullmatch(name)]
    if not fitting:
        raise RegistryError(f"no format is known for the model {model!r}; {_hint(name, [p for p, _ in listed])}")
    return max(fitting, key=lambda found: _specificity(found[0]))[1]


def _specificity(pattern: str) -> tuple[bool, int]:
    return not pattern.startswith("*"), len(pattern.replace("*", ""))


@lru_cache(maxsize=1024)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)


def _hint(name: str, patterns: list[str]) -> str:
    known = list(dict.fromkeys(pattern.strip("*-").replace("*", "…") for pattern in patterns))
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    meant = f"known names are like {', '.join(close)}; " if close else ""
    return f"{meant}choose a format by its own name (`streamparse formats` lists them), or 'auto'"
