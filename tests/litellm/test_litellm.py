"""LiteLLM's chunks are OpenAI's with fields of its own. Run by `make test-litellm`: it wants an openai of its own."""

from __future__ import annotations

import pytest

from streamparse.providers import CallDelta, ReasoningDelta, TextDelta, read
from tests.providers.cases import call

utils = pytest.importorskip("litellm.types.utils", reason="make test-litellm has it")
pytestmark = pytest.mark.filterwarnings("ignore")  # about litellm's own models


def test_its_deltas_are_openais() -> None:
    delta = utils.Delta(content="Hi", reasoning_content="Hm", tool_calls=[call(0, "c", "f", "{}")])
    chunk = utils.ModelResponseStream(choices=[utils.StreamingChoices(index=0, delta=delta, finish_reason=None)])
    assert read(chunk) == [ReasoningDelta("Hm"), TextDelta("Hi"), CallDelta("c", "c", "f", "{}")]
