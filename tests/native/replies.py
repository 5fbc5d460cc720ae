"""Replies that every provider can send, and what must come of them."""

from __future__ import annotations

import json
from typing import Any

from attrs import field, frozen

from streamparse import Limits, ParserConfig, ToolSpec
from tests.native.kit import SENTENCE, Wire, inv, kind, reasoning, text, tool
from tests.native.states import stated
from tests.native.wires import Call, Reasoning, Reply, Text


@frozen
class ReplyCase:
    name: str
    reply: Reply
    events: list[Wire]
    invocations: list[Wire]
    options: dict[str, Any] = field(factory=dict)
    #: False: where nothing but finalize ends a call, another status is as good (broken and cut off at once).
    is_for_all: bool = True
    #: The first call behind reasoning, by its segment: in Chat Completions its state names the field of the reasoning.
    behind_reasoning: int | None = None

    def events_of(self, provider: str) -> list[Wire]:
        """The events are the same from every provider but for this state, which is Chat Completions' own."""
        if provider != "openai_chat" or self.behind_reasoning is None:
            return self.events
        return stated(self.events, {self.behind_reasoning: {"reasoning_field": "reasoning_content"}}, "openai-chat")


def write(arguments: str) -> Reply:
    return [Call("write_file", arguments)]


def bash(arguments: str) -> Reply:
    return [Call("run_bash", arguments)]


def written(name: str, arguments: str, body: str, **metadata: Any) -> ReplyCase:
    """A write_file of `a` whose content is `body`."""
    return ReplyCase(
        name,
        write(arguments),
        kind(1, "write_file", body, path="a", **metadata),
        [inv(1, {"path": "a", "content": body, **metadata})],
    )


def ran(name: str, arguments: str, command: str) -> ReplyCase:
    return ReplyCase(name, bash(arguments), kind(1, "run_bash", command), [inv(1, {"command": command})])


def bad_write(
    name: str,
    arguments: str,
    body: str,
    known: dict[str, Any],
    error: Any = SENTENCE,
    late: dict[str, Any] | None = None,
    is_for_all: bool = False,
    **metadata: Any,
) -> ReplyCase:
    """A write_file that is malformed; `known` are the arguments of its invocation."""
    return ReplyCase(
        name,
        write(arguments),
        kind(1, "write_file", body, "malformed", error, late=late, **metadata),
        [inv(1, known)],
        is_for_all=is_for_all,
    )


def cut_write(
    name: str, arguments: str, body: str, known: dict[str, Any], late: dict[str, Any] | None = None, **metadata: Any
) -> ReplyCase:
    """A write_file whose arguments are not whole."""
    return ReplyCase(
        name, write(arguments), kind(1, "write_file", body, "truncated", late=late, **metadata), [inv(1, known)]
    )


