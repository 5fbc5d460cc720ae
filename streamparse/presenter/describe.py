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
from streamparse.presenter.printable import brief
from streamparse.presenter.targets import targets_of


def describe(call: ToolInvocation, spec: ToolSpec | None = None) -> str:
    """The call in one line: its name, and its command, its path or its first text."""
    targets = targets_of(call, spec)
    name = brief(call.name)
    if len(targets.paths) > 1 and not targets.command:
        return f"[{name} for {len(targets.paths)} files]"
    texts = [targets.command, *targets.paths, *call.arguments.values()]
    about = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    return f"[{name}]" if about is None else f"[{name} for '{brief(about.strip())}']"
