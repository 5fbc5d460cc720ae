"""ServerCalls: which call of the provider's own tools a result belongs to.

calls.begin("srvtoolu_1", "call_a")
calls.end("srvtoolu_1")                 'call_a': the id that the client knows
"""

from __future__ import annotations

from attrs import define, field


@define
class ServerCalls:
    """The provider's calls of one reply that have no result yet: their ids for the client, by the provider's."""

    _open: dict[object, str] = field(factory=dict)

    def begin(self, given: str | None, call_id: str) -> None:
        """A call, with the provider's id if it has one."""
        self._open[given or call_id] = call_id

    def end(self, given: object) -> str | None:
        """The call whose result has the provider's id `given`, else the first without one; None if there is none."""
        known = given if isinstance(given, str) and given in self._open else next(iter(self._open), None)
        return None if known is None else self._open.pop(known)

    def end_all(self) -> list[str]:
        """Those without a result: none comes any more."""
        rest = list(self._open.values())
        self._open.clear()
        return rest
