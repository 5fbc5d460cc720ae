"""Everything this library raises on purpose.

    StreamparseError
      ParserStateError       misuse: feed after finalize, re-entrant feed, coroutine subscriber on sync feed
      StateContractError     a state broke the contract of `core/state.py`
      RegistryError          duplicate or unknown name, or something that is not a state
      LimitError             a total the user set was passed
      RenderError            a call that a format cannot express
      PlanError              a plan of several tools that is not as it should be, in strict mode
      DiffError              a diff that could not be applied as a whole, and was to be
      TreeError              a file of a tree that cannot be read or written, or a path that leads out of the tree
      ProviderStreamError    the provider reported an error in mid-stream
      RequestError           a client's request that cannot be passed on to a model server; says why
      MissingExtraError      a dependency of an extra is not installed; says which `pip install` brings it

What a model writes never raises (guarantee 5): malformed input comes back as text, or as a segment whose END says
`malformed`. So an exception from here is about the calling code, about a limit it asked for, or the provider's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from streamparse.events import AnyEvent

#: How much of a name is compared and shown: a model, or a program, may give any text for one.
_LONGEST_NAME = 80


def suggest(name: str, known: Iterable[str]) -> str:
    """How a message about an unknown name goes on: with at most three of the known ones that are nearly the same.

    `": did you mean 'hermes'?"`, or nothing if none is near.
    """
    by_lower = {one.lower(): one for one in known}
    near = [repr(str(by_lower[one])) for one in get_close_matches(name[:_LONGEST_NAME].lower(), by_lower, 3)]
    if not near:
        return ""
    return f": did you mean {', '.join(near[:-1])}{' or ' if len(near) > 1 else ''}{near[-1]}?"


def shorten(name: str) -> str:
    """`name`, or the beginning of one that no one would read to the end."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


class StreamparseError(Exception):
    """The root of the tree: catch this to catch all of it."""


class ParserStateError(StreamparseError, RuntimeError):
    """A method was called when it cannot be: the message says which one to call instead."""


class StateContractError(StreamparseError, RuntimeError):
    """A state broke the contract of `BaseState`; the message names the state and the offset."""

    #: Whether the message does so already.
    is_located = False


class RegistryError(StreamparseError, ValueError):
    """A name is taken, unknown or unusable, or what was registered is not a state."""


class LimitError(StreamparseError):
    """A limit that raises was passed.

    `name`, `value` and `offset` say which one, how large it was and where in the stream it was passed, if that is known
    (not of a limit on something that is decoded from the stream, such as a parameter). `events` are the events of the
    part of the chunk before that offset: nothing that was certain is lost.
    """

    def __init__(self, name: str, value: int, offset: int | None, events: list[AnyEvent] | None = None) -> None:
        place = "" if offset is None else f" at offset {offset}"
        super().__init__(f"the stream passed {name}={value}{place}; raise the limit or stop feeding")
        self.name = name
        self.value = value
        self.offset = offset
        self.events = events if events is not None else []

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions with arguments of their own must say how to be copied."""
        return type(self), (self.name, self.value, self.offset, self.events)


class RenderError(StreamparseError, ValueError):
    """A call cannot be written in a format so that it would be read as the same call; the message says why."""


class PlanError(StreamparseError, ValueError):
    """Plans have problems, and none were allowed. `problems` are all of them, each a `PlanProblem` with a sentence."""

    def __init__(self, problems: Sequence[Any]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions with arguments of their own must say how to be copied."""
        return type(self), (self.problems,)


class DiffError(StreamparseError, ValueError):
    """Not every block of a diff was applied, and that was asked for.

    `result` is the `DiffResult`, or the `TreeResult` of a diff for a tree, and `failures` are its failures; the message
    has a sentence for each of them.
    """

    def __init__(self, result: Any) -> None:
        super().__init__(result.message)
        self.result = result
        self.failures: tuple[Any, ...] = result.failures

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions with arguments of their own must say how to be copied."""
        return type(self), (self.result,)


class TreeError(StreamparseError):
    """A file of a tree cannot be read or written, or its path is none of the tree's; the message says which and why.

    `reason` says why without the path. It is empty if the message is about more than one file or folder, or its path.
    """

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason

    @classmethod
    def about(cls, verb: str, path: str, reason: str) -> Self:
        """What cannot be done with one file or folder."""
        return cls(f"cannot {verb} {path}: {reason}", reason)


class ProviderStreamError(StreamparseError):
    """The provider gave up in mid-stream: `message` says why, in its words.

    Everything that was open has been ended as truncated, and the stream is over; `events` are those of the last chunk.
    """

    def __init__(self, message: str, events: list[AnyEvent] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.events = events if events is not None else []

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions with arguments of their own must say how to be copied."""
        return type(self), (self.message, self.events)


class RequestError(StreamparseError, ValueError):
    """A client's request cannot be passed on: `message` tells the client why.

    `status` is that of the HTTP response, and `kind` what the interfaces of OpenAI and Anthropic call such an error.
    """

    def __init__(self, message: str, status: int = 400, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions with arguments of their own must say how to be copied."""
        return type(self), (self.message, self.status, self.kind)


class MissingExtraError(StreamparseError, ImportError):
    """Something needs a package that only an extra of the distribution installs."""

    def __init__(self, extra: str, package: str) -> None:
        super().__init__(f'{package} is not installed: run `pip install "llm-streamparse[{extra}]"`')
        self.extra = extra
        self.package = package

    def __reduce__(self) -> tuple[Any, ...]:
        """Exceptions with arguments of their own must say how to be copied."""
        return type(self), (self.extra, self.package)


def in_words(error: BaseException | None) -> str:
    """What an exception says, or the name of its class where it says nothing."""
    try:
        return str(error) or type(error).__name__
    except Exception:  # not even that can be relied upon
        return type(error).__name__
