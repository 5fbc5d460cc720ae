"""ToolInvocationAdapter: events in, tool invocations out.

    adapter = ToolInvocationAdapter(tools)
    for event in events:
        invocation = adapter.feed(event)        # comes with the END of its segment
        arguments = adapter.partial_arguments(event.segment_id)     # while it is on its way

It needs nothing but the events, so it serves parsed text and native calls alike. The content of a call is collected as
it comes (`open_call.py`); segments that are no calls are not kept at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from attrs import evolve

from streamparse import deferred, formats
from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.growing import Adjusted, Growing
from streamparse.arguments.step import Step, take_step
from streamparse.config import BODIES, DEFAULT_CONFIG, ParserConfig, Tools, ToolSpec
from streamparse.events import NATIVE, RESERVED_METADATA, SegmentContent, SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations.code_watch import CodeWatch
from streamparse.invocations.invocation import Status, ToolInvocation
from streamparse.invocations.item import AnyItem
from streamparse.invocations.open_call import Callee, OpenCall
from streamparse.invocations.syntax import Call, Known, ToolSyntaxRegistry, body_name, default_syntaxes

_NO_STEP = Step()
#: Of a call that goes on.
_NO_END = SegmentEnd("", "truncated")
_TRUNCATED = "the call was cut off before its end"
_MALFORMED = "the call is malformed"
#: Before anything has come: an adapter that waits takes little room.
_NO_WATCH = CodeWatch()
#: Up to so many names, a snapshot is copied for each who asks; a model may write any number of them.
_MOST_COPIED = 256


class ToolInvocationAdapter:
    """Builds invocations.

    `tools` are those declared to the model: by their schemas arguments are typed. `format` is that of calls whose START
    names none; in the wire form those are the ones of xml. `known` are formats that are not registered, if events name
    such. `syntaxes` says which segment types are calls (default: those that `register_tool_syntax` fills).
    """

    __slots__ = (
        "_calls",
        "_config",
        "_find",
        "_format",
        "_max_size",
        "_signatures",
        "_syntaxes",
        "_tools",
        "_undeclared",
        "last",
        "watch",
    )

    def __init__(
        self,
        tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None = (),
        *,
        config: ParserConfig | None = None,
        format: str | formats.Format = "xml",
        syntaxes: ToolSyntaxRegistry | None = None,
        known: Iterable[formats.Format] = (),
    ) -> None:
        self._config = config if config is not None else DEFAULT_CONFIG
        if not isinstance(self._config, ParserConfig):
            raise TypeError(f"config must be a ParserConfig, not {type(config).__name__}")
        if self._config.repair_json:
            deferred.load("streamparse.families.json.repair", "require")()
        self._max_size = self._config.limits.max_arguments
        self._format = formats.name_of(format)
        self._find = formats.finder(known if isinstance(format, str) else (format, *known))
        self._syntaxes = (syntaxes if syntaxes is not None else default_syntaxes).syntaxes
        self._tools = Tools.of(tools)
        self._signatures: dict[str, Signature] = {}
        self._undeclared: Signature | None = None  # of the last tool that is none of these
        self._calls: dict[str, OpenCall] = {}
        #: What tells of the prose whether a call stands in Markdown code.
        self.watch = _NO_WATCH
        #: Whose content mostly comes next: the watch, or the call that was opened last.
        self.last: CodeWatch | OpenCall = _NO_WATCH

    def feed(self, event: SegmentEvent | AnyItem) -> ToolInvocation | None:
        """Take in an event; the END of a call gives its invocation. Other items of a stream are ignored."""
        made = self.feed_all((event,))
        return made[0] if made else None

    def feed_all(self, events: Iterable[SegmentEvent | AnyItem]) -> list[ToolInvocation]:
        """Take in several events; the invocations they complete. Other items of a stream are ignored."""
        made: list[ToolInvocation] = []
        calls = self._calls
        each: Iterable[SegmentEvent] = events  # type: ignore[assignment]  # what is none is left out by its class
        for event in each:
            kind = event.__class__  # isinstance would cost as much as all the rest
            if kind is SegmentContent:
                if not self.last.takes(event):
                    calls.get(event.segment_id, self.watch).takes(event)
            elif kind is SegmentStart:
                if self.watch is _NO_WATCH:
                    self.watch = CodeWatch()
                opened = self.open(cast(SegmentStart, event))
                self.last = opened or self.watch
                if opened is not None:
                    calls[event.segment_id] = opened
            elif kind is SegmentEnd and event.segment_id in calls:
                self.last = self.watch
                made.append(self.build(calls.pop(event.segment_id), cast(SegmentEnd, event)))
        return made

    def partial_arguments(self, segment_id: str) -> dict[str, Any] | None:
        """The arguments of a call in flight, as far as they are certain; None if there is no such call.

        They are what START said and what the content says so far. Strings grow, and so do lists and objects in JSON;
        all else is there when it is complete. To ask after every chunk costs a constant time per chunk: only what is
        new is read, and of content of over 1,024 characters a snapshot is made when it has grown by 3 %; until then,
        the last one is given again.

        The dict is the caller's own, unless it has hundreds of names. The lists and dicts in it are not: other
        snapshots share them, so they are to be read, or copied, and not to be changed.
        """
        call = self._calls.get(segment_id)
        if call is None:
            return None
        if call.snapshot is None or call.has_grown():
            call.snapshot = self.build_partial(call)
        return dict(call.snapshot) if len(call.snapshot) <= _MOST_COPIED else call.snapshot

    def finalize(self) -> list[ToolInvocation]:
        """The events stopped: calls whose END did not come are truncated."""
        calls = list(self._calls.items())
        self._calls.clear()
        self.watch = self.last = CodeWatch()
        return [self.build(call, SegmentEnd(segment_id, "truncated")) for segment_id, call in calls]

    # -- for who keeps the calls: this one, and the builder of blocks --------------------------------------------------

    def open(self, start: SegmentStart) -> OpenCall | None:
        """The call that begins with `start`; None if segments of this type are no calls.

        Whether it stands in Markdown code is told by the `watch`, for whoever has one that is shown the prose.
        """
        syntax, has_watch = self._syntaxes.get(start.segment_type), self.watch is not _NO_WATCH
        if syntax is None:
            if has_watch:
                self.watch.start(start)
            return None
        is_fenced = has_watch and start.format != NATIVE and self.watch.is_code()
        return OpenCall(start, syntax, self._max_size, is_fenced)

    def name_of(self, call: OpenCall) -> str:
        """The name of the tool that is called."""
        return self._callee(call).name

    def build(self, open_call: OpenCall, end: SegmentEnd) -> ToolInvocation:
        """The invocation of a call that has ended."""
        name, call, problem = self._prepare(open_call, end, open_call.read_content())
        if problem and end.status is None:
            call = evolve(call, status="malformed")
        try:
            if open_call.size > self._max_size:
                raise ArgumentsError(f"the arguments are longer than {self._max_size} characters")
            decoded = open_call.syntax.build(call)
        except ArgumentsError as failure:
            problem = problem or str(failure)
            decoded = DecodedCall(call.known)
        status = end.status or ("malformed" if problem else "complete")
        error = end.error
        if status != "complete":
            error = error or (_TRUNCATED if status == "truncated" else problem or _MALFORMED)
        is_repaired = end.repaired or decoded.is_repaired
        call_id, plan_id = call.metadata.get("call_id", end.call_id), call.metadata.get("plan_id")
        step, arguments = _take_step(open_call, call, decoded.arguments)
        return ToolInvocation(
            end.segment_id,
            name,
            arguments,
            cast(Status, status),
            is_repaired,
            error,
            raw=call.content if end.raw is None else end.raw(call.content),
            call_id=call_id if isinstance(call_id, str) else None,
            plan_id=plan_id if isinstance(plan_id, str) else None,
            step_id=step.id,
            depends_on=step.depends_on,
            content=_body(call, open_call) if open_call.start.segment_type in BODIES else None,
            state=dict(end.state) if end.state else None,
            is_declared=name.lower() in self._tools if self._tools else None,
            is_fenced=open_call.is_fenced,
        )

    def build_partial(self, open_call: OpenCall, *, is_cut: bool = False) -> dict[str, Any]:
        """The arguments of a call that has not ended, as far as they are certain; `is_cut`: and never will.

        What came since the last time is read.
        """
        growing = self.grow(open_call)
        growing.feed(open_call.take_new())
        return growing.cut() if is_cut else growing.show()

    def grow(self, open_call: OpenCall) -> Growing:
        """What reads the arguments of a call while they come."""
        if open_call.growing is None:
            open_call.growing = self._grow(open_call)
        return open_call.growing

    def _grow(self, open_call: OpenCall) -> Growing:
        _, call, _ = self._prepare(open_call, _NO_END, "")
        try:
            growing = open_call.syntax.grow(call)
        except ArgumentsError:
            growing = Known(call.known)
        if "plan_id" not in call.metadata:
            return growing
        return Adjusted(growing, lambda arguments: _take_step(open_call, call, arguments)[1])

    # -- arguments ----------------------------------------------------------------------------------------------------

    def _prepare(self, open_call: OpenCall, end: SegmentEnd, content: str) -> tuple[str, Call, str | None]:
        """The tool's name, what its arguments are built of, and what is wrong with those besides the content."""
        start, callee = open_call.start, self._callee(open_call)
        decoder, signature = callee.decoder, callee.signature
        known, late, problem = _known(start, end, decoder, signature)
        return callee.name, Call(start.metadata, known, content, end.status, decoder, signature, late), problem

    def _callee(self, call: OpenCall) -> Callee:
        """The tool that is called, as it is declared or else by the call's format."""
        if call.callee is None:
            metadata, format = call.start.metadata, self._find(call.start.format or self._format)
            tools = self._tools or (format.tools_by_name if format else self._tools)
            name = _name(metadata.get("tool_name"), call.syntax.tool_name, tools)
            signature = self._signature(name, tools)
            if "plan_id" in metadata:
                signature = evolve(signature, is_in_plan=True)
            call.callee = Callee(name, signature, format.arguments if format else None)
        return call.callee

    def _signature(self, name: str, tools: Tools) -> Signature:
        spec = tools.get(name.lower())
        if spec is None:
            if self._undeclared is None or self._undeclared.name != name:
                self._undeclared = Signature.of(None, self._config, name)  # a model may make up any number
            return self._undeclared
        signature = self._signatures.get(name)
        if signature is None or signature.spec is not spec:
            signature = self._signatures[name] = Signature.of(spec, self._config)
        return signature


