"""What the benchmarks feed: the everyday streams, and the families that try to make a parser slow.

A family is a way to make a text of about n characters, so that the same stream can be had at twice the length.
Everything is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import frozen

from streamparse.config import ParserConfig

_PARAGRAPH = """\
The request goes first to the gateway, which checks the token and looks up the tenant. If the tenant is known, the \
body is read in full, because the signature covers all of it; otherwise the connection is closed at once. Retries are \
safe: every write carries a key, and the store ignores a key that it has seen before. What is slow today is not the \
network but the lock around the index, so I would begin there, measure again, and only then decide about a cache.

"""
_MARKED_UP = """\
The call to `gateway.check` fails when a < b holds, see ``Request.body``; a Map<String, List<int>> is built for \
**every** tenant. Use `<br>` between them, or <b>nothing</b> at all. Retries are safe as long as n < limit and the key \
is not `None`.

"""
_ANGLED = """\
It fails when a < b holds; a Map<String, List<int>> is built for every tenant, and <b>nothing</b> is <i>freed</i>. \
Retries are safe as long as n < limit, x << 3 fits and the <key> is not null.

"""
_SOURCE = '''\
def merge(left: list[int], right: list[int]) -> list[int]:
    """Merge two sorted lists into a new one."""
    result: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + left[i:] + right[j:]


class Report:
    """Collects rows and prints them in columns."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[tuple[str, float]] = []

    def add(self, name: str, value: float) -> None:
        self.rows.append((name, value))

    def render(self) -> str:
        width = max(len(name) for name, _ in self.rows)
        lines = [f"{name:{width}}  {value:8.2f}" for name, value in self.rows]
        return "\\n".join([f"<h1>{self.title}</h1>", *lines])


