"""core/raw_text.py: what the model wrote of a call whose content is decoded from that."""

from __future__ import annotations

from streamparse.core.raw_text import RawText
from streamparse.core.scanner import StreamScanner
from tests.memory import takes_at_most


def test_what_is_skipped_is_taken_from_the_content() -> None:
    raw = RawText(1_000)
    raw.add('{"content": "a')
    raw.shown += 1
    raw.skip(4)
    raw.add("\\n")
    raw.shown += 1
    raw.skip(3)
    raw.add('"}')
    assert raw.text("aprin\nt()") == '{"content": "aprin\\nt()"}'
    assert raw.text("aprin\nt()") == '{"content": "aprin\\nt()"}'


def test_content_behind_what_was_added_is_written_as_it_is_shown() -> None:
    raw = RawText(1_000)
    raw.add("\n")
    assert raw.text("ls -l") == "\nls -l"


def test_nothing_is_kept_beyond_the_limit() -> None:
    raw = RawText(8)
    raw.add("abc")
    raw.skip(2)
    raw.add("defgh")
    raw.shown += 5
    raw.add("ij")
    raw.skip(2)
    raw.skip(2)
    assert raw.text("12345678zz") == "abc12def"


def test_a_scanner_is_followed_up_to_the_end_of_the_call() -> None:
    scanner = StreamScanner("<tool>\n<a>x")
    scanner.pos = len("<tool>")
    raw = RawText(1_000, scanner.offset)
    raw.follow(scanner)
    raw.shown += 1
    scanner.pos = len(scanner.buf)
    scanner.compact()
    scanner.base += len("yz")  # shown without a state
    scanner.buf = "</a"
    raw.follow(scanner)
    scanner.buf += "></tool> more"
    raw.follow(scanner)
    raw.end(scanner.base + len("</a>"))
    assert raw.text("xyz") == "\n<a>xyz</a>"


def test_without_an_end_all_that_came_is_written() -> None:
    scanner = StreamScanner("<tool><a>")
    raw = RawText(1_000, len("<tool>"))
    raw.follow(scanner)
    raw.follow(scanner)  # nothing new
    assert raw.text("") == "<a>"
    assert raw.text("") == "<a>"


def test_calls_that_came_in_one_chunk_keep_their_own_text_alone() -> None:
    scanner = StreamScanner("x" * 1_000_000)
    calls = []

    def follow() -> None:
        for scanner.pos in range(0, 10_000, 10):
            raw = RawText(1_000_000, scanner.offset)
            raw.follow(scanner)
            raw.end(scanner.offset + 10)
            calls.append(raw)

    assert takes_at_most(4_000_000, follow)
    assert {raw.text("") for raw in calls} == {"x" * 10}


def test_what_was_held_and_is_unread_again_is_not_kept() -> None:
    scanner = StreamScanner("<a>")
    scanner.hold()
    raw = RawText(1_000_000)
    raw.follow(scanner)
    for _ in range(2):
        scanner.pos = len(scanner.buf)
        scanner.compact()
        scanner.buf += "x" * 500_000
        raw.follow(scanner)
    scanner.rollback()
    raw.end(len("<a"))
    assert raw.text("") == "<a"
    assert takes_at_most(10_000, lambda: raw.text(""))


def test_a_file_of_tokens_takes_little_more_memory_than_its_text() -> None:
    def write() -> None:
        raw = RawText(1 << 30)
        for _ in range(20_000):
            raw.add("\\n")
            raw.shown += 1
            raw.skip(8)

    assert takes_at_most(20_000 * 40, write)
