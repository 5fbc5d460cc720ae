"""What a user may set: ParserConfig, its Limits, and the tools that are declared to a handler."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Literal

from attrs import converters, field, frozen, validators


def _positive(value: int | None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _check_limit(_: Any, attribute: Any, value: int | None) -> None:
    if not _positive(value):
        raise ValueError(f"Limits.{attribute.name} must be a positive number of characters, not {value!r}")


def _check_total(_: Any, attribute: Any, value: int | None) -> None:
    if value is not None and not _positive(value):
        raise ValueError(f"Limits.{attribute.name} must be a positive number of characters or None, not {value!r}")


@frozen
class Limits:
    """Bounds in input characters; each acts at its exact offset, whatever the chunking.

    Only `max_total` raises (`LimitError`); past the others the model's text degrades:

    - `max_tag`: of an opening tag or a header. What is longer is text.
    - `max_held`: of what is held back until something decides what it is. Then it counts as what it is so far; the
      states say which.
    - `max_arguments`: of the arguments of one call. What is longer is malformed.
    - `max_depth`: how deep the arguments of one call are nested, in levels. What is deeper is malformed.
    - `max_total`: of the whole stream, None for no bound. Past it, `LimitError` is raised.
    """

    max_tag: int = field(default=65_536, validator=_check_limit)
    max_held: int = field(default=1_048_576, validator=_check_limit)
    max_arguments: int = field(default=16 * 1_048_576, validator=_check_limit)
    max_depth: int = field(default=512, validator=_check_limit)
    max_total: int | None = field(default=None, validator=_check_total)


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


@frozen(kw_only=True)
class ParserConfig:
    """How a parser reads. Every default is the one that is right for most people.

    - `parse_tool_calls`: whether calls are looked for. False: everything is text (reasoning is still split off).
    - `strategy_order`: format names, used when the handler is not given any; the earliest opener wins, ties go to this
      order.
    - `json_profile`: which keys the calls of the json format have: "default", "openai", "gemini" or "anthropic".
    - `code`: what Markdown code is. "auto" leaves inline code spans alone, "text" fenced blocks and quotes, too, and
      "parse" none.
    - `reasoning`: "open" if the prompt has already opened the reasoning; "closed" if not: then a closer in text is
      text; None: as the model or the format says, and a closer that nothing opened says that the text before it was
      reasoning.
    - `tools_in_reasoning`: True: a call inside reasoning is a call; the reasoning goes on in a new segment behind it.
    - `decode_command_entities`: whether `&amp; &lt; &gt;` are decoded in the body of run_bash.
    - `invocations`: False: calls are not collected, no invocations are built; memory stays constant whatever is
      streamed.
    - `repair_json`: True: arguments that are nearly JSON (commas too many, single quotes, Python's literals, bad
      escapes) are mended at the end of a call that was not cut, and the call is `repaired`. It needs the extra
      `repair`.
    - `segment_id_prefix`: segment ids are this and a running number …
    - `segment_id_factory`: … or whatever this makes of the running number; it must never give the same id twice.
    - `limits`: the bounds, see `Limits`.
    """

    parse_tool_calls: bool = field(default=True, validator=validators.instance_of(bool))
    strategy_order: tuple[str, ...] | None = field(default=None, converter=converters.optional(_names))
    json_profile: Literal["default", "openai", "gemini", "anthropic"] = field(
        default="default", validator=validators.in_(("default", "openai", "gemini", "anthropic"))
    )
    code: Literal["auto", "parse", "text"] = field(default="auto", validator=validators.in_(("auto", "parse", "text")))
    reasoning: Literal["open", "closed"] | None = field(
        default=None, validator=validators.in_((None, "open", "closed"))
    )
    tools_in_reasoning: bool = field(default=False, validator=validators.instance_of(bool))
    decode_command_entities: bool = field(default=True, validator=validators.instance_of(bool))
    invocations: bool = field(default=True, validator=validators.instance_of(bool))
    repair_json: bool = field(default=False, validator=validators.instance_of(bool))
    segment_id_prefix: str = field(default="seg_", validator=validators.instance_of(str))
    segment_id_factory: Callable[[int], str] | None = field(
        default=None, validator=validators.optional(validators.is_callable())
    )
    limits: Limits = field(factory=Limits, validator=validators.instance_of(Limits))


#: The configuration of everyone who does not bring one.
DEFAULT_CONFIG = ParserConfig()


#: The parameter that is streamed, by the kind of the tool, unless it names another. The kinds are segment types.
BODIES: Mapping[str, str] = {"write_file": "content", "patch_file": "patch", "run_bash": "command"}
#: What the path of a file may be called, in the kinds that have one.
_PATHS = ("path", "file_path", "filename", "filepath", "target_file")
_WITHOUT_PATH = "run_bash"


@frozen
class BodyTool:
    """A tool whose calls are segments of their own kind: what of a call is the body, and what is the path."""

    kind: str
    #: The parameter that is streamed as content.
    body: str
    #: The parameter that START shows as `path`; None if the kind has none.
    path: str | None
    #: Whether a call may do without it: a patch may name its files itself.
    is_path_optional: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that every call must have: the path, if there must be one, and the body."""
        return (self.body,) if self.path is None or self.is_path_optional else (self.path, self.body)

    @classmethod
    def of_kind(cls, kind: str) -> BodyTool:
        """A tool of which nothing is known but its kind."""
        return cls(kind, BODIES[kind], None if kind == _WITHOUT_PATH else "path")


