"""Pieces of diffs for a tree in any order: the same for every chunking, and all of it or nothing."""

from __future__ import annotations

import random
from itertools import pairwise

from streamparse.diff import DiffEvent, TreeResult, TreeStream, apply_to_tree
from tests import seeds
from tests.diff.kit import block, merged
from tests.properties.documents import COUNT

TREE = {
    "src/a.py": "x = 1\ny = 2\nz = 3\n",
    "src/b.py": "p = 1\nq = 2\n",
    "lib/b.py": "l\n",
    "Makefile": "all:\n",
    "e": "",
}
HUNK = "@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 2\n"
BLOCKS = [
    *(
        "src/a.py\n",
        "b.py\n",
        "`lib/b.py`\n",
        "### e\n",
        "new.py\n",
        "In src/a.py:\n",
        "```python\n",
        "```\n",
        "text\n",
    ),
    *("------- SEARCH\n", "-- SEARCH\n", "=======\n", "+++++++ REPLACE\n", "++ REPLACE\n", "x = 1\n", "p = 1\n", "\n"),
    *(block("x = 1\n", "x = 2\n"), "src/b.py\n" + block("p = 1\n", "p = 2\n"), "new.py\n" + block("", "new\n")),
]
PATCHES = [
    *("--- a/src/a.py\n+++ b/src/a.py\n", "--- a/src/b.py\n", "+++ b/src/b.py\n", "--- /dev/null\n", "+++ /dev/null\n"),
    *("diff --git a/e b/e2\n", "rename from e\n", "rename to e2\n", "copy from src/a.py\n", "copy to c.py\n", HUNK),
    *("new file mode 100755\n", "old mode 100644\nnew mode 100755\n", "deleted file mode 100644\n", "@@\n", "+new\n"),
    *("*** Begin Patch\n", "*** End Patch\n", "*** Update File: src/a.py\n", "*** Update File: b.py\n", "-x = 1\n"),
    *("*** Add File: q/r\n", "*** Delete File: Makefile\n", "*** Move to: z\n", "*** Update File: z\n", "+x = 2\n"),
    *(
        "-- \n",
        "2.3\n",
        f"From {'1' * 40} Mon\n",
        "text\n",
        "\n",
        "-p = 1\n+p = 2\n",
        "diff --git a/src/a.py b/src/a.py\n",
    ),
]


def written(pick: random.Random) -> str:
    text = "".join(pick.choices(pick.choice((BLOCKS, PATCHES, BLOCKS + PATCHES)), k=pick.randint(1, 14)))
    return text[: pick.randint(0, len(text))] if pick.random() < 0.3 else text


def run(chunks: list[str], accept_truncated: bool) -> tuple[list[DiffEvent], TreeResult, dict[str, str | None]]:
    stream = TreeStream(TREE)
    events = [event for chunk in chunks for event in stream.feed(chunk)]
    result = stream.finalize(accept_truncated=accept_truncated)
    return merged([*events, *result.events]), result, stream.preview


def test_a_tree_is_changed_as_a_whole_or_not_at_all() -> None:
    applied = sum(check(seed) for seed in seeds.series(COUNT * 20))
    assert applied > COUNT


def check(seed: int) -> bool:
    """One case; returns whether all of it was applied."""
    pick = random.Random(seed)
    text, accept_truncated = written(pick), pick.random() < 0.5
    events, result, texts = run([text], accept_truncated)
    cuts = [0, *sorted(pick.sample(range(len(text) + 1), min(len(text), 4))), len(text)]
    for chunks in (list(text), [text[start:end] for start, end in pairwise(cuts)]):
        again, same, preview = run(chunks, accept_truncated)
        assert (again, same.to_dict(), same.changes, preview) == (events, result.to_dict(), result.changes, texts)
    numbers = [one.number for file in result.files for one in (*file.result.edits, *file.result.failures)]
    assert len(numbers) == len(set(numbers))
    after = dict(TREE)
    apply_to_tree(after, text, write=True, accept_truncated=accept_truncated)
    if not result.ok:
        assert (after, result.changes, bool(result.message)) == (TREE, (), True)
        return False
    gone = {file.path for file in result.files if file.path not in texts}
    expected = {**{path: text for path, text in TREE.items() if path not in gone}, **texts}
    assert after == {path: text for path, text in expected.items() if text is not None}
    return True
