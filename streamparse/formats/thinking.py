"""<think>…</think>: the reasoning markers that all classic formats share."""

from __future__ import annotations

from streamparse.core.markers import BLANKS, closer, opener
from streamparse.core.opening import Opener
from streamparse.formats.format import Reasoning
from streamparse.states.reasoning import ReasoningState
from streamparse.states.xml_tag_init import XmlTagInitState

_TAGS = ("think", "thinking")


def thinking(format: str) -> Reasoning:
    """`<think>` and `<thinking>`, for the format of this name."""
    return Reasoning(
        openers=(
            *(Opener(opener(tag), XmlTagInitState, format, ReasoningState, False) for tag in _TAGS),
            *(Opener(closer(tag), None, format, None, False) for tag in _TAGS),
        ),
        implied_opener=("<think", BLANKS, ">"),
        implied_closer=closer("think"),
    )
