"""The body of a message that is an answer: text up to the token that ends it.

    <|channel|>final<|message|>Write <|start|>assistant to=f<|message|>…<|return|>      text, with the header in it

A header in an answer is a quotation, unless the answer was ended before it: so no header counts here, nor a call that
begins with one, in whatever format. All else is as in text.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.markers import leading_text
from streamparse.core.opening import Opener, Sought, seek
from streamparse.core.state import Progress
from streamparse.families.calls.of_format import CallsOfFormat
from streamparse.states.text import TextState


class AnswerState(TextState):
    """Text with an end."""

    _is_begun = False

    def __init__(self, context: ParserContext) -> None:
        opening = context.opening
        self.closers = (opening.closer, *opening.other_closers)
        self._format = opening.format
        super().__init__(context)

    def _seek(self) -> Sought:
        openers = self.context.grammar.openers
        heads = tuple({head for opener in openers if self._is_own(opener) and (head := leading_text(opener.marker))})
        others = (o for o in openers if not self._is_own(o) and not leading_text(o.marker).startswith(heads))
        return seek(tuple(others), self.closers)

    def _is_own(self, opener: Opener) -> bool:
        """Whether it is a header of the format, or a call that begins with one."""
        return opener.format == self._format and isinstance(opener.options, CallsOfFormat)

    def run(self) -> Progress:
        """As all prose."""
        if not self._is_begun:
            self._is_begun = True
            self.context.enter_prose(self)
        return super().run()

    def _close(self) -> None:
        self.context.leave_prose()
