"""testing/: the kit accepts what is right and rejects what is wrong, so that a green check means something."""

from __future__ import annotations

import pytest

from streamparse import (
    BaseState,
    DelimitedState,
    ParserConfig,
    RunBashState,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentStart,
    StreamingParser,
    ToolStateRegistry,
    register_tool_state,
)
from streamparse.core.registry import default_registry
from streamparse.testing import assert_chunk_invariant, check_order, check_state, normalize, segments, splits

START, END = SegmentStart("seg_1", "text"), SegmentEnd("seg_1", segment_type="text")


def content(delta: str, segment_id: str = "seg_1", segment_type: str = "text") -> SegmentContent:
    return SegmentContent(segment_id, delta, segment_type)


# -- splits ------------------------------------------------------------------------------------------------------------


def test_splits_are_the_whole_the_characters_and_every_cut_in_two() -> None:
    assert list(splits("abc")) == [["abc"], ["a", "b", "c"], ["a", "bc"], ["ab", "c"]]


def test_short_texts_have_few_splits() -> None:
    assert list(splits("")) == [[""], []]
    assert list(splits("a")) == [["a"], ["a"]]


# -- events ------------------------------------------------------------------------------------------------------------


def test_normalize_merges_adjacent_content_of_one_segment() -> None:
    assert normalize([START, content("a"), content("b"), END]) == [START, content("ab"), END]
    assert [event.segment_type for event in normalize([START, content("a"), content("b")])] == ["text", "text"]


def test_normalize_keeps_everything_else_apart() -> None:
    events: list[SegmentEvent] = [
        *(SegmentStart("a", "x"), content("1", "a"), content("2", "b"), content("3", "a")),
        *(SegmentEnd("a"), SegmentEnd("a"), SegmentEnd("b")),
    ]
    assert normalize(events) == events
    assert normalize([]) == []


def test_normalize_takes_any_iterable() -> None:
    assert normalize(iter([START, content("a"), END])) == [START, content("a"), END]


def test_segments_are_rows_of_type_metadata_content_and_end() -> None:
    events: list[SegmentEvent] = [
        *(START, content("a"), content("b"), END),
        SegmentStart("seg_2", "run_bash", {"tool_name": "run_bash"}),
        SegmentEnd("seg_2", "malformed", "why", segment_type="run_bash"),
    ]
    assert segments(events) == [
        ("text", {}, "ab", {}),
        ("run_bash", {"tool_name": "run_bash"}, "", {"status": "malformed", "error": "why"}),
    ]
    assert segments([]) == []


