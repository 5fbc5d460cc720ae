"""CallIds: the ids of the calls of one reply, for a client."""

from __future__ import annotations

from collections.abc import Iterable


class CallIds:
    """The ids of calls: the model's own, which its history needs, unless two calls have the same."""

    def __init__(self, prefix: str, own: str) -> None:
        self._prefix = f"{prefix}{own}"
        self._taken: set[str] = set()

    def note(self, taken: Iterable[str]) -> None:
        """Ids that other calls have."""
        self._taken.update(taken)

    def give(self, own: str | None, index: int | None = None) -> str:
        """The id of the call with the number `index`; by default of the next one."""
        index = len(self._taken) if index is None else index
        call_id = own if own and own not in self._taken else f"{self._prefix}{index:04x}"
        self._taken.add(call_id)
        return call_id
