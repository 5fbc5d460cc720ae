"""`streamparse formats [NAME]`: all formats in short, or one of them, or the one that a model writes, in full.

hermes, also qwen25
  models  *qwq* (open), *qwen2.5*, …
  call    <tool_call>\\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\\n</tool_call>
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

from streamparse import formats
from streamparse.cli.endings import WrongUsageError
from streamparse.cli.escape import visible_line
from streamparse.config import ParserConfig, ToolSpec
from streamparse.errors import RegistryError, RenderError
from streamparse.formats import Format, ModelFormat
from streamparse.formats.models import models_of
from streamparse.iterate import parse

_SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "examples": ["Oslo"]},
        "days": {"type": "integer", "default": 2},
    },
    "required": ["city"],
}
_TOOL = ToolSpec("get_weather", _SCHEMA, description="The weather in a city for some days.")
_ARGUMENTS = {"city": "Oslo", "days": 2}
_LEGEND = """\
  * stands for anything in the name of a model. (open): the prompt opens the reasoning, so the reply begins within it.
  `streamparse formats NAME` shows one format in full; NAME may be the name of a model, too.
"""
#: The sample stands alone, whatever a prompt would have opened before it.
_CONFIG = ParserConfig(reasoning="closed")


def list_formats(file: TextIO) -> None:
    """Write what there is."""
    for name in formats.names():
        format = formats.get(name)
        rows = [("models", _models(format)), ("call", visible_line(_sample(format)))]
        file.write("\n".join([_title(format), *(f"  {label:<7} {text}" for label, text in rows if text), "\n"]))
    file.write(_LEGEND)


def show_format(name: str, file: TextIO) -> None:
    """Write a call in the format called `name`, the events it gives, and what a model is told about it.

    `name` may also be that of a model: then it is the format that the model writes.
    """
    try:
        format = formats.get(name)
    except RegistryError as error:
        known = _model(name)
        if known is None:
            raise WrongUsageError(str(error)) from error
        format = formats.get(known.format)
        begins = "within reasoning" if known.reasoning == "open" else "outside of reasoning"
        file.write(f"{visible_line(name)} writes {format.name}, and its replies begin {begins}.\n\n")
    file.write("\n".join(_describe(format)) + "\n")


def _model(name: str) -> ModelFormat | None:
    with suppress(RegistryError):
        return formats.for_model(name)
    return None


def _describe(format: Format) -> Iterator[str]:
    yield _title(format)
    if models := _models(format):
        yield f"models: {models}"
    yield from ("", "A call:", "", _sample(format))
    if format.prompt is not None:
        yield from ("", "The events it gives:", "")
        for event in parse(_sample(format), format.name, tools=[_TOOL], config=_CONFIG):
            yield json.dumps(event.to_dict())
        yield from ("", "For the system prompt:", "", format.instructions([_TOOL]))


def _title(format: Format) -> str:
    return ", also ".join([format.name, *([", ".join(format.aliases)] if format.aliases else [])])


def _models(format: Format) -> str:
    """Whose format it is; "open" are those that begin within reasoning."""
    return ", ".join(f"{pattern} (open)" if how == "open" else pattern for pattern, how in models_of(format))


def _sample(format: Format) -> str:
    """A call, or why there is none."""
    try:
        return format.render_call(_TOOL.name, _ARGUMENTS)
    except RenderError as error:
        return f"({error})"
