"""Random repositories of files that are hard to move about: bytes, marks, line ends, modes and odd names.

The texts of `tests/properties/histories` are taken, and get a byte order mark, other line ends, another indentation or
bytes that are no text. A commit edits, moves, exchanges, copies, rewrites, removes and makes files, some of them at
places where a folder was.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from attrs import evolve, frozen

from tests.properties.histories.generated import edited, random_text
from tests.properties.histories.repository import Repository

BOM = "\ufeff".encode()
REGULAR, EXECUTABLE, LINK = 0o100644, 0o100755, 0o120000

NAMES = (
    *("a.py", "src/b.py", "src/deep/c.js", "notes.md", "lib", "lib/x.py", "lib/y/z.py", "run.sh", "e", ".hidden"),
    *("two words.txt", "é.txt", "日本/語.md", 'say "hi".txt', "it's", "tab\there", "😀/x", "-dash", "+plus", "#1.md"),
    *("a/x.txt", "b/x.txt", "x b/x", "dev/null", "i/w", "new file.txt", "a => b", "src/{b => c}.py", "..dots"),
    *("back\\slash", "trail ", " lead", "line\nbreak", "`tick`.md", "*** x", "a", "b", "c\u0327", "ü\u2028x", "old/n"),
)


@frozen
class File:
    """The bytes of a file, and its mode as git has it."""

    content: bytes
    mode: int = REGULAR

    @property
    def is_binary(self) -> bool:
        return b"\0" in self.content

    @property
    def text(self) -> str:
        return self.content.decode(errors="surrogateescape")


Tree = Mapping[str, File]


@frozen
class Commit:
    """The whole tree before it and behind it."""

    name: str
    before: Tree
    after: Tree

    @property
    def touched(self) -> list[str]:
        return sorted(path for path in {*self.before, *self.after} if self.before.get(path) != self.after.get(path))


def random_content(pick: random.Random) -> bytes:
    if pick.random() < 0.06:
        return b"\0\x01\x02\xff" + pick.randbytes(pick.randint(0, 200))
    text, kind = random_text(pick), pick.random()
    return (other_ends(pick, text) if kind < 0.15 else other_mark(pick, text) if kind < 0.3 else text).encode()


# What becomes of one text.


def other_ends(pick: random.Random, text: str) -> str:
    """All lines end alike, or each as it likes; perhaps the last has no end."""
    lines = re.findall(r"[^\r\n]+|\r\n|\n|\r", text)
    ends = pick.choice([["\n"], ["\r\n"], ["\n", "\r\n"], ["\n", "\n", "\r\n"], ["\n", "\r"]])
    changed = "".join(pick.choice(ends) if line in ("\r\n", "\n") else line for line in lines)
    return changed.rstrip("\r\n") if pick.random() < 0.2 else changed


def other_mark(pick: random.Random, text: str) -> str:
    """With a byte order mark, or without."""
    return text[1:] if text.startswith("\ufeff") else "\ufeff" + text


def other_end(pick: random.Random, text: str) -> str:
    """With a line end at its end, or without, or with more of them."""
    return re.sub(r"\r?\n\Z", "", text) if text.endswith("\n") else text + "\n" * pick.choice([1, 1, 2])


def other_indent(pick: random.Random, text: str) -> str:
    """Some lines, or all, are deeper, less deep, or indented with something else."""
    lines = text.splitlines(keepends=True)
    start, end = sorted(pick.choices(range(len(lines) + 1), k=2)) if pick.random() < 0.6 else (0, len(lines))
    kind = pick.randrange(4)
    for at in range(start, end):
        body = lines[at].lstrip(" \t")
        indent = lines[at][: len(lines[at]) - len(body)]
        indent = (
            indent + "    ",
            indent[: max(0, len(indent) - 4)],
            indent.replace("    ", "\t"),
            indent.expandtabs(4),
        )[kind]
        lines[at] = indent + body if body.strip() else lines[at]
    return "".join(lines)


def other_blanks(pick: random.Random, text: str) -> str:
    """Blanks at the ends of lines come and go."""
    lines = re.split(r"(\r?\n)", text)
    for at in range(0, len(lines), 2):
        if pick.random() < 0.3:
            lines[at] = lines[at].rstrip(" \t") if lines[at] != lines[at].rstrip(" \t") else lines[at] + "  "
    return "".join(lines)


EDITS: tuple[tuple[Callable[[random.Random, str], str], int], ...] = (
    (edited, 8),
    (other_ends, 2),
    (other_mark, 2),
    (other_end, 2),
    (other_indent, 3),
    (other_blanks, 2),
    (lambda pick, text: "", 1),
    (lambda pick, text: random_text(pick), 1),
)


def other(pick: random.Random, file: File) -> File:
    """The file after some edits."""
    if file.is_binary or file.mode == LINK:
        return evolve(file, content=random_content(pick) if file.mode != LINK else b"elsewhere")
    text = file.content.decode()
    for _ in range(pick.choice([1, 1, 1, 2])):
        mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
        text = mark + pick.choices([edit for edit, _ in EDITS], [weight for _, weight in EDITS])[0](pick, text)
        text = text.removeprefix("\ufeff\ufeff")  # the edit was about the mark
    return evolve(file, content=text.encode())


def perhaps_other(pick: random.Random, file: File) -> File:
    return other(pick, file) if pick.random() < 0.6 else file


# What becomes of a tree.


def is_free(tree: Tree, path: str) -> bool:
    """Whether there may be a file: there is none, no folder of this name, and no file where a folder has to be."""
    return not any(path == taken or path.startswith(taken + "/") or taken.startswith(path + "/") for taken in tree)


def free_name(pick: random.Random, tree: Tree) -> str | None:
    names = [name for name in NAMES if is_free(tree, name)]
    return pick.choice(names) if names else None


def some(pick: random.Random, tree: Tree, count: int) -> list[str]:
    return pick.sample(sorted(tree), min(count, len(tree)))


Step = Callable[[random.Random, dict[str, File]], None]


def edit(pick: random.Random, tree: dict[str, File]) -> None:
    for path in some(pick, tree, pick.choice([1, 1, 2])):
        tree[path] = other(pick, tree[path])


def make(pick: random.Random, tree: dict[str, File]) -> None:
    path = free_name(pick, tree)
    if path is not None:
        tree[path] = File(random_content(pick), pick.choices([REGULAR, EXECUTABLE, LINK], [8, 3, 0.1])[0])
        if tree[path].mode == LINK:
            tree[path] = File(b"somewhere", LINK)


def remove(pick: random.Random, tree: dict[str, File]) -> None:
    for path in some(pick, tree, 1):
        del tree[path]


def move(pick: random.Random, tree: dict[str, File]) -> None:
    for path in some(pick, tree, 1):
        file = tree.pop(path)
        tree[free_name(pick, tree) or path] = perhaps_other(pick, file)


def move_and_make(pick: random.Random, tree: dict[str, File]) -> None:
    """What was at its place is something else now."""
    for path in some(pick, tree, 1):
        free = free_name(pick, tree)
        if free is not None:
            tree[free] = perhaps_other(pick, tree[path])
            tree[path] = File(random_content(pick), tree[path].mode if tree[path].mode != LINK else REGULAR)


def exchange(pick: random.Random, tree: dict[str, File]) -> None:
    """Two or three files change places."""
    paths = some(pick, tree, pick.choice([2, 2, 3]))
    files = [perhaps_other(pick, tree[path]) for path in paths]
    for path, file in zip(paths, files[1:] + files[:1], strict=True):
        tree[path] = file


def copy(pick: random.Random, tree: dict[str, File]) -> None:
    for path in some(pick, tree, 1):
        for _ in range(pick.choice([1, 1, 2])):
            tree[free_name(pick, tree) or path] = perhaps_other(pick, tree[path])
        if pick.random() < 0.4:
            tree[path] = other(pick, tree[path])


def change_mode(pick: random.Random, tree: dict[str, File]) -> None:
    for path in some(pick, tree, 1):
        if tree[path].mode != LINK:
            tree[path] = evolve(tree[path], mode=REGULAR + EXECUTABLE - tree[path].mode)


def become_folder(pick: random.Random, tree: dict[str, File]) -> None:
    """A file is a folder now, which it is perhaps itself in."""
    for path in some(pick, tree, 1):
        file = tree.pop(path)
        tree[f"{path}/{pick.choice(['x.py', 'inner', 'é'])}"] = (
            perhaps_other(pick, file) if pick.random() < 0.6 else File(random_content(pick))
        )


def become_file(pick: random.Random, tree: dict[str, File]) -> None:
    """A folder is a file now, perhaps one that was in it."""
    folders = sorted({path.rpartition("/")[0] for path in tree} - {""})
    if folders:
        folder = pick.choice(folders)
        inside = [path for path in tree if path.startswith(folder + "/")]
        files = [tree.pop(path) for path in inside]
        tree[folder] = perhaps_other(pick, pick.choice(files)) if pick.random() < 0.6 else File(random_content(pick))


STEPS: tuple[tuple[Step, int], ...] = (
    (edit, 6),
    (make, 3),
    (remove, 1),
    (move, 3),
    (move_and_make, 1),
    (exchange, 2),
    (copy, 2),
    (change_mode, 1),
    (become_folder, 1),
    (become_file, 1),
)


def stepped(pick: random.Random, tree: Tree) -> Tree:
    changed = dict(tree)
    for _ in range(pick.choice([1, 1, 2, 3])):
        pick.choices([step for step, _ in STEPS], [weight for _, weight in STEPS])[0](pick, changed)
    if len(changed) > 14:
        for path in some(pick, changed, 3):
            del changed[path]
    return changed


def trees(pick: random.Random, count: int) -> Iterator[Tree]:
    tree: Tree = {"a.py": File(random_text(pick).encode()), "src/b.py": File(random_text(pick).encode(), EXECUTABLE)}
    for _ in range(count):
        yield tree
        tree = stepped(pick, tree)


def quoted(path: str) -> bytes:
    """As `git fast-import` reads it."""
    letters = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"%s"' % letters.encode()


def written(trees: list[Tree]) -> Iterator[bytes]:
    """What `git fast-import` reads: the first tree and a commit for each of the others."""
    for number, tree in enumerate(trees):
        yield b"commit refs/heads/main\nmark :%d\ncommitter a <a@b> %d +0000\ndata 6\nchange\ndeleteall\n" % (
            number + 1,
            number,
        )
        for path, file in tree.items():
            yield b"M %o inline %s\ndata %d\n%s\n" % (file.mode, quoted(path), len(file.content), file.content)


@frozen
class History:
    """A repository, and its commits behind the first."""

    repository: Repository
    commits: tuple[Commit, ...]


def made(pick: random.Random, folder: Path, count: int) -> History:
    """A new repository in `folder`, with that many commits behind the first, or fewer: those that change nothing."""
    found = list(trees(pick, count + 1))
    found = [tree for at, tree in enumerate(found) if at == 0 or tree != found[at - 1]]
    repository = Repository(folder)
    repository.git("init", "--quiet", "--initial-branch=main", ".")
    repository.git("config", "core.autocrlf", "false")
    repository.git("fast-import", "--quiet", given=b"".join(written(found)))
    names = repository.git("rev-list", "--reverse", "main").decode().split()
    return History(
        repository,
        tuple(Commit(name, *pair) for name, pair in zip(names[1:], pairwise(found), strict=True)),
    )
