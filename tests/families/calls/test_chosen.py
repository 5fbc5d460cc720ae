"""families/calls/chosen.py: arguments whose first character tells how they are written."""

from __future__ import annotations

from streamparse.families.calls.chosen import Chosen


class Follower:
    """Writes down what it is told."""

    is_repaired = True
    triggers = "x"

    def __init__(self, beginning: str) -> None:
        self.told = [f"chosen by {beginning!r}"]

    def feed(self, text: str) -> None:
        self.told.append(text)

    def finish(self, *, is_cut: bool) -> None:
        self.told.append(f"finished, {is_cut}")


def test_blanks_do_not_choose() -> None:
    made: list[Follower] = []

    def choose(beginning: str) -> Follower:
        made.append(Follower(beginning))
        return made[-1]

    chosen = Chosen(choose)
    chosen.feed(" ")
    chosen.feed("\n")
    assert (made, chosen.triggers, chosen.is_repaired) == ([], None, False)
    chosen.feed("a")
    chosen.feed("b")
    chosen.finish(is_cut=True)
    assert [follower.told for follower in made] == [["chosen by ' \\na'", " \na", "b", "finished, True"]]
    assert (chosen.triggers, chosen.is_repaired) == ("x", True)


def test_blanks_alone_are_no_arguments() -> None:
    chosen = Chosen(Follower)
    chosen.feed(" ")
    chosen.finish(is_cut=False)
    assert chosen.triggers is None