def _name(given: object, own: str, tools: Tools) -> str:
    """The tool's name as it is declared, else as its syntax spells it, else as the model wrote it."""
    name = given if isinstance(given, str) and given else own
    spec = tools.get(name.lower())
    if spec is not None:
        return spec.name
    return own if name.lower() == own.lower() else name


def _body(call: Call, open_call: OpenCall) -> str:
    """The body of a call that is shown as what it does; most of them stream it, but START may have it as well."""
    known = call.known.get(body_name(call, BODIES[open_call.start.segment_type]))
    return known if isinstance(known, str) and not call.content else call.content


def _take_step(open_call: OpenCall, call: Call, arguments: dict[str, Any]) -> tuple[Step, dict[str, Any]]:
    """What a call says of its place in a plan, if it stands in one, and its arguments without that."""
    if "plan_id" not in call.metadata:
        return _NO_STEP, arguments
    if call.decoder is None or open_call.start.segment_type in BODIES:  # of a file, the content is nothing but that
        return take_step(arguments)
    return call.decoder.take_step(call.content, arguments, call.signature)


def _known(
    start: SegmentStart, end: SegmentEnd, decoder: ArgumentDecoder | None, signature: Signature
) -> tuple[dict[str, Any], Collection[str], str | None]:
    """The arguments that START and END carry, the names of those that END has added, and what is wrong with them."""
    known: dict[str, Any] = {}
    if not end.late and RESERVED_METADATA.issuperset(start.metadata):
        return known, (), None  # as mostly
    problem = None
    tool = signature.spec.as_body if signature.spec and start.segment_type in BODIES else None
    path = tool.path if tool and tool.path else "path"  # START calls it path, whatever the tool does
    shown = [
        (path if name == "path" else name, value, True)
        for name, value in start.metadata.items()
        if name not in RESERVED_METADATA
    ]
    late = [(name, value, False) for name, value in (end.late or {}).items()]
    added: list[str] = []
    for name, value, is_shown in shown + late:
        tag = (end.written or {}).get(name)
        try:
            if not isinstance(value, str) or decoder is None:
                pass
            elif is_shown and tag is None:
                value = decoder.decode_shown(name, value, signature)
            else:
                value = decoder.decode_written(name, value, signature, is_direct=tag == "tag")
        except ArgumentsError as failure:
            problem = problem or str(failure)
            continue
        if name in known and not is_same(known[name], value):
            problem = problem or f"{name} is given twice"
        else:
            if not is_shown and name not in known:
                added.append(name)
            known[name] = value
    return known, added, problem
