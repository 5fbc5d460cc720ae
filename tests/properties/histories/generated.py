"""Random repositories: files like those that models edit, and commits that do to them what commits do.

The texts are short, and full of what makes edits hard: functions that resemble each other, entries that repeat, blank
lines, tabs, carriage returns, no newline at the end, typographic quotes, lines that look like markers of a diff.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.properties.histories.repository import Commit, File, Repository
from tests.properties.histories.unified import lines_of

NAMES = (
    "area",
    "count",
    "name",
    "path",
    "size",
    "total",
    "user",
    "width",
    "items",
    "result",
    "load",
    "save",
    "value",
    "state",
)
CALLS = (
    "{a}({b})",
    "{a}.{b}",
    "{a} + {b}",
    '"{a}"',
    "'{a} of {b}'",
    "[{a}, {b}]",
    "{a} < {b}",
    "{a} and {b} > 1",
    "“{a}”",
)
ODD = (
    *(
        "- item",
        "+ more",
        "-- sql",
        "++ y",
        "@@ x",
        "...",
        "=======",
        "}",
        "{",
        "é = 1",
        "# … and so on",
        "\x0c",
        "a\rb",
    ),
    *(
        "<b>&amp;</b>",
        "it’s",
        'say("it\'s")',
        "x  ",
        "\\ No newline at end of file",
        "*** End Patch",
        "a\u2028b",
        "diff --git a/x b/x",
    ),
)
PATHS = (
    "a.py",
    "src/b.py",
    "src/c.js",
    "notes.md",
    "conf/d.yaml",
    "e.txt",
    "src/deep/f.py",
    "two words.txt",
    "é.txt",
    "run.sh",
)


def expression(pick: random.Random) -> str:
    return pick.choice(CALLS).format(a=pick.choice(NAMES), b=pick.choice(NAMES))


def statement(pick: random.Random) -> str:
    return pick.choice(
        [
            f"{pick.choice(NAMES)} = {expression(pick)}",
            f"return {expression(pick)}",
            "pass",
            f"{pick.choice(NAMES)}({expression(pick)})",
        ]
    )


def function(pick: random.Random, indent: str, unit: str) -> list[str]:
    lines = [f"{indent}def {pick.choice(NAMES)}(self, {pick.choice(NAMES)}):"]
    for _ in range(pick.randint(1, 3)):
        if pick.random() < 0.3:
            lines += [f"{indent}{unit}if {expression(pick)}:", f"{indent}{unit * 2}{statement(pick)}"]
        lines.append(f"{indent}{unit}{statement(pick)}")
    return [*lines, ""]


def python(pick: random.Random) -> list[str]:
    unit = pick.choice(["    ", "    ", "  ", "\t"])
    lines = [f"import {name}" for name in pick.sample(NAMES, 2)] + [""]
    for _ in range(pick.randint(1, 3)):
        if pick.random() < 0.7:
            lines.append(f"class {pick.choice(NAMES).title()}:")
            for _ in range(pick.randint(1, 3)):
                lines += function(pick, unit, unit)
        else:
            lines += function(pick, "", unit)
    return lines


def braces(pick: random.Random) -> list[str]:
    unit = pick.choice(["\t", "  "])
    lines = []
    for _ in range(pick.randint(1, 4)):
        lines += [f"function {pick.choice(NAMES)}({pick.choice(NAMES)}) {{", f"{unit}if ({expression(pick)}) {{"]
        lines += [f"{unit * 2}{statement(pick)};", f"{unit}}}", f"{unit}return {pick.choice(NAMES)};", "}", ""]
    return lines


def entries(pick: random.Random) -> list[str]:
    """The same few lines again and again."""
    entry = [
        f"- {pick.choice(NAMES)}",
        *(f"  {name}: {pick.randint(0, 1)}" for name in pick.sample(NAMES, pick.randint(0, 2))),
        "",
    ]
    lines = [pick.choice(NAMES) for _ in range(pick.randint(0, 3))]
    for _ in range(pick.randint(2, 7)):
        lines += entry if pick.random() < 0.8 else [f"- {pick.choice(NAMES)}", ""]
    return lines


def prose(pick: random.Random) -> list[str]:
    return [
        pick.choice(
            ["", f"# {pick.choice(NAMES)}", f"The {expression(pick)} is {expression(pick)}.", f"* {expression(pick)}"]
        )
        for _ in range(pick.randint(0, 25))
    ]


def odd(pick: random.Random) -> list[str]:
    return [pick.choice((*ODD, *NAMES, "")) for _ in range(pick.randint(0, 20))]


def random_text(pick: random.Random) -> str:
    if pick.random() < 0.05:
        return ""
    lines = pick.choices([python, braces, entries, prose, odd], [5, 3, 3, 2, 1])[0](pick)
    end = pick.choices(["\n", "\r\n"], [5, 1])[0]
    text = "".join(line + end for line in lines)
    return text[: -len(end)] if text and pick.random() < 0.15 else text


def new_lines(pick: random.Random, lines: list[str], at: int, end: str) -> list[str]:
    """Lines that belong there: indented as the neighbours are, or a copy of what the file has."""
    if lines and pick.random() < 0.25:
        start = pick.randrange(len(lines))
        return [line.rstrip("\r\n") + end for line in lines[start : start + pick.randint(1, 4)]]
    near = lines[min(at, len(lines) - 1)] if lines else ""
    indent = near[: len(near) - len(near.lstrip(" \t"))]
    kinds: list[Callable[[], str]] = [lambda: indent + statement(pick), lambda: "", lambda: indent + pick.choice(ODD)]
    return [pick.choices(kinds, [8, 1, 1])[0]() + end for _ in range(pick.randint(1, 3))]


def edited(pick: random.Random, text: str) -> str:
    """The text with a few changes; only by chance without any."""
    lines = lines_of(text)
    end = "\r\n" if "\r\n" in text else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += end
    for _ in range(pick.choice([1, 1, 2, 3, 5])):
        at = pick.randint(0, len(lines))
        until = min(at + pick.choice([0, 1, 1, 2, 4]), len(lines))
        kind = pick.random()
        if kind < 0.6:
            lines[at:until] = new_lines(pick, lines, at, end)
        elif kind < 0.75:
            del lines[at:until]
        elif kind < 0.9 and at < len(lines):
            old, new = pick.sample(NAMES, 2)
            lines[at] = (
                lines[at].replace(old, new) if old in lines[at] else lines[at].rstrip("\r\n") + f"  # {new}{end}"
            )
        else:
            lines[at:until] = [f"    {line}" if line.strip() else line for line in lines[at:until]]
    changed = "".join(lines)
    loses_its_end = pick.random() < (0.8 if not text.endswith("\n") else 0.05)
    return changed.removesuffix(end) if loses_its_end else changed


def step(pick: random.Random, tree: dict[str, File]) -> dict[str, File]:
    """What the next commit makes of the files."""
    tree = dict(tree)
    for _ in range(pick.choice([1, 1, 2, 3])):
        path = pick.choice(sorted(tree)) if tree and pick.random() < 0.85 else pick.choice(PATHS)
        other = pick.choice([other for other in PATHS if other != path])
        file = tree.get(path)
        kind = pick.random()
        if file is None:
            tree[path] = File(random_text(pick), pick.choice([0o644, 0o755]))
        elif kind < 0.75:
            tree[path] = File(edited(pick, file.text), file.mode)
        elif kind < 0.82:
            del tree[path]
        elif kind < 0.92 and other not in tree:
            tree[other] = File(edited(pick, file.text) if pick.random() < 0.5 else file.text, file.mode)
            del tree[path]
        else:
            tree[path] = File(file.text, file.mode ^ 0o111)
    return tree


def _stream(pick: random.Random, commits: int) -> Iterator[bytes]:
    """What `git fast-import` reads."""
    tree = {path: File(random_text(pick)) for path in pick.sample(PATHS, 4)}
    for number in range(commits):
        yield b"commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata 1\nx\ndeleteall\n" % number
        for path, file in tree.items():
            content = file.text.encode()
            yield b"M 100%o inline %s\ndata %d\n%s\n" % (file.mode, path.encode(), len(content), content)
        tree = step(pick, tree)


def random_history(pick: random.Random, folder: Path, commits: int) -> list[Commit]:
    """A new repository in `folder`, with that many commits; those that change nothing are left out."""
    repository = Repository(folder)
    repository.git("init", "--quiet", "--initial-branch=main", ".")
    repository.git("config", "core.autocrlf", "false")
    repository.git("fast-import", "--quiet", given=b"".join(_stream(pick, commits)))
    return list(repository.commits(repository.revisions()))
