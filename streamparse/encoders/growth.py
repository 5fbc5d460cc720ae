"""Growth: when a text that is told anew each time, all of it, has grown enough to be told again.

growth = Growth()
growth.add(4)               True: the first of it is told at once
growth.add(4)               False: 256 characters, or an eighth, must have come since
"""

from __future__ import annotations

from attrs import define

_LEAST = 256


@define
class Growth:
    """The size of a text, and what of it was told."""

    size: int = 0
    told: int = 0

    def add(self, count: int) -> bool:
        """It has grown by `count` characters: whether it is worth telling."""
        self.size += count
        if self.told and self.size - self.told < max(_LEAST, self.told // 8):
            return False
        self.told = self.size
        return True
