"""The command line, with click. The only module that knows click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

import click

from streamparse import deferred
from streamparse._version import __version__
from streamparse.cli.demo import TOKENS_PER_SECOND, check_speed, play
from streamparse.cli.diff import DiffOptions, apply_diff
from streamparse.cli.endings import DIFF_EXIT_CODES, EXIT_CODES, WrongUsageError, standard_output
from streamparse.cli.formats import list_formats, show_format
from streamparse.cli.json_lines import JsonLines
from streamparse.cli.pretty import PrettyView
from streamparse.cli.pump import format_names, pump
from streamparse.cli.source import open_source
from streamparse.cli.tools import read_tools
from streamparse.cli.view import View
from streamparse.config import ToolSpec
from streamparse.events import SegmentEvent
from streamparse.invocations import ToolInvocation

_VIEWS: dict[str, Callable[[TextIO], View]] = {
    "pretty": PrettyView,
    "jsonl": lambda file: JsonLines(file, SegmentEvent),
    "invocations": lambda file: JsonLines(file, ToolInvocation),
}

_EPILOG = "\b\n" + EXIT_CODES
_DIFF_EPILOG = f"""\b
Examples:
  streamparse diff app.py reply.txt             what would change
  streamparse diff app.py reply.txt --write     change it
  streamparse diff reply.txt --root . --write   change all files that it names

\b
{DIFF_EXIT_CODES}"""


def run(arguments: Sequence[str]) -> None:
    """Do what `arguments` say."""
    # Not `command_line.main()`: it has endings of its own for Ctrl-C and closed pipes.
    try:
        with command_line.make_context("streamparse", list(arguments)) as context:
            command_line.invoke(context)
    except click.exceptions.Exit:
        pass  # --help and --version have been shown
    except click.ClickException as error:
        raise WrongUsageError(error.format_message()) from error


@click.group(invoke_without_command=True, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="streamparse %(version)s")
@click.pass_context
def command_line(context: click.Context) -> None:
    """Show what a language model writes in segments: prose, reasoning, files, commands, calls."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _read_tools(_: click.Context, __: click.Parameter, path: str | None) -> list[ToolSpec]:
    return read_tools(path) if path is not None else []


