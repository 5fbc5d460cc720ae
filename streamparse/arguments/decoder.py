"""ArgumentDecoder: how a format writes the arguments of a call."""

from __future__ import annotations

import json
from collections.abc import Set
from typing import Any

from attrs import define, field, frozen

from streamparse.arguments.follower import Follower, Record
from streamparse.arguments.growing import Growing
from streamparse.arguments.json_text import TooDeepError
from streamparse.arguments.schema import ANY, Schema
from streamparse.arguments.step import Step, take_step
from streamparse.config import Limits, ParserConfig, ToolSpec
from streamparse.errors import in_words


class ArgumentsError(ValueError):
    """Arguments cannot be decoded; the message is a sentence a person and a model can act on.

    It never reaches a caller of the library: it becomes the `error` of a malformed invocation.
    """


@frozen
class Signature:
    """What is declared of a tool, and how it is to be read."""

    config: ParserConfig
    schema: Schema = ANY
    spec: ToolSpec | None = None
    #: The tool's name, as it is declared or else as the model wrote it.
    name: str = ""
    #: Whether the call stands in a plan, and so may say more than its arguments.
    is_in_plan: bool = False

    @classmethod
    def of(cls, spec: ToolSpec | None, config: ParserConfig, name: str = "") -> Signature:
        """The signature of a tool that is declared as `spec`, or not at all and called by `name`."""
        return cls(config, name=name) if spec is None else cls(config, Schema.of(spec.parameters), spec, spec.name)

    @property
    def limits(self) -> Limits:
        """Those of the configuration."""
        return self.config.limits

    def has_all(self, given: Set[str]) -> bool:
        """Whether the tool is declared, and the arguments that are `given` are all that a call of it needs.

        Then nothing is missing of a call whose end was forgotten: see section 2.2 of the rules.
        """
        tool = self.spec.as_body if self.spec else None
        needed = tool.names if tool else ()
        return self.spec is not None and given >= set(needed) and self.schema.has_all(given)


@define
class DecodedCall:
    """What the content of a call says."""

    arguments: dict[str, Any] = field(factory=dict)
    #: Something was missing whose place is certain: the closer of the last argument.
    is_repaired: bool = False


class ArgumentDecoder:
    """What is asked about the arguments of a format. Only ArgumentsError may be raised."""

    #: Whether values are texts, so an object that should be the arguments may be one.
    has_texts = False

    def decode_call(self, content: str, signature: Signature, *, is_truncated: bool) -> DecodedCall:
        """The arguments in the whole content of a `tool_call`; of a truncated one, those that are complete."""
        raise NotImplementedError

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """The arguments of a call that is still being written, as far as they are certain. Nothing is raised.

        What is complete is typed; of a text that is not, there may be the beginning.
        """
        try:
            return self.decode_call(content, signature, is_truncated=True).arguments
        except ArgumentsError:
            return {}

    def decode_cut(self, content: str, signature: Signature) -> dict[str, Any]:
        """The same of a call that was cut off: what it ends with is all there is. Nothing is raised."""
        return self.decode_partial(content, signature)

    def grow(self, signature: Signature) -> Growing:
        """What shows the arguments while they come. Here all of the content is read again with each question.

        Raises ArgumentsError if there is nothing to be shown, whatever comes.
        """
        return _DecodedAgain(self, signature)

    def follow(self, record: Record, signature: Signature) -> Follower | None:
        """What reads the content of a call while it comes; None if that has to be read again and again."""
        return None

    def spread(self, known: dict[str, Any]) -> dict[str, Any]:
        """The arguments among what START and END say of a `tool_call`: mostly, all of it."""
        return known

    def take_step(self, content: str, arguments: dict[str, Any], signature: Signature) -> tuple[Step, dict[str, Any]]:
        """What a call in a plan says of its place there, and its arguments without that."""
        return take_step(arguments)

    def decode_shown(self, name: str, text: str, signature: Signature) -> Any:
        """The value of the argument `name` that START shows as `text`. A format that has texts only types them."""
        return text

    def decode_written(self, name: str, raw: str, signature: Signature, *, is_direct: bool) -> Any:
        """The value of the argument `name` from what the model wrote. `is_direct`: in a tag of its own name."""
        return raw


class GrowingDecoder(ArgumentDecoder):
    """A decoder of arguments that are read piece by piece, also if all of it is there: by what `grow` gives."""

    def decode_partial(self, content: str, signature: Signature) -> dict[str, Any]:
        """What they are so far."""
        growing = self._read(content, signature)
        return growing.show() if growing else {}

    def decode_cut(self, content: str, signature: Signature) -> dict[str, Any]:
        """What they are if that was all."""
        growing = self._read(content, signature)
        return growing.cut() if growing else {}

    def _read(self, content: str, signature: Signature) -> Growing | None:
        try:
            growing = self.grow(signature)
        except ArgumentsError:
            return None
        growing.feed(content)
        return growing


class _DecodedAgain:
    """Keeps the content, and reads all of it."""

    def __init__(self, decoder: ArgumentDecoder, signature: Signature) -> None:
        self._decoder = decoder
        self._signature = signature
        self._content = ""

    def feed(self, text: str) -> None:
        self._content += text

    def show(self) -> dict[str, Any]:
        return self._decoder.decode_partial(self._content, self._signature)

    def cut(self) -> dict[str, Any]:
        return self._decoder.decode_cut(self._content, self._signature)


def decode_text(name: str, text: str, schema: Schema, limits: Limits) -> Any:
    """The value of the argument `name` whose text is `text`, entities decoded and all."""
    try:
        return schema.read(text, limits.max_depth)
    except TooDeepError:
        raise ArgumentsError(f"{name} is nested too deeply") from None


def describe(error: Exception) -> str:
    """What code of the user's own has raised, for the model and the client: by its class.

    A ValueError is told in its words, too, since it is about what the model wrote. The words of any other exception are
    about the program, and may have a path or an address in them.
    """
    name, words = type(error).__name__, in_words(error)
    return f"{name}: {words}" if isinstance(error, ValueError) and words != name else name


def explain(error: Exception) -> str:
    """Why arguments cannot be read, whatever a decoder has raised."""
    return str(error) if isinstance(error, ArgumentsError) else f"the arguments cannot be read: {describe(error)}"


def is_same(one: Any, two: Any) -> bool:
    """Whether two values of one argument agree; `1` and `true` do not."""
    try:
        return type(one) is type(two) and bool(one == two) and (one is two or _written(one) == _written(two))
    except RecursionError:  # deeper than Python compares: let no one say that they do
        return False


def _written(value: Any) -> str:
    """Values that are equal for Python, but not the same in JSON, differ here."""
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else ""
