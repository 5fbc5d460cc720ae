"""A tool with one argument that is its body: a file's content, a patch, a command.

    <tool name="write_file">
      <arg name="path">a.py</arg>                       write_file {"tool_name": "write_file", "path": "a.py"}
      <arg name="content">print(1)</arg>                `print(1)`
      <arg name="mode">x</arg>                          END {"late": {"mode": "x"}}
    </tool>

Arguments stand in `<arg>` tags or in tags of their own names, inside `<arguments>` or not. START comes as soon as the
path is known (at once for a command); arguments complete by then are metadata, later ones are `late` at END; a body
that came before is held until then. Only the body is shown, other text between the tags is swallowed, and so are
comments.

How a value is read, and where it ends, is in `argument_value.py`.
"""

from __future__ import annotations

from functools import partial
from io import StringIO
from typing import ClassVar

from streamparse.arguments import Signature
from streamparse.core.context import ParserContext
from streamparse.core.markers import compile_marker
from streamparse.core.scanner import NO_LIMIT
from streamparse.core.state import GO_ON, NEED_MORE, Progress
from streamparse.families.xml.argument_value import COMMENT, END, ArgumentValueState, comment_ends, tags
from streamparse.families.xml.call_arguments import CallArguments
from streamparse.families.xml.lexer import TagLexer
from streamparse.families.xml.tags import DIRECT_NAMES

#: Direct tags that are arguments of every tool; the parameters declared for a tool join them.
_DIRECT = {name: name for name in DIRECT_NAMES}


