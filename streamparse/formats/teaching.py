"""What models are told about a format: texts for the system prompt, with `$tools`, `$example` and `$name` to fill in.

Every text names the tools, shows one whole call of the first of them (in xml, one in each form that they need), says
how several calls are written, and forbids what models like to do: to invent tools, arguments and results. Models that
were trained on a format are told about it in the words of their own chat template.
"""

from __future__ import annotations

from collections.abc import Sequence

from streamparse.config import BODIES, ToolSpec

_TOOLS = """\
You can call tools. These are all there are, one on each line, with the JSON schema of their arguments:

$tools
"""
_RULES = """\
- Call only the tools listed above, with arguments that their schemas allow. Never invent tools, arguments or results.
- If something that a call needs is missing, ask for it. If no tool helps, answer without one.
- After your calls, stop: the results come in the next message."""

DEFAULT = f"""\
{_TOOLS}
A call is written exactly like this, with the tool's name and arguments:

$example

- A program reads the call: keep its form to the letter, and do not put it into a code block.
- You may write to the user before a call. Several calls are written one after the other.
{_RULES}"""

_XML = f"""\
{_TOOLS}
A call is a tag, as here:

$example

%s
- You may write to the user before a call. Several calls are written one after the other, each in its own tag, never \
one inside another. Do not put them into a code block.
{_RULES}"""
_XML_ARGUMENTS = """\
- In an <arg>, text is written as it is, but for `<` and `&`, which are `&lt;` and `&amp;`. Lists and objects are \
written as JSON.
- An argument that is not needed is left out. A tool without arguments is called with an empty tag: <tool name="…"/>."""
_XML_ATTRIBUTES = """\
- What stands in quotes in a tag is written with `&lt;`, `&amp;` and `&quot;` for `<`, `&` and `"`."""
_XML_BODIES = """\
- %s: written verbatim, every character as it shall be, never with `&lt;` or the like, and all of it. It may begin on \
the line behind its opening tag, and must not hold its own closing tag."""
_XML_COMMANDS = """\
- %s: written verbatim, too, with `<`, `>` and `&` as they are. Only where the command itself has `&lt;`, `&gt;` or \
`&amp;` in it, write `&amp;lt;`, `&amp;gt;` or `&amp;amp;`."""


def teach_xml(tools: Sequence[ToolSpec]) -> str:
    """What is said of xml: how arguments are written, and how files, patches and commands are, as far as there are any.

    - The content of write_file, the text of save: written verbatim, …
    """
    bodies = [(tool.name, tool.as_body) for tool in tools if tool.as_body]
    files = [f"the {body.body} of {name}" for name, body in bodies if body.kind != "run_bash"]
    commands = [f"the {body.body} of {name}" for name, body in bodies if body.kind == "run_bash"]
    has_arguments = any(tool.as_body is None or tool.name.lower() not in BODIES for tool in tools)
    said = [
        *([_XML_ARGUMENTS] if has_arguments else []),
        *([_XML_ATTRIBUTES] if bodies else []),
        *([_XML_BODIES % _sentence(files)] if files else []),
        *([_XML_COMMANDS % _sentence(commands)] if commands else []),
    ]
    return _XML % "\n".join(said)


def _sentence(names: list[str]) -> str:
    """The names as the beginning of a sentence, in a template."""
    joined = ", ".join(names).replace("$", "$$")
    return joined[0].upper() + joined[1:]


JSON = f"""\
{_TOOLS}
A call is a JSON object with the two keys "name" and "arguments", and nothing else:

$example

- It must be valid JSON: double quotes, no comments, no trailing commas, line breaks in strings written as \\n.
- You may write to the user before a call. Several calls are a JSON list of such objects.
- Do not write an object with these two keys unless you mean to call a tool.
{_RULES}"""

SENTINEL = f"""\
{_TOOLS}
A call is a block that begins with a header in JSON and ends with [[SEG_END]]:

$example

- The header stands on one line and is valid JSON: double quotes, line breaks in strings written as \\n.
- You may write to the user before a call. Several calls are several blocks, one after the other.
- Do not write [[SEG_START or [[SEG_END]] for anything else, and do not put blocks into a code block.
{_RULES}"""

HERMES = f"""\
# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
$tools
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags, \
as in this example:

$example

- Several calls are several such blocks, one after the other. You may write to the user before them.
- The object must be valid JSON: double quotes, no trailing commas, line breaks in strings written as \\n.
{_RULES}"""

QWEN3_CODER = f"""\
# Tools

You have access to the following functions:

<tools>
$tools
</tools>

If you choose to call a function, reply in the following format, as in this example:

$example

- An inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags.
- Each <parameter=...> block holds one argument: text as it is, without quotes or escapes, anything else as JSON.
- Required parameters must be specified; others may be left out.
- You may explain a call in prose before it, not after it. Several calls are several <tool_call> blocks.
{_RULES}"""

PARAMETERS = f"""\
You work with tools, step by step: each call is chosen by what those before it have brought to light. These are all \
there are:

$tools
A call is written as tags. The name of the tool is a tag, and in it every parameter is a tag of its own:

$example

- Keep this form to the letter, with these very names: a program reads it. Tags have no attributes.
- Values are written as they are, without quotes, escapes or entities. A file's content stands on lines of its own, \
and all of it is written: nothing is left out or abbreviated. Only a command that has `&lt;`, `&gt;` or `&amp;` in it \
is written with `&amp;lt;`, `&amp;gt;` or `&amp;amp;` there.
- You may write to the user before a call, and think in <thinking> tags. Several calls are written one after the \
other, never one inside another. Do not put them into a code block.
{_RULES}"""

PYTHONIC = f"""\
{_TOOLS}
Calls are written as a list of Python function calls, on a line of their own, with nothing else in it:

$example

- Every argument is given by its name, as a Python literal: strings in quotes, True, False, None, lists and dicts.
- Several calls stand in the same list, separated by commas. There are no variables, and no call inside another.
- If you call tools, write the list alone: no code block, no print.
{_RULES}"""

HARMONY = f"""\
# Tools

## functions

$tools

Calls to these tools must go to the commentary channel: 'functions'. For example:

$example

- Think in the analysis channel; a preamble for the user goes to the commentary channel, the answer to the final one.
- The message of a call is one JSON object, the arguments. Several calls are several messages, one for each.
{_RULES}"""