def test_check_order_returns_start_content_and_end_of_each_segment() -> None:
    assert check_order([START, content("a"), content("b"), END]) == [(START, "ab", END)]


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([content("a")], "without a START"),
        ([END], "without a START"),
        ([START, END, content("a")], "without a START"),
        ([START, END, END], "without a START"),
        ([START], "has no END"),
        ([START, content("a")], "has no END"),
        ([START, SegmentStart("seg_2", "text")], "before the END of"),
        ([START, END, START, END], "the id 'seg_1' is used twice"),
        ([START, content(""), END], "is empty"),
        ([START, content("a", "seg_2"), END], "inside"),
        ([START, SegmentEnd("seg_2", segment_type="text")], "inside"),
        ([START, content("a", segment_type="run_bash"), END], "has another type than"),
        ([START, SegmentEnd("seg_1", segment_type="run_bash")], "has another type than"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_check_order_rejects_every_other_order(events: list[SegmentEvent], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_order(events)
    with pytest.raises(AssertionError, match=message):
        segments(events)


# -- checks ------------------------------------------------------------------------------------------------------------


class SqlState(DelimitedState):
    segment_type = "sql"


SAMPLES = {
    'a<sql db="main">select 1 < 2</sql>b': [
        *(("text", {}, "a", {}), ("sql", {"db": "main"}, "select 1 < 2", {}), ("text", {}, "b", {})),
    ],
    '<tool name="SQL">select</tool>': [("sql", {"tool_name": "SQL"}, "select", {})],
    "<sql>half</sq": [("sql", {}, "half</sq", {"status": "truncated"})],
    "<sql/>": [("sql", {}, "", {})],
}


def test_assert_chunk_invariant_returns_the_normalized_events() -> None:
    assert assert_chunk_invariant("a<run_bash>ls</run_bash>") == [
        *(START, content("a"), END),
        *(SegmentStart("seg_2", "run_bash"), content("ls", "seg_2"), SegmentEnd("seg_2")),
    ]


def test_assert_chunk_invariant_hands_its_options_to_the_parser() -> None:
    events = assert_chunk_invariant("`<think>`", ["xml"], config=ParserConfig(code="parse", segment_id_prefix="m-"))
    assert [event.segment_id for event in events] == ["m-1", "m-1", "m-1", "m-2", "m-2", "m-2"]


def test_check_state_accepts_a_good_state_by_its_segments() -> None:
    check_state(SqlState, SAMPLES)


def test_check_state_accepts_a_good_state_by_texts_alone() -> None:
    check_state(SqlState, list(SAMPLES))


def test_check_state_accepts_rows_that_are_lists() -> None:
    check_state(SqlState, {"<sql>1</sql>": [["sql", {}, "1", {}]]})  # type: ignore[dict-item]


def test_check_state_uses_the_name_it_is_given() -> None:
    check_state(SqlState, {"<query>1</query>": [("sql", {}, "1", {})]}, name="query")


def test_check_state_uses_the_name_the_state_is_registered_under() -> None:
    register_tool_state("query_of_this_test", SqlState, bare=True)
    try:
        check_state(SqlState, {"<query_of_this_test>1</query_of_this_test>": [("sql", {}, "1", {})]})
    finally:
        default_registry.unregister("query_of_this_test")
    check_state(RunBashState, {"<run_bash>ls</run_bash>": [("run_bash", {}, "ls", {})]})


def test_check_state_hands_its_options_to_the_parser() -> None:
    config = ParserConfig(decode_command_entities=False)
    check_state(RunBashState, {"<run_bash>&amp;</run_bash>": [("run_bash", {}, "&amp;", {})]}, config=config)


def test_check_state_leaves_the_default_registry_alone() -> None:
    check_state(SqlState, SAMPLES)
    parser = StreamingParser("xml")
    assert segments(parser.feed("<sql>1</sql>") + parser.finalize()) == [("text", {}, "<sql>1</sql>", {})]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("sql", {}, "2", {})],
        [("sql", {"db": "a"}, "1", {})],
        [("sql", {}, "1", {"status": "truncated"})],
        [("sql", {}, "1", {}), ("text", {}, "x", {})],
    ],
    ids=str,
)
def test_check_state_rejects_other_segments_than_expected(rows: list[object]) -> None:
    with pytest.raises(AssertionError, match=r"^'<sql>1</sql>' gives\n  \[\('sql', \{\}, '1', \{\}\)\]\nand was"):
        check_state(SqlState, {"<sql>1</sql>": rows})  # type: ignore[dict-item]


@pytest.mark.parametrize("samples", [["plain"], ["<query>1</query>"], []], ids=repr)
def test_check_state_rejects_samples_that_never_reach_the_state(samples: list[str]) -> None:
    with pytest.raises(AssertionError, match=r"^no sample gives a segment of type 'sql': is the tool's name right"):
        check_state(SqlState, samples)


class LeakyState(BaseState):
    """Looks for the whole closer only, so the beginning of a cut one is shown."""

    segment_type = "leaky"
    _is_open = False

    def run(self) -> None:
        scanner, emitter = self.context.scanner, self.context.emitter
        if not self._is_open:
            self._is_open = True
            emitter.emit_start(self.segment_type, {})
        end = scanner.buf.find("</leaky>", scanner.pos)
        emitter.emit_content(scanner.take(end if end >= 0 else len(scanner.buf)))
        if end >= 0:
            scanner.take(end + len("</leaky>"))
            emitter.emit_end()
            self.context.transition_to("text")

    def finalize(self) -> None:
        self.context.emitter.emit_end("truncated")
        self.context.transition_to("text")


