"""Typed arguments: the model writes text, the schema of the tool says what it is."""

import json

from streamparse import ToolInvocation, parse

#: As OpenAI's and Anthropic's APIs take it, or as `Model.model_json_schema()` of pydantic gives it.
SEARCH = {
    "name": "search",
    "parameters": {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer"},
            "exact": {"type": "boolean"},
            "sort": {"enum": ["date", "rank"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "near": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}]},
        },
        "$defs": {"Place": {"properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}}},
    },
}
REPLY = """\
<tool name="search">
  <query>vector<int> &amp; 5 < 6</query>
  <limit>5</limit>
  <exact>True</exact>
  <sort> date </sort>
  <tags><item>c++</item><item>42</item></tags>
  <near><lat>52.5</lat><lon>13</lon></near>
</tool>
<tool name="search"><query>cats</query><limit>a few</limit><near>null</near></tool>
<tool name="search">cats</tool>
"""


def main() -> None:
    chunks = [REPLY[at : at + 5] for at in range(0, len(REPLY), 5)]
    for item in parse(chunks, "xml", tools=[SEARCH], invocations=True):
        if isinstance(item, ToolInvocation):
            print(item.name, item.error or item.status, json.dumps(item.arguments, indent=2))


if __name__ == "__main__":
    main()
