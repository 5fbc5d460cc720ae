"""CallArguments: what is known of a call, as one argument after the other is complete.

What is known at START is metadata, decoded (but one with parts stays as written); what comes later is `late`, as
written. A value that was shown never changes: a second, different one makes the call malformed, and so does a missing
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from streamparse.arguments import ArgumentsError, Signature
from streamparse.arguments.step import is_repeatable
from streamparse.core.entities import decode_entities
from streamparse.events import RESERVED_METADATA
from streamparse.families.xml.decoder import XML_ARGUMENTS


class CallArguments:
    """The arguments of one call. The body is among them by its name only: its text is streamed, not kept."""

    def __init__(
        self,
        metadata: dict[str, Any],
        needed: Iterable[str],
        body: str,
        sign: Callable[[], Signature],
        *,
        is_in_plan: bool = False,
    ) -> None:
        self.metadata = metadata
        self.late: dict[str, str] = {}
        #: Those with tags in them: the text, and whether it stood in a tag of the argument's own name.
        self.written: dict[str, tuple[str, bool]] = {}
        self.problem = ""
        self.has_body = body in metadata
        self._needed = tuple(needed)
        self._body = body
        self._sign = sign  # the tool's signature, which few calls need
        self._is_in_plan = is_in_plan

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

    def give(self, name: str, raw: str, *, is_late: bool, is_direct: bool) -> None:
        """An argument other than the body is complete; `is_direct`: in a tag of its own name."""
        value = raw if self._has_parts(name, raw, is_direct) else decode_entities(raw)
        if "<" in raw and name not in self._needed:
            self.written.setdefault(name, (raw, is_direct))
        # An argument with a name that means something else in START is always late.
        is_more = self._is_in_plan and is_repeatable(name)
        is_late = is_late or name in RESERVED_METADATA or is_more
        if name in self.metadata and name not in RESERVED_METADATA:
            if self.metadata[name] != value:
                self.report(f"{name} is given twice")
        elif name in self.late and is_more:
            self.late[name] += f",{raw}"
        elif name in self.late:
            if decode_entities(self.late[name]) != decode_entities(raw):
                self.report(f"{name} is given twice")
        elif is_late:
            self.late[name] = raw
        else:
            self.metadata[name] = value

    def _has_parts(self, name: str, raw: str, is_direct: bool) -> bool:
        """Whether the value is more than a text. Those the call needs, such as a path, never are."""
        if "<" not in raw or name in self._needed:
            return False
        try:
            return not isinstance(XML_ARGUMENTS.decode_written(name, raw, self._sign(), is_direct=is_direct), str)
        except ArgumentsError as error:
            self.report(str(error))
            return True

    def report(self, problem: str) -> None:
        """Something is wrong; the first problem is the one that counts."""
        self.problem = self.problem or problem
