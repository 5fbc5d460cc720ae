"""CallIds: the ids of the calls of one reply, for a client."""

from __future__ import annotations


class CallIds:
    """The ids of calls: the model's own, which its history needs, unless two calls have the same."""

    def __init__(self, prefix: str, own: str) -> None:
        self._prefix = f"{prefix}{own[:20]}"
        self._taken: set[str] = set()

    def give(self, own: str | None, index: int) -> str:
        """The id of the call with the number `index`."""
        call_id = own if own and own not in self._taken else f"{self._prefix}{index:04x}"
        self._taken.add(call_id)
        return call_id
