"""core/scanner.py: a buffer with a cursor, one mark and one limit."""

from __future__ import annotations

import pytest

from streamparse import StateContractError, StreamScanner
from streamparse.core.scanner import NO_LIMIT


def rest(scanner: StreamScanner) -> str:
    return scanner.buf[scanner.pos :]


def append(scanner: StreamScanner, chunk: str) -> None:
    """What the parser does between two runs of a state."""
    scanner.compact()
    scanner.buf += chunk


def test_a_new_scanner_has_its_text_unread() -> None:
    scanner = StreamScanner("abc")
    assert (scanner.buf, scanner.pos, scanner.base, scanner.offset) == ("abc", 0, 0, 0)
    assert (scanner.limit, scanner.end) == (NO_LIMIT, 3)


def test_take_reads_up_to_an_index_and_moves_the_cursor() -> None:
    scanner = StreamScanner("abcdef")
    assert scanner.take(2) == "ab"
    assert scanner.take(2) == ""
    assert scanner.take(5) == "cde"
    assert (scanner.pos, rest(scanner)) == (5, "f")


def test_compact_drops_what_is_read_and_keeps_offsets_of_the_stream() -> None:
    scanner = StreamScanner("abcdef")
    scanner.take(4)
    scanner.compact()
    assert (scanner.buf, scanner.pos, scanner.base, scanner.offset, scanner.settled) == ("ef", 0, 4, 4, 4)


def test_the_limit_bounds_the_end_by_an_offset_of_the_stream() -> None:
    scanner = StreamScanner("abcdef")
    scanner.limit = 5
    assert scanner.end == 5
    scanner.take(4)
    append(scanner, "gh")
    assert (scanner.buf, scanner.end) == ("efgh", 1)


def test_a_limit_behind_the_buffer_does_not_lengthen_it() -> None:
    scanner = StreamScanner("abc")
    scanner.limit = 7
    assert scanner.end == 3


def test_released_text_is_settled() -> None:
    scanner = StreamScanner("abcdef")
    scanner.take(1)
    scanner.hold()
    scanner.take(4)
    assert (scanner.held(), scanner.settled, scanner.offset) == ("bcd", 1, 4)
    scanner.release()
    assert (scanner.settled, rest(scanner)) == (4, "ef")


def test_rolled_back_text_is_unread() -> None:
    scanner = StreamScanner("abcdef")
    scanner.take(1)
    scanner.hold()
    scanner.take(4)
    scanner.rollback()
    assert (scanner.settled, scanner.offset, rest(scanner)) == (1, 1, "bcdef")


def test_held_text_survives_compacting_any_number_of_times() -> None:
    scanner = StreamScanner("abc")
    scanner.take(1)
    scanner.hold()
    scanner.take(3)
    append(scanner, "def")
    scanner.take(2)
    append(scanner, "ghi")
    scanner.take(1)
    assert (scanner.buf, scanner.held(), scanner.offset, scanner.settled) == ("fghi", "bcdef", 6, 1)
    assert scanner.held() == "bcdef"
    scanner.rollback()
    assert (scanner.buf, scanner.pos, scanner.base, rest(scanner)) == ("bcdefghi", 0, 1, "bcdefghi")


def test_moved_text_is_forgotten_by_release() -> None:
    scanner = StreamScanner("ab")
    scanner.hold()
    scanner.take(2)
    append(scanner, "cd")
    scanner.take(1)
    scanner.release()
    assert (scanner.settled, rest(scanner)) == (3, "d")
    scanner.hold()
    scanner.take(2)
    assert scanner.held() == "d"


def test_a_mark_may_stand_behind_the_cursor() -> None:
    scanner = StreamScanner("abcdef")
    scanner.take(1)
    scanner.hold(3)
    scanner.take(5)
    assert (scanner.settled, scanner.held()) == (3, "de")
    append(scanner, "gh")
    scanner.rollback()
    assert (scanner.offset, rest(scanner)) == (3, "defgh")


def test_a_limit_of_a_hold_is_lifted_with_it() -> None:
    for settle in (StreamScanner.release, StreamScanner.rollback):
        scanner = StreamScanner("abcdef")
        scanner.limit = 5
        scanner.hold(limit=3)
        assert (scanner.limit, scanner.end) == (3, 3)
        settle(scanner)
        assert (scanner.limit, scanner.end) == (5, 5)


def test_a_hold_does_not_widen_a_limit() -> None:
    scanner = StreamScanner("abcdef")
    scanner.limit = 3
    scanner.hold(limit=5)
    assert scanner.limit == 3
    scanner.release()
    scanner.hold()
    assert scanner.limit == 3


def test_a_second_hold_breaks_the_contract() -> None:
    scanner = StreamScanner("abc")
    scanner.hold()
    with pytest.raises(StateContractError, match=r"^hold\(\) while text is held: release\(\) or rollback\(\) first"):
        scanner.hold()


def test_blanks_alone_are_set_aside_until_something_else_comes() -> None:
    scanner = StreamScanner("</tool ")
    scanner.wait_past_blanks()
    assert scanner.skip_blanks(" \t") == ""
    assert scanner.skip_blanks("\r\n") == ""
    assert scanner.skip_blanks(" >x") == " \t\r\n >x"
    assert scanner.blank_run is None


def test_nothing_is_set_aside_unless_the_text_ends_in_a_blank() -> None:
    for text in ("", "</tool", "</tool\u2003", "</tool\v"):
        scanner = StreamScanner(text)
        scanner.wait_past_blanks()
        assert scanner.blank_run is None


def test_a_blank_of_another_alphabet_ends_the_run_of_blanks() -> None:
    scanner = StreamScanner("</tool ")
    scanner.wait_past_blanks()
    assert scanner.skip_blanks("\u2003") == "\u2003"


def test_finish_takes_in_the_blanks_that_were_set_aside() -> None:
    scanner = StreamScanner("</tool ")
    scanner.wait_past_blanks()
    scanner.skip_blanks(" ")
    scanner.skip_blanks("\n")
    scanner.finish()
    assert (scanner.buf, scanner.blank_run) == ("</tool  \n", None)


def test_finish_without_blanks_changes_no_text() -> None:
    scanner = StreamScanner("abc")
    scanner.finish()
    assert scanner.buf == "abc"


def test_peeking_past_blanks_reads_them_and_stays_before_what_follows() -> None:
    scanner = StreamScanner(" \t\r\nx")
    assert (scanner.peek_past_blanks(), scanner.pos) == ("x", 4)
    assert (scanner.peek_past_blanks(), scanner.pos) == ("x", 4)
    blanks = StreamScanner("  ")
    assert (blanks.peek_past_blanks(), blanks.pos) == ("", 2)
    limited = StreamScanner("  x")
    limited.limit = 2
    assert (limited.peek_past_blanks(), limited.pos) == ("", 2)


@pytest.mark.parametrize(
    ("text", "can_tell", "rest"),
    [
        ("", False, ""),
        ("\r", False, "\r"),
        ("\n", True, ""),
        ("\r\n", True, ""),
        ("\n\n", True, "\n"),
        ("\rx", True, "\rx"),
        ("x\n", True, "x\n"),
    ],
)
def test_one_line_break_is_skipped(text: str, can_tell: bool, rest: str) -> None:
    scanner = StreamScanner(text)
    assert scanner.skip_break() is can_tell
    assert scanner.buf[scanner.pos :] == rest


def test_a_line_break_at_the_limit_cannot_be_told() -> None:
    scanner = StreamScanner("\r\n")
    scanner.limit = 1
    assert not scanner.skip_break()
    assert scanner.pos == 0
