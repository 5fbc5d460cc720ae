"""LiteLLM's chunks are OpenAI's with fields of its own. Run by `make test-litellm`: it wants an openai of its own."""

from __future__ import annotations

import pytest

from streamparse import SegmentEvent, ToolInvocation, parse
from streamparse.providers import CallDelta, ReasoningDelta, TextDelta, read
from streamparse.providers.sse import chunks
from streamparse.testing import normalize
from tests.e2e.recordings import RECORDINGS
from tests.e2e.server import serve
from tests.native.kit import wire
from tests.providers.cases import call

litellm = pytest.importorskip("litellm", reason="make test-litellm has it")
utils = pytest.importorskip("litellm.types.utils")
pytestmark = pytest.mark.filterwarnings("ignore")  # about litellm's own models


def test_its_deltas_are_openais() -> None:
    delta = utils.Delta(content="Hi", reasoning_content="Hm", tool_calls=[call(0, "c", "f", "{}")])
    chunk = utils.ModelResponseStream(choices=[utils.StreamingChoices(index=0, delta=delta, finish_reason=None)])
    called = CallDelta("c", "c", "f", "{}", state={"reasoning_field": "reasoning_content"})
    assert read(chunk) == [ReasoningDelta("Hm"), TextDelta("Hi"), called]


@pytest.mark.parametrize("name", ["chat", "chat short"])
def test_a_reply_is_the_same_as_without_it(name: str) -> None:
    with serve(RECORDINGS) as url:
        stream = litellm.completion(
            model=f"openai/{name}",
            messages=[{"role": "user", "content": "Hi"}],
            api_base=f"{url}/v1",
            api_key="x",
            stream=True,
        )
        items = list(parse(stream, "native", invocations=True))
    plain = list(parse(chunks([RECORDINGS[name][1]]), "native", invocations=True))
    made = [item for item in items if isinstance(item, ToolInvocation)]
    assert wire(normalize(item for item in items if isinstance(item, SegmentEvent))) == wire(
        normalize(item for item in plain if isinstance(item, SegmentEvent))
    )
    assert made == [item for item in plain if isinstance(item, ToolInvocation)]
    assert [invocation.name for invocation in made] == ["get_weather", "run_bash", "write_file"]
