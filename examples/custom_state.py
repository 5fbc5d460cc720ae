"""A block of one's own: `<chart kind="bar">…</chart>`, with its numbers checked by the kit before it is used."""

from typing import Any

from streamparse import DelimitedState, parse, register_tool_state
from streamparse.testing import check_state


class ChartState(DelimitedState):
    """A segment of type chart; its content is the data, line by line, tabs shown as commas."""

    segment_type = "chart"
    required = ("kind",)
    decode_triggers = "\t"

    def metadata(self) -> dict[str, Any]:
        return {"title": "untitled", **super().metadata()}

    def decode(self, text: str) -> str:
        return text.replace("\t", ",")


register_tool_state("chart", ChartState, bare=True)


def main() -> None:
    sample = '<chart kind="bar">a\t1\nb\t2</chart>'
    check_state(ChartState, {sample: [("chart", {"title": "untitled", "kind": "bar"}, "a,1\nb,2", {})]})
    for event in parse(f"As a picture: {sample} But <chart>has no kind</chart>.", "xml"):
        print(event.to_dict())


if __name__ == "__main__":
    main()
