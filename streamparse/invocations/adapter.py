"""ToolInvocationAdapter: events in, tool invocations out.

    adapter = ToolInvocationAdapter(tools)
    for event in events:
        invocation = adapter.feed(event)        # comes with the END of its segment

It needs nothing but the events, so it serves parsed text and native calls alike. The content of a call is collected as
it comes, in blocks that are joined at its END; segments that are no calls are not kept at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from streamparse import formats
from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.config import ParserConfig, ToolSpec
from streamparse.errors import RegistryError
from streamparse.events import RESERVED_METADATA, SegmentContent, SegmentEnd, SegmentEvent, SegmentStart
from streamparse.invocations.invocation import Status, ToolInvocation
from streamparse.invocations.syntax import Call, ToolSyntax, ToolSyntaxRegistry, default_syntaxes

_TRUNCATED = "the call was cut off before its end"
_MALFORMED = "the call is malformed"
#: How many deltas are joined at a time: a list of all of them would take ten times the memory of their text.
_JOINED = 1024


class _OpenCall:
    """A call that is being streamed: its last deltas, and what came before them."""

    __slots__ = ("blocks", "deltas", "size", "start", "syntax")

    def __init__(self, start: SegmentStart, syntax: ToolSyntax) -> None:
        self.start = start
        self.syntax = syntax
        self.deltas: list[str] = []
        self.blocks: list[str] = []
        self.size = 0  # of everything that was joined, whether it was kept or not

    def join(self, limit: int) -> None:
        """Join the last deltas; of what goes beyond the limit, nothing is kept."""
        text = "".join(self.deltas)
        self.deltas.clear()
        if self.size < limit:
            self.blocks.append(text[: limit - self.size])
        self.size += len(text)


class ToolInvocationAdapter:
    """Builds invocations.

    `tools` are those declared to the model: by their schemas arguments are typed. `format` is that of events which do
    not name it, because they came over a wire. `syntaxes` says which segment types are calls (default: those that
    `register_tool_syntax` fills).
    """

    __slots__ = ("_calls", "_config", "_format", "_max_size", "_signatures", "_syntaxes", "_tools")

    def __init__(
        self,
        tools: Iterable[ToolSpec | Mapping[str, Any]] = (),
        *,
        config: ParserConfig | None = None,
        format: str = "xml",
        syntaxes: ToolSyntaxRegistry | None = None,
    ) -> None:
        self._config = config if config is not None else ParserConfig()
        if not isinstance(self._config, ParserConfig):
            raise TypeError(f"config must be a ParserConfig, not {type(config).__name__}")
        self._max_size = self._config.limits.max_arguments
        self._format = formats.get(format).name
        self._syntaxes = (syntaxes if syntaxes is not None else default_syntaxes).syntaxes
        self._tools = {spec.name.lower(): spec for spec in map(ToolSpec.from_any, tools)}
        self._signatures: dict[str, Signature] = {}
        self._calls: dict[str, _OpenCall] = {}

    def feed(self, event: SegmentEvent) -> ToolInvocation | None:
        """Take in an event; the END of a call gives its invocation."""
        made = self.feed_all((event,))
        return made[0] if made else None

    def feed_all(self, events: Iterable[SegmentEvent]) -> list[ToolInvocation]:
        """Take in several events; the invocations they complete."""
        made: list[ToolInvocation] = []
        calls = self._calls
        for event in events:
            kind = event.__class__  # isinstance would cost as much as all the rest
            if kind is SegmentContent:
                call = calls.get(event.segment_id)
                if call is not None:
                    deltas = call.deltas
                    deltas.append(event.delta)
                    if len(deltas) == _JOINED:
                        call.join(self._max_size)
            elif kind is SegmentStart:
                syntax = self._syntaxes.get(event.segment_type)
                if syntax is not None:
                    calls[event.segment_id] = _OpenCall(cast(SegmentStart, event), syntax)
            elif event.segment_id in calls:
                made.append(self._build(calls.pop(event.segment_id), cast(SegmentEnd, event)))
        return made

    def finalize(self) -> list[ToolInvocation]:
        """The events stopped: calls whose END did not come are truncated."""
        calls = list(self._calls.items())
        self._calls.clear()
        return [self._build(call, SegmentEnd(segment_id, "truncated")) for segment_id, call in calls]

    # -- at the end of a call -----------------------------------------------------------------------------------------

    def _build(self, open_call: _OpenCall, end: SegmentEnd) -> ToolInvocation:
        start, syntax = open_call.start, open_call.syntax
        name = self._name(start.metadata.get("tool_name"), syntax.tool_name)
        signature = self._signature(name)
        decoder = _decoder(start.format or self._format)
        open_call.join(self._max_size)
        content = "".join(open_call.blocks)
        known, problem = _known(start, end, decoder, signature)
        try:
            if open_call.size > self._max_size:
                raise ArgumentsError(f"the arguments are longer than {self._max_size} characters")
            decoded = syntax.build(Call(start.metadata, known, content, end.status, decoder, signature))
        except ArgumentsError as failure:
            problem = problem or str(failure)
            decoded = DecodedCall(known)
        status = end.status or ("malformed" if problem else "complete")
        error = end.error
        if status != "complete":
            error = error or (_TRUNCATED if status == "truncated" else problem or _MALFORMED)
        is_repaired = end.repaired or decoded.is_repaired
        call_id = start.metadata.get("call_id")
        return ToolInvocation(
            start.segment_id,
            name,
            decoded.arguments,
            cast(Status, status),
            is_repaired,
            error,
            content,
            call_id if isinstance(call_id, str) else None,
        )

    def _name(self, given: object, own: str) -> str:
        """The tool's name as it is declared, else as its syntax spells it, else as the model wrote it."""
        name = given if isinstance(given, str) and given else own
        spec = self._tools.get(name.lower())
        if spec is not None:
            return spec.name
        return own if name.lower() == own.lower() else name

    def _signature(self, name: str) -> Signature:
        spec = self._tools.get(name.lower())
        if spec is None:
            return Signature.of(None, self._config, name)  # not kept: a model may make up any number of names
        if name not in self._signatures:
            self._signatures[name] = Signature.of(spec, self._config)
        return self._signatures[name]


def _decoder(format: str) -> ArgumentDecoder | None:
    try:
        return formats.get(format).arguments
    except RegistryError:  # a state of the user's own names a format no one knows
        return None


def _known(
    start: SegmentStart, end: SegmentEnd, decoder: ArgumentDecoder | None, signature: Signature
) -> tuple[dict[str, Any], str | None]:
    """The arguments that START and END carry, and what is wrong with them."""
    known: dict[str, Any] = {}
    problem = None
    shown = [(name, value, True) for name, value in start.metadata.items() if name not in RESERVED_METADATA]
    late = [(name, value, False) for name, value in (end.late or {}).items()]
    for name, value, is_shown in shown + late:
        written, is_direct = (end.written or {}).get(name, (None, False))
        try:
            if not isinstance(value, str) or decoder is None:
                pass
            elif is_shown and value != written:
                value = decoder.decode_shown(name, value, signature)
            else:
                value = decoder.decode_written(name, value, signature, is_direct=is_direct)
        except ArgumentsError as failure:
            problem = problem or str(failure)
            continue
        if name in known and not is_same(known[name], value):
            problem = problem or f"{name} is given twice"
        else:
            known[name] = value
    return known, problem
