"""Approvals: a question is asked here, and its answer comes by another way, such as a second HTTP request.

    approvals = Approvals(expires=300)
    presenter = Presenter(reply, tools=tools, ask=approvals.ask)         # the request that streams
    approvals.answer(approval_id, Decision("allow_once"))                # the request of the person who clicked

The lifecycle event `approval_requested` carries the `approval_id` to the screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from streamparse.errors import StreamparseError
from streamparse.presenter.decision import Answer, ApprovalRequest, Decision, as_decision


class ApprovalError(StreamparseError, KeyError):
    """Nobody waits for this answer: it was given before, it came too late, or there never was such a question."""

    def __str__(self) -> str:
        return str(self.args[0])


class Approvals:
    """The questions that are open. `expires` is for how many seconds each waits; None: for ever.

    A question that nobody answers in time is answered with a rejection that says so. All questions of one event loop
    may share one object: their ids cannot be guessed.
    """

    def __init__(self, *, expires: float | None = 600.0) -> None:
        self._expires = expires
        self._open: dict[str, tuple[ApprovalRequest, asyncio.Future[Decision]]] = {}

    @property
    def pending(self) -> Mapping[str, ApprovalRequest]:
        """The questions without an answer, by their `approval_id`: what a page that is loaded anew has to show."""
        return MappingProxyType({name: request for name, (request, answer) in self._open.items() if not answer.done()})

    async def ask(self, request: ApprovalRequest) -> Decision:
        """Wait for the answer; this is what a presenter is given as `ask`."""
        future: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._open[request.approval_id] = request, future
        try:
            return await asyncio.wait_for(future, self._expires)
        except TimeoutError:
            feedback = f"Nobody answered within {self._expires:g} seconds."
            return Decision("reject_once", feedback=feedback, is_answered=False)
        finally:
            del self._open[request.approval_id]

    def answer(self, approval_id: str, decision: Answer) -> ApprovalRequest:
        """Give the answer, from the same event loop; returns the question. Raises ApprovalError if nobody waits."""
        request, future = self._open.get(approval_id, (None, None))
        if request is None or future is None or future.done():
            raise ApprovalError(f"no question with the id {approval_id!r} is open")
        future.set_result(as_decision(decision))
        return request

    def reject_all(self, feedback: str = "") -> None:
        """The person has gone: all questions that are open are answered with a rejection."""
        for _, future in self._open.values():
            if not future.done():
                future.set_result(Decision("reject_once", feedback=feedback))
