"""Where `streamparse agent` is tested: a folder, and a scripted server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.agent.scripted_server import AnyReply, ScriptedServer
from tests.cli.command import Done
from tests.cli.command import run as run_command


class Setting:
    """A folder for a model to work in, and a place for its checkpoints."""

    def __init__(self, path: Path) -> None:
        self.root = path / "root"
        self.root.mkdir()
        self.environment = {"XDG_CACHE_HOME": str(path / "cache")}

    def arguments(self, server: ScriptedServer, *more: str) -> list[str]:
        return ["agent", "--base-url", server.url, "--model", "m", "--root", str(self.root), *more]

    def run(self, script: Sequence[AnyReply], *more: str, stdin: bytes = b"") -> Done:
        """Run the command in this process, without a terminal."""
        with ScriptedServer(script) as server:
            return run_command(*self.arguments(server, *more), stdin=stdin, **self.environment)
