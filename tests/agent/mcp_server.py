"""A server of the Model Context Protocol with one tool.

python -m tests.agent.mcp_server            by standard input and output; its process id goes into $PID_FILE
"""

from __future__ import annotations

import os
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("greetings")


@server.tool()
def greet(name: str) -> str:
    """Greet somebody."""
    return f"{os.environ.get('GREETING', 'Hello')}, {name}!"


if __name__ == "__main__":
    Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))
    server.run()
