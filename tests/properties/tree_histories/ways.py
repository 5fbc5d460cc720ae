"""The ways to ask git for a difference, each with all commits of a history at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve, frozen

from tests.properties.tree_histories.generated import Commit, History


@frozen
class Asked:
    """What git has written, and the commit that it is about: its tree before and its tree behind it."""

    commit: Commit
    text: str
    #: The commits that it has one by one, if there are several: as mails, or with their messages.
    steps: tuple[Commit, ...] = ()


Way = Callable[[History], Iterator[Asked]]


def decoded(output: bytes) -> str:
    return output.decode(errors="surrogateescape")


def log(*options: str, settings: tuple[str, ...] = ()) -> Way:
    """Every commit by itself."""

    def asked(history: History) -> Iterator[Asked]:
        given = [word for setting in settings for word in ("-c", setting)]
        text = decoded(history.repository.git(*given, "log", "-p", "--format=%x00%H", *options, "main"))
        found = dict(part.split("\n", 1) for part in text.split("\0")[1:] if "\n" in part)
        for commit in history.commits:
            yield Asked(commit, found[commit.name])

    return asked


def named(history: History, *options: str) -> dict[str, list[tuple[str, str]]]:
    """By the names of commits: the old and the new path of every section, in the order of the diff."""
    text = decoded(history.repository.git("log", "--raw", "-z", "--format=%x01%H", *options, "main"))
    found: dict[str, list[tuple[str, str]]] = {}
    for part in text.split("\x01")[1:]:
        name, _, entries = part.partition("\0")
        words = iter(entries.removeprefix("\n").split("\0"))
        for word in words:
            if word.startswith(":"):
                old = next(words)
                new = next(words) if word.rpartition(" ")[2][0] in "RC" else old
                found.setdefault(name, []).append((old, new))
    return found


def backwards(history: History) -> Iterator[Asked]:
    """From the tree behind a commit to that before it."""
    for asked in log("-R", "-M")(history):
        commit = asked.commit
        yield Asked(evolve(commit, before=commit.after, after=commit.before), asked.text)


def staged(*options: str) -> Way:
    """`git diff --cached`, with the letters that `diff.mnemonicPrefix` asks for."""

    def asked(history: History) -> Iterator[Asked]:
        git = history.repository.git
        for commit in history.commits[::3]:
            git("read-tree", commit.name)
            text = git("-c", "diff.mnemonicPrefix=true", "diff", "--cached", *options, f"{commit.name}^")
            yield Asked(commit, decoded(text))

    return asked


def mails(*options: str) -> Way:
    """Several commits, one after the other."""

    def asked(history: History) -> Iterator[Asked]:
        for at in range(0, len(history.commits) - 2, 3):
            commits = history.commits[at : at + 3]
            first, last = commits[0], commits[-1]
            text = history.repository.git("format-patch", "--stdout", *options, f"{first.name}^..{last.name}")
            yield Asked(Commit(last.name, first.before, last.after), decoded(text), commits)

    return asked


def joined(*options: str) -> Way:
    """Several commits with their messages, as `git log` shows them to a person."""

    def asked(history: History) -> Iterator[Asked]:
        for at in range(1, len(history.commits) - 1, 3):
            first, last = history.commits[at], history.commits[at + 1]
            text = history.repository.git("log", "-p", "--reverse", *options, f"{first.name}^..{last.name}")
            yield Asked(Commit(last.name, first.before, last.after), decoded(text), (first, last))

    return asked


WAYS: Mapping[str, Way] = {
    "-U0": log("-U0", "-M"),
    "-U1": log("-U1", "-M"),
    "-U3": log("-U3", "-M"),
    "-U10": log("-U10", "-M"),
    "--no-renames": log("--no-renames"),
    "--no-renames -U0": log("--no-renames", "-U0"),
    "-M10%": log("-M10%"),
    "-B": log("-B", "--no-renames"),
    "-B -M": log("-B", "-M"),
    "-B -M -U0": log("-B", "-M", "-U0"),
    "-B20%/20% -M20%": log("-B20%/20%", "-M20%"),
    "-B -C": log("-B", "-C", "-M30%"),
    "-C": log("-C", "-C30%"),
    "--find-copies-harder": log("-C", "--find-copies-harder"),
    "-C10% -U1": log("-C10%", "--find-copies-harder", "-U1"),
    "--no-prefix": log("--no-prefix", "-M"),
    "diff.noprefix": log("--no-renames", settings=("diff.noprefix=true",)),
    "--src-prefix": log("--src-prefix=old/", "--dst-prefix=new/", "-M"),
    "mnemonicPrefix": staged("-M"),
    "--full-index": log("--full-index", "-M"),
    "--binary": log("--binary", "-M"),
    "--stat": log("--stat", "--summary", "-M"),
    "--raw": log("--raw", "--numstat", "-M"),
    "core.quotePath=false": log("-M", settings=("core.quotePath=false",)),
    "-W": log("-W", "-M"),
    "--inter-hunk-context": log("--inter-hunk-context=5", "-U1", "-M"),
    "--histogram": log("--histogram", "-M"),
    "--irreversible-delete": log("-D", "-M"),
    "-R": backwards,
    "format-patch": mails("-M"),
    "format-patch -B -M -U1 --no-stat": mails("-U1", "--no-stat", "-B", "-M"),
    "format-patch --attach": mails("--attach", "--no-renames"),
    "log": joined("--stat"),
    "log -C": joined("-C", "--find-copies-harder", "-U1"),
}
