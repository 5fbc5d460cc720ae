"""Parts of the AI SDK's stream that are made at once: those of a call, a source, a file, what a provider wants back.

source_part({"url": "https://a.b", "title": "A"}, "s1")     {"type": "source-url", "sourceId": "s1", "url": …}
file_part(segment)                                          {"type": "file", "url": "data:image/png;base64,…", …}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from attrs import define

from streamparse.encoders.sent import text_in
from streamparse.messages.results import as_text
from streamparse.segment import Segment
from streamparse.wire import present

Json: TypeAlias = dict[str, Any]

#: Under which name what a provider wants back is kept in `providerMetadata`: `ai_sdk_request.py` reads it.
OWN: Final = "streamparse"
_ANY_FILE = "application/octet-stream"


@define
class ToldCall:
    """A call: its id for the client, its name, and what all of its parts say of it."""

    id: str
    name: str
    about: Json
    told: int = 0  # how much of the input of a server's tool was told

    def part(self, kind: str, **said: Any) -> Json:
        """One of its parts."""
        return {"type": kind, "toolCallId": self.id, **said, **self.about}

    def input_part(self, given: Any, state: Mapping[str, Any] | None = None) -> Json:
        """Its input, all of it."""
        return {**self.part("tool-input-available", toolName=self.name, input=plain(given)), **state_of(state)}


def plain(data: Any) -> Any:
    """Data as it is, or as a text if the client could not read it: then it would end the message.

    That is where numbers are that JSON does not have, and names by which objects of JavaScript are changed.
    """
    try:
        written = json.dumps(data, allow_nan=False)
    except ValueError:
        return as_text(data)
    is_refused = '"__proto__":' in written or ('"constructor":' in written and '"prototype":' in written)
    return as_text(data) if is_refused else data


def state_of(state: Mapping[str, Any] | None) -> Json:
    """What a provider wants back, where the client keeps it and sends it along; nothing if the client could not."""
    kept = plain(dict(state)) if state else None
    return {"providerMetadata": {OWN: kept}} if isinstance(kept, dict) else {}


def source_part(metadata: Mapping[str, Any], name: str) -> Json:
    """A source, which has the id `name`; one without an address is a document."""
    url, title = text_in(metadata, "url"), text_in(metadata, "title") or text_in(metadata, "document_title")
    rest = {key: value for key, value in metadata.items() if key not in ("url", "title", "media_type")}
    if url:
        part = {"type": "source-url", "sourceId": name, "url": url, **present(title=title)}
    else:
        kind = text_in(metadata, "media_type") or _ANY_FILE
        part = {"type": "source-document", "sourceId": name, "mediaType": kind, "title": title or ""}
    return {**part, **state_of(rest)}


def file_part(segment: Segment) -> Json:
    """A file that the model made: its data, or else its address."""
    metadata = segment.metadata
    kind = text_in(metadata, "media_type") or _ANY_FILE
    url = f"data:{kind};base64,{segment.content}" if segment.content else text_in(metadata, "url") or ""
    rest = {key: value for key, value in metadata.items() if key not in ("url", "media_type")}
    return {"type": "file", "url": url, "mediaType": kind, **state_of(rest)}
