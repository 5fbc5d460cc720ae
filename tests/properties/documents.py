"""Random documents: pieces of every construct, whole, cut and out of place."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from tests import seeds

#: How many random documents each seeded test tries.
COUNT = seeds.times(60)

PIECES = [
    *("a", "b ", " ", "\n", "\r\n", "é", "<", ">", "</", "/>", "&", '"', "'", "=", "_", "x < y"),
    *("`", "``", "```", "~~~", "\n```\n"),
    *(
        "<tool",
        "<tool ",
        "<tool name=",
        '<tool name="q">',
        "<tool name='q' m=\"a>b\">",
        '<tool name="q"/>',
        "</tool>",
        "</tool >",
    ),
    *(
        "<TOOL NAME='Q'>",
        "</TOOL\n>",
        "</too",
        "<toolbar>",
        '<tool name="q" name="r">',
        "<tool name=\"<tool name='q'>\" <",
    ),
    *(
        '<write_file path="p">',
        "</write_file>",
        "</write_file ",
        '<write_file path="p"/>',
        "<write_file>",
        "<write_files>",
    ),
    *("<run_bash>", "</run_bash>", "<run_bash/>", "&amp;", "&am", "&lt;&gt", "ls"),
    *('<patch_file path="p">', "</patch_file>", "@@"),
    *(
        '<tool name="write_file">',
        '<tool name="write_file" path="p">',
        '<tool name="run_bash">',
        '<tool name="patch_file">',
    ),
    *(
        '<arg name="path">',
        '<arg name="content">',
        '<arg name="command">',
        '<arg name="patch">',
        '<arg name="t">',
        "</arg>",
    ),
    *("<arg name='t'/>", "<arg>", "<arg nam", "</arg >", "</arg></tool>", "</arg>\n<arg name="),
    *("<path>", "</path>", "<content>", "</content>", "<command>", "</command>", "<timeout>", "</timeout>"),
    *("<arguments>", "</arguments>", "</path></tool>", "</content><path>p</path></tool>"),
    *(
        "__START_CONTENT__",
        "__START_CONTENT__\n",
        "__END_CONTENT__",
        "__END_CONTENT__</arg></tool>",
        "__END",
        "__START_PATCH__",
    ),
    *("<think>", "</think>", "<thinking>", "</thinking>", "</think ", "<think a='1'>", "<think/>"),
]

#: Documents around one construct: deeper than random pieces get by chance.
FRAMES = [
    ("", ""),
    ('<tool name="q">', "</tool>"),
    ('<tool name="q"><arg name="a">', "</arg></tool> after"),
    ('<write_file path="p">', "</write_file> after"),
    ("<run_bash>", "</run_bash> after"),
    ('<tool name="write_file"><arg name="path">p</arg><arg name="content">', "</arg></tool> after"),
    ('<tool name="write_file"><arg name="content">', '</arg><arg name="path">p</arg></tool> after'),
    ('before <tool name="write_file"><content>', "</content><path>p</path></tool> after"),
    ('<tool name="run_bash"><arg name="env"><arg name="A">', '</arg></arg><arg name="command">ls</arg></tool> after'),
    ("before <think>", " `</think>` after"),
    ('<tool name="write_file"><path>p</path><content>__START_CONTENT__\n', "\n__END_CONTENT__</content></tool> after"),
    ('<tool name="patch_file" path="p"><patch>', "</patch></tool> after"),
    ('<tool name="run_bash"><arg name="command">', '</arg><arg name="t">9</arg></tool> after'),
    ('<tool name="run_bash"><command>', "</command><timeout>9</timeout></tool> after"),
    ("<think>", "</think> after"),
    ("see `", "` and so on"),
    ("```\n", "\n```\nafter"),
]


def random_document(rng: random.Random, size: int = 8) -> str:
    before, after = rng.choice(FRAMES)
    return before + "".join(rng.choices(PIECES, k=rng.randint(0, size))) + (after if rng.random() < 0.7 else "")


def seeded_documents(seed: int, count: int = COUNT, size: int = 8) -> Iterator[str]:
    rng = seeds.rng(seed)
    for _ in range(count):
        yield random_document(rng, size)


def random_chunks(rng: random.Random, text: str) -> list[str]:
    cuts = sorted(rng.choices(range(len(text) + 1), k=rng.randint(0, 6)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def documents() -> st.SearchStrategy[str]:
    """The same for hypothesis, which shrinks what it finds, with any other text mixed in."""
    piece = st.one_of(st.sampled_from(PIECES), st.text(max_size=3))
    frame = st.sampled_from(FRAMES)
    return st.builds(lambda around, inner: around[0] + "".join(inner) + around[1], frame, st.lists(piece, max_size=8))


CONFIGS: list[dict[str, object]] = [
    {},
    {"code": "text"},
    {"code": "parse"},
    {"tools_in_reasoning": True},
    {"tools_in_reasoning": True, "code": "text"},
    {"reasoning": "open"},
    {"parse_tool_calls": False},
    {"decode_command_entities": False},
]
