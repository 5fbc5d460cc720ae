"""A source, through the parser, into a view."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import Factory, define

from streamparse.cli.chunks import read_chunks
from streamparse.cli.endings import Stopped, WrongUsageError
from streamparse.cli.in_turn import InTurn
from streamparse.cli.stopping import Stopping
from streamparse.cli.view import View
from streamparse.errors import RegistryError
from streamparse.events import NATIVE, SegmentEvent, SegmentStart
from streamparse.formats import get
from streamparse.handler import ENVIRONMENT_VARIABLE
from streamparse.invocations import ToolInvocation
from streamparse.iterate import parse


@define
class Tally:
    """What came out: the number of segments, and of invocations by status."""

    segments: int = 0
    statuses: Counter[str] = Factory(Counter)

    def count(self, item: SegmentEvent | ToolInvocation) -> None:
        """Count one item."""
        if isinstance(item, SegmentStart):
            self.segments += 1
        elif isinstance(item, ToolInvocation):
            self.statuses[item.status] += 1


def format_names(values: Iterable[str]) -> list[str]:
    """The names in the values of `--format`, each of which may hold several: `a,b`."""
    names = [name.strip() for value in values for name in value.split(",")]
    try:
        for name in names:
            get(name)
    except RegistryError as error:
        raise WrongUsageError(str(error)) from error
    return names


def pump(
    source: Iterable[bytes],
    view: View,
    formats: Sequence[str] = (),
    *,
    model: str | None = None,
    chunk_size: int | None = None,
    **options: Any,
) -> Tally:
    """Show everything in `source`, flushing before each wait for more of it.

    `chunk_size` cuts text anew; `options` are those of `parse`. Raises Stopped when a signal ended the source, or
    ProviderStreamError when the provider did, after everything that was open has been closed.
    """
    tally = Tally()
    stopping = Stopping()
    view = InTurn(view) if view.is_sequential else view
    pieces = _flushed(stopping.until_stopped(source), view)
    try:
        chunks = read_chunks(pieces, is_api=_is_api(formats, model), size=chunk_size)
        items = parse(_without_rest(chunks, stopping), formats or None, model=model, **options)
    except RegistryError as error:
        raise WrongUsageError(str(error)) from error
    with stopping, view:
        for item in items:
            tally.count(item)
            view.show(item)
    if stopping.signal:
        raise Stopped(stopping.signal)
    return tally


def _without_rest(chunks: Iterable[object], stopping: Stopping) -> Iterator[object]:
    """The chunks up to a signal: half an event that stands there is no error of the provider."""
    for chunk in chunks:
        if stopping.signal and isinstance(chunk, dict) and chunk.get("type") == "error":
            return
        yield chunk


def _is_api(formats: Sequence[str], model: str | None) -> bool:
    """Whether what is read is a provider's API, not the text of a reply."""
    chosen = formats or ([] if model is not None else [os.environ.get(ENVIRONMENT_VARIABLE, "")])
    return any(get(name).name == NATIVE for name in chosen if name)


def _flushed(pieces: Iterable[bytes], view: View) -> Iterator[bytes]:
    for piece in pieces:
        yield piece
        view.flush()
