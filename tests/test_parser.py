"""parser.py: the short way of a chunk, the total, misuse, and states that break their contract."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from streamparse import (
    BaseState,
    DelimitedState,
    LimitError,
    Limits,
    ParserConfig,
    ParserStateError,
    RegistryError,
    SegmentContent,
    SegmentEnd,
    SegmentEvent,
    SegmentStart,
    StateContractError,
    StreamingParser,
    ToolStateRegistry,
    parse,
)
from streamparse.testing import assert_chunk_invariant, segments, splits
from streamparse.testing.events import Segment

# -- the short way -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opener", ["x", '<write_file path="p">x', "<run_bash>x", '<tool name="q">x', "<think>x", "`x"])
def test_a_chunk_without_anything_to_look_at_is_the_delta_itself(opener: str) -> None:
    parser = StreamingParser("xml")
    parser.feed(opener)
    chunk = "".join(["some", " prose"])
    (event,) = parser.feed(chunk)
    assert event.delta is chunk


def test_the_short_way_and_the_long_way_give_the_same_events() -> None:
    parser = StreamingParser("xml")
    events = [event for chunk in ("a", "b", "c <", "d", "e") for event in parser.feed(chunk)]
    assert events == [
        SegmentStart("seg_1", "text"),
        *(SegmentContent("seg_1", "a"), SegmentContent("seg_1", "b"), SegmentContent("seg_1", "c ")),
        *(SegmentContent("seg_1", "<d"), SegmentContent("seg_1", "e")),
    ]
    assert [event.segment_type for event in events] == ["text"] * 6
    assert parser.finalize() == [SegmentEnd("seg_1")]


def test_the_short_way_ends_at_every_character_that_matters() -> None:
    """With code="text" prose has four of them: more than the two that are tested for alone."""
    config = ParserConfig(code="text")
    for text in ("a\n```\n<run_bash>\n```\nb", "a\r<run_bash>ls</run_bash>", "a`<think>`", "a\n~~~\n<think>"):
        expected = StreamingParser("xml", config)
        whole = segments(expected.feed(text) + expected.finalize())
        parser = StreamingParser("xml", config)
        assert segments([event for part in text for event in parser.feed(part)] + parser.finalize()) == whole


def test_an_empty_chunk_is_no_event() -> None:
    parser = StreamingParser("xml")
    assert [parser.feed(chunk) for chunk in ("", "x", "", "<", "")] == [
        [],
        [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "x")],
        *([], [], []),
    ]


class Str(str):
    """A string of another class, as some SDKs give them."""

    __slots__ = ()


def test_a_string_of_a_subclass_is_read_as_the_string_it_is() -> None:
    parser = StreamingParser("xml")
    events = parser.feed(Str("a")) + parser.feed(Str("b"))
    assert events == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a"), SegmentContent("seg_1", "b")]
    assert [type(event.delta) for event in events] == [str, str, str]


class ShoutState(DelimitedState):
    """One trigger only, besides its own decoding: the short way is taken for all other chunks."""

    segment_type = "shout"

    def decode(self, text: str) -> str:
        return text.replace("!", "!!")

    decode_triggers: ClassVar[str] = "!"


def test_the_triggers_of_a_custom_state_are_respected() -> None:
    registry = ToolStateRegistry()
    registry.register("shout", ShoutState, bare=True)
    for chunks in splits("<shout>a!b!</shout>c!"):
        parser = StreamingParser("xml", registry=registry)
        events = [event for chunk in chunks for event in parser.feed(chunk)] + parser.finalize()
        assert segments(events) == [("shout", {}, "a!!b!!", {}), ("text", {}, "c!", {})]


class WhisperState(DelimitedState):
    """It names no trigger: whoever decodes wants to see everything."""

    segment_type = "whisper"

    def decode(self, text: str) -> str:
        return text.lower()


def test_a_custom_state_that_decodes_without_triggers_sees_everything() -> None:
    registry = ToolStateRegistry()
    registry.register("whisper", WhisperState, bare=True)
    for chunks in splits("<whisper>A b C</whisper>D"):
        parser = StreamingParser("xml", registry=registry)
        events = [event for chunk in chunks for event in parser.feed(chunk)] + parser.finalize()
        assert segments(events) == [("whisper", {}, "a b c", {}), ("text", {}, "D", {})]


# -- the end -----------------------------------------------------------------------------------------------------------


def test_finalize_settles_what_is_held_and_closes_what_is_open() -> None:
    parser = StreamingParser("xml")
    assert parser.feed("a<ru") == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "a")]
    assert parser.finalize() == [SegmentContent("seg_1", "<ru"), SegmentEnd("seg_1")]


def test_finalize_without_input_is_no_event() -> None:
    assert StreamingParser("xml").finalize() == []


@pytest.mark.parametrize("text", ["", "a", "a<ru", "<run_bash>ls", "<think>"])
def test_a_second_finalize_returns_nothing(text: str) -> None:
    parser = StreamingParser("xml")
    parser.feed(text)
    parser.finalize()
    assert parser.finalize() == []
    assert parser.finalize() == []


@pytest.mark.parametrize("text", ["", "a", "a<ru", "<run_bash>ls", '<tool name="q">a', "<think>x"])
@pytest.mark.parametrize("chunk", ["", "plain", "<"])
def test_feed_after_finalize_is_refused(text: str, chunk: str) -> None:
    parser = StreamingParser("xml")
    parser.feed(text)
    parser.finalize()
    with pytest.raises(ParserStateError) as caught:
        parser.feed(chunk)
    assert str(caught.value) == "feed() after the end: a parser reads one stream; make a new one for the next"


# -- the total ---------------------------------------------------------------------------------------------------------


def limited(total: int) -> ParserConfig:
    return ParserConfig(limits=Limits(max_total=total))


def feed_until_limit(chunks: list[str], total: int) -> tuple[list[SegmentEvent], LimitError | None, StreamingParser]:
    parser = StreamingParser("xml", limited(total))
    events: list[SegmentEvent] = []
    for chunk in chunks:
        try:
            events += parser.feed(chunk)
        except LimitError as error:
            return events + error.events, error, parser
    return events, None, parser


def test_a_stream_of_exactly_the_total_passes() -> None:
    text = "ab<run_bash>ls</run_bash>cd"
    for chunks in splits(text):
        events, error, parser = feed_until_limit(chunks, len(text))
        assert error is None
        assert segments(events + parser.finalize()) == [
            *(("text", {}, "ab", {}), ("run_bash", {}, "ls", {}), ("text", {}, "cd", {})),
        ]


def test_past_the_total_the_error_says_where_and_has_the_events_up_to_there() -> None:
    text = "ab<run_bash>ls -la</run_bash>cd"
    for chunks in splits(text):
        events, error, parser = feed_until_limit(chunks, 16)
        assert error is not None
        assert (error.name, error.value, error.offset) == ("max_total", 16, 16)
        assert str(error) == "the stream passed max_total=16 at offset 16; raise the limit or stop feeding"
        assert segments(events + parser.finalize()) == [
            *(("text", {}, "ab", {}), ("run_bash", {}, "ls -", {"status": "truncated"})),
        ]


def test_the_events_of_the_error_are_those_of_the_part_before_the_offset() -> None:
    parser = StreamingParser("xml", limited(5))
    assert parser.feed("abc") == [SegmentStart("seg_1", "text"), SegmentContent("seg_1", "abc")]
    with pytest.raises(LimitError) as caught:
        parser.feed("defg")
    assert caught.value.events == [SegmentContent("seg_1", "de")]


def test_every_chunk_behind_the_total_is_refused_and_nothing_more_comes_out() -> None:
    parser = StreamingParser("xml", limited(3))
    parser.feed("abc")
    for chunk in ("d", "<run_bash>"):
        with pytest.raises(LimitError) as caught:
            parser.feed(chunk)
        assert (caught.value.offset, caught.value.events) == (3, [])
    assert parser.feed("") == []
    assert parser.finalize() == [SegmentEnd("seg_1")]


def test_feed_after_finalize_is_misuse_with_a_total_too() -> None:
    parser = StreamingParser("xml", limited(3))
    parser.feed("abc")
    parser.finalize()
    with pytest.raises(ParserStateError, match=r"^feed\(\) after the end"):
        parser.feed("d")


# -- misuse ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk", [None, 5, ["x"], {"content": "x"}], ids=lambda chunk: type(chunk).__name__)
@pytest.mark.parametrize("before", ["", "x"])
def test_a_chunk_that_is_no_string_is_a_type_error(chunk: Any, before: str) -> None:
    parser = StreamingParser("xml")
    parser.feed(before)
    with pytest.raises(TypeError) as caught:
        parser.feed(chunk)
    assert str(caught.value) == (
        f"feed() takes str or bytes, not {type(chunk).__name__}; pass the text of a provider's chunk"
    )


def test_a_refused_chunk_does_not_disturb_the_stream() -> None:
    parser = StreamingParser("xml")
    events = parser.feed("a<run_bash>l")
    with pytest.raises(TypeError):
        parser.feed(None)  # type: ignore[arg-type]
    assert segments(events + parser.feed("s</run_bash>") + parser.finalize()) == [
        *(("text", {}, "a", {}), ("run_bash", {}, "ls", {})),
    ]


def test_a_config_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^config must be a ParserConfig, not dict$"):
        StreamingParser("xml", {"code": "auto"})  # type: ignore[arg-type]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(RegistryError, match=r"^unknown format 'html': `streamparse formats` lists them$"):
        StreamingParser("html")
    with pytest.raises(RegistryError, match=r"^unknown format 'html': `streamparse formats` lists them$"):
        StreamingParser(["xml", "html"])


def test_a_tool_in_no_known_shape_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^not a tool: 'search'; "):
        StreamingParser("xml", tools=["search"])  # type: ignore[list-item]


def test_formats_are_one_name_or_several() -> None:
    for formats in ("xml", ["xml"], ("xml",), iter(["xml"]), ["xml", "xml"], "xml_tag"):
        parser = StreamingParser(formats)
        assert segments(parser.feed("<run_bash>ls</run_bash>") + parser.finalize()) == [("run_bash", {}, "ls", {})]


# -- states that break their contract ----------------------------------------------------------------------------------


class Toy(BaseState):
    """Opens a segment, closes it at finalize; each subclass breaks something."""

    segment_type = "toy"

    def run(self) -> bool | None:
        return None

    def finalize(self) -> None:
        self.context.transition_to("text")


def parser_with(**states: type[BaseState]) -> StreamingParser:
    registry = ToolStateRegistry()
    for name, state in states.items():
        registry.register(name, state, bare=True)
    return StreamingParser("xml", registry=registry)


def test_a_state_that_does_nothing_needs_more_input_and_its_text_comes_back_at_the_end() -> None:
    parser = parser_with(toy=Toy)
    events = parser.feed("a<toy>b") + parser.feed("c")
    assert segments(events + parser.finalize()) == [("text", {}, "a", {}), ("text", {}, "bc", {})]


class AgainState(Toy):
    """Hands over to a new one of its kind, for ever."""

    def run(self) -> None:
        self.context.state = AgainState(self.context)


def test_a_state_that_hands_over_to_itself_without_progress_is_stopped() -> None:
    parser = parser_with(again=AgainState)
    with pytest.raises(StateContractError) as caught:
        parser.feed("ab<again>cd")
    assert str(caught.value) == (
        "AgainState makes no progress: it is run again and again, but settles nothing (at offset 9 of the stream)"
    )


class PingState(Toy):
    def run(self) -> None:
        self.context.state = PongState(self.context)


class PongState(Toy):
    def run(self) -> None:
        self.context.state = PingState(self.context)


@pytest.mark.parametrize("text", ["<ping>", "<pong>x"])
def test_two_states_that_hand_over_to_each_other_are_stopped(text: str) -> None:
    parser = parser_with(ping=PingState, pong=PongState)
    with pytest.raises(
        StateContractError,
        match=r"^P[io]ngState makes no progress: it is run again and again, but settles nothing \(at offset 6 of",
    ):
        parser.feed(text)


class BackAndForthState(Toy):
    """Moves the cursor forward and back again."""

    def run(self) -> None:
        scanner = self.context.scanner
        if scanner.pos < len(scanner.buf):
            scanner.pos += 1 if scanner.buf[scanner.pos] == "x" else -1


def test_a_cursor_that_goes_back_and_forth_is_no_progress() -> None:
    parser = parser_with(toy=BackAndForthState)
    with pytest.raises(StateContractError, match=r"^BackAndForthState moved the cursor back: only rollback"):
        parser.feed("<toy>xyz")


class DeafState(Toy):
    """Sets a limit and decides nothing when it is passed."""

    def run(self) -> None:
        self.context.scanner.limit = 7

    def on_limit(self) -> None:
        pass


def test_a_state_that_ignores_its_limit_is_stopped() -> None:
    parser = parser_with(toy=DeafState)
    assert parser.feed("<toy>ab") == []
    with pytest.raises(StateContractError, match=r"^DeafState makes no progress: .* \(at offset 5 of the stream\)$"):
        parser.feed("c")


class LimitWithoutMethodState(Toy):
    def run(self) -> None:
        self.context.scanner.limit = 6


def test_a_state_that_sets_a_limit_must_define_what_happens_there() -> None:
    parser = parser_with(toy=LimitWithoutMethodState)
    with pytest.raises(NotImplementedError, match=r"^LimitWithoutMethodState sets a limit and must define on_limit"):
        parser.feed("<toy>ab")


class BeyondState(Toy):
    def run(self) -> None:
        self.context.scanner.pos = len(self.context.scanner.buf) + 3


def test_a_cursor_behind_the_end_is_refused() -> None:
    parser = parser_with(toy=BeyondState)
    with pytest.raises(StateContractError) as caught:
        parser.feed("<toy>ab")
    assert str(caught.value) == "BeyondState moved the cursor out of the buffer (at offset 10 of the stream)"


class LeftOpenState(Toy):
    def run(self) -> None:
        self.context.emitter.emit_start(self.segment_type, {})
        self.context.transition_to("text")


def test_a_segment_that_is_left_open_is_refused() -> None:
    parser = parser_with(toy=LeftOpenState)
    with pytest.raises(StateContractError) as caught:
        parser.feed("a<toy>b")
    assert str(caught.value) == (
        "LeftOpenState went back to text with its segment open: call emitter.emit_end() first "
        "(at offset 6 of the stream)"
    )


class OpenAtTheEndState(Toy):
    _is_open = False

    def run(self) -> None:
        if not self._is_open:
            self._is_open = True
            self.context.emitter.emit_start(self.segment_type, {})

    def finalize(self) -> None:
        pass


def test_a_segment_that_finalize_leaves_open_is_refused() -> None:
    parser = parser_with(toy=OpenAtTheEndState)
    assert parser.feed("<toy>") == [SegmentStart("seg_1", "toy")]
    with pytest.raises(StateContractError) as caught:
        parser.finalize()
    assert str(caught.value) == (
        "OpenAtTheEndState went back to text with its segment open: call emitter.emit_end() first "
        "(at offset 5 of the stream)"
    )


class LostState(Toy):
    def run(self) -> None:
        self.context.transition_to("nowhere")


def test_an_unknown_state_is_refused_by_its_name() -> None:
    parser = parser_with(toy=LostState)
    with pytest.raises(StateContractError) as caught:
        parser.feed("a<toy>b")
    assert str(caught.value) == (
        "LostState asked for the unknown state 'nowhere'; a block ends with transition_to('text') "
        "(at offset 6 of the stream)"
    )


class StartsTwiceState(Toy):
    def run(self) -> None:
        self.context.emitter.emit_start("toy", {})
        self.context.emitter.emit_start("toy", {})


class EndsTwiceState(Toy):
    def run(self) -> None:
        self.context.emitter.emit_start("toy", {})
        self.context.emitter.emit_end()
        self.context.emitter.emit_end()


class ContentFirstState(Toy):
    def run(self) -> None:
        self.context.emitter.emit_content("x")


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (StartsTwiceState, "broke the contract: START of 'toy' while 'toy' is open: END it first"),
        (EndsTwiceState, "broke the contract: END without an open segment: emit a START first"),
        (ContentFirstState, "broke the contract: CONTENT without an open segment: emit a START first"),
    ],
)
def test_events_out_of_order_are_refused(state: type[BaseState], message: str) -> None:
    with pytest.raises(StateContractError, match=message):
        parser_with(toy=state).feed("<toy>")


class PassesOnState(Toy):
    """Hands over to another of its kind in finalize, which is legal as long as something gets settled."""

    def finalize(self) -> None:
        self.context.state = type(self)(self.context)


def test_handing_over_in_finalize_without_settling_anything_is_stopped() -> None:
    parser = parser_with(toy=PassesOnState)
    parser.feed("<toy>ab")
    with pytest.raises(StateContractError) as caught:
        parser.finalize()
    assert str(caught.value) == (
        "PassesOnState was reached again in finalize(), and nothing was settled in between (at offset 5 of the stream)"
    )


class PeelsState(Toy):
    """Hands over to another of its kind in finalize, and settles a character each time."""

    def finalize(self) -> None:
        scanner = self.context.scanner
        if scanner.pos == len(scanner.buf):
            self.context.transition_to("text")
            return
        self.context.emitter.emit_start(self.segment_type, {})
        self.context.emitter.emit_content(scanner.take(scanner.pos + 1))
        self.context.emitter.emit_end("truncated")
        self.context.state = type(self)(self.context)


def test_handing_over_in_finalize_is_legal_while_something_is_settled() -> None:
    parser = parser_with(toy=PeelsState)
    parser.feed("<toy>ab")
    assert segments(parser.finalize()) == [
        *(("toy", {}, "a", {"status": "truncated"}), ("toy", {}, "b", {"status": "truncated"})),
    ]


class GivesBackState(Toy):
    """Reads nothing and leaves in finalize: the rest is parsed on."""

    def finalize(self) -> None:
        pass


def test_what_finalize_leaves_unread_is_parsed_on() -> None:
    parser = parser_with(toy=GivesBackState)
    events = parser.feed("<toy>a<think>b</think>c")
    assert segments(events + parser.finalize()) == [
        *(("text", {}, "a", {}), ("reasoning", {}, "b", {}), ("text", {}, "c", {})),
    ]


class SlowState(Toy):
    """One character per run, and a new state for each: slow, but legal."""

    def run(self) -> None:
        scanner = self.context.scanner
        if scanner.buf.startswith(".", scanner.pos):
            scanner.take(scanner.pos + 1)
            self.context.transition_to("text")
        elif scanner.pos < len(scanner.buf):
            scanner.take(scanner.pos + 1)
            self.context.state = SlowState(self.context)


def test_progress_of_one_character_per_run_is_progress() -> None:
    registry = ToolStateRegistry()
    registry.register("slow", SlowState, bare=True)
    events = assert_chunk_invariant("<slow>" + "x" * 100 + ".ok", registry=registry)
    assert segments(events) == [("text", {}, "ok", {})]


class EchoState(Toy):
    """Shows everything; no character matters to it."""

    triggers = ""
    _is_open = False

    def run(self) -> bool:
        scanner, emitter = self.context.scanner, self.context.emitter
        if not self._is_open:
            self._is_open = True
            emitter.emit_start(self.segment_type, {})
        emitter.emit_content(scanner.take(len(scanner.buf)))
        return True

    def finalize(self) -> None:
        self.context.emitter.emit_end("truncated")
        self.context.transition_to("text")


def test_a_state_to_which_no_character_matters_gets_every_chunk_shown() -> None:
    parser = parser_with(toy=EchoState)
    assert parser.feed("<toy>a") == [SegmentStart("seg_1", "toy"), SegmentContent("seg_1", "a")]
    chunk = "<run_bash>`" + "\n"
    (event,) = parser.feed(chunk)
    assert event.delta is chunk
    assert parser.finalize() == [SegmentEnd("seg_1", "truncated")]


class BeyondWithoutHandingOverState(Toy):
    def run(self) -> bool:
        self.context.scanner.pos = len(self.context.scanner.buf) + 3
        return True


class BeforeState(Toy):
    def run(self) -> bool:
        self.context.scanner.pos = -1
        return True


@pytest.mark.parametrize(
    ("state", "where"), [(BeyondWithoutHandingOverState, "out of the buffer"), (BeforeState, "back: only rollback")]
)
def test_a_cursor_out_of_the_buffer_is_refused_from_a_state_that_needs_more(state: type[BaseState], where: str) -> None:
    with pytest.raises(StateContractError, match=rf"^{state.__name__} moved the cursor {where}"):
        parser_with(toy=state).feed("<toy>ab")


class LaterState(Toy):
    """Breaks the contract with its second chunk."""

    _runs = 0

    def run(self) -> bool:
        self._runs += 1
        self.context.scanner.pos = len(self.context.scanner.buf) + (3 if self._runs > 1 else 0)
        return True


def test_a_parser_whose_state_failed_cannot_go_on_and_says_why() -> None:
    parser = parser_with(toy=LaterState)
    parser.feed("<toy>a")
    with pytest.raises(StateContractError) as first:
        parser.feed("b")
    for again in (lambda: parser.feed("c"), parser.finalize):
        with pytest.raises(ParserStateError) as caught:
            again()
        assert str(caught.value) == "a state failed before: this parser cannot go on"
        assert caught.value.__cause__ is first.value


def test_a_registry_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^registry must be a ToolStateRegistry, not int$"):
        StreamingParser("xml", registry=5)  # type: ignore[arg-type]


# -- bytes -------------------------------------------------------------------------------------------------------------

LETTERS = "a\u00e9\u20ac\U0001f600<run_bash>\u00e9</run_bash>\u00e9"


def test_bytes_may_be_cut_in_the_middle_of_a_character() -> None:
    data = LETTERS.encode()
    whole = segments(parse(LETTERS, "xml"))
    for cut in range(len(data) + 1):
        for kind in (bytes, bytearray, memoryview):
            parser = StreamingParser("xml")
            events = parser.feed(kind(data[:cut])) + parser.feed(kind(data[cut:])) + parser.finalize()
            assert segments(events) == whole
    parser = StreamingParser("xml")
    events = [event for index in range(len(data)) for event in parser.feed(data[index : index + 1])]
    assert segments(events + parser.finalize()) == whole


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        ([b"a\xff", b"b"], "a\ufffdb"),
        ([b"a\xc3"], "a\ufffd"),
        ([b"\xc3", b"\x28"], "\ufffd("),
        ([b"a\xe2\x82", "b"], "a\ufffdb"),
        ([b"\xc3", "b", b"\xa9"], "\ufffdb\ufffd"),
        (["a", b"\xc3", "", b"\xa9"], "a\ufffd\ufffd"),
        ([b"\xc3", b"", b"\xa9"], "\u00e9"),
        ([b"", ""], ""),
    ],
)
def test_what_is_no_utf_8_is_replaced_in_its_place(chunks: list[str | bytes], text: str) -> None:
    parser = StreamingParser("xml")
    events = [event for chunk in chunks for event in parser.feed(chunk)] + parser.finalize()
    assert "".join(event.delta for event in events) == text


def test_half_a_character_does_not_lift_the_limit_on_the_stream() -> None:
    parser = StreamingParser("xml", limited(3))
    parser.feed(b"a\xc3")
    parser.feed("b")
    with pytest.raises(LimitError):
        parser.feed(b"c")
    final = StreamingParser("xml")
    final.feed(b"a\xc3")
    assert "".join(event.delta for event in final.finalize()) == "\ufffd"
    with pytest.raises(ParserStateError, match=r"^feed\(\) after the end"):
        final.feed(b"x")


def test_half_a_character_at_the_limit_does_not_leave_its_segment_open() -> None:
    parser = StreamingParser("xml", limited(3))
    parser.feed(b"abc\xc3")
    assert parser.finalize() == [SegmentContent("seg_1", "\ufffd"), SegmentEnd("seg_1")]


# -- what comes beside the text ----------------------------------------------------------------------------------------


def interrupted(before: str | bytes, after: str = "", formats: str = "xml", **options: Any) -> list[Segment]:
    """The segments of a text that is interrupted by something else."""
    config = ParserConfig(**options)
    parser = StreamingParser(formats, config)
    events = parser.feed(before)
    parser.interrupt()
    events += parser.emitter.drain()
    parser.interrupt()  # a second time, there is nothing to do
    return segments(events + parser.feed(after) + parser.finalize())


def text(content: str, status: str | None = None, kind: str = "text", **metadata: str) -> Segment:
    return kind, metadata, content, {} if status is None else {"status": status}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a ", "b", [text("a "), text("b")]),
        ("a <ru", "n_bash>", [text("a <ru"), text("n_bash>")]),
        ("a <run_bash   ", ">", [text("a <run_bash   "), text(">")]),
        ("see `<ru", "`<run_bash>x</run_bash>", [text("see `<ru"), text("`<run_bash>x</run_bash>")]),
        ("<run_bash>ls</ru", "n_bash>", [text("ls</ru", "truncated", "run_bash"), text("n_bash>")]),
        ('<tool name="q"><x>1', "b", [text("<x>1", "truncated", "tool_call", tool_name="q"), text("b")]),
        ("<think>hm</th", "ink>b", [text("hm</th", kind="reasoning"), text("ink>b", "truncated", "reasoning")]),
        ("<think>hm", "</think>b", [text("hm", kind="reasoning"), text("b")]),
        (b"a\xc3", "b", [text("a�"), text("b")]),
        ("", "b", [text("b")]),
    ],
)
def test_an_interruption_settles_what_is_held_and_lets_prose_go_on(
    before: str | bytes, after: str, expected: list[Segment]
) -> None:
    assert interrupted(before, after) == expected


def test_text_behind_an_interruption_begins_a_line() -> None:
    fence = "```\n<run_bash>x</run_bash>\n```"
    assert interrupted("a ", fence, code="text") == [text("a "), text(fence)]
    hidden = interrupted("<think>a ", fence, code="text", tools_in_reasoning=True)
    assert hidden == [text("a ", kind="reasoning"), text(fence, "truncated", "reasoning")]


def test_an_abort_truncates_everything_and_ends_the_stream() -> None:
    parser = StreamingParser("xml")
    events = parser.feed("a <ru")
    assert segments(events + parser.abort()) == [text("a <ru", "truncated")]
    assert parser.abort() == []
    assert parser.finalize() == []
    with pytest.raises(ParserStateError, match=r"^feed\(\) after the end"):
        parser.feed("b")


def test_what_comes_beside_the_text_counts_towards_the_total() -> None:
    parser = StreamingParser("xml", ParserConfig(limits=Limits(max_total=5)))
    assert parser.charge("abc") == "abc"
    parser.feed("d")
    assert parser.charge("efg") == "e"
    error = parser.total_passed([])
    assert (error.name, error.value, error.offset) == ("max_total", 5, 5)
    with pytest.raises(LimitError):
        parser.feed("h")
    assert StreamingParser("xml").charge("abc") == "abc"
