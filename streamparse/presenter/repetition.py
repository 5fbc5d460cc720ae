"""Repetition: a model that goes round in circles makes the same calls again and again.

    repetition = Repetition()                         # one for all replies of a conversation
    Presenter(reply, …, repetition=repetition)        # asks at the third equal call in a row, stops at the fifth

Calls that alternate, A B A B A B, are counted as well. Arguments that differ each time without meaning anything, such
as a reason, can be left out of the comparison. What repeats itself in a text is the matter of `loop_guard.py`.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from math import inf

from streamparse.invocations import ToolInvocation
from streamparse.presenter.rules import Judgement

#: How many calls a circle may have.
_LONGEST_CIRCLE = 2
_ORDINALS = dict(enumerate(("first", "second", "third", "fourth", "fifth"), 1))


class Repetition:
    """Counts calls. `ignore` names arguments that do not count, by the tool, or by `*` for all tools.

    `ask_at` and `stop_at` are how often a call, or a circle of two calls, must have come for a question and for a
    refusal; None: never.
    """

    def __init__(
        self,
        *,
        ask_at: int | None = 3,
        stop_at: int | None = 5,
        ignore: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._stop_at = stop_at
        self._ignore = dict(ignore or {})
        limits = [limit for limit in (ask_at, stop_at) if limit is not None]
        self._least = min(limits, default=inf)  # what comes less often is not spoken of
        most = max(limits, default=0)
        self._calls: deque[str] = deque(maxlen=most * _LONGEST_CIRCLE)

    def judge(self, call: ToolInvocation) -> Judgement:
        """Count the call, and say what is to be done with it."""
        if self._least == inf:
            return Judgement("allow")
        self._calls.append(self._key(call))
        times = max(map(self._times, range(1, _LONGEST_CIRCLE + 1)))
        if times < self._least:
            return Judgement("allow")
        often = f"it is the {_ORDINALS.get(times, f'{times}th')} time in a row that the model does the same"
        if self._stop_at is not None and times >= self._stop_at:
            return Judgement("deny", f"{often}, and the result will not be another one")
        return Judgement("ask", often)

    def reset(self) -> None:
        """A person has said something: what came before does not count."""
        self._calls.clear()

    def _key(self, call: ToolInvocation) -> str:
        ignored = {*self._ignore.get(call.name, ()), *self._ignore.get("*", ())}
        arguments = {name: value for name, value in call.arguments.items() if name not in ignored}
        return json.dumps([call.name, arguments], sort_keys=True, default=str)

    def _times(self, size: int) -> int:
        """How often the last `size` calls have come in a row."""
        backwards = list(reversed(self._calls))
        circle, times = backwards[:size], 0
        if size > 1 and len(set(circle)) == 1:
            return 0  # that is a smaller circle
        while backwards[times * size : (times + 1) * size] == circle:
            times += 1
        return times
