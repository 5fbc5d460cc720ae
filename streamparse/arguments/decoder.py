"""ArgumentDecoder: how a format writes the arguments of a call."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from streamparse.arguments.schema import Schema, TooDeepError
from streamparse.config import Limits


class ArgumentsError(ValueError):
    """Arguments cannot be decoded; the message is a sentence a person and a model can act on.

    It never reaches a caller of the library: it becomes the `error` of a malformed invocation.
    """


def decode_text(name: str, text: str, schema: Schema, limits: Limits) -> Any:
    """The value of the argument `name` whose text is `text`, entities decoded and all."""
    try:
        return schema.read(text, limits.max_depth)
    except TooDeepError:
        raise ArgumentsError(f"{name} is nested too deeply") from None


@frozen
class DecodedCall:
    """What the content of a call says."""

    arguments: dict[str, Any] = field(factory=dict)
    #: Something was missing whose place is certain: the closer of the last argument.
    is_repaired: bool = False


class ArgumentDecoder:
    """The two questions an adapter asks about a format. Both may raise ArgumentsError, nothing else."""

    def decode_call(self, content: str, schema: Schema, limits: Limits, *, is_truncated: bool) -> DecodedCall:
        """The arguments in the whole content of a `tool_call`; of a truncated one, those that are complete."""
        raise NotImplementedError

    def decode_value(self, name: str, raw: str, schema: Schema, limits: Limits, *, is_direct: bool) -> Any:
        """The value of the argument `name`, which came by itself. `is_direct`: in a tag of its own name."""
        raise NotImplementedError
