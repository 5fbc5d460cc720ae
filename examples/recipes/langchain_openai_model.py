"""langchain-openai: a chat model with tools, on a server that knows none. No proxy runs: its HTTP client suffices.

    model = chat_model("Qwen/Qwen3-8B", "http://localhost:8000/v1").bind_tools([weather])
    for chunk in model.stream("How warm is it in Oslo?"):
        chunk.content, chunk.tool_call_chunks

The tools are taught in the prompt, in the format that the model is known to write, and its calls are read out of the
text while it streams. Where a server knows tools, and only leaks calls and thoughts, take `Settings()`. LangChain's
class for OpenAI does not read thoughts; `langchain_calls.py` beside this file gives them, for every chat model.
"""

import httpx2
from langchain_openai import ChatOpenAI

from streamparse.proxy import AsyncTransport, Settings, Transport


def chat_model(name: str, base_url: str, api_key: str = "none") -> ChatOpenAI:
    """The model `name` at a server, for `invoke` and `stream` and for `ainvoke` and `astream`."""
    settings = Settings(is_prompted=True)
    return ChatOpenAI(
        model=name,
        base_url=base_url,
        api_key=api_key,
        http_client=httpx2.Client(transport=Transport(settings), timeout=None),
        http_async_client=httpx2.AsyncClient(transport=AsyncTransport(settings), timeout=None),
    )
