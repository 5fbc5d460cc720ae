"""core/written.py: what the model wrote of a call whose content is decoded from that."""

from __future__ import annotations

from streamparse.core.scanner import StreamScanner
from streamparse.core.written import Written
from tests.memory import takes_at_most


def test_what_is_skipped_is_taken_from_the_content() -> None:
    written = Written(1_000)
    written.add('{"content": "a')
    written.shown += 1
    written.skip(4)
    written.add("\\n")
    written.shown += 1
    written.skip(3)
    written.add('"}')
    assert written.text("aprin\nt()") == '{"content": "aprin\\nt()"}'
    assert written.text("aprin\nt()") == '{"content": "aprin\\nt()"}'


def test_content_behind_what_was_added_is_written_as_it_is_shown() -> None:
    written = Written(1_000)
    written.add("\n")
    assert written.text("ls -l") == "\nls -l"


def test_nothing_is_kept_beyond_the_limit() -> None:
    written = Written(8)
    written.add("abc")
    written.skip(2)
    written.add("defgh")
    written.shown += 5
    written.add("ij")
    written.skip(2)
    written.skip(2)
    assert written.text("12345678zz") == "abc12def"


def test_a_scanner_is_followed_up_to_the_end_of_the_call() -> None:
    scanner = StreamScanner("<tool>\n<a>x")
    scanner.pos = len("<tool>")
    written = Written(1_000, scanner.offset)
    written.follow(scanner)
    written.shown += 1
    scanner.pos = len(scanner.buf)
    scanner.compact()
    scanner.base += len("yz")  # shown without a state
    scanner.buf = "</a"
    written.follow(scanner)
    scanner.buf += "></tool> more"
    written.follow(scanner)
    written.end(scanner.base + len("</a>"))
    assert written.text("xyz") == "\n<a>xyz</a>"


def test_a_file_of_tokens_takes_little_more_memory_than_its_text() -> None:
    def write() -> None:
        written = Written(1 << 30)
        for _ in range(20_000):
            written.add("\\n")
            written.shown += 1
            written.skip(8)

    assert takes_at_most(20_000 * 40, write)
