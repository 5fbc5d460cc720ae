"""The grammar of bash, as tree-sitter reads it: the extra `agent`. Loaded by `commands.py` when a command comes."""

from __future__ import annotations

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

__all__ = ["PARSER", "Node", "Parser"]

PARSER = Parser(Language(tree_sitter_bash.language()))
