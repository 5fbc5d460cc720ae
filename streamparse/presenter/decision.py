"""A question whether a call may run, and the answer to it.

    ApprovalRequest(call, "[run_bash for 'rm -r build']", reason="no rule allows it")
    Decision("allow_once")
    Decision("reject_once", feedback="use `make clean` instead")
    Decision("allow_once", arguments={"command": "rm -r build/tmp"})

The four outcomes have the names that editors know from the Agent Client Protocol.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, TypeAlias, get_args

from attrs import field, frozen

from streamparse.invocations import ToolInvocation

DecisionOutcome: TypeAlias = Literal["allow_once", "allow_always", "reject_once", "reject_always"]
OUTCOMES: tuple[str, ...] = get_args(DecisionOutcome)


def _new_approval_id() -> str:
    """One that nobody can guess: the answer may come by another request."""
    return secrets.token_urlsafe(12)


@frozen
class ApprovalRequest:
    """May this call run? `description` is the call in one line, `reason` why somebody is asked.

    `approval_id` is this question's own: whoever answers from elsewhere names it. While the call is still being
    written, `is_partial` is true, and the invocation holds the arguments so far: show them, but there is nothing to
    answer yet.
    """

    invocation: ToolInvocation
    description: str
    reason: str = ""
    approval_id: str = field(factory=_new_approval_id, eq=False)
    is_partial: bool = False


def _check_outcome(_: object, __: object, outcome: object) -> None:
    if outcome not in OUTCOMES:
        raise ValueError(f"the outcome of a decision is one of {', '.join(OUTCOMES)}, not {outcome!r}")


def _check_feedback(_: object, __: object, feedback: object) -> None:
    if not isinstance(feedback, str):
        raise TypeError(f"the feedback of a decision is a text, not {feedback!r}")


def _check_arguments(_: object, __: object, arguments: Any) -> None:
    """They may come from elsewhere: what is wrong is for whoever answers, not for the reply that waits."""
    if not isinstance(arguments, Mapping | None) or not all(isinstance(name, str) for name in arguments or ()):
        raise TypeError(f"the arguments of a decision are an object, by the names of parameters, not {arguments!r}")


@frozen
class Decision:
    """The answer. `feedback` is told to the model, with whatever is decided; `attachments` are given along with it.

    `arguments`, if they are given, are those that the call runs with instead of its own. "always" also holds for later
    calls of the kind, as far as the rules can say what kind that is. `is_answered=False` says that nobody could be
    asked, so that the model is not told that a person has denied the call.
    """

    outcome: DecisionOutcome = field(validator=_check_outcome)
    feedback: str = field(default="", validator=_check_feedback)
    attachments: tuple[Any, ...] = field(default=(), converter=tuple)
    arguments: Mapping[str, Any] | None = field(default=None, hash=False, validator=_check_arguments)
    is_answered: bool = True

    @property
    def is_allowed(self) -> bool:
        """Whether the call may run."""
        return self.outcome.startswith("allow")

    @property
    def is_lasting(self) -> bool:
        """Whether later calls of the kind are decided as well."""
        return self.outcome.endswith("always")

    @property
    def denial(self) -> str:
        """What the model is told of a call that this denies."""
        told = "The person denied the call." if self.is_answered else "The call was denied."
        return f"{told} {self.feedback}".rstrip()


#: What may be given as an answer: also the name of an outcome, or True or False for this once.
Answer: TypeAlias = Decision | DecisionOutcome | bool
#: Who is asked: a function that returns the answer, or a coroutine function that waits for it.
Ask: TypeAlias = Callable[[ApprovalRequest], Answer | Awaitable[Answer]]


def as_decision(answer: object) -> Decision:
    """What a hook has answered, as a Decision. Raises TypeError for anything else."""
    if isinstance(answer, Decision):
        return answer
    if isinstance(answer, bool):
        return Decision("allow_once" if answer else "reject_once")
    if isinstance(answer, str) and answer in OUTCOMES:
        return Decision(answer)  # type: ignore[arg-type]  # it is one of them
    raise TypeError(f"the answer is a Decision, the name of an outcome, True or False, not {answer!r}")
