"""Approve by callback: the user is asked about each call the moment it is complete; what is not complete never runs."""

from streamparse import StreamingResponseHandler, ToolInvocation

CHUNKS = [
    *("I list the files, then I clean up.\n<run_ba", "sh>ls</run_bash>\n<run_bash>rm -r", " build</run_bash>\n"),
    *('<tool name="search"><query>unused</que', "ry></tool>\n<run_bash>rm -rf /tm"),
]
SAFE = {"ls", "pwd", "git status"}


def ask(invocation: ToolInvocation) -> bool:
    """Stands for the dialog of a user interface: only what is known to be safe is approved here."""
    return invocation.name == "search" or invocation.arguments.get("command") in SAFE


def decide(invocation: ToolInvocation) -> None:
    if not invocation.is_complete:
        print(f"refused   {invocation.name}: {invocation.error} {invocation.raw!r}")
    elif not ask(invocation):
        print(f"declined  {invocation.name} {invocation.arguments}")
    else:
        print(f"approved  {invocation.name} {invocation.arguments}")  # here a program would run it


def main() -> None:
    handler = StreamingResponseHandler("xml", on_tool_invocation=decide)
    for chunk in CHUNKS:
        handler.feed(chunk)
    handler.finalize()


if __name__ == "__main__":
    main()
