"""`streamparse proxy`: the command, as a process of its own and as far as it gets without one."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.cli.command import COMMAND, ENVIRONMENT, run
from tests.proxy.replies import ARGUMENTS, CALL, Got, got, request
from tests.proxy.scripted import Script, Upstream, leaking
from tests.proxy.test_frames import events


def test_it_serves_until_it_is_stopped_and_says_that_it_records(tmp_path: Path) -> None:
    models, record = tmp_path / "models.json", tmp_path / "record"
    models.write_text(json.dumps({"some-*": "hermes"}))
    script = Script([leaking(["Hi.\n", CALL])])
    with Upstream(lambda _: script) as upstream:
        options = ["--upstream", upstream.url, "--port", "0", "--model-map", str(models), "--record", str(record)]
        with subprocess.Popen(
            [*COMMAND, "proxy", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            first = process.stdout.readline()
            match = re.fullmatch(
                rf"Clients use (http://127\.0\.0\.1:\d+)/v1 instead of {upstream.url}\. How it goes: \1/\n", first
            )
            assert match is not None, first
            assert process.stdout.readline() == "Ctrl-C stops it.\n"
            assert process.stdout.readline() == f"Everything that is said is recorded in {record}.\n"
            stream = httpx2.post(f"{match[1]}/v1/chat/completions", json=request(), timeout=20)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
    assert got(events(stream.content)[:-1]) == Got("Hi.", "", [("search", ARGUMENTS)], "tool_calls")
    assert stream.headers["x-streamparse-format"] == "hermes"
    assert (out, err, process.returncode) == ("", "", 130)
    assert sorted(os.listdir(record)) == ["0001.raw", "0001.repaired", "0001.request.json"]


#: The command, with a defect.
DEFECT = """
from streamparse.cli import main
from streamparse.proxy.status import Status

def begin(*_):
    raise LookupError("secret words")

Status.begin = begin
raise SystemExit(main())
"""


def test_an_error_of_its_own_is_told_in_one_line() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", DEFECT, "proxy", "--upstream", "http://127.0.0.1:9/v1", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        origin = process.stdout.readline().split()[2].removesuffix("/v1")
        answers = [httpx2.post(f"{origin}/v1/chat/completions", json=request(), timeout=20) for _ in range(2)]
        page = httpx2.get(f"{origin}/", timeout=20).text
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert [answer.status_code for answer in answers] == [500, 500]
    assert re.fullmatch(r"an error of the proxy itself: LookupError in asgi\.py, line \d+\n", err)
    assert "<tr><th>errors of its own</th><td>2</td></tr>" in page


@pytest.mark.parametrize(
    ("options", "code", "complaint"),
    [
        (["--upstream", "localhost:8000"], 2, "the URL of a server is like http://localhost:8000/v1"),
        (["--upstream", "http://h/v1", "--format", "hermess"], 2, "unknown format 'hermess'"),
        (["--upstream", "http://h/v1", "--model-map", "no-such-file"], 1, "cannot read no-such-file"),
        (["--upstream", "http://h/v1", "--reasoning", "nowhere"], 2, "nowhere"),
        ([], 2, "--upstream"),
    ],
)
def test_wrong_usage_is_told(options: list[str], code: int, complaint: str) -> None:
    done = run("proxy", *options)
    assert (done.code, done.out) == (code, "")
    assert complaint in done.err


@pytest.mark.parametrize(
    ("text", "code", "complaint"),
    [
        ("{", 1, " is not JSON"),
        ("[" * 100_000, 1, " is not JSON"),
        ("[]", 2, ": models maps the names of models to formats"),
        ('{"m": 3}', 2, ": a format is given by its name, as in 'hermes' or 'hermes,json'; not int"),
        ('{"m": "hermess"}', 2, ": unknown format 'hermess': did you mean 'hermes'?"),
    ],
)
def test_a_map_that_is_none_is_told(tmp_path: Path, text: str, code: int, complaint: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(text)
    done = run("proxy", "--upstream", "http://h/v1", "--model-map", str(path))
    assert (done.code, done.out) == (code, "")
    assert f"{path}{complaint}" in " ".join(done.err.split())


def test_a_port_that_is_taken_or_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("proxy", "--upstream", "http://h/v1", "--port", port)
    assert (done.code, done.out) == (1, "")
    assert f"cannot listen at 127.0.0.1, port {port}" in done.err
    path = tmp_path / "file"
    path.touch()
    done = run("proxy", "--upstream", "http://h/v1", "--record", str(path))
    assert (done.code, done.out) == (1, "")
    assert "cannot record" in done.err
