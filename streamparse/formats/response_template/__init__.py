r"""Formats from response templates: what a checkpoint on Hugging Face says of its replies becomes a format.

    {
        "start_anchor": "<|im_start|>assistant\n",
        "fields": {
            "reasoning_content": {"open": "<think>", "close": "</think>"},
            "tool_calls": {
                "open_pattern": r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>",
                "close_pattern": r"</function>\s*</tool_call>",
                "content": "xml-inline",
                "content_args": {"tag_pattern": r"<parameter=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</parameter>"},
                "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
                "repeats": True,
            },
            "content": {"close": "<|im_end|>"},
        },
    }

That is the `response_template` of a tokenizer (transformers 5), which the engines read, too. It names the regions of a
reply, what opens and what closes them. Here they become markers of the families that the library has: so a closer in a
string of JSON ends nothing, arguments are shown while they are written, and nothing depends on the chunks.

| a field | becomes |
|---|---|
| `reasoning_content`, `reasoning`, `thinking` | the reasoning of the format |
| `content` | text; what opens and closes it is never shown |
| `tool_calls` with `json`, the name in the object, or each in a list | calls that are JSON objects |
| … with `json`, the name in `open_pattern` | calls with JSON arguments |
| … with `json` and `unquoted_keys` or `string_delims`, the name in `open_pattern` | calls in the language of Gemma |
| … with `xml-inline`, the name in `open_pattern` | calls with parameters in tags |
| … with `kv-lines` or `text`, the name in `open_pattern` | calls with a line for each argument, or one text |

What stands outside of all regions is text; so is a field of any other name, with its markers. A template says how calls
are read, not how they are taught: the format has no prompt side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamparse.core.markers import Atom, Exact, Marker, leading_text
from streamparse.families.tagged.grammar import marker
from streamparse.formats.format import Format, Reasoning
from streamparse.formats.response_template.calls import calls_of
from streamparse.formats.response_template.field import Field, check_keys, written
from streamparse.formats.thinking import between

_REASONING = ("reasoning_content", "reasoning", "thinking")
_WHAT = "the response template"
_KEYS = frozenset({"version", "defaults", "fields", "start_anchor", "start_anchor_pattern"})


def format_from(template: Mapping[str, Any], name: str) -> Format:
    """The format that `template` describes. Raises ValueError, which says what cannot be read."""
    check_keys(template, _KEYS, _WHAT)
    if template.get("version", 1) != 1:
        raise ValueError(f"{_WHAT} has the version {template['version']!r}: only 1 is known")
    if not isinstance(template.get("fields"), Mapping) or not template["fields"]:
        raise ValueError(f"{_WHAT} has no fields")
    anchors = written(_WHAT, template, "start_anchor")
    fields = {key: Field(key, spec, anchors) for key, spec in template["fields"].items()}
    answer, calls = fields.get("content"), fields.get("tool_calls")
    edges = [
        marker(*way) for way in (*anchors, *(answer.opens() if answer else ()), *(answer.closes if answer else ()))
    ]
    made, decoder = calls_of(calls) if calls else ((), None)
    return Format(
        name=name,
        calls=made,
        arguments=decoder,
        reasoning=_reasoning(name, fields),
        dropped=tuple(dict.fromkeys(leading_text(edge) for edge in edges if _is_text(edge))),
        wrappers=tuple(edge for edge in edges if not _is_text(edge)),
        unwritten="comes from a response template, which does not say how calls are written in a prompt",
        in_auto=False,
    )


def _reasoning(name: str, fields: Mapping[str, Field]) -> Reasoning:
    """What closes answers, too, is no closer of reasoning: it may come where none is open."""
    field = next((fields[key] for key in _REASONING if key in fields), None)
    if field is None:
        return Reasoning()
    opens = [marker(*way) for way in field.opens()]
    closers = {marker(*way): None for way in field.closes}
    if not opens or not closers:
        raise field.error("reasoning needs a marker that opens it, and one that closes it")
    others = {marker(*way) for key in ("content", "tool_calls") if key in fields for way in fields[key].closes}
    own = [closer for closer in closers if closer not in others]
    return between(name, opens, own, answers=[closer for closer in closers if closer in others])


def _is_text(edge: Marker) -> bool:
    return not any(isinstance(part, Atom) and not isinstance(part, Exact) for part in edge)
