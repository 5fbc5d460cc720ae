"""states/marked_block.py and the registry: blocks that a program declares by their markers."""

from __future__ import annotations

import pytest

from streamparse import DelimitedState, ParserConfig, RegistryError, StreamingParser, ToolStateRegistry, formats
from streamparse import register_block as register
from streamparse.core.registry import default_registry
from streamparse.testing import Segment, assert_chunk_invariant, check_state, segments
from tests.formats.kit import text


def registry(**block: object) -> ToolStateRegistry:
    known = ToolStateRegistry()
    known.register_block("note", **{"opens": ":::note", "closes": "\n:::", "at_line": True, **block})  # type: ignore[arg-type]
    return known


def read(source: str, format: str = "xml", config: ParserConfig | None = None, **block: object) -> list[Segment]:
    return segments(assert_chunk_invariant(source, format, registry=registry(**block), config=config))


def note(content: str, **end: object) -> Segment:
    return ("note", {}, content, end)


DOCUMENT = "Hi :::note no\n:::notebook\n  :::note Mind\nthe gap.\n:::\nend"
ROWS = [text("Hi :::note no\n:::notebook\n  "), note(" Mind\nthe gap."), text("\nend")]


@pytest.mark.parametrize("format", formats.names())
def test_a_block_counts_beside_every_format(format: str) -> None:
    assert read(DOCUMENT, format, ParserConfig(reasoning="closed")) == ROWS


@pytest.mark.parametrize("code", ["auto", "text", "parse"])
def test_a_block_counts_whatever_code_is(code: str) -> None:
    assert read(DOCUMENT, config=ParserConfig(code=code)) == ROWS  # type: ignore[arg-type]


def test_a_block_is_no_call_so_it_counts_where_calls_do_not() -> None:
    assert read(DOCUMENT, config=ParserConfig(parse_tool_calls=False)) == ROWS


def test_a_block_anywhere_in_a_line() -> None:
    assert read("a $$x<y$$ b $$", opens="$$", closes="$$", at_line=False) == [
        text("a "),
        note("x<y"),
        text(" b "),
        note("", status="truncated"),
    ]


def test_calls_in_a_block_are_its_content_and_blocks_in_a_call_are_that() -> None:
    assert read(":::note\n<run_bash>ls</run_bash>\n:::") == [note("\n<run_bash>ls</run_bash>")]
    assert read("<run_bash>ls\n:::note x\n:::</run_bash>") == [("run_bash", {}, "ls\n:::note x\n:::", {})]


def test_a_line_break_in_a_marker_may_be_crlf() -> None:
    assert read(":::note x\r\n:::\r\ny") == [note(" x"), text("\r\ny")]
    assert read("a\r\n--\r\nb--", opens="\n--\n", closes="--", at_line=False) == [text("a"), note("b")]
    assert read("a\n--\nb--", opens="\r\n--\r\n", closes="--", at_line=False) == [text("a"), note("b")]


def test_markers_are_found_in_their_own_case() -> None:
    assert read(":::NOTE x\n:::") == [text(":::NOTE x\n:::")]
    assert read("N.x n. y N.", opens="N.", closes="N.") == [note("x n. y ")]


def test_reasoning_and_code_hide_a_block() -> None:
    source = "<think>\n:::note x\n:::</think>"
    assert read(source) == [("reasoning", {}, "\n:::note x\n:::", {})]
    assert read("see `$$x$$`", opens="$$", closes="$$", at_line=False) == [text("see `$$x$$`")]


def test_a_block_that_is_cut_off_is_truncated() -> None:
    assert read(":::note x\n::") == [note(" x\n::", status="truncated")]


class Checked(DelimitedState):
    """A block that may not be empty, shown in capitals."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._is_empty = True

    def decode(self, text: str) -> str:
        self._is_empty = self._is_empty and not text.strip()
        return text.upper()

    def complete(self) -> str | None:
        return "the note is empty" if self._is_empty else super().complete()


def test_a_state_of_ones_own_decodes_and_says_what_is_wrong_with_a_block() -> None:
    malformed = {"status": "malformed", "error": "the note is empty"}
    assert read(":::note ab\n:::", state=Checked) == [note(" AB")]
    assert read(":::note \n:::", state=Checked) == [note(" ", **malformed)]
    assert read(":::note ", state=Checked) == [note(" ", status="truncated")]


def test_the_default_registry_and_the_kit() -> None:
    register("aside", opens="[[", closes="]]")
    try:
        check_state("aside", {"a [[b]]": [text("a "), ("aside", {}, "b", {})]})
        with pytest.raises(AssertionError, match="no sample gives a segment of type 'aside'"):
            check_state("aside", ["nothing"])
        with pytest.raises(RegistryError, match="the block 'aside' is registered already: pass replace=True"):
            register("aside", opens="((", closes="))")
        register("aside", opens="((", closes="))", replace=True)
        assert segments(StreamingParser("xml").feed("((b))")) == [("aside", {}, "b", {})]
    finally:
        default_registry.unregister("aside")
    assert default_registry.blocks == ()


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ({"opens": ""}, "opens must be a marker that is more than blanks, not ''"),
        ({"opens": " \n"}, "opens must be a marker"),
        ({"closes": None}, "closes must be a marker"),
        ({"opens": "\n:::"}, "at_line=True says already where it stands"),
        ({"state": DelimitedState(StreamingParser("xml")._context)}, "is not a state"),
        ({"state": int}, "is not a state"),
    ],
)
def test_what_cannot_work_is_refused(block: dict[str, object], message: str) -> None:
    with pytest.raises(RegistryError, match=message):
        registry(**block)


@pytest.mark.parametrize("name", ["", None, "text", "write_file"])
def test_a_block_has_a_name_of_its_own(name: str) -> None:
    with pytest.raises(RegistryError, match="a block needs a name of its own"):
        ToolStateRegistry().register_block(name, opens="(", closes=")")
