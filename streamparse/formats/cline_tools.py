"""The tools of two coding assistants, Cline and Roo Code, as their prompts declare them.

Parameters that are not required have a `?` behind their names here. All values are texts.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from streamparse.config import ToolSpec

_Kind: TypeAlias = Literal["write_file", "patch_file", "run_bash"]


def _tool(
    name: str,
    description: str,
    *parameters: str,
    kind: _Kind | None = None,
    body: str | None = None,
    raw: tuple[str, ...] = (),
) -> ToolSpec:
    names = [parameter.removesuffix("?") for parameter in parameters]
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": [parameter for parameter in parameters if not parameter.endswith("?")],
    }
    raw = (*raw, *(name for name in ("content", "diff") if name in names))
    return ToolSpec(name, schema, raw, kind, body, description)


def _cline(
    name: str, description: str, *parameters: str, kind: _Kind | None = None, body: str | None = None
) -> ToolSpec:
    """Every tool of Cline may report the progress of the task."""
    return _tool(name, description, *parameters, "task_progress?", kind=kind, body=body)


CLINE_TOOLS = (
    _cline(
        "execute_command",
        "Run a command in the terminal.",
        *("command", "requires_approval", "timeout?"),
        kind="run_bash",
    ),
    _cline("read_file", "Read the contents of a file.", "path"),
    _cline("write_to_file", "Write a whole file, a new one or over an old one.", "path", "content", kind="write_file"),
    _cline(
        "replace_in_file",
        "Change parts of a file, in blocks of SEARCH and REPLACE.",
        *("path", "diff"),
        kind="patch_file",
        body="diff",
    ),
    _cline("new_rule", "Write a file of rules for later work.", "path", "content", kind="write_file"),
    _cline("search_files", "Search files by a regular expression.", "path", "regex", "file_pattern?"),
    _cline("list_files", "List files and folders.", "path", "recursive?"),
    _cline("list_code_definition_names", "List the definitions in the source files of a folder.", "path"),
    _cline("browser_action", "Act in a browser.", "action", "url?", "coordinate?", "text?"),
    _cline("web_fetch", "Fetch a page and answer a question about it.", "url", "prompt"),
    _cline("use_mcp_tool", "Call a tool of an MCP server.", "server_name", "tool_name", "arguments"),
    _cline("access_mcp_resource", "Read a resource of an MCP server.", "server_name", "uri"),
    _cline("load_mcp_documentation", "Read how MCP servers are made."),
    _cline("ask_followup_question", "Ask the user for what is missing.", "question", "options?"),
    _cline(
        "plan_mode_respond",
        "Answer the user while a plan is made.",
        *("response", "options?", "needs_more_exploration?"),
    ),
    _cline("attempt_completion", "Present the result of the task.", "result", "command?"),
    _cline("new_task", "Begin a new task with what is known.", "context"),
    _cline("condense", "Shorten the conversation.", "context"),
    _cline("summarize_task", "Sum up the task so far.", "context"),
    _cline(
        "report_bug",
        "Report a bug of the assistant.",
        *("title", "what_happened", "steps_to_reproduce", "api_request_output?", "additional_context?"),
    ),
)

ROO_TOOLS = (
    _tool("read_file", "Read files, or some lines of them.", "path?", "start_line?", "end_line?", "args?"),
    _tool("fetch_instructions", "Get the instructions for a task.", "task"),
    _tool("search_files", "Search files by a regular expression.", "path", "regex", "file_pattern?"),
    _tool("list_files", "List files and folders.", "path", "recursive?"),
    _tool("list_code_definition_names", "List the definitions in a source file or a folder.", "path"),
    _tool("codebase_search", "Search the code by meaning.", "query", "path?"),
    _tool(
        "apply_diff",
        "Change parts of a file, in blocks of SEARCH and REPLACE.",
        *("path", "diff", "start_line?", "args?"),
        kind="patch_file",
        body="diff",
    ),
    _tool(
        "write_to_file",
        "Write a whole file, a new one or over an old one.",
        *("path", "content", "line_count?"),
        kind="write_file",
    ),
    _tool("insert_content", "Insert lines into a file.", "path", "line", "content"),
    _tool(
        "search_and_replace",
        "Replace a text, or what a regular expression matches, in a file.",
        *("path", "search", "replace", "use_regex?", "ignore_case?", "start_line?", "end_line?"),
        raw=("search", "replace"),
    ),
    _tool("browser_action", "Act in a browser.", "action", "url?", "coordinate?", "text?", "size?"),
    _tool("execute_command", "Run a command in the terminal.", "command", "cwd?", kind="run_bash"),
    _tool("use_mcp_tool", "Call a tool of an MCP server.", "server_name", "tool_name", "arguments"),
    _tool("access_mcp_resource", "Read a resource of an MCP server.", "server_name", "uri"),
    _tool("ask_followup_question", "Ask the user for what is missing.", "question", "follow_up"),
    _tool("attempt_completion", "Present the result of the task.", "result", "command?"),
    _tool("switch_mode", "Ask for another mode.", "mode_slug", "reason?"),
    _tool("new_task", "Begin a task of its own in a mode.", "mode", "message", "todos?"),
    _tool("update_todo_list", "Replace the list of what is to be done.", "todos"),
    _tool("run_slash_command", "Run a slash command.", "command", "args?"),
    _tool("generate_image", "Make an image, or change one.", "prompt", "path", "image?"),
)
