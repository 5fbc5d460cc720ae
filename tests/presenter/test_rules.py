"""Rules: the last that fits decides; several parts, the strictest of them; protected places are asked about."""

from __future__ import annotations

from typing import Any

import pytest

from streamparse import ToolSpec
from streamparse.invocations import ToolInvocation
from streamparse.presenter import Rule, Rules, Tool

PATCH = """--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-a
+b
--- a/{other}
+++ b/{other}
@@ -1 +1 @@
-a
+b
"""


def judge(rules: Rules, name: str, arguments: dict[str, Any], **options: Any) -> tuple[str, str]:
    tool = Tool.of(lambda **_: None, spec=ToolSpec(name), **options)
    judgement = rules.judge(ToolInvocation("seg_1", name, arguments), tool)
    return judgement.verdict, judgement.reason


A, B = {"path": "src/a.py"}, {"path": "lib/b.py"}


@pytest.mark.parametrize(
    ("rules", "name", "arguments", "verdict"),
    [
        # No rule fits: a person is asked.
        ({}, "f", {}, "ask"),
        ({"g": "allow"}, "f", {}, "ask"),
        ({"F": "allow"}, "f", {}, "ask"),
        # By the name.
        ({"f": "allow"}, "f", {}, "allow"),
        ({"*": "allow"}, "f", {}, "allow"),
        ({"read_*": "allow"}, "read_file", {}, "allow"),
        ({"read_*": "allow"}, "reread_file", {}, "ask"),
        ({"f?": "deny"}, "fa", {}, "deny"),
        ({"f?": "deny"}, "f", {}, "ask"),
        ({"f.g": "allow"}, "fxg", {}, "ask"),
        # The last that fits.
        ({"*": "deny", "f": "allow"}, "f", {}, "allow"),
        ({"f": "allow", "*": "deny"}, "f", {}, "deny"),
        ({"f": "deny", "*": "ask"}, "f", {}, "ask"),
        ({"f": "deny", "g": "allow"}, "f", {}, "deny"),
        # By the path.
        ({"f": {"src/**": "allow"}}, "f", A, "allow"),
        ({"f": {"src/**": "allow"}}, "f", B, "ask"),
        ({"f": {"src/*": "allow"}}, "f", A, "allow"),
        ({"f": {"src/*": "allow"}}, "f", {"path": "src/x/a.py"}, "ask"),
        ({"f": {"src/**": "allow"}}, "f", {"path": "src/x/a.py"}, "allow"),
        ({"f": {"src/**": "allow"}}, "f", {"path": "src"}, "ask"),
        ({"f": {"src/**": "allow"}}, "f", {"path": "src/../lib/b.py"}, "ask"),
        ({"f": {"src/**": "allow"}}, "f", {"path": "./src//a.py"}, "allow"),
        ({"f": {"src/**": "allow"}}, "f", {"path": "src/../../x"}, "ask"),
        ({"f": {"**/*.py": "allow"}}, "f", {"path": "a.py"}, "allow"),
        ({"f": {"**/*.py": "allow"}}, "f", A, "allow"),
        ({"f": {"src/**": "allow", "**/a.*": "deny"}}, "f", A, "deny"),
        ({"f": {"**": "allow"}}, "f", A, "allow"),
        ({"f": {"*": "allow"}}, "f", A, "allow"),
        ({"f": {"src/**": "allow"}}, "f", {}, "ask"),
        # Several paths: the strictest.
        ({"f": {"src/**": "allow"}}, "f", {"paths": ["src/a.py", "src/b.py"]}, "allow"),
        ({"f": {"src/**": "allow"}}, "f", {"paths": ["src/a.py", "lib/b.py"]}, "ask"),
        ({"f": {"src/**": "allow", "lib/**": "deny"}}, "f", {"paths": ["src/a.py", "lib/b.py"]}, "deny"),
        ({"f": {"src/**": "allow"}}, "f", {"files": [{"path": "src/a.py"}, {"path": "b"}]}, "ask"),
        ({"f": {"src/**": "allow"}}, "f", {"source": "src/a", "destination": "b"}, "ask"),
        # Patches name their files themselves.
        ({"*": {"src/**": "allow"}}, "patch_file", A | {"patch": PATCH.format(other="src/b.py")}, "allow"),
        ({"*": {"src/**": "allow"}}, "patch_file", A | {"patch": PATCH.format(other="lib/b.py")}, "ask"),
        ({"*": "allow"}, "patch_file", A | {"patch": PATCH.format(other=".env")}, "ask"),
        # Places that are asked about in any case; what is denied stays denied.
        *(
            ({"*": "allow"}, "f", {"path": path}, "ask")
            for path in (
                *(".git", ".git/config", "a/.git/hooks/x", "x/../.git/config", ".GIT/config", ".env", "a/.env"),
                *(".env.local", "a.pem", "x/server.key", ".ssh/id_rsa", "id_ed25519", ".netrc", "/etc/passwd", ".."),
                *("../x", "a/../../x", "~/x", "~root/x", "C:\\x", "c:/x", "..\\x", "a\\..\\..\\x", "\\\\host\\x"),
                *(".git\\config", ".streamparse/log", ".streamparse"),
            )
        ),
        *(({"*": "allow"}, "f", {"path": path}, "allow") for path in (".gitignore", "env", "a.keys", "x/..y", "")),
        ({"*": "deny"}, "f", {"path": ".env"}, "deny"),
        # A folder in which a command runs is a place, too.
        ({"*": "allow"}, "run_bash", {"command": "ls", "cwd": "src"}, "allow"),
        ({"*": "allow"}, "run_bash", {"command": "ls", "cwd": "/etc"}, "ask"),
        ({"*": {"ls": "allow"}}, "run_bash", {"command": "ls", "cwd": "src"}, "allow"),
        # Commands of any tool, also as a list of words.
        ({"*": {"ls": "allow"}}, "shell", {"cmd": "ls -l"}, "allow"),
        ({"*": {"ls": "allow"}}, "shell", {"command": ["ls", "-l"]}, "allow"),
        ({"*": "allow"}, "shell", {"command": ["bash", "-lc", "ls"]}, "ask"),
        ({"*": "allow"}, "run_bash", {"command": None}, "ask"),
    ],
)
def test_the_last_rule_that_fits_decides(rules: Any, name: str, arguments: dict[str, Any], verdict: str) -> None:
    assert judge(Rules(rules), name, arguments)[0] == verdict