ALL_KINDS = [
    ReplyCase(
        "write_file: the path is in START, the content is decoded",
        write(r'{"path": "src/a.py", "content": "x = \"1\"\n"}'),
        kind(1, "write_file", 'x = "1"\n', path="src/a.py"),
        [inv(1, {"path": "src/a.py", "content": 'x = "1"\n'})],
    ),
    ReplyCase(
        "patch_file: the path is in START, the patch is decoded",
        [Call("patch_file", r'{"path": "a.py", "patch": "@@ -1 +1 @@\n-a\n+b\n"}')],
        kind(1, "patch_file", "@@ -1 +1 @@\n-a\n+b\n", path="a.py"),
        [inv(1, {"path": "a.py", "patch": "@@ -1 +1 @@\n-a\n+b\n"})],
    ),
    ReplyCase(
        "run_bash: the command is decoded",
        bash(r'{"command": "echo \"a\" &amp;& ls"}'),
        kind(1, "run_bash", 'echo "a" &amp;& ls'),
        [inv(1, {"command": 'echo "a" &amp;& ls'})],
    ),
    ReplyCase(
        "another tool: the JSON text exactly as it came",
        [Call("get_weather", '{ "city" :"Z\\u00fcrich",\n\t"days":[1, 2.50,{}] }')],
        tool(1, "get_weather", '{ "city" :"Z\\u00fcrich",\n\t"days":[1, 2.50,{}] }'),
        [inv(1, {"city": "Zürich", "days": [1, 2.5, {}]})],
    ),
    ReplyCase(
        "another tool with arguments called path, content and command",
        [Call("read_file", '{"path": "a", "content": "b", "command": "c"}')],
        tool(1, "read_file", '{"path": "a", "content": "b", "command": "c"}'),
        [inv(1, {"path": "a", "content": "b", "command": "c"})],
    ),
    ReplyCase("another tool with an empty object", [Call("f", "{}")], tool(1, "f", "{}"), [inv(1, {})]),
    ReplyCase("another tool with blanks in an empty object", [Call("f", " { } ")], tool(1, "f", " { } "), [inv(1, {})]),
    ReplyCase(
        "a name that only begins like a kind",
        [Call("write_files", '{"path": "a", "content": "b"}')],
        tool(1, "write_files", '{"path": "a", "content": "b"}'),
        [inv(1, {"path": "a", "content": "b"})],
    ),
    ReplyCase(
        "names are matched case-insensitively",
        [Call("Write_File", '{"path": "a", "content": "b"}'), Call("RUN_BASH", '{"command": "ls"}')],
        [
            *kind(1, "write_file", "b", name="Write_File", path="a"),
            *kind(2, "run_bash", "ls", name="RUN_BASH", call_id="c2"),
        ],
        [inv(1, {"path": "a", "content": "b"}, name="write_file"), inv(2, {"command": "ls"}, name="run_bash")],
    ),
    written("an empty body", '{"path": "a", "content": ""}', ""),
    ran("an empty command", '{"command": ""}', ""),
    ReplyCase(
        "an empty path is a path",
        write('{"path": "", "content": "x"}'),
        kind(1, "write_file", "x", path=""),
        [inv(1, {"path": "", "content": "x"})],
    ),
    ReplyCase(
        "a path with escapes",
        write(r'{"path": "d\u00e9\/\"a\".py", "content": "x"}'),
        kind(1, "write_file", "x", path='dé/"a".py'),
        [inv(1, {"path": 'dé/"a".py', "content": "x"})],
    ),
    written("keys with escapes", r'{"p\u0061th": "a", "\u0063ontent": "x"}', "x"),
    written("blanks everywhere", ' \n{ \t"path"\r\n: "a" , "content" :\n"x"\n } \n', "x"),
]

DECLARED = [
    ReplyCase(
        "a tool declared with a kind",
        [Call("create_file", '{"path": "a", "content": "x"}')],
        kind(1, "write_file", "x", name="create_file", path="a"),
        [inv(1, {"path": "a", "content": "x"})],
        {"tools": [ToolSpec("create_file", kind="write_file")]},
    ),
    ReplyCase(
        "a tool declared with a kind and a body",
        [Call("save", '{"content": "no", "path": "a", "text": "x"}')],
        kind(1, "write_file", "x", name="save", content="no", path="a"),
        [inv(1, {"content": "no", "path": "a", "text": "x"})],
        {"tools": [ToolSpec("save", kind="write_file", body="text")]},
    ),
    ReplyCase(
        "a tool declared to patch",
        [Call("edit", '{"diff": "@@", "path": "a"}')],
        kind(1, "patch_file", "@@", name="edit", path="a"),
        [inv(1, {"path": "a", "diff": "@@"})],
        {"tools": [ToolSpec("edit", kind="patch_file", body="diff")]},
    ),
    ReplyCase(
        "a tool declared to run commands",
        [Call("Shell", '{"script": "ls", "path": "/"}')],
        kind(1, "run_bash", "ls", name="Shell", late={"path": "/"}),
        [inv(1, {"script": "ls", "path": "/"}, name="shell")],
        {"tools": [ToolSpec("shell", kind="run_bash", body="script")]},
    ),
    ReplyCase(
        "the missing body is called by its own name",
        [Call("save", '{"path": "a", "content": "x"}')],
        kind(1, "write_file", "", "malformed", "text is missing", name="save", path="a", late={"content": "x"}),
        [inv(1, {"path": "a", "content": "x"})],
        {"tools": [ToolSpec("save", kind="write_file", body="text")]},
    ),
    ReplyCase(
        "write_file that is declared without a kind is one all the same",
        write('{"path": "a", "content": "x"}'),
        kind(1, "write_file", "x", path="a"),
        [inv(1, {"path": "a", "content": "x"})],
        {"tools": [{"name": "write_file", "input_schema": {"type": "object"}}, {"name": "write_file_2"}]},
    ),
    ReplyCase(
        "a declared tool of no kind",
        [Call("f", '{"a": 1}')],
        tool(1, "f", '{"a": 1}'),
        [inv(1, {"a": 1})],
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]},
    ),
]