@frozen
class ToolSpec:
    """A tool as declared by the user: its name and the JSON schema of its parameters.

    `kind` says that the tool writes a file, patches one or runs a command under a name of its own, so its calls are
    segments of that type; `body` is then the parameter that is streamed, if it is not called content, patch or command,
    and `path` the one that START shows as the path, if it is not called so. `write_file`, `patch_file` and `run_bash`
    need no kind if they have these parameters; `kind="tool_call"` says that a tool is none of them.
    `raw` names parameters whose value is taken verbatim (cline formats). `description` is for prompts.
    """

    name: str
    parameters: Mapping[str, Any] = field(factory=dict)
    raw: tuple[str, ...] = field(default=(), converter=_names)
    kind: Literal["write_file", "patch_file", "run_bash", "tool_call"] | None = field(
        default=None, validator=validators.in_((None, "write_file", "patch_file", "run_bash", "tool_call"))
    )
    body: str | None = field(default=None, validator=validators.optional(validators.instance_of(str)))
    description: str = field(default="", validator=validators.instance_of(str), eq=False)
    path: str | None = field(default=None, validator=validators.optional(validators.instance_of(str)), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"the name of a tool must be a non-empty string, not {self.name!r}")
        if not isinstance(self.parameters, Mapping):
            raise TypeError(f"the parameters of the tool {self.name!r} are not a JSON schema: {self.parameters!r}")
        for role, name in (("body", self.body), ("path", self.path)):
            if name is not None and self.kind not in BODIES:
                raise TypeError(f"the tool {self.name!r} has a {role}, {name!r}, but no kind that would stream it")
        properties = self.parameters.get("properties")
        properties = {} if properties is None else properties  # Go writes null for none
        if not isinstance(properties, Mapping) or not all(isinstance(name, str) for name in properties):
            raise TypeError(
                f"the parameters of the tool {self.name!r} are not a JSON schema: properties={properties!r}"
            )

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the declared parameters."""
        return tuple(self.parameters.get("properties") or ())

    @cached_property
    def as_body(self) -> BodyTool | None:
        """What of its calls is streamed; None if they are like those of any other tool.

        A name alone makes no kind where the schema says otherwise: `write_file(text)` writes a file in its own way.
        """
        kind = self.kind or self.name.lower()
        if kind not in BODIES:
            return None
        body, path, declared = self.body or BODIES[kind], self.path, self.parameter_names
        if path is None and kind != _WITHOUT_PATH:
            known = [name for name in _PATHS if name in declared]
            path = known[0] if len(known) == 1 else "path"
        if self.kind is None and declared and not {body, path or body} <= set(declared):
            return None
        required = self.parameters.get("required") or ()
        return BodyTool(
            kind, body, path, is_path_optional=body in required and path in declared and path not in required
        )

    @classmethod
    def from_any(cls, tool: ToolSpec | Mapping[str, Any]) -> ToolSpec:
        """Read a tool in any of the usual shapes.

        A ToolSpec, OpenAI's `{"type": "function", "function": {…}}`, the flat `{"name", "parameters"}`, or Anthropic's
        `{"name", "input_schema"}`.
        """
        if isinstance(tool, ToolSpec):
            return tool
        if isinstance(tool, Mapping):
            inner = tool.get("function", tool)
            if isinstance(inner, Mapping) and isinstance(inner.get("name"), str):
                parameters = inner.get("parameters", inner.get("input_schema")) or {}
                description = inner.get("description")
                if isinstance(parameters, Mapping):
                    told = description if isinstance(description, str) else ""
                    return cls(inner["name"], parameters, description=told)
        raise TypeError(
            f"not a tool: {tool!r}; expected a ToolSpec, {{'name', 'parameters'}}, {{'name', 'input_schema'}} "
            "or {'type': 'function', 'function': {…}}"
        )


class Tools(dict[str, ToolSpec]):
    """Declared tools by their names in lower case: what a model writes is compared without case.

    It is never changed, so a handler, its parser and its adapter share one; so may several handlers.
    """

    __slots__ = ("_sorted",)

    _sorted: list[str]

    @classmethod
    def of(cls, tools: Tools | Iterable[ToolSpec | Mapping[str, Any]] | None) -> Tools:
        """The tools in any of the usual shapes; None is none. Raises ValueError for two of one name, in any case."""
        if isinstance(tools, Tools):
            return tools
        declared = cls()
        for spec in map(ToolSpec.from_any, () if tools is None else tools):
            if spec.name.lower() in declared:
                raise ValueError(f"the tool {spec.name!r} is declared twice: names are compared without regard to case")
            declared[spec.name.lower()] = spec
        return declared

    def body_of(self, name: str) -> BodyTool | None:
        """What of a call of `name` is streamed, as it is declared, or because it is one of the three that are known."""
        name = name.lower()
        spec = self.get(name)
        if spec is not None:
            return spec.as_body
        return BodyTool.of_kind(name) if name in BODIES else None

    def has_beginning(self, text: str) -> bool:
        """Whether the name of a tool begins with `text`."""
        try:
            names = self._sorted
        except AttributeError:
            names = self._sorted = sorted(self)  # once for all who ask, not for those who do not
        text = text.lower()
        index = bisect_left(names, text)
        return index < len(names) and names[index].startswith(text)
