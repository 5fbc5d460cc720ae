"""list_files and search_files: what is found, what is left out, and what a result looks like."""

from __future__ import annotations

import asyncio
import io
import json
import os
import random
import runpy
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from streamparse import deferred
from streamparse.directory.folder import Folder
from streamparse.errors import MissingExtraError, TreeError
from streamparse.workspace import Listing, listing, search, walk
from streamparse.workspace.finder import main
from tests.directory.trees import fill
from tests.workspace.kit import first_on_path, program, still_running, told

EVERYTHING = r"."
MATCH = "printf '%s\\000%s:\\n'"


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The folders of the PATH. One with ripgrep in it is another, with links to all other programs."""
    found: list[str] = []
    for place in os.environ["PATH"].split(os.pathsep):
        if (Path(place) / "rg").exists():
            others = tmp_path_factory.mktemp("programs")
            for program in Path(place).iterdir():
                if program.name != "rg":
                    (others / program.name).symlink_to(program)
            place = str(others)
        found.append(place)
    return found


@pytest.fixture(autouse=True)
def without_ripgrep(monkeypatch: pytest.MonkeyPatch, places: list[str]) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(places))


def test_the_tools_are_declared_and_only_read(tmp_path: Path) -> None:
    tools = Listing(tmp_path).tools()
    assert [(tool.spec.name, tool.is_read_only, tool.is_async) for tool in tools] == [
        ("list_files", True, True),
        ("search_files", True, True),
    ]


def test_without_pathspec_nothing_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str, name: str) -> None:
        raise ModuleNotFoundError(module)

    monkeypatch.setattr(deferred, "load", missing)
    with pytest.raises(
        MissingExtraError, match=r'^pathspec is not installed: run `pip install "llm-streamparse\[agent\]"`'
    ):
        Listing(tmp_path)


# --- list_files


async def test_folders_come_before_what_is_in_them(tmp_path: Path) -> None:
    fill(tmp_path, {"b": b"", "a/c/d": b"", "a/b": b"", ".hidden": b"", ".git/config": b"", "a/.git": b""})
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    tools = Listing(tmp_path)
    assert (await tools.list_files()).split("\n") == [
        *(".hidden", "a/", "a/b", "a/c/", "a/c/d", "b", "empty/", "link", "pipe"),
    ]
    assert await tools.list_files(recursive=False) == ".hidden\na/\nb\nempty/\nlink\npipe"
    assert await tools.list_files("a") == await tools.list_files("a/") == "a/b\na/c/\na/c/d"
    assert await tools.list_files("a/c/d") == "a/c/d"
    assert await tools.list_files("empty") == "[the folder is empty]"
    assert await tools.search_files("x", "empty") == "[nothing matches]"


@pytest.mark.parametrize(
    ("rules", "files", "expected"),
    [
        ({"": "*.log"}, ["a.log", "a.py", "b/c.log"], [".gitignore", "a.py", "b/"]),
        ({"": "*.log\n!keep.log"}, ["a.log", "keep.log"], [".gitignore", "keep.log"]),
        ({"": "/build/\n"}, ["build/a", "src/build/b"], [".gitignore", "src/", "src/build/", "src/build/b"]),
        ({"": "*.log", "b": "!*.log"}, ["a.log", "b/a.log"], [".gitignore", "b/", "b/.gitignore", "b/a.log"]),
        ({"b": "*.log"}, ["a.log", "b/a.log", "b/c/a.log"], ["a.log", "b/", "b/.gitignore", "b/c/"]),
        ({"": "b/", "b": "!*"}, ["b/a"], [".gitignore"]),
        ({"": "# comment\n\n*.log \n"}, ["a.log"], [".gitignore"]),
        ({"": "!\n\\\n[\na\n"}, ["a", "b"], [".gitignore", "b"]),
        ({"": "**/x/**"}, ["a/x/b", "x/c"], [".gitignore", "a/", "a/x/", "x/"]),
        ({"": "x/**\n!x/keep"}, ["x/a", "x/keep", "x/y/keep"], [".gitignore", "x/", "x/keep"]),
        ({"": ".*\n!.gitignore"}, [".env", "a"], [".gitignore", "a"]),
    ],
)
async def test_what_gitignore_says(
    tmp_path: Path, rules: dict[str, str], files: list[str], expected: list[str]
) -> None:
    fill(tmp_path, dict.fromkeys(files, b""))
    fill(tmp_path, {f"{folder}/.gitignore".lstrip("/"): text.encode() for folder, text in rules.items()})
    assert (await Listing(tmp_path).list_files()).split("\n") == expected


NAMES = ["a", "b", "c", "x.log", "y.py"]
PATTERNS = [
    "a", "b/", "*.log", "/a", "!a", "!*.log", "a/b", "**/b", "a/**", "!a/b", "c/*", "!c/x.log", "*", "!*/",
    "!y.py", "/c/", "a/**/b", "?", "[ab]", "!b/", "b/**", "!b/c", "\\!a", "#", "**", "a/b/", "**/", "!**",
    "!x.log/", "*/b", "c/**/", "/**", "b/**/c", "!**/b",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
async def test_gitignore_says_to_us_what_it_says_to_git(tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(12):
        path = tmp_path.joinpath(*choose.choices(NAMES, k=choose.randint(1, 3)))
        with suppress(OSError):  # where a file is, no folder can be
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
    for folder in [tmp_path, *(path for path in sorted(tmp_path.rglob("*")) if path.is_dir())]:
        if folder == tmp_path or choose.random() < 0.4:
            (folder / ".gitignore").write_text("\n".join(choose.choices(PATTERNS, k=choose.randint(1, 4))))
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    command = ["git", "-C", tmp_path, "ls-files", "--others", "--exclude-standard"]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    found = (await Listing(tmp_path).list_files()).split("\n")
    assert {path for path in found if not path.endswith(("/", "]"))} == set(expected) - {""}


async def test_a_folder_that_is_named_counts_although_it_is_ignored(tmp_path: Path) -> None:
    fill(
        tmp_path, {".gitignore": b"build/\n*.log\n", "build/out/a": b"x\n", "build/b.log": b"x\n", "src/a.log": b"x\n"}
    )
    fill(tmp_path, {"build/out/.gitignore": b"a\n", "src/a.py": b"x\n"})
    tools = Listing(tmp_path)
    assert await tools.list_files() == ".gitignore\nsrc/\nsrc/a.py"
    assert await tools.list_files("build") == "build/b.log\nbuild/out/\nbuild/out/.gitignore"
    assert await tools.list_files("build/out") == "build/out/.gitignore"
    assert await tools.list_files("src") == "src/a.py"
    assert await tools.search_files("x", "src/a.log") == "src/a.log:1:x"


async def test_rules_that_are_no_file_or_too_large_or_would_take_for_ever_are_none(tmp_path: Path) -> None:
    name = "a" * 100
    fill(tmp_path, {f"stars/{name}": b"", "stars/.gitignore": b"*a*a*a*a*a*a*a*a*a*a*a*b\n", "large/a": b""})
    fill(tmp_path, {"folders/" + "a/" * 30 + "c": b"", "folders/.gitignore": b"**/a/**/a/**/a/**/a/**/a/**/a/**/b\n"})
    (tmp_path / "large/.gitignore").write_bytes(b"a\n" * 500_001)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe/.gitignore")
    (tmp_path / "link").mkdir()
    (tmp_path / "link/.gitignore").symlink_to("../large/.gitignore")
    tools = Listing(tmp_path)
    assert await tools.list_files("stars") == f"stars/.gitignore\nstars/{name}"
    assert await tools.list_files("large") == "large/.gitignore\nlarge/a"
    assert await tools.list_files("pipe") == "pipe/.gitignore"
    assert await tools.list_files("link") == "link/.gitignore"
    assert len((await tools.list_files("folders")).split("\n")) == 32


async def test_a_name_is_one_line(tmp_path: Path) -> None:
    fill(tmp_path, {"two\nlines": b"x\n", "esc\x1b[2J": b"x\n", "\u202eback": b"x\n", "\u2028": b"x\n", "é \\": b"x\n"})
    fill(tmp_path, {os.fsdecode(b"caf\xe9"): b"x\n"})
    tools = Listing(tmp_path)
    assert (await tools.list_files()).split("\n") == [
        *("caf\\udce9", "esc\\x1b[2J", "two\\nlines", "é \\", "\\u2028", "\\u202eback"),
    ]
    assert (await tools.search_files("x")).split("\n") == [
        *("esc\\x1b[2J:1:x", "two\\nlines:1:x", "é \\:1:x", "\\u2028:1:x", "\\u202eback:1:x"),
    ]


async def test_many_files_are_listed_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_PATHS", 3)
    fill(tmp_path, dict.fromkeys("abc", b""))
    assert await Listing(tmp_path).list_files() == "a\nb\nc"
    fill(tmp_path, {"d": b"", "e": b""})
    assert await Listing(tmp_path).list_files() == "a\nb\nc\n[more than 3: name a folder]"


async def test_what_takes_too_long_is_listed_in_part_and_not_searched(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"x\n"})
    tools = Listing(tmp_path, seconds=0)
    assert await tools.list_files() == "[after 0 seconds not all was found: name a folder]"
    assert await told(tools.search_files, "x", "a") == (
        "ToolError: The search took too long: name a folder, or a simpler pattern."
    )


async def test_folders_within_folders_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "DEEPEST", 3)
    fill(tmp_path, {"a/" * 6 + "b": b""})
    (tmp_path / "a/loop").symlink_to("..")
    assert await Listing(tmp_path).list_files() == "a/\na/a/\na/a/a/\na/a/a/a/\na/loop"


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), TreeError("it is a link now")])
async def test_a_folder_that_cannot_be_opened_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fill(tmp_path, {"closed/a": b"", "open/a": b""})
    opened = Folder.folder

    def folder(self: Folder, name: str) -> Folder:
        if name == "closed":
            raise error
        return opened(self, name)

    monkeypatch.setattr(Folder, "folder", folder)
    assert await Listing(tmp_path).list_files() == "closed/\nopen/\nopen/a"


async def test_what_goes_away_meanwhile_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a": b"", "b": b""})
    names = Folder.names
    monkeypatch.setattr(Folder, "names", lambda self: [*names(self), "gone"])
    assert await Listing(tmp_path).list_files() == "a\nb"


async def test_a_root_that_is_gone(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    tools = Listing(tmp_path / "root")
    (tmp_path / "root").rmdir()
    assert await told(tools.list_files) == "ToolError: cannot read the root: No such file or directory"


async def test_who_is_cancelled_leaves_no_thread_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {f"{number:03}": b"" for number in range(100)})
    is_begun, may_go_on, seen = threading.Event(), threading.Event(), []
    status = Folder.status

    def slow(self: Folder, name: str) -> os.stat_result | None:
        if name == "000":
            is_begun.set()
            may_go_on.wait()
        seen.append(name)
        return status(self, name)

    monkeypatch.setattr(Folder, "status", slow)
    task = asyncio.create_task(Listing(tmp_path).list_files())
    await asyncio.to_thread(is_begun.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    may_go_on.set()
    await asyncio.to_thread(time.sleep, 0.01)
    assert "099" not in seen


# --- search_files, by both means


@pytest.fixture(params=["python", "ripgrep"])
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ripgrep if there is one, and without."""
    if request.param == "ripgrep":
        if REAL is None:
            pytest.skip("ripgrep is not installed")
        first_on_path(monkeypatch, REAL)


