"""From a reply to its effects: what is shown, what is asked, what is run, and what the model is told.

    presenter = Presenter(reply, tools={"search": search}, rules=Rules({"search": "allow"}), ask=ask)
    async for item in presenter:
        show(item)
    messages += reply.messages("openai", presenter.results)

To read the code, follow a call. `presenter.py` gives the items of a reply in order (`backlog.py`) and hands its calls
to `settling.py`, which has each decided about and run when all that it waits for is done (`schedule.py`). `gate.py`
decides: by `rules.py` (`targets.py`, `commands.py`), by `repetition.py`, and by asking a person (`decision.py` is the
question and the answer, which `approvals.py` brings from elsewhere). `execution.py` runs a tool (`tool.py`,
`hints.py`). What becomes of each call goes to `ledger.py`, as a `ToolLifecycle` (`invocations/lifecycle.py`) and a
`ToolResult`. `describe.py` says a call in one line, and `loop_guard.py` watches the text of the reply.
"""

from streamparse.invocations import ToolLifecycle
from streamparse.messages.results import ToolResult
from streamparse.presenter.approvals import ApprovalError, Approvals
from streamparse.presenter.decision import ApprovalRequest, Decision
from streamparse.presenter.describe import describe
from streamparse.presenter.loop_guard import LoopGuard
from streamparse.presenter.mcp_tools import mcp_tools
from streamparse.presenter.presenter import Presenter
from streamparse.presenter.repetition import Repetition
from streamparse.presenter.rules import Rule, Rules
from streamparse.presenter.tool import Tool, Toolbox, ToolContext, ToolError

__all__ = [
    "ApprovalError",
    "ApprovalRequest",
    "Approvals",
    "Decision",
    "LoopGuard",
    "Presenter",
    "Repetition",
    "Rule",
    "Rules",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolLifecycle",
    "ToolResult",
    "Toolbox",
    "describe",
    "mcp_tools",
]
