"""From a reply to its effects: what is shown, what is asked, what is run, and what the model is told.

    presenter = Presenter(reply, tools={"search": search}, rules=Rules({"search": "allow"}), ask=ask)
    async for item in presenter:
        show(item)
    messages += reply.messages("openai", presenter.results)

To read the code, follow a call: `presenter.py` gives the items of a reply in order and settles its calls, `gate.py`
decides about each (`rules.py`, `repetition.py`; `decision.py` is the question to a person and the answer, which
`approvals.py` brings from elsewhere), `schedule.py` says which calls of a plan may go, `execution.py` runs them
(`tool.py`, `hints.py`), and `describe.py` says each in one line. What is said about them is a `ToolLifecycle`
(`invocations/lifecycle.py`).
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
