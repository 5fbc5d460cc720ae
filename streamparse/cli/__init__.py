"""The command `streamparse`: a model's reply as panels, as events, or as invocations.

    streamparse parse [FILE|-] [--format NAME]... [--chunk N] [--output pretty|jsonl|invocations] [--tools FILE]
    streamparse demo [--speed TOKENS_PER_SECOND]
    streamparse formats [NAME]
    streamparse diff FILE PATCH [--only] [--write] [--preview] [--complete] [--encoding NAME]
    streamparse diff PATCH --root DIR [--write] [--preview] [--complete] [--encoding NAME]
    streamparse agent [TASK] --model NAME [--base-url URL] [--format NAME] [--root DIR] [--allow TOOL]... [--acp]
    streamparse proxy --upstream URL [--format NAME] [--model-map FILE] [--prompted] [--host NAME] [--port N]
    streamparse --version

Exit codes:

    0    everything was read, or, of `streamparse diff`, can be applied
    1    the input cannot be read, the output cannot be written, the provider reported an error,
         a diff cannot be applied as a whole, an agent did not come to its end,
         or a needed extra is not installed
    2    wrong usage
    130  Ctrl-C (143: terminated); what was open is closed as truncated first
    141  the reader of the output went away, as in `| head -1`

With `--format native` the input is what a model's HTTP API sends: `curl -N … | streamparse parse --format native`.

To read the code: `app.py` is the command line (without the extra `cli`: `plain.py`), `pump.py` runs a stream through
the parser into a view, `chunks.py` says what the parser is given, and the views are `pretty.py`, `json_lines.py` and
`plain_view.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from streamparse.cli.endings import run_to_exit_code

try:
    from streamparse.cli.app import run
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("click", "rich"):
        raise
    from streamparse.cli.plain import run

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments`, by default those of the process; returns the exit code."""
    return run_to_exit_code(run, sys.argv[1:] if arguments is None else arguments)
