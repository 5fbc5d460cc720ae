"""Said: what a person says, or the program itself, before the model replies.

    Said("user", ["What is this?", Media("image/png", data="iVBO…")])
    Said("system", ["Answer in one sentence."])

Each dialect writes it in its own way (`say`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen


@frozen
class Media:
    """An image or another file: its bytes in base64, or where they are."""

    media_type: str
    data: str | None = None
    url: str | None = None
    name: str | None = None

    @property
    def address(self) -> str:
        """Where it is: a URL that has the bytes in it, if they came."""
        return f"data:{self.media_type};base64,{self.data}" if self.data is not None else self.url or ""

    @property
    def is_image(self) -> bool:
        """Whether it is one that is looked at."""
        return self.media_type.startswith("image/")


#: A piece of what is said.
SaidPart: TypeAlias = str | Media


@frozen
class Said:
    """A message that is not the model's."""

    role: Literal["system", "user"]
    content: Sequence[SaidPart]

    @property
    def text(self) -> str:
        """Its text. Raises ValueError if there is anything else in it."""
        media = [part for part in self.content if isinstance(part, Media)]
        if media:
            raise refused(media[0])
        return "".join(part for part in self.content if isinstance(part, str))

    @property
    def is_text(self) -> bool:
        """Whether it is nothing but text."""
        return all(isinstance(part, str) for part in self.content)


def refused(media: Media) -> ValueError:
    """The error for what an interface does not take."""
    where = "as bytes" if media.data is not None else "from elsewhere"
    return ValueError(f"the dialect has no place for a file of the type {media.media_type!r}, given {where}")
