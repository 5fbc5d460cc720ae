"""What the benchmarks feed: the everyday streams, and the families that try to make a parser slow.

A family is a way to make a text of about n characters, so that the same stream can be had at twice the length.
Everything is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from attrs import evolve, frozen

from streamparse.config import ParserConfig, ToolSpec

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
_BRACKETED = """\
See [1] and [the notes](notes.md): the key is {tenant}/{id}, rows[i] is read as {} when it is empty, and f({a: 1}) \
returns [ok, reason]. Retries are safe [2] as long as rows[j] is not in {a, b}.

"""
_TECHNICAL = """\
The handler takes `options` and returns a list: for each item in rows[i] where i < n, call f(x) and keep {key: value}.

```python
def merge(rows: list[dict[str, int]], limit: int = 10) -> dict[str, list[int]]:
    out = {"a": [1, 2], "b": []}
    for row in rows:
        if len(row) < limit and row["id"] not in out:
            out[row["name"]] = [row[k] for k in ("x", "y")]
    return {k: v for k, v in out.items() if v[0] <= 3}
```

- [x] Write the <b>bold</b> parts, see [the docs](https://example.org/a[1]).
- [ ] Use `std::vector<int>` and Map<String, List<T>> in <div class="a">{items}</div>.
1. First {braces}, then [brackets], then a < b && c > d.

In LaTeX, \\frac{a}{b} and x_{i} are common; JSON such as {"name": "Bob", "tags": ["x"]} is, too.

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


def bracketed_prose(size: int) -> str:
    """Prose with many brackets that begin nothing."""
    return repeat(_BRACKETED, size)


def technical(size: int) -> str:
    """Technical writing: code, lists and data, nothing of which is a call."""
    return repeat(_TECHNICAL, size)


def one_file(size: int) -> str:
    """One `<write_file>` with a long source file in it."""
    return f'<write_file path="a.py">{source_code(size)}</write_file>'


def small_tools(size: int) -> str:
    """Many small calls with a little prose between them."""
    return repeat(f"Then I look at the next one.\n{_SMALL_TOOL}\n", size)


def one_argument(size: int) -> str:
    """One call with a long text for an argument."""
    return f'<tool name="x"><arg name="a">{repeat(_SOURCE.replace("<", "&lt;"), size)}</arg></tool>'


#: All that look for something in the same text.
ALL_FORMATS = ("xml", "json", "sentinel")


@frozen
class Family:
    """A stream of any length, for a parser of these `formats`. `sizes` fixes the lengths where only those matter.

    `is_long` marks streams of megabytes, which pass a limit on the way: they are left out of a quick run, and out of
    the runs in one chunk, where a limit costs nothing.
    """

    name: str
    make: Callable[[int], str]
    sizes: tuple[int, ...] | None = None
    config: ParserConfig | None = None
    is_long: bool = False
    formats: tuple[str, ...] = ("xml",)
    tools: tuple[ToolSpec, ...] = ()


def _repeated(name: str, unit: str, before: str = "", after: str = "", config: ParserConfig | None = None) -> Family:
    return Family(name, lambda size: before + repeat(unit, size) + after, config=config)


def _one_tag(name: str, before: str, unit: str, after: str) -> Family:
    """One tag just below the limit for opening tags (65,536), beyond which it is text."""
    return Family(name, lambda size: before + repeat(unit, size) + after, sizes=(15_000, 30_000, 60_000))


def _held(name: str, before: str, unit: str, after: str = "") -> Family:
    """What is held, up to the limit for that (1,048,576): from there on it is read as something else."""
    return Family(name, lambda size: before + repeat(unit, size) + after, sizes=(250_000, 500_000, 1_000_000))


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
_XML_FAMILIES: tuple[Family, ...] = (
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
    Family("plan of many tools", lambda size: "<parallel>" + repeat(_SMALL_TOOL + "\n", size) + "</parallel>"),
    Family("plans in plans", lambda size: repeat("<parallel>" + _SMALL_TOOL, size)),
    Family(
        "plans in plans that close", lambda size: repeat("<parallel>", size // 2) + repeat("</parallel>", size // 2)
    ),
    Family("blanks in a plan", lambda size: "<parallel><b></b>" + _SMALL_TOOL + " " * size),
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
    _held("tool + </tool>", '<tool name="x"><arg name="k">', "</tool>"),
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
    _held("content + </tool>", _OPEN_CONTENT, "</tool>"),
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
    _held("raw + </arg></tool>", _OPEN_RAW, "</arg></tool>"),
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

_JSON_CALL = '{"name":"f","arguments":{"a":1}}'
_OPEN_CALL = '{"name":"f","arguments":{"a":'
_BACKSLASH = "\\"
_PERSON = '{"name": "Bob", "age": 3, "tags": ["x", null, true], "at": {"lat": -1.5e3}}'


def _list(unit: str, size: int) -> str:
    return f"[{repeat(f'{unit},', size)[:-1]}]"


def _listed(name: str, unit: str) -> Family:
    return Family(name, partial(_list, unit))


def _nested(name: str, before: str, opener: str, closer: str) -> Family:
    """Nested as deep as the size says, and closed again."""
    return Family(
        f"{name}, 10,000 deep",
        lambda depth: before + opener * depth + "1" + closer * depth + before.count("{") * "}",
        sizes=(5_000, 10_000, 20_000),
    )


_THOUSAND_TOOLS = tuple(ToolSpec(f"tool_{number}", {}) for number in range(1000, 2000))

_PLAN = '{"execution": {"mode": "parallel", "tools": ['
_PLANNED = '{"name": "f", "args": {}}, '
_JSON_FAMILIES: tuple[Family, ...] = (
    Family("plan of many tools", lambda size: _PLAN + repeat(_PLANNED, size)),
    Family("plans in plans", lambda size: repeat(_PLAN + _PLANNED, size)),
    Family("plans in plans, then tools", lambda size: repeat(_PLAN, size // 2) + repeat(_PLANNED, size // 2)),
    # the everyday ones
    _repeated("small calls", f"Then I look at the next one.\n{_JSON_CALL}\n"),
    _listed("small calls in a list", _JSON_CALL),
    _listed("small calls of OpenAI in a list", f'{{"id":"c","type":"function","function":{_JSON_CALL}}}'),
    _repeated("call with a long argument", _SOURCE.replace('"', "'").replace("\n", "\\n"), f'{_OPEN_CALL}"', '"}}'),
    _listed("data", _PERSON),
    Family("prose with brackets", bracketed_prose),
    # what never becomes a call
    _repeated("{", "{"),
    _repeated("[", "["),
    _repeated('{"', '{"'),
    _repeated('{" + a line break', '{"\n'),
    _repeated('[{"', '[{"'),
    _repeated('{"name": "', '{"name": "'),
    _repeated('{"name":"f",', '{"name":"f",'),
    _repeated('{"name":"f"}', '{"name":"f"}'),
    _repeated('{"arguments":', '{"arguments":'),
    _repeated('{"tool_calls":[', '{"tool_calls":['),
    _repeated('{"function":{', '{"function":{'),
    _held("{ + blanks", "{", " "),
    _held('{"name": + blanks', '{"name":', " "),
    _held("[ + blanks", "[", " ", '{"name":"f","arguments":{}}]'),
    _repeated("long names", f'{{"name": "{"x" * 1000}", "age": 3}}'),
    _repeated("long names of backslashes", f'{{"name": "{_BACKSLASH * 1000}", "age": 3}}'),
    evolve(_repeated("names that are not declared", '{"name":"tool_199", "arguments": {}}'), tools=_THOUSAND_TOOLS),
    evolve(_repeated("names that are declared", '{"name":"tool_1999", "age": {}}'), tools=_THOUSAND_TOOLS),
    _repeated("backslashes in prose", _BACKSLASH),
    _repeated("backslashes in a name", _BACKSLASH, '{"name": "'),
    _repeated("backslashes in data", _BACKSLASH, '{"a": "'),
    _repeated("backslash before a line feed + prose", _PARAGRAPH, f'{{"a": "{_BACKSLASH}{chr(10)}'),
    # look-alikes
    _listed("objects that are text", '{"a":1}'),
    _listed("objects with the keys of a call", '{"name":"x","id":"y","type":"z"}'),
    _listed("numbers behind an object", '{"a":1},1'),
    _repeated("objects that are text, no list", '{"a":1} '),
    _repeated("empty lists in data", "[],", '{"a":['),
    _repeated("short strings in data", '"",', '{"a":['),
    _repeated("numbers in data", "1,", '{"a":['),
    _repeated("members in data", '"b":1,', '{"a":{'),
    _nested("[ in data", '{"x":', "[", "]"),
    _nested('{"a": in data', '{"x":', '{"a":', "}"),
    # a call that is certain
    _repeated("open calls", '{"name":"f","arguments":{'),
    _repeated("call + {", "{", _OPEN_CALL),
    _repeated("call + [", "[", _OPEN_CALL),
    _repeated("call + ]", "]", _OPEN_CALL),
    _repeated("call + []", "[]", _OPEN_CALL),
    _repeated('call + "', '"', _OPEN_CALL),
    _repeated("call + backslashes", _BACKSLASH, f'{_OPEN_CALL}"'),
    _repeated("call + backslashes and quotes", '\\"', f'{_OPEN_CALL}"'),
    _repeated("call + members", '"b":[1],', f"{_OPEN_CALL}{{"),
    _nested("call + [", _OPEN_CALL, "[", "]"),
    _nested('call + {"a":', _OPEN_CALL, '{"a":', "}"),
    # in a list that has calls
    _listed("calls and numbers", f"{_JSON_CALL},1"),
    _listed("calls and objects", f'{_JSON_CALL},{{"a":1}}'),
    _repeated("call in a list + [", "[", f"[{_JSON_CALL},"),
    _repeated("call in a list + blanks", " ", f"[{_JSON_CALL},"),
    _repeated("wrapper + members", '"type":"x","index":1,', f'{{"tool_calls":[{_JSON_CALL}],'),
    _repeated("wrappers", f'{{"tool_calls":[{_JSON_CALL},],"id":"c","type":"x"}} '),
    _repeated("wrappers with something else", f'{{"tool_calls":[{_JSON_CALL}],"id":"c","x":1}} '),
    # what is held for long
    _held("arguments before the name", '{"arguments":[', f"{_PERSON},", '1],"name":"f"}'),
    _held("arguments that are one string", '{"arguments":"', _PARAGRAPH.replace("\n", " "), '","name":"f"}'),
    _held("arguments that are lists", '{"arguments":[', "[],", '1],"name":"f"}'),
    _held("arguments, and no name", '{"arguments":[', f"{_PERSON},", '1],"age":3}'),
    _held("arguments that stop being JSON", '{"arguments":[', f"{_PERSON},", "oops"),
    Family(
        "arguments without a name, past the limit",
        partial(repeat, f'{{"arguments":[{_list(_PERSON, 100_000)}]}}'),
        sizes=(1_000_000, 2_000_000),
        is_long=True,
    ),
)

_HEADER = '[[SEG_START {"type": "run_bash"}]]'
_SENTINEL_FAMILIES: tuple[Family, ...] = (
    _repeated("blocks", f"Then I look at the next one.\n{_HEADER}ls[[SEG_END]]\n"),
    _repeated("one block", _SOURCE, _HEADER, "[[SEG_END]]"),
    _repeated("[", "["),
    _repeated("[[SEG_START", "[[SEG_START"),
    _repeated("[[SEG_START {", "[[SEG_START {"),
    _repeated('[[SEG_START {"', '[[SEG_START {"'),
    _repeated('[[SEG_START {"type":"x?"}]]', '[[SEG_START {"type":"x?"}]]'),
    _repeated("[[SEG_START + blanks", " ", "[[SEG_START"),
    _repeated("[[SEG_END]]", "[[SEG_END]]"),
    _repeated("block + [[SEG_END", "[[SEG_END", _HEADER),
    _repeated("block + [", "[", _HEADER),
    _repeated("backslashes in prose", _BACKSLASH),
    _repeated("backslashes in a header", _BACKSLASH, '[[SEG_START {"type": "'),
    _one_tag("one header, long string", '[[SEG_START {"type":"run_bash","a":"', "x", '"}]]z[[SEG_END]]'),
    _one_tag("one header, backslashes", '[[SEG_START {"type":"run_bash","a":"', "\\\\", '"}]]z[[SEG_END]]'),
    _one_tag("one header, members", '[[SEG_START {"type":"run_bash","a":[', '{"a":1},', "1]}]]z[[SEG_END]]"),
    _one_tag("one header, [", '[[SEG_START {"type":"run_bash","a":', "[", "x]]z[[SEG_END]]"),
    _one_tag("one header, blanks", '[[SEG_START {"type":"run_bash"}', " ", "]]z[[SEG_END]]"),
)


_CLINE_FILE = "<write_to_file><path>a</path><content>"
_CLINE_COMMAND = "<execute_command><command>"


def one_cline_file(size: int) -> str:
    """A file of source code."""
    return f"{_CLINE_FILE}\n{source_code(size)}\n</content></write_to_file>"


def small_cline_tools(size: int) -> str:
    """One small call after the other."""
    return repeat("<read_file>\n<path>src/a.py</path>\n</read_file>\n\n", size)


_CLINE_FAMILIES: tuple[Family, ...] = (
    # the everyday ones
    Family("prose", prose),
    Family("one file", one_cline_file),
    Family("small tools", small_cline_tools),
    # what may become a tag
    _repeated("openers", "<read_file>"),
    _repeated("blanks behind an opener", " ", "<read_file>"),
    _repeated("blanks in a closer", " ", f"{_CLINE_FILE}</content"),
    _repeated("blanks in the closer of a call", " ", "<read_file><path>a</path"),
    _repeated("blanks behind a closer", " ", f"{_CLINE_FILE}</content>"),
    _repeated("blanks behind the last closer", " ", f"{_CLINE_FILE}</write_to_file>"),
    _repeated("blanks in a command", " ", f"{_CLINE_COMMAND}a"),
    _repeated("< in a file", "<", _CLINE_FILE),
    _repeated("< in a command", "< ", _CLINE_COMMAND),
    # closers that do not count
    _repeated("closers", "</content>", _CLINE_FILE),
    _repeated("closers before parameters", "</content><path>", _CLINE_FILE),
    _repeated("ends", "</write_to_file>x", _CLINE_FILE),
    _repeated("nested calls", "<write_to_file><path>", _CLINE_FILE),
    # what is looked ahead for
    Family("tags that do not close", lambda size: "<read_file>" + _numbered(size, "<c{0}>") + "</read_file>"),
    _repeated("tags that close", "<c><d></c>", "<read_file>", "</read_file>"),
    _repeated("parameters that do not close", "<path><regex></x>", "<search_files>", "</search_files>"),
    _repeated("parameters in a command", "<timeout> b ", f"{_CLINE_COMMAND}a", "</command></execute_command>"),
    _repeated("calls to mend", f"{_CLINE_COMMAND}a<timeout>b</execute_command>"),
    _repeated("calls with text", "<read_file><foo><path>b</path></read_file>"),
    _repeated("calls without an end", "<read_file><path>"),
    _past_held("parameters in a command", f"{_CLINE_COMMAND}a<timeout> b "),
    _past_held("tags that do not close", "<read_file><foo>"),
)


def _for_formats(families: tuple[Family, ...], formats: tuple[str, ...], name: str) -> Iterator[Family]:
    for family in families:
        yield evolve(family, name=f"{name}: {family.name}", formats=formats)


FAMILIES: tuple[Family, ...] = (
    *_XML_FAMILIES,
    *_for_formats(_JSON_FAMILIES, ("json",), "json"),
    *_for_formats(_SENTINEL_FAMILIES, ("sentinel",), "sentinel"),
    *_for_formats(_CLINE_FAMILIES, ("cline",), "cline"),
    *_for_formats(_JSON_FAMILIES + _SENTINEL_FAMILIES, ALL_FORMATS, "all"),
    # where the format is to be found out, objects are looked at if tools are declared
    *(evolve(one, tools=one.tools or (ToolSpec("f"),)) for one in _for_formats(_JSON_FAMILIES, ("auto",), "auto")),
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
    *_for_formats(
        (
            _repeated("small calls", _JSON_CALL),
            _repeated("arguments: text", f"{_PARAGRAPH[:-2]} ", f'{_OPEN_CALL}"', '"}}'),
            _repeated("arguments: escapes", f"{_BACKSLASH}n", f'{_OPEN_CALL}"', '"}}'),
            _repeated("arguments: lists", "[],", f"{_OPEN_CALL}[", "1]}}"),
            _repeated("arguments: a string", f"{_PARAGRAPH[:-2]} ", '{"name":"f","arguments":"', '"}'),
            _nested("arguments: [", _OPEN_CALL, "[", "]"),
        ),
        ("json",),
        "json",
    ),
)
#: What the limit on arguments allows, and more than any model writes.
LONG_ARGUMENTS = Family("10 MB of arguments", one_argument, sizes=(2_500_000, 5_000_000, 10_000_000), is_long=True)
