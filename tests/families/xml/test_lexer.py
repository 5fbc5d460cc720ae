"""families/xml/lexer.py: the same attributes at every split, and a failure at the very character that is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from streamparse.families.xml.lexer import TagLexer
from streamparse.testing import splits

LONG = 10_000


def read(
    chunks: Iterable[str], required: tuple[str, ...] = (), budget: int = LONG, **options: Any
) -> tuple[TagLexer, int]:
    """Read as states do: what is read is dropped, what is not is looked at again. The lexer and how far it came."""
    lexer = TagLexer(required, budget, **options)
    buf, base = "", 0
    for chunk in chunks:
        buf += chunk
        pos = lexer.read(buf, 0, len(buf))
        buf, base = buf[pos:], base + pos
        if lexer.is_done or lexer.is_failed:
            break
    return lexer, base


TAGS: dict[str, tuple[dict[str, str], bool]] = {
    ">": ({}, False),
    "/>": ({}, True),
    " >": ({}, False),
    " \t\r\n/>": ({}, True),
    ' name="x">': ({"name": "x"}, False),
    " name='x'/>": ({"name": "x"}, True),
    " name='x' />": ({"name": "x"}, True),
    ' name="x"   >': ({"name": "x"}, False),
    " name = \"x\" \n mode\t=\r\n'y'>": ({"name": "x", "mode": "y"}, False),
    " name=\"a > b\" mode='c/>'>": ({"name": "a > b", "mode": "c/>"}, False),
    ' name="it\'s" mode=\'"q"\'>': ({"name": "it's", "mode": '"q"'}, False),
    ' name="<b>" mode="x<">': ({"name": "<b>", "mode": "x<"}, False),
    " name=\"\" mode=''>": ({"name": "", "mode": ""}, False),
    ' name="a\nb\r\n">': ({"name": "a\nb\r\n"}, False),
    ' name="&amp;lt;&#65;&quot;&nope;">': ({"name": '&lt;A"&nope;'}, False),
    ' name="&am" mode="p;">': ({"name": "&am", "mode": "p;"}, False),
    ' NAME="x" Mode="y">': ({"name": "x", "Mode": "y"}, False),
    ' :a.b-c="1" _="2" name="3">': ({":a.b-c": "1", "_": "2", "name": "3"}, False),
    ' name="é😀\ud800">': ({"name": "é😀\ud800"}, False),
    ' n="1" name="2" named="3">': ({"n": "1", "name": "2", "named": "3"}, False),
}


@pytest.mark.parametrize("tag", TAGS, ids=ascii)
def test_a_tag_gives_its_attributes_at_every_split(tag: str) -> None:
    attributes, is_empty = TAGS[tag]
    required = ("name",) if "name" in attributes else ()
    for chunks in splits(tag + ">rest"):
        lexer, end = read(chunks, required)
        assert (lexer.is_done, lexer.is_failed, lexer.is_empty) == (True, False, is_empty), chunks
        assert list(lexer.attributes.items()) == list(attributes.items()), chunks
        assert end == len(tag), chunks


@pytest.mark.parametrize("tag", TAGS, ids=ascii)
def test_a_tag_is_undecided_at_every_prefix(tag: str) -> None:
    required = ("name",) if "name" in TAGS[tag][0] else ()
    for length in range(len(tag)):
        for chunks in ([tag[:length]], list(tag[:length])):
            lexer, _ = read(chunks, required)
            assert (lexer.is_done, lexer.is_failed) == (False, False), chunks


#: Each up to and including the character that makes it certain that this is no tag.
FAILURES = [
    *("x", "<", "=", '"', "é", "\u2003"),
    *(" =", " 1", " é", " <", ' "', " -", " \u2003"),
    *(" name=x", " name = x", " name=>", " name=/", " name= <"),
    *(" name>", " name/", " name x", " name />"[:7], " name <", " name é", " namé", " na<"),
    *('/"', "/ ", "/x", "//", " / ", " /x"),
    *(' name="x"y', ' name="x""', ' name="x"<', ' name="x"/ ', ' name="x"=', ' name="x" ='),
    *(' name="x" name=', " name='x' NAME ", ' a="1" name="x" A='),
    " " + "a" * 257,
    ' name="x" ' + "a" * 257,
    " a=" + " " * 257,
]


@pytest.mark.parametrize("text", FAILURES, ids=lambda text: ascii(text[:20]))
def test_what_is_no_tag_fails_at_the_very_character_however_it_is_cut(text: str) -> None:
    for length in range(len(text) + 1):
        for chunks in ([text[:length]], list(text[:length])):
            lexer, _ = read(chunks)
            assert (lexer.is_done, lexer.is_failed) == (False, length == len(text)), chunks
    for chunks in splits(text + '="x">'):
        lexer, _ = read(chunks)
        assert (lexer.is_done, lexer.is_failed) == (False, True), chunks


@pytest.mark.parametrize(
    "text", [">", "/", " /", ' mode="x">', ' mode="x"/', ' mode="x" >', ' names="x">', ' name_="" /']
)
def test_a_missing_required_attribute_fails_where_none_can_follow(text: str) -> None:
    for length in range(len(text) + 1):
        for chunks in ([text[:length]], list(text[:length])):
            lexer, _ = read(chunks, ("name",))
            assert (lexer.is_done, lexer.is_failed) == (False, length == len(text)), chunks


def test_every_required_attribute_is_required() -> None:
    both = ("name", "path")
    assert [
        read([tag], both)[0].is_done for tag in (' name="x">', ' path="x">', ' path="x" Name="y">', ' Path="" NAME="">')
    ] == [False, False, True, True]


@pytest.mark.parametrize("text", [' name="x<', " name='<", ' a="1" name="xyz<'])
def test_an_angle_in_a_value_fails_at_once_where_it_is_not_allowed(text: str) -> None:
    for length in range(len(text) + 1):
        for chunks in ([text[:length]], list(text[:length])):
            lexer, _ = read(chunks, allow_angle=False)
            assert (lexer.is_done, lexer.is_failed) == (False, length == len(text)), chunks
    for chunks in splits(text + '">'):
        assert read(chunks, allow_angle=False)[0].is_failed is True, chunks


def test_a_value_without_an_angle_is_read_where_it_is_not_allowed() -> None:
    for chunks in splits(" name='a > b' mode=\"it's\">"):
        lexer, _ = read(chunks, allow_angle=False)
        assert (lexer.is_done, lexer.attributes) == (True, {"name": "a > b", "mode": "it's"}), chunks


@pytest.mark.parametrize("tag", [' name="x">', ' name="xyz" mode="1"/>', "          >", ' a="1" b="2"   >'])
def test_the_budget_is_exact(tag: str) -> None:
    for chunks in splits(tag):
        assert read(chunks, budget=len(tag))[0].is_done is True, chunks
        lexer, _ = read(chunks, budget=len(tag) - 1)
        assert (lexer.is_done, lexer.is_failed) == (False, True), chunks


def test_names_and_blanks_around_the_equals_sign_may_have_256_characters() -> None:
    name, blanks = "a" * 256, " " * 256
    for chunks in splits(f' {name}{blanks}={blanks}"1">'):
        lexer, _ = read(chunks)
        assert (lexer.is_done, lexer.attributes) == (True, {name: "1"}), chunks


def test_a_long_value_is_read_piece_by_piece() -> None:
    value = "x" * 5_000
    lexer, end = read([' a="', *value, '"', ">"], budget=5_006)
    assert (lexer.is_done, lexer.attributes, end) == (True, {"a": value}, 5_006)


def test_many_blanks_are_not_kept() -> None:
    lexer = TagLexer((), LONG)
    assert lexer.read(" " * 1_000, 0, 1_000) == 999
    assert lexer.read(" >", 0, 2) == 2
    assert lexer.is_done is True


def test_reading_begins_and_ends_where_it_is_told() -> None:
    lexer = TagLexer((), LONG)
    buf = '<tool a="1" b="2">'
    assert lexer.read(buf, 5, 11) == 11
    assert (lexer.is_done, lexer.is_failed, lexer.attributes) == (False, False, {"a": "1"})
    assert lexer.read(buf, 11, len(buf)) == len(buf)
    assert (lexer.is_done, lexer.attributes) == (True, {"a": "1", "b": "2"})
