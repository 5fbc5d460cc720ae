"""Command lines: every one that could run something else than what a rule allows is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from streamparse import deferred
from streamparse.invocations import ToolInvocation
from streamparse.presenter import Rule, Rules, Tool
from streamparse.presenter.commands import Command, _parser, split_commands

TABLE = [
    (line.split()[0], line[7:].encode("latin-1").decode("unicode_escape"))
    for line in (Path(__file__).parent / "commands.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
ALLOWED = [
    *("git status", "git log", "git grep", "git commit -m 'a b'", "ls", "echo", "cat", "grep", "head", "wc", "find"),
    *("sort", "sed", "fd", "rg", "tar", "printf", "test", "true", "pytest", "time", "env", "bash", "xargs", "awk"),
]
RULES = {"run_bash": {**dict.fromkeys(ALLOWED, "allow"), "rm": "deny"}}
BASH = Tool.of(lambda command: command, name="run_bash")


def judge(rules: Rules, command: str) -> str:
    return rules.judge(ToolInvocation("seg_1", "run_bash", {"command": command}), BASH).verdict


@pytest.mark.parametrize(("verdict", "line"), TABLE, ids=[repr(line) for _, line in TABLE])
def test_a_line_of_the_table(verdict: str, line: str) -> None:
    assert judge(Rules(RULES), line) == verdict  # type: ignore[arg-type]


def test_the_table_is_long() -> None:
    assert len(TABLE) > 200
    assert {verdict for verdict, _ in TABLE} == {"allow", "ask", "deny"}


def test_what_is_doubtful_is_asked_about_even_if_everything_may_run() -> None:
    everything = Rules({"run_bash": "allow"})
    assert judge(everything, "make && rm x") == "allow"
    asked = [line for verdict, line in TABLE if verdict == "ask" and judge(everything, line) == "allow"]
    assert all(split_commands(line) for line in asked)
    assert [judge(everything, line) for line in ("bash -c ls", "ls > x", "eval ls", "ls 'x", "$x")] == ["ask"] * 5
    assert judge(Rules({"run_bash": {"*": "allow"}}), "make") == "allow"


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("cd src && grep -r x . | head", [("cd", "src"), ("grep", "-r", "x", "."), ("head",)]),
        ("echo 'a b' \"c d\" e\\ f", [("echo", "a b", "c d", "e f")]),
        ("echo $(ls -l)", [("echo",), ("ls", "-l")]),
        ("ls 2 3", [("ls", "2", "3")]),
        ('echo "a\\"b"', [("echo",)]),
        ("# nothing", []),
    ],
)
def test_the_words_of_a_line(line: str, commands: list[tuple[str, ...]]) -> None:
    found = split_commands(line)
    assert found is not None
    assert [command.words for command in found] == commands


def test_why_a_command_is_doubtful() -> None:
    lines = ["ls > x", "x=1 ls", "bash -c ls", "$x", "[[ a ]]", "sort -o x y"]
    assert [command.doubt for line in lines for command in split_commands(line) or ()] == [
        "it redirects input or output",
        "it sets a variable, on which may depend what runs",
        "bash runs what its arguments say",
        "which program it runs is only known when it runs",
        "sort may do something else, too, by what its arguments say",
    ]
    assert split_commands("ls; [[ a ]]") == [
        Command(("ls",), "it has something in it whose effect is not known (test command)")
    ]


@pytest.fixture
def no_grammar(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def load(module: str, name: str) -> object:
        raise ImportError(module)

    monkeypatch.setattr(deferred, "load", load)
    _parser.cache_clear()
    yield
    _parser.cache_clear()


@pytest.mark.usefixtures("no_grammar")
def test_without_the_grammar_every_command_is_asked_about() -> None:
    assert split_commands("git status") is None
    assert judge(Rules(RULES), "git status") == "ask"  # type: ignore[arg-type]
    assert judge(Rules({"run_bash": "deny"}), "git status") == "deny"


# -- what a person always allows ---------------------------------------------------------------------------------------


def after(line: str, is_allowed: bool = True) -> Rules:
    rules = Rules({"run_bash": {"make": "allow"}} if not is_allowed else ())
    rules.remember(ToolInvocation("seg_1", "run_bash", {"command": line}), BASH, is_allowed)
    return rules


def test_the_same_command_is_allowed_from_now_on_and_no_other() -> None:
    rules = after("git commit -m 'a b'")
    assert rules.rules == [Rule("allow", "run_bash", target="git commit -m 'a b'", is_exact=True)]
    assert judge(rules, "git  commit -m 'a b'") == "allow"
    for other in ("git commit -m 'a b' --amend", "git commit -m a b", "git commit", "git commit -m 'a b' $x"):
        assert judge(rules, other) == "ask"


@pytest.mark.parametrize("line", ["$x", "git $x", "ls 'x", "", "ls ${x}", "`make`"])
def test_what_is_not_certain_is_not_remembered(line: str) -> None:
    rules = after(line)
    assert judge(rules, "ls -l") == "ask"
    assert judge(rules, "git push") == "ask"
    assert all(rule.target == "make" for rule in rules.rules)


def test_each_command_of_a_line_is_allowed_but_none_of_several_is_forbidden() -> None:
    assert judge(after("ls -l && wc x"), "wc x | ls -l") == "allow"
    assert judge(after("ls > x"), "ls > x") == "ask"
    assert judge(after("make", is_allowed=False), "make") == "deny"
    assert judge(after("make", is_allowed=False), "make all") == "allow"
    assert judge(after("make && ls", is_allowed=False), "make") == "allow"


# -- rules that do not allow -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        ("deny", "git push"),
        ("deny", "git push -f"),
        ("ask", "/usr/bin/git push"),
        ("ask", "GIT push"),
        ("ask", "git --no-pager push"),
        ("ask", "git -P push origin"),
        ("ask", "npm run $x"),
        ("ask", "npm pub*"),
        ("ask", "npm --silent publish"),
        ("allow", "npm run publish-docs"),
        ("allow", "git log"),
        ("allow", "echo git push"),
        ("deny", "rm x"),
        ("ask", "/bin/rm x"),
        ("ask", "./rm x"),
        ("allow", "rmdir x"),
    ],
)
def test_a_command_that_a_rule_may_forbid_is_asked_about(verdict: str, line: str) -> None:
    rules = Rules({"run_bash": {"*": "allow", "git push": "deny", "npm publish": "deny", "rm": "deny", "": "deny"}})
    assert judge(rules, line) == verdict


def test_what_may_be_forbidden_can_be_allowed_by_a_later_rule() -> None:
    rules = Rules({"run_bash": {"git push": "ask", "git --no-pager push": "allow"}})
    assert judge(rules, "git --no-pager push") == "allow"
    reasons = [
        rules.judge(ToolInvocation("seg_1", "run_bash", {"command": "/bin/git push"}), tool).reason
        for rules, tool in (
            (Rules({"*": "allow", "run_bash": {"git push": "deny"}}), BASH),
            (Rules({"run_bash": {"git push": "deny"}}, read_only="allow"), evolve(BASH, is_read_only=True)),
            (Rules({"run_bash": {"git push": "deny"}}, read_only="allow"), BASH),
        )
    ]
    assert reasons == [*["it may be what the rule `run_bash git push` is about"] * 2, "no rule allows it"]


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        ("allow", "git status -s"),
        ("ask", "git config alias.status '!make'"),
        ("ask", "git -P submodule foreach make"),
        ("ask", "git bisect run make"),
        ("ask", "git clone --upload-pack=make x"),
        ("allow", "make test"),
        ("ask", "make test SHELL=./x"),
        ("ask", "make test X:=1"),
        ("ask", "make -kf x test"),
        ("ask", "make --eval=x test"),
        ("allow", "go test ./..."),
        ("ask", "go test -exec=x ./..."),
        ("ask", "go vet --vettool=x"),
        ("ask", "split --filter=make x"),
        ("ask", "shuf -eo x a"),
        ("ask", "tree -o x"),
        ("ask", "zip -TT make x y"),
        ("ask", "bat --pager=make x"),
        ("ask", "wait -np PATH"),
        ("ask", "valgrind ls"),
    ],
)
def test_options_of_programs_that_may_do_everything_else(verdict: str, line: str) -> None:
    assert judge(Rules({"run_bash": {"*": "allow"}}), line) == verdict


def test_a_path_with_a_quote_is_no_command() -> None:
    rules = Rules([Rule("deny", target="it's/**"), Rule("allow", "run_bash", target="ls")])
    assert (judge(rules, "ls"), judge(rules, "make")) == ("allow", "ask")


def test_a_rule_without_words_fits_no_command() -> None:
    assert judge(Rules({"run_bash": {"": "allow"}}), "ls") == "ask"