def _real() -> str | None:
    """Where there is a ripgrep; the fixture above takes it off the PATH."""
    places = (os.environ.get("PATH", "") + os.pathsep + os.environ.get("STREAMPARSE_RIPGREP", "")).split(os.pathsep)
    return next((place for place in places if place and (Path(place) / "rg").exists()), None)


REAL = _real()


@pytest.mark.usefixtures("means")
async def test_lines_that_match_with_their_numbers(tmp_path: Path) -> None:
    fill(tmp_path, {
        "b.py": b"def main():\r\n    pass\r\n", "a/c.txt": b"Main\nmain", ".hidden": b"main\n",
        ".git/config": b"main\n", ".gitignore": b"*.log\n", "x.log": b"main\n", "-": b"main\n", "-e": b"main\n",
        "empty": b"",
    })  # fmt: skip
    (tmp_path / "link").symlink_to("b.py")
    os.mkfifo(tmp_path / "pipe")
    tools = Listing(tmp_path)
    assert (await tools.search_files("main")).split("\n") == [
        *("-:1:main", "-e:1:main", ".hidden:1:main", "a/c.txt:2:main", "b.py:1:def main():"),
    ]
    assert await tools.search_files("MAIN", "a", ignore_case=True) == "a/c.txt:1:Main\na/c.txt:2:main"
    assert await tools.search_files("MAIN") == "[nothing matches]"
    assert await tools.search_files(r"^\s+pass$") == "b.py:2:    pass"
    assert await tools.search_files("^$") == "[nothing matches]"
    assert await tools.search_files("-e", "-e") == "[nothing matches]"
    assert await tools.search_files("--", "b.py") == "[nothing matches]"


