"""The grammar of bash, by tree-sitter: the one module that needs the extra `agent` to read command lines.

`commands.py` loads it when the first command line is read, and does without it where it is not installed.
"""

from __future__ import annotations

import tree_sitter
import tree_sitter_bash

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def parse_bash(line: str) -> tree_sitter.Node:
    """The root of the syntax tree of a command line."""
    return _PARSER.parse(line.encode()).root_node
