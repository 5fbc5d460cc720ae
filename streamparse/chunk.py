"""Chunk: for people without an SDK.

    Chunk("Hi")
    Chunk(reasoning="Hm")
    Chunk(tool_calls=[{"index": 0, "id": "c", "name": "f", "arguments": "{}"}])

Any other object with a string `content` is read in the same way (`providers/chunk.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen
from attrs.validators import instance_of, optional


@frozen
class Chunk:
    """A piece of a reply: text, reasoning, pieces of calls.

    A call is a dict with `index`, `id`, `name` and `arguments` (a piece of JSON text, or all of them as a dict), each
    where it is known, or one in OpenAI's form.
    """

    content: str | None = field(default=None, validator=optional(instance_of(str)))
    reasoning: str | None = field(default=None, validator=optional(instance_of(str)))
    tool_calls: Sequence[Mapping[str, Any]] | None = None
