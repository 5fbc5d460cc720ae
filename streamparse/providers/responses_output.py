"""The output of a response of OpenAI's: its items, their parts, and the block that is open.

output = Output()
item = output.add("message", "msg_1", 0)
output.find("message", "msg_1", None)       item, also by its place
output.close()                              BlockEnd({"id": "msg_1"}), if a part of it was open
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from streamparse.providers.call import ProviderCall
from streamparse.providers.deltas import BlockEnd, Delta
from streamparse.providers.fields import Fields
from streamparse.providers.keys import forget_oldest


@define(eq=False)
class Part:
    """A part of a message or of reasoning: how many characters of it came, and how many sources."""

    kind: str
    size: int = 0
    sources: int = 0


@define(eq=False)
class Item:
    """An item of the output."""

    kind: str
    #: What must go back with it.
    state: dict[str, Any] = field(factory=dict)
    is_done: bool = False
    #: Of a message or of reasoning: its parts by type and index, and files that are told when the block ends.
    parts: dict[tuple[str, int | str], Part] = field(factory=dict)
    files: list[Delta] = field(factory=list)
    #: Of a call: what was told of its body, where JSON is written around that, and which command it was in.
    call: ProviderCall | None = None
    size: int = 0
    command: int | str = 0


@define(eq=False)
class Output:
    """The items of one response."""

    #: By place and by id.
    items: dict[int | str, Item] = field(factory=dict)
    #: The types of all that came: what has one of these is not taken from the last event again.
    kinds: set[str] = field(factory=set)
    #: The block that is open, and how the wire calls it.
    item: Item | None = None
    part: Part | None = None
    place: object = None
    #: Calls of a shell that the provider may have run. That it has is certain with the first output of a shell, that it
    #: has not when the reply ends.
    held: dict[int, tuple[Item, Fields]] = field(factory=dict)
    has_shell: bool = False
    #: Whether the server keeps the response, so that the id of an item is worth something.
    is_stored: bool = True

    def find(self, kind: str, item_id: int | str | None, place: int | str | None) -> Item | None:
        """The item of this type that an event speaks of: by its id, else by its place, else the open one."""
        for name in (item_id, place):
            known = None if name is None else self.items.get(name)
            if known is not None and known.kind == kind:
                return known
        is_open = place is None and item_id is None and self.item is not None and self.item.kind == kind
        return self.item if is_open else None

    def add(self, kind: str, item_id: int | str | None, place: int | str | None) -> Item:
        """A new item."""
        item = Item(kind)
        self.kinds.add(kind)
        for name in (item_id, place):
            if name is not None:
                self.items[name] = item
        forget_oldest(self.items)
        return item

    def close(self, *, is_followed: bool = True) -> list[Delta]:
        """The open block ends, with what must go back. Reasoning may have that and no text: it is told all the same.

        `is_followed`: by a block of text or reasoning, perhaps. If not, only the state matters.
        """
        item, part = self.item, self.part
        self.item = self.part = self.place = None
        if item is None:
            return []
        state, kind = dict(item.state), ""
        files, item.files = item.files, []
        if part is None:
            kind = "reasoning" if item.kind == "reasoning" and state else ""
        elif part.kind == "reasoning_text":
            state["part"] = part.kind
        if item.kind == "reasoning" and not self.is_stored and "encrypted_content" not in state:
            state["store"] = False
        is_told = kind or (part and (state or is_followed))
        return [BlockEnd(state or None, kind), *files] if is_told else files
