"""OpenAI Agents: an agent with tools, on a model server that knows none. No proxy runs: its HTTP client suffices.

    agent = Agent("forecaster", model=chat_model("Qwen/Qwen3-8B", "http://localhost:8000/v1"), tools=[weather])
    print(Runner.run_sync(agent, "How warm is it in Oslo?").final_output)

The tools are taught in the prompt, in the format that the model is known to write, and its calls are read out of the
text while it streams. Where a server knows tools, and only leaks calls and thoughts, take `Settings()`.
"""

import httpx2
from agents import OpenAIChatCompletionsModel
from openai import AsyncOpenAI

from streamparse.proxy import AsyncTransport, Settings


def chat_model(name: str, base_url: str, api_key: str = "none") -> OpenAIChatCompletionsModel:
    """The model `name` at a server."""
    http = httpx2.AsyncClient(transport=AsyncTransport(Settings(is_prompted=True)), timeout=None)
    client = AsyncOpenAI(base_url=base_url, api_key=api_key, http_client=http)
    return OpenAIChatCompletionsModel(name, openai_client=client)