def _format_names(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> list[str]:
    return format_names(values)


@command_line.command(epilog=_EPILOG)
@click.argument("file", default="-")
@click.option(
    "--format", "formats", multiple=True, callback=_format_names, metavar="NAME",
    help="The format of the calls; repeatable, or several as a,b. With native, the input may be the events of a "
    "model's HTTP API, as `curl -N` gets them.  [default: $STREAMPARSE_PARSER, else xml]",
)  # fmt: skip
@click.option(
    "--model", metavar="NAME",
    help="The model that wrote the text: it says which format that is, unless --format does, and whether the reply "
    "begins within reasoning.",
)  # fmt: skip
@click.option(
    "--chunk", type=click.IntRange(min=1), metavar="N",
    help="Cut the text into pieces of N characters; events of an API stay whole.  [default: as it arrives]",
)  # fmt: skip
@click.option(
    "--output", type=click.Choice(list(_VIEWS)), default="pretty", show_default=True,
    help="Panels that grow as the reply comes in, one event per line, or one finished call per line.",
)  # fmt: skip
@click.option(
    "--tools", metavar="FILE", callback=_read_tools,
    help="A JSON list of the tools the model was given: arguments are typed by their schemas.",
)  # fmt: skip
def parse(
    file: str, formats: list[str], model: str | None, chunk: int | None, output: str, tools: list[ToolSpec]
) -> None:
    """Parse a reply from FILE, or from standard input as it arrives."""
    with open_source(file) as source:
        # Events alone need no invocations, and an endless stream must not collect any.
        view, invocations = _VIEWS[output](standard_output()), output != "jsonl"
        pump(source, view, formats, model=model, chunk_size=chunk, tools=tools, invocations=invocations)


def _check_speed(_: click.Context, __: click.Parameter, value: float) -> float:
    try:
        return check_speed(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@command_line.command(epilog=_EPILOG)
@click.option(
    "--speed", type=float, default=TOKENS_PER_SECOND, show_default=True, callback=_check_speed,
    metavar="TOKENS_PER_SECOND", help="0 plays it without pauses.",
)  # fmt: skip
def demo(speed: float) -> None:
    """Watch a bundled reply being parsed, token by token."""
    play(PrettyView(standard_output()), speed)


@command_line.command(epilog=_EPILOG)
@click.argument("name", required=False)
def formats(name: str | None) -> None:
    """List the formats, or show the one called NAME.

    It is shown with a call, the events that the call gives, and the text for a system prompt. NAME may also be the name
    of a model: then its format is shown.
    """
    if name is None:
        list_formats(standard_output())
    else:
        show_format(name, standard_output())


@command_line.command(epilog=_EPILOG)
@click.argument("task", required=False)
@click.option("--base-url", metavar="URL", help="The server, such as http://localhost:8000/v1.  [default: OpenAI's]")
@click.option("--model", required=True, metavar="NAME", help="The model, as its server calls it.")
@click.option(
    "--format", "format_name", metavar="NAME",
    help="The text format of its calls, for a server that knows no tools.  [default: tools of the interface]",
)  # fmt: skip
@click.option("--root", default=".", show_default=True, metavar="DIR", help="The folder that it works in.")
@click.option("--allow", multiple=True, metavar="TOOL", help="A tool that is not asked about, such as write_file.")
@click.option("--log", metavar="FILE", help="Keep the conversation in FILE, and go on with what is in it.")
@click.option("--turns", type=click.IntRange(min=1), default=100, show_default=True, help="How many replies at most.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="How long a task may take.")
@click.option("--acp", "is_acp", is_flag=True, help="Talk to an editor by the Agent Client Protocol instead.")
def agent(
    task: str | None,
    base_url: str | None,
    model: str,
    format_name: str | None,
    root: str,
    allow: tuple[str, ...],
    log: str | None,
    turns: int,
    seconds: float | None,
    is_acp: bool,
) -> None:
    """Let a model work on TASK in a folder: it reads, writes and runs, and asks before it changes something."""
    run: Callable[..., None] = deferred.load("streamparse.cli.agent", "run_agent")
    run(
        task,
        base_url=base_url,
        model=model,
        format=format_name,
        root=root,
        allow=allow,
        log=log,
        turns=turns,
        seconds=seconds,
        output=None if is_acp else standard_output(),
    )


@command_line.command(epilog=_EPILOG)
@click.option(
    "--upstream", required=True, metavar="URL", help="The model server's API, such as http://localhost:8000/v1."
)
@click.option(
    "--format", "format_name", default="auto", show_default=True, metavar="NAME",
    help="The text format of the calls; auto: as the model is known to write, else whatever is recognised.",
)  # fmt: skip
@click.option(
    "--model-map",
    metavar="FILE",
    help='Formats by model names, as JSON: {"*coder*": "qwen3_coder", "gpt-*": "native"}.',
)
@click.option("--prompted", is_flag=True, help="Teach tools in the prompt, for a server that knows none.")
@click.option("--reasoning", type=click.Choice(["reasoning_content", "reasoning", "both"]), default="reasoning_content",
              show_default=True, help="The field that reasoning is sent in.")  # fmt: skip
@click.option("--always", is_flag=True, help="Look for calls even if a request declares no tools.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8008, show_default=True, help="The port to listen at.")
@click.option("--record", metavar="DIR", help="Keep everything that is said in DIR, for a bug report.  [default: no]")
def proxy(
    upstream: str,
    format_name: str,
    model_map: str | None,
    prompted: bool,
    reasoning: str,
    always: bool,
    host: str,
    port: int,
    record: str | None,
) -> None:
    """Repair what a model server leaks: calls and reasoning in its text become fields, for every client.

    Clients use http://HOST:PORT/v1 instead of the server's URL. At http://HOST:PORT/ a page says how it goes.
    """
    run: Callable[..., None] = deferred.load("streamparse.cli.proxy", "run_proxy")
    run(
        upstream,
        format=format_name,
        model_map=model_map,
        is_prompted=prompted,
        reasoning=reasoning,
        always=always,
        host=host,
        port=port,
        record=record,
        output=standard_output(),
    )


@command_line.command(epilog=_DIFF_EPILOG, options_metavar="[OPTIONS]")
@click.argument("paths", nargs=-1, metavar="[FILE] PATCH")
@click.option("--root", metavar="DIR", help="Apply the diff to all files that it names, which are in DIR.")
@click.option("--only", is_flag=True, help="Apply the part for FILE of a diff that is also for others.")
@click.option("--write", is_flag=True, help="Change the files, all or none, if everything can be applied.")
@click.option("--preview", is_flag=True, help="Show the files as they would be instead of what would change.")
@click.option("--complete", is_flag=True, help="Nothing is missing at the end of PATCH: the model had finished.")
@click.option(
    "--encoding", metavar="NAME",
    help="The encoding of the files.  [default: each file's own: by its byte order mark, else UTF-8 or latin-1]",
)  # fmt: skip
def diff(
    paths: tuple[str, ...],
    root: str | None,
    only: bool,
    write: bool,
    preview: bool,
    complete: bool,
    encoding: str | None,
) -> None:
    """Show what the diff in PATCH would change in FILE, or in all files under --root.

    PATCH is a file, or - for standard input. It has SEARCH/REPLACE blocks, a unified diff or a `*** Begin Patch` block,
    as a model wrote it.
    """
    options = DiffOptions(root, only=only, write=write, preview=preview, complete=complete, encoding=encoding)
    apply_diff(paths, options)
