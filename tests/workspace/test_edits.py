"""What a person is shown before a call runs is what the call does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from streamparse.diff import FileChange
from streamparse.invocations import ToolInvocation
from streamparse.workspace import Files
from streamparse.workspace.edits import changes_of
from streamparse.workspace.texts import Texts
from tests.directory.trees import fill, look
from tests.workspace.kit import told
from tests.workspace.test_files import BLOCK, CODEX, UNIFIED

FILES = {"a.py": b"x = 1\n", "src/a.py": b"x = 1\n", "binary": b"a\0b"}


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is not waited for."""
    monkeypatch.setattr(os, "fsync", int)


def changed(path: str, before: str | None = "x = 1\n", after: str | None = "x = 2\n") -> FileChange:
    return FileChange(path, before, after)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("write_file", {"path": "a.py", "content": "x = 2\n"}, [changed("a.py")]),
        ("write_file", {"path": "new/b.py", "content": "x = 2\n"}, [changed("new/b.py", None)]),
        ("write_file", {"path": "a.py", "content": "x = 1\n"}, []),
        ("write_file", {"path": "../a.py", "content": "x = 2\n"}, []),
        ("write_file", {"path": "binary", "content": "x = 2\n"}, []),
        ("write_file", {"path": "src", "content": "x = 2\n"}, []),
        ("patch_file", {"path": "src/a.py", "patch": BLOCK}, [changed("src/a.py")]),
        ("patch_file", {"path": "./src/a.py", "patch": BLOCK}, [changed("src/a.py")]),
        ("patch_file", {"path": "src/a.py", "patch": UNIFIED.format("src/a.py")}, [changed("src/a.py")]),
        # A patch that calls the file by its last name is for the file that the call names.
        ("patch_file", {"path": "src/a.py", "patch": UNIFIED.format("a.py")}, [changed("src/a.py")]),
        ("patch_file", {"path": "src/a.py", "patch": CODEX.format("a.py")}, [changed("src/a.py")]),
        ("patch_file", {"patch": UNIFIED.format("a.py")}, [changed("a.py")]),
        ("patch_file", {"path": "", "patch": UNIFIED.format("src/a.py")}, [changed("src/a.py")]),
        ("patch_file", {"path": "src/a.py", "patch": UNIFIED.format("c.py")}, []),
        ("patch_file", {"path": "a.py", "patch": UNIFIED.format("src/a.py")}, []),
        ("patch_file", {"path": "a.py", "patch": BLOCK.replace("x = 1", "y = 1")}, []),
        ("patch_file", {"path": "a.py", "patch": " \n"}, []),
    ],
)
async def test_it_is_what_the_call_does(
    tmp_path: Path, name: str, arguments: dict[str, Any], expected: list[FileChange]
) -> None:
    fill(tmp_path, FILES)
    before = look(tmp_path)
    shown = changes_of(Texts(tmp_path), ToolInvocation("1", name, arguments))
    assert list(shown) == expected
    assert look(tmp_path) == before
    await told(getattr(Files(tmp_path), name), **arguments)
    after = {path: (tmp_path / path).read_text() for path in {change.path for change in shown}}
    assert after == {change.path: change.after for change in shown}
    assert look(tmp_path).keys() - before.keys() == ({"new", "new/b.py"} if "new/b.py" in after else set())
    untouched = before.keys() - after.keys() - {"src"}
    assert {path: look(tmp_path)[path] for path in untouched} == {path: before[path] for path in untouched}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("run_bash", {"command": "ls"}),
        ("write_file", {"path": "a.py"}),
        ("write_file", {"path": 1, "content": "x"}),
        ("patch_file", {"path": "a.py"}),
        ("patch_file", {"path": 1, "patch": BLOCK}),
    ],
)
def test_other_calls_change_no_file_that_is_known(tmp_path: Path, name: str, arguments: dict[str, Any]) -> None:
    assert list(changes_of(Texts(fill(tmp_path, FILES)), ToolInvocation("1", name, arguments))) == []