@pytest.mark.usefixtures("means")
async def test_encodings_and_binary_files(tmp_path: Path) -> None:
    fill(tmp_path, {
        "utf8": "é x\n".encode(), "utf16": "\nxé\n".encode("utf-16"), "latin": b"caf\xe9 x\n", "binary": b"x\n\0",
        "late": b"x\n" * 10 + b"\0", "bom": b"\xef\xbb\xbfx\n",
    })  # fmt: skip
    assert (await Listing(tmp_path).search_files("x")).split("\n") == [
        *("bom:1:\\ufeffx", "latin:1:café x", "utf16:2:xé", "utf8:1:é x"),
    ]


@pytest.mark.usefixtures("means")
async def test_a_line_cannot_pass_for_another_result(tmp_path: Path) -> None:
    fill(tmp_path, {"a": "x\rb:1:y\x0bc:1:z\x85d:1:\u2028e\x1b[2J\tf\n".encode()})
    text = await Listing(tmp_path).search_files("x")
    assert text == "a:1:x\\rb:1:y\\x0bc:1:z\\x85d:1:\\u2028e\\x1b[2J\tf"


@pytest.mark.usefixtures("means")
async def test_a_long_line_is_shown_in_part(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"x" * 1_000_000})
    assert await Listing(tmp_path).search_files("x") == f"a:1:{'x' * 400}…"


