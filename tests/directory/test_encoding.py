"""Bytes as texts, and back: a file keeps its encoding, and gets no second one."""

from __future__ import annotations

import codecs

import pytest

from streamparse.directory.encoding import UTF_8, Encoding, decode, decode_patch, encoding_named
from streamparse.errors import TreeError


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", UTF_8),
        (b"a\r\nb\r", "a\r\nb\r", UTF_8),
        ("é€😀".encode(), "é€😀", UTF_8),
        (codecs.BOM_UTF8, "\ufeff", UTF_8),
        (codecs.BOM_UTF8 + b"a", "\ufeffa", UTF_8),
        (codecs.BOM_UTF8 + b"a\xe9", "\ufeffa\udce9", Encoding("utf-8", True)),
        (b"\xff\xfe", "\ufeff", Encoding("utf-16-le")),
        (b"\xff\xfea\0\n\0", "\ufeffa\n", Encoding("utf-16-le")),
        (b"\xfe\xff\0a\0\n", "\ufeffa\n", Encoding("utf-16-be")),
        (b"\xff\xfe\x3d\xd8\x00\xde", "\ufeff😀", Encoding("utf-16-le")),
        (b"\xff\xfe\0\0a\0\0\0", "\ufeffa", Encoding("utf-32-le")),
        (b"\0\0\xfe\xff\0\0\0a", "\ufeffa", Encoding("utf-32-be")),
        (b"\xff\xfea", "ÿþa", Encoding("latin-1")),  # an odd number of bytes
        (b"\xff\xfe\0\xd8", "ÿþ\0Ø", Encoding("latin-1")),  # half a pair
        (b"caf\xe9", "café", Encoding("latin-1")),
        (b"caf\xe9 \x93", "café \x93", Encoding("latin-1", True)),  # quotes in cp1252
        (b"caf\xe9 \xc3\xa9", "caf\udce9 é", Encoding("utf-8", True)),
        (b"\xed\xa0\x80", "í\xa0\x80", Encoding("latin-1", True)),  # a surrogate, which is not UTF-8
        (bytes(range(256)), bytes(range(256)).decode("latin-1"), Encoding("latin-1", True)),
    ],
)
def test_each_file_has_its_encoding_and_keeps_every_byte(data: bytes, text: str, encoding: Encoding) -> None:
    assert decode(data) == (text, encoding)
    assert encoding.encode(text, text) == data
    assert encoding.encode(f"{text}b\n", text) == data + "b\n".encode(encoding.codec)


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        (Encoding("latin-1"), "é", b"\xe9"),
        (Encoding("utf-8", True), "\udce9", b"\xe9"),
        (Encoding("latin-1"), "€", "€".encode()),  # which it does not have
        (Encoding("utf-16-le"), "\ufeffé", "é".encode()),
    ],
)
def test_what_another_program_gets_of_a_text(encoding: Encoding, text: str, shown: bytes) -> None:
    assert encoding.show(text) == shown


@pytest.mark.parametrize(
    ("data", "is_assumed"),
    [(b"a", False), (b"\xff\xfea\0", False), (b"caf\xe9", True), (b"caf\xe9 \x93", True), (b"caf\xe9 \xc3\xa9", True)],
)
def test_an_encoding_is_assumed_if_nothing_in_the_file_shows_it(data: bytes, is_assumed: bool) -> None:
    assert decode(data)[1].is_assumed is is_assumed


@pytest.mark.parametrize(
    ("data", "before", "after", "written"),
    [
        (b"caf\xe9", "é", "ée", b"caf\xe9e"),
        (b"caf\xe9", "é", "üß", b"caf\xfc\xdf"),
        (b"caf\xe9\x93", "\x93", "", b"caf\xe9"),
        (b"\xff\xfea\0", "\ufeffa", "", b"\xff\xfe"),  # its mark stays
        (b"\xff\xfea\0", "a", "é", b"\xff\xfe\xe9\0"),
        (codecs.BOM_UTF8 + b"a", "\ufeff", "", b"a"),  # a diff may remove it
    ],
)
def test_new_text_is_written_in_it(data: bytes, before: str, after: str, written: bytes) -> None:
    text, encoding = decode(data)
    assert encoding.encode(text.replace(before, after), text) == written


