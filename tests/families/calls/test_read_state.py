"""families/calls/read_state.py: what a state of a new family must define, and whom it asks."""

from __future__ import annotations

import pytest

from streamparse import ParserConfig, ParserContext, formats
from streamparse.core.registry import default_registry
from streamparse.families.calls.read_state import BodyCallState, WholeCallState


@pytest.fixture
def context() -> ParserContext:
    return formats.build_context([formats.get("xml")], ParserConfig(), default_registry, [])


class SilentCallState(WholeCallState):
    pass


class SilentBodyState(BodyCallState):
    pass


def test_a_state_says_what_it_lacks(context: ParserContext) -> None:
    for state in (SilentCallState(context), SilentBodyState(context)):
        with pytest.raises(NotImplementedError, match=rf"^{type(state).__name__} must define _open\(\)$"):
            state.run()
    with pytest.raises(NotImplementedError, match=r"^SilentBodyState must define _choose_triggers\(\)$"):
        SilentBodyState(context)._choose_triggers()
