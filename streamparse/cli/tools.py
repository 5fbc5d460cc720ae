"""`--tools FILE`: the tools the model was given, as JSON."""

from __future__ import annotations

import json

from streamparse.cli.endings import CommandError, WrongUsageError
from streamparse.config import ToolSpec


def read_tools(path: str) -> list[ToolSpec]:
    """The tools in the file at `path`, in any of the usual shapes."""
    try:
        with open(path, encoding="utf-8") as file:
            tools = json.load(file)
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise WrongUsageError(f"{path} is not JSON: {error}") from error
    if not isinstance(tools, list):
        raise WrongUsageError(f"{path} is not a JSON list of tools")
    try:
        return [ToolSpec.from_any(tool) for tool in tools]
    except TypeError as error:
        raise WrongUsageError(f"{path}: {error}") from error
