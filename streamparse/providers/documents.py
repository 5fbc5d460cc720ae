"""JsonDocuments: bare JSON objects among the lines of a reply.

    {"a": 1}                 one line, one object (Ollama)
    {                        a reply that was not streamed, as an error is
      "error": {…}
    }
    [{                       Gemini's stream without SSE: the objects of a list
      "candidates": […]
    },
    {…}]

An object ends with the bracket that balances its first; whether it is JSON is for others to say. O(n) over all lines.
"""

from __future__ import annotations

import re

from streamparse.families.json.reader import JsonReader

#: What may stand before an object: blanks, and what is left of a list around it.
_OPENER = re.compile(r"[\s,\[\]]*+\{")


class JsonDocuments:
    """Takes lines with `feed`, gives the texts of the objects that are complete."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._reader: JsonReader | None = None

    @property
    def is_open(self) -> bool:
        """Whether an object has begun that has not ended."""
        return self._reader is not None

    def feed(self, line: str) -> list[str]:
        """The objects that end in `line`. Unless one is open, a line that begins with something else is ignored."""
        text = "\n" + line if self.is_open else line
        documents: list[str] = []
        pos = 0
        while True:
            start = pos
            if self._reader is None:
                opener = _OPENER.match(text, pos)
                if opener is None:
                    return documents
                self._reader = JsonReader(depth=1)
                pos = opener.end()
                start = pos - 1
            pos = self._reader.read(text, pos, len(text))
            self._pieces.append(text[start:pos])
            if not self._reader.is_done:
                return documents
            documents.append(self.close())

    def close(self) -> str:
        """The object that is open, as far as it came; there is none from now on."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._reader = None
        return text
