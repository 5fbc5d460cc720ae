"""Ledger: what has become of the calls of a reply, step by step, and the result of each.

    ledger.tell(call, "running")                          one more `ToolLifecycle`, for whoever watches
    ledger.finish(call, ToolResult("12 degrees"))         its last word: it was run
    ledger.refuse(call, Refusal("denied", "…"))           its last word: it was not, and the model is told why
    ledger.results                                        {"seg_2": ToolResult("12 degrees")}

Each call has one last word, and with it a result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Literal

from attrs import frozen

from streamparse.invocations import ToolInvocation, ToolLifecycle
from streamparse.invocations.lifecycle import LifecycleState
from streamparse.messages.results import ToolResult

#: Why a call did not run to its end, if nobody has said so.
LEFT = "The reply was stopped."


@frozen
class Refusal:
    """The call does not run, and `message` is what the model is told. A denial also ends what stands behind it.

    `approval_id` is that of the question that it answers, if there was one.
    """

    state: Literal["denied", "skipped"]
    message: str
    outcome: str | None = None
    attachments: tuple[Any, ...] = ()
    approval_id: str | None = None


class Ledger:
    """The calls of one reply. `on_news` is called when something was said."""

    def __init__(self, on_news: Callable[[], object]) -> None:
        self._on_news = on_news
        #: What was said, and not been given to whoever watches.
        self.said: deque[ToolLifecycle] = deque()
        #: Why the reply was stopped before its end, if it was.
        self.stopped: str | None = None
        #: What people have attached to their decisions.
        self.attachments: list[Any] = []
        #: By the ids of the calls.
        self.results: dict[str, ToolResult] = {}

    def tell(self, call: ToolInvocation, state: LifecycleState, message: str | None = None, **about: Any) -> None:
        """Say what happens to a call; `about` is what else a `ToolLifecycle` has."""
        self.said.append(ToolLifecycle(state, call.id, call.name, call.call_id, message=message, **about))
        self._on_news()

    def finish(self, call: ToolInvocation, result: ToolResult) -> None:
        """The call has run."""
        self.results[call.id] = result
        self.tell(call, "result", content=result.content, is_error=result.is_error)

    def interrupt(self, call: ToolInvocation) -> None:
        """The call has run, but not to its end."""
        self.finish(call, ToolResult(f"The call was stopped while it ran. {self.stopped or LEFT}", is_error=True))

    def refuse(self, call: ToolInvocation, refusal: Refusal) -> None:
        """The call will not run; nothing is said of one that has its last word."""
        if call.id not in self.results:
            self.results[call.id] = ToolResult(refusal.message, is_error=True)
            self.tell(call, refusal.state, refusal.message, outcome=refusal.outcome, approval_id=refusal.approval_id)

    def refuse_all(self, calls: Iterable[ToolInvocation]) -> None:
        """The reply was stopped: none of the calls will run any more."""
        for call in calls:
            self.refuse(call, Refusal("skipped", f"The call was not run. {self.stopped or LEFT}"))