ORDER = [
    ReplyCase(
        "run_bash: other arguments are late, wherever they stand",
        bash('{"timeout": 5, "command": "ls", "env": {"A": null}}'),
        kind(1, "run_bash", "ls", late={"timeout": 5, "env": {"A": None}}),
        [inv(1, {"timeout": 5, "command": "ls", "env": {"A": None}})],
    ),
    ReplyCase(
        "arguments before the path are metadata, those behind it are late",
        write('{"mode": 420, "path": "a", "x": [true], "content": "b", "y": -1.5e2}'),
        kind(1, "write_file", "b", mode=420, path="a", late={"x": [True], "y": -150.0}),
        [inv(1, {"mode": 420, "path": "a", "x": [True], "content": "b", "y": -150.0})],
    ),
    written("path behind the content: the content is held", r'{"content": "a\nb", "path": "a"}', "a\nb"),
    ReplyCase(
        "path behind the content: what is between is metadata, what follows is late",
        write('{"content": "b", "n": 1, "path": "a", "m": 2}'),
        kind(1, "write_file", "b", n=1, path="a", late={"m": 2}),
        [inv(1, {"content": "b", "n": 1, "path": "a", "m": 2})],
    ),
    ReplyCase(
        "values of all types are JSON values",
        write('{"t": true, "f": false, "n": null, "i": 10, "d": 0.5, "s": "\\n", "l": [], "path": "a", "content": ""}'),
        kind(1, "write_file", "", t=True, f=False, n=None, i=10, d=0.5, s="\n", l=[], path="a"),
        [inv(1, {"t": True, "f": False, "n": None, "i": 10, "d": 0.5, "s": "\n", "l": [], "path": "a", "content": ""})],
    ),
    written(
        "keys of a nested object are not arguments",
        '{"meta": {"path": "no", "content": "no"}, "path": "a", "content": "x"}',
        "x",
        meta={"path": "no", "content": "no"},
    ),
    written(
        "keys of objects in a list are not arguments",
        '{"l": [{"path": "no"}, {"content": "no"}], "path": "a", "content": "x"}',
        "x",
        l=[{"path": "no"}, {"content": "no"}],
    ),
    ReplyCase(
        "nested look-alikes behind the content",
        write('{"path": "a", "content": "x", "m": {"content": "no", "path": "no"}}'),
        kind(1, "write_file", "x", path="a", late={"m": {"content": "no", "path": "no"}}),
        [inv(1, {"path": "a", "content": "x", "m": {"content": "no", "path": "no"}})],
    ),
    written(
        "strings that look like keys and ends",
        r'{"note": "\"path\": \"no\", }]", "path": "a", "content": "{\"path\": \"no\"}}"}',
        '{"path": "no"}}',
        note='"path": "no", }]',
    ),
    written("keys are case-sensitive", '{"Path": "no", "path": "a", "content": "x"}', "x", Path="no"),
    written("an empty key", '{"": 1, "path": "a", "content": "x"}', "x", **{"": 1}),
]

