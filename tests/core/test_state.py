"""core/state.py: the contract of a state, and what an unfinished one says."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import BaseState, Opening, ParserConfig, ParserContext, formats
from streamparse.core.markers import close_tag
from streamparse.core.registry import default_registry
from streamparse.core.state import GO_ON, NEED_MORE, Progress, ProseState


class EmptyState(BaseState):
    pass


@pytest.fixture
def context() -> ParserContext:
    return formats.build_context([formats.get("xml")], ParserConfig(), default_registry, [])


def test_a_state_that_lacks_a_method_says_which(context: ParserContext) -> None:
    state = EmptyState(context)
    with pytest.raises(NotImplementedError, match=r"^EmptyState must define run\(\), or _begin\(\) if it reads in"):
        state.run()
    with pytest.raises(NotImplementedError, match=r"^EmptyState must define finalize\(\)$"):
        state.finalize()
    with pytest.raises(NotImplementedError, match=r"^EmptyState sets a limit and must define on_limit\(\)$"):
        state.on_limit()


def test_a_state_declares_nothing_unless_it_does(context: ParserContext) -> None:
    state = EmptyState(context)
    assert (state.segment_type, state.required, state.triggers) == ("", (), None)
    assert state.context is context


def test_the_metadata_of_a_tag_are_its_attributes() -> None:
    opening = Opening("sql", close_tag("sql"), None, {"db": "a"})
    opening.metadata["db"] = "changed"
    assert opening.metadata == {"db": "a"}


def test_the_metadata_of_a_tool_have_its_name_whatever_the_attributes_say() -> None:
    assert Opening("tool", close_tag("tool"), "q", {"mode": "x", "tool_name": "forged"}).metadata == {
        "mode": "x",
        "tool_name": "q",
    }


@pytest.mark.parametrize("required", ["path", ("Path",), ("path", "MODE")], ids=repr)
def test_required_attributes_that_could_never_be_found_are_refused(required: Any) -> None:
    with pytest.raises(TypeError) as caught:
        type("SqlState", (BaseState,), {"required": required})
    assert str(caught.value) == f"SqlState.required must be a tuple of names in lower case, not {required!r}"


class StepState(BaseState):
    """Reads in three phases, of which a subclass may override any."""

    def __init__(self, context: ParserContext) -> None:
        super().__init__(context)
        self.steps: list[str] = []

    def _begin(self) -> Progress:
        self.steps.append("begin")
        self._phase = "_middle"
        return GO_ON

    def _middle(self) -> Progress:
        self.steps.append("middle")
        self._phase = "_last"
        return NEED_MORE

    def _last(self) -> Progress:
        self.steps.append("last")
        return NEED_MORE


class OtherStepState(StepState):
    def _middle(self) -> Progress:
        self.steps.append("own middle")
        return super()._middle()


def test_a_state_reads_phase_after_phase_until_it_needs_more(context: ParserContext) -> None:
    state = StepState(context)
    assert state.run() is NEED_MORE
    assert state.steps == ["begin", "middle"]
    assert state.run() is NEED_MORE
    assert state.steps == ["begin", "middle", "last"]


def test_a_subclass_that_overrides_a_phase_is_heard(context: ParserContext) -> None:
    state = OtherStepState(context)
    state.run()
    assert state.steps == ["begin", "own middle", "middle"]


@pytest.mark.parametrize("progress", Progress)
def test_no_one_can_take_the_two_for_true_and_false(progress: Progress) -> None:
    with pytest.raises(TypeError, match=r"^compare with `is NEED_MORE` or `is GO_ON`$"):
        bool(progress)


class SilentProse(ProseState):
    pass


def test_prose_must_say_how_it_looks_again_and_how_it_pauses(context: ParserContext) -> None:
    prose = SilentProse(context)
    with pytest.raises(NotImplementedError, match=r"^SilentProse must define look_again\(\)$"):
        prose.look_again()
    with pytest.raises(NotImplementedError, match=r"^SilentProse must define begin_answer\(\)$"):
        prose.begin_answer(context)
    with pytest.raises(NotImplementedError, match=r"^SilentProse must define pause\(\)$"):
        prose.pause()