@pytest.mark.parametrize(
    ("pattern", "arguments", "fits"),
    [
        ({"url": "https://a.org/**"}, {"url": "https://a.org/x/y"}, True),
        ({"url": "https://a.org/**"}, {"url": "https://a.org.evil/x"}, False),
        ({"url": "https://a.org/**"}, {"url": "https://a.org@evil/x"}, False),
        ({"url": "https://a.org/*"}, {"url": "https://a.org/x/y"}, False),
        ({"url": "*"}, {"url": "any\nthing"}, True),
        ({"url": "*"}, {}, False),
        ({"url": "*", "n": "1"}, {"url": "x", "n": 1}, True),
        ({"url": "*", "n": "1"}, {"url": "x", "n": 2}, False),
        ({"on": "true"}, {"on": True}, True),
        ({"on": "null"}, {"on": None}, True),
        ({"on": '["a"]'}, {"on": ["a"]}, True),
        ({}, {}, True),
    ],
)
def test_rules_by_arguments(pattern: dict[str, str], arguments: dict[str, Any], fits: bool) -> None:
    assert judge(Rules([Rule("allow", "f", pattern)]), "f", arguments)[0] == ("allow" if fits else "ask")


def test_tools_that_only_read() -> None:
    assert judge(Rules(read_only="allow"), "f", {}, is_read_only=True) == ("allow", "it only reads")
    assert judge(Rules(read_only="allow"), "f", {})[0] == "ask"
    assert judge(Rules(read_only="allow"), "f", {"path": ".env"}, is_read_only=True) == ("ask", ".env is protected")
    assert judge(Rules({"f": "deny"}, read_only="allow"), "f", {}, is_read_only=True)[0] == "deny"
    assert judge(Rules(), "f", {}, is_read_only=True) == ("ask", "it only reads")


def test_what_is_protected_can_be_chosen() -> None:
    rules = Rules({"*": "allow"}, protected=["Secret/**"])
    assert judge(rules, "f", {"path": ".env"})[0] == "allow"
    assert judge(rules, "f", {"path": "secret/x"}) == ("ask", "secret/x is protected")


