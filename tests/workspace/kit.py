"""Shared by the tests of the workspace: calls of tools, what they say, and programs that are put on the PATH."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from streamparse.invocations import ToolInvocation
from streamparse.presenter.tool import ToolContext, ToolError


async def told(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """What a tool says to the model, be it a result or an error."""
    try:
        value = function(*arguments, **options)
        return str(await value if inspect.isawaitable(value) else value)
    except ToolError as error:
        return f"ToolError: {error}"


def refused(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """The sentence with which a tool refuses."""
    with pytest.raises(ToolError) as failure:
        function(*arguments, **options)
    return str(failure.value)


def context(reported: list[str] | None = None) -> ToolContext:
    """The context of a call; what the tool reports is kept."""
    call = ToolInvocation("1", "run_bash", {}, "complete")
    return ToolContext(call, (reported if reported is not None else []).append)


def program(folder: Path, name: str, code: str) -> Path:
    """A program in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{code}\n")
    path.chmod(0o755)
    return path


def first_on_path(monkeypatch: pytest.MonkeyPatch, *folders: Path | str) -> None:
    """Put folders before all others on the PATH."""
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, folders), os.environ["PATH"]]))


def alone_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path, *names: str) -> None:
    """A PATH with these programs alone."""
    folder.mkdir(exist_ok=True)
    for name in names:
        place = next(one for one in os.environ["PATH"].split(os.pathsep) if (Path(one) / name).exists())
        (folder / name).symlink_to(Path(place) / name)
    monkeypatch.setenv("PATH", str(folder))


async def still_running(numbers: list[int]) -> list[int]:
    """Which of these processes have not ended. One that was killed may take a moment to be gone."""
    for _ in range(200):
        numbers = [number for number in numbers if _is_running(number)]
        if not numbers:
            break
        await asyncio.sleep(0.005)
    return numbers


def _is_running(number: int) -> bool:
    """Whether there is such a process; what has ended and was not asked for is none."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
