from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from streamparse.cli.endings import CommandError
from streamparse.cli.source import open_source, recut


def read(path: Path) -> str:
    with open_source(str(path)) as chunks:
        return "".join(chunks)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a\r\nb\rc\n", "a\r\nb\rc\n"),
        (b"\xef\xbb\xbfa", "\ufeffa"),
        (b"a\xffb\xc3", "a\ufffdb\ufffd"),
        ("é漢😀".encode() * 100_000, "é漢😀" * 100_000),  # longer than a read, which cuts characters
    ],
)
def test_bytes_are_read_as_utf_8(tmp_path: Path, data: bytes, text: str) -> None:
    path = tmp_path / "reply.txt"
    path.write_bytes(data)
    assert read(path) == text


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as raised:
        read(tmp_path / "nowhere")
    assert str(raised.value) == f"cannot read {tmp_path / 'nowhere'}: No such file or directory"
    assert raised.value.exit_code == 1


@pytest.mark.parametrize(
    ("chunks", "size", "pieces"),
    [
        ([], 3, []),
        (["abcdefg"], 3, ["abc", "def", "g"]),
        (["ab", "cd", "ef"], 3, ["abc", "def"]),
        (["a", "b"], 3, ["ab"]),
        (["abc", "d"], 1, ["a", "b", "c", "d"]),
        (["a", "bcdefgh", "i"], 4, ["abcd", "efgh", "i"]),
    ],
)
def test_text_is_cut_anew(chunks: list[str], size: int, pieces: list[str]) -> None:
    assert list(recut(chunks, size)) == pieces


def test_a_piece_is_given_before_more_is_read() -> None:
    def chunks() -> Iterator[str]:
        yield "abcd"
        raise AssertionError("this was read too early")

    assert next(recut(chunks(), 3)) == "abc"