def test_why() -> None:
    rules = Rules([Rule("deny", "f", {"n": "1"}, target="src/**")])
    assert judge(rules, "f", {"path": "src/a", "n": "1"}) == ("deny", "the rule `f src/** n=1` says so")
    assert judge(rules, "f", {"path": "/x"}) == ("ask", "/x lies outside of the working directory")


def test_a_reason_can_be_shown_anywhere() -> None:
    assert judge(Rules(), "f", {"path": "/x\x1b[2K\n"})[1] == "/x\\x1b[2K\\n lies outside of the working directory"
    assert judge(Rules({"f": {"a\n": "deny"}}), "f", {"path": "a\n"})[1] == "the rule `f a\\n` says so"


@pytest.mark.parametrize(
    "name", ["notebook_path", "filePath", "fileName", "new_file", "outputDir", "PATHS", "base-dir"]
)
def test_arguments_that_are_paths_by_their_names(name: str) -> None:
    rules = Rules({"*": "allow"})
    is_path = name != "PATHS"
    assert judge(rules, "f", {name: ".env"})[0] == ("ask" if is_path else "allow")
    assert judge(rules, "f", {"edits": [{"text": ".env"}, {name: [".env"]}]})[0] == ("ask" if is_path else "allow")
    assert judge(rules, "f", {"edits": [{name: {"text": ".env", 1: 2}}]})[0] == "allow"


def test_paths_may_lie_deep() -> None:
    deep: object = ".env"
    for _ in range(100_000):
        deep = [deep]
    assert judge(Rules({"*": "allow"}), "f", {"paths": deep})[0] == "ask"
    while isinstance(deep, list):
        deep = deep[0]


def test_an_editor_whose_command_is_a_choice_runs_none() -> None:
    schema = {"properties": {"command": {"enum": ["view", "create"]}, "path": {"type": "string"}}}
    tool = Tool.of(lambda **_: None, spec=ToolSpec("edit", schema))
    rules = Rules({"edit": {"src/**": "allow"}})
    call = ToolInvocation("seg_1", "edit", {"command": "view", "path": "src/a.py"})
    assert rules.judge(call, tool).verdict == "allow"


def test_a_verdict_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="a rule says 'allow', 'ask' or 'deny', not 'yes'"):
        Rules({"f": "yes"})  # type: ignore[dict-item]


def test_a_person_decides_for_all_calls_of_a_tool() -> None:
    rules = Rules({"f": "deny"})
    tool = Tool.of(lambda **_: None, spec=ToolSpec("f"))
    rules.remember(ToolInvocation("seg_1", "f", {"path": "a"}), tool, is_allowed=True)
    assert rules.rules[1:] == [Rule("allow", "f", is_exact=True)]
    assert judge(rules, "f", {"path": "b"})[0] == "allow"
    assert judge(rules, "f", {"path": ".env"})[0] == "ask"


def test_a_name_that_looks_like_a_pattern_is_a_name() -> None:
    rules = Rules()
    tool = Tool.of(lambda **_: None, spec=ToolSpec("*"))
    rules.remember(ToolInvocation("seg_1", "*", {}), tool, is_allowed=True)
    assert rules.judge(ToolInvocation("seg_2", "*", {}), tool).verdict == "allow"
    assert judge(rules, "f", {})[0] == "ask"


def test_a_patch_is_about_all_files_that_it_names_in_whatever_words() -> None:
    def patch_file(patch: str, path: str = "") -> str:
        raise AssertionError

    rules, tool = Rules({"*": "allow"}), Tool.of(patch_file)
    block = "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n"
    move = "diff --git a/a b/.env\nsimilarity index 100%\nrename from a\nrename to .env\n"
    for patch in (f".env\n{block}", f"a\n{block}\n.env\n{block}", move):
        call = ToolInvocation("seg_1", "patch_file", {"patch": patch})
        judgement = rules.judge(call, tool)
        assert (judgement.verdict, judgement.reason) == ("ask", ".env is protected")
    assert rules.judge(ToolInvocation("seg_1", "patch_file", {"patch": f"a\n{block}"}), tool).verdict == "allow"
