"""Repetition: a model that makes the same call again and again is asked about, and then stopped."""

from __future__ import annotations

from streamparse.invocations import ToolInvocation
from streamparse.presenter.rules import Judgement


class Repetition:
    """Counts calls; keep one for all replies of a conversation."""

    def judge(self, call: ToolInvocation) -> Judgement:
        """Whether the call has come too often."""
        return Judgement("allow")
