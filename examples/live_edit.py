"""Live edit: a file changes on the screen while the model is still writing the diff.

Colours are for a terminal; `python examples/live_edit.py | cat` shows the same without them.
"""

import sys

from streamparse import AnyEvent, SegmentContent, SegmentEnd, SegmentStart, StreamingResponseHandler
from streamparse.cli.escape import visible
from streamparse.diff import DiffEvent, DiffEventType, DiffStream, split_lines

SHOP = """\
def total(prices):
    s = 0
    for p in prices:
        s += p
    return s


print("total", total([1, 2]))
"""
FILES = {"shop.py": SHOP, "notes.md": "Shop\n=======\n\n- prices are net\n- no discounts\n"}
REPLY = """I simplify the sum, and say so in the notes.
<patch_file path="shop.py">
------- SEARCH
def total(prices):
  s = 0
  for p in prices:
    s += p
  return s
=======
def total(prices, discount=0):
  return sum(prices) - discount
+++++++ REPLACE
------- SEARCH
print("total", total([1, 2, 3]))
=======
print("total", total([1, 2], 1))
+++++++ REPLACE
</patch_file>
<patch_file path="notes.md">
@@ -9,2 +9,2 @@
 - prices are net
-- no discounts
+- a discount may be given
</patch_file>
"""
RED, GREEN, DIM, PLAIN = ("\033[31m", "\033[32m", "\033[2m", "\033[0m") if sys.stdout.isatty() else ("",) * 4


class LiveEdit:
    """One patch_file segment: SEARCH/REPLACE blocks or a patch, whatever the model writes."""

    def __init__(self, path: str) -> None:
        self.lines = split_lines(FILES[path])
        self.stream = DiffStream(FILES[path])
        self.is_within_line = False
        print(f"{DIM}--- {path}{PLAIN}")

    def write(self, delta: str) -> None:
        self.show(self.stream.feed(delta))

    def show(self, events: list[DiffEvent]) -> None:
        for event in events:
            match event.type:
                case DiffEventType.MATCHED if event.start_line is not None:
                    for line in self.lines[event.start_line - 1 : event.end_line]:
                        print(f"{RED}- {visible(line.rstrip())}{PLAIN}")
                case DiffEventType.REPLACEMENT_DELTA:
                    # What a model writes is shown, never sent to the terminal as it is.
                    for piece in visible(event.delta).splitlines(keepends=True):
                        print("" if self.is_within_line else f"{GREEN}+ ", piece, sep="", end="", flush=True)
                        self.is_within_line = not piece.endswith("\n")
                case DiffEventType.BLOCK_DONE if event.edit is not None:
                    print(f"{PLAIN}  lines {event.start_line} to {event.end_line}: {event.edit.strategy}")
                case DiffEventType.FAILED | DiffEventType.TRUNCATED:
                    # What is shown of it is taken back. The message at the end says why.
                    print("\n" * self.is_within_line, f"{PLAIN}  block {event.number} is not applied", sep="")
                    self.is_within_line = False

    def finish(self, is_complete: bool) -> None:
        # The segment's own closer was seen: what is there is all there is.
        result = self.stream.finalize(complete=is_complete)
        self.show(list(result.events))
        print(f"{DIM}{'applied' if result.ok else 'not written, and the model is told:'}{PLAIN}")
        print(visible(result.message), end="\n\n" if result.message else "\n")


def main() -> None:
    edits: dict[str, LiveEdit] = {}

    def on_event(event: AnyEvent) -> None:
        match event:
            case SegmentStart():
                edits[event.segment_id] = LiveEdit(event.metadata["path"])
            case SegmentContent():
                edits[event.segment_id].write(event.delta)
            case SegmentEnd():
                edits[event.segment_id].finish(event.status is None)

    handler = StreamingResponseHandler("xml")
    handler.subscribe(on_event, segment_type="patch_file")
    for start in range(0, len(REPLY), 5):
        handler.feed(REPLY[start : start + 5])
    handler.finalize()


if __name__ == "__main__":
    main()
