"""The keys of a call that is a JSON object, by what their values are. Between markers a format declares them; where
calls stand anywhere, what they have is a profile:

    default      {"name": "f", "arguments": {}}, and all that follow
    openai       {"function": {"name": "f", "parameters": {}}}
    gemini       {"name": "f", "args": {}}
    anthropic    {"name": "f", "input": {}}

The states that read such calls and the decoder of their arguments go by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cached_property

from attrs import evolve, field, frozen

from streamparse.core.opening import Options


class KeySet(frozenset[str]):
    """The keys that an object may have."""

    _beginnings: dict[str, set[str]]

    def __new__(cls, keys: Iterable[str]) -> KeySet:
        """A set that knows how its keys begin."""
        self = super().__new__(cls, keys)
        self._beginnings = {}
        for key in self:
            for length in range(len(key) + 1):
                self._beginnings.setdefault(key[:length], set()).add(key)
        return self

    def has_beginning(self, text: str, seen: Set[str]) -> bool:
        """Whether `text` may become one of them, other than those `seen`."""
        return not self._beginnings.get(text, seen) <= seen


@frozen(eq=False, slots=False)
class JsonKeys(Options):
    """The keys of calls. Of several that are there, the first counts."""

    names: tuple[str, ...] = ("name",)
    arguments: tuple[str, ...] = ("arguments", "parameters")
    ids: tuple[str, ...] = ("id",)
    #: What else may stand in a call, by how its value begins.
    others: Mapping[str, str] = field(factory=lambda: {"type": '"', "index": "-0123456789"})
    #: The name, or an object with name and arguments.
    functions: tuple[str, ...] = ("function",)
    #: The first key is the name, and its value the arguments.
    is_single: bool = False

    # What calls have that stand anywhere, with nothing around them.
    #: A list of calls.
    lists: tuple[str, ...] = ()
    #: A plan: an object with a list of calls, and how they are to run.
    plans: tuple[str, ...] = ()
    modes: tuple[str, ...] = ("mode",)
    #: What else may stand in a call of a plan.
    places: Mapping[str, str] = field(factory=lambda: {"toolId": '"-0123456789n', "dependsOn": '"[n'})
    #: Whether a declared name alone is no call: it may be anything that has a name.
    needs_arguments: bool = False

    @cached_property
    def all_names(self) -> frozenset[str]:
        """Whose value may be the name."""
        return frozenset((*self.names, *self.functions))

    @cached_property
    def strings(self) -> frozenset[str]:
        """Whose value may be a string that says something of the call."""
        return frozenset((*self.names, *self.functions, *self.ids, *self.modes))

    @cached_property
    def of_call(self) -> KeySet:
        """Those of a call."""
        of_all = (*self.names, *self.functions, *self.arguments, *self.lists, *self.ids, *self.others)
        return KeySet((*of_all, *self.plans))

    @cached_property
    def of_plan(self) -> KeySet:
        """Those of a plan."""
        return KeySet((*self.modes, *self.lists))

    @cached_property
    def of_step(self) -> KeySet:
        """Those of a call of a plan."""
        return KeySet((*self.of_call, *self.places))

    @cached_property
    def of_wrapper(self) -> KeySet:
        """Those of an object with a list of calls, behind the list."""
        return KeySet((*self.ids, *self.others))


_ANYWHERE = JsonKeys(
    names=("name", "tool_name"),
    arguments=("arguments", "parameters", "args", "input"),
    ids=("id", "call_id"),
    functions=("function", "tool"),
    lists=("tool_calls", "tools"),
    plans=("execution",),
)
#: By the name of the profile, `ParserConfig(json_profile=…)`.
JSON_PROFILES: Mapping[str, JsonKeys] = {
    "default": _ANYWHERE,
    "openai": evolve(_ANYWHERE, arguments=("arguments", "parameters")),
    "gemini": evolve(_ANYWHERE, arguments=("args", "arguments")),
    "anthropic": evolve(_ANYWHERE, arguments=("input",)),
}