ESCAPES = [
    *[
        written(f"escape {escape}", rf'{{"path": "a", "content": "-{escape}-"}}', f"-{char}-")
        for escape, char in {
            r"\"": '"',
            r"\\": "\\",
            r"\/": "/",
            r"\b": "\b",
            r"\f": "\f",
            r"\n": "\n",
            r"\r": "\r",
            r"\t": "\t",
            r"\u00e9": "é",
            r"\u00E9": "é",
            r"\u0000": "\0",
            r"\u2028": "\u2028",
            r"\uffff": "\uffff",
            r"\ud83d\ude00": "😀",
            r"\uD83D\uDE00\uD83D\uDE01": "😀😁",
        }.items()
    ],
    *[
        written(
            f"lone surrogates stay: {escape}", rf'{{"path": "a", "content": "{escape}"}}', json.loads(f'"{escape}"')
        )
        for escape in (
            r"\ud83d",
            r"\ude00",
            r"\ud83dA",
            r"\ud83d\n",
            r"\ud83d\\u",
            r"\ud83d\u0041",
            r"\ud83d\ud83d\ude00",
            r"\ude00\ud83d",
        )
    ],
    written("backslashes before a quote", r'{"path": "a", "content": "\\\"\\\\"}', '\\"\\\\'),
    written("what looks like an escape behind a backslash", r'{"path": "a", "content": "\\u00e9\\n"}', r"\u00e9\n"),
    written(
        "escapes one behind the other", r'{"path": "a", "content": "\n\t\"\\\u00e9\ud83d\ude00\n"}', '\n\t"\\é😀\n'
    ),
    written("characters that need no escape", '{"path": "a", "content": "é😀\u2028\x7f"}', "é😀\u2028\x7f"),
    written("raw control characters are accepted", '{"path": "a", "content": "a\nb\r\n\tc\0"}', "a\nb\r\n\tc\0"),
    ReplyCase(
        "raw control characters in the path and in another tool",
        [Call("write_file", '{"path": "a\tb", "content": "x"}'), Call("f", '{"a": "1\n2"}')],
        [*kind(1, "write_file", "x", path="a\tb"), *tool(2, "f", '{"a": "1\n2"}', call_id="c2")],
        [inv(1, {"path": "a\tb", "content": "x"}), inv(2, {"a": "1\n2"})],
    ),
    ran("escapes in a command", r'{"command": "echo \"\u00e9\ud83d\ude00\" \\\n  && ls"}', 'echo "é😀" \\\n  && ls'),
    ReplyCase(
        "escapes in what is held until the path comes",
        write(r'{"content": "\u00e9\ud83d\ude00\\", "path": "a"}'),
        kind(1, "write_file", "é😀\\", path="a"),
        [inv(1, {"content": "é😀\\", "path": "a"})],
    ),
    ReplyCase(
        "escapes of another tool stay as they came",
        [Call("f", r'{"a": "\u00e9\ud83d\ude00\n\/"}')],
        tool(1, "f", r'{"a": "\u00e9\ud83d\ude00\n\/"}'),
        [inv(1, {"a": "é😀\n/"})],
    ),
    ReplyCase(
        "a lone surrogate in another tool stays as it came",
        [Call("f", r'{"a": "\ud83d"}')],
        tool(1, "f", r'{"a": "\ud83d"}'),
        [inv(1, {"a": "\ud83d"})],
    ),
]

