"""describe: a call in one line, for a person.

[write_file for 'src/a.py']
[apply_diff for 3 files]
[run_bash for 'make test']
[search for 'cats']

Nothing in it can move a cursor or imitate another line: what is not printable is written as an escape.
"""

from __future__ import annotations

from streamparse.config import ToolSpec
from streamparse.invocations import ToolInvocation
from streamparse.presenter.targets import targets_of

#: How much of a target is shown.
_LONGEST = 80


def describe(call: ToolInvocation, spec: ToolSpec | None = None) -> str:
    """The call in one line: its name, and its command, its path or its first text."""
    targets = targets_of(call, spec)
    name = printable(call.name)
    if len(targets.paths) > 1 and not targets.command:
        return f"[{name} for {len(targets.paths)} files]"
    texts = [targets.command, *targets.paths, *call.arguments.values()]
    about = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    return f"[{name}]" if about is None else f"[{name} for '{printable(about.strip())}']"


def printable(text: str) -> str:
    """The text in one line, and not too long. Beside control characters, marks that reorder a line are escaped."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in shown)
