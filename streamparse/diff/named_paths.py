"""Which files a diff names.

patch_paths(text)     the files of a patch, by the path of each part: one of these is the `path` of `apply_patch`
makes_file(text)      whether one of them is new, so that there need not be such a file
named_paths(text)     all paths that a diff of any kind may touch, as it writes them: what must be allowed beforehand
"""

from __future__ import annotations

from functools import partial

from streamparse.diff.patch_reader import parts_of
from streamparse.diff.tree import apply_to_tree


def patch_paths(patch: str) -> list[str]:
    """The files that a patch is about, each once."""
    sections, _ = parts_of(patch)
    return [path for path in dict.fromkeys(section.path for section in sections) if path]


def makes_file(patch: str) -> bool:
    """Whether a patch says that a file is new."""
    sections, _ = parts_of(patch)
    return any(section.is_new for section in sections)


def named_paths(text: str) -> list[str]:
    """Every path that a diff of any kind, applied to a tree, may touch; of a file that is moved, both.

    They are as the diff writes them. In a tree that can be listed, one may be the end of the path that it stands for:
    who allows by these paths compares them with those of the changes.
    """
    asked: list[str] = []

    def look(answer: str | None, path: str) -> str | None:
        asked.append(path)
        return answer

    for answer in (None, ""):  # whether there is such a file decides what is asked next
        result = apply_to_tree(partial(look, answer), text)
        for file in result.files:
            asked += (file.path, file.moved_to or "")
        asked += (event.moved_to for event in result.events if event.moved_to)  # also where it may not go
    return [path for path in dict.fromkeys(asked) if path]
