"""Recorder: what went through the proxy, in a folder, for a bug report. It is off unless somebody asks for it.

    0001.request.json       what the server was asked
    0001.raw                what it answered, byte for byte
    0001.repaired           what the client got

Headers, and the key that is in them, are not kept; all that was said is.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO


class Recorder:
    """Writes to a folder, which is made if it is not there. Files that are there are not overwritten."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._count = 0

    def begin(self, request: bytes) -> Recording:
        """A request that is sent to the server."""
        while True:
            self._count += 1
            path = self.folder / f"{self._count:04d}"
            paths = [path.with_suffix(suffix) for suffix in (".request.json", ".raw", ".repaired")]
            if not any(one.exists() for one in paths):  # another proxy's, or one of yesterday
                with suppress(FileExistsError), _private(paths[0]) as file:
                    file.write(request)
                    return Recording(_private(paths[1]), _private(paths[2]))


class Recording:
    """One exchange."""

    def __init__(self, raw: BinaryIO, repaired: BinaryIO) -> None:
        self._raw = raw
        self._repaired = repaired

    def add(self, raw: bytes, repaired: bytes) -> None:
        """What the server sent, and what the client got for it."""
        self._raw.write(raw)
        self._repaired.write(repaired)

    def close(self) -> None:
        """The exchange is over."""
        try:
            self._raw.close()
        finally:
            self._repaired.close()


def _private(path: Path) -> BinaryIO:
    """A new file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