MALFORMED = [
    bad_write("no content", '{"path": "a"}', "", {"path": "a"}, "content is missing", is_for_all=True, path="a"),
    bad_write("no path", '{"content": "x"}', "x", {"content": "x"}, "path is missing", is_for_all=True),
    bad_write("an empty object is a file without a path", "{}", "", {}, "path is missing", is_for_all=True),
    ReplyCase(
        "no path, but other arguments",
        write('{"n": 1, "content": "x"}'),
        kind(1, "write_file", "x", "malformed", "path is missing", n=1),
        [inv(1, {"n": 1, "content": "x"})],
    ),
    ReplyCase(
        "no patch",
        [Call("patch_file", '{"path": "a", "content": "x"}')],
        kind(1, "patch_file", "", "malformed", "patch is missing", path="a", late={"content": "x"}),
        [inv(1, {"path": "a", "content": "x"})],
    ),
    ReplyCase(
        "no command",
        bash('{"cmd": "ls"}'),
        kind(1, "run_bash", "", "malformed", "command is missing", late={"cmd": "ls"}),
        [inv(1, {"cmd": "ls"})],
    ),
    *[
        bad_write(
            f"content that is no string: {value}",
            f'{{"path": "a", "content": {value}}}',
            "",
            {"path": "a"},
            "content must be a string",
            is_for_all=True,
            path="a",
        )
        for value in ("5", "null", "true", '["x"]', '{"content": "x"}')
    ],
    bad_write(
        "content that is no string before the path",
        '{"content": 5, "path": "a"}',
        "",
        {"path": "a"},
        "content must be a string",
        is_for_all=True,
        path="a",
    ),
    bad_write(
        "a path that is no string",
        '{"path": 5, "content": "x"}',
        "x",
        {"content": "x"},
        "path must be a string",
        is_for_all=True,
    ),
    ReplyCase(
        "a command that is no string",
        bash('{"command": ["ls", "-l"]}'),
        kind(1, "run_bash", "", "malformed", "command must be a string"),
        [inv(1, {})],
    ),
    bad_write(
        "the content twice",
        '{"path": "a", "content": "x", "content": "y"}',
        "x",
        {"path": "a", "content": "x"},
        is_for_all=True,
        path="a",
    ),
    bad_write(
        "the content twice, with the same value",
        '{"path": "a", "content": "x", "content": "x"}',
        "x",
        {"path": "a", "content": "x"},
        is_for_all=True,
        path="a",
    ),
    bad_write(
        "the path twice, with another value",
        '{"path": "a", "content": "x", "path": "b"}',
        "x",
        {"path": "a", "content": "x"},
        is_for_all=True,
        path="a",
    ),
    bad_write(
        "what START shows, once more with another value",
        '{"n": 1, "path": "a", "content": "x", "n": true}',
        "x",
        {"path": "a", "content": "x", "n": 1},
        is_for_all=True,
        path="a",
        n=1,
    ),
    ReplyCase(
        "another argument twice, with the same value",
        write('{"n": [1, {"a": null}], "path": "a", "path": "a", "content": "x", "n": [1,{"a":null}]}'),
        kind(1, "write_file", "x", path="a", n=[1, {"a": None}]),
        [inv(1, {"path": "a", "content": "x", "n": [1, {"a": None}]})],
    ),
]

#: JSON that is broken: the body as far as it came, the rest is swallowed.
BROKEN = [
    *[
        bad_write(
            f"a broken escape: {escape}",
            rf'{{"path": "a", "content": "ab{escape}cd", "n": 1}}',
            "ab",
            {"path": "a", "content": "ab"},
            path="a",
        )
        for escape in (r"\q", r"\x41", r"\u12G4", r"\u 123", "\\\n")
    ],
    bad_write(
        "a broken escape behind half a pair",
        r'{"path": "a", "content": "ab\ud83d\q"}',
        "ab\ud83d",
        {"path": "a", "content": "ab\ud83d"},
        path="a",
    ),
    bad_write("a comma too many", '{"path": "a", "content": "x",}', "x", {"path": "a", "content": "x"}, path="a"),
    bad_write(
        "text behind the content", '{"path": "a", "content": "x" y}', "x", {"path": "a", "content": "x"}, path="a"
    ),
    bad_write(
        "an unescaped quote in the content",
        '{"path": "a", "content": "say "hi""}',
        "say ",
        {"path": "a", "content": "say "},
        path="a",
    ),
    bad_write("no colon", '{"path": "a", "content" "x"}', "", {"path": "a"}, path="a"),
    bad_write("a constant that is no JSON", '{"path": "a", "n": NaN, "content": "x"}', "", {"path": "a"}, path="a"),
    bad_write("single quotes", "{'path': 'a', 'content': 'x'}", "", {}),
    bad_write(
        "a closing bracket that does not fit", '{"path": "a", "n": [1}, "content": "x"}', "", {"path": "a"}, path="a"
    ),
    bad_write("a number that is none", '{"path": "a", "n": 01, "content": "x"}', "", {"path": "a"}, path="a"),
    bad_write(
        "text behind the object", '{"path": "a", "content": "x"} y', "x", {"path": "a", "content": "x"}, path="a"
    ),
    bad_write("a list instead of an object", '["a", "x"]', "", {}),
    bad_write("a key that is no string", '{"path": "a", 5: "x", "content": "y"}', "", {"path": "a"}, path="a"),
]

