"""Which segments are calls, and how their arguments are built.

    register_tool_syntax("sql", "run_sql", lambda metadata, content: {"query": content, "db": metadata["db"]})

makes an invocation of `run_sql` of every segment of type `sql`. The function is given whole segments only; a second
one may say what the arguments are of a segment that is not complete. Known from the start: `tool_call`, whose arguments
the format decodes, and `write_file`, `patch_file` and `run_bash`, whose body is one argument.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol, TypeAlias

from attrs import define, evolve, frozen

from streamparse.arguments import ArgumentDecoder, ArgumentsError, DecodedCall, Signature, is_same
from streamparse.arguments.decoder import describe
from streamparse.arguments.growing import Adjusted, Growing
from streamparse.arguments.wrapper import unwrap, wrapper_in
from streamparse.config import BODIES
from streamparse.errors import RegistryError, suggest
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
    late: Collection[str] = ()  # of what is known, the names that END has added: they came behind the content

    @property
    def names(self) -> Collection[str] | None:
        """The names of the tool's parameters, in lower case; None if it is not declared."""
        return None if self.signature.spec is None else self.signature.schema.names

    def unwrap(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """`arguments` without a wrapper around them, if the tool is declared."""
        names, decoder = self.names, self.decoder
        if names is None or decoder is None:
            return arguments
        return unwrap(arguments, names, self.signature.limits, has_texts=decoder.has_texts)


def join(known: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What is known and what was decoded; both may name an argument only if they agree on it."""
    for name in known.keys() & arguments.keys():
        if not is_same(known[name], arguments[name]):
            raise ArgumentsError(f"{name} is given twice")
    return {**known, **arguments}


def body_name(call: Call, usual: str) -> str:
    """The argument that is the body of `call`: as its tool is declared, else the usual one."""
    spec = call.signature.spec
    tool = spec.as_body if spec else None
    return tool.body if tool else usual


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
        """A body that was not shown is an empty one, if nothing is wrong with the call.

        The arguments stand in the order in which they were shown, so what is late stands behind the body.
        """
        body = body_name(call, self.body)
        is_missing = not call.content and (body in call.known or call.status is not None)
        arguments = join(call.known, {} if is_missing else {body: call.content})
        for name in call.late:
            arguments[name] = arguments.pop(name)
        return DecodedCall(arguments)

    def grow(self, call: Call) -> Growing:
        """A body that is not shown yet is none."""
        return _GrowingBody(body_name(call, self.body), call.known)


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
            decoded.arguments = call.unwrap(decoded.arguments)
            return decoded
        known = call.decoder.spread(call.known)
        return DecodedCall(join(known, decoded.arguments), decoded.is_repaired)

    def grow(self, call: Call) -> Growing:
        """What START has shown stays, whatever a second value of that name will grow into."""
        if call.decoder is None:
            raise ArgumentsError("the format of the call does not say how arguments are decoded")
        known = call.decoder.spread(call.known)
        growing = call.decoder.grow(call.signature)
        if known:
            return Adjusted(growing, lambda found: {**known, **found, **known})
        names = call.names
        return growing if names is None else _PerhapsWrapped(growing, names)


class _PerhapsWrapped:
    """What `growing` shows; but nothing while that may be a wrapper around arguments, which is decided at the end."""

    def __init__(self, growing: Growing, names: Collection[str]) -> None:
        self.feed = growing.feed
        self._growing = growing
        self._names = names

    def show(self) -> dict[str, Any]:
        """The arguments. One that is no wrapper, or has another beside it, stays: it is asked no more."""
        return self._decided(self._growing.show())

    def cut(self) -> dict[str, Any]:
        """The same at the end."""
        return self._decided(self._growing.cut())

    def _decided(self, found: dict[str, Any]) -> dict[str, Any]:
        if wrapper_in(found, self._names):
            return {}
        if found:
            self.show = self._growing.show  # type: ignore[method-assign]
        return found


@frozen
class CustomSyntax:
    """A user's function builds the arguments, and another one those of a segment that is not complete."""

    tool_name: str
    function: Build
    partial: Build | None

    def build(self, call: Call) -> DecodedCall:
        """Whatever the function raises makes the call malformed: it does not disturb the stream.

        Of a segment that is cut, only what is known besides its content, if there is no function for those.
        """
        function = self.partial if call.status == "truncated" else self.function
        if function is None:
            return DecodedCall(call.known)
        try:
            arguments = function({**call.metadata, **call.known}, call.content)
        except Exception as error:
            raise ArgumentsError(f"the arguments could not be built: {describe(error)}") from error
        if not isinstance(arguments, dict) or not all(isinstance(name, str) for name in arguments):
            kind = type(arguments).__name__
            raise ArgumentsError(f"the arguments could not be built: expected a dict with str keys, got {kind}")
        return DecodedCall(arguments)

    def grow(self, call: Call) -> Growing:
        """The function for what is not complete is asked again and again."""
        return Known(call.known) if self.partial is None else _BuiltAgain(self, call)


@frozen
class Known:
    """What is known of a call besides its content, if nothing can be told of that before it has ended."""

    arguments: dict[str, Any]

    def feed(self, text: str) -> None:
        """It says nothing."""

    def show(self) -> dict[str, Any]:
        """The same again."""
        return self.arguments

    cut = show


class _BuiltAgain:
    """The arguments that `syntax` builds of the content so far; if it cannot, what is known without it."""

    def __init__(self, syntax: CustomSyntax, call: Call) -> None:
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


_BUILT_IN: dict[str, ToolSyntax] = {
    SegmentType.TOOL_CALL.value: CallSyntax(),
    **{segment_type: BodySyntax(segment_type, body) for segment_type, body in BODIES.items()},
}


class ToolSyntaxRegistry:
    """A mapping from segment types to syntaxes. Reading is safe from many threads: a change replaces the mapping."""

    __slots__ = ("syntaxes",)

    def __init__(self) -> None:
        self.syntaxes: Mapping[str, ToolSyntax] = dict(_BUILT_IN)

    def register(
        self,
        segment_type: str,
        tool_name: str,
        build: Build,
        build_partial: Build | None = None,
        *,
        replace: bool = False,
    ) -> None:
        """Let segments of `segment_type` be invocations of `tool_name`; `replace` allows a type that is taken."""
        for value in (segment_type, tool_name):
            if not isinstance(value, str) or not value:
                raise RegistryError(f"a segment type and a tool name are non-empty strings, not {value!r}")
        if not callable(build):
            raise RegistryError(f"build must be a function of metadata and content, not {build!r}")
        if build_partial is not None and not callable(build_partial):
            raise RegistryError(f"build_partial must be a function of metadata and content, not {build_partial!r}")
        if segment_type in self.syntaxes and not replace:
            raise RegistryError(f"the segment type {segment_type!r} is registered already: pass replace=True")
        self.syntaxes = {**self.syntaxes, str(segment_type): CustomSyntax(tool_name, build, build_partial)}

    def unregister(self, segment_type: str) -> None:
        """Segments of this type are no calls any more."""
        if segment_type not in self.syntaxes:
            raise RegistryError(
                f"the segment type {segment_type!r} is not registered{suggest(segment_type, self.syntaxes)}"
            )
        self.syntaxes = {known: syntax for known, syntax in self.syntaxes.items() if known != segment_type}


#: The registry of everyone who does not bring one.
default_syntaxes = ToolSyntaxRegistry()


def register_tool_syntax(
    segment_type: str,
    tool_name: str,
    build: Build,
    build_partial: Build | None = None,
    *,
    replace: bool = False,
) -> None:
    """Make invocations of `tool_name` of all segments of `segment_type`, for handlers made from now on.

    `build` is given what START and END said of the segment, and its content; it returns the arguments, a dict. If it
    raises, the invocation is malformed, and its `error` has what a ValueError says; of other exceptions only the class,
    since the model and the client are told. It is never given a segment that is not complete.

    `build_partial` is given the same of a segment that was cut, or that still comes, with the content so far: for a
    truncated invocation, and for `partial_arguments`, if someone asks for them. Without it, and where it raises, these
    have the arguments that START has named.
    """
    default_syntaxes.register(segment_type, tool_name, build, build_partial, replace=replace)
