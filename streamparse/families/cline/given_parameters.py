"""GivenParameters: what is known of a call whose body is streamed, as one parameter after the other is complete.

What is known at START is metadata, what comes later is `late`. Of a parameter that is given several times the last
value counts; but what was shown never changes: a different value for that makes the call malformed, and so does a
missing one. A body is streamed and not kept, so only a short one can be found to be the same when it is given again.
"""

from __future__ import annotations

from typing import Any

from streamparse.arguments.step import is_repeatable
from streamparse.events import RESERVED_METADATA

#: Up to here a body is kept, to be compared with a second one.
_SHORT = 1024


class GivenParameters:
    """The parameters of one call. The body is among them by its name only."""

    def __init__(self, tool: str, waited_for: tuple[str, ...], body: str, *, is_in_plan: bool = False) -> None:
        self.metadata: dict[str, Any] = {"tool_name": tool}
        self.late: dict[str, str] = {}
        self._waited_for = waited_for
        self._is_in_plan = is_in_plan
        self._body = body
        self._has_body = False
        self._body_text: list[str] | None = []  # None if it is long
        self._body_size = 0
        self._problem = ""

    @property
    def is_ready(self) -> bool:
        """Whether all is known that START waits for."""
        return all(name in self.metadata for name in self._waited_for)

    @property
    def error(self) -> str | None:
        """What is wrong with the call, if it ends now."""
        missing = [name for name in self._waited_for if name not in self.metadata]
        if not self._has_body:
            missing.append(self._body)
        return self._problem or (f"{missing[0]} is missing" if missing else None)

    @property
    def has_long_body(self) -> bool:
        """Whether the body is not kept any more."""
        return self._body_text is None

    def begin_body(self) -> bool:
        """The body begins; False if there was one before."""
        is_first = not self._has_body
        self._has_body = True
        return is_first

    def add_body(self, text: str) -> None:
        """More of the body, as it is shown."""
        if text and self._body_text is not None:
            self._body_text.append(text)
            self._body_size += len(text)
            if self._body_size > _SHORT:
                self._body_text = None

    def repeat_body(self, text: str) -> None:
        """The body is given again, as `text`."""
        if self._body_text is None or "".join(self._body_text) != text:
            self.report(f"{self._body} is given twice")

    def give_text(self, name: str, value: str, *, is_late: bool) -> None:
        """A parameter other than the body is complete; `is_late`: START was given before."""
        # A parameter with a name that means something else in START is always late.
        is_more = self._is_in_plan and is_repeatable(name)
        is_reserved = name in RESERVED_METADATA or is_more
        if name in self.late and is_more:
            self.late[name] += f",{value}"
        elif is_late and name in self.metadata and not is_reserved:
            if self.metadata[name] != value:
                self.report(f"{name} is given twice")
        elif is_late or is_reserved:
            self.late[name] = value
        else:
            self.metadata[name] = value

    def report(self, problem: str) -> None:
        """Something is wrong; the first problem is the one that counts."""
        self._problem = self._problem or problem
