"""Calls with parameters in tags: a format is declared by the templates that its prompt side writes them with.

    tagged_format(
        "minimax_m2",
        call='<invoke name="$name">\\n$arguments</invoke>',
        parameter='<parameter name="$key">$value</parameter>\\n',
        section=("<minimax:tool_call>", "</minimax:tool_call>"),
        result="<response>$result</response>",
    )

What begins and ends a call and its parameters is read off the templates, so it is written down once: Tags for the
reader, Calls for what stands around it, the decoder and the writer come of them. What models write otherwise than the
template is given besides, as fields of Tags.
"""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from attrs import evolve

from streamparse.core.markers import Marker
from streamparse.families.calls.grammar import NAME, Calls, Part, ReadHead, Section, as_marker
from streamparse.families.tagged.decoder import TaggedArguments
from streamparse.families.tagged.grammar import FEW_BLANKS, KEY, MAYBE_QUOTE, Tags, in_quotes, marker, with_attribute
from streamparse.families.tagged.state import TaggedCallState
from streamparse.families.tagged.values import Values
from streamparse.families.tagged.writer import WriteParameters
from streamparse.formats.format import Format
from streamparse.formats.prompt import Prompt, Turn

#: Whether a call may stand without its section: if so, perhaps only with a parameter, or its end, behind the head.
Bare: TypeAlias = Literal["never", "with_parameters", "always"]

_ATTRIBUTE = re.compile(r'(.+) (\w+)="\$key"(?: \w+="\$\w+")?(.+)')


def tags_of(call: str, parameter: str, end: str = "", /, **written: Any) -> Tags:
    """The grammar of what these templates write, in a section that ends with `end`; and what is `written` otherwise."""
    before, behind = call.split("$arguments")
    opener, closer = parameter.split("$value")
    derived = {
        "head": _head(before.strip()),
        "open": _openers(opener.strip()),
        "close": marker(closer.strip()),
        "end": marker(behind),
        "outer": (marker(end),) if end else (),
    }
    return Tags(**{**derived, **written})


def _head(template: str) -> tuple[Part, ...]:
    """`<invoke name="$name">` and `<function=$name>`, in any quotes or none, or a name that is no attribute."""
    before, behind = template.split("$name")
    if before.endswith('"'):
        before, behind = before[:-1], behind[1:]
    if not before.endswith("="):
        return tuple(part for part in (before, NAME, behind) if part)
    return before, MAYBE_QUOTE, NAME, MAYBE_QUOTE, behind


def _openers(template: str) -> tuple[Marker, ...]:
    """`<parameter name="$key">` and `<parameter=$key>`, in any quotes or none, or a key that is no attribute."""
    match = _ATTRIBUTE.fullmatch(template)
    if match:
        return with_attribute(*match.groups())
    before, behind = template.split("$key")
    quoted = in_quotes(before, behind=(behind,)) if before.endswith("=") else ()
    return (*quoted, marker(before, KEY, behind))


def tagged_format(
    name: str,
    *,
    call: str,
    parameter: str,
    result: str | Turn,
    section: tuple[str, str] | None = None,
    joint: str = "\n",
    bare: Bare = "never",
    begins: tuple[str | Marker, ...] = (),
    behind: str = "",
    around: Section | None = None,
    values: Values | None = None,
    takes_json: bool = False,
    other_calls: tuple[Calls, ...] = (),
    written: dict[str, Any] | None = None,
    prompt: dict[str, Any] | None = None,
    **more: Any,
) -> Format:
    """The format of this name.

    `section` stands around calls, with `joint` between; `behind` is what one call has besides its closer. `around` is
    the section as models write it, where that is not all; and `written` says the same of what is inside. `takes_json`:
    a call without its section may have a JSON object for its parameters. `begins` are what must be seen behind the name
    of a tool, where nothing else tells that it is over.
    """
    begin, end = section or ("", "")
    tags = tags_of(call, parameter, end, **(written or {}))
    if begins:
        heads = tags.heads(FEW_BLANKS)
        tags = evolve(tags, next=tuple((*head, FEW_BLANKS, *as_marker(first)) for head in heads for first in begins))
    if section is not None and around is None:
        around = Section((begin,), (end,))
    decoder = TaggedArguments(tags, values)
    written_call = f"{call}{behind}"
    return Format(
        name=name,
        calls=(*_calls(tags, around, bare, behind, begins, parameter, takes_json), *other_calls),
        arguments=decoder,
        prompt=Prompt(
            call=f"{begin}{joint}{written_call}{joint}{end}" if section else written_call,
            result=result,
            write=WriteParameters(decoder, parameter),
            **(prompt or {}),
        ),
        **more,
    )


def _calls(
    tags: Tags,
    around: Section | None,
    bare: Bare,
    behind: str,
    begins: tuple[str | Marker, ...],
    parameter: str,
    takes_json: bool,
) -> list[Calls]:
    """Calls in their section, and without it."""
    calls = Calls(
        TaggedCallState,
        head=tags.head,
        tail=(tags.end, *([behind] if behind else [])),
        sections=() if around is None else (around,),
        is_bare=bare == "always",
        begins=begins or ((">", tags.empty) if tags.empty else ("",)),
        options=tags,
        read_head=_read_head(tags) if tags.has_escaped_keys else None,
    )
    if bare != "with_parameters":
        return [calls]
    begins = begins or (parameter.split("$key")[0].split(" ")[0], tags.end_text, *(["{"] if takes_json else []))
    if around is None:
        return [evolve(calls, is_bare=True, begins=begins)]
    # The closer of a section may come even where its opener is missing.
    return [calls, evolve(calls, sections=(Section((), around.close),), begins=begins)]


def _read_head(tags: Tags) -> ReadHead:
    """Names are written as keys are."""
    return lambda name, call_id: (tags.read_key(name), call_id)
