"""`streamparse parse`: what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from streamparse import parse
from tests.cli.command import run, start

_DECODING = " while decoding a JSON array from a unicode string"
REPLY = (
    'If a < b:\r\n<write_file path="é.py">print("<b>")\n</write_file>\n'
    '<tool name="f"><arg name="x">1 &lt; 2</arg></tool>'
)


def lines(*items: dict[str, object]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def test_jsonl_is_one_event_per_line(tmp_path: Path) -> None:
    path = tmp_path / "reply.txt"
    path.write_bytes(REPLY.encode())
    expected = lines(*(event.to_dict() for event in parse(REPLY, "xml")))
    assert "\\u00e9.py" in expected
    assert run("parse", str(path), "--output", "jsonl") == (0, expected, "")
    assert run("parse", "--output", "jsonl", "--format", "xml", stdin=REPLY.encode()) == (0, expected, "")


def test_chunks_are_cut_to_size() -> None:
    expected = lines(*(event.to_dict() for event in parse(["abc", "d<r", "un_", "bas", "h>x"], "xml")))
    assert run("parse", "-", "--output", "jsonl", "--chunk", "3", stdin=b"abcd<run_bash>x") == (0, expected, "")


def test_invocations_are_one_call_per_line() -> None:
    call = '<arg name="x">1 &lt; 2</arg>'
    expected = lines(
        {
            **{
                "type": "TOOL_INVOCATION",
                "id": "seg_2",
                "name": "write_file",
                "arguments": {"path": "é.py", "content": 'print("<b>")\n'},
            },
            **{"status": "complete", "repaired": False, "error": None, "raw": 'print("<b>")\n'},
            "content": 'print("<b>")\n',
        },
        {
            **{"type": "TOOL_INVOCATION", "id": "seg_4", "name": "f", "arguments": {"x": "1 < 2"}},
            **{"status": "complete", "repaired": False, "error": None, "raw": call},
        },
        {
            **{"type": "TOOL_INVOCATION", "id": "seg_5", "name": "run_bash", "arguments": {"command": "l"}},
            **{"status": "truncated", "repaired": False, "error": "the call was cut off before its end", "raw": "l"},
            "content": "l",
        },
    )
    assert run("parse", "--output", "invocations", stdin=f"{REPLY}<run_bash>l".encode()) == (0, expected, "")


@pytest.mark.parametrize(
    ("output", "first", "line"),
    [
        (
            "jsonl",
            "hi é".encode()[:-1],
            {"type": "SEGMENT_CONTENT", "segment_id": "seg_1", "payload": {"delta": "hi "}},
        ),
        (
            "invocations",
            b"<run_bash>ls</run_bash>",
            {
                **{"type": "TOOL_INVOCATION", "id": "seg_1", "name": "run_bash", "arguments": {"command": "ls"}},
                **{"status": "complete", "repaired": False, "error": None, "raw": "ls", "content": "ls"},
            },
        ),
    ],
)
def test_a_line_comes_while_the_input_is_still_open(output: str, first: bytes, line: dict[str, object]) -> None:
    with start("parse", "--output", output) as (process, stdin, out, _):
        stdin.buffer.write(first)
        stdin.flush()
        while (read := json.loads(out.readline())) != line:
            assert read["type"] == "SEGMENT_START"
        stdin.close()
        out.read()
    assert process.returncode == 0


def test_pretty_shows_text_that_was_reasoning_as_that() -> None:
    expected = """\
╭─ reasoning ──────────────────────────────────────────────────────────────────╮
│ Hm.                                                                          │
╰──────────────────────────────────────────────────────────────────────────────╯

Look.
"""
    assert run("parse", stdin=b"Hm.\n</think>Look.") == (0, expected, "")


def test_pretty_is_finished_panels_where_there_is_no_terminal() -> None:
    reply = (
        "<think>Hm.</think>Look:\n\n"
        '<write_file path="a.py">\nprint("[red]")\n</write_file>\n\n'
        '<tool name="f"><arg name="x">1</arg><arg name="x">2</arg></tool>'
        "<run_bash></run_bash><run_bash>ls"
    )
    expected = """\
╭─ reasoning ──────────────────────────────────────────────────────────────────╮
│ Hm.                                                                          │
╰──────────────────────────────────────────────────────────────────────────────╯

Look:

╭─ write_file a.py ────────────────────────────────────────────────────────────╮
│ print("[red]")                                                               │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → write_file(path="a.py", content=[1 line])

╭─ tool_call f ────────────────────────────────────────────────────────────────╮
│ <arg name="x">1</arg><arg name="x">2</arg>                                   │
╰──────────────────────────────────────────────── malformed: x is given twice ─╯
  → f()

╭─ run_bash ───────────────────────────────────────────────────────────────────╮
│                                                                              │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → run_bash(command=[1 line])