@pytest.mark.usefixtures("means")
async def test_no_more_lines_than_anyone_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_BATCH", 2)
    fill(tmp_path, {"a": b"x\n" * 150, "b": b"x\n" * 50})
    tools = Listing(tmp_path)
    assert (await tools.search_files("x")).split("\n")[-1] == "b:50:x"
    fill(tmp_path, {"c": b"x\n" * 300, "d": b"x\n"})
    lines = (await tools.search_files("x")).split("\n")
    assert lines[199:] == ["b:50:x", "[more than 200 lines match]"]


@pytest.mark.usefixtures("means")
async def test_large_files_are_not_searched_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "LARGEST", 10)
    fill(tmp_path, {"large": b"x" * 11, "small": b"x"})
    assert await Listing(tmp_path).search_files("x") == ("small:1:x\n[1 files of more than 10 bytes were not searched]")


@pytest.mark.usefixtures("means")
@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}"])
async def test_what_is_no_pattern(tmp_path: Path, pattern: str) -> None:
    fill(tmp_path, {"a": b"x"})
    assert (await told(Listing(tmp_path).search_files, pattern)).startswith("ToolError: The search failed: ")


@pytest.mark.usefixtures("means")
@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [("a\0", "A pattern cannot have a NUL character in it.")],
)
async def test_what_cannot_be_a_pattern(tmp_path: Path, pattern: str, sentence: str) -> None:
    fill(tmp_path, {"a": b"x"})
    assert await told(Listing(tmp_path).search_files, pattern) == f"ToolError: {sentence}"


async def test_a_pattern_that_takes_for_ever_is_ended(tmp_path: Path) -> None:
    fill(tmp_path, {"a": b"a" * 60})
    tools = Listing(tmp_path, seconds=0.5)
    assert await told(tools.search_files, "(a*)*b") == (
        "ToolError: The search took too long: name a folder, or a simpler pattern."
    )


async def test_who_is_cancelled_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "root", {"a": b"x"})
    program(
        tmp_path / "bin", "rg", f"echo $$ > {tmp_path}/number.new; mv {tmp_path}/number.new {tmp_path}/number; sleep 60"
    )
    first_on_path(monkeypatch, tmp_path / "bin")
    task = asyncio.create_task(Listing(tmp_path / "root").search_files("x"))
    while not (tmp_path / "number").exists():
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await still_running([int((tmp_path / "number").read_text())]) == []
    assert asyncio.all_tasks() == {asyncio.current_task()}


# --- ripgrep


