"""The result of each call of a reply, however it is given.

    ["12 degrees", None]            in the order of the calls; None: there is nothing to tell
    {"call_1": "12 degrees"}        by the `call_id` of the call, or by its `id`

A call that cannot be run, because it was cut off or is malformed, is answered with its error unless there is a result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from attrs import evolve, frozen

from streamparse.invocations import ToolInvocation
from streamparse.segment import Segment


@frozen
class ToolResult:
    """What came of a call: a text, or other plain data, which is given to the model as JSON."""

    content: Any
    is_error: bool = False


Results: TypeAlias = Mapping[str, Any] | Iterable[Any]
#: What a dialect writes: the messages that are the reply, and those that are the results.
Messages: TypeAlias = tuple[list[dict[str, Any]], list[dict[str, Any]]]
#: An id that Anthropic and Bedrock take.
_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ReplyParts(Protocol):
    """A reply, as far as messages need it."""

    @property
    def segments(self) -> Sequence[Segment]:
        """All of it, in order."""

    @property
    def calls(self) -> Sequence[ToolInvocation]:
        """The calls."""

    @property
    def raw(self) -> str:
        """The text with its markers."""

    @property
    def text(self) -> str:
        """The text without them."""


@frozen
class Answer:
    """A call and its result. `call_id` is the call's own, else one that no other call has.

    `content` is the result as a text. `data` is the same as it was given, None if it was a text: a few calls are
    answered with more than a text.
    """

    call: ToolInvocation
    call_id: str
    content: str
    is_error: bool
    data: Any = None


def find_answers(calls: Sequence[ToolInvocation], results: Results) -> list[Answer]:
    """An answer for each call, in their order. Raises ValueError if one that could be run has no result."""
    given = _by_id(calls, results)
    taken = {call.call_id for call in calls}
    used: set[str] = set()
    answers: list[Answer] = []
    for number, call in enumerate(calls, 1):
        result = given.get(call.id)
        if result is None or (result.content is None and not call.is_complete):
            result = _unrun(call)
        content, call_id = result.content, call.call_id
        if not call_id or call_id in used:  # some servers give the same one twice
            call_id = _new_id(number, taken)
        used.add(call_id)
        data = None if isinstance(content, str) else content
        answers.append(Answer(call, call_id, as_text(content), result.is_error, data))
    return answers


def with_plain_ids(answers: list[Answer]) -> list[Answer]:
    """The same answers, with ids that Anthropic and Bedrock take: no dots or colons, no long ones."""
    taken: set[str | None] = {answer.call_id for answer in answers}
    return [
        answer if _PLAIN_ID.fullmatch(answer.call_id) else evolve(answer, call_id=_new_id(number, taken))
        for number, answer in enumerate(answers, 1)
    ]


def _by_id(calls: Sequence[ToolInvocation], results: Results) -> dict[str, ToolResult]:
    """The results by the ids of the calls' segments."""
    if isinstance(results, str | bytes):
        raise TypeError("results are a list with one result for each call, or a dict: not a text")
    if isinstance(results, Mapping):
        ids: dict[str, str] = {}
        complete_first = sorted(calls, key=lambda call: not call.is_complete)  # of two with one id, that is meant
        for call in complete_first:
            ids.setdefault(call.call_id or call.id, call.id)
        ids |= {call.id: call.id for call in calls}
        unknown = [name for name in results if name not in ids]
        if unknown:
            raise ValueError(f"no call of this reply has the id {unknown[0]!r}")
        pairs = [(ids[name], result) for name, result in results.items()]
    else:
        listed = list(results)
        if len(listed) > len(calls):
            raise ValueError(f"too many results: {len(listed)}, where reply.calls has {len(calls)}")
        pairs = list(zip((call.id for call in calls), listed, strict=False))
    return {call_id: _result(result) for call_id, result in pairs}


def _result(result: Any) -> ToolResult:
    return result if isinstance(result, ToolResult) else ToolResult(result)


def _unrun(call: ToolInvocation) -> ToolResult:
    if call.is_complete:
        raise ValueError(
            f"the call {call.call_id or call.id} of {call.name!r} has no result: a model waits for one of each call"
        )
    return ToolResult(f"The call was not run: {call.error}.", is_error=True)


def as_text(content: Any) -> str:
    """A result as the model is given it: a text as it is, plain data as JSON. Raises TypeError for anything else."""
    if isinstance(content, str):
        return content
    try:
        return json.dumps(content, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"a result is a text or plain data, ready for json.dumps: {error}") from error


def _new_id(number: int, taken: set[str | None]) -> str:
    """An id that no call has: providers want one, and some models' servers give none."""
    while f"call_{number}" in taken:
        number += 1_000
    taken.add(f"call_{number}")
    return f"call_{number}"