class BodyToolState(ArgumentValueState):
    """The base of write_file, patch_file and run_bash as tools."""

    #: Arguments without which the call is malformed; START waits for those that are not the body.
    needed: ClassVar[tuple[str, ...]]

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        spec = context.tools.get((self.opening.tool_name or "").lower())
        #: How direct tags that are arguments are spelled, by their names in lower case.
        self._spelling = _DIRECT
        needed = self.needed
        if spec is not None:
            if spec.body is not None:
                needed = tuple(spec.body if name == self.body else name for name in needed)
                self.body = spec.body
            self._spelling = {**{name.lower(): name for name in spec.parameter_names}, **_DIRECT}
        self._known = tuple(self._spelling)
        sign = partial(Signature.of, spec, context.config)
        self._arguments = CallArguments(self.metadata(), needed, self.body, sign, is_in_plan=context.plans.is_open)
        self._is_started = False
        self._early_body: list[str] = []  # came before START
        self._size = 0  # of all names and values but the body
        self._value = StringIO()  # of an argument other than the body; a list of tokens would take ten times as much

    # -- from START to END --------------------------------------------------------------------------------------------

    def _begin(self) -> Progress:
        self.context.scanner.limit = self.context.scanner.offset + self.context.config.limits.max_held
        self._phase = "_between"
        if self._arguments.is_ready:
            self._start()
        return self._end_call() if self.opening.is_empty else GO_ON

    def _start(self) -> None:
        if not self._is_started:
            self._is_started = True
            self.context.scanner.limit = NO_LIMIT
            emitter = self.context.emitter
            emitter.emit_start(self.segment_type, dict(self._arguments.metadata), self.opening.format)
            emitter.emit_content(self.decode("".join(self._early_body)))
            self._early_body.clear()

    def _end_call(self, *, repaired: bool = False) -> Progress:
        self._start()
        error = self._arguments.error
        self._emit_end("malformed" if error else None, error, repaired)
        return NEED_MORE

    def _emit_end(self, status: str | None, error: str | None = None, repaired: bool = False) -> None:
        self.context.scanner.limit = NO_LIMIT
        arguments = self._arguments
        self.context.emitter.emit_end(status, error, repaired, arguments.late, arguments.written or None)
        self.context.transition_to("text")

    def on_limit(self) -> None:
        """What was waited for did not come in time: a closer that fits, or the path."""
        if self.context.scanner.mark >= 0:
            self._settle_held()
            return
        if not compile_marker(self.opening.closer).pattern.match(*self._rest()):
            self._give_back_body()
        self._start()
        self._sink = BodyToolState._drop
        self._phase = "_skip"

    def finalize(self) -> None:
        """The tool's closer never came. A complete argument counts; of an incomplete one, only the body."""
        self._resolve_at_end()
        while self.context.scanner.mark >= 0:
            self._settle_held()
            if self.context.state is self:
                self.run()
            if self.context.state is not self:
                return
        self._finalize_value()
        self._start()
        scanner = self.context.scanner
        scanner.pos = len(scanner.buf)
        self._emit_end("truncated")

    # -- between arguments --------------------------------------------------------------------------------------------

    def _between(self) -> Progress:
        """Swallow everything up to the next tag."""
        kind, match = self._find(tags(self.opening.closer))
        if match is None:
            return NEED_MORE
        self.context.scanner.pos = match.end()
        if kind == END:
            return self._end_call()
        if kind == COMMENT:
            self._phase = "_in_comment"
            return GO_ON
        self._tag = match[0][1:]
        required = ("name",) if self._tag.lower() == "arg" else ()
        budget = self.context.config.limits.max_tag - len(match[0])
        self._lexer = TagLexer(required, budget, allow_angle=False)
        self._phase = "_in_tag"
        return GO_ON

    def _in_comment(self) -> Progress:
        """What is commented out is no argument."""
        kind, match = self._find(comment_ends(self.opening.closer))
        if match is None:
            return NEED_MORE
        self.context.scanner.pos = match.end()
        self._phase = "_between"
        return self._end_call() if kind == END else GO_ON

    def _in_tag(self) -> Progress:
        scanner, lexer = self.context.scanner, self._lexer
        scanner.pos = lexer.read(scanner.buf, scanner.pos, scanner.end)
        if lexer.is_failed:
            self._phase = "_between"
        elif lexer.is_done:
            self._open_argument()
        return GO_ON if lexer.is_failed or lexer.is_done else NEED_MORE

    def _skip(self) -> Progress:
        """The call is lost; swallow the rest of it."""
        _, match = self._find(compile_marker(self.opening.closer))
        if match is None:
            return NEED_MORE
        self.context.scanner.pos = match.end()
        return self._end_call()

    # -- an argument begins and ends ----------------------------------------------------------------------------------

    def _open_argument(self) -> None:
        tag = self._tag.lower()
        if tag == "arguments":
            self._phase = "_between"
            return
        self._name = self._spelling.get(tag, self._tag)
        if tag == "arg":
            self._name = self._lexer.attributes["name"]
        if self._name == self.body:
            self._sink = BodyToolState._show if self._arguments.begin_body() else BodyToolState._drop
        else:
            self._value = StringIO()
            self._size += len(self._name)
            self._sink = BodyToolState._keep
        if self._lexer.is_empty:
            self._end_value()
        else:
            self._read_value()

    def _end_value(self) -> None:
        is_kept = self._sink is BodyToolState._keep
        self._sink = BodyToolState._drop
        self._phase = "_between"
        if is_kept:
            is_direct = self._tag.lower() != "arg"
            self._arguments.give(self._name, self._value.getvalue(), is_late=self._is_started, is_direct=is_direct)
            if self._arguments.is_ready:
                self._start()

    def _report(self, problem: str) -> None:
        self._arguments.report(problem)

    # -- where text goes: the sinks -----------------------------------------------------------------------------------

    def _show(self, text: str) -> None:
        if self._is_started:
            self.context.emitter.emit_content(self.decode(text))
        else:
            self._early_body.append(text)

    def _keep(self, text: str) -> None:
        self._size += len(text)
        if self._size <= self.context.config.limits.max_arguments:
            self._value.write(text)
        else:
            self._arguments.report(f"{self._name} is too long")
            self._sink = BodyToolState._drop
