"""`streamparse parse --format native`: what a model's HTTP API sends, through real processes."""

from __future__ import annotations

import json
import re
import signal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from streamparse import SegmentEvent, ToolInvocation, parse
from streamparse.cli.json_lines import JsonLines
from streamparse.cli.plain_view import PlainView
from streamparse.cli.pump import pump
from streamparse.providers import sse
from tests.cli.command import run, start
from tests.cli.terminal import Terminal
from tests.cli.test_chunks import cuts
from tests.cli.test_parse import lines

REPLIES = Path(__file__).parent / "replies"
OPENAI = (REPLIES / "openai_chat.sse").read_bytes()
ANTHROPIC = (REPLIES / "anthropic.sse").read_bytes()

OPENAI_SHOWN = """\
╭─ reasoning ──────────────────────────────────────────────────────────────────╮
│ Two things at once.                                                          │
╰──────────────────────────────────────────────────────────────────────────────╯

I look, and I write a < b:

╭─ tool_call search ───────────────────────────────────────────────────────────╮
│ {"query": "pages", "limit": 5}                                               │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → search(query="pages", limit=5)

╭─ write_file é.py ────────────────────────────────────────────────────────────╮
│ print("hé")                                                                  │
│ # end                                                                        │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → write_file(path="é.py", content=[2 lines])
"""
ANTHROPIC_SHOWN = """\
╭─ reasoning ──────────────────────────────────────────────────────────────────╮
│ First the tests.                                                             │
╰──────────────────────────────────────────────────────────────────────────────╯

Running them.

╭─ run_bash ───────────────────────────────────────────────────────────────────╮
│ pytest -q && echo "ok"                                                       │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → run_bash(command=[1 line])

╭─ tool_call now ──────────────────────────────────────────────────────────────╮
│ {}                                                                           │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → now()
"""


def event(**delta: Any) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': delta}]})}\n\n".encode()


def call(index: int, name: str, arguments: str) -> bytes:
    return event(tool_calls=[{"index": index, "id": f"c{index}", "function": {"name": name, "arguments": arguments}}])


@pytest.mark.parametrize(
    ("reply", "shown"), [(OPENAI, OPENAI_SHOWN), (ANTHROPIC, ANTHROPIC_SHOWN)], ids=["openai", "anthropic"]
)
def test_a_reply_is_shown_in_panels_one_after_the_other(reply: bytes, shown: str) -> None:
    assert run("parse", "--format", "native", stdin=reply) == (0, shown, "")


@pytest.mark.parametrize("name", ["openai_chat.sse", "anthropic.sse"])
def test_lines_are_those_of_the_library_in_its_order(name: str) -> None:
    items = list(parse(sse.chunks([(REPLIES / name).read_bytes()]), "native", invocations=True))
    for output, kind in (("jsonl", SegmentEvent), ("invocations", ToolInvocation)):
        expected = lines(*(item.to_dict() for item in items if isinstance(item, kind)))
        done = run("parse", str(REPLIES / name), "--format", "native", "--output", output, "--chunk", "1")
        assert done == (0, expected, "")


def test_interleaved_calls_are_interleaved_lines() -> None:
    done = run("parse", "--format", "native", "--output", "jsonl", stdin=OPENAI)
    ids = [json.loads(line)["segment_id"] for line in done.out.splitlines()]
    assert "".join(name.removeprefix("seg_") for name in ids) == "111122223343443434"


@pytest.mark.parametrize("formats", ["api_tool_call", "native,xml", "xml,native"])
def test_every_choice_with_native_in_it_reads_an_api(formats: str) -> None:
    assert run("parse", "--format", formats, stdin=ANTHROPIC) == (0, ANTHROPIC_SHOWN, "")


@pytest.mark.parametrize("name", ["native", "api_tool_call"])
def test_so_does_the_environment(name: str) -> None:
    assert run("parse", stdin=ANTHROPIC, STREAMPARSE_PARSER=name) == (0, ANTHROPIC_SHOWN, "")
    assert run("parse", "--format", "xml", stdin=b"data: {}\n", STREAMPARSE_PARSER=name) == (0, "data: {}\n", "")