#: Arguments that are not whole.
CUT = [
    cut_write(
        "cut in the content", '{"path": "a", "content": "x\\ny', "x\ny", {"path": "a", "content": "x\ny"}, path="a"
    ),
    cut_write("cut in an escape", '{"path": "a", "content": "x\\', "x", {"path": "a", "content": "x"}, path="a"),
    cut_write("cut in four digits", '{"path": "a", "content": "x\\u00e', "x", {"path": "a", "content": "x"}, path="a"),
    cut_write("cut behind the content", '{"path": "a", "content": "x"', "x", {"path": "a", "content": "x"}, path="a"),
    cut_write("cut before the content", '{"path": "a", ', "", {"path": "a"}, path="a"),
    cut_write("cut in the path", '{"path": "a', "", {}),
    cut_write("cut in what is held", '{"content": "x', "x", {"content": "x"}),
    cut_write("cut between the two", '{"content": "x", "path"', "x", {"content": "x"}),
    cut_write(
        "cut in a late argument",
        '{"path": "a", "content": "x", "n": 1, "m": "2", "o": 12',
        "x",
        {"path": "a", "content": "x", "n": 1, "m": "2"},
        late={"n": 1, "m": "2"},
        path="a",
    ),
    cut_write("cut behind the first bracket", "{", "", {}),
    ReplyCase(
        "cut in a command",
        bash('{"command": "rm -rf /tmp'),
        kind(1, "run_bash", "rm -rf /tmp", "truncated"),
        [inv(1, {"command": "rm -rf /tmp"})],
    ),
    ReplyCase(
        "another tool, cut",
        [Call("f", '{"a": 1, "b": "2')],
        tool(1, "f", '{"a": 1, "b": "2', "truncated"),
        [inv(1, {"a": 1})],
    ),
    ReplyCase(
        "another tool, cut in its last bracket",
        [Call("f", '{"a": {"b": "}"}')],
        tool(1, "f", '{"a": {"b": "}"}', "truncated"),
        [inv(1, {"a": {"b": "}"}})],
    ),
]

OTHER_TOOLS = [
    ReplyCase(
        "another tool: a list is no object",
        [Call("f", "[1]")],
        tool(1, "f", "[1]"),
        [inv(1, {}, status="malformed", error=SENTENCE)],
    ),
    ReplyCase(
        "another tool: deep, but not too deep",
        [Call("f", '{"a": ' + "[" * 19 + "]" * 19 + "}")],
        tool(1, "f", '{"a": ' + "[" * 19 + "]" * 19 + "}"),
        [inv(1, json.loads('{"a": ' + "[" * 19 + "]" * 19 + "}"))],
        {"config": ParserConfig(limits=Limits(max_depth=20))},
    ),
]

