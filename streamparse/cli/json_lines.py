"""`--output jsonl` and `--output invocations`: one object per line, in ASCII."""

from __future__ import annotations

import json
from typing import TextIO

from streamparse.events import SegmentEvent
from streamparse.invocations import ToolInvocation


class JsonLines:
    """Writes `to_dict()` of each item that is a `wanted` one."""

    is_sequential = False

    def __init__(self, file: TextIO, wanted: type[SegmentEvent] | type[ToolInvocation]) -> None:
        self._file = file
        self._wanted = wanted

    def __enter__(self) -> JsonLines:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()

    def show(self, item: SegmentEvent | ToolInvocation) -> None:
        """Write the item, if it is wanted."""
        if isinstance(item, self._wanted):
            self._file.write(json.dumps(item.to_dict()) + "\n")

    def flush(self) -> None:
        """Hand the lines to whoever reads them."""
        self._file.flush()

    def say(self, line: str) -> None:
        """Nothing: the lines are for programs."""
