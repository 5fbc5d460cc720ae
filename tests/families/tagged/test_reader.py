"""families/tagged/reader.py: what a sink is told, however the text is cut."""

from __future__ import annotations

import pytest

from streamparse import formats
from streamparse.arguments.sink import ValueTag
from streamparse.core.scanner import StreamScanner
from streamparse.families.calls.read_state import ArgumentsReader
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import Tags
from streamparse.families.tagged.reader import STRAY, TaggedReader

NS = "]<]minimax[>["


class Told:
    """Keeps what it is told; neighbouring pieces of a text are one."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []

    def open_value(self, name: str, tag: ValueTag) -> None:
        said = (tag.attributes.strip(), "quoted" if tag.is_quoted else "")
        self.rows.append(("open", name, *filter(None, said)))

    def take(self, text: str, *, is_followed: bool) -> None:
        if self.rows[-1][0] == "text":
            text = self.rows.pop()[1] + text
        if text:
            self.rows.append(("text", text))

    take_held = take

    def close_value(self, *, is_unclosed: bool = False) -> None:
        self.rows.append(("unclosed" if is_unclosed else "close",))

    def drop_value(self) -> None:
        self.rows.append(("drop",))

    def report(self, problem: str) -> None:
        self.rows.append(("report", problem))


def tags_of(format: str) -> Tags:
    decoder = formats.get(format).arguments
    assert isinstance(decoder, TaggedArguments)
    return decoder.tags


def feed(format: str, chunks: list[str], max_held: int = 100) -> tuple[TaggedReader, Told]:
    """As a parser does it, up to the end of the call or of the chunks."""
    scanner, told = StreamScanner(), Told()
    reader = TaggedReader(scanner, tags_of(format), max_held, {})
    for chunk in chunks:
        if scanner.blank_run is not None:
            chunk = scanner.skip_blanks(chunk)
        scanner.buf += chunk
        reader.read(told)
        if scanner.limit < scanner.base + len(scanner.buf):
            assert reader.is_waiting
            reader.pass_limit(told)
        if reader.is_ended:
            return reader, told
        scanner.compact()
    scanner.finish()
    return reader, told


def read(format: str, text: str) -> list[tuple[str, ...]]:
    """The same for the whole text, and for every way to cut it in two or into single characters."""
    ways = [[text], list(text), *([text[:cut], text[cut:]] for cut in range(1, len(text)))]
    found = []
    for chunks in ways:
        reader, told = feed(format, chunks)
        if not reader.is_ended:
            reader.finish(told)
        found.append(told.rows)
    assert all(rows == found[0] for rows in found)
    return found[0]


def opened(name: str, text: str, end: str = "close", *more: str) -> list[tuple[str, ...]]:
    return [("open", name, *more), ("text", text), (end,)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("<parameter=a>x</parameter>\n</function>", opened("a", "x")),
        ("<parameter=a></parameter></function>", [("open", "a"), ("close",)]),
        ("<parameter=a>x</parameter><parameter=b>y</parameter></function>", opened("a", "x") + opened("b", "y")),
        ("<parameter=a>x</parameter> y</p</parameter></function>", opened("a", "x</parameter> y</p")),
        ("<parameter=a>x</function></parameter></function>", opened("a", "x</function>")),
        ("<parameter=a>x</function>\n", opened("a", "x", "unclosed")),
        ("<parameter=a>x</function> y", opened("a", "x", "unclosed")),
        ("<parameter=a>x</function> y</parameter>", opened("a", "x", "unclosed")),
        ("<parameter=a>x</function> y</para", opened("a", "x", "unclosed")),
        ("<parameter=a>x</function><function=f><parameter=b>", opened("a", "x", "unclosed")),
        ("<parameter=a>x</parameter>", opened("a", "x")),
        ("<parameter=a>x</parameter>\n</func", opened("a", "x")),
        ("<parameter=a>x</para", opened("a", "x</para", "drop")),
        ("<param", []),
        ("x<parameter=a>y</parameter></function>", [("report", STRAY), *opened("a", "y")]),
        ('{"a": 1}</function>', []),
        ('{"a": 1</function>', [("report", "the call is not JSON: it ends too early")]),
    ],
)
def test_keys_and_texts_are_told_however_the_text_is_cut(text: str, rows: list[tuple[str, ...]]) -> None:
    assert read("qwen3_coder", text) == rows


def test_attributes_quotes_and_escaped_keys_are_told_with_the_key() -> None:
    tag = '<｜DSML｜parameter name="a" string="false">1</｜DSML｜parameter></｜DSML｜invoke>'
    assert read("deepseek_v32", tag) == opened("a", "1", "close", 'string="false"')
    quoted = '<param name="a"> <![CDATA[x</param></function>]]></param></function>'
    assert read("minicpm5", quoted) == opened("a", "x</param></function>", "close", "quoted")
    key = '<|open|>argument key="a&quot;" type="string"<|sep|>x<|close|>argument<|sep|><|close|>call<|sep|>'
    assert read("kimi_k3", key) == opened('a"', "x", "close", 'type="string"')


def test_a_key_without_a_value_is_reported() -> None:
    assert read("glm45", "<arg_key>a</arg_key></tool_call>") == [("report", "there is a key without a value")]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("@<a>x@</a>@</invoke>", opened("a", "x")),
        ("@<a>@<b>x@</b>@<b>y@</b>@</a>@</invoke>", [("open", "a"), *opened("b", "x"), *opened("b", "y"), ("close",)]),
        ("@<a>x@</b>", [("open", "a"), ("text", "x"), ("report", "b is closed, but it is not open"), ("drop",)]),
        ("@<a>x@</invoke>y@</a>@</invoke>", opened("a", f"x{NS}</invoke>y")),
        (
            "@<a>@</invoke>@<b>x@</b>@</invoke>@</a>@</invoke>",
            [("open", "a"), ("text", f"{NS}</invoke>"), *opened("b", "x"), ("text", f"{NS}</invoke>"), ("close",)],
        ),
        ("@<a>x@</invoke>y@</a>", opened("a", "x", "unclosed")),
        ("@<a>@<b>x@</invoke>", [("open", "a"), *opened("b", "x", "unclosed")]),
    ],
)
def test_the_parts_of_a_value_are_told_inside_of_it(text: str, rows: list[tuple[str, ...]]) -> None:
    assert read("minimax_m3", text.replace("@", NS)) == rows


def test_what_may_be_a_closer_is_not_told_before_it_is_known_to_be_none() -> None:
    reader, told = feed("qwen3_coder", ["<parameter=a>x</parameter>", "\n", "<par"])
    assert told.rows == [("open", "a"), ("text", "x")]
    reader.cut(told)
    assert told.rows[2:] == [("close",)]


def test_what_cannot_be_decided_is_left_out_where_the_call_is_cut() -> None:
    for text in ("<parameter=a>x</para", "<parameter=a>x</function>y"):
        reader, told = feed("qwen3_coder", [text])
        reader.cut(told)
        assert told.rows == opened("a", "x", "drop")


def test_past_the_limit_the_call_has_ended() -> None:
    reader: ArgumentsReader
    reader, told = feed("qwen3_coder", ["<parameter=a>x</function>", "y" * 200])
    assert reader.end.match("</function>")
    assert reader.is_ended
    assert reader.is_repaired
    assert told.rows == opened("a", "x", "unclosed")
