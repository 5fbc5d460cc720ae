"""Where `streamparse agent` is tested: a folder, a scripted server, and what a model may say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.agent.scripted_server import AnyReply, Calls, ScriptedServer, Text
from tests.cli.command import Done
from tests.cli.command import run as run_command
from tests.cli.terminal import Terminal

DONE = Text("Done.")


def write(name: str, content: str = "x\n") -> Calls:
    """The model writes a file."""
    return Calls(("write_file", {"path": name, "content": content}))


class Setting:
    """A folder for a model to work in, and a place for its checkpoints. `requests` are those of the last model."""

    def __init__(self, path: Path) -> None:
        self.root = path / "root"
        self.root.mkdir()
        self.environment = {"XDG_CACHE_HOME": str(path / "cache")}
        self.requests: list[dict[str, Any]] = []

    @contextmanager
    def arguments(self, script: Sequence[AnyReply], *more: str) -> Iterator[list[str]]:
        """Those of the command, for a server that is there meanwhile."""
        with ScriptedServer(script) as server:
            self.requests = server.requests
            yield ["agent", "--base-url", server.url, "--model", "m", "--root", str(self.root), *more]

    def run(self, script: Sequence[AnyReply], *more: str, stdin: bytes = b"", **environment: str) -> Done:
        """Run the command in this process, without a terminal."""
        with self.arguments(script, *more) as arguments:
            return run_command(*arguments, stdin=stdin, **self.environment, **environment)

    @contextmanager
    def terminal(self, script: Sequence[AnyReply], *more: str, rows: int) -> Iterator[Terminal]:
        """The command in a terminal with a keyboard."""
        with (
            self.arguments(script, *more) as arguments,
            Terminal(*arguments, keyboard=True, rows=rows, **self.environment) as terminal,
        ):
            yield terminal


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """A new one for each test."""
    return Setting(tmp_path)
