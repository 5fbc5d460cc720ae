"""The body of a message that is an answer: text up to the token that ends it.

    <|channel|>final<|message|>Write <|start|>assistant to=f<|message|>…<|return|>      text, with the header in it

A header in an answer is a quotation, unless the answer was ended before it: so no header counts here, nor a call that
begins with one. All else is as in text.
"""

from __future__ import annotations

from streamparse.core.context import ParserContext
from streamparse.core.markers import Markers
from streamparse.core.opening import compile_openers
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

    def _markers(self) -> Markers:
        openers = [
            opener
            for opener in self.context.grammar.openers
            if opener.format != self._format or not isinstance(opener.options, CallsOfFormat)
        ]
        return compile_openers(tuple(openers), self.closers)

    def run(self) -> Progress:
        """As all prose."""
        if not self._is_begun:
            self._is_begun = True
            self.context.enter_prose(self)
        return super().run()

    def _close(self) -> None:
        self.context.leave_prose()