SEQUENCES = [
    ReplyCase("text only", [Text("Hi "), Text("there")], text(1, "Hi there"), []),
    ReplyCase("reasoning only: its end is plain", [Reasoning("H"), Reasoning("m")], reasoning(1, "Hm"), []),
    ReplyCase("reasoning, then text", [Reasoning("Hm"), Text("Hi")], [*reasoning(1, "Hm"), *text(2, "Hi")], []),
    ReplyCase("text, then reasoning", [Text("Hi"), Reasoning("Hm")], [*text(1, "Hi"), *reasoning(2, "Hm")], []),
    ReplyCase(
        "reasoning in two parts",
        [Reasoning("a"), Text("b"), Reasoning("c"), Text("d")],
        [*reasoning(1, "a"), *text(2, "b"), *reasoning(3, "c"), *text(4, "d")],
        [],
    ),
    ReplyCase(
        "reasoning around a call",
        [Reasoning("a"), Call("f", "{}"), Reasoning("b")],
        [*reasoning(1, "a"), *tool(2, "f", "{}"), *reasoning(3, "b")],
        [inv(2, {})],
        behind_reasoning=2,
    ),
    ReplyCase(
        "reasoning, text, two kinds, another tool, text",
        [
            *(Reasoning("Let me"), Text("Sure.\n"), Call("write_file", '{"path": "a", "content": "x"}')),
            *(Call("run_bash", '{"command": "ls"}'), Call("f", '{"a": 1}'), Text("Done.")),
        ],
        [
            *(*reasoning(1, "Let me"), *text(2, "Sure.\n"), *kind(3, "write_file", "x", path="a")),
            *(*kind(4, "run_bash", "ls", call_id="c2"), *tool(5, "f", '{"a": 1}', call_id="c3"), *text(6, "Done.")),
        ],
        [inv(3, {"path": "a", "content": "x"}), inv(4, {"command": "ls"}), inv(5, {"a": 1})],
        behind_reasoning=3,
    ),
    ReplyCase(
        "text between calls",
        [Call("f", "{}"), Text("\n"), Call("f", "{}")],
        [*tool(1, "f", "{}"), *text(2, "\n"), *tool(3, "f", "{}", call_id="c2")],
        [inv(1, {}), inv(3, {})],
    ),
    ReplyCase(
        "held text comes back before a call",
        [Text("a <wri"), Call("f", "{}"), Text("te_file>")],
        [*text(1, "a <wri"), *tool(2, "f", "{}"), *text(3, "te_file>")],
        [inv(2, {})],
    ),
    ReplyCase(
        "held text comes back before reasoning",
        [Text("<thin"), Reasoning("a"), Text("k>b")],
        [*text(1, "<thin"), *reasoning(2, "a"), *text(3, "k>b")],
        [],
    ),
    ReplyCase(
        "a think block goes on behind a call",
        [Text("<think>a"), Call("f", "{}"), Text("b</think>c")],
        [*reasoning(1, "a"), *tool(2, "f", "{}"), *reasoning(3, "b"), *text(4, "c")],
        [inv(2, {})],
    ),
    ReplyCase(
        "a think block goes on behind a call, and its closer comes at once",
        [Text("<think>a"), Call("f", "{}"), Text("</think>c")],
        [*reasoning(1, "a"), *tool(2, "f", "{}"), *text(3, "c")],
        [inv(2, {})],
    ),
    ReplyCase(
        "reasoning while a think block is open stands between its parts",
        [Text("<think>a"), Reasoning("b"), Text("c</think>d")],
        [*reasoning(1, "a"), *reasoning(2, "b"), *reasoning(3, "c"), *text(4, "d")],
        [],
    ),
    ReplyCase(
        "a think block that is open at the end is truncated, reasoning is not",
        [Reasoning("a"), Text("<think>b")],
        [*reasoning(1, "a"), *reasoning(2, "b", "truncated")],
        [],
    ),
    ReplyCase(
        "a think block with a held closer before a call",
        [Text("<think>a</thi"), Call("f", "{}"), Text("nk>b")],
        [*reasoning(1, "a</thi"), *tool(2, "f", "{}"), *reasoning(3, "nk>b", "truncated")],
        [inv(2, {})],
    ),
    ReplyCase(
        "a think block before a call",
        [Text("<think>a</think>"), Call("f", "{}")],
        [*reasoning(1, "a"), *tool(2, "f", "{}")],
        [inv(2, {})],
    ),
    ReplyCase(
        "two calls of the same tool with the same arguments",
        [Call("f", '{"a": 1}'), Call("f", '{"a": 1}')],
        [*tool(1, "f", '{"a": 1}'), *tool(2, "f", '{"a": 1}', call_id="c2")],
        [inv(1, {"a": 1}), inv(2, {"a": 1})],
    ),
    ReplyCase(
        "a malformed call does not disturb the next one",
        [Call("write_file", '{"content": 5}'), Call("run_bash", '{"command": "ls"}')],
        [
            *kind(1, "write_file", "", "malformed", SENTENCE),
            *kind(2, "run_bash", "ls", call_id="c2"),
        ],
        [inv(1, {}), inv(2, {"command": "ls"})],
    ),
]