def test_a_state_that_leaks_a_part_of_its_closer_is_rejected() -> None:
    with pytest.raises(AssertionError, match=r"^cut as (?s:.*)</leaky>"):
        check_state(LeakyState, ["<leaky>x</leaky>"])


class WaitingState(DelimitedState):
    """Marks every place where it has to wait."""

    segment_type = "waiting"

    def run(self) -> bool:
        done = super().run()
        scanner = self.context.scanner
        if self.context.state is self and scanner.pos < len(scanner.buf):
            self.context.emitter.emit_content("?")
        return done


def test_a_state_that_shows_where_it_waits_is_rejected() -> None:
    with pytest.raises(AssertionError, match=r"^cut as "):
        check_state(WaitingState, ["<waiting>x</waiting>"])


class CountingState(DelimitedState):
    """Counts its chunks: what it says depends on how the text is cut."""

    segment_type = "counting"
    _runs = 0

    def run(self) -> bool:
        self._runs += 1
        self.triggers = None
        return super().run()

    def decode(self, text: str) -> str:
        return f"{self._runs}:{text} " if text else ""


def test_a_state_that_depends_on_the_chunking_is_rejected() -> None:
    with pytest.raises(AssertionError, match=r"^cut as "):
        check_state(CountingState, ["<counting>xy</counting>"])


class LateState(DelimitedState):
    """Shows nothing before its end when characters come one by one, and everything at once when they come together."""

    segment_type = "late"

    def undecided(self, text: str) -> int:
        return len(text) if len(text) < 3 else 0


def test_a_state_that_waits_depending_on_the_chunking_is_rejected() -> None:
    with pytest.raises(AssertionError, match=r"^the prefix '<late>x' shows .*; by single characters "):
        check_state(LateState, ["<late>xyzuv</late>"])


class PeekingState(DelimitedState):
    """Says in its START what has arrived behind it."""

    segment_type = "peeking"

    def run(self) -> bool:
        scanner, emitter = self.context.scanner, self.context.emitter
        if not self._is_open:
            self._is_open = True
            emitter.emit_start(self.segment_type, {"whole": "</" in scanner.buf})
        scanner.take(len(scanner.buf))
        return True


def test_a_state_that_tells_what_arrived_together_is_rejected() -> None:
    with pytest.raises(AssertionError, match=r"^cut as "):
        check_state(PeekingState, ["<peeking></"])


class RaisingState(DelimitedState):
    """Cannot be cut off."""

    segment_type = "raising"

    def finalize(self) -> None:
        raise RuntimeError("cannot be cut off")


def test_a_state_that_raises_at_finalize_is_rejected_though_every_sample_is_whole() -> None:
    with pytest.raises(RuntimeError, match=r"^cannot be cut off$"):
        check_state(RaisingState, ["<raising>x</raising>"])


class UnclosedState(DelimitedState):
    """Forgets its END when it is cut off."""

    segment_type = "unclosed"

    def finalize(self) -> None:
        self.context.scanner.take(len(self.context.scanner.buf))
        self.context.emitter.segment_id = ""
        self.context.transition_to("text")


def test_a_state_that_forgets_its_end_when_it_is_cut_off_is_rejected() -> None:
    with pytest.raises(AssertionError, match=r"has no END$"):
        check_state(UnclosedState, ["<unclosed>x</unclosed>"])


def test_a_registry_of_ones_own_can_be_checked_directly() -> None:
    registry = ToolStateRegistry()
    registry.register("sql", SqlState, bare=True)
    assert segments(assert_chunk_invariant("<sql>1</sql>", registry=registry)) == [("sql", {}, "1", {})]
