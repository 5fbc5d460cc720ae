"""An agent: a task, a model and tools, until the model is done.

    agent = Agent(AsyncOpenAI(base_url=…), model="qwen3-coder", tools=tools, ask=ask)
    async for item in agent.run("Add a test for the parser."):
        show(item)

`agent.py` is the loop, `model.py` how the model is asked, `session_log.py` what is kept in a file.
"""

from streamparse.agent.agent import Agent, AgentLimits
from streamparse.agent.model import ModelError, ask_openai
from streamparse.agent.session_log import SessionLog, SessionLogError

__all__ = ["Agent", "AgentLimits", "ModelError", "SessionLog", "SessionLogError", "ask_openai"]