async def test_how_ripgrep_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "root", {"a b": b"x", "-": b"x", ".gitignore": b"c", "c": b"x", "sub/d": b"x"})
    program(tmp_path / "bin", "rg", f"pwd > {tmp_path}/said; printf '%s\\n' \"$@\" >> {tmp_path}/said; exit 1")
    first_on_path(monkeypatch, tmp_path / "bin")
    tools = Listing(tmp_path / "root")
    for ignore_case in (False, True):
        assert await tools.search_files("-x y", ignore_case=ignore_case) == "[nothing matches]"
        assert (tmp_path / "said").read_text().splitlines() == [
            str(tmp_path / "root"),
            *("--no-config", "--no-messages", "--text", "--line-number", "--no-heading", "--with-filename", "--null"),
            *("--color=never", "--crlf", "--max-columns=1", "--max-count=201", "--sort=path"),
            "--ignore-case" if ignore_case else "--case-sensitive",
            *("--regexp=-x y", "--", "./-", "./.gitignore", "./a b", "./sub/d"),
        ]


async def test_ripgrep_is_given_so_many_files_at_once_as_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_BATCH", 10)
    fill(tmp_path / "root", {f"{number:04}": b"x" for number in range(5)})
    program(tmp_path / "bin", "rg", f'while [ "$1" != -- ]; do shift; done; shift; echo $* >> {tmp_path}/said; exit 1')
    first_on_path(monkeypatch, tmp_path / "bin")
    assert await Listing(tmp_path / "root").search_files("x") == "[nothing matches]"
    assert (tmp_path / "said").read_text() == "./0000 ./0001\n./0002 ./0003\n./0004\n"
    assert await Listing(tmp_path / "root").search_files("x", "0003") == "[nothing matches]"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("exit 2", "[nothing matches]"),  # a file could not be opened
        (f"{MATCH} ./a 1; exit 2", "a:1:x"),
        ("echo 'regex parse error' >&2; exit 2", "ToolError: The search failed: regex parse error"),
        ("kill -9 $$", "[nothing matches]"),
        (f"{MATCH} ./a 99", "[nothing matches]"),
        (f"{MATCH} ./a one; {MATCH} ./a 1", "a:1:x"),
        ("printf 'a\\0001'", "a:1:x"),
        (f"rm a; {MATCH} ./a 1", "[nothing matches]"),  # it has gone before its line is read
    ],
)
async def test_what_ripgrep_may_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, expected: str) -> None:
    fill(tmp_path / "root", {"a": b"x\n"})
    program(tmp_path / "bin", "rg", code)
    first_on_path(monkeypatch, tmp_path / "bin")
    assert await told(Listing(tmp_path / "root").search_files, "x") == expected


async def test_a_pattern_that_is_too_long_for_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "root", {"a": b"x\n"})
    program(tmp_path / "bin", "rg", "exit 1")
    first_on_path(monkeypatch, tmp_path / "bin")
    for pattern in ("x" * 200_000, "\ud800"):
        assert await told(Listing(tmp_path / "root").search_files, pattern) == (
            "ToolError: The search could not be started: the pattern is too long, or no text."
        )


# --- the process of Python


def test_the_finder_says_paths_and_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"a": b"x\ny\nx", "b": "x".encode("utf-16")})
    (tmp_path / "link").symlink_to("a")
    monkeypatch.chdir(tmp_path)

    def find(pattern: str, most: int = 9) -> tuple[int, str]:
        asked = {"pattern": pattern, "ignore_case": False, "files": ["a", "b", "link", "gone"], "most": most}
        target = io.StringIO()
        return main(io.StringIO(json.dumps(asked)), target), target.getvalue()

    assert find("x") == (0, "a\x001:\na\x003:\nb\x001:\n")
    assert find("x", most=1) == (0, "a\x001:\n")
    assert find("z") == (1, "")
    assert find("(") == (2, "not a regular expression: missing ), unterminated subpattern at position 0\n")


def test_the_finder_stands_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, {"é": b"X"})
    asked = {"pattern": "x", "ignore_case": True, "files": ["é"], "most": 9}
    target = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(asked)))
    monkeypatch.setattr(sys, "stdout", target)
    with pytest.raises(SystemExit) as ending:
        runpy.run_path(str(Path(search.__file__).with_name("finder.py")), run_name="__main__")
    target.flush()
    assert (ending.value.code, target.buffer.getvalue()) == (0, "é\x001:\n".encode())  # type: ignore[attr-defined]