LIMITS = [
    ReplyCase(
        "more is held than the limit allows: START with what is known, the rest is swallowed",
        write('{"content": "abcdefghijklm", "path": "a"}'),
        kind(1, "write_file", "abcdefgh", "malformed", SENTENCE),
        [inv(1, {"content": "abcdefgh"})],
        {"config": ParserConfig(limits=Limits(max_held=21))},
    ),
    ReplyCase(
        "as much is held as the limit allows",
        write('{"content": "abcdefgh", "path": "a"}'),
        kind(1, "write_file", "abcdefgh", path="a"),
        [inv(1, {"content": "abcdefgh", "path": "a"})],
        {"config": ParserConfig(limits=Limits(max_held=len('{"content": "abcdefgh", "path": "a"}') - 1))},
    ),
    ReplyCase(
        "what is known when the limit is passed",
        write('{"n": 1, "content": "abcdefghijklm", "path": "a"}'),
        kind(1, "write_file", "abcdefgh", "malformed", SENTENCE, n=1),
        [inv(1, {"content": "abcdefgh", "n": 1})],
        {"config": ParserConfig(limits=Limits(max_held=29))},
    ),
    ReplyCase(
        "the body is not held behind its START",
        write('{"path": "a", "content": "abcdefghijklmnopqrstuvwxyz"}'),
        kind(1, "write_file", "abcdefghijklmnopqrstuvwxyz", path="a"),
        [inv(1, {"content": "abcdefghijklmnopqrstuvwxyz", "path": "a"})],
        {"config": ParserConfig(limits=Limits(max_held=20))},
    ),
    ReplyCase(
        "nested as deep as the limit allows",
        write('{"path": "a", "content": "x", "n": [[1]]}'),
        kind(1, "write_file", "x", path="a", late={"n": [[1]]}),
        [inv(1, {"path": "a", "content": "x", "n": [[1]]})],
        {"config": ParserConfig(limits=Limits(max_depth=3))},
    ),
    ReplyCase(
        "nested too deeply",
        write('{"path": "a", "content": "x", "n": [[[1]]]}'),
        kind(1, "write_file", "x", "malformed", SENTENCE, path="a"),
        [inv(1, {"path": "a", "content": "x"})],
        {"config": ParserConfig(limits=Limits(max_depth=3))},
        is_for_all=False,
    ),
    ReplyCase(
        "nested much too deeply",
        write('{"path": "a", "content": "x", "n": [[[[[[1]]]]]]}'),
        kind(1, "write_file", "x", "malformed", SENTENCE, path="a"),
        [inv(1, {"path": "a", "content": "x"})],
        {"config": ParserConfig(limits=Limits(max_depth=3))},
        is_for_all=False,
    ),
    ReplyCase(
        "another tool, nested too deeply",
        [Call("f", '{"a": [[[1]]]}')],
        tool(1, "f", '{"a": [[[1]]]}'),
        [inv(1, {}, status="malformed", error=SENTENCE)],
        {"config": ParserConfig(limits=Limits(max_depth=3))},
    ),
]

REPLIES = [
    *(*ALL_KINDS, *DECLARED, *ORDER, *ESCAPES, *MALFORMED, *BROKEN, *CUT, *OTHER_TOOLS, *SEQUENCES, *LIMITS),
]
