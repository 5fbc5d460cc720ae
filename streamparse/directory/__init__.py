"""Texts on a disk: the files of one directory, read by paths that stay in it, and changed together or not at all.

    directory = Directory(root)
    before = directory.read("src/a.py")
    directory.write([FileChange("src/a.py", before, before.upper())])

To read the code: `directory.py` reads and writes texts (`encoding.py`) by paths that stay in the tree (`paths.py`,
`folder.py`). `file_change.py` is what is to be done to a file. All files are changed or none: `planning.py` says what
that takes, and `journal.py` does it, or undoes what was interrupted.
"""

from streamparse.directory.directory import Directory
from streamparse.directory.file_change import FileChange

__all__ = ["Directory", "FileChange"]
