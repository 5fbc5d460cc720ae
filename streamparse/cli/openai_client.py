"""The client of the `openai` package, for whatever server speaks Chat Completions: the extra `agent`."""

from __future__ import annotations

import os

from openai import AsyncOpenAI


def make_client(base_url: str | None) -> AsyncOpenAI:
    """A client for the server at `base_url`, OpenAI's own if there is none; local servers need no key."""
    return AsyncOpenAI(base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY") or "none")