╭─ run_bash ───────────────────────────────────────────────────────────────────╮
│ ls                                                                           │
╰────────────────────────────────────────────────────────────────── truncated ─╯
  → run_bash(command=[1 line])
"""
    # Not even on request: a file full of escape sequences is what nobody wants.
    done = run("parse", stdin=reply.encode(), FORCE_COLOR="1", TTY_COMPATIBLE="1", TTY_INTERACTIVE="1", TERM="xterm")
    assert done == (0, expected, "")


def test_hostile_output_is_shown_not_obeyed() -> None:
    reply = "\x1b[2J\u202e[bold]x[/bold] :smile:\r\n<tool name=\"a\x1b]0;b\x07\"><arg name='k'>\x9b\t\x7f</arg></tool>"
    expected = r"""\x1b[2J\u202e[bold]x[/bold] :smile:\r

╭─ tool_call a\x1b]0;b\x07 ────────────────────────────────────────────────────╮
│ <arg name='k'>\x9b      \x7f</arg>                                           │
╰─────────────────────────────────────────────────────────────────── complete ─╯
  → a\x1b]0;b\x07(k="\x9b\t\x7f")
"""
    assert run("parse", stdin=reply.encode()) == (0, expected, "")


def test_an_encoding_that_lacks_a_character_gets_an_escape_in_a_straight_frame() -> None:
    expected = r"""+- write_file \xe9.py ---------------------------------------------------------+
| \u6f22 = 1                                                                   |
+------------------------------------------------------------------- complete -+
  -> write_file(path="\xe9.py", content=[1 line])
"""
    reply = '<write_file path="é.py">漢 = 1</write_file>'
    assert run("parse", stdin=reply.encode(), PYTHONIOENCODING="ascii") == (0, expected, "")


def test_nothing_in_nothing_out() -> None:
    assert run("parse") == (0, "", "")


def test_tools_type_the_arguments(tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text('[{"name": "f", "parameters": {"properties": {"x": {"type": "integer"}}}}]', encoding="utf-8")
    done = run("parse", "--output", "invocations", "--tools", str(tools), stdin=b'<tool name="f"><x>5</x></tool>')
    assert (done.code, json.loads(done.out)["arguments"], done.err) == (0, {"x": 5}, "")


@pytest.mark.parametrize(
    ("content", "code", "problem"),
    [
        (None, 1, "cannot read {0}: No such file or directory"),
        ("{", 2, "{0} is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("{}", 2, "{0} is not a JSON list of tools"),
        ("[" * 100_000, 2, "{0} is not JSON: maximum recursion depth exceeded" + _DECODING),
    ],
    ids=["missing", "not JSON", "not a list", "too deep"],
)
def test_tools_that_cannot_be_read_are_told(tmp_path: Path, content: str | None, code: int, problem: str) -> None:
    path = tmp_path / "tools.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    done = run("parse", "--tools", str(path), stdin=b"x")
    assert (done.code, done.out) == (code, "")
    assert done.err == f"streamparse: {problem.format(path)}\n"


def test_what_is_no_tool_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text("[5]", encoding="utf-8")
    done = run("parse", "--tools", str(path), stdin=b"x")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"streamparse: {path}: not a tool: 5; expected ")


def test_formats_are_chosen_on_the_command_line() -> None:
    reply = b'{"name": "f", "arguments": {}} [[SEG_START {"type": "run_bash"}]]ls[[SEG_END]]'
    for options in (["--format", "json,sentinel"], ["--format", "json", "--format", "sentinel"]):
        done = run("parse", "--output", "invocations", *options, stdin=reply)
        assert [json.loads(line)["name"] for line in done.out.splitlines()] == ["f", "run_bash"]
    done = run("parse", "--output", "invocations", stdin=reply, STREAMPARSE_PARSER="json")
    assert [json.loads(line)["name"] for line in done.out.splitlines()] == ["f"]


def test_a_model_says_the_format_and_the_reasoning() -> None:
    text, model = "Hm.</think><function=f>\n</function>", "Qwen/Qwen3.5-35B-A3B"
    expected = lines(*(event.to_dict() for event in parse(text, model=model)))
    assert '"reasoning"' in expected
    asked = ("parse", "--output", "jsonl", "--model", model)
    assert run(*asked, stdin=text.encode(), STREAMPARSE_PARSER="native") == (0, expected, "")
    chosen = lines(*(event.to_dict() for event in parse(text, "xml", model=model)))
    assert run(*asked, "--format", "xml", stdin=text.encode()) == (0, chosen, "")
    code, out, err = run("parse", "--model", "acme", stdin=b"")
    assert (code, out) == (2, "")
    assert err.startswith("streamparse: no format is known for the model 'acme'; choose a format by its own name")
