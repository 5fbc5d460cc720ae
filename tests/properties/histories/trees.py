"""Whole commits: one text for all files, as git writes it, cut off, and in other words.

case = TREE_KINDS["cut, U3"](pick, commit)
judge_tree(case, result.ok, changed(case.before, result.changes))
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import evolve, frozen

from streamparse.directory.file_change import FileChange
from tests.properties.histories.perturbed import body_of, cut_at, read_cut
from tests.properties.histories.repository import VARIANTS, Commit, File
from tests.properties.histories.rewritten import blocks, v4a
from tests.properties.histories.unified import NO_NEWLINE, Hunk, lines_of, read_section, split_sections
from tests.properties.histories.verdict import Verdict

Tree = Mapping[str, File]

_MARKER = re.compile(r"\s*(={5,}|[<>]{5,}.*|[-+]{5,}.*|`{3,}.*|~{3,}.*)")


@frozen
class TreeCase:
    """What `Case` is for one file."""

    before: Tree
    text: str
    after: Tree
    told: Sequence[Tree] = ()


def changed(before: Tree, changes: Iterable[FileChange]) -> dict[str, File]:
    """The files after all changes at once."""
    tree = dict(before)
    for change in changes:
        tree.pop(change.path, None)
    for change in changes:
        if change.after is not None:
            mode = change.mode or (before[change.path].mode if change.path in before else 0o644)
            tree[change.moved_to or change.path] = File(change.after, mode)
    return tree


def judge_tree(case: TreeCase, ok: bool, tree: Tree) -> Verdict:
    if not ok:
        return Verdict.REFUSED
    if tree == case.after:
        return Verdict.RIGHT
    return Verdict.TOLD if tree in case.told else Verdict.WRONG


def as_git_writes_it(variant: str) -> Callable[[random.Random, Commit], TreeCase]:
    def made(pick: random.Random, commit: Commit) -> TreeCase:
        return TreeCase(commit.before, commit.diffs[variant], commit.after)

    return made


def cut(pick: random.Random, commit: Commit) -> TreeCase:
    """Files whose part is whole are changed; the last is read to the letter, if it can be."""
    text = cut_at(pick, commit.diffs["U3"])
    parts, wholes = split_sections(text), split_sections(commit.diffs["U3"])
    tree = dict(commit.before)
    for path, part, whole in zip(commit.paths, parts, wholes, strict=False):
        before, after = commit.before.get(path), commit.after.get(path)
        is_nothing_removed = before == File("", before.mode if before else 0) and after is None
        is_removal = re.fullmatch(r"diff --git .*\ndeleted file mode \d+\n", part) is not None
        last = lines_of(part)[-1]
        # The remark about the end of the file may lack letters, or be missing behind context, or behind all lines of a
        # file that is removed: the file shows it.
        remark = last if last.startswith("\\ No newline") else ""
        kinds = "\\ -" if after is None else "\\ "
        is_said = part == whole or (last[0] in kinds and part + NO_NEWLINE[len(remark) :] == whole)
        is_whole = part == whole[:-1] or is_said or (is_removal and is_nothing_removed)
        file = after if is_whole else cut_file(before, after, part)
        if file is None and not is_whole:
            return TreeCase(commit.before, text, commit.after)
        tree.pop(path, None)
        if file is not None:
            tree[path] = file
    return TreeCase(commit.before, text, commit.after, [tree])


def cut_file(before: File | None, after: File | None, part: str) -> File | None:
    """What there is in the end if the part for a file is cut off; None if the part says nothing by itself."""
    if after is None:
        return None
    if "@@" not in part:
        is_whole = re.fullmatch(r"diff --git .*\n(old mode \d+\nnew mode \d+|new file mode \d+)\n", part)
        return evolve(before or File(""), mode=after.mode) if is_whole else None
    text = read_cut(before.text if before is not None else "", part)
    return None if text is None else File(text, after.mode)


def is_plain(commit: Commit) -> bool:
    """Other words than git's say nothing about modes, ends of lines and of files, and read names as they are."""
    for path in commit.paths:
        before, after = commit.before.get(path), commit.after.get(path)
        files = [file for file in (before, after) if file is not None]
        if before is not None and after is not None and (before.mode != after.mode or before.text == after.text):
            return False
        if before is None and after is not None and (after.mode != 0o644 or not after.text):
            return False
        if any("\r" in file.text or not file.text.endswith("\n") for file in files):
            return False
    return True


def hunks_of(commit: Commit) -> dict[str, tuple[Hunk, ...]]:
    sections = [read_section(text) for text in split_sections(commit.diffs["U3"])]
    return {path: section.hunks for path, section in zip(commit.paths, sections, strict=True) if section is not None}


def as_begin_patch(pick: random.Random, commit: Commit) -> TreeCase | None:
    if not is_plain(commit):
        return None
    parts = ["*** Begin Patch\n"]
    for path, hunks in hunks_of(commit).items():
        if path not in commit.after:
            parts.append(f"*** Delete File: {path}\n")
        elif path not in commit.before:
            parts += [f"*** Add File: {path}\n", *(f"+{line}" for line in lines_of(commit.after[path].text))]
        else:
            parts += [f"*** Update File: {path}\n", *v4a(pick, hunks)[1:-1]]
    return TreeCase(commit.before, "".join([*parts, "*** End Patch\n"]), commit.after)


def as_blocks(pick: random.Random, commit: Commit) -> TreeCase | None:
    """The name of the file stands before the fence, as aider's models write it. No block removes a file."""
    if not is_plain(commit) or any(path not in commit.after for path in commit.paths):
        return None
    parts = ["This is the change.\n\n"]
    for path, hunks in hunks_of(commit).items():
        lines = [body_of(line.text)[0] for hunk in hunks for line in hunk.lines]
        if any(_MARKER.fullmatch(line) for line in lines):
            return None
        parts += [f"{path}\n```\n{piece}```\n\n" for piece in blocks(pick, hunks) if piece]
    return TreeCase(commit.before, "".join(parts), commit.after)


TREE_KINDS: dict[str, Callable[[random.Random, Commit], TreeCase | None]] = {
    **{f"tree: as git writes it, {variant}": as_git_writes_it(variant) for variant in VARIANTS},
    "tree: cut, U3": cut,
    "tree: v4a": as_begin_patch,
    "tree: blocks": as_blocks,
}
