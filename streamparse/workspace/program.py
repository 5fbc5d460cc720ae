"""find_program: where a program is that is run for the model, such as git, bash or ripgrep.

find_program("git", root)         "/usr/bin/git", or None
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def find_program(name: str, root: Path) -> str | None:
    """Where the program is. What lies in the root is none: a model could have written it, to have it run unasked."""
    places = [Path(place) for place in os.environ.get("PATH", os.defpath).split(os.pathsep)]
    trusted = [
        str(place) for place in places if place.is_absolute() and not place.resolve().is_relative_to(root.resolve())
    ]
    found = shutil.which(name, path=os.pathsep.join(trusted)) if trusted else None
    return None if found is None or Path(found).resolve().is_relative_to(root.resolve()) else found
