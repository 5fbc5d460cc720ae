"""No path leads out of a tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from streamparse.diff import apply_to_tree
from streamparse.directory.directory import Directory
from streamparse.directory.file_change import FileChange
from streamparse.directory.paths import names_of
from streamparse.errors import TreeError, shorten
from tests.directory.escapes import ESCAPES, HARMLESS
from tests.directory.trees import fill, look


@pytest.mark.parametrize(("path", "reason"), ESCAPES)
def test_what_is_not_in_a_tree_is_neither_read_nor_written(tmp_path: Path, path: str, reason: str) -> None:
    root = fill(tmp_path / "outer" / "tree", {"a": b"a\n", ".git/config": b"own\n"})
    fill(tmp_path / "outer", {"a": b"outside\n", "b": b"outside\n"})
    before = look(tmp_path)
    directory = Directory(root)
    complaint = f"{path or 'an empty path'} is not in this tree: {reason}"
    for attempt in (
        lambda: names_of(path),
        lambda: directory.read(path),
        lambda: directory.encoding_of(path),
        lambda: directory.write([FileChange(path, None, "x")]),
        lambda: directory.write([FileChange(path, "a\n", "x")]),
        lambda: directory.write([FileChange(path, "outside\n", None)]),
        lambda: directory.write([FileChange("a", "a\n", None), FileChange(path, "outside\n", None)]),
        lambda: directory.write([FileChange("a", "a\n", "a\n", moved_to=path or "..")]),
    ):
        with pytest.raises(TreeError) as failure:
            attempt()
        assert complaint in str(failure.value) or not path
    assert look(tmp_path) == before


@pytest.mark.parametrize(("path", "kind"), [(Path("a"), type(Path("a")).__name__), (b"a", "bytes"), (None, "NoneType")])
def test_a_path_in_a_tree_is_a_str(tmp_path: Path, path: Any, kind: str) -> None:
    for attempt in (
        lambda: names_of(path),
        lambda: Directory(tmp_path).read(path),
        lambda: Directory(tmp_path).is_executable(path),
        lambda: apply_to_tree({path: "x"}, "a\n"),
    ):
        with pytest.raises(TypeError, match=f"^a path in a tree must be a str with `/` between its names, not {kind}$"):
            attempt()


def test_changes_are_a_list_of_what_may_be_changed(tmp_path: Path) -> None:
    change = FileChange("a", None, "x")
    for changes in (change, {"a": change}, [None], [change, ("b", None, "x")]):
        with pytest.raises(TypeError, match=r"^changes must be a list of FileChange, not "):
            Directory(tmp_path).write(changes)  # type: ignore[arg-type]
    for strange in ((Path("a"), None, "x"), ("a", b"", "x"), ("a", None, b"x"), ("a", None, "x", b"b")):
        with pytest.raises(TypeError, match=r"<class 'str'>"):
            FileChange(*strange)  # type: ignore[arg-type]
    assert look(tmp_path) == {}


@pytest.mark.parametrize(("path", "names"), HARMLESS)
def test_what_is_only_similar_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, names: list[str]
) -> None:
    monkeypatch.setattr(os, "fsync", int)
    assert names_of(path) == names
    directory = Directory(tmp_path)
    assert directory.read(path) is None
    directory.write([FileChange(path, None, "x")])
    assert (directory.read(path), tmp_path.joinpath(*names).read_text()) == ("x", "x")
    assert list(directory.paths()) == ["/".join(names)]


def test_a_backslash_is_no_part_of_a_name_where_it_separates_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sep", "\\")
    with pytest.raises(TreeError, match="write `/` between names"):
        names_of("a\\b")
    assert names_of("a/b") == ["a", "b"]


def test_long_paths_are_shown_in_part() -> None:
    with pytest.raises(TreeError) as failure:
        names_of(f"/{'a' * 1000}")
    assert str(failure.value) == f"/{'a' * 79}… is not in this tree: paths begin at the root of the tree"


def test_a_path_that_the_system_would_not_find_is_none(tmp_path: Path) -> None:
    assert len(names_of("/".join(["d" * 250] * 11 + ["é" * 119 + "a"]))) == 12
    for path, reason in (
        ("/".join(["d" * 250] * 11 + ["é" * 120]), "it has more than 3000 bytes"),
        ("a/" + "b" * 256, "a name in it has more than 255 bytes"),
        ("b" * 253 + "あ/a", "a name in it has more than 255 bytes"),
    ):
        with pytest.raises(TreeError) as failure:
            names_of(path)
        assert str(failure.value) == f"{shorten(path)} is not in this tree: {reason}"
        [failed] = apply_to_tree(tmp_path, f"*** Add File: {path}\n+x\n", write=True).failures
        assert (failed.reason, failed.message.endswith(reason)) == ("no_file", True)
    assert look(tmp_path) == {}


def test_a_path_with_very_many_names_is_none() -> None:
    assert len(names_of("d/" * 199 + "f")) == 200
    with pytest.raises(TreeError, match=r"is not in this tree: it has more than 200 names\Z"):
        names_of("d/" * 200 + "f")
