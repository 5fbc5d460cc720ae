"""GrowingTags: arguments in tags, shown while they come.

    <path>a.py</path><content>print(      {"path": "a.py", "content": "print("}
          the reader has told the sink ───────┘                    │
          the sink keeps what is open ─────────────────────────────┘

The reader is that of the family, the sink that of its decoder. What a tag in the text means is settled by the reader;
text without any is the next piece of the value that is open.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import Any, Protocol

from streamparse.arguments.decoder import ArgumentsError
from streamparse.arguments.sink import Sink
from streamparse.core.scanner import StreamScanner


class TagReader(Protocol):
    """Reads arguments from a scanner, and tells a sink."""

    is_ended: bool

    @property
    def triggers(self) -> str | None:
        """The characters that matter to what comes next; None for all of them."""

    def read(self, sink: Any) -> None:
        """Read as far as possible. Not to be called when the call has ended."""

    def finish(self, sink: Any) -> None:
        """No more input."""


class TagSink(Sink, Protocol):
    """Keeps what it is told."""

    @property
    def is_open(self) -> bool:
        """Whether a value is being read."""


class GrowingTags(metaclass=ABCMeta):
    """Reads on with every piece. A subclass makes arguments of what its sink has been told."""

    _is_over = False  # something is wrong: nothing more is read, and what was shown before stays

    def __init__(self, scanner: StreamScanner, reader: TagReader, sink: TagSink) -> None:
        self._scanner = scanner
        self._reader = reader
        self._sink = sink

    def feed(self, text: str) -> None:
        """Read on."""
        scanner, reader = self._scanner, self._reader
        if self._is_over or reader.is_ended:
            return
        if self._is_plain(text):
            self._sink.take(text, is_followed=False)  # as nearly always
            return
        scanner.buf += text
        try:
            self._read()
        except ArgumentsError:
            self._is_over = True
        scanner.compact()

    def _is_plain(self, text: str) -> bool:
        """Whether all of `text` belongs to the value that is open."""
        if self._scanner.buf or not self._sink.is_open:
            return False
        triggers = self._reader.triggers
        return triggers is not None and len(triggers) == 1 and triggers not in text

    def _read(self) -> None:
        self._reader.read(self._sink)

    @abstractmethod
    def show(self) -> dict[str, Any]:
        """What is complete, and what is certain of the last one."""

    def cut(self) -> dict[str, Any]:
        """What there is of the last one, a piece of its closer too."""
        self._finish()
        return self.show()

    def _finish(self) -> None:
        """Nothing more comes."""
        if not self._is_over and not self._reader.is_ended:
            try:
                self._reader.finish(self._sink)
            except ArgumentsError:
                self._is_over = True
