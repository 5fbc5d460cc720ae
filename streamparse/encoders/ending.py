"""Ending: what decides how a reply has to end, besides what its provider said.

A call that is not complete must not be run: whatever the provider said, the reply ends as one that was cut off. A
refusal in words is an answer like any other; one without is that of a filter.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from streamparse.outcome import Outcome

#: What is said of a call that is not complete, if nobody has said why.
NOT_COMPLETE: Final = "the call is not complete"


@define
class Ending:
    """What has come so far: complete calls, calls that are not complete, and a refusal in words."""

    has_calls: bool = False
    has_broken_calls: bool = False
    has_refusal: bool = False

    def note_call(self, *, is_complete: bool) -> None:
        """A call has ended."""
        self.has_calls = self.has_calls or is_complete
        self.has_broken_calls = self.has_broken_calls or not is_complete

    def is_cut(self, outcome: Outcome) -> bool:
        """Whether something is missing at the end."""
        return self.has_broken_calls or outcome.finish_reason in ("length", "cancelled")

    def is_filtered(self, outcome: Outcome) -> bool:
        """Whether a filter has ended the reply."""
        reason = outcome.finish_reason
        return reason == "content_filter" or (reason == "refusal" and not self.has_refusal)
