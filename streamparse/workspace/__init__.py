"""Tools that work on a folder: its files, its commands, and a way back.

    tools = workspace_tools(root)      # read_file, write_file, patch_file, list_files, search_files, run_bash
    checkpoints = Checkpoints(root)

`files.py` reads and changes files (`texts.py`, `edits.py`), `listing.py` lists and searches them (`walk.py` and
`ignored.py`, `search.py` and `finder.py`), `shell.py` runs commands (`process.py`), and `checkpoints.py` keeps the
folder as it was, by git (`shadow_git.py`). File tools are confined to the root (`root.py`); commands are not.
"""

from __future__ import annotations

import os

from streamparse.presenter.tool import Toolbox
from streamparse.workspace.checkpoints import Checkpoint, Checkpoints
from streamparse.workspace.files import Files
from streamparse.workspace.listing import Listing
from streamparse.workspace.shadow_git import CheckpointError
from streamparse.workspace.shell import Shell

__all__ = ["Checkpoint", "CheckpointError", "Checkpoints", "Files", "Listing", "Shell", "workspace_tools"]


def workspace_tools(root: str | os.PathLike[str], *, shell: Shell | None = None) -> Toolbox:
    """All tools for the folder `root`. `shell` is one with other limits than the usual."""
    return Toolbox([*Files(root).tools(), *Listing(root).tools(), (shell or Shell(root)).tool()])
