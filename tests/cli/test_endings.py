"""Every way to end has its exit code, and at most one line on stderr."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from streamparse import __version__, cli
from streamparse.cli.endings import standard_output
from tests.cli.command import COMMAND, ENVIRONMENT, run, run_process, start

needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")


def test_the_version_is_told() -> None:
    assert run("--version") == (0, f"streamparse {__version__}\n", "")


@pytest.mark.parametrize(
    "arguments", [["parse"], ["parse", "--output", "jsonl"], ["diff", "nowhere", "-"], ["--version"]]
)
def test_a_process_of_its_own_prints_the_same(arguments: list[str]) -> None:
    reply = '<write_file path="é.py">\x1b漢\r\n</write_file><run_bash>ls'.encode()
    assert run_process(*arguments, stdin=reply) == run(*arguments, stdin=reply)


def exit_codes(text: str) -> list[str]:
    return re.findall(r"^ +(\d+) {2,}\S", text, re.MULTILINE)


@pytest.mark.parametrize("arguments", [["--help"], ["parse", "--help"], ["demo", "-h"], []])
def test_help_tells_the_exit_codes(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    codes = ["0", "1", "2", "130", "141"]
    assert exit_codes(cli.__doc__ or "") == codes
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    assert (code, exit_codes(out), err) == (0, codes, "")


def test_help_says_of_exit_code_0_what_it_means_for_a_diff() -> None:
    assert "0    everything was read, or, of `streamparse diff`, can be applied\n" in (cli.__doc__ or "")
    out = run("diff", "--help").out
    assert "0    all of the diff can be applied, or was, or there is nothing to change\n" in out
    assert "streamparse diff app.py reply.txt --write" in out
    assert exit_codes(out) == ["0", "1", "2", "130", "141"]
    assert "agent" not in out


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "no\x1bwhere"
    shown = str(missing).replace("\x1b", r"\x1b")
    assert run("parse", str(missing)) == (1, "", f"streamparse: cannot read {shown}: No such file or directory\n")
    assert cli.main(["parse", str(tmp_path)]) == 1
    assert capsys.readouterr() == ("", f"streamparse: cannot read {tmp_path}: Is a directory\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["parse", "--chunk", "0"], "--chunk"),
        (["parse", "--chunk", "x"], "--chunk"),
        (["parse", "--output", "html"], "--output"),
        (["parse", "--format", "nope"], "unknown format 'nope': `streamparse formats` lists them"),
        (["parse", "a", "b"], "b"),
        (["demo", "--speed", "-1"], "--speed"),
        (["demo", "--speed", "nan"], "--speed"),
        (["fly"], "fly"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n"), err.startswith("streamparse: ")) == (2, "", 1, True)
    assert complaint in err


def test_an_unknown_format_in_the_environment_is_wrong_usage() -> None:
    code, out, err = run("parse", STREAMPARSE_PARSER="nope")
    assert (code, out) == (2, "")
    assert re.fullmatch(r"streamparse: unknown format 'nope': `streamparse formats` lists them\n", err)


@pytest.mark.parametrize("output", ["jsonl", "pretty"])
def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path, output: str) -> None:
    path = tmp_path / "reply.txt"
    path.write_text("<run_bash>ls</run_bash>\n" * 2_000)
    with start("parse", str(path), "--output", output) as (process, _, out, err):
        assert out.readline() != ""
        out.close()
        assert err.read() == ""
    assert process.returncode == 141


def test_a_reader_that_was_never_there_ends_help_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, "--help"], stdout=writing, stderr=subprocess.PIPE, timeout=30, env=ENVIRONMENT)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_what_is_left_in_a_buffer_is_not_complained_about_at_the_exit() -> None:
    script = """
import sys
from streamparse.cli.endings import run_to_exit_code

def run(arguments):
    sys.stdout.write("left")
    raise BrokenPipeError

sys.exit(run_to_exit_code(run, []))
"""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=writing, stderr=subprocess.PIPE, timeout=30, env=ENVIRONMENT
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_standard_output_takes_what_its_encoding_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, "ascii"))
    print("é\ud800", file=standard_output(), flush=True)
    assert buffer.getvalue() == b"\\xe9\\ud800\n"


@needs_dev_full
@pytest.mark.parametrize("output", ["jsonl", "pretty"])
def test_an_output_that_cannot_be_written_is_told(output: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "parse", "--output", output],
            input=b"hi",
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=30,
            env=ENVIRONMENT,
        )
    assert (done.returncode, done.stderr) == (1, b"streamparse: cannot write the output: No space left on device\n")


@pytest.mark.parametrize(
    ("closed", "complaint"),
    [
        ("<&-", "cannot read standard input: it is closed"),
        (">&-", "cannot write the output: standard output is closed"),
    ],
)
def test_a_closed_end_is_told(closed: str, complaint: str) -> None:
    script = f'"{sys.executable}" -m streamparse parse {closed}'
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, timeout=30, env=ENVIRONMENT, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"streamparse: {complaint}\n")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_closes_what_is_open_as_truncated(number: int, code: int) -> None:
    with start("parse", "--output", "jsonl") as (process, stdin, out, err):
        stdin.write("<run_bash>ls")
        stdin.flush()
        assert "SEGMENT_START" in out.readline()
        assert "SEGMENT_CONTENT" in out.readline()
        process.send_signal(number)
        last = '{"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"status": "truncated"}}\n'
        assert (out.read(), err.read()) == (last, "")
    assert process.returncode == code
