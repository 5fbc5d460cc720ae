"""auto: whichever format the text turns out to be in.

    <tool_call>{"name": "f", …          hermes, qwen3 and ernie45 write calls like this: one of them, from now on

All formats with markers of their own are looked for at once, and only what is certain: no sentences, no tags around
answers, nothing that is a call only because a line begins with it. The first call settles the format. From then on
only those that write calls in the same way are looked for, and the tags they put around answers are swallowed, too.

If tools are declared, a call that is JSON and nothing else is known by their names, so the format json is looked for as
well. Any model may write such a call: it settles nothing.

Inside of reasoning a call ends it only if all formats that write such calls say so. So `<tool_call>{` in `<think>` is
reasoning, though it is a call for qwen3 when that is chosen by name: to carry out a call that the model only thought
about is worse than to show it. With `reasoning="open"` the same holds for reasoning that only the prompt has opened.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_args

from attrs import evolve

from streamparse.core.opening import InReasoning, Opener
from streamparse.formats.format import Format

AUTO = Format("auto", in_auto=False, unwritten="only reads calls: choose the format that your model writes")

_ORDER: tuple[InReasoning, ...] = get_args(InReasoning)


@lru_cache(maxsize=64)
def agreed(openers: tuple[Opener, ...]) -> tuple[Opener, ...]:
    """`openers` in which those that are written alike agree on what they do inside of reasoning."""
    alike: dict[Any, list[Opener]] = {}
    for opener in openers:
        alike.setdefault((opener.marker, opener.state), []).append(opener)
    return tuple(_agree(opener, alike[opener.marker, opener.state]) for opener in openers)


def _agree(opener: Opener, alike: list[Opener]) -> Opener:
    agreed_on = min((other.in_reasoning for other in alike), key=_ORDER.index)
    return opener if agreed_on == opener.in_reasoning else evolve(opener, in_reasoning=agreed_on)
