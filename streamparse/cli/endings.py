"""How a run ends: an exit code and at most one line on stderr, never a traceback.

The codes stand in the docstring of `streamparse.cli` and in `--help`.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TextIO

from streamparse.cli.escape import visible_line
from streamparse.errors import MissingExtraError, ProviderStreamError

ALL_READ = 0
FAILED = 1
WRONG_USAGE = 2
READER_GONE = 128 + 13  # what a shell reports for SIGPIPE, also where there is no such signal

_ENDS_OF_ALL = """\
  2    wrong usage
  130  Ctrl-C (143: terminated)
  141  the reader of the output went away, as in `| head -1`"""

EXIT_CODES = f"""\
Exit codes:
  0    everything was read, or, of `streamparse diff`, can be applied
  1    the input cannot be read, the output cannot be written,
       the provider reported an error, a diff cannot be applied as a whole,
       an agent did not come to its end, or a needed extra is not installed
{_ENDS_OF_ALL}"""

#: Those of `streamparse diff` alone.
DIFF_EXIT_CODES = f"""\
Exit codes:
  0    all of the diff can be applied, or was, or there is nothing to change
  1    it cannot be applied as a whole, or a file cannot be read or written
{_ENDS_OF_ALL}"""


class CommandError(Exception):
    """Ends the run with exit code 1; the message is the line on stderr."""

    exit_code = FAILED


class WrongUsageError(CommandError):
    """Ends the run with exit code 2."""

    exit_code = WRONG_USAGE


class Stopped(KeyboardInterrupt):
    """A signal ended the run: Ctrl-C, or a request to terminate."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__()
        self.exit_code = 128 + number


def run_to_exit_code(run: Callable[[Sequence[str]], None], arguments: Sequence[str]) -> int:
    """Call `run(arguments)` and turn whatever ends it into an exit code."""
    try:
        run(arguments)
        standard_output().flush()
        return ALL_READ
    except Stopped as stopped:
        return stopped.exit_code
    except KeyboardInterrupt:
        return Stopped().exit_code
    except CommandError as failure:
        _complain(str(failure))
        return failure.exit_code
    except ProviderStreamError as error:
        _complain(f"the provider reported an error: {error.message}")
        return FAILED
    except MissingExtraError as error:
        _complain(str(error))
        return FAILED
    except BrokenPipeError:
        _abandon_output()
        return READER_GONE
    except OSError as error:
        _abandon_output()
        _complain(f"cannot write the output: {error.strerror or error}")
        return FAILED


def standard_output() -> TextIO:
    """sys.stdout, prepared for text that its encoding may not have."""
    if sys.stdout is None:
        raise CommandError("cannot write the output: standard output is closed")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return sys.stdout


def _complain(message: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"streamparse: {visible_line(message)}", file=sys.stderr, flush=True)


def _abandon_output() -> None:
    """Let what is still buffered go nowhere: the interpreter flushes once more at its exit, and would complain."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
