"""Imports that wait until what they import is needed. All others stand at the top of their module.

    a format                            of 70, a program reads one or two (`formats/shipped.py`)
    response templates                  few programs have one (`formats/format.py`)
    the chunks of providers             a stream of text has none (`handler.py`)
    the handler                         what was written is read again (`formats/read_back.py`)
    states and decoders of JSON         for those who declare a format of their own (`formats/__init__.py`), and where
                                        JSON, or a literal of Python, stands for tags (`families/tagged/`)
    what reads arguments while they come
                                        only calls with a body are shown so (`decoder.py` of JSON and of tags)
    a tree on a disk                    a diff for texts needs none (`diff/tree_source.py`)
    asyncio                             a reply that is read with `for` has none (`reply.py`)
    a package that may be missing       a check of arguments needs it for rare keywords (`arguments/validation.py`)
                                        and JSON that is to be mended (`families/json/decoder.py`)

Together these are two thirds of the library, and would be two thirds of the time it takes to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(module: str, name: str) -> Any:
    """What `module` calls `name`."""
    return getattr(import_module(module), name)
