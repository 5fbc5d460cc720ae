"""What is tried, and what may come of it."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class Way(StrEnum):
    """Which function reads the text."""

    UNIFIED = "unified"
    V4A = "v4a"
    BLOCKS = "blocks"


class Verdict(StrEnum):
    """`TOLD`: not what was meant, but what the text says to the letter once it is perturbed. No one could tell."""

    RIGHT = "right"
    TOLD = "told"
    REFUSED = "refused"
    WRONG = "wrong"


@frozen
class Case:
    """An edit as a model may have written it."""

    before: str
    text: str
    #: The file of the commit.
    after: str
    #: What the text means to the letter, if that is something else.
    told: frozenset[str] = frozenset()
    way: Way = Way.UNIFIED
    #: It speaks of text that is not there, so that even the right file would be a guess.
    is_refusal_due: bool = False


def judge(case: Case, ok: bool, content: str) -> Verdict:
    """What a tool made of a case: whether it took it for applied, and the file it gives."""
    if not ok:
        return Verdict.REFUSED
    if case.is_refusal_due:
        return Verdict.WRONG
    if content == case.after:
        return Verdict.RIGHT
    return Verdict.TOLD if content in case.told else Verdict.WRONG
