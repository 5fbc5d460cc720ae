"""Body: what may be done to a body while it streams, for the states that have one."""

from __future__ import annotations


class Body:
    """Hooks a subclass may override. By default a body is shown as it is written."""

    #: Characters that `decode` may change or `undecided` may keep: chunks with one of them come through `run`.
    decode_triggers: str = ""

    def undecided(self, text: str) -> int:
        """How many characters at the end of `text` cannot be decoded yet. They come again, with more behind them.

        It is not asked about text right before a possible closer: what `text` ends with there is all there is.
        """
        return 0

    def decode(self, text: str) -> str:
        """What is shown for `text`, which comes in pieces of any size: it must not matter where it is cut."""
        return text

    def _body_triggers(self, heads: str) -> str | None:
        """The triggers while a body streams, for markers that begin with `heads`."""
        if not self.decode_triggers and type(self).decode is not Body.decode:
            return None  # whoever overrides decode and names no triggers wants to see everything
        return heads + self.decode_triggers
