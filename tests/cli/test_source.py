from __future__ import annotations

from pathlib import Path

import pytest

from streamparse.cli.endings import CommandError
from streamparse.cli.source import open_source


def read(path: Path) -> bytes:
    with open_source(str(path)) as pieces:
        return b"".join(pieces)


@pytest.mark.parametrize("data", [b"", b"a\r\nb\rc\n\xff\xc3", b"a\xc3\xa9" * 100_000])
def test_bytes_are_left_as_they_are(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "reply.txt"
    path.write_bytes(data)
    assert read(path) == data


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as raised:
        read(tmp_path / "nowhere")
    assert str(raised.value) == f"cannot read {tmp_path / 'nowhere'}: No such file or directory"
    assert raised.value.exit_code == 1
