"""split_commands: which commands a command line runs, as far as that can be told for certain.

split_commands("cd src && grep -r x . | head")     cd src · grep -r x . · head
split_commands("echo $(rm -r /)")                  echo … · rm -r /
split_commands("eval \"$X\"")                      one with a doubt: what it runs is decided later
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Command:
    """One command: its words, as far as they are certain. `doubt` is why it is asked about whatever the rules say."""

    words: tuple[str, ...]
    doubt: str = ""


def split_commands(line: str) -> list[Command] | None:
    """All commands in it, wherever they stand; None if it cannot be told."""
    return None
