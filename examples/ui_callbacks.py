"""A user interface in callbacks: each part of the screen subscribes to the segments it shows."""

from streamparse import SegmentEvent, SegmentEventType, StreamingResponseHandler

CHUNKS = [
    *("I fix the ti", "tle.\n<wri", 'te_file path="a.ht', 'ml"><h1>Hi</'),
    *("h1></write_f", "ile><run_ba", "sh>ls</run_", "bash>"),
]


class Screen:
    """Stands for widgets: a chat, an editor with tabs, a list of commands to approve."""

    def __init__(self) -> None:
        self.chat = ""
        self.tabs: dict[str, str] = {}
        self.commands: list[str] = []
        self.open_tab = ""

    def on_text(self, event: SegmentEvent) -> None:
        self.chat += event.delta

    def on_file(self, event: SegmentEvent) -> None:
        if event.type is SegmentEventType.START:
            self.open_tab = event.metadata["path"]
            self.tabs[self.open_tab] = ""
        self.tabs[self.open_tab] += event.delta

    def on_command(self, event: SegmentEvent) -> None:
        if event.type is SegmentEventType.START:
            self.commands.append("")
        self.commands[-1] += event.delta


def main() -> None:
    screen = Screen()
    handler = StreamingResponseHandler("xml", on_error=lambda error: print("a widget failed:", error))
    handler.subscribe(screen.on_text, segment_type="text", event_type="SEGMENT_CONTENT")
    handler.subscribe(screen.on_file, segment_type="write_file")
    handler.subscribe(screen.on_command, segment_type="run_bash")
    for chunk in CHUNKS:
        handler.feed(chunk)
        print(f"{chunk!r:24} chat={screen.chat!r} tabs={screen.tabs} commands={screen.commands}")
    handler.finalize()


if __name__ == "__main__":
    main()
