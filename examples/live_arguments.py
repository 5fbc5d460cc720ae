"""Live arguments: a form that fills itself in while the model writes the call."""

from streamparse import SegmentEvent, SegmentEventType, StreamingResponseHandler

CREATE_EVENT = {
    "name": "create_event",
    "parameters": {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "attendees": {"type": "integer"},
            "notes": {"type": ["string", "null"]},
        },
    },
}
JSON_REPLY = r"""{
  "name": "create_event",
  "arguments": {"title": "Caf\u00e9 \ud83c\udf75", "attendees": 12, "notes": "bring \"cake\""}
}"""
XML_REPLY = """\
<tool name="create_event"><title>Tea &amp; cake</title><attendees>12</attendees><notes>a < b</notes></tool>"""


class Form:
    """Stands for a widget. It is drawn when something in it has changed."""

    def __init__(self, handler: StreamingResponseHandler) -> None:
        self.handler = handler
        self.shown: dict[str, object] = {}

    def on_event(self, event: SegmentEvent) -> None:
        arguments = self.handler.partial_arguments(event.segment_id)
        if arguments is not None and arguments != self.shown:
            self.shown = arguments
            print("   ", arguments)
        if event.type is SegmentEventType.END:
            (invocation,) = self.handler.invocations
            print("  ", invocation.status, invocation.arguments == self.shown)


def main() -> None:
    for name, reply in (("json", JSON_REPLY), ("xml", XML_REPLY)):
        print(name)
        handler = StreamingResponseHandler(name, tools=[CREATE_EVENT])
        handler.subscribe(Form(handler).on_event, segment_type="tool_call")
        for start in range(0, len(reply), 8):
            handler.feed(reply[start : start + 8])
        handler.finalize()


if __name__ == "__main__":
    main()
