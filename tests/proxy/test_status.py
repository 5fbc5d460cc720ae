"""The page of the proxy, and what it records."""

from __future__ import annotations

import re
from pathlib import Path

from streamparse.proxy.record import Recorder
from streamparse.proxy.status import Status


def cells(page: str) -> list[str]:
    return re.findall(r"<td>(.*?)</td>", page)


def test_the_page_says_how_it_goes() -> None:
    status = Status("http://h/v1", clock=lambda: 0)
    assert cells(status.page("http://p:1/"))[:8] == [
        *("<code>http://p:1/v1</code>", "<code>http://h/v1</code>", "sent to the server"),
        *("0", "0", "0", "0", "off"),
    ]
    status.begin("qwen3", ("hermes", "json"))
    status.begin("", ("auto",))
    status.begin("qwen3", ("hermes",))
    status.end(2)
    status.note("the model server answered 500")
    found = cells(status.page(""))
    assert found[3:6] == ["2", "1", "2"]
    assert found[9:] == [
        *("qwen3", "hermes", "2"),
        *("(none)", "auto", "1"),
        *("1970-01-01 00:00:00 UTC", "the model server answered 500"),
    ]


def test_everything_on_it_is_escaped_and_nothing_comes_from_elsewhere() -> None:
    status = Status("http://h/<b>", '"/tmp/<i>"', is_prompted=True)
    status.begin("<script>alert(1)</script>", ("<u>",))
    status.note("<img src=x>")
    page = status.page("http://<a>/")
    assert "<td>taught in the prompt</td>" in page
    for tag in ("<a>", "<b>", "<i>", "<script", "<u>", "<img", "src=", "href=", "url("):
        assert tag not in page.replace("&lt;img src=x&gt;", "")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "to <code>&quot;/tmp/&lt;i&gt;&quot;</code>" in page


def test_half_a_character_in_a_name_is_none() -> None:
    status = Status("http://h/v1")
    status.begin("a\ud800", ("auto",))
    assert cells(status.page("").encode().decode())[9] == "a?"


def test_it_does_not_grow_without_end() -> None:
    status = Status("http://h/v1", clock=lambda: 0)
    for number in range(300):
        status.begin(f"m{number}" + "x" * 1000, ("auto",))
        status.note(f"error {number}")
    found = cells(status.page(""))
    assert len(found) == 9 + 100 * 3 + 20 * 2
    assert found[9] == "m299" + "x" * 196
    assert found[-1] == "error 280"


def test_recordings_are_numbered_and_nobody_elses(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    for number, again in ((1, Recorder(folder)), (2, Recorder(folder))):
        recording = again.begin(b"{}")
        recording.add(b"raw", b"repaired")
        recording.add(b"", b", last")
        recording.close()
        for suffix, content in (("request.json", b"{}"), ("raw", b"raw"), ("repaired", b"repaired, last")):
            path = folder / f"{number:04d}.{suffix}"
            assert path.read_bytes() == content
            assert path.stat().st_mode & 0o077 == 0


def test_a_number_of_which_any_file_is_there_is_not_used(tmp_path: Path) -> None:
    for number, suffix in enumerate(("request.json", "raw", "repaired"), 1):
        (tmp_path / f"{number:04d}.{suffix}").write_bytes(b"mine")
    Recorder(tmp_path).begin(b"{}").close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("0001.request.json", "0002.raw", "0003.repaired"),
        *("0004.raw", "0004.repaired", "0004.request.json"),
    ]
