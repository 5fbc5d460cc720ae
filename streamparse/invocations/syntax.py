"""Which segments are calls, and how their arguments are built.

    register_tool_syntax("sql", "run_sql", lambda metadata, content: {"query": content, "db": metadata["db"]})

makes an invocation of `run_sql` of every segment of type `sql`. Known from the start: `tool_call`, whose arguments the
format decodes, and `write_file`, `patch_file` and `run_bash`, whose body is one argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from attrs import define, evolve, frozen

from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.growing import Adjusted, Growing
from streamparse.config import BODIES
from streamparse.errors import RegistryError
from streamparse.events import SegmentType

Build: TypeAlias = Callable[[Mapping[str, Any], str], dict[str, Any]]


@define
class Call:
    """A call whose segment has ended, or is as if it had."""

    metadata: Mapping[str, Any]  # of START
    known: dict[str, Any]  # the arguments it has besides its content: typed, from START and from END
    content: str
    status: str | None  # that END gives: truncated, malformed or none
    decoder: ArgumentDecoder | None  # of its format, which may have none
    signature: Signature


def join(known: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What is known and what was decoded; both may name an argument only if they agree on it."""
    for name in known.keys() & arguments.keys():
        if not is_same(known[name], arguments[name]):
            raise ArgumentsError(f"{name} is given twice")
    return {**known, **arguments}


class ToolSyntax(Protocol):
    """How the segments of one type become invocations."""

    @property
    def tool_name(self) -> str:
        """The tool's name, where START does not give it."""

    def build(self, call: Call) -> DecodedCall:
        """The arguments of `call`; raises ArgumentsError."""

    def grow(self, call: Call) -> Growing:
        """What shows them while the content of `call` comes, of which there is none yet; raises ArgumentsError."""


@frozen
class BodySyntax:
    """The content is one argument, verbatim."""

    tool_name: str
    body: str

    def build(self, call: Call) -> DecodedCall:
        """A body that was not shown is an empty one, if nothing is wrong with the call."""
        body = self._name_of(call)
        is_missing = not call.content and (body in call.known or call.status is not None)
        return DecodedCall(join(call.known, {} if is_missing else {body: call.content}))

    def grow(self, call: Call) -> Growing:
        """A body that is not shown yet is none."""
        return _GrowingBody(self._name_of(call), call.known)

    def _name_of(self, call: Call) -> str:
        spec = call.signature.spec
        tool = spec.as_body if spec else None
        return tool.body if tool else self.body


class _GrowingBody:
    def __init__(self, name: str, known: dict[str, Any]) -> None:
        self._name = name
        self._known = known
        self._body = ""

    def feed(self, text: str) -> None:
        self._body += text

    def show(self) -> dict[str, Any]:
        is_known = self._name in self._known  # and what START has shown stays
        return self._known if is_known or not self._body else {**self._known, self._name: self._body}

    cut = show


@frozen
class CallSyntax:
    """The content is all arguments, as the format writes them."""

    tool_name: str = ""

    def build(self, call: Call) -> DecodedCall:
        """Of a call that is malformed already, only what is known besides its content."""
        if call.status == "malformed":
            return DecodedCall(call.known)
        if call.decoder is None:
            raise ArgumentsError("the format of the call does not say how arguments are decoded")
        is_truncated = call.status == "truncated"
        decoded = call.decoder.decode_call(call.content, call.signature, is_truncated=is_truncated)
        if not call.known:
            return decoded
        known = call.decoder.spread(call.known)
        return DecodedCall(join(known, decoded.arguments), decoded.is_repaired)

    def grow(self, call: Call) -> Growing:
        """What START has shown stays, whatever a second value of that name will grow into."""
        if call.decoder is None:
            raise ArgumentsError("the format of the call does not say how arguments are decoded")
        known = call.decoder.spread(call.known)
        growing = call.decoder.grow(call.signature)
        return Adjusted(growing, lambda found: {**known, **found, **known}) if known else growing


@frozen
class CustomSyntax:
    """A user's function builds the arguments."""

    tool_name: str
    function: Build

    def build(self, call: Call) -> DecodedCall:
        """Whatever the function raises makes the call malformed: it does not disturb the stream."""
        try:
            arguments = self.function({**call.metadata, **call.known}, call.content)
        except Exception as error:
            raise ArgumentsError(f"the arguments could not be built: {_describe(error)}") from error
        if not isinstance(arguments, dict) or not all(isinstance(name, str) for name in arguments):
            kind = type(arguments).__name__
            raise ArgumentsError(f"the arguments could not be built: expected a dict with str keys, got {kind}")
        return DecodedCall(arguments)

    def grow(self, call: Call) -> Growing:
        """The function is asked again and again."""
        return BuiltAgain(self, call)


class BuiltAgain:
    """The arguments that `syntax` builds of the content so far; if it cannot, what is known without it."""

    def __init__(self, syntax: ToolSyntax, call: Call) -> None:
        self._syntax = syntax
        self._call = call

    def feed(self, text: str) -> None:
        """Keep it."""
        self._call = evolve(self._call, content=self._call.content + text)

    def show(self) -> dict[str, Any]:
        """Build them anew."""
        try:
            return self._syntax.build(self._call).arguments
        except ArgumentsError:
            return self._call.known

    cut = show


def _describe(error: Exception) -> str:
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # not even that can be relied upon
        return type(error).__name__


_BUILT_IN: dict[str, ToolSyntax] = {
    SegmentType.TOOL_CALL.value: CallSyntax(),
    **{segment_type: BodySyntax(segment_type, body) for segment_type, body in BODIES.items()},
}


class ToolSyntaxRegistry:
    """A mapping from segment types to syntaxes. Reading is safe from many threads: a change replaces the mapping."""

    __slots__ = ("syntaxes",)

    def __init__(self) -> None:
        self.syntaxes: Mapping[str, ToolSyntax] = dict(_BUILT_IN)

    def register(self, segment_type: str, tool_name: str, build: Build, *, replace: bool = False) -> None:
        """Let segments of `segment_type` be invocations of `tool_name`; `replace` allows a type that is taken."""
        for value in (segment_type, tool_name):
            if not isinstance(value, str) or not value:
                raise RegistryError(f"a segment type and a tool name are non-empty strings, not {value!r}")
        if not callable(build):
            raise RegistryError(f"build must be a function of metadata and content, not {build!r}")
        if segment_type in self.syntaxes and not replace:
            raise RegistryError(f"the segment type {segment_type!r} is registered already: pass replace=True")
        self.syntaxes = {**self.syntaxes, str(segment_type): CustomSyntax(tool_name, build)}

    def unregister(self, segment_type: str) -> None:
        """Segments of this type are no calls any more."""
        if segment_type not in self.syntaxes:
            raise RegistryError(
                f"the segment type {segment_type!r} is not registered; known: {', '.join(self.syntaxes)}"
            )
        self.syntaxes = {known: syntax for known, syntax in self.syntaxes.items() if known != segment_type}


#: The registry of everyone who does not bring one.
default_syntaxes = ToolSyntaxRegistry()


def register_tool_syntax(segment_type: str, tool_name: str, build: Build, *, replace: bool = False) -> None:
    """Make invocations of `tool_name` of all segments of `segment_type`, for handlers made from now on.

    `build` is given what START and END said of the segment, and its content; it returns the arguments, a dict. If it
    raises, the invocation is malformed. It is called for a truncated segment, too, with the content so far; whatever it
    makes of that, the invocation is truncated. And it is called for `partial_arguments`, if someone asks for them.
    """
    default_syntaxes.register(segment_type, tool_name, build, replace=replace)
