"""How many characters the library's patterns look at, and how many it keeps. A program of its own, run by the tests:

    python count_work.py [format] < families.json

It must replace `re.compile` before the library is imported, so that every pattern counts. A search counts the
characters from where it begins to the end of its match, or to the end of the text if it finds nothing. So a parser that
looks twice at the same text shows in the number, however fast it looks. So does one that keeps the same text twice:
what is added to `Pieces` counts by its length.

It reads `{name: [opener, unit, closer]}` and prints `{name: {chunk size: [work for n, work for 2 n]}}`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

SIZE = 12_000
looked_at = 0
compile_pattern = re.compile


class Counting:
    """A pattern that counts."""

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern

    def _count(self, name: str, text: str, start: int, end: int) -> Any:
        global looked_at
        match = getattr(self.pattern, name)(text, start, end)
        looked_at += 1
        if match is not None or name == "search":
            looked_at += (match.end() if match else min(end, len(text))) - start
        return match

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> Any:
        return self._count("search", text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> Any:
        return self._count("match", text, start, end)

    def finditer(self, text: str, start: int = 0) -> Iterator[Any]:
        while (match := self.search(text, start)) is not None:
            yield match
            start = match.end()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pattern, name)


def main() -> None:
    re.compile = lambda *arguments: Counting(compile_pattern(*arguments))  # type: ignore[assignment]
    from streamparse import StreamingResponseHandler  # noqa: PLC0415 - after the line above
    from streamparse.core.pieces import Pieces  # noqa: PLC0415

    keep = Pieces.add

    def count_kept(pieces: Pieces, text: str) -> None:
        global looked_at
        looked_at += len(text)
        keep(pieces, text)

    Pieces.add = count_kept  # type: ignore[method-assign]

    def work(text: str, chunk: int) -> int:
        global looked_at
        looked_at = 0
        handler = StreamingResponseHandler(*sys.argv[1:] or ["xml"])
        for start in range(0, len(text), chunk):
            handler.feed(text[start : start + chunk])
        handler.finalize()
        return looked_at

    found: dict[str, dict[str, list[int]]] = {}
    for name, (opener, unit, closer) in json.load(sys.stdin).items():
        count = SIZE // len(unit)
        found[name] = {
            str(chunk): [work(opener + unit * (count * times) + closer, chunk) for times in (1, 2)]
            for chunk in (4, 1 << 20)
        }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
