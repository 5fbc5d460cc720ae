"""The command line without the extra `cli`: all works but `parse` with panels and invocations, which names it."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NoReturn

from streamparse._version import __version__
from streamparse.cli.demo import TOKENS_PER_SECOND, check_speed, play
from streamparse.cli.diff import DiffOptions, apply_diff
from streamparse.cli.endings import EXIT_CODES, WrongUsageError, standard_output
from streamparse.cli.formats import list_formats, show_format
from streamparse.cli.json_lines import JsonLines
from streamparse.cli.plain_view import PlainView
from streamparse.cli.pump import format_names, pump
from streamparse.cli.source import open_source
from streamparse.errors import MissingExtraError
from streamparse.events import SegmentEvent


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Complain in one line, as everything here does."""
        raise WrongUsageError(message)


def run(arguments: Sequence[str]) -> None:
    """Do what `arguments` say."""
    parser = _command_line()
    options = parser.parse_args(arguments)
    if options.command == "demo":
        play(PlainView(standard_output()), options.speed)
    elif options.command == "parse":
        _parse(options)
    elif options.command == "diff":
        _diff(options)
    elif options.command == "formats" and options.name is not None:
        show_format(options.name, standard_output())
    elif options.command == "formats":
        list_formats(standard_output())
    else:
        parser.print_help()


def _parse(options: Namespace) -> None:
    if options.output != "jsonl":
        raise MissingExtraError("cli", "rich" if find_spec("rich") is None else "click")
    formats = format_names(options.format)
    with open_source(options.file) as source:
        view = JsonLines(standard_output(), SegmentEvent)
        pump(source, view, formats, model=options.model, chunk_size=options.chunk)


def _diff(options: Namespace) -> None:
    apply_diff(
        options.paths,
        DiffOptions(
            options.root,
            only=options.only,
            write=options.write,
            preview=options.preview,
            complete=options.complete,
            encoding=options.encoding,
        ),
    )


def _command_line() -> _Parser:
    parser = _Parser(
        prog="streamparse",
        description="Show what a language model writes in segments: prose, reasoning, files, commands, calls.",
        epilog=f'For more than this: pip install "llm-streamparse[cli]"\n\n{EXIT_CODES}',
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"streamparse {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    parse = commands.add_parser("parse", help="parse a reply from a file or standard input")
    parse.add_argument("file", nargs="?", default="-", metavar="FILE")
    parse.add_argument(
        "--format", action="append", default=[], metavar="NAME",
        help="repeatable, or a,b; with native, the input may be the events of a model's HTTP API",
    )  # fmt: skip
    parse.add_argument(
        "--model", metavar="NAME",
        help="the model that wrote the text: it says which format that is, and whether it begins within reasoning",
    )  # fmt: skip
    parse.add_argument(
        "--chunk", type=_positive, metavar="N",
        help="cut the text into pieces of N characters; events of an API stay whole",
    )  # fmt: skip
    parse.add_argument("--output", choices=["pretty", "jsonl", "invocations"], default="pretty")
    demo = commands.add_parser("demo", help="watch a bundled reply being parsed")
    demo.add_argument("--speed", type=_speed, default=TOKENS_PER_SECOND, metavar="TOKENS_PER_SECOND")
    formats = commands.add_parser("formats", help="list the formats, or show one of them")
    formats.add_argument("name", nargs="?", metavar="NAME")
    diff = commands.add_parser("diff", help="show what a model's diff would change, in a file or a tree, or change it")
    diff.add_argument("paths", nargs="+", metavar="[FILE] PATCH", help="- for a PATCH from standard input")
    diff.add_argument("--root", metavar="DIR", help="apply it to all files that it names, which are in DIR")
    diff.add_argument("--only", action="store_true", help="apply the part for FILE of a diff that is also for others")
    diff.add_argument("--write", action="store_true", help="change the files, all or none")
    diff.add_argument("--preview", action="store_true", help="show the files as they would be")
    diff.add_argument("--complete", action="store_true", help="nothing is missing at the end of PATCH")
    diff.add_argument("--encoding", metavar="NAME", help="of the files; by default, each file's own")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number of characters, at least 1")
    return int(text)


def _speed(text: str) -> float:
    try:
        return check_speed(float(text))
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
