"""A folder on the disk that has the files of a tree."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import define, field

from tests.properties.tree_histories.generated import EXECUTABLE, LINK, REGULAR, File, Tree


@define
class Disk:
    """Knows what it has written, so that the next tree takes only what differs."""

    root: Path
    _tree: dict[str, File] = field(factory=dict, init=False)

    def lay(self, tree: Tree) -> None:
        gone = [path for path, file in self._tree.items() if tree.get(path) != file]
        for path in gone:
            (self.root / path).unlink()
            for folder in (self.root / path).parents:
                if folder == self.root or any(folder.iterdir()):
                    break
                folder.rmdir()
        for path, file in tree.items():
            if self._tree.get(path) != file:
                self._make(self.root / path, file)
        self._tree = dict(tree)

    def _make(self, place: Path, file: File) -> None:
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.mode == LINK:
            place.symlink_to(os.fsdecode(file.content))
        else:
            place.write_bytes(file.content)
            place.chmod(file.mode & 0o777)

    def found(self) -> Tree:
        """All files that are there now; folders without any are an error."""
        tree: dict[str, File] = {}
        for folder, folders, names in os.walk(self.root):
            assert folders or names or Path(folder) == self.root, f"{folder} is empty"
            for name in names:
                place = Path(folder, name)
                path = place.relative_to(self.root).as_posix()
                if place.is_symlink():
                    tree[path] = File(os.fsencode(os.readlink(place)), LINK)
                else:
                    mode = EXECUTABLE if place.stat().st_mode & 0o111 else REGULAR
                    tree[path] = File(place.read_bytes(), mode)
        self._tree = tree
        return dict(tree)