def test_tags_in_the_text_of_an_api_are_looked_for_if_asked() -> None:
    reply = event(content="<run_bash>l") + event(content="s</run_bash>") + call(0, "f", "{}")
    for formats, names in (("native", ["f"]), ("native,xml", ["run_bash", "f"])):
        done = run("parse", "--format", formats, "--output", "invocations", stdin=reply)
        assert [json.loads(line)["name"] for line in done.out.splitlines()] == names


@pytest.mark.parametrize("text", ["Look: <run_bash>ls", "data\n", "[1] a note", '{"name": "Bob"}'])
def test_what_is_no_api_is_parsed_as_text(text: str) -> None:
    for formats in ("native", "native,xml"):
        for chunks, options in (([text], []), (list(text), ["--chunk", "1"])):
            expected = lines(*(event.to_dict() for event in parse(chunks, formats.split(","))))
            done = run("parse", "--format", formats, "--output", "jsonl", *options, stdin=text.encode())
            assert done == (0, expected, "")


@pytest.mark.parametrize("reply", [OPENAI, ANTHROPIC], ids=["openai", "anthropic"])
def test_bytes_may_be_cut_anywhere(reply: bytes) -> None:
    shown = set()
    for pieces in cuts(reply):
        file = StringIO()
        pump(pieces, JsonLines(file, SegmentEvent), ["native"])
        shown.add(file.getvalue())
    assert len(shown) == 1


def test_ollama_sends_lines_of_json() -> None:
    chunks: list[dict[str, Any]] = [
        {"model": "m", "message": {"role": "assistant", "content": "Hi"}, "done": False},
        {"model": "m", "message": {"tool_calls": [{"function": {"name": "f", "arguments": {"x": 1}}}]}, "done": False},
        {"model": "m", "message": {"content": ""}, "done": True, "done_reason": "stop"},
    ]
    done = run("parse", "--format", "native", stdin=lines(*chunks).encode())
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Hi\n\n╭─ tool_call f ─")
    assert done.out.endswith("─ complete ─╯\n  → f(x=1)\n")


# -- live --------------------------------------------------------------------------------------------------------------


def test_an_event_is_a_line_before_the_next_one_is_sent() -> None:
    with start("parse", "--format", "native", "--output", "jsonl") as (process, stdin, out, _):
        for number, word in enumerate(["one", "two", "three"]):
            stdin.buffer.write(event(content=word))
            stdin.flush()
            if not number:
                assert json.loads(out.readline())["type"] == "SEGMENT_START"
            assert json.loads(out.readline())["payload"] == {"delta": word}
        stdin.close()
        out.read()
    assert process.returncode == 0


def test_an_event_that_is_cut_waits_for_its_line_alone() -> None:
    first, last = event(content="one"), event(content="two")
    with start("parse", "--format", "native", "--output", "jsonl") as (_, stdin, out, _):
        stdin.buffer.write(first + last[:20])
        stdin.flush()
        assert json.loads(out.readline())["type"] == "SEGMENT_START"
        assert json.loads(out.readline())["payload"] == {"delta": "one"}
        stdin.buffer.write(last[20:])
        stdin.flush()
        assert json.loads(out.readline())["payload"] == {"delta": "two"}


def test_text_is_a_line_as_soon_as_it_cannot_be_an_event() -> None:
    with start("parse", "--format", "native", "--output", "jsonl") as (_, stdin, out, _):
        stdin.write("dat")
        stdin.flush()
        stdin.write("e")
        stdin.flush()
        assert json.loads(out.readline())["type"] == "SEGMENT_START"
        assert json.loads(out.readline())["payload"]["delta"] in ("dat", "date")


def test_a_panel_grows_and_the_next_one_waits_for_its_turn() -> None:
    with Terminal("parse", "--format", "native", columns=40, rows=14) as terminal:
        terminal.write(event(content="Two files.") + call(0, "write_file", '{"path": "a", "content": "1\\n'))
        terminal.wait_for("streaming")
        terminal.write(call(1, "write_file", '{"path": "b", "content": "later"}') + call(0, "", "2"))
        terminal.wait_for("│ 2")
        assert [row.rstrip() for row in terminal.screen.display][:7] == [
            "Two files.",
            "",
            "╭─ write_file a ───────────────────────╮",
            "│ 1                                    │",
            "│ 2                                    │",
            "╰────────────────────────── streaming ─╯",
            "",
        ]
        terminal.write(call(0, "", '\\n3"}') + b'data: {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}\n\n')
        terminal.wait_for("later")
        assert terminal.wait() == 0
        assert terminal.text().split("\n") == [
            "Two files.",
            "",
            "╭─ write_file a ───────────────────────╮",
            "│ 1                                    │",
            "│ 2                                    │",
            "│ 3                                    │",
            "╰─────────────────────────── complete ─╯",
            '  → write_file(path="a", content=[3 lin…',
            "",
            "╭─ write_file b ───────────────────────╮",
            "│ later                                │",
            "╰─────────────────────────── complete ─╯",
            '  → write_file(path="b", content=[1 lin…',
            "",
        ]


