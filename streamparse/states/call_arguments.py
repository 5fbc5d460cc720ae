"""CallArguments: what is known of a call, as one argument after the other is complete.

What is known at START is metadata, decoded; what comes later is `late`, as written. A value that was shown never
changes: a second, different one makes the call malformed, and so does a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamparse.core.entities import decode_entities

#: What START says of the call itself: an argument of that name is always late.
_RESERVED = ("tool_name", "call_id")


class CallArguments:
    """The arguments of one call. The body is among them by its name only: its text is streamed, not kept."""

    def __init__(self, metadata: dict[str, Any], needed: Iterable[str], body: str) -> None:
        self.metadata = metadata
        self.late: dict[str, str] = {}
        self.problem = ""
        self.has_body = body in metadata
        self._needed = tuple(needed)
        self._body = body

    @property
    def is_ready(self) -> bool:
        """Whether all is known that START waits for."""
        return all(name in self.metadata for name in self._needed if name != self._body)

    @property
    def error(self) -> str | None:
        """What is wrong with the call, if it ends now."""
        if self.problem:
            return self.problem
        for name in self._needed:
            if name not in self.metadata and not (name == self._body and self.has_body):
                return f"{name} is missing"
        return None

    def begin_body(self) -> bool:
        """The body begins; False if there was one before."""
        if self.has_body:
            self.report(f"{self._body} is given twice")
            return False
        self.has_body = True
        return True

    def give(self, name: str, raw: str, *, is_late: bool) -> None:
        """An argument other than the body is complete."""
        # Only a value without tags can be decoded here: in one with tags, what is nested must be told apart first.
        value = raw if "<" in raw else decode_entities(raw)
        if name in self.metadata and name not in _RESERVED:
            if self.metadata[name] != value:
                self.report(f"{name} is given twice")
        elif name in self.late:
            if self.late[name] != raw:
                self.report(f"{name} is given twice")
        elif is_late or name in _RESERVED:
            self.late[name] = raw
        else:
            self.metadata[name] = value

    def report(self, problem: str) -> None:
        """Something is wrong; the first problem is the one that counts."""
        self.problem = self.problem or problem
