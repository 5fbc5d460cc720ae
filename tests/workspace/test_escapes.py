"""No path of a model leads out of the root: a table of paths for all tools that take one, and swaps meanwhile."""

from __future__ import annotations

import ast
import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from streamparse.errors import TreeError
from streamparse.workspace import Files, Listing
from tests.directory.trees import fill, look
from tests.workspace.kit import first_on_path, program, told

TABLE = [
    (ast.literal_eval(path), of_files.strip(), of_folders.strip())
    for line in Path(__file__).with_name("escapes.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for path, of_files, of_folders in [line.rsplit("|", 2)]
]
REASONS = {
    "up": "is not in this tree: `..` may lead out of it",
    "elsewhere": "is not in this tree: paths begin at the root of the tree",
    "folder": "is not in this tree: it names a folder",
    "nul": "is not in this tree: it has a NUL in it",
    "reserved": "is not in this tree: what is in .git and .streamparse-journal is not for edits",
    "name": "is not in this tree: it cannot be the name of a file here",
    "link": "is a symbolic link, and no path leads through one",
}
SECRET = b"SECRET\n"
BLOCK = "------- SEARCH\n=======\nnew\n+++++++ REPLACE\n"


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for, and there is no ripgrep."""
    monkeypatch.setattr(os, "fsync", int)
    places = [place for place in os.environ["PATH"].split(os.pathsep) if not (Path(place) / "rg").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(places))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with links to all sides, beside things that are nobody's business."""
    fill(tmp_path, {"secret.txt": SECRET, "outside/secret.txt": SECRET, "outside/a.txt": SECRET})
    root = fill(tmp_path / "root", {"a.txt": b"text\n", "sub/deep.txt": b"text\n", ".git/config": SECRET})
    fill(root, {".git/hooks/pre-commit": SECRET, "sub/.git/config": SECRET})
    for name, target in [
        ("out", "../outside"),
        ("sub/out", "../../outside"),
        ("out.txt", "../outside/secret.txt"),
        ("absolute", "/etc"),
        ("proc", "/proc/self/root"),
        ("loop", "loop"),
        ("dangling", "../nowhere"),
        ("inner", "sub"),
        ("dot", "."),
    ]:
        (root / name).symlink_to(target)
    return root


def test_the_table_is_long_enough() -> None:
    outward = {path for path, of_files, _ in TABLE if of_files in REASONS}
    assert len(outward) >= 60
    assert len(TABLE) == len({path for path, *_ in TABLE}) >= 90


def others(root: Path) -> dict[str, object]:
    """What no tool may change."""
    return {path: data for path, data in look(root.parent).items() if not path.startswith("root/") or ".git/" in path}


@pytest.mark.parametrize(("path", "of_files", "of_folders"), TABLE)
async def test_every_tool_gives_its_verdict(root: Path, path: str, of_files: str, of_folders: str) -> None:
    path = path.replace("{root}", str(root))
    before, everything = others(root), look(root)
    files, listing = Files(root), Listing(root)
    said = {
        "read_file": await told(files.read_file, path),
        "list_files": await told(listing.list_files, path),
        "search_files": "" if of_folders == "inside" else await told(listing.search_files, "SECRET|text", path),
        "write_file": await told(files.write_file, path, "new\n"),
        "patch_file": await told(files.patch_file, BLOCK, path) if path else "",
    }
    changed = look(root)
    # In the text of a patch, `//` in the middle of a path is taken for `/`: that may be a folder called `file:`.
    said["patch"] = await told(files.patch_file, f"*** Begin Patch\n*** Add File: {path}\n+new\n*** End Patch\n")
    assert others(root) == before
    for sentence in said.values():
        assert "SECRET" not in sentence
        assert not sentence.startswith("ToolError") or str(root) not in sentence.replace(path, "")
    if of_files in REASONS:
        assert changed == everything
        for tool in ("read_file", "write_file"):
            assert said[tool].startswith("ToolError: "), tool
            assert REASONS[of_files] in said[tool], tool
        if path.rstrip("/") == path != "." and path:
            assert said["patch_file"].startswith("ToolError: ")
            assert REASONS[of_files] in said["patch_file"]
    else:
        assert not said["write_file"].startswith("ToolError: "), said["write_file"]
    if of_folders in REASONS:
        for tool in ("list_files", "search_files"):
            assert said[tool].startswith("ToolError: "), tool
            assert REASONS[of_folders] in said[tool], tool
    elif of_folders == "none":
        assert said["list_files"] == said["search_files"]
        assert said["list_files"].startswith("ToolError: There is no ")
    elif of_folders == "root":
        assert said["search_files"] == "a.txt:1:text\nsub/deep.txt:1:text"


# --- swaps between check and use


@contextmanager
def swapping(root: Path) -> Iterator[None]:
    """`sub` is a folder of the root and a link to one outside by turns, as fast as possible."""
    is_over = threading.Event()

    def swap() -> None:
        while not is_over.is_set():
            for action, names in (
                (os.rename, (root / "sub", root / "away")),
                (os.symlink, ("../outside", root / "sub")),
                (os.unlink, (root / "sub",)),
                (os.rename, (root / "away", root / "sub")),
            ):
                with suppress(OSError):  # a file that is written meanwhile may have made the folder anew
                    action(*names)  # type: ignore[operator]

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@pytest.fixture
def swapped(tmp_path: Path) -> Path:
    fill(tmp_path / "outside", {"deep.txt": SECRET, "more/deep.txt": SECRET, "unseen.txt": SECRET})
    return fill(tmp_path / "root", {"sub/deep.txt": b"text\n", "sub/more/deep.txt": b"text\n"})


def use(root: Path) -> str:
    """All tools that open files in this process, once; what they say."""

    async def run() -> str:
        try:
            files, listing = Files(root), Listing(root)
        except TreeError as error:  # the last change was interrupted, and there is a link where it is to be undone
            return str(error)
        return "\n".join(
            [
                await told(files.read_file, "sub/deep.txt"),
                await told(listing.list_files),
                await told(files.write_file, "sub/new/deep.txt", "new\n"),
                await told(files.patch_file, "*** Begin Patch\n*** Delete File: sub/unseen.txt\n*** End Patch\n"),
            ]
        )

    return asyncio.run(run())


def test_a_folder_that_is_a_link_by_turns_leads_nowhere(swapped: Path) -> None:
    outside = look(swapped.parent / "outside")
    with swapping(swapped):
        said = "".join(use(swapped) for _ in range(20))
    assert "SECRET" not in said
    assert "unseen.txt\n" not in said
    assert look(swapped.parent / "outside") == outside


def test_a_folder_that_becomes_a_link_at_any_moment_leads_nowhere(tmp_path: Path) -> None:
    """Before each call of the system that opens, looks or lists, once."""
    moment, count = 0, 1
    said: set[str] = set()
    while moment < count:
        base = tmp_path / str(moment)
        outside = fill(base / "outside", {"deep.txt": SECRET, "more/deep.txt": SECRET, "unseen.txt": SECRET})
        root = fill(base / "root", {"sub/deep.txt": b"text\n", "sub/more/deep.txt": b"text\n"})
        before = look(outside)
        with at_moment(moment, root) as calls:
            said.add(use(root))
        assert look(outside) == before, moment
        moment, count = moment + 1, len(calls)
    assert moment > 60
    assert [one for one in said if "SECRET" in one or "unseen.txt\n" in one] == []


@contextmanager
def at_moment(moment: int, root: Path) -> Iterator[list[str]]:
    """Before the call of that number, `sub` becomes a link."""
    calls: list[str] = []

    def watched(name: str) -> Callable[..., Any]:
        original = getattr(os, name)

        def call(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            if len(calls) == moment + 1:
                os.rename(root / "sub", root / "away")
                os.symlink("../outside", root / "sub")
            return original(*arguments, **options)

        return call

    names = ("open", "lstat", "listdir", "mkdir", "rmdir", "replace", "link", "unlink", "readlink")
    with patch.multiple(os, **{name: watched(name) for name in names}):
        yield calls


async def test_what_a_search_shows_lies_in_the_root_even_if_it_has_looked_elsewhere(
    swapped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ripgrep opens files by their paths: it can be led outside, but what it says is not believed."""
    fill(swapped, {"kept.txt": b"one\ntwo\n"})
    program(
        tmp_path / "bin",
        "rg",
        "mv sub away; ln -s ../outside sub\n"
        "printf 'sub/deep.txt\\0001:SECRET\\nkept.txt\\0002:SECRET\\nkept.txt\\0009:SECRET\\n'\n"
        "printf '../outside/deep.txt\\0001:SECRET\\n/etc/passwd\\0001:SECRET\\nsub\\0001:x\\n'",
    )
    first_on_path(monkeypatch, tmp_path / "bin")
    assert await Listing(swapped).search_files("t") == "kept.txt:2:two"


async def test_no_program_in_the_root_is_run_to_search_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool that only reads is not asked about: it must not run what a model has written."""
    marker = tmp_path / "ran"
    for folder in (root / "bin", root / ".venv/bin", root):
        program(folder, "rg", f"touch {marker}")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/rg").symlink_to(root / "bin/rg")
    first_on_path(monkeypatch, root / "bin", root / ".venv/bin", ".", "", "bin", tmp_path / "linked")
    monkeypatch.chdir(root)
    assert await Listing(root).search_files("text", "a.txt") == "a.txt:1:text"
    assert not marker.exists()