@pytest.mark.parametrize(
    ("data", "new", "reason"),
    [
        (b"caf\xe9", "€", "its encoding, latin-1, has no `€` (U+20AC). Write another character."),
        (b"caf\xe9", "\u0100", "its encoding, latin-1, has no `Ā` (U+0100). Write another character."),
        (b"caf\xe9", "\ufeff", "its encoding, latin-1, has no U+FEFF. Write another character."),
        (b"caf\xe9\x93", "é", "its encoding is not known, so `é` (U+00E9) cannot be added. Write it in ASCII."),
        (b"caf\xe9 \xc3\xa9", "é", "its encoding is not known, so `é` (U+00E9) cannot be added. Write it in ASCII."),
        (b"caf\xe9 \xc3\xa9", "\udce9", "its encoding is not known, so U+DCE9 cannot be added. Write it in ASCII."),
        (b"a", "\udce9", "its encoding, utf-8, has no U+DCE9. Write another character."),
        (b"\xff\xfea\0", "\ud800", "its encoding, utf-16-le, has no U+D800. Write another character."),
    ],
)
def test_what_it_cannot_express_is_not_written(data: bytes, new: str, reason: str) -> None:
    text, encoding = decode(data)
    with pytest.raises(TreeError) as failure:
        encoding.encode(text + new, text)
    assert str(failure.value) == reason


@pytest.mark.parametrize(
    ("name", "data", "text", "codec"),
    [
        ("cp1252", b"\x93a\x94", "“a”", "cp1252"),
        ("latin1", b"\xc3\xa9", "Ã©", "iso8859-1"),
        ("UTF8", codecs.BOM_UTF8 + b"a", "\ufeffa", "utf-8"),
        ("utf-8-sig", codecs.BOM_UTF8 + b"a", "\ufeffa", "utf-8"),
        ("utf-16", b"\xfe\xff\0a", "\ufeffa", "utf-16-be"),
        ("utf-16", b"\xff\xfea\0", "\ufeffa", "utf-16-le"),
        ("utf-16-le", b"a\0", "a", "utf-16-le"),
        ("shift_jis", b"\x82\xa0", "あ", "shift_jis"),
    ],
)
def test_the_user_knows_better(name: str, data: bytes, text: str, codec: str) -> None:
    assert decode(data, encoding_named(name)) == (text, Encoding(codec))
    assert Encoding(codec).encode(text, text) == data


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("utf-8", b"\xe9"),
        ("ascii", b"\xc3\xa9"),
        ("utf-16", b"a\0"),  # is read so, but would get a mark
        ("utf-8-sig", b"a"),
        ("utf-7", b"+AGE-"),  # is read so, but written as `a`
    ],
)
def test_unless_it_is_not_so(name: str, data: bytes) -> None:
    with pytest.raises(TreeError, match="it is not written in "):
        decode(data, encoding_named(name))


@pytest.mark.parametrize("name", ["", "klingon", "hex", "rot13", "a\0b"])
def test_there_must_be_such_an_encoding(name: str) -> None:
    with pytest.raises(TreeError, match="there is no encoding "):
        encoding_named(name)
    assert encoding_named(None) is None


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("-é\n+è\n".encode(), "-é\n+è\n"),
        (b"-\xe9\n+\xe8\n", "-é\n+è\n"),
        (b"-\xe9\r\n+\xe8\n" + "-ü\n".encode(), "-é\r\n+è\n-ü\n"),  # a patch for two files
        (codecs.BOM_UTF16_LE + "-é\n".encode("utf-16-le"), "\ufeff-é\n"),
    ],
)
def test_the_lines_of_a_patch_may_have_several_encodings(data: bytes, text: str) -> None:
    assert decode_patch(data) == text


def test_other_lines_of_a_patch_have_the_encoding_that_is_named() -> None:
    data = "-é\n".encode("cp437") + "-ü\n".encode() + b"-\x81\n"
    assert decode_patch(data, "cp437") == "-é\n-ü\n-ü\n"
    assert decode_patch(data, "ascii") == "-\x82\n-ü\n-\x81\n"
    with pytest.raises(TreeError, match="there is no encoding klingon"):
        decode_patch(data, "klingon")


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        (UTF_8, "é\udce9", b"\xc3\xa9\xe9"),
        (Encoding("latin-1"), "é", b"\xe9"),
        (Encoding("latin-1"), "é€", "é€".encode()),
        (Encoding("utf-16-le"), "\ufeffé", "é".encode()),
        (UTF_8, "\ud800", b"\\ud800"),
    ],
)
def test_what_is_shown_of_a_file(encoding: Encoding, text: str, shown: bytes) -> None:
    assert encoding.show(text) == shown