def test_the_plain_view_has_them_one_after_the_other_too() -> None:
    file = StringIO()
    pump([OPENAI], PlainView(file), ["native"], invocations=True)
    assert file.getvalue() == (
        "[reasoning]\nTwo things at once.\n\nI look, and I write a < b:\n\n"
        '[tool_call search]\n{"query": "pages", "limit": 5}\n[complete] search(query="pages", limit=5)\n\n'
        '[write_file é.py]\nprint("hé")\n# end\n[complete] write_file(path="é.py", content=[2 lines])\n'
    )


# -- endings -----------------------------------------------------------------------------------------------------------

ERROR = b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Over\\nloaded"}}\n\n'


def test_an_error_of_the_provider_closes_what_is_open_and_is_told() -> None:
    reply = call(0, "run_bash", '{"command": "rm -rf ./') + call(1, "f", '{"x": 1}') + ERROR + event(content="never")
    expected = """\
╭─ run_bash ───────────────────────────────────────────────────────────────────╮
│ rm -rf ./                                                                    │
╰────────────────────────────────────────────────────────────────── truncated ─╯
  → run_bash(command=[1 line])

╭─ tool_call f ────────────────────────────────────────────────────────────────╮
│ {"x": 1}                                                                     │
╰────────────────────────────────────────────────────────────────── truncated ─╯
  → f(x=1)
"""
    complaint = "streamparse: the provider reported an error: Over\\nloaded\n"
    assert run("parse", "--format", "native", stdin=reply) == (1, expected, complaint)
    done = run("parse", "--format", "native", "--output", "jsonl", stdin=reply)
    ends = [json.loads(line)["payload"] for line in done.out.splitlines() if "SEGMENT_END" in line]
    told = {"status": "truncated", "error": "the reply was cut off: Over\nloaded"}
    assert (done.code, ends, done.err) == (1, [told] * 2, complaint)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (
            '{\n    "error": {\n        "message": "Incorrect API key.",\n        "code": null\n    }\n}\n',
            "the provider reported an error: Incorrect API key.",
        ),
        ('{"error":"model \\"m\\" not found"}', 'the provider reported an error: model "m" not found'),
        ('data: {"choi', 'the provider reported an error: the server sent data that is not JSON: {"choi'),
        ('data: {"type": "RUN_STARTED"}\n\n', 'no known API sends such events: {"type": "RUN_STARTED"}'),
    ],
)
def test_what_a_server_sends_instead_of_a_reply_is_told(body: str, complaint: str) -> None:
    assert run("parse", "--format", "native", stdin=body.encode()) == (1, "", f"streamparse: {complaint}\n")


def test_a_reply_that_is_cut_off_is_truncated() -> None:
    place = OPENAI.index(b'"function": {"arguments": "mit')
    done = run("parse", "--format", "native", stdin=OPENAI[: OPENAI.rindex(b"data:", 0, place)])
    assert (done.code, done.err) == (0, "")
    assert re.findall(r"\w+(?= ─╯)", done.out) == ["truncated"] * 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_in_the_middle_of_an_event_is_no_error_of_the_provider(number: int, code: int) -> None:
    with start("parse", "--format", "native", "--output", "jsonl") as (process, stdin, out, err):
        stdin.buffer.write(call(0, "run_bash", '{"command": "ls') + b'data: {"choi')
        stdin.flush()
        assert "SEGMENT_START" in out.readline()
        assert "SEGMENT_CONTENT" in out.readline()
        process.send_signal(number)
        last = '{"type": "SEGMENT_END", "segment_id": "seg_1", "payload": {"status": "truncated"}}\n'
        assert (out.read(), err.read()) == (last, "")
    assert process.returncode == code
