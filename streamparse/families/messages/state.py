"""A message with a header that says what its body is.

    <|channel|>analysis<|message|>hm<|end|>                                 reasoning `hm`
    <|start|>assistant<|channel|>final<|message|>Four.<|return|>            text `Four.`
    <|channel|>commentary to=functions.f<|message|>{"a": 1}<|call|>         tool_call {"tool_name": "f"} `{"a": 1}`
    <|channel|>analysis to=python code<|message|>print(1)<|call|>           tool_call {"tool_name": "python"} `print(1)`

Which headers there are, and what they mean, is data: `grammar.py`. Headers and the tokens that end a body
are swallowed. A call ends where its JSON does; one whose body is no JSON object is malformed, up to the end of that
value or, if it is no JSON at all, up to its end token or the next header; and one without a body has no arguments.

    _begin ──> text or reasoning, which other states read
      └──> _in_text ────────────────────────┐
      └──> _before_json ──{──> _in_value ───┼──> _behind_call ──> text
               └── no JSON ────> _in_broken ┘
"""

from __future__ import annotations

from streamparse.core.markers import compile_marker, end_of_marker
from streamparse.core.opening import Opening
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.calls.grammar import NO_SECTION, Head
from streamparse.families.json.arguments_state import JsonArgumentsState
from streamparse.families.messages.grammar import PROSE, REASONING, TEXT_CALL, Message, Messages

_NO_OBJECT = "arguments must be a JSON object"


class MessageState(JsonArgumentsState):
    """Reads a header, and the body if it is a call."""

    _message: Message
    _is_object = True  # the body is one, or there is none

    def _begin(self) -> Progress:
        context, messages = self.context, self._messages
        scanner = context.scanner
        end = end_of_marker(context.opener.marker, scanner.buf, scanner.pos)
        message = self._message = messages.read(scanner.buf[scanner.pos : end])
        if message.body not in (PROSE, REASONING):
            if context.config.parse_tool_calls:
                return self._enter(Head(message.name, None, NO_SECTION, end))
            self._show_as_prose(end)
            self._phase = "_in_prose"
            return GO_ON
        scanner.pos = end
        state = messages.reasoning if message.body == REASONING else messages.answer
        if state is not None:
            closer, *others = messages.closers
            context.open(state, Opening("", closer, format=self._format, other_closers=tuple(others)))
        else:
            context.transition_to("text")
        return NEED_MORE

    def finalize(self) -> None:
        """What is to be text is none yet that is held."""
        if self._phase == "_in_prose":
            self.context.transition_to("text")
        else:
            super().finalize()

    def _in_prose(self) -> Progress:
        """A call that is to be text, down to the token that ends it; or up to the next header."""
        scanner = self.context.scanner
        match = self._ends.ends.pattern.search(scanner.buf, scanner.pos)
        if match is None or match.lastindex is None:
            self._show_as_prose(match.start() if match else len(scanner.buf))
            scanner.wait_for(self._ends.ends)
            return NEED_MORE
        end = self._calls.ends.pattern.match(scanner.buf, match.start())
        self._show_as_prose(end.end() if end else match.start())
        self.context.transition_to("text")
        return NEED_MORE

    def _show_as_prose(self, end: int) -> None:
        context = self.context
        context.show(context.scanner.take(end))

    @property
    def _messages(self) -> Messages:
        return self._calls.get_options(Messages)

    def _open_call(self, head: Head) -> None:
        super()._open_call(head)
        if self._message.is_empty:
            self._end_call()
            return
        is_text = self._message.body == TEXT_CALL
        self._phase = "_in_text" if is_text else "_before_json"

    def _in_text(self) -> Progress:
        return self._show_up_to(self._calls.ends)

    def _before_json(self) -> Progress:
        """An object, nothing at all, or what is wrong."""
        scanner = self.context.scanner
        mark = scanner.peek_past_blanks()
        if not mark:
            return NEED_MORE
        self._is_object = mark == "{"
        if mark in '{["':
            self._phase = "_in_value"
            return GO_ON
        match = self._messages.no_arguments.pattern.match(scanner.buf, scanner.pos)
        if match is None:
            self._phase = "_in_broken"
            return GO_ON
        self._is_object = True
        if match.lastindex is None:
            return NEED_MORE
        if mark == "n":
            self.context.emitter.emit_content(scanner.take(scanner.pos + len("null")))
        return self._end_call()

    def _behind_call(self) -> Progress:
        """As behind all calls; once the token was seen that ends this one, a filler may stand there."""
        scanner, filler = self.context.scanner, self._messages.filler
        match = compile_marker(filler).pattern.match(scanner.buf, scanner.pos) if filler and self._stage else None
        if match is None:
            return super()._behind_call()
        if match.lastindex is None:
            return NEED_MORE
        scanner.pos = match.end()
        self.context.transition_to("text")
        return NEED_MORE

    def _in_broken(self) -> Progress:
        return self._show_up_to(self._ends.ends)

    def _end_call(self, status: str | None = None, error: str | None = None, *, repaired: bool = False) -> Progress:
        if not self._is_object:
            status, error = "malformed", _NO_OBJECT
        return super()._end_call(status, error, repaired=repaired)
