"""A reply, token by token: prose, reasoning, a file, a command. Each segment is shown as it grows."""

import sys
import time

from streamparse import SegmentEventType, parse

REPLY = """\
<think>They want a greeting. One file, then run it.</think>\
If a < b, fine. I write the file first:

<write_file path="hello.py">
def greet(name: str) -> str:
    return f"<b>Hello, {name}!</b>"


print(greet("you"))
</write_file>

Now I run it:
<run_bash>python hello.py &amp;&amp; echo done</run_bash>
<tool name="search"><arg name="query">streaming parsers</arg></tool>
That is all, unless `<run_bash>` should run something el"""


def tokens(text: str, size: int = 4) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def main() -> None:
    delay = 0.02 if sys.stdout.isatty() else 0.0
    for event in parse(tokens(REPLY), "xml"):
        if event.type is SegmentEventType.START:
            print(f"[{event.segment_type}] {dict(event.metadata) or ''}".rstrip())
        elif event.type is SegmentEventType.CONTENT:
            print(event.delta, end="", flush=True)
            time.sleep(delay)
        else:
            print(f"\n[end] {event.payload or ''}".rstrip())


if __name__ == "__main__":
    main()
