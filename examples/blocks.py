"""Blocks: a user interface that draws the reply anew after every chunk, as a list of blocks with a partial flag."""

from streamparse.blocks import AssistantMessageParser, Block, ReasoningContent, TextContent, ToolUse

CHUNKS = [
    *("<think>\nA fi", "le is enough.\n</thi", "nk>\n\nI write it", ".\n\n<write_file pa", 'th="a.py">print('),
    *(
        "1 < 2)\n</wri",
        "te_file>\n\n",
        '<tool name="check"><target>a.p',
        "y</target></tool> Then I cl",
        "ean up: <run_bash>rm -r",
    ),
]


def draw(block: Block) -> str:
    more = " …" if block.partial else ""
    match block:
        case TextContent():
            return f"  says    {block.content}{more}"
        case ReasoningContent():
            return f"  thinks  {block.content}{more}"
        case ToolUse():
            return f"  {block.name} {block.params}{more} {block.status or ''}".rstrip()
    return f"  {block.type}"


def main() -> None:
    parser = AssistantMessageParser("xml")
    for chunk in CHUNKS:
        print(repr(chunk))
        print(*map(draw, parser.process_chunk(chunk)), sep="\n")
    print("the end")
    print(*map(draw, parser.finalize()), sep="\n")


if __name__ == "__main__":
    main()