'''
_SMALL_TOOL = '<tool name="x"><a>1</a></tool>'


def repeat(unit: str, size: int) -> str:
    """`unit` again and again, at least `size` characters and no unit cut."""
    return unit * -(-size // len(unit))


def prose(size: int) -> str:
    """English as a model writes it, without anything that could begin a marker."""
    return repeat(_PARAGRAPH, size)


def marked_up_prose(size: int) -> str:
    """Prose with code spans, comparisons, generics and stray tags: everything is text, but the parser has to look."""
    return repeat(_MARKED_UP, size)


def angled_prose(size: int) -> str:
    """Prose with many `<` that begin nothing."""
    return repeat(_ANGLED, size)


def source_code(size: int) -> str:
    """A long source file."""
    return repeat(_SOURCE, size)


def one_file(size: int) -> str:
    """One `<write_file>` with a long source file in it."""
    return f'<write_file path="a.py">{source_code(size)}</write_file>'


def small_tools(size: int) -> str:
    """Many small calls with a little prose between them."""
    return repeat(f"Then I look at the next one.\n{_SMALL_TOOL}\n", size)


def one_argument(size: int) -> str:
    """One call with a long text for an argument."""
    return f'<tool name="x"><arg name="a">{repeat(_SOURCE.replace("<", "&lt;"), size)}</arg></tool>'


@frozen
class Family:
    """A stream of any length. `sizes` fixes the lengths where only those are of interest.

    `is_long` marks streams of megabytes, which pass a limit on the way: they are left out of a quick run, and out of
    the runs in one chunk, where a limit costs nothing.
    """

    name: str
    make: Callable[[int], str]
    sizes: tuple[int, ...] | None = None
    config: ParserConfig | None = None
    is_long: bool = False


def _repeated(name: str, unit: str, before: str = "", after: str = "", config: ParserConfig | None = None) -> Family:
    return Family(name, lambda size: before + repeat(unit, size) + after, config=config)


def _one_tag(name: str, before: str, unit: str, after: str) -> Family:
    """One tag just below the limit for opening tags (65,536), beyond which it is text."""
    return Family(name, lambda size: before + repeat(unit, size) + after, sizes=(15_000, 30_000, 60_000))


def _past_held(name: str, unit: str) -> Family:
    """Calls that hold all that follows: from the limit (1,048,576) on, each new one makes an older one give up."""
    return Family(f"{name}, past the limit", partial(repeat, unit), sizes=(1_000_000, 2_000_000), is_long=True)


def _numbered(size: int, pattern: str) -> str:
    count = -(-size // len(pattern.format(1000)))
    return "".join(map(pattern.format, range(count)))


_RAW_FILE = '<tool name="write_file"><arg name="path">p</arg><arg name="content">__START_CONTENT__x</arg></tool>'
_OPEN_RAW = '<tool name="write_file"><arg name="path">p</arg><arg name="content">__START_CONTENT__\n'
_OPEN_CONTENT = '<tool name="write_file"><arg name="path">p</arg><arg name="content">'
_OPEN_COMMAND = '<tool name="run_bash"><arg name="command">'
_REASONING_TOOLS = ParserConfig(tools_in_reasoning=True)
_FENCES = ParserConfig(code="text")

#: Named by what is repeated; "a + b" is a once, then b again and again.
FAMILIES: tuple[Family, ...] = (
    # the everyday ones
    Family("prose", prose),
    Family("prose with many <", angled_prose),
    Family("marked-up prose", marked_up_prose),
    Family("one file", one_file),
    Family("small tools", small_tools),
    Family("10,000 tools and 20,000", lambda count: _SMALL_TOOL * count, sizes=(5_000, 10_000, 20_000)),
    # tags that never become one
    _repeated("<", "<"),
    _repeated("</", "</"),
    _repeated("<tool", "<tool"),
    _repeated("<tool (blank)", "<tool "),
    _repeated('<tool name="', '<tool name="'),
    _repeated("<tool name='", "<tool name='"),
    _repeated("<tool name=\"<tool name='", "<tool name=\"<tool name='"),
    _repeated('<tool name="x" name="y">', '<tool name="x" name="y">'),
    _repeated('unclosed " + prose', _PARAGRAPH, '<tool name="'),
    _repeated("unclosed ' + prose", _PARAGRAPH, "<write_file path='"),
    _repeated('unclosed " + <', "<", '<tool name="'),
    _repeated("unclosed \" + <tool a='", "<tool a='", '<tool name="'),
    Family("quotes out of step", lambda size: '<tool z=" <tool y="' + _numbered(size, ' a{0}=" <b{0}="')),
    Family("tag without an end", lambda size: "<tool" + _numbered(size, ' a{0}="1"')),
    _repeated("<tool + blanks", " ", "<tool"),
    _repeated("<tool name + blanks", " ", "<tool name"),
    # one long tag
    _one_tag("one tag, long value", '<tool name="x', "y", '">z</tool>'),
    _one_tag("one tag, long name", '<tool name="x" ', "y", '="1">z</tool>'),
    _one_tag("one tag, blanks", '<tool name="x"', " ", ">z</tool>"),
    _one_tag("one tag, < in value", '<tool name="', "<", '">z</tool>'),
    _one_tag("one tag, & in value", '<tool name="', "&", '">z</tool>'),
    _one_tag("one tag, &#1 in value", '<tool name="', "&#1", '">z</tool>'),
    _one_tag("one tag, long number", '<tool name="&#', "1", ';">z</tool>'),
    Family(
        "one tag, attributes",
        lambda size: '<tool name="x"' + _numbered(size, " a{0}='1'") + ">z</tool>",
        sizes=(15_000, 30_000, 60_000),
    ),
    _one_tag("one tag, text after all", '<tool name="', "<tool ", '" =>z</tool>'),
    # bodies and their closers
    _repeated("</write_file", "</write_file"),
    _repeated("file + <", "<", '<write_file path="a">'),
    _repeated("file + </write_file", "</write_file", '<write_file path="a">'),
    _repeated("file + </write_file (blank)", "</write_file ", '<write_file path="a">'),
    _repeated("file + </write_file + blanks", " ", '<write_file path="a">x</write_file'),
    _repeated("file + </write_file + blanks, closed", " ", '<write_file path="a">x</write_file', ">"),
    _repeated("tool + <", "<", '<tool name="x">'),
    _repeated("tool + <arg", "<arg", '<tool name="x">'),
    _repeated('tool + <arg name="k">', '<arg name="k">', '<tool name="x">'),
    _repeated("tool + </arg>", "</arg>", '<tool name="x"><arg name="k">'),
    _repeated("tool + </tool>", "</tool>", '<tool name="x"><arg name="k">'),
    _repeated("tool + </arg></tool>", "</arg></tool>", '<tool name="x"><arg name="k">'),
    _repeated("tool + </arg> + blanks", " ", '<tool name="x"><arg name="k">v</arg>'),
    _repeated("unclosed <arg>, generic tool", '<tool name="x"><arg name="k">x</tool>'),
    _repeated("stray </tool>", "</tool>"),
    # arguments of the special tools
    _repeated("unclosed command", f"{_OPEN_COMMAND}x</tool>"),
    _repeated("command + &", "&", _OPEN_COMMAND),
    _repeated("command + &amp;", "&amp;", _OPEN_COMMAND),
    _repeated("run_bash + &am", "&am", "<run_bash>"),
    _repeated("command + </arg>", "</arg>", _OPEN_COMMAND),
    _repeated("content + </arg>", "</arg>", _OPEN_CONTENT),
    _repeated("content + </arg><arg", "</arg><arg", _OPEN_CONTENT),
    _repeated("content + </arg><arg name=", "</arg><arg name=", _OPEN_CONTENT),
    _repeated("content + </arg> + blanks", " ", f"{_OPEN_CONTENT}x</arg>"),
    _repeated("content + </tool>", "</tool>", _OPEN_CONTENT),
    _repeated("content + </tool> + prose", _PARAGRAPH, f"{_OPEN_CONTENT}x</tool>"),
    _repeated("content + </tool></arg>", "</tool></arg>", _OPEN_CONTENT),
    _repeated("body before path", _SOURCE, '<tool name="write_file"><arg name="content">'),
    _repeated(
        "body before path, many", '<tool name="write_file"><arg name="content">x</arg><arg name="path">p</arg></tool>'
    ),
    _repeated("path never comes", '<tool name="write_file"><arg name="content">x</arg></tool>'),
    _repeated("nested <arg>", '<arg name="a">', '<tool name="run_bash"><arg name="env">'),
    _repeated("nested <arg>, closed", '<arg name="a">1</arg>', '<tool name="run_bash"><arg name="env">'),
    _repeated("arguments + text", "x", '<tool name="write_file"><arguments>'),
    _repeated("arguments + <b>", "<b>", '<tool name="write_file"><arguments>'),
    _repeated("arguments + <b>1</b>", "<b>1</b>", '<tool name="write_file"><arguments>'),
    _repeated("same argument again", '<arg name="path">p</arg>', '<tool name="write_file">'),
    # closers that are loose
    _repeated("loose closers of a body", "</command><b>x", _OPEN_COMMAND.replace('arg name="command"', "command")),
    _repeated("loose closers of a path", "</path><b>x", '<tool name="write_file"><path>'),
    _repeated("undeclared siblings", '<tool name="run_bash"><command>ls</command><timeout>9</timeout></tool>'),
    _repeated("undeclared siblings, no end", '<tool name="run_bash"><command>ls</command><timeout>9</timeout>'),
    _repeated("closers before text", "</command>x", '<tool name="run_bash"><command>'),
    _repeated("comments between arguments", "<!-- x -->", '<tool name="run_bash">'),
    _repeated("tool + loose </arg>", "</arg><b>", '<tool name="x"><arg name="k">'),
    # raw markers
    _repeated("raw file without its end", _RAW_FILE),
    _repeated("raw + </arg></tool>", "</arg></tool>", _OPEN_RAW),
    _repeated("raw + __END_CONTENT__", "__END_CONTENT__", _OPEN_RAW),
    _repeated("raw + __END_CONTENT__</arg>", "__END_CONTENT__</arg>", _OPEN_RAW),
    _repeated("raw + __END_CONTENT__ + blanks", " ", f"{_OPEN_RAW}__END_CONTENT__"),
    _repeated("raw + _", "_", _OPEN_RAW),
    _repeated("content + blanks", " ", _OPEN_CONTENT),
    # more than may be held
    _past_held("unclosed command", f"{_OPEN_COMMAND}x</tool>"),
    _past_held("unclosed <arg>, generic tool", '<tool name="x"><arg name="k">x</tool>'),
    _past_held("raw file without its end", _RAW_FILE),
    # reasoning
    _repeated("<think>", "<think>"),
    _repeated("<think></think>", "<think></think>"),
    _repeated("</think>", "</think>"),
    _repeated("think + </thinking", "</thinking", "<think>"),
    _repeated("think + <tool></tool>", '<tool name="x"></tool>', "<think>", config=_REASONING_TOOLS),
    _repeated("think + unclosed command", f"{_OPEN_COMMAND}x</tool>", "<think>", config=_REASONING_TOOLS),
    # code
    _repeated("`", "`"),
    _repeated("` and ``", "` `` "),
    _repeated("`` ` ```", "``a`b```c"),
    _repeated("` and lines", "`\n"),
    _repeated("` and <", "`<"),
    _repeated("fences", "```py\nx\n```\n", config=_FENCES),
    _repeated("unclosed fence", "``\n`x\n", "```\n", config=_FENCES),
    _repeated("fence, info", "a", "```", config=_FENCES),
    _repeated("lines of blanks", " \t\n", config=_FENCES),
    # characters that fold oddly
    _repeated("İ and ſ", "</tool\u0130</tooſ", '<tool name="x">'),
)


def _argument(name: str, unit: str, before: str = '<tool name="x"><a>', after: str = "</a></tool>") -> Family:
    return Family(f"arguments: {name}", lambda size: before + repeat(unit, size) + after)


#: What is decoded at the end of a call.
ARGUMENT_FAMILIES: tuple[Family, ...] = (
    Family("10,000 small tools", lambda count: _SMALL_TOOL * count, sizes=(2_500, 5_000, 10_000)),
    Family("arguments: text", one_argument, sizes=(100_000, 200_000, 400_000)),  # longer ones are a matter of caches
    _argument("&amp;", "&amp;"),
    _argument("<item>", "<item>ab</item>", '<tool name="x"><arg name="a">', "</arg></tool>"),
    _argument("properties", "<b>ab</b>"),
    _argument("<br>", "<br>ab"),
    _argument("closers without openers", "</b>x"),
    _argument("pairs that cross", "<b><b><b><c></b>"),
    _argument("attributes", "<b x=\"1\" y='2'>"),
    _argument("quotes that never close", '<b x="'),
    _argument("comments", "<!-- x --><b>1</b>"),
    _argument("comments that never close", "<!-- "),
    Family(
        "arguments: nested", lambda size: f'<tool name="x"><a>{"<b>" * (size // 7)}{"</b>" * (size // 7)}</a></tool>'
    ),
    Family("arguments: many", lambda size: f'<tool name="x">{_numbered(size, "<a{0}>1</a{0}>")}</tool>'),
    _argument("the same again", "<path>1</path><foo/>", '<tool name="x">', "</tool>"),
    _argument("unclosed <arg>", '<arg name="a"><arg name="b">1</arg>', '<tool name="x">', "</tool>"),
    _argument("tags without an end", "<b ", '<tool name="x">', "</tool>"),
)
#: What the limit on arguments allows, and more than any model writes.
LONG_ARGUMENTS = Family("10 MB of arguments", one_argument, sizes=(2_500_000, 5_000_000, 10_000_000), is_long=True)
